#include "app/option_table.h"

#include <assert.h>
#include <string.h>

/* Alternatives as in options.def. */
static const char transition_names[] = "random|cut"
#define REND_TRANSITION(id, name, softness, more, help) "|" name
#include "renderer/transitions.def"
    ;

const struct app_option_row app_option_rows[] = {
#define APP_TRANSITION_NAMES transition_names
#define APP_OPTION(field, kind, name, argument, commands, low, high, high_y, help)                 \
    {APP_OPTION_##kind,                                                                            \
     offsetof(struct app_options, field),                                                          \
     name,                                                                                         \
     argument,                                                                                     \
     commands,                                                                                     \
     low,                                                                                          \
     high,                                                                                         \
     high_y,                                                                                       \
     help},
#define APP_OPTION_ALSO APP_OPTION
#include "app/options.def"
};
const size_t app_option_row_count = sizeof app_option_rows / sizeof app_option_rows[0];

const struct app_command_row app_command_rows[] = {
#define APP_COMMAND(name, bit, function, usage, help) {name, bit, usage, help},
#include "app/commands.def"
};
const size_t app_command_row_count = sizeof app_command_rows / sizeof app_command_rows[0];

void app_option_range(const struct app_option_row *row, char *text, size_t size)
{
    text[0] = '\0';
    if (row->kind == APP_OPTION_SIZE) {
        (void)snprintf(text, size, "%.0fx%.0f to %.0fx%.0f", row->low, row->low, row->high,
                       row->high_y);
    } else if (row->kind == APP_OPTION_NUMBER || row->kind == APP_OPTION_COUNT) {
        (void)snprintf(text, size, "%.10g to %.10g", row->low, row->high);
    }
}

const struct app_command_row *app_command_find(const char *name)
{
    for (size_t i = 0; i < app_command_row_count; i++) {
        if (strcmp(app_command_rows[i].name, name) == 0) {
            return &app_command_rows[i];
        }
    }
    return NULL;
}

const struct app_command_row *app_command_of(enum app_command_bit bit)
{
    for (size_t i = 0; i < app_command_row_count; i++) {
        if (app_command_rows[i].bit == bit) {
            return &app_command_rows[i];
        }
    }
    assert(!"every command has a row");
    return &app_command_rows[0];
}

void app_commands_print(FILE *out, unsigned commands)
{
    const char *between = "";
    for (size_t i = 0; i < app_command_row_count; i++) {
        if (commands & app_command_rows[i].bit) {
            (void)fprintf(out, "%s%s", between, app_command_rows[i].name);
            between = ", ";
        }
    }
}

const char *app_option_key(const struct app_option_row *row)
{
    return strncmp(row->name, "--", 2) == 0 ? row->name + 2 : NULL;
}

size_t app_option_size(const struct app_option_row *row)
{
    static const size_t sizes[] = {
        [APP_OPTION_TEXT] = sizeof(app_option_TEXT),
        [APP_OPTION_LIST] = sizeof(app_option_LIST),
        [APP_OPTION_SIZE] = sizeof(app_option_SIZE),
        [APP_OPTION_NUMBER] = sizeof(app_option_NUMBER),
        [APP_OPTION_COUNT] = sizeof(app_option_COUNT),
        [APP_OPTION_SEED] = sizeof(app_option_SEED),
        [APP_OPTION_FLAG] = sizeof(app_option_FLAG),
    };
    return sizes[row->kind];
}
