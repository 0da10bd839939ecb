#include "ui/command.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { NAME_SHOWN = 40, HINT_MAX = 160, NUMBER_TEXT = 32 };

const struct ui_command_row ui_command_rows[UI_COMMAND_COUNT] = {
    [UI_COMMAND_NONE] = {.name = "", .keys = "", .help = ""},
#define PAINTER(function)        false
#define OPERATOR(function)       false
#define BOTH(painter, operators) false
#define VIEW(function)           false
#define OF_PRESET(who)           true
#define UI_COMMAND(id, name, group, argument, keys, help, who)                                     \
    [UI_COMMAND_##id] = {name, UI_GROUP_##group, UI_ARGUMENT_##argument, keys, help, who},
#include "ui/commands.def"
#define UI_ADJUST(id, name, key, operation, step, low, high, help)                                 \
    [UI_COMMAND_ADJUST_##id] = {name, UI_GROUP_PRESET, UI_ARGUMENT_STEP, "", help, true},
#include "ui/adjust.def"
};

const char *const ui_command_group_names[UI_GROUP_COUNT] = {
    [UI_GROUP_SHOW] = "Show",         [UI_GROUP_PICTURE] = "Picture",
    [UI_GROUP_PRESET] = "Preset",     [UI_GROUP_OPERATOR] = "Operator's view",
    [UI_GROUP_LIBRARY] = "Library",   [UI_GROUP_EDIT] = "Editor",
    [UI_GROUP_SOUND] = "Sound input",
};

const char *const ui_argument_names[UI_ARGUMENT_COUNT] = {
    [UI_ARGUMENT_NONE] = "",    [UI_ARGUMENT_SWITCH] = "[on|off]", [UI_ARGUMENT_STEP] = "[N|=N]",
    [UI_ARGUMENT_NUMBER] = "N", [UI_ARGUMENT_TEXT] = "TEXT",       [UI_ARGUMENT_MAYBE] = "[TEXT]",
};

static const struct ui_adjust_row adjust_rows[] = {
#define UI_ADJUST(id, name, key, operation, step, low, high, help)                                 \
    {key, UI_ADJUST_##operation, step, low, high},
#include "ui/adjust.def"
};

static_assert(sizeof adjust_rows / sizeof *adjust_rows ==
                  UI_COMMAND_COUNT - UI_COMMAND_ADJUST_FIRST,
              "the commands of adjust.def are the last ones");

const struct ui_adjust_row *ui_adjust_of(enum ui_command command)
{
    const int index = (int)command - UI_COMMAND_ADJUST_FIRST;
    return index >= 0 && command < UI_COMMAND_COUNT ? &adjust_rows[index] : NULL;
}

bool ui_switch_of(enum ui_switch to, bool now)
{
    return to == UI_SWITCH_OTHER ? !now : to == UI_SWITCH_ON;
}

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

double ui_adjust_value(const struct ui_adjust_row *row, double value, double steps)
{
    if (!isfinite(value) || !isfinite(steps)) {
        return value;
    }
    switch (row->operation) {
    case UI_ADJUST_ADD:
        return clamp(value + row->step * steps, row->low, row->high);
    case UI_ADJUST_TIMES:
        return clamp(clamp(value, row->low, row->high) * pow(row->step, steps), row->low,
                     row->high);
    default: {
        /* whole numbers low..high; after the last comes the first */
        const double size = row->high - row->low + 1;
        const double from = floor(clamp(value, row->low, row->high)) - row->low;
        return row->low + fmod(from + fmod(trunc(steps) * row->step, size) + size, size);
    }
    }
}

enum ui_command ui_command_by_name(struct base_span name)
{
    for (int i = UI_COMMAND_NONE + 1; i < UI_COMMAND_COUNT; i++) {
        if (base_span_equal_nocase(base_span_of(ui_command_rows[i].name), name)) {
            return (enum ui_command)i;
        }
    }
    return UI_COMMAND_NONE;
}

struct reader {
    struct base_span rest;
    struct base_place place; /* of rest.data[0] */
    const struct base_diag_sink *sink;
};

static void drop(struct reader *reader, size_t size)
{
    reader->rest.data += size;
    reader->rest.size -= size;
    reader->place.column += reader->place.line > 0 ? (uint32_t)size : 0;
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

static void trim(struct reader *reader)
{
    while (reader->rest.size > 0 && is_blank(reader->rest.data[0])) {
        drop(reader, 1);
    }
    while (reader->rest.size > 0 && is_blank(reader->rest.data[reader->rest.size - 1])) {
        reader->rest.size--;
    }
}

static int refuse(const struct reader *reader, const char *hint, const char *what,
                  struct base_span word)
{
    base_report(reader->sink, BASE_ERROR, reader->place, hint, "%s '%.*s'", what,
                (int)(word.size < NAME_SHOWN ? word.size : NAME_SHOWN),
                word.data != NULL ? word.data : "");
    return -1;
}

static int read_number(double *number, struct base_span text)
{
    char copy[NUMBER_TEXT];
    if (text.size == 0 || text.size >= sizeof copy) {
        return -1;
    }
    memcpy(copy, text.data, text.size);
    copy[text.size] = '\0';
    char *end = NULL;
    const bool plain = strspn(copy, "+-.0123456789eE") == text.size;
    const double value = plain ? strtod(copy, &end) : 0;
    if (!plain || end != copy + text.size || !(fabs(value) <= UI_CALL_NUMBER_MAX)) {
        return -1;
    }
    *number = value;
    return 0;
}

static int read_text(struct ui_call *call, struct base_span text)
{
    if (text.size >= sizeof call->text ||
        (text.size > 0 && memchr(text.data, '\0', text.size) != NULL)) {
        return -1;
    }
    if (text.size > 0) {
        memcpy(call->text, text.data, text.size);
    }
    call->text[text.size] = '\0';
    return 0;
}

static int read_argument(struct ui_call *call, struct base_span text)
{
    switch (ui_command_rows[call->command].argument) {
    case UI_ARGUMENT_SWITCH: {
        const bool on = base_span_equal_nocase(text, base_span_of("on"));
        const bool off = base_span_equal_nocase(text, base_span_of("off"));
        call->to = on ? UI_SWITCH_ON : off ? UI_SWITCH_OFF : UI_SWITCH_OTHER;
        return on || off || text.size == 0 ? 0 : -1;
    }
    case UI_ARGUMENT_STEP:
        call->number = 1;
        call->absolute = text.size > 0 && text.data[0] == '=';
        if (text.size == 0) {
            return 0;
        }
        text.data += call->absolute;
        text.size -= call->absolute;
        return read_number(&call->number, text);
    case UI_ARGUMENT_NUMBER:
        return read_number(&call->number, text);
    case UI_ARGUMENT_TEXT:
        return text.size > 0 ? read_text(call, text) : -1;
    case UI_ARGUMENT_MAYBE:
        return read_text(call, text);
    default:
        return text.size == 0 ? 0 : -1;
    }
}

int ui_call_parse(struct ui_call *call, struct base_span words, struct base_place place,
                  const struct base_diag_sink *sink)
{
    struct reader reader = {words, place, sink};
    memset(call, 0, sizeof *call);
    trim(&reader);
    struct base_span name = {reader.rest.data, 0};
    while (name.size < reader.rest.size && !is_blank(name.data[name.size])) {
        name.size++;
    }
    call->command = name.size > 0 ? ui_command_by_name(name) : UI_COMMAND_NONE;
    if (call->command == UI_COMMAND_NONE) {
        char word[NAME_SHOWN];
        char hint[HINT_MAX];
        struct base_closest closest = {0};
        if (name.size > 0 && name.size < sizeof word) {
            memcpy(word, name.data, name.size);
            word[name.size] = '\0';
            for (int i = UI_COMMAND_NONE + 1; i < UI_COMMAND_COUNT; i++) {
                base_closest_try(&closest, word, ui_command_rows[i].name);
            }
        }
        base_closest_hint(&closest, "'froth help commands' lists them", hint, sizeof hint);
        return refuse(&reader, hint, "unknown command", name);
    }
    drop(&reader, name.size);
    trim(&reader);
    if (read_argument(call, reader.rest) != 0) {
        static const char *const hints[UI_ARGUMENT_COUNT] = {
            [UI_ARGUMENT_NONE] = "it takes no argument",
            [UI_ARGUMENT_SWITCH] = "it takes on, off or nothing",
            [UI_ARGUMENT_STEP] = "it takes a number, a number behind =, or nothing",
            [UI_ARGUMENT_NUMBER] = "it takes a number",
            [UI_ARGUMENT_TEXT] = "it takes a text of up to 1023 bytes",
            [UI_ARGUMENT_MAYBE] = "it takes a text of up to 1023 bytes, or nothing",
        };
        const struct ui_command_row *row = &ui_command_rows[call->command];
        char what[NAME_SHOWN];
        (void)snprintf(what, sizeof what, "%s cannot take", row->name);
        return refuse(&reader, hints[row->argument], what, reader.rest);
    }
    return 0;
}
