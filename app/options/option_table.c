#include "app/options/option_table.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/os/form.h"
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
    } else if (row->low != 0 || row->high != 0) {
        (void)snprintf(text, size, "%.10g to %.10g%s", row->low, row->high,
                       row->kind == APP_OPTION_TIME ? " seconds" : "");
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
        [APP_OPTION_TIME] = sizeof(app_option_TIME),
        [APP_OPTION_RATE] = sizeof(app_option_RATE),
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
        (void)snprintf(hint, sizeof hint, "it takes %s, from %s",
                       row->kind == APP_OPTION_TIME ? "seconds, 4:30 or 1:10:00" : row->argument,
                       range);
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

/* Words in small letters, with | between them. FILE, NAME, OUT and the like stand for any text. */
bool app_option_is_closed(const struct app_option_row *row)
{
    return row->kind == APP_OPTION_TEXT &&
           all_in(row->argument, "abcdefghijklmnopqrstuvwxyz0123456789_-|");
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

/* Other words for values, in any letters. name NULL: of each option that lists the value. */
static const struct {
    const char *name;
    const char *word;
    const char *value;
} synonyms[] = {
    {"--codec", "h.264", "h264"},
    {"--codec", "avc", "h264"},
    {"--codec", "x264", "h264"},
    {"--codec", "libx264", "h264"},
    {"--codec", "h.265", "h265"},
    {"--codec", "hevc", "h265"},
    {"--codec", "x265", "h265"},
    {"--codec", "libx265", "h265"},
    {"--codec", "libsvtav1", "av1"},
    {"--codec", "libaom-av1", "av1"},
    {"--codec", "vp09", "vp9"},
    {"--codec", "libvpx-vp9", "vp9"},
    {"--codec", "prores_ks", "prores"},
    {"--quality", "low", "draft"},
    {"--quality", "medium", "good"},
    {"--quality", "high", "fine"},
    {"--quality", "best", "fine"},
    {"--cpu", "sse4.1", "sse41"},
    {"--order", "shuffle", "random"},
    {"--order", "shuffled", "random"},
    {"--order", "list", "listed"},
    {"--order", "sequential", "listed"},
    {"--names", "off", "never"},
    {"--names", "on", "always"},
    {"--titles", "off", "never"},
    {"--titles", "on", "always"},
    {"--change", "blend", "soft"},
    {"--change", "cut", "hard"},
    {"--transition", "none", "cut"},
    {"--shaders", "1/2", "half"},
    {"--shaders", "1/3", "third"},
    {"--shaders", "1/4", "quarter"},
    {"--remote", "localhost", "on"},
    {"--remote", "network", "lan"},
    {"--engine", "gnu-parallel", "parallel"},
    {"--log-level", "warn", "warning"},
    {"--log-level", "info", "note"},
    {"--log-level", "verbose", "debug"},
    {"--levels", "fourier", "fft"},
    {NULL, "yes", "on"},
    {NULL, "true", "on"},
    {NULL, "1", "on"},
    {NULL, "no", "off"},
    {NULL, "false", "off"},
    {NULL, "0", "off"},
};

/* What is meant by a value of an option that takes no others than it lists: one of these. NULL: it
 * is not known. */
static const char *meant_by(const struct app_option_row *row, const char *value)
{
    if (app_option_lists(row, value)) {
        return value;
    }
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++) {
        const char *name = synonyms[i].name;
        const bool here = name == NULL || strcmp(name, row->name) == 0;
        const bool said = strcasecmp(value, synonyms[i].word) == 0 ||
                          (name != NULL && strcasecmp(value, synonyms[i].value) == 0);
        if (here && said && app_option_lists(row, synonyms[i].value)) {
            return synonyms[i].value;
        }
    }
    return NULL;
}

bool app_option_takes(const struct app_option_row *row, const char *value)
{
    return app_option_is_closed(row) && meant_by(row, value) != NULL;
}

bool app_option_alone(const struct app_option_row *row)
{
    return row->kind == APP_OPTION_TEXT && strncmp(row->argument, "on|", 3) == 0;
}

static int set_text(app_option_TEXT *field, const struct asked *asked)
{
    const struct app_option_row *row = asked->row;
    const char *value = asked->value;
    if (value[0] == '\0') {
        return refuse(asked, "is empty");
    }
    const char *meant = app_option_is_closed(row) ? meant_by(row, value) : value;
    if (meant == NULL) {
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
    *field = meant;
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

/* Reads a decimal number. */
static bool read_number(const char *value, double *number)
{
    char *end = NULL;
    *number = all_in(value, "+-.0123456789eE") ? strtod(value, &end) : 0;
    return end != NULL && end != value && *end == '\0';
}

static int set_number(app_option_NUMBER *field, const struct asked *asked)
{
    const struct app_option_row *row = asked->row;
    double number = 0;
    if (!read_number(asked->value, &number)) {
        return refuse(asked, "is not a number");
    }
    if (!in_range(number, row->low, row->high)) {
        return refuse(asked, "is out of range");
    }
    *field = number;
    return 0;
}

static int set_time(app_option_TIME *field, const struct asked *asked)
{
    const struct app_option_row *row = asked->row;
    double seconds = 0;
    if (!read_number(asked->value, &seconds) && !base_time_read(asked->value, &seconds)) {
        return refuse(asked, "is not a time");
    }
    if (!in_range(seconds, row->low, row->high)) {
        return refuse(asked, "is out of range");
    }
    *field = seconds;
    return 0;
}

static int set_rate(app_option_RATE *field, const struct asked *asked)
{
    const struct app_option_row *row = asked->row;
    uint64_t numerator = 0;
    uint64_t denominator = 0;
    double number = 0;
    const char *stroke = read_whole(asked->value, &numerator);
    const bool ratio = stroke != NULL && *stroke == '/';
    const char *end = ratio ? read_whole(stroke + 1, &denominator) : NULL;
    if (ratio ? end == NULL || *end != '\0' || denominator == 0
              : !read_number(asked->value, &number)) {
        return refuse(asked, "is not a rate");
    }
    number = ratio ? (double)numerator / (double)denominator : number;
    if (!in_range(number, row->low, row->high)) {
        return refuse(asked, "is out of range");
    }
    *field = ratio ? engine_rate_exact(numerator, denominator) : engine_rate_of(number);
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
    const struct app_option_row flag = {.kind = APP_OPTION_TEXT, .name = "", .argument = "on|off"};
    const char *meant = value != NULL ? meant_by(&flag, value) : "on";
    if (meant == NULL) {
        return refuse(asked, "is not known");
    }
    *field = strcmp(meant, "on") == 0;
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
    case APP_OPTION_TIME:
        return set_time(field, &asked);
    case APP_OPTION_RATE:
        return set_rate(field, &asked);
    case APP_OPTION_FLAG:
        return set_flag(field, &asked);
    default:
        return set_whole(field, &asked);
    }
}
