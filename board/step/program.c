#include "board/step/program.h"

#include <string.h>

#include "pfpu/machine/machine.h"

enum { MANTISSA_BITS = 23, EXPONENT_MASK = 255, WHOLE = 150, BIAS = 127, ROOM = 7 };

static const uint32_t hidden_bit = 1u << MANTISSA_BITS;
static const uint32_t sign_bit = 1u << 31;

int32_t board_fixed(uint32_t word, unsigned bits)
{
    const int exponent = (int)((word >> MANTISSA_BITS) & EXPONENT_MASK);
    const uint32_t mantissa = hidden_bit | (word & (hidden_bit - 1));
    const int shift = exponent - WHOLE + (int)bits;
    int32_t size = 0;
    if (exponent == 0 || shift < -MANTISSA_BITS) {
        return 0;
    }
    if (shift > ROOM) {
        size = INT32_MAX;
    } else {
        size = (int32_t)(shift >= 0 ? mantissa << shift : mantissa >> -shift);
    }
    return (word & sign_bit) != 0 ? -size : size;
}

/* The highest bit that is set of a number that is not 0. */
static unsigned top_of(uint32_t number)
{
    unsigned top = 0;
    for (unsigned step = 16; step > 0; step /= 2) {
        if (number >> step != 0) {
            number >>= step;
            top += step;
        }
    }
    return top;
}

uint32_t board_word(int64_t value, unsigned bits)
{
    const uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    const uint32_t high = (uint32_t)(size >> 32);
    const uint32_t low = (uint32_t)size;
    if (size == 0) {
        return 0;
    }
    const unsigned top = high != 0 ? 32 + top_of(high) : top_of(low);
    uint32_t mantissa = 0;
    if (high != 0) {
        mantissa = (uint32_t)(size >> (top - MANTISSA_BITS));
    } else {
        mantissa =
            top > MANTISSA_BITS ? low >> (top - MANTISSA_BITS) : low << (MANTISSA_BITS - top);
    }
    const uint32_t exponent = BIAS + top - bits;
    return (value < 0 ? sign_bit : 0) | exponent << MANTISSA_BITS | (mantissa & (hidden_bit - 1));
}

/* Marsaglia, "Xorshift RNGs", 2003. */
uint32_t board_random(uint32_t *state)
{
    enum { SPARE_BITS = 9 };
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return (uint32_t)BIAS << MANTISSA_BITS | *state >> SPARE_BITS;
}

int32_t board_sine(uint32_t angle)
{
    const uint32_t word = pfpu_alu(pfpu_opcode_of_op(PFPU_OP_WORD_SIN), angle & 8191, 0, false);
    return board_fixed(word, 16);
}

int32_t board_cosine(uint32_t angle)
{
    const uint32_t word = pfpu_alu(pfpu_opcode_of_op(PFPU_OP_WORD_COS), angle & 8191, 0, false);
    return board_fixed(word, 16);
}

static uint32_t result_of(const struct board_operation *operation, const uint32_t *cells,
                          const uint32_t *values)
{
    const uint16_t *arguments = operation->arguments;
    switch ((enum board_kind)operation->kind) {
    case BOARD_NUMBER:
        return operation->word;
    case BOARD_GET:
        return cells[operation->word];
    case BOARD_SET:
        return values[arguments[0]];
    case BOARD_ALU:
        return operation->opcode == PFPU_OPCODE_IF
                   ? pfpu_alu(PFPU_OPCODE_IF, values[arguments[1]], values[arguments[2]],
                              values[arguments[0]] != 0)
                   : pfpu_alu(operation->opcode, values[arguments[0]], values[arguments[1]], false);
    case BOARD_OUT:
        break;
    }
    return 0;
}

void board_run(const struct board_program *program, uint32_t *cells, uint32_t *values,
               uint32_t out[2])
{
    for (size_t i = 0; i < program->operation_count; i++) {
        const struct board_operation *operation = &program->operations[i];
        if (operation->kind == BOARD_OUT) {
            out[0] = values[operation->arguments[0]];
            out[1] = values[operation->arguments[1]];
        }
        values[i] = result_of(operation, cells, values);
    }
    for (size_t i = 0; i < program->operation_count; i++) {
        if (program->operations[i].kind == BOARD_SET) {
            cells[program->operations[i].word] = values[i];
        }
    }
}

