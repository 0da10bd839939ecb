/* Whatever bytes come in as a patch of the board: they are refused with one error, or read, and
 * what was read has lines and bindings within bounds and comes back from its text. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "presets/presets.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition) {
        abort();
    }
}

static void check_source(const struct base_source *source)
{
    size_t size = 0;
    for (size_t i = 0; i < source->count; i++) {
        const struct base_span line = source->lines[i].text;
        require(line.size > 1 && line.data[line.size - 1] == ';');
        require(memchr(line.data, '\0', line.size) == NULL);
        size += line.size + 1;
    }
    require(size <= PRESET_BLOCK_MAX);
}

static void check(const struct preset *preset)
{
    check_source(&preset->init);
    check_source(&preset->per_frame);
    check_source(&preset->per_vertex);
    require(preset->binding_count <= PRESET_BINDINGS_MAX);
    for (size_t i = 0; i < preset->binding_count; i++) {
        const struct preset_binding *binding = &preset->bindings[i];
        require(binding->variable[0] != '\0' && binding->channel <= 16);
        require(binding->controller <= 127);
    }
}

static void check_written(const struct preset *preset)
{
    struct preset again;
    size_t size = 0;
    char *text = preset_write(preset, &size);
    if (size > 0) {
        require(text != NULL);
        require(preset_read(&again, "again.fnp", text, size, NULL) == 0);
        require(preset_equal(preset, &again));
        preset_free(&again);
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct base_diag_list messages;
    messages = (struct base_diag_list){0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    struct preset preset;
    if (preset_read(&preset, "fuzz.fnp", data, size, &sink) == 0) {
        require(preset.language == PRESET_LANGUAGE_BOARD);
        require(messages.by_severity[BASE_ERROR] == 0);
        check(&preset);
        check_written(&preset);
        preset_free(&preset);
    } else {
        require(messages.by_severity[BASE_ERROR] == 1);
    }
    return 0;
}
