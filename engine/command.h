/* The command table, and calls of its rows with their arguments. Whatever gives commands to a show
 * ends in a call of a row; there is no second way to do a thing. */
#ifndef ENGINE_COMMAND_H
#define ENGINE_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum engine_command {
    ENGINE_COMMAND_NONE,
#define ENGINE_COMMAND(id, ...) ENGINE_COMMAND_##id,
#include "engine/commands.def"
    ENGINE_COMMAND_ADJUST_FIRST, /* the same number as the first command of adjust.def */
    ENGINE_COMMAND_BEFORE_ADJUST = ENGINE_COMMAND_ADJUST_FIRST - 1,
#define ENGINE_ADJUST(id, ...) ENGINE_COMMAND_ADJUST_##id,
#include "engine/adjust.def"
    ENGINE_COMMAND_COUNT
};

enum engine_argument {
    ENGINE_ARGUMENT_NONE,
    ENGINE_ARGUMENT_SWITCH,
    ENGINE_ARGUMENT_STEP,
    ENGINE_ARGUMENT_NUMBER,
    ENGINE_ARGUMENT_TEXT,
    ENGINE_ARGUMENT_MAYBE,
    ENGINE_ARGUMENT_COUNT,
};

/* How help writes an argument: "", "[on|off]", "[N|=N]", "N", "TEXT", "[TEXT]". */
extern const char *const engine_argument_names[ENGINE_ARGUMENT_COUNT];

struct engine_command_row {
    const char *name;
    enum engine_argument argument;
    double low; /* of a number */
    double high;
    const char *help;
    bool of_preset; /* it has to do with the preset that is shown */
};

/* Indexed by enum engine_command; the texts of ENGINE_COMMAND_NONE are empty. */
extern const struct engine_command_row engine_command_rows[ENGINE_COMMAND_COUNT];

enum engine_adjust_operation { ENGINE_ADJUST_ADD, ENGINE_ADJUST_TIMES, ENGINE_ADJUST_CYCLE };

struct engine_adjust_row {
    const char *key; /* of the .milk file */
    enum engine_adjust_operation operation;
    double step;
    double low;
    double high;
};

/* NULL if the command is not one of adjust.def. */
const struct engine_adjust_row *engine_adjust_of(unsigned command);

/* The value after an argument of `steps`; always within low..high, `value` itself where that or
 * `steps` is not finite. */
double engine_adjust_value(const struct engine_adjust_row *row, double value, double steps);

/* A command with its argument. Plain data that may cross threads. */
enum { ENGINE_CALL_TEXT = 1024, ENGINE_CALL_NUMBER_MAX = 1000000 };
enum engine_switch { ENGINE_SWITCH_OTHER, ENGINE_SWITCH_ON, ENGINE_SWITCH_OFF };
struct engine_call {
    unsigned command;      /* an enum engine_command, or one of those that a window has beside */
    enum engine_switch to; /* SWITCH */
    bool absolute;         /* STEP: the number stood after =: the value itself, not a change */
    double number;         /* STEP, NUMBER: -ENGINE_CALL_NUMBER_MAX..ENGINE_CALL_NUMBER_MAX */
    char text[ENGINE_CALL_TEXT]; /* TEXT, MAYBE: empty if there is none */
};

/* Where a switch that stands at `now` is put. */
bool engine_switch_of(enum engine_switch to, bool now);

/* The commands that somebody knows, by number from 1 on. */
struct engine_vocabulary {
    unsigned count; /* numbers are below it */
    const char *(*name)(unsigned command);
    enum engine_argument (*argument)(unsigned command);
    const char *hint; /* where a name that is close to none is looked up */
};

/* Those of the table. */
extern const struct engine_vocabulary engine_vocabulary;

/* 0 if there is no such name. ASCII case is ignored. */
unsigned engine_command_by_name(const struct engine_vocabulary *known, struct base_span name);

/* Reads "name argument". Returns 0, or -1 with a message (with a hint at the closest name) at the
 * place, whose column is that of words.data[0]. */
int engine_call_parse(struct engine_call *call, const struct engine_vocabulary *known,
                      struct base_span words, struct base_place place,
                      const struct base_diag_sink *sink);

#endif
