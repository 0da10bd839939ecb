#include "presets/library/playlist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os/yaml.h"
#include "presets/library/catalog.h"

struct reader {
    const char *path;
    const struct base_diag_sink *sink;
    struct preset_playlist *list;
};

static bool refuse(const struct reader *reader, uint32_t line, uint32_t column, const char *hint,
                   const char *what)
{
    base_report(reader->sink, BASE_ERROR, (struct base_place){reader->path, line, column}, hint,
                "%s", what);
    return false;
}

static bool has_ending(const char *path, const char *ending)
{
    const size_t size = strlen(path);
    const struct base_span wanted = base_span_of(ending);
    return size > wanted.size &&
           base_span_equal_nocase((struct base_span){path + size - wanted.size, wanted.size},
                                  wanted);
}

static bool is_yaml(const char *path)
{
    return has_ending(path, ".yaml") || has_ending(path, ".yml");
}

bool preset_is_playlist(const char *path)
{
    return is_yaml(path) || has_ending(path, ".txt") || has_ending(path, ".m3u") ||
           has_ending(path, ".m3u8");
}

void preset_playlist_free(struct preset_playlist *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].path);
    }
    free(list->items);
    *list = (struct preset_playlist){0};
}

/* ---- items ---- */

static bool make_room(const struct reader *reader, uint32_t line)
{
    struct preset_playlist *list = reader->list;
    if (list->count < list->capacity) {
        return true;
    }
    if (list->count >= PRESET_PLAYLIST_MAX) {
        return refuse(reader, line, 1, NULL, "the list is too long");
    }
    const size_t capacity = list->capacity * 2 + 64;
    struct preset_playlist_item *items = realloc(list->items, capacity * sizeof *items);
    if (items == NULL) {
        return refuse(reader, line, 1, NULL, "not enough memory");
    }
    list->items = items;
    list->capacity = capacity;
    return true;
}

/* Bytes of the list's folder with the / behind it. */
static size_t folder_size(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash + 1 - path) : 0;
}

/* Takes a path that stands at line and column. NULL after a message. */
static struct preset_playlist_item *add(const struct reader *reader, struct base_span text,
                                        uint32_t line, uint32_t column)
{
    const size_t folder = text.size > 0 && text.data[0] == '/' ? 0 : folder_size(reader->path);
    if (text.size == 0 || memchr(text.data, '\0', text.size) != NULL) {
        (void)refuse(reader, line, column, NULL, "this is no path");
        return NULL;
    }
    if (folder + text.size > PRESET_PATH_MAX) {
        (void)refuse(reader, line, column, NULL, "the path is too long");
        return NULL;
    }
    if (!make_room(reader, line)) {
        return NULL;
    }
    char *path = malloc(folder + text.size + 1);
    if (path == NULL) {
        (void)refuse(reader, line, column, NULL, "not enough memory");
        return NULL;
    }
    memcpy(path, reader->path, folder);
    memcpy(path + folder, text.data, text.size);
    path[folder + text.size] = '\0';
    struct preset_playlist_item *item = &reader->list->items[reader->list->count++];
    *item =
        (struct preset_playlist_item){.path = path, .seconds = -1, .line = line, .column = column};
    return item;
}

/* ---- plain text ---- */

static bool is_blank(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\r';
}

static struct base_span trim(struct base_span line, uint32_t *column)
{
    *column = 1;
    while (line.size > 0 && is_blank(line.data[0])) {
        line.data++;
        line.size--;
        ++*column;
    }
    while (line.size > 0 && is_blank(line.data[line.size - 1])) {
        line.size--;
    }
    return line;
}

static bool read_plain(const struct reader *reader, struct base_span text)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* of UTF-8, as some editors write it */
    const size_t skipped =
        text.size >= 3 && memcmp(text.data, mark, 3) == 0 ? sizeof mark - 1 : (size_t)0;
    size_t at = skipped;
    for (uint32_t number = 1; at < text.size; number++) {
        const char *start = text.data + at;
        const char *end = memchr(start, '\n', text.size - at);
        const size_t size = end != NULL ? (size_t)(end - start) : text.size - at;
        uint32_t column;
        const struct base_span line = trim((struct base_span){start, size}, &column);
        if (line.size > 0 && line.data[0] != '#' && add(reader, line, number, column) == NULL) {
            return false;
        }
        at += size + 1;
    }
    return true;
}

/* ---- YAML ---- */

static bool read_seconds(const struct reader *reader, const struct base_yaml *node,
                         struct preset_playlist_item *item)
{
    double seconds = 0;
    if (!base_yaml_number(node, &seconds) ||
        !(seconds >= 0.1 && seconds <= PRESET_PLAYLIST_SECONDS)) {
        return refuse(reader, node->line, node->column, "write a number of seconds from 0.1",
                      "this is no time");
    }
    item->seconds = seconds;
    return true;
}

static bool read_transition(const struct reader *reader, const struct base_yaml *node,
                            struct preset_playlist_item *item)
{
    if (node->kind != BASE_YAML_SCALAR || node->text.size >= sizeof item->transition ||
        !preset_is_tag(node->text.data, node->text.size)) {
        return refuse(reader, node->line, node->column, NULL, "this is no name of a transition");
    }
    memcpy(item->transition, node->text.data, node->text.size + 1);
    return true;
}

