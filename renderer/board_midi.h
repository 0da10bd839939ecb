/* MIDI controllers and the variables that a patch has bound to them (presets/controls.def). The
 * same on the desktop and on the board. One state belongs to one thread at a time. */
#ifndef RENDERER_BOARD_MIDI_H
#define RENDERER_BOARD_MIDI_H

#include "renderer/board_program.h"

enum { REND_BOARD_MIDI_CHANNELS = 16, REND_BOARD_MIDI_CONTROLLERS = 128 };

/* What has become of a binding. */
struct rend_board_turned {
    int32_t steps; /* of 127 for a whole range */
    bool down;
    bool moved; /* since the patch was loaded, or before if it says a place */
};

struct rend_board_midi {
    const struct rend_board_patch *patch; /* NULL: none yet */
    uint8_t status;                       /* of the message that is being received; 0: none */
    uint8_t first;                        /* its first byte */
    bool has_first;
    /* What each controller has said last, and one more; 0: nothing. */
    uint8_t places[REND_BOARD_MIDI_CHANNELS][REND_BOARD_MIDI_CONTROLLERS];
    struct rend_board_turned turned[REND_BOARD_BINDINGS];
    struct rend_board_value settings[REND_BOARD_BINDINGS]; /* for rend_board_input */
    uint32_t setting_count;
};

/* Nothing has been heard. */
void rend_board_midi_init(struct rend_board_midi *midi);

/* Another patch: faders, pots and whatever is down are where they were, all else begins anew. The
 * patch must outlive its use. */
void rend_board_midi_load(struct rend_board_midi *midi, const struct rend_board_patch *patch);

/* The next byte of the line, whatever it is. */
void rend_board_midi_hear(struct rend_board_midi *midi, uint8_t byte);

#endif
