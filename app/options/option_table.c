#include "app/options/option_table.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ui/command.h"

/* Alternatives as in options.def. */
static const char transition_names[] = "random|cut"
#define REND_TRANSITION(id, name, ...) "|" name
#include "renderer/picture/transitions.def"
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
#include "app/options/options.def"
};
const size_t app_option_row_count = sizeof app_option_rows / sizeof app_option_rows[0];

const struct app_command_row app_command_rows[] = {
#define APP_COMMAND(name, bit, function, brief, usage, help) {name, bit, brief, usage, help},
#include "app/options/commands.def"
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

struct base_span app_option_brief(const struct app_option_row *row)
{
    static const char *const ends[] = {"; ", ": ", ". "};
    size_t size = strlen(row->help);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const char *end = strstr(row->help, ends[i]);
        size = end != NULL && (size_t)(end - row->help) < size ? (size_t)(end - row->help) : size;
    }
    return (struct base_span){row->help, size};
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

bool app_config_has(const struct app_option_row *row)
{
    return (row->commands & APP_PLAY) != 0 && (row->commands & APP_LINE) == 0 &&
           app_option_key(row) != NULL;
}

const struct app_option_row *app_option_of(struct base_span key,
                                           bool (*is_key)(const struct app_option_row *row))
{
    for (size_t i = 0; i < app_option_row_count; i++) {
        const struct app_option_row *row = &app_option_rows[i];
        if (is_key(row) && base_span_equal(key, base_span_of(app_option_key(row)))) {
            return row;
        }
    }
    return NULL;
}

void app_option_closest(struct base_closest *closest, const char *word,
                        bool (*is_key)(const struct app_option_row *row))
{
    for (size_t i = 0; i < app_option_row_count; i++) {
        if (is_key(&app_option_rows[i])) {
            base_closest_try(closest, word, app_option_key(&app_option_rows[i]));
        }
    }
}

bool app_option_repeats(const struct app_option_row *row)
{
    return row->kind == APP_OPTION_LIST || row->kind == APP_OPTION_CALLS;
}

size_t app_option_size(const struct app_option_row *row)
{
    static const size_t sizes[] = {
        [APP_OPTION_TEXT] = sizeof(app_option_TEXT),
        [APP_OPTION_LIST] = sizeof(app_option_LIST),
        [APP_OPTION_CALLS] = sizeof(app_option_CALLS),
        [APP_OPTION_SIZE] = sizeof(app_option_SIZE),
        [APP_OPTION_NUMBER] = sizeof(app_option_NUMBER),
        [APP_OPTION_COUNT] = sizeof(app_option_COUNT),
        [APP_OPTION_SEED] = sizeof(app_option_SEED),
        [APP_OPTION_FLAG] = sizeof(app_option_FLAG),
    };
    return sizes[row->kind];
}

enum { SHOWN_MAX = 60 /* of a wrong value, in a message */, ALTERNATIVES_MAX = 200 };

struct asked {
    const struct app_option_row *row;
    const char *value;
    struct base_place place;
    const struct base_diag_sink *sink;
};

static const char *name_of(const struct asked *asked)
{
    return asked->place.file != NULL ? app_option_key(asked->row) : asked->row->name;
}

static int refuse(const struct asked *asked, const char *why)
{
    const struct app_option_row *row = asked->row;
    char range[APP_OPTION_RANGE_MAX];
    app_option_range(row, range, sizeof range);
    char hint[2 * APP_OPTION_RANGE_MAX];
    if (range[0] != '\0') {
        (void)snprintf(hint, sizeof hint, "it takes %s, from %s", row->argument, range);
    } else {
        (void)snprintf(hint, sizeof hint, "it takes %s",
                       row->kind == APP_OPTION_FLAG ? "on or off" : row->argument);
    }
    base_report(asked->sink, BASE_ERROR, asked->place, hint, "%s: '%.*s' %s", name_of(asked),
                SHOWN_MAX, asked->value, why);
    return -1;
}

/* Reads decimal digits; returns what follows, or NULL if there are none or the number is too
 * large. */
static const char *read_whole(const char *text, uint64_t *value)
{
    if (!isdigit((unsigned char)*text)) {
        return NULL;
    }
    *value = 0;
    for (; isdigit((unsigned char)*text); text++) {
        const unsigned digit = (unsigned)(*text - '0');
        if (*value > (UINT64_MAX - digit) / 10) {
            return NULL;
        }
        *value = *value * 10 + digit;
    }
    return text;
}

static bool all_in(const char *text, const char *allowed)
{
    return text[0] != '\0' && text[strspn(text, allowed)] == '\0';
}

static bool in_range(double value, double low, double high)
{
    return value >= low && value <= high;
}

/* Whether the argument of an option lists all values that it takes: words in small letters, with |
 * between them. FILE, NAME, OUT and the like stand for any text. */
static bool lists_all(const struct app_option_row *row)
{
    return all_in(row->argument, "abcdefghijklmnopqrstuvwxyz0123456789_-|");
}

bool app_option_lists(const struct app_option_row *row, const char *value)
{
    const size_t size = strlen(value);
    bool lists = false;
    for (const char *at = row->argument; at != NULL && !lists; at = strchr(at, '|')) {
        at += *at == '|';
        lists = strcspn(at, "|") == size && memcmp(at, value, size) == 0;
    }
    return lists;
}

bool app_option_takes(const struct app_option_row *row, const char *value)
{
    return lists_all(row) && app_option_lists(row, value);
}

bool app_option_alone(const struct app_option_row *row)
{
    return row->kind == APP_OPTION_TEXT && lists_all(row) && strncmp(row->argument, "on|", 3) == 0;
}

static int set_text(app_option_TEXT *field, const struct asked *asked)
{
    const struct app_option_row *row = asked->row;
    const char *value = asked->value;
    if (value[0] == '\0') {
        return refuse(asked, "is empty");
    }
    if (lists_all(row) && !app_option_takes(row, value)) {
        char names[ALTERNATIVES_MAX];
        char hint[ALTERNATIVES_MAX];
        char *rest = names;
        struct base_closest closest = {0};
        (void)snprintf(names, sizeof names, "%s", row->argument);
        for (const char *name = strtok_r(names, "|", &rest); name != NULL;
             name = strtok_r(NULL, "|", &rest)) {
            base_closest_try(&closest, value, name);
        }
        (void)snprintf(hint, sizeof hint, "%s%s%sit takes %s",
                       closest.name != NULL ? "did you mean " : "",
                       closest.name != NULL ? closest.name : "", closest.name != NULL ? "? " : "",
                       row->argument);
        base_report(asked->sink, BASE_ERROR, asked->place, hint, "%s: '%.*s' is not known",
                    name_of(asked), SHOWN_MAX, value);
        return -1;
    }
    *field = value;
    return 0;
}

static int add_text(app_option_LIST *field, const struct asked *asked)
{
    const char *value = asked->value;
    if (value[0] == '\0') {
        return refuse(asked, "is empty");
    }
    if (field->count == APP_LIST_MAX) {
        base_report(asked->sink, BASE_ERROR, asked->place, NULL,
                    "%s: it can be given %d times at most", name_of(asked), APP_LIST_MAX);
        return -1;
    }
    struct engine_call call;
    const struct base_place place =
        asked->place.file != NULL ? asked->place : (struct base_place){.file = asked->row->name};
    if (asked->row->kind == APP_OPTION_CALLS &&
        ui_call_parse(&call, base_span_of(value), place, asked->sink) != 0) {
        return -1;
    }
    field->items[field->count++] = value;
    return 0;
}

static int set_size(app_option_SIZE *field, const struct asked *asked)
{
    const struct app_option_row *row = asked->row;
    const char *value = asked->value;
    uint64_t width = 0;
    uint64_t height = 0;
    const char *at = read_whole(value, &width);
    const bool parted = at != NULL && (*at == 'x' || *at == 'X');
    at = parted ? read_whole(at + 1, &height) : NULL;
    if (at == NULL || *at != '\0') {
        return refuse(asked, "is not a size");
    }
    if (!in_range((double)width, row->low, row->high) ||
        !in_range((double)height, row->low, row->high_y)) {
        return refuse(asked, "is out of range");
    }
    *field = (struct app_size){(int)width, (int)height};
    return 0;
}

static int set_number(app_option_NUMBER *field, const struct asked *asked)
{
    const struct app_option_row *row = asked->row;
    const char *value = asked->value;
    char *end = NULL;
    const double number = all_in(value, "+-.0123456789eE") ? strtod(value, &end) : 0;
    if (end == NULL || end == value || *end != '\0') {
        return refuse(asked, "is not a number");
    }
    if (!in_range(number, row->low, row->high)) {
        return refuse(asked, "is out of range");
    }
    *field = number;
    return 0;
}

static int set_whole(uint64_t *field, const struct asked *asked)
{
    const struct app_option_row *row = asked->row;
    const char *value = asked->value;
    const char *digits = value + (value[0] == '-' && row->kind == APP_OPTION_COUNT);
    if (!all_in(digits, "0123456789")) {
        return refuse(asked, "is not a whole number");
    }
    uint64_t number = 0;
    const bool fits = read_whole(value, &number) != NULL;
    if (!fits ||
        (row->kind == APP_OPTION_COUNT && !in_range((double)number, row->low, row->high))) {
        return refuse(asked, "is out of range");
    }
    *field = number;
    return 0;
}

static int set_flag(app_option_FLAG *field, const struct asked *asked)
{
    const char *value = asked->value;
    const bool off = value != NULL && strcmp(value, "off") == 0;
    if (value != NULL && !off && strcmp(value, "on") != 0) {
        return refuse(asked, "is not known");
    }
    *field = !off;
    return 0;
}

int app_option_set(struct app_options *options, const struct app_option_row *row, const char *value,
                   struct base_place place, const struct base_diag_sink *sink)
{
    const struct asked asked = {row, value, place, sink};
    void *field = (char *)options + row->offset;
    switch (row->kind) {
    case APP_OPTION_TEXT:
        return set_text(field, &asked);
    case APP_OPTION_LIST:
    case APP_OPTION_CALLS:
        return add_text(field, &asked);
    case APP_OPTION_SIZE:
        return set_size(field, &asked);
    case APP_OPTION_NUMBER:
        return set_number(field, &asked);
    case APP_OPTION_FLAG:
        return set_flag(field, &asked);
    default:
        return set_whole(field, &asked);
    }
}