static bool read_path(const struct reader *reader, const struct base_yaml *node,
                      struct preset_playlist_item **item)
{
    if (node->kind != BASE_YAML_SCALAR) {
        return refuse(reader, node->line, node->column, "write the path of a preset",
                      "this is no path");
    }
    *item = add(reader, node->text, node->line, node->column);
    return *item != NULL;
}

static bool read_map(const struct reader *reader, const struct base_yaml *map)
{
    const struct base_yaml *preset = base_yaml_get(map, "preset");
    struct preset_playlist_item *item;
    if (preset == NULL) {
        return refuse(reader, map->line, map->column, "write preset: PATH", "no preset is named");
    }
    if (!read_path(reader, preset, &item)) {
        return false;
    }
    for (const struct base_yaml *node = map->first; node != NULL; node = node->next) {
        const bool seconds = base_span_equal(node->key, base_span_of("seconds"));
        const bool transition = base_span_equal(node->key, base_span_of("transition"));
        if (node != preset && !seconds && !transition) {
            return refuse(reader, node->key_line, node->key_column,
                          "there are preset, seconds and transition", "no such key");
        }
        if ((seconds && !read_seconds(reader, node, item)) ||
            (transition && !read_transition(reader, node, item))) {
            return false;
        }
    }
    return true;
}

static bool read_list(const struct reader *reader, const struct base_yaml *root)
{
    const bool empty = root->kind == BASE_YAML_MAP && root->first == NULL;
    if (root->kind != BASE_YAML_LIST && !empty) {
        return refuse(reader, root->line, root->column, "begin each preset with -",
                      "a playlist is a list");
    }
    for (const struct base_yaml *node = root->first; node != NULL; node = node->next) {
        struct preset_playlist_item *item;
        if (node->kind == BASE_YAML_MAP ? !read_map(reader, node)
                                        : !read_path(reader, node, &item)) {
            return false;
        }
    }
    return true;
}

static bool read_yaml(const struct reader *reader, struct base_span text)
{
    struct base_arena arena = {0};
    const struct base_yaml *root = base_yaml_read(&arena, reader->path, text, reader->sink);
    const bool read = root != NULL && read_list(reader, root);
    base_arena_free(&arena);
    return read;
}

int preset_playlist_read(struct preset_playlist *list, const char *path, struct base_span text,
                         const struct base_diag_sink *sink)
{
    *list = (struct preset_playlist){0};
    const struct reader reader = {path, sink, list};
    const bool read = text.size > PRESET_PLAYLIST_TEXT
                          ? refuse(&reader, 0, 0, NULL, "the list has more than 8 MB")
                      : is_yaml(path) ? read_yaml(&reader, text)
                                      : read_plain(&reader, text);
    if (!read) {
        preset_playlist_free(list);
    }
    return read ? 0 : -1;
}

/* ---- writing ---- */

/* As it stands in a list; false without memory. Quoted for YAML. */
static bool print_preset(FILE *out, const char *preset, bool yaml)
{
    if (!yaml) {
        return fprintf(out, "%s\n", preset) >= 0;
    }
    (void)fputs("- \"", out);
    for (const char *at = preset; *at != '\0'; at++) {
        if (*at == '"' || *at == '\\') {
            (void)fputc('\\', out);
        }
        (void)fputc(*at, out);
    }
    return fputs("\"\n", out) >= 0;
}

static char *print_extended(struct base_span text, const char *preset, bool yaml)
{
    char *data = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&data, &size);
    if (out == NULL) {
        return NULL;
    }
    (void)fwrite(text.data, 1, text.size, out);
    if (text.size > 0 && text.data[text.size - 1] != '\n') {
        (void)fputc('\n', out);
    }
    const bool printed = print_preset(out, preset, yaml);
    if (fclose(out) != 0 || !printed) {
        free(data);
        return NULL;
    }
    return data;
}

/* Whether the extended text is a list of one more that ends with the preset. */
static bool is_extended(const struct reader *reader, const char *text, const char *preset)
{
    const size_t before = reader->list->count;
    struct preset_playlist after;
    if (preset_playlist_read(&after, reader->path, base_span_of(text), NULL) != 0) {
        return refuse(reader, 0, 0, "write each preset on a line of its own",
                      "the preset cannot be added to this list");
    }
    const char *last = after.count > 0 ? after.items[after.count - 1].path : "";
    const size_t size = strlen(preset);
    const bool right = after.count == before + 1 && strlen(last) >= size &&
                       strcmp(last + strlen(last) - size, preset) == 0;
    preset_playlist_free(&after);
    return right || refuse(reader, 0, 0, NULL, "this preset's path cannot be written in a list");
}

char *preset_playlist_extend(const char *path, struct base_span text, const char *preset,
                             const struct base_diag_sink *sink)
{
    struct preset_playlist list;
    const struct reader reader = {path, sink, &list};
    if (preset_playlist_read(&list, path, text, sink) != 0) {
        return NULL;
    }
    char *extended = print_extended(text, preset, is_yaml(path));
    if (extended == NULL) {
        (void)refuse(&reader, 0, 0, NULL, "not enough memory");
    } else if (!is_extended(&reader, extended, preset)) {
        free(extended);
        extended = NULL;
    }
    preset_playlist_free(&list);
    return extended;
}
