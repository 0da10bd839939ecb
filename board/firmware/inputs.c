#include "board/firmware/inputs.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "board/firmware/cpu.h"
#include "board/firmware/trap.h"

enum {
    BUTTONS = 7,
    MIDI_RATE = 31250,
    RECEIVED = 2, /* of a serial line's status */
    SENT = 4,
    INTERRUPT_RECEIVED = 1,
};

enum { MIDI_STATUS = 0x80, MIDI_SYSTEM = 0xF0, MIDI_REALTIME = 0xF8, PROGRAM_CHANGE = 0xC0 };

static void look_at_buttons(void *user)
{
    struct board_inputs *inputs = user;
    board_keys_buttons(&inputs->keys, board_read(BOARD_CSR_system_gpio_in) & BUTTONS,
                       board_watch_look(&inputs->watch));
}

static void hear_remote(void *user)
{
    struct board_inputs *inputs = user;
    board_keys_remote(&inputs->keys, board_read(BOARD_CSR_infrared_code),
                      board_watch_look(&inputs->watch));
}

uint32_t board_inputs_look(struct board_inputs *inputs)
{
    const bool were_on = board_interrupts_on(false);
    look_at_buttons(inputs);
    const uint32_t now = inputs->watch.milliseconds;
    (void)board_interrupts_on(were_on);
    return now;
}

void board_inputs_move(struct board_inputs *inputs, int32_t patches)
{
    const bool were_on = board_interrupts_on(false);
    inputs->moves = inputs->moves + patches;
    (void)board_interrupts_on(were_on);
}

void board_inputs_choose(struct board_inputs *inputs, int32_t number)
{
    inputs->chosen = number;
}

int board_inputs_midi(struct board_inputs *inputs)
{
    const uint32_t read = inputs->midi_read;
    if (read == inputs->midi_written) {
        return -1;
    }
    const int byte = inputs->midi[read % BOARD_INPUTS_MIDI];
    inputs->midi_read = read + 1;
    return byte;
}

static void take_midi(struct board_inputs *inputs, uint8_t byte)
{
    if (byte < MIDI_STATUS && (inputs->midi_status & 0xF0) == PROGRAM_CHANGE) {
        inputs->chosen = byte;
    } else if (byte >= MIDI_STATUS && byte < MIDI_REALTIME) {
        inputs->midi_status = byte < MIDI_SYSTEM ? byte : 0;
    }
    const uint32_t written = inputs->midi_written;
    if (written - inputs->midi_read < BOARD_INPUTS_MIDI) {
        inputs->midi[written % BOARD_INPUTS_MIDI] = byte;
        inputs->midi_written = written + 1;
    }
}

static void hear_midi(void *user)
{
    struct board_inputs *inputs = user;
    if ((board_read(BOARD_CSR_midi_status) & RECEIVED) != 0) {
        const uint8_t byte = (uint8_t)board_read(BOARD_CSR_midi_data);
        board_write(BOARD_CSR_midi_status, RECEIVED);
        take_midi(inputs, byte);
    }
}

void board_inputs_hear_midi(struct board_inputs *inputs, uint8_t byte)
{
    const bool were_on = board_interrupts_on(false);
    take_midi(inputs, byte);
    (void)board_interrupts_on(were_on);
}

void board_inputs_begin(struct board_inputs *inputs, struct board_interrupt_handlers *handlers)
{
    *inputs = (struct board_inputs){.chosen = -1};
    inputs->watch.before = board_cycles();
    board_interrupt_handle(handlers, BOARD_INTERRUPT_gpio, look_at_buttons, inputs);
    board_write(BOARD_CSR_system_gpio_interrupt, BUTTONS);
    board_interrupt_handle(handlers, BOARD_INTERRUPT_infrared, hear_remote, inputs);
    board_write(BOARD_CSR_midi_divisor, board_read(BOARD_CSR_system_frequency) / (16 * MIDI_RATE));
    board_write(BOARD_CSR_midi_status, RECEIVED | SENT);
    board_interrupt_handle(handlers, BOARD_INTERRUPT_midi, hear_midi, inputs);
    board_write(BOARD_CSR_midi_control, INTERRUPT_RECEIVED);
}

int board_inputs_take(struct board_inputs *inputs, int32_t current, int32_t count)
{
    const bool were_on = board_interrupts_on(false);
    const int32_t moves = inputs->moves;
    const int32_t chosen = inputs->chosen;
    inputs->moves = 0;
    inputs->chosen = -1;
    (void)board_interrupts_on(were_on);
    if (chosen >= 0) {
        return chosen % count;
    }
    return moves == 0 ? -1 : ((current + moves) % count + count) % count;
}

