#define _XOPEN_SOURCE 700 /* realpath */
/* FILM.yaml: what froth render is to make. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/farm/farm.h"
#include "app/options/option_table.h"
#include "base/os/yaml.h"

enum { ERRORS_MAX = 20, WORD = 8192 };

struct reader {
    struct app_farm_order *order;
    const char *file;
    char folder[APP_FARM_PATH]; /* in which the order lies; absolute */
    const struct base_diag_sink *sink;
    unsigned errors;
};

static void refuse(struct reader *reader, uint32_t line, uint32_t column, const char *hint,
                   const char *what, const char *word)
{
    base_report(reader->sink, BASE_ERROR, (struct base_place){reader->file, line, column}, hint,
                "%s '%.40s'", what, word);
    reader->errors++;
}

/* What a job decides by itself, or what is not for a film of pieces. */
static bool is_left_out(const struct app_option_row *row)
{
    static const char *const names[] = {"segment", "overwrite", "hash",     "stage-times", "from",
                                        "to",      "as-shown",  "snapshot", "threads"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(app_option_key(row), names[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_key(const struct app_option_row *row)
{
    return (row->commands & APP_RENDER) != 0 && app_option_key(row) != NULL && !is_left_out(row);
}

/* Options whose values are paths, but for the words that they take beside. */
static bool is_path(const struct app_option_row *row, const char *value)
{
    const bool takes_one =
        strstr(row->argument, "FILE") != NULL || strstr(row->argument, "FOLDER") != NULL;
    return takes_one && !app_option_lists(row, value);
}

static int add(struct reader *reader, const char *word)
{
    if (app_farm_word_add(&reader->order->arena, &reader->order->words, word) == 0) {
        return 0;
    }
    refuse(reader, 0, 0, NULL, "there is no room for", word);
    return -1;
}

/* Absolute. NULL after a message. */
static const char *path_of(struct reader *reader, const struct base_yaml *node)
{
    char path[2 * APP_FARM_PATH];
    if (node->kind != BASE_YAML_SCALAR || node->text.size == 0 ||
        strlen(node->text.data) != node->text.size || node->text.size >= APP_FARM_PATH) {
        refuse(reader, node->line, node->column, NULL, "this is no path", "");
        return NULL;
    }
    const bool absolute = node->text.data[0] == '/';
    (void)snprintf(path, sizeof path, "%s%s%s", absolute ? "" : reader->folder, absolute ? "" : "/",
                   node->text.data);
    return base_arena_text(&reader->order->arena, path, strlen(path));
}

static void read_option(struct reader *reader, const struct app_option_row *row,
                        const struct base_yaml *node)
{
    char word[WORD];
    struct app_options scratch;
    app_options_default(&scratch);
    if (node->kind != BASE_YAML_SCALAR || strlen(node->text.data) != node->text.size) {
        refuse(reader, node->line, node->column, NULL,
               "this needs one value:", app_option_key(row));
        return;
    }
    const char *text = node->text.data;
    bool truth = true;
    if (row->kind == APP_OPTION_FLAG && base_yaml_truth(node, &truth)) {
        text = truth ? "on" : "off";
    }
    if (app_option_set(&scratch, row, text,
                       (struct base_place){reader->file, node->line, node->column},
                       reader->sink) != 0) {
        reader->errors++;
        return;
    }
    if (is_path(row, text) && (text = path_of(reader, node)) == NULL) {
        return;
    }
    if (row->kind != APP_OPTION_FLAG) {
        (void)snprintf(word, sizeof word, "%s=%s", row->name, text);
        (void)add(reader, word);
    } else if (strcmp(text, "on") == 0) {
        (void)add(reader, row->name);
    }
}

static void read_sounds(struct reader *reader, const struct base_yaml *list)
{
    struct app_farm_order *order = reader->order;
    for (const struct base_yaml *item = list->first; item != NULL; item = item->next) {
        const char *path = path_of(reader, item);
        if (path == NULL) {
            return;
        }
        if (order->sound_count == APP_FARM_SOUNDS) {
            refuse(reader, item->line, item->column, NULL, "this sound is one too many", "");
            return;
        }
        order->sounds[order->sound_count++] = path;
    }
}

static void refuse_key(struct reader *reader, const struct base_yaml *node)
{
    char hint[128];
    struct base_closest closest = {0};
    base_closest_try(&closest, node->key.data, "presets");
    app_option_closest(&closest, node->key.data, is_key);
    base_closest_hint(&closest, "'froth help render' has them all", hint, sizeof hint);
    refuse(reader, node->key_line, node->key_column, hint, "unknown key", node->key.data);
}

static void read_presets(struct reader *reader, const struct base_yaml *presets)
{
    const bool list = presets->kind == BASE_YAML_LIST;
    if (list && presets->first == NULL) {
        refuse(reader, presets->line, presets->column, NULL, "this list is empty:", "presets");
    }
    for (const struct base_yaml *item = list ? presets->first : presets;
         item != NULL && reader->errors == 0; item = list ? item->next : NULL) {
        const char *path = path_of(reader, item);
        if (path != NULL) {
            (void)add(reader, path);
        }
    }
}

/* The absolute folder of the order. */
static bool find_folder(struct reader *reader)
{
    char whole[PATH_MAX];
    if (realpath(reader->file, whole) == NULL || strlen(whole) >= sizeof reader->folder) {
        return false;
    }
    char *slash = strrchr(whole, '/');
    *slash = '\0';
    (void)snprintf(reader->folder, sizeof reader->folder, "%s", whole);
    return true;
}

int app_farm_order_read(struct app_farm_order *order, const char *file, struct base_span text,
                        const struct base_diag_sink *sink)
{
    struct reader reader = {.order = order, .file = file, .sink = sink};
    const struct base_yaml *map = base_yaml_read(&order->arena, file, text, sink);
    if (map == NULL) {
        return -1;
    }
    const struct base_yaml *presets =
        map->kind == BASE_YAML_MAP ? base_yaml_get(map, "presets") : NULL;
    if (presets == NULL || !find_folder(&reader)) {
        base_report(sink, BASE_ERROR, (struct base_place){file, map->line, map->column},
                    "'presets: FOLDER', and options of froth render, a line each",
                    "a film needs presets");
        return -1;
    }
    for (const struct base_yaml *node = map->first; node != NULL && reader.errors < ERRORS_MAX;
         node = node->next) {
        const struct app_option_row *row = app_option_of(node->key, is_key);
        if (node == presets) {
            continue;
        }
        if (row == NULL) {
            refuse_key(&reader, node);
        } else if (strcmp(row->name, "--audio") == 0 && node->kind == BASE_YAML_LIST) {
            read_sounds(&reader, node);
        } else {
            read_option(&reader, row, node);
        }
    }
    read_presets(&reader, presets);
    return reader.errors == 0 ? 0 : -1;
}

void app_farm_order_free(struct app_farm_order *order)
{
    base_arena_free(&order->arena);
}
