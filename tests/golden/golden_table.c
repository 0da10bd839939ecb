#include "golden.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 2048, COLUMNS_MAX = 16 };

static const char BLANKS[] = " \t\r\n";

typedef bool (*setter)(struct golden_case *of, const char *word);

static bool copy_text(char *text, size_t size, const char *word)
{
    return snprintf(text, size, "%s", word) < (int)size;
}

static bool set_name(struct golden_case *of, const char *word)
{
    return copy_text(of->name, sizeof of->name, word);
}

static bool set_preset(struct golden_case *of, const char *word)
{
    return copy_text(of->preset, sizeof of->preset, word);
}

static bool set_set(struct golden_case *of, const char *word)
{
    return copy_text(of->set, sizeof of->set, word);
}

static bool set_against(struct golden_case *of, const char *word)
{
    return copy_text(of->against, sizeof of->against, word);
}

static bool set_equation(struct golden_case *of, const char *word)
{
    of->equation = strcmp(word, "yes") == 0;
    return of->equation;
}

static bool set_pair(struct golden_pair *pair, const char *word)
{
    return sscanf(word, "%4dx%4d", &pair->width, &pair->height) == 2;
}

static bool set_size(struct golden_case *of, const char *word)
{
    return set_pair(&of->size, word) && of->size.width >= REND_SIZE_MIN &&
           of->size.height >= REND_SIZE_MIN && of->size.width <= 4096 && of->size.height <= 4096;
}

static bool set_mesh(struct golden_case *of, const char *word)
{
    return set_pair(&of->mesh, word) && of->mesh.width >= 2 && of->mesh.height >= 2 &&
           of->mesh.width <= REND_MESH_MAX_X && of->mesh.height <= REND_MESH_MAX_Y;
}

static bool set_sound(struct golden_case *of, const char *word)
{
    return copy_text(of->sound, sizeof of->sound, word) &&
           (strcmp(of->sound, "test") == 0 || strcmp(of->sound, "demo") == 0);
}

static bool set_next(struct golden_case *of, const char *word)
{
    return copy_text(of->next, sizeof of->next, word);
}

static bool set_way(struct golden_case *of, const char *word)
{
    for (int i = 0; i < REND_TRANSITIONS; i++) {
        if (strcmp(rend_transition_name((enum rend_transition)i), word) == 0) {
            of->way = (enum rend_transition)i;
            return true;
        }
    }
    return false;
}

static bool set_frames(struct golden_case *of, const char *word)
{
    of->frame_count = 0;
    for (const char *at = word; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (of->frame_count == GOLDEN_FRAMES_MAX ||
            sscanf(at, "%4u", &of->frames[of->frame_count]) != 1) {
            return false;
        }
        of->frame_count++;
    }
    return of->frames[0] >= 1;
}

static bool set_hash(struct golden_case *of, const char *word)
{
    of->hash_count = 0;
    for (const char *at = word; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (of->hash_count == GOLDEN_FRAMES_MAX ||
            sscanf(at, "%16" SCNx64, &of->hashes[of->hash_count]) != 1) {
            return false;
        }
        of->hash_count++;
    }
    return true;
}

static const struct {
    const char *name;
    setter set;
} columns[] = {
    {"name", set_name},       {"preset", set_preset},     {"set", set_set},
    {"against", set_against}, {"equation", set_equation}, {"size", set_size},
    {"mesh", set_mesh},       {"sound", set_sound},       {"next", set_next},
    {"way", set_way},         {"frames", set_frames},     {"hash", set_hash},
};

struct reader {
    struct golden_table *table;
    unsigned line;
    setter setters[COLUMNS_MAX];
    size_t column_count;
};

static int refuse(const struct reader *reader, const char *what, const char *word)
{
    (void)fprintf(stderr, "%s:%u: error: %s '%s'\n", reader->table->path, reader->line, what, word);
    return -1;
}

static int read_heading(struct reader *reader, char *line)
{
    char *rest = line;
    for (char *word = strtok_r(rest, BLANKS, &rest); word != NULL;
         word = strtok_r(NULL, BLANKS, &rest)) {
        size_t i = 0;
        while (i < sizeof columns / sizeof *columns && strcmp(columns[i].name, word) != 0) {
            i++;
        }
        if (i == sizeof columns / sizeof *columns || reader->column_count == COLUMNS_MAX) {
            return refuse(reader, "unknown column", word);
        }
        reader->setters[reader->column_count++] = columns[i].set;
    }
    if (reader->setters[0] != set_name || reader->setters[reader->column_count - 1] != set_hash) {
        return refuse(reader, "the first and last columns are", "name, hash");
    }
    return 0;
}

