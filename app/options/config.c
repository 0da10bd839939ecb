#include "app/options/config.h"

#include <string.h>
#include <unistd.h>

#include "base/os/file.h"
#include "base/os/yaml.h"
#include "base/text.h"

enum { FILE_MAX = 1024 * 1024, PATH_SIZE = 4096, HINT_MAX = 160, LINE_WIDTH = 98, ERRORS_MAX = 20 };

struct reader {
    struct app_options *options;
    const char *file;
    const struct base_diag_sink *sink;
    unsigned errors;
};

bool app_config_has(const struct app_option_row *row)
{
    return (row->commands & APP_PLAY) != 0 && (row->commands & APP_LINE) == 0 &&
           app_option_key(row) != NULL;
}

static struct base_place place_of(const struct reader *reader, const struct base_yaml *node)
{
    return (struct base_place){reader->file, node->line, node->column};
}

static const struct app_option_row *find_row(struct base_span key)
{
    for (size_t i = 0; i < app_option_row_count; i++) {
        const struct app_option_row *row = &app_option_rows[i];
        if (app_config_has(row) && base_span_equal(key, base_span_of(app_option_key(row)))) {
            return row;
        }
    }
    return NULL;
}

/* A flag may be written in the words of YAML, too. */
static const char *text_of(const struct app_option_row *row, const struct base_yaml *node)
{
    bool truth = false;
    if (row->kind == APP_OPTION_FLAG && base_yaml_truth(node, &truth)) {
        return truth ? "on" : "off";
    }
    return node->text.data;
}

static int read_scalar(struct reader *reader, struct app_options *options,
                       const struct app_option_row *row, const struct base_yaml *node)
{
    if (node->kind != BASE_YAML_SCALAR || strlen(node->text.data) != node->text.size) {
        const bool list = row->kind == APP_OPTION_LIST;
        base_report(reader->sink, BASE_ERROR, place_of(reader, node), NULL,
                    list ? "%s needs a value, or a list of values" : "%s needs one value",
                    app_option_key(row));
        return -1;
    }
    return app_option_set(options, row, text_of(row, node), place_of(reader, node), reader->sink);
}

static int read_value(struct reader *reader, struct app_options *options,
                      const struct app_option_row *row, const struct base_yaml *node)
{
    if (row->kind != APP_OPTION_LIST || node->kind != BASE_YAML_LIST) {
        return read_scalar(reader, options, row, node);
    }
    for (const struct base_yaml *item = node->first; item != NULL; item = item->next) {
        if (read_scalar(reader, options, row, item) != 0) {
            return -1;
        }
    }
    return 0;
}

/* The command line wins, but what it wins over is looked at all the same. */
static void read_key(struct reader *reader, const struct base_yaml *node)
{
    const struct app_option_row *row = find_row(node->key);
    if (row == NULL) {
        char hint[HINT_MAX];
        struct base_closest closest = {0};
        for (size_t i = 0; i < app_option_row_count; i++) {
            if (app_config_has(&app_option_rows[i])) {
                base_closest_try(&closest, node->key.data, app_option_key(&app_option_rows[i]));
            }
        }
        base_closest_hint(&closest, "'froth help --config' has them all", hint, sizeof hint);
        base_report(reader->sink, BASE_ERROR,
                    (struct base_place){reader->file, node->key_line, node->key_column}, hint,
                    "unknown key '%.40s'", node->key.data);
        reader->errors++;
        return;
    }
    struct app_options read;
    app_options_default(&read);
    if (read_value(reader, &read, row, node) != 0) {
        reader->errors++;
    } else if (!reader->options->given[row - app_option_rows]) {
        memcpy((char *)reader->options + row->offset, (const char *)&read + row->offset,
               app_option_size(row));
    }
}

static bool is_given(const struct app_options *options, const char *key)
{
    return options->given[find_row(base_span_of(key)) - app_option_rows];
}

