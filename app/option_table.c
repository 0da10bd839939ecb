#include "app/option_table.h"

#include <assert.h>
#include <string.h>

enum { WORD_MAX = 31 };

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

size_t app_option_distance(const char *a, const char *b)
{
    const size_t length_a = strlen(a);
    const size_t length_b = strlen(b);
    if (length_a > WORD_MAX || length_b > WORD_MAX) {
        return length_a + length_b;
    }
    size_t row[WORD_MAX + 1]; /* of Levenshtein's table */
    for (size_t j = 0; j <= length_b; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= length_a; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            const size_t changed = corner + (a[i - 1] != b[j - 1]);
            const size_t longer = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            corner = row[j];
            row[j] = changed < longer ? changed : longer;
        }
    }
    return row[length_b];
}