static int read_case(struct reader *reader, char *line)
{
    struct golden_table *table = reader->table;
    struct golden_case of = {
        .line = reader->line,
        .size = {96, 72},
        .mesh = {16, 12},
        .sound = "test",
        .frames = {1, 5, 20},
        .frame_count = 3,
    };
    char *rest = line;
    size_t i = 0;
    for (char *word = strtok_r(rest, BLANKS, &rest); word != NULL;
         word = strtok_r(NULL, BLANKS, &rest)) {
        if (i == reader->column_count ||
            (strcmp(word, "-") != 0 && !reader->setters[i](&of, word))) {
            return refuse(reader, "not understood:", word);
        }
        i++;
    }
    if (i != reader->column_count || table->count == GOLDEN_CASES_MAX ||
        golden_find(table, of.name) != NULL) {
        return refuse(reader, "too few columns, too many cases or the same name twice:", of.name);
    }
    table->cases[table->count++] = of;
    return 0;
}

static bool is_comment(const char *line)
{
    line += strspn(line, BLANKS);
    return *line == '\0' || *line == '#';
}

static void set_paths(struct golden_table *table, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *file = slash != NULL ? slash + 1 : path;
    (void)snprintf(table->path, sizeof table->path, "%s", path);
    (void)snprintf(table->folder, sizeof table->folder, "%.*s",
                   slash != NULL ? (int)(slash - path) : 1, slash != NULL ? path : ".");
    (void)snprintf(table->name, sizeof table->name, "%.*s", (int)strcspn(file, "."), file);
}

int golden_table_read(struct golden_table *table, const char *path)
{
    *table = (struct golden_table){0};
    set_paths(table, path);
    struct reader reader = {.table = table};
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return refuse(&reader, "cannot be read:", path);
    }
    char line[LINE_MAX_BYTES];
    int result = 0;
    while (result == 0 && fgets(line, sizeof line, file) != NULL) {
        reader.line++;
        if (strlen(line) + 1 == sizeof line) {
            result = refuse(&reader, "a line is too", "long");
        } else if (!is_comment(line)) {
            result =
                reader.column_count == 0 ? read_heading(&reader, line) : read_case(&reader, line);
        }
    }
    (void)fclose(file);
    if (result == 0 && table->count == 0) {
        result = refuse(&reader, "no case in", path);
    }
    return result;
}

const struct golden_case *golden_find(const struct golden_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++) {
        if (strcmp(table->cases[i].name, name) == 0) {
            return &table->cases[i];
        }
    }
    return NULL;
}

/* The line up to its last word. */
static size_t head_of(const char *line)
{
    size_t end = strlen(line);
    while (end > 0 && strchr(BLANKS, line[end - 1]) != NULL) {
        end--;
    }
    while (end > 0 && strchr(BLANKS, line[end - 1]) == NULL) {
        end--;
    }
    return end;
}

static void copy_line(const struct golden_table *table, const char *line, unsigned number,
                      uint64_t hashes[][GOLDEN_FRAMES_MAX], FILE *out)
{
    size_t i = 0;
    while (i < table->count && table->cases[i].line != number) {
        i++;
    }
    if (i == table->count) {
        (void)fputs(line, out);
        return;
    }
    (void)fwrite(line, 1, head_of(line), out);
    for (size_t k = 0; k < table->cases[i].frame_count; k++) {
        (void)fprintf(out, "%s%016" PRIx64, k > 0 ? "," : "", hashes[i][k]);
    }
    (void)fputc('\n', out);
}

int golden_table_write(const struct golden_table *table, uint64_t hashes[][GOLDEN_FRAMES_MAX])
{
    char part[GOLDEN_PATH_MAX + 8];
    char line[LINE_MAX_BYTES];
    (void)snprintf(part, sizeof part, "%s.part", table->path);
    FILE *in = fopen(table->path, "r");
    FILE *out = in != NULL ? fopen(part, "w") : NULL;
    bool good = out != NULL;
    for (unsigned number = 1; good && fgets(line, sizeof line, in) != NULL; number++) {
        copy_line(table, line, number, hashes, out);
    }
    if (in != NULL) {
        (void)fclose(in);
    }
    if (out != NULL) {
        good = !ferror(out);
        good = fclose(out) == 0 && good && rename(part, table->path) == 0;
    }
    if (!good) {
        (void)fprintf(stderr, "%s: error: cannot be written\n", table->path);
    }
    return good ? 0 : -1;
}
