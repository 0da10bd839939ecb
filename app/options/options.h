/* The command line and the configuration as plain data. */
#ifndef APP_OPTIONS_OPTIONS_H
#define APP_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/cpu.h"
#include "base/text.h"
#include "engine/rate.h"
#include "renderer/renderer.h"

enum app_command_bit {
    APP_PLAY = 1,
    APP_RENDER = 2,
    APP_CHECK = 4,
    APP_DEVICES = 8,
    APP_HELP = 16,
    APP_VERSION = 32,
    APP_LAB = 64,
    APP_COMPILE = 128,
    APP_BENCH = 256,
    APP_BOARD = 1024,
    APP_SEND = 2048,
    APP_SETS = 4096,
    APP_JOIN = 8192,
    APP_FARM = 16384,
    APP_LIBRARY = 32768,
    APP_LINE = 512, /* no command: of an option that only the command line has */
};

enum app_exit { APP_EXIT_DONE = 0, APP_EXIT_FAILED = 1, APP_EXIT_USAGE = 2 };

struct app_size {
    int width; /* 0: not given */
    int height;
};

typedef const char *app_option_TEXT; /* NULL: not given */
typedef struct app_size app_option_SIZE;
typedef double app_option_NUMBER;           /* negative: not given */
typedef double app_option_TIME;             /* seconds; negative: not given */
typedef struct engine_rate app_option_RATE; /* numerator 0: not given */
typedef uint64_t app_option_COUNT;          /* 0: not given */
typedef uint64_t app_option_SEED;           /* 0 by default */
typedef bool app_option_FLAG;

enum { APP_LIST_MAX = 16 };

/* What an option was given, each time once more, in order. */
struct app_list {
    const char *items[APP_LIST_MAX];
    size_t count;
};
typedef struct app_list app_option_LIST;
typedef struct app_list app_option_CALLS;

enum {
    APP_OPTION_ROWS = 0
#define APP_OPTION(...)      +1
#define APP_OPTION_ALSO(...) +1
#include "app/options/options.def"
};

struct app_options {
    enum app_command_bit command;
    bool named;                  /* the command was given by its name */
    bool given[APP_OPTION_ROWS]; /* which rows of options.def the command line has */
    const char *const *inputs;   /* what is neither command nor option, in order */
    size_t input_count;
#define APP_OPTION(field, kind, ...) app_option_##kind field;
#define APP_OPTION_ALSO(field, ...)
#include "app/options/options.def"
};

/* Everything not given. */
void app_options_default(struct app_options *options);

/* Parses argv (kept by reference, its words reordered). A first word that names no command means
 * `play`; --help and --version anywhere mean those commands. Returns 0, or -1 with a message that
 * names the option and gives a hint (exit code: APP_EXIT_USAGE). Every value is in the range that
 * options.def promises. */
int app_options_parse(struct app_options *options, int argc, char **argv,
                      const struct base_diag_sink *sink);

/* The configuration: a YAML file whose keys are options of `froth play`. */

/* Zero-initialise. Owns the texts of the options that come from it. */
struct app_config {
    struct base_arena arena;
};

/* Sets what the command line leaves open. Whatever is wrong is reported at its line and column, and
 * left as it was; the rest is used. file: for messages, outlives the options. Returns 0, or -1
 * after messages. */
int app_config_read(struct app_config *config, struct app_options *options, const char *file,
                    struct base_span text, const struct base_diag_sink *sink);

/* The same from the file that --config names, or from froth/config.yaml in the folder of
 * configurations, which need not exist. Returns 0 also if something in the file is wrong, -1 with a
 * message if the file that --config names cannot be read. */
int app_config_load(struct app_config *config, struct app_options *options,
                    const struct base_diag_sink *sink);

void app_config_free(struct app_config *config);

/* Whether the command line itself gives the option of a key. What only the configuration asks for
 * may be done without: a second show of a machine finds its ports taken. */
bool app_options_insist(const struct app_options *options, const char *key);

struct ui_bindings;

/* The bindings that the options ask for; where these are wrong, the usual ones after messages. NULL
 * without memory. */
struct ui_bindings *app_config_bindings(const struct app_options *options,
                                        const struct base_diag_sink *sink);

/* A configuration with every key, its help above it; none is in force. */
void app_config_print(FILE *out);

/* What is given, or what holds for the command where nothing is given. */
struct app_size app_options_size(const struct app_options *options);
struct app_size app_options_mesh(const struct app_options *options);
struct engine_rate app_options_fps(const struct app_options *options);
size_t app_options_threads(const struct app_options *options);

enum rend_levels app_options_levels(const struct app_options *options);

/* What --cpu and the machine allow. */
enum base_cpu_level app_options_cpu(const struct app_options *options);

/* What the options ask of a renderer of pictures of this size, with `fps` steps per second. */
struct rend_config app_options_config(const struct app_options *options, struct app_size size,
                                      double fps);

/* Bytes that one preset may take. */
size_t app_options_memory(const struct app_options *options);

/* Bytes in which a show is kept for a while; 0: it is not. */
size_t app_options_keep(const struct app_options *options);

/* Side of a pixel that shaders compute, in pixels of the picture: 1..REND_DIVISOR_MAX; 0: auto. */
int app_options_shaders(const struct app_options *options);

/* When the picture shows a preset's name: an enum ui_overlay_names. */
int app_options_names(const struct app_options *options);
/* When it shows what is playing: an enum ui_overlay_names. */
int app_options_titles(const struct app_options *options);

/* Help: what there is, on a screen of 24 lines (0), or one command, whose options are explained in
 * a few words where there are many. */
void app_options_help(FILE *out, unsigned command);

/* All of it, in full. */
void app_options_help_all(FILE *out);

/* The manual page in roff: all of it (0), or the page of one command. */
void app_options_man(FILE *out, unsigned command);

/* The commands; each returns an enum app_exit and prints its own messages on standard error. */
int app_set_command(const struct app_options *options);
int app_play(const struct app_options *options);
int app_render(const struct app_options *options);
int app_farm(const struct app_options *options);
int app_join(const struct app_options *options);
int app_gallery(const struct app_options *options);
int app_check(const struct app_options *options);
int app_devices(const struct app_options *options);
int app_compile(const struct app_options *options);
int app_lab(const struct app_options *options);
int app_bench(const struct app_options *options);
int app_board_command(const struct app_options *options);
int app_send(const struct app_options *options);
int app_help(const struct app_options *options);
int app_version(const struct app_options *options);

#endif
