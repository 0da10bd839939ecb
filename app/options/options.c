#include "app/options/options.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "app/options/option_table.h"
#include "base/os/file.h"
#include "base/os/memory.h"
#include "base/os/thread.h"
#include "base/os/yaml.h"
#include "base/text.h"
#include "renderer/picture/resources.h"
#include "ui/bindings.h"
#include "ui/overlay.h"

enum { HINT_MAX = 160, PATH_SIZE = 4096 };

struct parser {
    struct app_options *options;
    const struct base_diag_sink *sink;
    char **argv;
    int argc;
    int next;          /* word to be read */
    bool named;        /* the command has been given by name */
    bool literal;      /* behind --: no more options */
    bool looking;      /* for the command only: nothing is set or moved */
    const char *first; /* input */
};

static const struct base_place NOWHERE = {0};

static const struct app_option_row *find_option(const char *word, size_t size)
{
    for (size_t i = 0; i < app_option_row_count; i++) {
        const char *name = app_option_rows[i].name;
        if (strlen(name) == size && memcmp(name, word, size) == 0) {
            return &app_option_rows[i];
        }
    }
    return NULL;
}

/* The row of the same name that the command knows; this one if it knows none. */
static const struct app_option_row *row_for(const struct app_option_row *row, unsigned command)
{
    for (size_t i = 0; i < app_option_row_count; i++) {
        const struct app_option_row *other = &app_option_rows[i];
        if ((other->commands & command) && strcmp(other->name, row->name) == 0) {
            return other;
        }
    }
    return row;
}

const char *app_command_closest(const char *word)
{
    struct base_closest closest = {0};
    for (size_t i = 0; i < app_command_row_count; i++) {
        base_closest_try(&closest, word, app_command_rows[i].name);
    }
    /* A word of which half would have to change is something else. */
    return 2 * closest.changes <= strlen(word) ? closest.name : NULL;
}

/* Names that other programs have for options, and ours. Short ones are meant as they stand. */
static const struct {
    const char *name;
    const char *ours;
} elsewhere[] = {
    {"--out", "-o"},
    {"--output", "-o"},
    {"--length", "--duration"},
    {"--time", "--duration"},
    {"--width", "--size"},
    {"--height", "--size"},
    {"--resolution", "--size"},
    {"--music", "--audio"},
    {"--sound", "--audio"},
    {"--song", "--audio"},
    {"--full-screen", "--fullscreen"},
    {"--framerate", "--fps"},
    {"--frame-rate", "--fps"},
    {"--shuffle", "--order"},
    {"--gpu", "--device"},
    {"--force", "--overwrite"},
    {"--yes", "--overwrite"},
    {"--encoder", "--codec"},
    {"--vcodec", "--codec"},
    {"--crf", "--quality"},
    {"--verbose", "--log-level"},
    {"-y", "--overwrite"},
    {"-f", "--overwrite"},
    {"-t", "--duration"},
    {"-ss", "--start"},
    {"-to", "--to"},
    {"-r", "--fps"},
    {"-s", "--size"},
    {"-a", "--audio"},
    {"-j", "--threads"},
    {"-v", "--version"},
    {"-V", "--version"},
    {"-c:v", "--codec"},
    {"-vcodec", "--codec"},
    {"-b:v", "--bitrate"},
    {"-crf", "--quality"},
};

