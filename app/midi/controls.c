/* The MIDI controls of the board's own patches, on the desktop. */
#include <assert.h>
#include <string.h>

#include "app/midi/midi.h"
#include "pfpu/machine/machine.h"

static_assert((int)BOARD_BINDINGS >= (int)PRESET_BINDINGS_MAX, "all bindings of a patch");

void app_midi_controls_load(struct app_midi_controls *controls, const struct rend_patch *patch)
{
    const struct preset_binding *bound = NULL;
    const size_t count = patch != NULL ? rend_patch_controls(patch, &bound) : 0;
    for (size_t i = 0; i < count; i++) {
        controls->bindings[i] = (struct board_binding){.element = (uint8_t)bound[i].element,
                                                       .way = (uint8_t)bound[i].way,
                                                       .channel = bound[i].channel,
                                                       .controller = bound[i].controller};
        rend_control_names(&bound[i], &controls->held[2 * i], &controls->held[2 * i + 1]);
    }
    controls->patch.bindings = controls->bindings;
    controls->patch.binding_count = count;
    board_midi_load(&controls->midi, &controls->patch);
}

size_t app_midi_controls_hear(struct app_midi_controls *controls, struct app_midi *midi)
{
    uint8_t bytes[ENGINE_MIDI_BYTES];
    for (size_t size; (size = app_midi_heard(midi, bytes)) > 0;) {
        for (size_t i = 0; i < size; i++) {
            board_midi_hear(&controls->midi, bytes[i]);
        }
    }
    for (size_t i = 0; i < controls->patch.binding_count; i++) {
        controls->held[2 * i].value = controls->midi.turned[i].moved;
        controls->held[2 * i + 1].value = pfpu_number_of_word(controls->midi.settings[i].word);
    }
    return 2 * controls->patch.binding_count;
}
