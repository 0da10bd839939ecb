/* Whatever bytes come in: they are refused with a message, or each key is found again, by a name
 * that is its own, and calls a command of the table. */
#include <stdlib.h>
#include <string.h>

#include "ui/bindings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition) {
        abort();
    }
}

static void check_row(const struct ui_bindings *bindings, const struct ui_binding *row)
{
    char name[UI_KEY_NAME];
    char hint[160];
    require(ui_bindings_find(bindings, row->key) == &row->call);
    require(ui_key_name(name, base_span_of(row->key), hint, sizeof hint) == NULL);
    require(strcmp(name, row->key) == 0);
    require(row->call.command > UI_COMMAND_NONE && row->call.command < UI_COMMAND_COUNT);
    require(memchr(row->call.text, '\0', sizeof row->call.text) != NULL);
    require(row->call.number >= -ENGINE_CALL_NUMBER_MAX &&
            row->call.number <= ENGINE_CALL_NUMBER_MAX);
    const struct engine_adjust_row *adjust = engine_adjust_of(row->call.command);
    if (adjust != NULL) {
        const double value = engine_adjust_value(adjust, adjust->low, row->call.number);
        require(value >= adjust->low && value <= adjust->high);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct base_diag_list messages;
    messages = (struct base_diag_list){.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    struct ui_bindings *bindings =
        ui_bindings_read("fuzz", (struct base_span){(const char *)data, size}, &sink);
    require((bindings == NULL) == (messages.by_severity[BASE_ERROR] > 0));
    for (size_t i = 0; i < ui_bindings_count(bindings); i++) {
        check_row(bindings, ui_bindings_at(bindings, i));
    }
    for (int i = UI_COMMAND_NONE + 1; i < UI_COMMAND_COUNT; i++) {
        char keys[24];
        ui_bindings_keys(bindings, (enum ui_command)i, keys, sizeof keys);
    }
    ui_bindings_free(bindings);
    return 0;
}
