/* The rows of options.def and commands.def as data, for the parser, the help and the manual page.
 */
#ifndef APP_OPTIONS_OPTION_TABLE_H
#define APP_OPTIONS_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "app/options/options.h"

enum app_option_kind {
    APP_OPTION_TEXT,
    APP_OPTION_LIST,
    APP_OPTION_CALLS,
    APP_OPTION_SIZE,
    APP_OPTION_NUMBER,
    APP_OPTION_TIME,
    APP_OPTION_RATE,
    APP_OPTION_COUNT,
    APP_OPTION_SEED,
    APP_OPTION_FLAG,
};

struct app_option_row {
    enum app_option_kind kind;
    size_t offset; /* of the field in struct app_options */
    const char *name;
    const char *argument;
    unsigned commands;
    double low;
    double high;
    double high_y;
    const char *help;
};

struct app_command_row {
    const char *name;
    enum app_command_bit bit;
    const char *brief;
    const char *usage;
    const char *help;
};

extern const struct app_option_row app_option_rows[];
extern const size_t app_option_row_count;
extern const struct app_command_row app_command_rows[];
extern const size_t app_command_row_count;

enum { APP_OPTION_RANGE_MAX = 64 }; /* enough for app_option_range */

/* "1 to 64", "16x16 to 8192x8192"; empty if the option has no range. */
void app_option_range(const struct app_option_row *row, char *text, size_t size);

/* What the help of an option says first: up to the end of its first statement. */
struct base_span app_option_brief(const struct app_option_row *row);

/* NULL if no command has the name. */
const struct app_command_row *app_command_find(const char *name);
/* The name of the command that was probably meant; NULL if none is close. */
const char *app_command_closest(const char *word);
const struct app_command_row *app_command_of(enum app_command_bit bit);

/* The names of these commands, with commas between them. */
void app_commands_print(FILE *out, unsigned commands);

/* Reads one value into the row's field; value: of a FLAG on, off or NULL, which is on. Returns 0,
 * or -1 with a message at the place; where that is a file's, the option has no -- in front. */
int app_option_set(struct app_options *options, const struct app_option_row *row, const char *value,
                   struct base_place place, const struct base_diag_sink *sink);

/* Whether the option alone, without a value, means on. */
bool app_option_alone(const struct app_option_row *row);

/* Whether it takes no other values than those that it lists. */
bool app_option_is_closed(const struct app_option_row *row);

/* Whether a value is one of the alternatives of an option, and of one that takes no others, or
 * another word for one of these. */
bool app_option_lists(const struct app_option_row *row, const char *value);
bool app_option_takes(const struct app_option_row *row, const char *value);

/* What follows the -- of the name: a key of the configuration; NULL for other names. */
const char *app_option_key(const struct app_option_row *row);

/* Whether an option is a key of the configuration. */
bool app_config_has(const struct app_option_row *row);

/* The option of a key among those that count as keys; NULL for other words. And tries all of these
 * keys as what a word was meant to be. */
const struct app_option_row *app_option_of(struct base_span key,
                                           bool (*is_key)(const struct app_option_row *row));
void app_option_closest(struct base_closest *closest, const char *word,
                        bool (*is_key)(const struct app_option_row *row));

/* Whether it may be given several times. */
bool app_option_repeats(const struct app_option_row *row);

/* How many bytes the row's field has. */
size_t app_option_size(const struct app_option_row *row);

#endif
