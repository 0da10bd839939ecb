#include "ui/command.h"

const struct ui_command_row ui_command_rows[UI_COMMAND_COUNT] = {
    [UI_COMMAND_NONE] = {"", "", ""},
#define UI_COMMAND(id, name, keys, help) [UI_COMMAND_##id] = {name, keys, help},
#include "ui/commands.def"
};

struct base_span ui_command_next_key(struct base_span *keys)
{
    while (keys->size > 0 && keys->data[0] == ' ') {
        keys->data++;
        keys->size--;
    }
    struct base_span key = {keys->data, 0};
    while (key.size < keys->size && key.data[key.size] != ' ') {
        key.size++;
    }
    keys->data += key.size;
    keys->size -= key.size;
    return key;
}

static bool row_has_key(const struct ui_command_row *row, struct base_span wanted)
{
    struct base_span keys = base_span_of(row->keys);
    struct base_span key = ui_command_next_key(&keys);
    while (key.size > 0) {
        if (base_span_equal_nocase(key, wanted)) {
            return true;
        }
        key = ui_command_next_key(&keys);
    }
    return false;
}

enum ui_command ui_command_by_key(struct base_span key)
{
    for (int i = UI_COMMAND_NONE + 1; i < UI_COMMAND_COUNT; i++) {
        if (row_has_key(&ui_command_rows[i], key)) {
            return (enum ui_command)i;
        }
    }
    return UI_COMMAND_NONE;
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