static int refuse_unknown(const struct parser *parser, const char *word, size_t size)
{
    char name[32];
    const int shown = (int)(size < sizeof name ? size : sizeof name - 1);
    (void)snprintf(name, sizeof name, "%.*s", shown, word);
    struct base_closest closest = {0};
    /* Of names that are equally close, what the command knows is meant. */
    for (size_t i = 0; i < app_option_row_count; i++) {
        if ((app_option_rows[i].commands & parser->options->command) != 0) {
            base_closest_try(&closest, name, app_option_rows[i].name);
        }
    }
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++) {
        struct base_closest other = closest;
        if (strncmp(elsewhere[i].name, "--", 2) == 0 || strcmp(elsewhere[i].name, name) == 0) {
            base_closest_try(&other, name, elsewhere[i].name);
        }
        if (other.name != closest.name) {
            closest = (struct base_closest){elsewhere[i].ours, other.changes};
        }
    }
    for (size_t i = 0; i < app_option_row_count; i++) {
        base_closest_try(&closest, name, app_option_rows[i].name);
    }
    char hint[HINT_MAX];
    base_closest_hint(&closest, "see 'froth help'", hint, sizeof hint);
    base_report(parser->sink, BASE_ERROR, NOWHERE, hint, "unknown option %s", name);
    return -1;
}

/* Whether the word behind an option that can stand alone is its value, right or wrong; names of
 * commands and files, and what is written like these, are not. */
static bool is_value(const struct app_option_row *row, const char *word)
{
    char events[PATH_SIZE]; /* what makes a folder a recorded show */
    const int size = snprintf(events, sizeof events, "%s/events.yaml", word);
    if (!app_option_is_closed(row) && size > 0 && (size_t)size < sizeof events &&
        access(events, F_OK) == 0) {
        return true;
    }
    return app_option_takes(row, word) ||
           (word[0] != '-' && strpbrk(word, "./") == NULL && app_command_find(word) == NULL &&
            access(word, F_OK) != 0);
}

static int read_option(struct parser *parser, const char *word)
{
    const size_t size = strcspn(word, "=");
    const struct app_option_row *row = find_option(word, size);
    if (row == NULL) {
        return refuse_unknown(parser, word, size);
    }
    row = row_for(row, parser->options->command);
    const char *behind = word[size] == '=' ? word + size + 1 : NULL;
    const char *value = behind;
    const bool known = (row->commands & parser->options->command) != 0;
    if (!parser->looking) {
        parser->options->given[row - app_option_rows] = true;
        if (!known) {
            return 0; /* refused later, whatever its value */
        }
    }
    /* The value of an option stands behind `=` or is the next word, which must not be an option. */
    if (row->kind != APP_OPTION_FLAG && behind == NULL) {
        value = parser->next < parser->argc ? parser->argv[parser->next] : NULL;
        if (app_option_alone(row) && (value == NULL || !is_value(row, value))) {
            return parser->looking
                       ? 0
                       : app_option_set(parser->options, row, "on", NOWHERE, parser->sink);
        }
        if (value == NULL || find_option(value, strcspn(value, "=")) != NULL) {
            base_report(parser->sink, BASE_ERROR, NOWHERE, NULL, "%s needs a value: %s", row->name,
                        row->argument);
            return -1;
        }
        parser->next++;
    }
    return parser->looking ? 0 : app_option_set(parser->options, row, value, NOWHERE, parser->sink);
}

static int refuse_elsewhere(const struct parser *parser, const struct app_option_row *row)
{
    char hint[HINT_MAX] = "it belongs to ";
    const char *between = "";
    for (size_t i = 0; i < app_command_row_count; i++) {
        const enum app_command_bit bit = app_command_rows[i].bit;
        if (row_for(row, bit)->commands & bit) {
            const size_t used = strlen(hint);
            (void)snprintf(hint + used, sizeof hint - used, "%s'froth %s'", between,
                           app_command_rows[i].name);
            between = ", ";
        }
    }
    base_report(parser->sink, BASE_ERROR, NOWHERE, hint, "'froth %s' does not know %s",
                app_command_of(parser->options->command)->name, row->name);
    return -1;
}

/* `froth rendr x` is read as something to play; when there is no such file, a command was meant. */
static int refuse_word(const struct parser *parser, const char *word)
{
    struct base_closest closest = {0};
    if (word == NULL || strpbrk(word, "./") != NULL || access(word, F_OK) == 0) {
        return 0;
    }
    closest.name = app_command_closest(word);
    if (closest.name == NULL) {
        return 0;
    }
    char hint[HINT_MAX];
    base_closest_hint(&closest, "", hint, sizeof hint);
    base_report(parser->sink, BASE_ERROR, NOWHERE, hint, "'%.60s' is no command", word);
    return -1;
}

