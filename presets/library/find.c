#include "presets/library/find.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- walks ---- */

enum { DEPTH_MAX = 32 };

struct walk {
    const char *root; /* as given, for messages */
    const struct base_diag_sink *sink;
    const struct preset_visitor *visitor;
    size_t found;
    bool stop;   /* the visitor wants no more, or it failed */
    bool failed; /* out of memory, or the root cannot be read; reported */
};

static void report(const struct walk *walk, enum base_severity severity, const char *path,
                   const char *why)
{
    const bool root = strcmp(path, walk->root) == 0;
    base_report(walk->sink, severity, (struct base_place){walk->root, 0, 0}, NULL, "%s%s%s",
                root ? "" : path, root ? "" : ": ", why);
}

/* Takes over text, also on failure. */
static bool append(struct preset_list *list, char *text)
{
    if (text == NULL) {
        return false;
    }
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity * 2 + 64;
        char **paths = realloc(list->paths, capacity * sizeof *paths);
        if (paths == NULL) {
            free(text);
            return false;
        }
        list->paths = paths;
        list->capacity = capacity;
    }
    list->paths[list->count++] = text;
    return true;
}

static void shorten(struct preset_list *list, size_t count)
{
    while (list->count > count) {
        free(list->paths[--list->count]);
    }
}

static int compare_names(const void *a, const void *b)
{
    const char *const *left = a;
    const char *const *right = b;
    return strcmp(*left, *right);
}

/* The names in a folder, sorted; hidden ones left out. Returns 0, or -1 with errno. */
static int read_names(const char *path, struct preset_list *names)
{
    DIR *folder = opendir(path);
    if (folder == NULL) {
        return -1;
    }
    int result = 0;
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (entry->d_name[0] != '.' && !append(names, strdup(entry->d_name))) {
            result = -1;
            break;
        }
    }
    (void)closedir(folder);
    if (result != 0) {
        errno = ENOMEM;
    } else if (names->count > 1) {
        qsort(names->paths, names->count, sizeof *names->paths, compare_names);
    }
    return result;
}

static char *join(const char *folder, const char *name)
{
    const size_t size = strlen(folder);
    const bool slash = size > 0 && folder[size - 1] == '/';
    const size_t room = size + strlen(name) + 2;
    char *path = malloc(room);
    if (path != NULL) {
        (void)snprintf(path, room, "%s%s%s", folder, slash ? "" : "/", name);
    }
    return path;
}

bool preset_is_file_name(const char *name)
{
    static const char *const endings[] = {".milk", ".fnp"};
    const size_t size = strlen(name);
    bool is = false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const struct base_span ending = base_span_of(endings[i]);
        is = is || (size > ending.size &&
                    base_span_equal_nocase(
                        (struct base_span){name + size - ending.size, ending.size}, ending));
    }
    return is;
}

static void visit(struct walk *walk, const char *path, const struct stat *facts)
{
    walk->found++;
    walk->stop = !walk->visitor->file(walk->visitor->user, path, facts);
}

static void walk_folder(struct walk *walk, const char *path, int depth)
{
    const struct preset_visitor *visitor = walk->visitor;
    struct preset_list names = {0};
    if (depth > DEPTH_MAX) {
        report(walk, BASE_WARNING, path, "too many folders deep; left out");
        return;
    }
    if (visitor->folder != NULL && !visitor->folder(visitor->user, path)) {
        walk->stop = true;
        return;
    }
    if (read_names(path, &names) != 0) {
        walk->failed = depth == 0 || errno == ENOMEM;
        walk->stop = walk->failed;
        report(walk, walk->failed ? BASE_ERROR : BASE_WARNING, path, strerror(errno));
    }
    for (size_t i = 0; i < names.count && !walk->stop; i++) {
        /* Links to files count as files, links to folders as nothing. */
        char *entry = join(path, names.paths[i]);
        struct stat facts;
        if (entry == NULL) {
            walk->stop = true;
            walk->failed = true;
            report(walk, BASE_ERROR, walk->root, "not enough memory");
        }
        const bool there = entry != NULL && lstat(entry, &facts) == 0;
        if (there && S_ISDIR(facts.st_mode)) {
            walk_folder(walk, entry, depth + 1);
        } else if (there && preset_is_file_name(entry) &&
                   (S_ISREG(facts.st_mode) || stat(entry, &facts) == 0) && S_ISREG(facts.st_mode)) {
            visit(walk, entry, &facts);
        }
        free(entry);
    }
    preset_list_free(&names);
}

int preset_walk(const char *path, const struct preset_visitor *visitor,
                const struct base_diag_sink *sink)
{
    struct walk walk = {.root = path, .sink = sink, .visitor = visitor};
    struct stat facts;
    if (stat(path, &facts) != 0) {
        report(&walk, BASE_ERROR, path, strerror(errno));
        return -1;
    }
    if (S_ISDIR(facts.st_mode)) {
        walk_folder(&walk, path, 0);
    } else if (S_ISREG(facts.st_mode)) {
        visit(&walk, path, &facts);
    } else {
        report(&walk, BASE_ERROR, path, "neither a file nor a folder");
        return -1;
    }
    if (!walk.stop && walk.found == 0) {
        report(&walk, BASE_ERROR, path, "no preset (.milk, .fnp) in this folder");
        return -1;
    }
    return walk.failed ? -1 : 0;
}

struct adding {
    struct preset_list *list;
    bool failed; /* without memory */
};

static bool add_file(void *user, const char *path, const struct stat *facts)
{
    struct adding *adding = user;
    (void)facts;
    adding->failed = !append(adding->list, strdup(path));
    return !adding->failed;
}

int preset_list_add(struct preset_list *list, const char *path, const struct base_diag_sink *sink)
{
    const size_t before = list->count;
    struct adding adding = {list, false};
    const struct preset_visitor visitor = {&adding, NULL, add_file};
    const int result = preset_walk(path, &visitor, sink);
    if (adding.failed) {
        base_report(sink, BASE_ERROR, (struct base_place){path, 0, 0}, NULL, "not enough memory");
    }
    if (result != 0 || adding.failed) {
        shorten(list, before);
        return -1;
    }
    return 0;
}

void preset_list_free(struct preset_list *list)
{
    shorten(list, 0);
    free(list->paths);
    *list = (struct preset_list){0};
}

/* ---- the index ---- */

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
