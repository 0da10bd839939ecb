/* Buttons, infrared and MIDI: what they ask of the show. */
#ifndef APP_MILKYMIST_ONE_INPUTS_H
#define APP_MILKYMIST_ONE_INPUTS_H

#include <stdint.h>

#include "app/milkymist_one/trap.h"

/* The interrupts write, the program takes.
 *   buttons   1 the patch before, 2 its name, 3 the next patch
 *   infrared  RC5 of any device: programme up and down, digits 0 to 9
 *   MIDI      program change, any channel; all bytes are kept for the show as well */
enum { BOARD_INPUTS_MIDI = 1024 /* bytes, a third of a second */ };

struct board_inputs {
    volatile int32_t moves;  /* patches onward */
    volatile int32_t chosen; /* number of a patch from 0; -1: none */
    volatile uint32_t names; /* how often the name was asked for */
    uint32_t buttons;        /* that were down */
    uint32_t changed;        /* cycle */
    uint32_t infrared;       /* the last code */
    uint8_t midi_status;
    uint8_t midi[BOARD_INPUTS_MIDI];
    volatile uint32_t midi_written; /* bytes, of all time */
    volatile uint32_t midi_read;
    uint32_t codes; /* of infrared, received */
};

/* What was asked for: a number of a patch from 0 up to, not including, count; -1: nothing. */
int board_inputs_take(struct board_inputs *inputs, int32_t current, int32_t count);

/* Takes the oldest byte of MIDI that waits; -1: there is none. Only one task may call it. Bytes
 * that come while too many wait are lost. */
int board_inputs_midi(struct board_inputs *inputs);

void board_inputs_begin(struct board_inputs *inputs, struct board_interrupt_handlers *handlers);

#endif