/* Help and version win over everything else, right or wrong. */
static bool asks_for_help(struct app_options *options, int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--version") == 0) {
            options->command = APP_VERSION;
            return true;
        }
        if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0) {
            options->command = APP_HELP;
            options->input_count = app_command_find(argv[1]) != NULL ? 1 : 0;
            return true;
        }
    }
    return false;
}

void app_options_default(struct app_options *options)
{
    *options = (struct app_options){.command = APP_PLAY};
    for (size_t i = 0; i < app_option_row_count; i++) {
        const enum app_option_kind kind = app_option_rows[i].kind;
        if (kind == APP_OPTION_NUMBER || kind == APP_OPTION_TIME) {
            *(double *)((char *)options + app_option_rows[i].offset) = -1;
        }
    }
}

static int read_words(struct parser *parser)
{
    struct app_options *options = parser->options;
    while (parser->next < parser->argc) {
        char *word = parser->argv[parser->next++];
        if (!parser->literal && strcmp(word, "--") == 0) {
            parser->literal = true;
            continue;
        }
        if (!parser->literal && word[0] == '-' && word[1] != '\0') {
            if (read_option(parser, word) != 0) {
                return -1;
            }
            continue;
        }
        const bool first = !parser->named && !parser->literal && options->input_count == 0;
        const struct app_command_row *command = first ? app_command_find(word) : NULL;
        if (command != NULL) {
            options->command = command->bit;
            parser->named = true;
            continue;
        }
        /* Inputs gather at the front of argv, over words that have been read. */
        options->input_count++;
        parser->first = parser->first == NULL && !parser->literal ? word : parser->first;
        if (!parser->looking) {
            parser->argv[options->input_count] = word;
        }
    }
    return 0;
}

int app_options_parse(struct app_options *options, int argc, char **argv,
                      const struct base_diag_sink *sink)
{
    app_options_default(options);
    if (argc < 1) {
        return 0;
    }
    options->inputs = (const char *const *)(argv + 1);
    if (asks_for_help(options, argc, argv)) {
        return 0;
    }
    struct parser parser = {
        .options = options, .sink = sink, .argv = argv, .argc = argc, .next = 1};
    /* What an option takes may depend on the command, which may stand behind it. */
    struct app_options found = {.command = APP_PLAY};
    struct parser looking = parser;
    looking.options = &found;
    looking.sink = NULL;
    looking.looking = true;
    (void)read_words(&looking);
    options->command = found.command;
    options->named = looking.named;
    if ((!looking.named && refuse_word(&parser, looking.first) != 0) || read_words(&parser) != 0) {
        return -1;
    }
    for (size_t i = 0; i < app_option_row_count; i++) {
        if (options->given[i] && !(app_option_rows[i].commands & options->command)) {
            return refuse_elsewhere(&parser, &app_option_rows[i]);
        }
    }
    /* A command whose usage is its name and options takes no words. */
    const struct app_command_row *row = app_command_of(options->command);
    const char *takes = row->usage + strlen(row->name);
    if (options->input_count > 0 && (takes[0] == '\0' || strncmp(takes, " [--", 4) == 0)) {
        base_report(sink, BASE_ERROR, NOWHERE, NULL, "'froth %s' takes nothing more: '%.60s'",
                    row->name, options->inputs[0]);
        return -1;
    }
    return 0;
}

/* The configuration. */

enum { FILE_MAX = 1024 * 1024, LINE_WIDTH = 98, ERRORS_MAX = 20 };

struct reader {
    struct app_options *options;
    const char *file;
    const struct base_diag_sink *sink;
    unsigned errors;
};

static struct base_place place_of(const struct reader *reader, const struct base_yaml *node)
{
    return (struct base_place){reader->file, node->line, node->column};
}