int app_config_read(struct app_config *config, struct app_options *options, const char *file,
                    struct base_span text, const struct base_diag_sink *sink)
{
    struct reader reader = {.options = options, .file = file, .sink = sink};
    const struct base_yaml *map = base_yaml_read(&config->arena, file, text, sink);
    if (map == NULL) {
        return -1;
    }
    if (map->kind != BASE_YAML_MAP) {
        base_report(sink, BASE_ERROR, place_of(&reader, map), "write 'key: value' lines",
                    "a configuration must be a map");
        return -1;
    }
    const struct base_yaml *node = map->first;
    for (; node != NULL && reader.errors < ERRORS_MAX; node = node->next) {
        read_key(&reader, node);
    }
    /* Only one of them may be in force. */
    if (options->audio != NULL && options->audio_device != NULL) {
        const bool played = is_given(options, "audio");
        const bool device = is_given(options, "audio-device");
        if (played && !device) {
            options->audio_device = NULL;
        } else if (device && !played) {
            options->audio = NULL;
        }
    }
    return reader.errors == 0 ? 0 : -1;
}

/* NULL if there is none; that of --config is there or an error. */
static const char *find_file(struct app_config *config, const struct app_options *options)
{
    char path[PATH_SIZE];
    if (options->config != NULL) {
        return options->config;
    }
    if (!base_folder_path(BASE_FOLDER_CONFIG, "/config.yaml", path, sizeof path) ||
        access(path, F_OK) != 0) {
        return NULL;
    }
    return base_arena_text(&config->arena, path, strlen(path));
}

int app_config_load(struct app_config *config, struct app_options *options,
                    const struct base_diag_sink *sink)
{
    const char *path = find_file(config, options);
    struct base_file file;
    if (path == NULL) {
        return 0;
    }
    if (base_file_load(&file, path, FILE_MAX, sink) != 0) {
        return options->config != NULL ? -1 : 0;
    }
    (void)app_config_read(config, options, path, (struct base_span){file.data, file.size}, sink);
    base_file_free(&file);
    return 0;
}

void app_config_free(struct app_config *config)
{
    base_arena_free(&config->arena);
}

struct ui_bindings *app_config_bindings(const struct app_options *options,
                                        const struct base_diag_sink *sink)
{
    const char *usual = ui_bindings_profiles[0];
    struct ui_bindings *bindings =
        ui_bindings_load(options->bindings != NULL ? options->bindings : usual, sink);
    if (bindings == NULL && options->bindings != NULL) {
        base_report(sink, BASE_NOTE, (struct base_place){0}, NULL, "keys are those of %s", usual);
        bindings = ui_bindings_load(usual, sink);
    }
    return bindings;
}

void app_config_print(FILE *out)
{
    (void)fputs(
        "# The configuration of froth: every key is an option of 'froth play', whose command line\n"
        "# wins over it. froth reads it from $XDG_CONFIG_HOME/froth/config.yaml or\n"
        "# ~/.config/froth/config.yaml, or from where --config says. To set something, take the #\n"
        "# away from its line and write a value.\n",
        out);
    for (size_t i = 0; i < app_option_row_count; i++) {
        const struct app_option_row *row = &app_option_rows[i];
        if (app_config_has(row)) {
            char range[APP_OPTION_RANGE_MAX];
            app_option_range(row, range, sizeof range);
            (void)fputc('\n', out);
            const char *text = row->help;
            size_t column = 0;
            while (*text != '\0') {
                const size_t size = strcspn(text, " ");
                const bool fits = column > 0 && column + 1 + size <= LINE_WIDTH;
                (void)fprintf(out, "%s%.*s",
                              fits         ? " "
                              : column > 0 ? "\n# "
                                           : "# ",
                              (int)size, text);
                column = fits ? column + 1 + size : 2 + size;
                text += size + (text[size] == ' ');
            }
            (void)fputc('\n', out);
            if (range[0] != '\0') {
                (void)fprintf(out, "# %s\n", range);
            }
            if (row->kind == APP_OPTION_LIST) {
                (void)fprintf(out, "#%s: [%s]\n", app_option_key(row), row->argument);
            } else {
                (void)fprintf(out, "#%s: %s\n", app_option_key(row),
                              row->kind == APP_OPTION_FLAG ? "on|off" : row->argument);
            }
        }
    }
}
