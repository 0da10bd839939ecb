/* Values and texts by their numbers and names. */
#include <assert.h>
#include <math.h>

#include "app/control/control.h"
#include "presets/file.h"

static_assert(ENGINE_COMMAND_NONE == 0, "0 is no value");

static bool command_row(unsigned command, struct app_value_row *row)
{
    const struct ui_command_row *known = &ui_command_rows[command];
    const bool of_show = command < ENGINE_COMMAND_COUNT;
    const struct engine_adjust_row *adjusts = engine_adjust_of(command);
    if (command == UI_COMMAND_NONE || !(of_show ? engine_tells(command) : known->lasts)) {
        return false;
    }
    *row = (struct app_value_row){known->name,
                                  known->help,
                                  known->argument == ENGINE_ARGUMENT_SWITCH,
                                  of_show ? adjusts != NULL : known->of_preset,
                                  0,
                                  1};
    if (adjusts != NULL) {
        row->low = adjusts->low;
        row->high = adjusts->high;
    } else if (!row->is_switch) {
        row->low = of_show ? engine_command_rows[command].low : known->low;
        row->high = of_show ? engine_command_rows[command].high : known->high;
    }
    return true;
}

bool app_value_row(unsigned value, struct app_value_row *row)
{
    *row = (struct app_value_row){.name = "", .help = ""};
    if (value < APP_VALUE_KEYS) {
        return command_row(value, row);
    }
    if (value >= APP_VALUE_COUNT) {
        return false;
    }
    const struct preset_key *key = &preset_keys[value - APP_VALUE_KEYS];
    if (ui_command_by_name(base_span_of(key->key)) != UI_COMMAND_NONE) {
        return false;
    }
    *row = (struct app_value_row){key->key,
                                  "key of the preset that is shown",
                                  key->type == PRESET_TYPE_IS_SWITCH,
                                  true,
                                  key->low,
                                  key->high};
    return true;
}

unsigned app_value_by_name(struct base_span name)
{
    struct app_value_row row;
    unsigned value = ui_command_by_name(name);
    const struct preset_key *key = value == 0 ? preset_key_find(name) : NULL;
    if (key != NULL && key - preset_keys < PRESET_KEYS) {
        value = APP_VALUE_KEYS + (unsigned)(key - preset_keys);
    }
    return app_value_row(value, &row) ? value : 0;
}

void app_value_hint(const char *name, char *text, size_t size)
{
    struct base_closest closest = {0};
    struct app_value_row row;
    for (unsigned value = 1; value < APP_VALUE_COUNT; value++) {
        if (app_value_row(value, &row)) {
            base_closest_try(&closest, name, row.name);
        }
    }
    base_closest_hint(&closest, "a command that sets a number, or a key of a .milk file", text,
                      size);
}

bool app_value_call(unsigned value, double number, struct engine_call *call)
{
    struct app_value_row row;
    if (value >= APP_VALUE_KEYS || !command_row(value, &row)) {
        return false;
    }
    const double within = fmin(fmax(number, row.low), row.high);
    *call = (struct engine_call){.command = value, .absolute = !row.is_switch};
    if (row.is_switch) {
        call->to = within >= 0.5 ? ENGINE_SWITCH_ON : ENGINE_SWITCH_OFF;
    } else {
        call->number = within;
    }
    return true;
}

const struct app_text_row app_text_rows[APP_TEXT_COUNT] = {
#define APP_TEXT(id, whose, tell, help) {UI_COMMAND_##id, help},
#include "app/control/texts.def"
};

enum app_text app_text_by_name(struct base_span name)
{
    const enum ui_command command = ui_command_by_name(name);
    unsigned text = 0;
    while (text < APP_TEXT_COUNT && app_text_rows[text].command != command) {
        text++;
    }
    return (enum app_text)text;
}