static int read_scalar(struct reader *reader, struct app_options *options,
                       const struct app_option_row *row, const struct base_yaml *node)
{
    if (node->kind != BASE_YAML_SCALAR || strlen(node->text.data) != node->text.size) {
        const bool list = app_option_repeats(row);
        base_report(reader->sink, BASE_ERROR, place_of(reader, node), NULL,
                    list ? "%s needs a value, or a list of values" : "%s needs one value",
                    app_option_key(row));
        return -1;
    }
    /* A flag may be written in the words of YAML, too. */
    const char *text = node->text.data;
    bool truth = false;
    if (row->kind == APP_OPTION_FLAG && base_yaml_truth(node, &truth)) {
        text = truth ? "on" : "off";
    }
    return app_option_set(options, row, text, place_of(reader, node), reader->sink);
}

/* The command line wins, but what it wins over is looked at all the same. */
static void read_key(struct reader *reader, const struct base_yaml *node)
{
    const struct app_option_row *row = app_option_of(node->key, app_config_has);
    if (row == NULL) {
        char hint[HINT_MAX];
        struct base_closest closest = {0};
        app_option_closest(&closest, node->key.data, app_config_has);
        base_closest_hint(&closest, "'froth help --config' has them all", hint, sizeof hint);
        base_report(reader->sink, BASE_ERROR,
                    (struct base_place){reader->file, node->key_line, node->key_column}, hint,
                    "unknown key '%.40s'", node->key.data);
        reader->errors++;
        return;
    }
    struct app_options read;
    app_options_default(&read);
    const bool list = app_option_repeats(row) && node->kind == BASE_YAML_LIST;
    bool good = true;
    for (const struct base_yaml *item = list ? node->first : node; item != NULL && good;
         item = list ? item->next : NULL) {
        good = read_scalar(reader, &read, row, item) == 0;
    }
    if (!good) {
        reader->errors++;
    } else if (!reader->options->given[row - app_option_rows]) {
        memcpy((char *)reader->options + row->offset, (const char *)&read + row->offset,
               app_option_size(row));
    }
}

bool app_options_insist(const struct app_options *options, const char *key)
{
    return options->given[app_option_of(base_span_of(key), app_config_has) - app_option_rows];
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
        const bool played = app_options_insist(options, "audio");
        const bool device = app_options_insist(options, "audio-device");
        if (played && !device) {
            options->audio_device = NULL;
        } else if (device && !played) {
            options->audio = NULL;
        }
    }
    return reader.errors == 0 ? 0 : -1;
}

int app_config_load(struct app_config *config, struct app_options *options,
                    const struct base_diag_sink *sink)
{
    const char *path = options->config;
    struct base_file file;
    if (path == NULL) {
        char usual[PATH_SIZE];
        if (base_folder_path(BASE_FOLDER_CONFIG, "/config.yaml", usual, sizeof usual) &&
            access(usual, F_OK) == 0) {
            path = base_arena_text(&config->arena, usual, strlen(usual));
        }
    }
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
            if (app_option_repeats(row)) {
                (void)fprintf(out, "#%s: [%s]\n", app_option_key(row), row->argument);
            } else {
                (void)fprintf(out, "#%s: %s\n", app_option_key(row),
                              row->kind == APP_OPTION_FLAG ? "on|off" : row->argument);
            }
        }
    }
}

/* What holds where nothing is given. */

enum base_cpu_level app_options_cpu(const struct app_options *options)
{
    static const char *const names[][2] = {
        [BASE_CPU_PLAIN] = {"plain", ""},
        [BASE_CPU_FOUR] = {"sse41", "neon"},
        [BASE_CPU_AVX2] = {"avx2", ""},
    };
    const enum base_cpu_level best = base_cpu_best();
    for (int i = 0; options->cpu != NULL && i < (int)best; i++) {
        if (strcmp(options->cpu, names[i][0]) == 0 || strcmp(options->cpu, names[i][1]) == 0) {
            return (enum base_cpu_level)i;
        }
    }
    return best;
}

