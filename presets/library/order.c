#include "presets/library/order.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os/form.h"
#include "base/os/yaml.h"
#include "presets/library/catalog.h"

/* ---- playlists ---- */

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

/* Takes a path that stands at line and column. NULL after a message. */
static struct preset_playlist_item *add(const struct reader *reader, struct base_span text,
                                        uint32_t line, uint32_t column)
{
    /* A relative path begins at the list's folder. */
    const char *slash = strrchr(reader->path, '/');
    const bool absolute = text.size > 0 && text.data[0] == '/';
    const size_t folder = absolute || slash == NULL ? 0 : (size_t)(slash + 1 - reader->path);
    if (text.size == 0 || memchr(text.data, '\0', text.size) != NULL) {
        (void)refuse(reader, line, column, NULL, "this is no path");
        return NULL;
    }
    if (folder + text.size > PRESET_PATH_MAX) {
        (void)refuse(reader, line, column, NULL, "the path is too long");
        return NULL;
    }
    struct preset_playlist *list = reader->list;
    if (list->count == list->capacity) {
        if (list->count >= PRESET_PLAYLIST_MAX) {
            (void)refuse(reader, line, 1, NULL, "the list is too long");
            return NULL;
        }
        const size_t capacity = list->capacity * 2 + 64;
        struct preset_playlist_item *items = realloc(list->items, capacity * sizeof *items);
        if (items == NULL) {
            (void)refuse(reader, line, 1, NULL, "not enough memory");
            return NULL;
        }
        list->items = items;
        list->capacity = capacity;
    }
    char *path = malloc(folder + text.size + 1);
    if (path == NULL) {
        (void)refuse(reader, line, column, NULL, "not enough memory");
        return NULL;
    }
    memcpy(path, reader->path, folder);
    memcpy(path + folder, text.data, text.size);
    path[folder + text.size] = '\0';
    struct preset_playlist_item *item = &list->items[list->count++];
    *item =
        (struct preset_playlist_item){.path = path, .seconds = -1, .line = line, .column = column};
    return item;
}

/* ---- plain text ---- */

static bool is_blank(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\r';
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
        struct base_span line = {start, size};
        uint32_t column = 1;
        while (line.size > 0 && is_blank(line.data[0])) {
            line.data++;
            line.size--;
            column++;
        }
        while (line.size > 0 && is_blank(line.data[line.size - 1])) {
            line.size--;
        }
        if (line.size > 0 && line.data[0] != '#' && add(reader, line, number, column) == NULL) {
            return false;
        }
        at += size + 1;
    }
    return true;
}

/* ---- YAML ---- */

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

