/* Sound from the codec: blocks of stereo samples, recorded one after the other without a gap. */
#ifndef APP_MILKYMIST_ONE_SOUND_H
#define APP_MILKYMIST_ONE_SOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "app/milkymist_one/trap.h"

enum { BOARD_SOUND_RATE = 48000, BOARD_SOUND_PAIR = 4 };

/* A ring of blocks: the interrupt fills, one task empties. Where no sound comes, blocks of silence
 * take its place, at the timer's ticks, until it comes again. */
struct board_sound {
    uint8_t *memory;
    uint32_t room;        /* blocks; one more is there to listen whether sound comes again */
    uint32_t block_bytes; /* of each; a multiple of 4 */
    volatile uint32_t written;
    volatile uint32_t read;
    volatile uint32_t lost; /* blocks for which there was no room */
    volatile bool silent;   /* no sound comes */
    uint32_t ticks;         /* since the last block, or silence */
};

/* Sets up the codec: line input and microphone. Takes a few sound samples' time. False if it does
 * not answer: that takes a few milliseconds. */
bool board_sound_open(void);

/* Records blocks of `pairs` pairs of samples into the memory from now on, which has room for at
 * least three blocks. silent: begins without sound. */
void board_sound_begin(struct board_sound *sound, struct board_interrupt_handlers *handlers,
                       void *memory, uint32_t memory_bytes, uint32_t pairs, bool silent);

/* To be called at each tick of a timer, one for each block, by one that does not wait for sound
 * however long it takes. user: the sound. */
void board_sound_tick(void *user);

/* The oldest block that was not given back yet: left, right, ...; there is one. */
const int16_t *board_sound_block(const struct board_sound *sound);
void board_sound_give_back(struct board_sound *sound);

static inline uint32_t board_sound_waiting(const struct board_sound *sound)
{
    return sound->written - sound->read;
}

#endif