enum { THREADS_MAX = 64 };

struct app_size app_options_size(const struct app_options *options)
{
    static const struct app_size usual = {1280, 720};
    static const struct app_size small = {320, 240};
    if (options->size.width > 0) {
        return options->size;
    }
    return options->command == APP_CHECK ? small : usual;
}

struct app_size app_options_mesh(const struct app_options *options)
{
    static const struct app_size usual = {48, 36};
    static const struct app_size single = {1, 1};
    if (options->mesh.width > 0) {
        return options->mesh;
    }
    return options->command == APP_LAB ? single : usual;
}

struct engine_rate app_options_fps(const struct app_options *options)
{
    static const struct engine_rate usual = {60, 1};
    return options->fps.numerator > 0 ? options->fps : usual;
}

size_t app_options_threads(const struct app_options *options)
{
    if (options->threads > 0) {
        return (size_t)options->threads;
    }
    const size_t processors = options->command == APP_CHECK ? 1 : base_processor_count();
    return processors < THREADS_MAX ? processors : THREADS_MAX;
}

enum rend_levels app_options_levels(const struct app_options *options)
{
    static const struct {
        const char *name;
        enum rend_levels levels;
    } names[] = {{"fir", REND_LEVELS_FIR}, {"board", REND_LEVELS_BOARD}};
    for (size_t i = 0; options->levels != NULL && i < sizeof names / sizeof *names; i++) {
        if (strcmp(options->levels, names[i].name) == 0) {
            return names[i].levels;
        }
    }
    return REND_LEVELS_FFT;
}

struct rend_config app_options_config(const struct app_options *options, struct app_size size,
                                      double fps)
{
    const struct app_size mesh = app_options_mesh(options);
    return (struct rend_config){
        .width = size.width,
        .height = size.height,
        .mesh_x = mesh.width,
        .mesh_y = mesh.height,
        .fps = fps,
        .seed = options->seed,
        .levels = app_options_levels(options),
        .cpu = app_options_cpu(options),
    };
}

size_t app_options_memory(const struct app_options *options)
{
    return options->memory > 0 ? (size_t)options->memory << 20 : REND_MEMORY;
}

size_t app_options_keep(const struct app_options *options)
{
    static const double share = 1.0 / 32; /* of what there is beyond 3 GiB */
    static const double spared = 3 * 1024;
    static const double least = 16;
    static const double most = 512;
    static const double mebi = 1 << 20;
    const double memory = (double)base_memory_size() / mebi;
    const double usual = fmax(fmin((memory - spared) * share, most), least);
    return (size_t)((options->keep >= 0 ? options->keep : usual) * mebi);
}

int app_options_shaders(const struct app_options *options)
{
    static const char *const names[] = {"auto", "full", "half", "third", "quarter"};
    for (int i = 0; options->shaders != NULL && i < (int)(sizeof names / sizeof *names); i++) {
        if (strcmp(options->shaders, names[i]) == 0) {
            return i > 0 || options->command == APP_PLAY ? i : 1;
        }
    }
    return options->command == APP_PLAY ? 0 : 1;
}

/* Which of the three ways a word names; never, if it is NULL. */
static int way_of(const char *word)
{
    static const char *const names[UI_NAMES_COUNT] = {
        [UI_NAMES_AT_FIRST] = "first", [UI_NAMES_ALWAYS] = "always", [UI_NAMES_NEVER] = "never"};
    for (int i = 0; word != NULL && i < UI_NAMES_COUNT; i++) {
        if (strcmp(word, names[i]) == 0) {
            return i;
        }
    }
    return UI_NAMES_NEVER;
}

int app_options_names(const struct app_options *options)
{
    return way_of(options->names);
}

int app_options_titles(const struct app_options *options)
{
    return way_of(options->titles);
}
