#include "engine/command.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SHOWN = 40, HINT_MAX = 160, NUMBER_TEXT = 32 };

const struct engine_command_row engine_command_rows[ENGINE_COMMAND_COUNT] = {
    [ENGINE_COMMAND_NONE] = {.name = "", .help = ""},
#define ANY    false
#define PRESET true
#define ENGINE_COMMAND(id, name, group, argument, low, high, keys, help, needs, obey, tell)        \
    [ENGINE_COMMAND_##id] = {name, ENGINE_ARGUMENT_##argument, low, high, help, needs},
#include "engine/commands.def"
#define ENGINE_ADJUST(id, name, key, operation, step, low, high, help)                             \
    [ENGINE_COMMAND_ADJUST_##id] = {name, ENGINE_ARGUMENT_STEP, low, high, help, PRESET},
#include "engine/adjust.def"
};

const char *const engine_argument_names[ENGINE_ARGUMENT_COUNT] = {
    [ENGINE_ARGUMENT_NONE] = "",       [ENGINE_ARGUMENT_SWITCH] = "[on|off]",
    [ENGINE_ARGUMENT_STEP] = "[N|=N]", [ENGINE_ARGUMENT_NUMBER] = "N",
    [ENGINE_ARGUMENT_TEXT] = "TEXT",   [ENGINE_ARGUMENT_MAYBE] = "[TEXT]",
};

static const struct engine_adjust_row adjust_rows[] = {
#define ENGINE_ADJUST(id, name, key, operation, step, low, high, help)                             \
    {key, ENGINE_ADJUST_##operation, step, low, high},
#include "engine/adjust.def"
};

static_assert(sizeof adjust_rows / sizeof *adjust_rows ==
                  ENGINE_COMMAND_COUNT - ENGINE_COMMAND_ADJUST_FIRST,
              "the commands of adjust.def are the last ones");

const struct engine_adjust_row *engine_adjust_of(unsigned command)
{
    const bool adjusts = command >= ENGINE_COMMAND_ADJUST_FIRST && command < ENGINE_COMMAND_COUNT;
    return adjusts ? &adjust_rows[command - ENGINE_COMMAND_ADJUST_FIRST] : NULL;
}

bool engine_switch_of(enum engine_switch to, bool now)
{
    return to == ENGINE_SWITCH_OTHER ? !now : to == ENGINE_SWITCH_ON;
}

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

double engine_adjust_value(const struct engine_adjust_row *row, double value, double steps)
{
    if (!isfinite(value) || !isfinite(steps)) {
        return value;
    }
    switch (row->operation) {
    case ENGINE_ADJUST_ADD:
        return clamp(value + row->step * steps, row->low, row->high);
    case ENGINE_ADJUST_TIMES:
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

static const char *name_of(unsigned command)
{
    return engine_command_rows[command].name;
}

static enum engine_argument argument_of(unsigned command)
{
    return engine_command_rows[command].argument;
}

const struct engine_vocabulary engine_vocabulary = {ENGINE_COMMAND_COUNT, name_of, argument_of,
                                                    "it is none of the show's"};

unsigned engine_command_by_name(const struct engine_vocabulary *known, struct base_span name)
{
    for (unsigned i = 1; i < known->count; i++) {
        if (base_span_equal_nocase(base_span_of(known->name(i)), name)) {
            return i;
        }
    }
    return 0;
}

struct reader {
    const struct engine_vocabulary *known;
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
    if (!plain || end != copy + text.size || !(fabs(value) <= ENGINE_CALL_NUMBER_MAX)) {
        return -1;
    }
    *number = value;
    return 0;
}

static int read_text(struct engine_call *call, struct base_span text)
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

static int read_argument(struct engine_call *call, enum engine_argument argument,
                         struct base_span text)
{
    switch (argument) {
    case ENGINE_ARGUMENT_SWITCH: {
        const bool on = base_span_equal_nocase(text, base_span_of("on"));
        const bool off = base_span_equal_nocase(text, base_span_of("off"));
        call->to = on ? ENGINE_SWITCH_ON : off ? ENGINE_SWITCH_OFF : ENGINE_SWITCH_OTHER;
        return on || off || text.size == 0 ? 0 : -1;
    }
    case ENGINE_ARGUMENT_STEP:
        call->number = 1;
        call->absolute = text.size > 0 && text.data[0] == '=';
        if (text.size == 0) {
            return 0;
        }
        text.data += call->absolute;
        text.size -= call->absolute;
        return read_number(&call->number, text);
    case ENGINE_ARGUMENT_NUMBER:
        return read_number(&call->number, text);
    case ENGINE_ARGUMENT_TEXT:
        return text.size > 0 ? read_text(call, text) : -1;
    case ENGINE_ARGUMENT_MAYBE:
        return read_text(call, text);
    default:
        return text.size == 0 ? 0 : -1;
    }
}

static int refuse_name(const struct reader *reader, struct base_span name)
{
    char word[NAME_SHOWN];
    char hint[HINT_MAX];
    struct base_closest closest = {0};
    if (name.size > 0 && name.size < sizeof word) {
        memcpy(word, name.data, name.size);
        word[name.size] = '\0';
        for (unsigned i = 1; i < reader->known->count; i++) {
            base_closest_try(&closest, word, reader->known->name(i));
        }
    }
    base_closest_hint(&closest, reader->known->hint, hint, sizeof hint);
    return refuse(reader, hint, "unknown command", name);
}

int engine_call_parse(struct engine_call *call, const struct engine_vocabulary *known,
                      struct base_span words, struct base_place place,
                      const struct base_diag_sink *sink)
{
    static const char *const hints[ENGINE_ARGUMENT_COUNT] = {
        [ENGINE_ARGUMENT_NONE] = "it takes no argument",
        [ENGINE_ARGUMENT_SWITCH] = "it takes on, off or nothing",
        [ENGINE_ARGUMENT_STEP] = "it takes a number, a number behind =, or nothing",
        [ENGINE_ARGUMENT_NUMBER] = "it takes a number",
        [ENGINE_ARGUMENT_TEXT] = "it takes a text of up to 1023 bytes",
        [ENGINE_ARGUMENT_MAYBE] = "it takes a text of up to 1023 bytes, or nothing",
    };
    struct reader reader = {known, words, place, sink};
    memset(call, 0, sizeof *call);
    trim(&reader);
    struct base_span name = {reader.rest.data, 0};
    while (name.size < reader.rest.size && !is_blank(name.data[name.size])) {
        name.size++;
    }
    call->command = name.size > 0 ? engine_command_by_name(known, name) : 0;
    if (call->command == 0) {
        return refuse_name(&reader, name);
    }
    drop(&reader, name.size);
    trim(&reader);
    const enum engine_argument argument = known->argument(call->command);
    if (read_argument(call, argument, reader.rest) != 0) {
        char what[NAME_SHOWN];
        (void)snprintf(what, sizeof what, "%s cannot take", known->name(call->command));
        return refuse(&reader, hints[argument], what, reader.rest);
    }
    return 0;
}
