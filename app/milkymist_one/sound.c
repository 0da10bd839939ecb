#include "app/milkymist_one/sound.h"

#include <stddef.h>
#include <string.h>

#include "app/milkymist_one/cpu.h"

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

bool board_sound_open(void)
{
    static const struct {
        uint16_t address;
        uint16_t value;
    } rows[] = {
        {0x02, 0x0000},                                 /* volumes */
        {0x04, 0x0F0F}, {0x18, 0x0000}, {0x1C, 0x0F0F}, /* gain of the recording */
        {0x0E, 0x0000},                                 /* microphone, line input */
        {0x10, 0x0000}, {0x1A, 0x0505},                 /* what is recorded: all of it, mixed */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!set_codec(rows[i].address, rows[i].value)) {
            return false;
        }
    }
    return true;
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

/* Into the block that nobody reads. */
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
