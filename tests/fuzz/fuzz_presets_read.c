/* Whatever bytes come in: they are refused or read, and what was read survives writing. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "presets/presets.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_written(const struct preset *preset)
{
    size_t size = 0;
    char *text = preset_write(preset, &size);
    if (text == NULL || size > PRESET_FILE_MAX) {
        free(text);
        return;
    }
    struct preset again;
    if (preset_read(&again, "again.milk", text, size, NULL) != 0 || !preset_equal(preset, &again)) {
        abort();
    }
    preset_free(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct base_diag_list messages;
    messages = (struct base_diag_list){0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    struct preset preset;
    if (preset_read(&preset, "fuzz.milk", data, size, &sink) == 0) {
        check_written(&preset);
        preset_free(&preset);
    } else if (messages.by_severity[BASE_ERROR] == 0) {
        abort();
    }
    return 0;
}