static bool read_seconds(const struct base_yaml *node, double *seconds)
{
    return base_yaml_number(node, seconds) ||
           (node->kind == BASE_YAML_SCALAR && strlen(node->text.data) == node->text.size &&
            base_time_read(node->text.data, seconds));
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
        if (seconds && (!read_seconds(node, &item->seconds) ||
                        !(item->seconds >= 0.1 && item->seconds <= PRESET_PLAYLIST_SECONDS))) {
            return refuse(reader, node->line, node->column,
                          "write seconds from 0.1, or a time such as 1:30", "this is no time");
        }
        if (transition) {
            if (node->kind != BASE_YAML_SCALAR || node->text.size >= sizeof item->transition ||
                !preset_is_tag(node->text.data, node->text.size)) {
                return refuse(reader, node->line, node->column, NULL,
                              "this is no name of a transition");
            }
            memcpy(item->transition, node->text.data, node->text.size + 1);
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

int preset_playlist_read(struct preset_playlist *list, const char *path, struct base_span text,
                         const struct base_diag_sink *sink)
{
    *list = (struct preset_playlist){0};
    const struct reader reader = {path, sink, list};
    bool read = false;
    if (text.size > PRESET_PLAYLIST_TEXT) {
        (void)refuse(&reader, 0, 0, NULL, "the list has more than 8 MB");
    } else if (is_yaml(path)) {
        struct base_arena arena = {0};
        const struct base_yaml *root = base_yaml_read(&arena, path, text, sink);
        read = root != NULL && read_list(&reader, root);
        base_arena_free(&arena);
    } else {
        read = read_plain(&reader, text);
    }
    if (!read) {
        preset_playlist_free(list);
    }
    return read ? 0 : -1;
}

/* ---- writing ---- */

/* The text with the preset below, quoted where the list is YAML. NULL without memory. */
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
    (void)fputs(yaml ? "- \"" : "", out);
    for (const char *at = preset; *at != '\0'; at++) {
        if (yaml && (*at == '"' || *at == '\\')) {
            (void)fputc('\\', out);
        }
        (void)fputc(*at, out);
    }
    const bool printed = fputs(yaml ? "\"\n" : "\n", out) >= 0;
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

/* ---- moving ---- */

/* Where the lines of each preset begin in the text, and where those of the last one end: `starts`
 * has room for one more than the list has. False if they do not stand on lines of their own. */
static bool find_blocks(const struct preset_playlist *list, struct base_span text, bool yaml,
                        size_t *starts)
{
    size_t found = 0;
    size_t indent = SIZE_MAX;
    size_t after = 0; /* behind the line of the last preset that was found */
    size_t at = 0;
    for (uint32_t number = 1; at < text.size; number++) {
        const char *line = text.data + at;
        const char *end = memchr(line, '\n', text.size - at);
        const size_t size = end != NULL ? (size_t)(end + 1 - line) : text.size - at;
        size_t blanks = 0;
        while (blanks < size && line[blanks] == ' ') {
            blanks++;
        }
        const bool item = blanks + 1 < size && line[blanks] == '-' && line[blanks + 1] <= ' ';
        indent = yaml && item && indent == SIZE_MAX ? blanks : indent;
        if (yaml && item && blanks == indent) {
            if (found == list->count) {
                return false;
            }
            starts[found++] = at;
        } else if (!yaml && number == 1 && line[0] == '#') {
            after = size;
        } else if (!yaml && found < list->count && list->items[found].line == number) {
            starts[found++] = after;
            after = at + size;
        }
        at += size;
    }
    starts[found] = yaml ? text.size : after;
    return found == list->count;
}

static char *print_moved(struct base_span text, const size_t *starts, size_t count, size_t from,
                         size_t to)
{
    char *data = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&data, &size);
    if (out == NULL) {
        return NULL;
    }
    const size_t left = to == PRESET_PLAYLIST_OUT ? count - 1 : count;
    (void)fwrite(text.data, 1, starts[0], out);
    for (size_t i = 0; i < left; i++) {
        const size_t other = i - (to < i); /* without the one that is moved */
        const size_t block = i == to ? from : other + (other >= from);
        const size_t end = starts[block + 1];
        (void)fwrite(text.data + starts[block], 1, end - starts[block], out);
        if (end > 0 && text.data[end - 1] != '\n') {
            (void)fputc('\n', out);
        }
    }
    const size_t rest = text.size - starts[count];
    const bool printed = fwrite(text.data + starts[count], 1, rest, out) == rest;
    if (fclose(out) != 0 || !printed) {
        free(data);
        return NULL;
    }
    return data;
}

/* Whether the text is the list as it is to be. */
static bool is_moved(const struct reader *reader, const char *text, size_t from, size_t to)
{
    const struct preset_playlist *before = reader->list;
    struct preset_playlist after;
    if (preset_playlist_read(&after, reader->path, base_span_of(text), NULL) != 0) {
        return false;
    }
    bool right = after.count == before->count - (to == PRESET_PLAYLIST_OUT);
    for (size_t i = 0; right && i < after.count; i++) {
        const size_t other = i - (to < i);
        const size_t former = i == to ? from : other + (other >= from);
        const struct preset_playlist_item *one = &after.items[i];
        const struct preset_playlist_item *same = &before->items[former];
        right = strcmp(one->path, same->path) == 0 && one->seconds == same->seconds &&
                strcmp(one->transition, same->transition) == 0;
    }
    preset_playlist_free(&after);
    return right;
}

char *preset_playlist_move(const char *path, struct base_span text, size_t from, size_t to,
                           const struct base_diag_sink *sink)
{
    struct preset_playlist list;
    const struct reader reader = {path, sink, &list};
    if (preset_playlist_read(&list, path, text, sink) != 0) {
        return NULL;
    }
    size_t *starts = calloc(list.count + 1, sizeof *starts);
    char *moved = NULL;
    const bool inside = from < list.count && (to < list.count || to == PRESET_PLAYLIST_OUT);
    if (inside && starts != NULL && find_blocks(&list, text, is_yaml(path), starts)) {
        moved = print_moved(text, starts, list.count, from, to);
    }
    if (moved == NULL || !is_moved(&reader, moved, from, to)) {
        (void)refuse(&reader, 0, 0, "write each preset on a line of its own",
                     "the list cannot be changed so");
        free(moved);
        moved = NULL;
    }
    free(starts);
    preset_playlist_free(&list);
    return moved;
}

/* ---- choice by chance ---- */

uint32_t preset_choice_weight(int stars)
{
    return 1 + (uint32_t)(stars * stars);
}

static int newest_first(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a;
    const uint64_t right = *(const uint64_t *)b;
    return (left < right) - (left > right);
}

size_t preset_choose(const struct preset_candidate *candidates, size_t count, uint64_t *room,
                     struct base_rng *rng)
{
    assert(count > 0);
    /* Whoever was shown in this turn or later has to wait: as many as are half of the others. */
    const size_t waiting = count / 2;
    size_t shown = 0;
    for (size_t i = 0; i < count; i++) {
        if (candidates[i].shown > 0) {
            room[shown++] = candidates[i].shown;
        }
    }
    uint64_t limit = waiting == 0 ? UINT64_MAX : 1;
    if (waiting > 0 && shown > waiting) {
        qsort(room, shown, sizeof *room, newest_first);
        limit = room[waiting - 1];
    }
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++) {
        total += candidates[i].shown < limit ? candidates[i].weight : 0;
    }
    const uint64_t high = base_rng_next(rng);
    const uint64_t drawn = (high << 32 | base_rng_next(rng)) % (total > 0 ? total : 1);
    uint64_t passed = 0;
    for (size_t i = 0; i < count; i++) {
        passed += candidates[i].shown < limit ? candidates[i].weight : 0;
        if (drawn < passed) {
            return i;
        }
    }
    return 0;
}

uint32_t preset_history_current(const struct preset_history *history)
{
    return history->count > 0 ? history->numbers[history->at] : PRESET_NONE;
}

void preset_history_add(struct preset_history *history, uint32_t number)
{
    if (history->count == 0) {
        history->numbers[history->count++] = number;
        return;
    }
    if (history->numbers[history->at] == number) {
        return;
    }
    history->count = history->at + 1;
    if (history->count == PRESET_HISTORY) {
        history->count--;
        memmove(history->numbers, history->numbers + 1, history->count * sizeof number);
    }
    history->at = history->count;
    history->numbers[history->count++] = number;
}

void preset_history_add_first(struct preset_history *history, uint32_t number)
{
    history->count -= history->count == PRESET_HISTORY;
    memmove(history->numbers + 1, history->numbers, history->count * sizeof number);
    history->numbers[0] = number;
    history->count++;
    history->at = 0;
}

bool preset_history_move(struct preset_history *history, bool forth)
{
    if (history->count == 0 || history->at == (forth ? history->count - 1 : 0)) {
        return false;
    }
    history->at = forth ? history->at + 1 : history->at - 1;
    return true;
}