enum {
    STATUS = 0x80,
    CONTROL_CHANGE = 0xB0,
    SYSTEM = 0xF0,
    REALTIME = 0xF8,
    MIDI_WHOLE = 127,
    PRESSED = 64,
    STEPS_MOST = 1 << 20,
};

static bool is_place(const struct board_binding *binding)
{
    return binding->element != BOARD_ELEMENT_DIFFERENTIAL;
}

static void set(struct board_midi *midi, size_t i)
{
    enum { FRACTION = 24 };
    const struct board_binding *binding = &midi->patch->bindings[i];
    const struct board_turned *turned = &midi->turned[i];
    /* Steps of MIDI_WHOLE; of what is down or not, 0 or MIDI_WHOLE. */
    int64_t steps = turned->steps;
    if (binding->way == BOARD_WAY_CYCLIC) {
        steps = ((turned->steps % MIDI_WHOLE) + MIDI_WHOLE) % MIDI_WHOLE;
    } else if (binding->way == BOARD_WAY_BUTTON) {
        steps = turned->down ? MIDI_WHOLE : 0;
    }
    midi->settings[i].cell = binding->cell;
    midi->settings[i].word = turned->moved
                                 ? board_word(steps * (1 << FRACTION) / MIDI_WHOLE, FRACTION)
                                 : binding->initial;
}

static void turn(const struct board_binding *binding, struct board_turned *turned, uint8_t value)
{
    turned->moved = true;
    if (binding->way == BOARD_WAY_SWITCH) {
        const bool down = value >= PRESSED;
        const bool pressed = down && !turned->down;
        if (binding->element == BOARD_ELEMENT_SWITCH) {
            turned->steps = down ? MIDI_WHOLE : 0;
        } else if (pressed) {
            turned->steps = turned->steps > 0 ? 0 : MIDI_WHOLE;
        }
        turned->down = down;
    } else if (is_place(binding)) {
        turned->steps = value;
        turned->down = value >= PRESSED;
    } else {
        const int32_t step = value < PRESSED ? value : (int32_t)value - 128;
        const bool range = binding->way == BOARD_WAY_RANGE;
        turned->down = step > 0;
        turned->steps = board_clamp(turned->steps + step, range ? 0 : -STEPS_MOST,
                                    range ? MIDI_WHOLE : STEPS_MOST);
    }
}

static bool listens(const struct board_binding *binding, uint32_t channel, uint32_t controller)
{
    return binding->controller == controller &&
           (binding->channel == 0 || binding->channel == channel + 1);
}

void board_midi_init(struct board_midi *midi)
{
    memset(midi, 0, sizeof *midi);
}

void board_midi_load(struct board_midi *midi, const struct board_patch *patch)
{
    midi->patch = patch;
    midi->setting_count = (uint32_t)patch->binding_count;
    memset(midi->turned, 0, sizeof midi->turned);
    for (size_t i = 0; i < patch->binding_count; i++) {
        /* Where a fader has been left. What toggles begins anew. */
        const struct board_binding *binding = &patch->bindings[i];
        const bool toggles =
            binding->way == BOARD_WAY_SWITCH && binding->element != BOARD_ELEMENT_SWITCH;
        for (uint32_t channel = 0; channel < BOARD_MIDI_CHANNELS; channel++) {
            const uint8_t place = midi->places[channel][binding->controller];
            if (place > 0 && is_place(binding) && !toggles &&
                listens(binding, channel, binding->controller)) {
                turn(binding, &midi->turned[i], (uint8_t)(place - 1));
            }
        }
        set(midi, i);
    }
}

void board_midi_hear(struct board_midi *midi, uint8_t byte)
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
        const uint32_t channel = midi->status & 15;
        midi->places[channel][midi->first] = (uint8_t)(byte + 1);
        for (size_t i = 0; midi->patch != NULL && i < midi->patch->binding_count; i++) {
            const struct board_binding *binding = &midi->patch->bindings[i];
            if (listens(binding, channel, midi->first)) {
                turn(binding, &midi->turned[i], byte);
                set(midi, i);
            }
        }
    }
}
