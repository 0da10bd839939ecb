#include "presets/library/index.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char first_line[] = "froth index 2\n";

enum { ROW_MIN = 14 }; /* bytes of the shortest row: 0 0 0 0 0 0 a */

struct cursor {
    const char *at;
    const char *end;
};

void preset_index_begin(FILE *out)
{
    (void)fputs(first_line, out);
}

void preset_index_print(FILE *out, const struct preset_found *row)
{
    (void)fprintf(out, "%016" PRIx64 " %" PRIu64 " %" PRId64 " %" PRId64 " %d %d ", row->content,
                  row->stamp.size, row->stamp.seconds, row->stamp.nanoseconds, row->stars,
                  (int)row->refused);
    for (const char *at = row->path; *at != '\0'; at++) {
        if ((unsigned char)*at < 0x20 || *at == '%') {
            (void)fprintf(out, "%%%02x", (unsigned)(unsigned char)*at);
        } else {
            (void)fputc(*at, out);
        }
    }
    (void)fputc('\n', out);
}

static int digit_of(char letter)
{
    if (letter >= '0' && letter <= '9') {
        return letter - '0';
    }
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : 16;
}

/* A number and the blank behind it. */
static bool take_number(struct cursor *cursor, unsigned base, uint64_t most, uint64_t *value)
{
    *value = 0;
    const char *start = cursor->at;
    for (; cursor->at < cursor->end && *cursor->at != ' '; cursor->at++) {
        const unsigned digit = (unsigned)digit_of(*cursor->at);
        if (digit >= base || digit > most || *value > (most - digit) / base) {
            return false;
        }
        *value = *value * base + digit;
    }
    return cursor->at > start && cursor->at++ < cursor->end;
}

static bool take_signed(struct cursor *cursor, int64_t *value)
{
    const bool negative = cursor->at < cursor->end && *cursor->at == '-';
    cursor->at += negative;
    uint64_t size;
    if (!take_number(cursor, 10, INT64_MAX, &size)) {
        return false;
    }
    *value = negative ? -(int64_t)size : (int64_t)size;
    return true;
}

/* The rest of the row, with %XX as a byte. */
static bool take_path(struct cursor *cursor, const char *end, struct base_arena *arena,
                      const char **path)
{
    char text[PRESET_PATH_MAX + 1];
    size_t size = 0;
    while (cursor->at < end) {
        unsigned byte = (unsigned char)*cursor->at++;
        if (byte == '%') {
            const int high = end - cursor->at >= 2 ? digit_of(cursor->at[0]) : 16;
            const int low = high < 16 ? digit_of(cursor->at[1]) : 16;
            byte = low < 16 ? (unsigned)(high * 16 + low) : 0;
            cursor->at += 2;
        }
        if (byte == 0 || size == PRESET_PATH_MAX) {
            return false;
        }
        text[size++] = (char)byte;
    }
    *path = size > 0 ? base_arena_text(arena, text, size) : NULL;
    return *path != NULL;
}

static bool take_row(struct cursor *cursor, struct base_arena *arena, struct preset_found *row)
{
    const char *end = memchr(cursor->at, '\n', (size_t)(cursor->end - cursor->at));
    struct cursor inside = {cursor->at, end};
    uint64_t stars;
    uint64_t refused;
    if (end == NULL || !take_number(&inside, 16, UINT64_MAX, &row->content) ||
        !take_number(&inside, 10, UINT64_MAX, &row->stamp.size) ||
        !take_signed(&inside, &row->stamp.seconds) ||
        !take_signed(&inside, &row->stamp.nanoseconds) ||
        !take_number(&inside, 10, PRESET_STARS, &stars) || !take_number(&inside, 10, 1, &refused) ||
        !take_path(&inside, end, arena, &row->path)) {
        return false;
    }
    row->former = 0;
    row->stars = (int)stars;
    row->refused = refused != 0;
    cursor->at = end + 1;
    return true;
}

static int compare_rows(const void *a, const void *b)
{
    return strcmp(((const struct preset_found *)a)->path, ((const struct preset_found *)b)->path);
}

bool preset_index_read(struct preset_index *index, struct base_span text)
{
    *index = (struct preset_index){0};
    const size_t head = sizeof first_line - 1;
    if (text.size > PRESET_INDEX_TEXT || text.size < head ||
        memcmp(text.data, first_line, head) != 0) {
        return false;
    }
    struct cursor cursor = {text.data + head, text.data + text.size};
    index->rows = calloc((text.size - head) / ROW_MIN + 1, sizeof *index->rows);
    if (index->rows == NULL) {
        return false;
    }
    bool sorted = true;
    while (cursor.at < cursor.end) {
        struct preset_found *row = &index->rows[index->count];
        if (index->count == PRESET_CATALOG_MAX || !take_row(&cursor, &index->arena, row)) {
            preset_index_free(index);
            return false;
        }
        sorted = sorted && (index->count == 0 || compare_rows(row - 1, row) <= 0);
        index->count++;
    }
    if (!sorted) {
        qsort(index->rows, index->count, sizeof *index->rows, compare_rows);
    }
    return true;
}

void preset_index_free(struct preset_index *index)
{
    free(index->rows);
    base_arena_free(&index->arena);
    *index = (struct preset_index){0};
}

const struct preset_found *preset_index_find(const struct preset_index *index, const char *path)
{
    const struct preset_found wanted = {.path = path};
    return index->count > 0
               ? bsearch(&wanted, index->rows, index->count, sizeof wanted, compare_rows)
               : NULL;
}
