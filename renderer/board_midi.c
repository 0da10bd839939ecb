#include "renderer/board_midi.h"

#include <string.h>

#include "renderer/board_word.h"

enum {
    STATUS = 0x80,
    CONTROL_CHANGE = 0xB0,
    SYSTEM = 0xF0,
    REALTIME = 0xF8,
    WHOLE = 127,
    PRESSED = 64,
    STEPS_MOST = 1 << 20,
};

static bool is_place(const struct rend_board_binding *binding)
{
    return binding->element != REND_BOARD_ELEMENT_DIFFERENTIAL;
}

/* Steps of WHOLE; of what is down or not, 0 or WHOLE. */
static int32_t steps_of(const struct rend_board_binding *binding,
                        const struct rend_board_turned *turned)
{
    switch ((enum rend_board_way)binding->way) {
    case REND_BOARD_WAY_CYCLIC:
        return ((turned->steps % WHOLE) + WHOLE) % WHOLE;
    case REND_BOARD_WAY_BUTTON:
        return turned->down ? WHOLE : 0;
    case REND_BOARD_WAY_RANGE:
    case REND_BOARD_WAY_UNBOUNDED:
    case REND_BOARD_WAY_SWITCH:
        break;
    }
    return turned->steps;
}

static void set(struct rend_board_midi *midi, size_t i)
{
    enum { FRACTION = 24 };
    const struct rend_board_binding *binding = &midi->patch->bindings[i];
    const struct rend_board_turned *turned = &midi->turned[i];
    const int64_t steps = steps_of(binding, turned);
    midi->settings[i].cell = binding->cell;
    midi->settings[i].word = turned->moved
                                 ? rend_board_word(steps * (1 << FRACTION) / WHOLE, FRACTION)
                                 : binding->initial;
}

static void turn_by(const struct rend_board_binding *binding, struct rend_board_turned *turned,
                    uint8_t value)
{
    const int32_t step = value < PRESSED ? value : (int32_t)value - 128;
    const bool range = binding->way == REND_BOARD_WAY_RANGE;
    turned->down = step > 0;
    turned->steps = rend_board_within(turned->steps + step, range ? 0 : -STEPS_MOST,
                                      range ? WHOLE : STEPS_MOST);
}

static void press(const struct rend_board_binding *binding, struct rend_board_turned *turned,
                  bool down)
{
    const bool pressed = down && !turned->down;
    if (binding->element == REND_BOARD_ELEMENT_SWITCH) {
        turned->steps = down ? WHOLE : 0;
    } else if (pressed) {
        turned->steps = turned->steps > 0 ? 0 : WHOLE;
    }
    turned->down = down;
}

static void turn(const struct rend_board_binding *binding, struct rend_board_turned *turned,
                 uint8_t value)
{
    turned->moved = true;
    if (binding->way == REND_BOARD_WAY_SWITCH) {
        press(binding, turned, value >= PRESSED);
    } else if (is_place(binding)) {
        turned->steps = value;
        turned->down = value >= PRESSED;
    } else {
        turn_by(binding, turned, value);
    }
}

static bool listens(const struct rend_board_binding *binding, uint32_t channel, uint32_t controller)
{
    return binding->controller == controller &&
           (binding->channel == 0 || binding->channel == channel + 1);
}

static void change(struct rend_board_midi *midi, uint32_t channel, uint8_t controller,
                   uint8_t value)
{
    midi->places[channel][controller] = (uint8_t)(value + 1);
    for (size_t i = 0; midi->patch != NULL && i < midi->patch->binding_count; i++) {
        const struct rend_board_binding *binding = &midi->patch->bindings[i];
        if (listens(binding, channel, controller)) {
            turn(binding, &midi->turned[i], value);
            set(midi, i);
        }
    }
}

/* Where a fader has been left. What toggles begins anew. */
static void recall(struct rend_board_midi *midi, size_t i)
{
    const struct rend_board_binding *binding = &midi->patch->bindings[i];
    const bool toggles =
        binding->way == REND_BOARD_WAY_SWITCH && binding->element != REND_BOARD_ELEMENT_SWITCH;
    for (uint32_t channel = 0; channel < REND_BOARD_MIDI_CHANNELS; channel++) {
        const uint8_t place = midi->places[channel][binding->controller];
        if (place > 0 && is_place(binding) && !toggles &&
            listens(binding, channel, binding->controller)) {
            turn(binding, &midi->turned[i], (uint8_t)(place - 1));
        }
    }
}

void rend_board_midi_init(struct rend_board_midi *midi)
{
    memset(midi, 0, sizeof *midi);
}

void rend_board_midi_load(struct rend_board_midi *midi, const struct rend_board_patch *patch)
{
    midi->patch = patch;
    midi->setting_count = (uint32_t)patch->binding_count;
    memset(midi->turned, 0, sizeof midi->turned);
    for (size_t i = 0; i < patch->binding_count; i++) {
        recall(midi, i);
        set(midi, i);
    }
}

void rend_board_midi_hear(struct rend_board_midi *midi, uint8_t byte)
{
    if (byte >= REALTIME) {
        return;
    }
    if (byte >= STATUS) {
        midi->status = byte < SYSTEM ? byte : 0;
        midi->has_first = false;
    } else if ((midi->status & 0xF0) != CONTROL_CHANGE) {
        return;
    } else if (!midi->has_first) {
        midi->first = byte;
        midi->has_first = true;
    } else {
        midi->has_first = false;
        change(midi, midi->status & 15, midi->first, byte);
    }
}
