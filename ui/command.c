#include "ui/command.h"

const struct ui_command_row ui_command_rows[UI_COMMAND_COUNT] = {
    [UI_COMMAND_NONE] = {.name = "", .keys = "", .help = ""},
#define ANY    false
#define PRESET true
#define ENGINE_COMMAND(id, name, group, argument, low, high, keys, help, needs, obey, tell)        \
    [UI_COMMAND_##id] = {                                                                          \
        name, UI_GROUP_##group, ENGINE_ARGUMENT_##argument, keys, help, needs, false, 0, 0},
#include "engine/commands.def"
#define ENGINE_ADJUST(id, name, key, operation, step, low, high, help)                             \
    [UI_COMMAND_ADJUST_##                                                                          \
        id] = {name, UI_GROUP_PRESET, ENGINE_ARGUMENT_STEP, "", help, PRESET, false, 0, 0},
#include "engine/adjust.def"
#define NEEDS_PAINTER(function)           ANY
#define NEEDS_SETS(function, tell)        ANY
#define NEEDS_OPERATOR(function)          ANY
#define NEEDS_BOTH(painter, operators)    ANY
#define NEEDS_VIEW(function)              ANY
#define NEEDS_LASTS(who, tell, low, high) ANY
#define NEEDS_OF_PRESET(who)              PRESET
#define RANGE_PAINTER(function)           false, 0, 0
#define RANGE_SETS(function, tell)        true, 0, 1
#define RANGE_OPERATOR(function)          false, 0, 0
#define RANGE_BOTH(painter, operators)    false, 0, 0
#define RANGE_VIEW(function)              false, 0, 0
#define RANGE_LASTS(who, tell, low, high) true, low, high
#define RANGE_OF_PRESET(who)              RANGE_##who
#define UI_COMMAND(id, name, group, argument, keys, help, who)                                     \
    [UI_COMMAND_##id] = {name,        UI_GROUP_##group, ENGINE_ARGUMENT_##argument, keys, help,    \
                         NEEDS_##who, RANGE_##who},
#include "ui/commands.def"
};

const char *const ui_command_group_names[UI_GROUP_COUNT] = {
    [UI_GROUP_SHOW] = "Show",         [UI_GROUP_PICTURE] = "Picture",
    [UI_GROUP_PRESET] = "Preset",     [UI_GROUP_OPERATOR] = "Operator's view",
    [UI_GROUP_LIBRARY] = "Library",   [UI_GROUP_EDIT] = "Editor",
    [UI_GROUP_SOUND] = "Sound input",
};

static const char *name_of(unsigned command)
{
    return ui_command_rows[command].name;
}

static enum engine_argument argument_of(unsigned command)
{
    return ui_command_rows[command].argument;
}

static const struct engine_vocabulary known = {UI_COMMAND_COUNT, name_of, argument_of,
                                               "'froth help commands' lists them"};

enum ui_command ui_command_by_name(struct base_span name)
{
    return (enum ui_command)engine_command_by_name(&known, name);
}

int ui_call_parse(struct engine_call *call, struct base_span words, struct base_place place,
                  const struct base_diag_sink *sink)
{
    return engine_call_parse(call, &known, words, place, sink);
}
