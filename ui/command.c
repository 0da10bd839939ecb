#include "ui/command.h"

const struct ui_command_row ui_command_rows[UI_COMMAND_COUNT] = {
    [UI_COMMAND_NONE] = {.name = "", .keys = "", .help = ""},
#define ANY    false
#define PRESET true
#define ENGINE_COMMAND(id, name, group, argument, low, high, keys, help, needs, obey, tell)        \
    [UI_COMMAND_##                                                                                 \
        id] = {name, UI_GROUP_##group, ENGINE_ARGUMENT_##argument, keys, help, needs, false},
#include "engine/commands.def"
#define ENGINE_ADJUST(id, name, key, operation, step, low, high, help)                             \
    [UI_COMMAND_ADJUST_##                                                                          \
        id] = {name, UI_GROUP_PRESET, ENGINE_ARGUMENT_STEP, "", help, PRESET, false},
#include "engine/adjust.def"
#define PAINTER(function)        ANY, false
#define SETS(function, tell)     ANY, true
#define OPERATOR(function)       ANY, false
#define BOTH(painter, operators) ANY, false
#define VIEW(function)           ANY, false
#define OF_PRESET(who)           PRESET, false
#define UI_COMMAND(id, name, group, argument, keys, help, who)                                     \
    [UI_COMMAND_##id] = {name, UI_GROUP_##group, ENGINE_ARGUMENT_##argument, keys, help, who},
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
