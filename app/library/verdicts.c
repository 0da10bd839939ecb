#include "app/library/verdicts.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os/content_hash.h"
#include "base/os/file.h"

enum { PATH_SIZE = 4096, TEXT_MAX = 64 * 1024 * 1024, VERDICTS_MAX = 1000000 };

static const char *const names[] = {
    [APP_VERDICT_UNKNOWN] = "unknown",
    [APP_VERDICT_OK] = "ok",
    [APP_VERDICT_DEGRADED] = "degraded",
    [APP_VERDICT_FAILED] = "failed",
};
enum { NAMES = sizeof names / sizeof *names };

struct verdict {
    uint64_t content;
    enum app_library_verdict verdict;
    bool own; /* set since the last writing */
};

struct app_verdicts {
    char path[PATH_SIZE];  /* of the file; empty: nothing is kept */
    struct verdict *items; /* by content */
    size_t count;
    size_t capacity;
};

/* Where the content stands or would stand. */
static size_t find(const struct app_verdicts *verdicts, uint64_t content)
{
    size_t low = 0;
    size_t high = verdicts->count;
    if (high > 0 && verdicts->items[high - 1].content < content) {
        return high;
    }
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (verdicts->items[middle].content < content) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_at(const struct app_verdicts *verdicts, size_t at, uint64_t content)
{
    return at < verdicts->count && verdicts->items[at].content == content;
}

/* The content's place, made if it is new; NULL without room. */
static struct verdict *place_of(struct app_verdicts *verdicts, uint64_t content)
{
    const size_t at = find(verdicts, content);
    if (is_at(verdicts, at, content)) {
        return &verdicts->items[at];
    }
    if (verdicts->count == verdicts->capacity) {
        const size_t capacity = 2 * verdicts->capacity + 256;
        struct verdict *items =
            capacity <= VERDICTS_MAX ? realloc(verdicts->items, capacity * sizeof *items) : NULL;
        if (items == NULL) {
            return NULL;
        }
        verdicts->items = items;
        verdicts->capacity = capacity;
    }
    memmove(verdicts->items + at + 1, verdicts->items + at,
            (verdicts->count - at) * sizeof *verdicts->items);
    verdicts->count++;
    verdicts->items[at] = (struct verdict){.content = content};
    return &verdicts->items[at];
}

static enum app_library_verdict verdict_of(const char *name)
{
    for (size_t i = APP_VERDICT_OK; i < NAMES; i++) {
        if (strcmp(name, names[i]) == 0) {
            return (enum app_library_verdict)i;
        }
    }
    return APP_VERDICT_UNKNOWN;
}

static int compare(const void *a, const void *b)
{
    const struct verdict *left = a;
    const struct verdict *right = b;
    return (left->content > right->content) - (left->content < right->content);
}

/* A row for each line that can be read, by content; NULL without memory. */
static struct verdict *read_lines(char *text, size_t *count)
{
    size_t lines = 1;
    for (const char *at = strchr(text, '\n'); at != NULL; at = strchr(at + 1, '\n')) {
        lines++;
    }
    struct verdict *rows = calloc(lines, sizeof *rows);
    *count = 0;
    for (char *line = rows != NULL ? text : NULL; line != NULL && *count < VERDICTS_MAX;) {
        char *end = strchr(line, '\n');
        if (end != NULL) {
            *end = '\0';
        }
        struct verdict *row = &rows[*count];
        const struct base_span digits = {line, strcspn(line, " ")};
        if (base_content_read(&row->content, digits) && line[digits.size] == ' ') {
            row->verdict = verdict_of(line + digits.size + 1);
            *count += row->verdict != APP_VERDICT_UNKNOWN;
        }
        line = end != NULL ? end + 1 : NULL;
    }
    if (*count > 1) {
        qsort(rows, *count, sizeof *rows, compare);
    }
    return rows;
}

static void take_file(struct app_verdicts *verdicts)
{
    size_t size;
    size_t count;
    char *text = base_file_read(verdicts->path, TEXT_MAX, &size, NULL);
    struct verdict *rows = text != NULL ? read_lines(text, &count) : NULL;
    if (rows != NULL) {
        /* Takes the rows in; of two for a content one counts, the one that was set here before all.
         */
        struct verdict *merged = calloc(verdicts->count + count + 1, sizeof *merged);
        size_t used = 0;
        size_t mine = 0;
        size_t theirs = 0;
        if (merged != NULL) {
            while (mine < verdicts->count || theirs < count) {
                const bool from_file =
                    mine == verdicts->count ||
                    (theirs < count && rows[theirs].content < verdicts->items[mine].content);
                const struct verdict next = from_file ? rows[theirs++] : verdicts->items[mine++];
                struct verdict *last = used > 0 ? &merged[used - 1] : NULL;
                if (last == NULL || last->content != next.content) {
                    merged[used++] = next;
                } else if (!last->own) {
                    *last = next;
                }
            }
            free(verdicts->items);
            verdicts->items = merged;
            verdicts->count = used;
            verdicts->capacity = used;
        }
    }
    free(rows);
    free(text);
}

struct app_verdicts *app_verdicts_load(const char *folder)
{
    struct app_verdicts *verdicts = calloc(1, sizeof *verdicts);
    if (verdicts == NULL || folder == NULL) {
        return verdicts;
    }
    const int length = snprintf(verdicts->path, sizeof verdicts->path, "%s/verdicts.txt", folder);
    if (length < 0 || (size_t)length >= sizeof verdicts->path) {
        verdicts->path[0] = '\0';
    } else {
        take_file(verdicts);
    }
    return verdicts;
}

void app_verdicts_free(struct app_verdicts *verdicts)
{
    if (verdicts != NULL) {
        free(verdicts->items);
        free(verdicts);
    }
}

enum app_library_verdict app_verdicts_get(const struct app_verdicts *verdicts, uint64_t content)
{
    const size_t at = find(verdicts, content);
    return is_at(verdicts, at, content) ? verdicts->items[at].verdict : APP_VERDICT_UNKNOWN;
}

void app_verdicts_set(struct app_verdicts *verdicts, uint64_t content,
                      enum app_library_verdict verdict)
{
    struct verdict *place = place_of(verdicts, content);
    if (place != NULL) {
        place->verdict = verdict;
        place->own = true;
    }
}

static char *print(const struct app_verdicts *verdicts, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (out == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < verdicts->count; i++) {
        const struct verdict *item = &verdicts->items[i];
        if (item->verdict != APP_VERDICT_UNKNOWN) {
            (void)fprintf(out, "%016" PRIx64 " %s\n", item->content, names[item->verdict]);
        }
    }
    const bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}

int app_verdicts_save(struct app_verdicts *verdicts)
{
    if (verdicts->path[0] == '\0') {
        return 0;
    }
    take_file(verdicts);
    size_t size;
    char *text = print(verdicts, &size);
    const int result = text != NULL ? base_file_save(verdicts->path, text, size) : -1;
    free(text);
    for (size_t i = 0; result == 0 && i < verdicts->count; i++) {
        verdicts->items[i].own = false;
    }
    return result;
}