enum {
    PENDING = 1,
    WRITES = 2,
    RUNS = 1,
    PATIENCE = 100000, /* looks at a request, which takes 1667 cycles */
    TICKS_MAX = 4,     /* without sound, before it is taken for silence */
};

static bool set_codec(uint32_t address, uint32_t value)
{
    board_write(BOARD_CSR_ac97_codec_address, address);
    board_write(BOARD_CSR_ac97_codec_out, value);
    board_write(BOARD_CSR_ac97_codec_control, PENDING | WRITES);
    for (uint32_t i = 0; i < PATIENCE; i++) {
        if ((board_read(BOARD_CSR_ac97_codec_control) & PENDING) == 0) {
            return true;
        }
    }
    return false;
}

enum { RECORD_GAIN = 0x1C, LEFT = 0x0100, RIGHT = 0x0001, GAIN_MAX = 15 };

bool board_sound_open(uint32_t gain)
{
    static const struct {
        uint16_t address;
        uint16_t value;
    } rows[] = {
        {0x02, 0x0000},                                 /* volumes */
        {0x04, 0x0F0F}, {0x18, 0x0000}, {0x0E, 0x0000}, /* microphone, line input */
        {0x10, 0x0000}, {0x1A, 0x0505},                 /* what is recorded: all of it, mixed */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!set_codec(rows[i].address, rows[i].value)) {
            return false;
        }
    }
    return set_codec(RECORD_GAIN, (gain < GAIN_MAX ? gain : GAIN_MAX) * (LEFT | RIGHT));
}

void board_sound_set_gain(uint32_t gain)
{
    (void)set_codec(RECORD_GAIN, (gain < GAIN_MAX ? gain : GAIN_MAX) * (LEFT | RIGHT));
}

static uint8_t *block_at(const struct board_sound *sound, uint32_t number)
{
    return sound->memory + number % sound->room * sound->block_bytes;
}

static void record_into(const struct board_sound *sound, const uint8_t *block)
{
    board_write(BOARD_CSR_ac97_record_address, (uint32_t)block);
    board_write(BOARD_CSR_ac97_record_bytes, sound->block_bytes);
    board_write(BOARD_CSR_ac97_record_control, RUNS);
}

/* Goes into the block that no reader holds. */
static void listen(const struct board_sound *sound)
{
    board_write(BOARD_CSR_ac97_record_control, 0);
    record_into(sound, sound->memory + sound->room * sound->block_bytes);
}

static bool has_room(const struct board_sound *sound)
{
    return sound->written - sound->read + 1 < sound->room;
}

/* The next sample comes 1666 cycles after the last one of this block. */
static void recorded(void *user)
{
    struct board_sound *sound = user;
    if (sound->silent) {
        sound->silent = false;
    } else if (has_room(sound)) {
        sound->written = sound->written + 1;
    } else {
        sound->lost = sound->lost + 1;
    }
    sound->ticks = 0;
    record_into(sound, block_at(sound, sound->written));
}

void board_sound_tick(void *user)
{
    struct board_sound *sound = user;
    sound->ticks++;
    if (!sound->silent && sound->ticks > TICKS_MAX) {
        sound->silent = true;
        listen(sound);
    }
    if (sound->silent && has_room(sound)) {
        memset(block_at(sound, sound->written), 0, sound->block_bytes);
        sound->written = sound->written + 1;
    }
}

void board_sound_begin(struct board_sound *sound, struct board_interrupt_handlers *handlers,
                       void *memory, uint32_t memory_bytes, uint32_t pairs, bool silent)
{
    *sound = (struct board_sound){
        .memory = memory, .block_bytes = pairs * BOARD_SOUND_PAIR, .silent = silent};
    sound->room = memory_bytes / sound->block_bytes - 1;
    board_interrupt_handle(handlers, BOARD_INTERRUPT_record_done, recorded, sound);
    if (silent) {
        listen(sound);
    } else {
        record_into(sound, block_at(sound, 0));
    }
}

const int16_t *board_sound_block(const struct board_sound *sound)
{
    board_data_cache_forget();
    return (const int16_t *)(const void *)block_at(sound, sound->read);
}

void board_sound_give_back(struct board_sound *sound)
{
    sound->read = sound->read + 1;
}
