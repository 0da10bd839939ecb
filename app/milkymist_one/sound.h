/* Sound from the codec: blocks of stereo samples, recorded one behind the other without a gap. */
#ifndef APP_MILKYMIST_ONE_SOUND_H
#define APP_MILKYMIST_ONE_SOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "app/milkymist_one/trap.h"

enum { BOARD_SOUND_RATE = 48000, BOARD_SOUND_PAIR = 4 };

/* A ring of blocks: the interrupt fills, one task empties. */
struct board_sound {
    uint8_t *memory;
    uint32_t room;        /* blocks */
    uint32_t block_bytes; /* of each; a multiple of 4 */
    volatile uint32_t written;
    volatile uint32_t read;
    volatile uint32_t lost; /* blocks for which there was no room */
};

/* Sets up the codec: line input and microphone. Takes a few sound samples' time. */
void board_sound_open(void);

/* Records blocks of so many pairs into the memory from now on. */
void board_sound_begin(struct board_sound *sound, struct board_interrupt_handlers *handlers,
                       void *memory, uint32_t memory_bytes, uint32_t pairs);

/* The oldest block that was not given back yet: left, right, ...; there is one. */
const int16_t *board_sound_block(const struct board_sound *sound);
void board_sound_give_back(struct board_sound *sound);

static inline uint32_t board_sound_waiting(const struct board_sound *sound)
{
    return sound->written - sound->read;
}

#endif
