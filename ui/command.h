/* The commands of a window: those of a show (engine/command.h) under the same numbers, and its own.
 * Keys, mouse, the operator's interface and the command line all end in a call of one of its rows;
 * there is no second way to do a thing. */
#ifndef UI_COMMAND_H
#define UI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "engine/command.h"

enum ui_command {
    UI_COMMAND_NONE,
#define ENGINE_COMMAND(id, ...) UI_COMMAND_##id = ENGINE_COMMAND_##id,
#include "engine/commands.def"
#define ENGINE_ADJUST(id, ...) UI_COMMAND_ADJUST_##id = ENGINE_COMMAND_ADJUST_##id,
#include "engine/adjust.def"
    UI_COMMAND_OWN_FIRST, /* the same number as the first command of ui/commands.def */
    UI_COMMAND_BEFORE_OWN = UI_COMMAND_OWN_FIRST - 1,
#define UI_COMMAND(id, ...) UI_COMMAND_##id,
#include "ui/commands.def"
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

struct ui_command_row {
    const char *name;
    enum ui_command_group group;
    enum engine_argument argument;
    const char *keys; /* that call it in every profile of ui/bindings, divided by two blanks */
    const char *help;
    bool of_preset; /* it has to do with the preset that is shown */
    bool lasts;     /* of the window's own: it sets a switch or number that can be read back, */
    double low;     /* within these */
    double high;
};

/* Indexed by enum ui_command; the texts of UI_COMMAND_NONE are empty. */
extern const struct ui_command_row ui_command_rows[UI_COMMAND_COUNT];
extern const char *const ui_command_group_names[UI_GROUP_COUNT];

/* As engine_call_parse, of these commands. */
int ui_call_parse(struct engine_call *call, struct base_span words, struct base_place place,
                  const struct base_diag_sink *sink);

/* UI_COMMAND_NONE if there is no such name. ASCII case is ignored. */
enum ui_command ui_command_by_name(struct base_span name);

#endif
