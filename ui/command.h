/* The command table. Keys, mouse, the operator's interface and the command line all end in a call
 * of one of its rows; there is no second way to do a thing. */
#ifndef UI_COMMAND_H
#define UI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum ui_command {
    UI_COMMAND_NONE,
#define UI_COMMAND(id, ...) UI_COMMAND_##id,
#include "ui/commands.def"
    UI_COMMAND_ADJUST_FIRST, /* the same number as the first command of adjust.def */
    UI_COMMAND_BEFORE_ADJUST = UI_COMMAND_ADJUST_FIRST - 1,
#define UI_ADJUST(id, ...) UI_COMMAND_ADJUST_##id,
#include "ui/adjust.def"
    UI_COMMAND_COUNT
};

enum ui_command_group {
    UI_GROUP_SHOW,
    UI_GROUP_PICTURE,
    UI_GROUP_PRESET,
    UI_GROUP_OPERATOR,
    UI_GROUP_LIBRARY,
    UI_GROUP_EDIT,
    UI_GROUP_SOUND,
    UI_GROUP_COUNT,
};

enum ui_argument {
    UI_ARGUMENT_NONE,
    UI_ARGUMENT_SWITCH,
    UI_ARGUMENT_STEP,
    UI_ARGUMENT_NUMBER,
    UI_ARGUMENT_TEXT,
    UI_ARGUMENT_MAYBE,
    UI_ARGUMENT_COUNT,
};

struct ui_command_row {
    const char *name;
    enum ui_command_group group;
    enum ui_argument argument;
    const char *keys; /* that call it in every profile of ui/bindings, divided by two blanks */
    const char *help;
    bool of_preset; /* it has to do with the preset that is shown */
};

/* Indexed by enum ui_command; the texts of UI_COMMAND_NONE are empty. */
extern const struct ui_command_row ui_command_rows[UI_COMMAND_COUNT];
extern const char *const ui_command_group_names[UI_GROUP_COUNT];

/* How help writes an argument: "", "[on|off]", "[N|=N]", "N", "TEXT", "[TEXT]". */
extern const char *const ui_argument_names[UI_ARGUMENT_COUNT];

enum ui_adjust_operation { UI_ADJUST_ADD, UI_ADJUST_TIMES, UI_ADJUST_CYCLE };

struct ui_adjust_row {
    const char *key; /* of the .milk file */
    enum ui_adjust_operation operation;
    double step;
    double low;
    double high;
};

/* NULL if the command is not one of adjust.def. */
const struct ui_adjust_row *ui_adjust_of(enum ui_command command);

/* The value after an argument of `steps`; always within low..high, `value` itself where that or
 * `steps` is not finite. */
double ui_adjust_value(const struct ui_adjust_row *row, double value, double steps);

/* A command with its argument. Plain data that may cross threads. */
enum { UI_CALL_TEXT = 1024, UI_CALL_NUMBER_MAX = 1000000 };
enum ui_switch { UI_SWITCH_OTHER, UI_SWITCH_ON, UI_SWITCH_OFF };
struct ui_call {
    enum ui_command command;
    enum ui_switch to;       /* SWITCH */
    bool absolute;           /* STEP: the number stood after =: the value itself, not a change */
    double number;           /* STEP, NUMBER: -UI_CALL_NUMBER_MAX..UI_CALL_NUMBER_MAX */
    char text[UI_CALL_TEXT]; /* TEXT, MAYBE: empty if there is none */
};

/* Where a switch that stands at `now` is put. */
bool ui_switch_of(enum ui_switch to, bool now);

/* Reads "name argument". Returns 0, or -1 with a message (with a hint at the closest name) at the
 * place, whose column is that of words.data[0]. */
int ui_call_parse(struct ui_call *call, struct base_span words, struct base_place place,
                  const struct base_diag_sink *sink);

/* UI_COMMAND_NONE if there is no such name. ASCII case is ignored. */
enum ui_command ui_command_by_name(struct base_span name);

#endif
