/* What comes in: buttons, infrared and MIDI, and sound. */
#ifndef BOARD_FIRMWARE_INPUTS_H
#define BOARD_FIRMWARE_INPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "board/firmware/trap.h"
#include "board/operate/keys.h"

/* The interrupts write.
 *   buttons, infrared  keys, which the menu's task takes (board/operate/keys.h)
 *   MIDI               program change, any channel, which the program takes; all bytes are kept for
 *                      the show as well */
enum { BOARD_INPUTS_MIDI = 1024 /* bytes, a third of a second */ };

struct board_inputs {
    volatile int32_t moves;  /* patches onward */
    volatile int32_t chosen; /* number of a patch from 0; -1: none */
    struct board_keys keys;
    struct board_watch watch; /* while interrupts are off */
    uint8_t midi_status;
    uint8_t midi[BOARD_INPUTS_MIDI];
    volatile uint32_t midi_written; /* bytes, of all time */
    volatile uint32_t midi_read;
    volatile uint32_t osc[4]; /* words of osc1 to osc4; the network's task writes */
};

/* For a task: looks at the buttons, which is to be done 20 times per second, and returns the time
 * in milliseconds. */
uint32_t board_inputs_look(struct board_inputs *inputs);

/* Asks for a patch as MIDI does: so many onward, or by its number. */
void board_inputs_move(struct board_inputs *inputs, int32_t patches);
void board_inputs_choose(struct board_inputs *inputs, int32_t number);

/* What was asked for: a number of a patch from 0 up to, not including, count; -1: nothing. */
int board_inputs_take(struct board_inputs *inputs, int32_t current, int32_t count);

/* Takes the oldest byte of MIDI that waits; -1: there is none. Only one task may call it. Bytes
 * that come while too many wait are lost. */
int board_inputs_midi(struct board_inputs *inputs);

/* Takes a byte as if it had come over the MIDI line. */
void board_inputs_hear_midi(struct board_inputs *inputs, uint8_t byte);

void board_inputs_begin(struct board_inputs *inputs, struct board_interrupt_handlers *handlers);

/* Sound from the codec: blocks of stereo samples, recorded one after the other without a gap. */

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

/* Sets up the codec: line input and microphone, with this gain. Takes a few sound samples' time.
 * False if it does not answer: that takes a few milliseconds. */
bool board_sound_open(uint32_t gain);

/* Another gain while it records, 0 to 15 steps of 1.5 dB. */
void board_sound_set_gain(uint32_t gain);

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
