/* What moves on a MIDI controller, and what becomes of a value by that. Plain data and pure
 * functions, without a clock. */
#ifndef ENGINE_MIDI_CONTROL_H
#define ENGINE_MIDI_CONTROL_H

#include "engine/midi/message.h"

/* ---- what moves ---- */

enum engine_midi_part {
    ENGINE_MIDI_IS_NOTHING,
    ENGINE_MIDI_IS_CONTROLLER,   /* 0..127, of 7 bits */
    ENGINE_MIDI_IS_CONTROLLER14, /* 0..31, with 32 more for its lower bits */
    ENGINE_MIDI_IS_NRPN,         /* 0..16383: controllers 99 and 98, then 6 and 38, or 96 and 97 */
    ENGINE_MIDI_IS_NOTE,         /* 0..127 */
    ENGINE_MIDI_IS_PROGRAM,      /* 0..127 */
    ENGINE_MIDI_IS_BEND,         /* 0 */
    ENGINE_MIDI_IS_PRESSURE,     /* 0: of a whole channel */
};

/* A knob, fader, button or key of a device. */
struct engine_midi_control {
    enum engine_midi_part part;
    uint8_t channel; /* 1..16; 0: any */
    uint16_t number;
};

/* Whether it is the same control; a channel of 0 is the same as any other. */
bool engine_midi_same(const struct engine_midi_control *a, const struct engine_midi_control *b);

struct engine_midi_move {
    struct engine_midi_control control; /* with its channel */
    /* 0..127; of 14 bits 0..16383; of a note how hard, 0 where it ends; of a program its number and
     * 128 times the bank (controllers 0 and 32; without 32 it is the number in 0). */
    uint32_t raw;
    double place; /* 0..1 */
};

/* What a device has said of things that take several messages. Zeroed, nothing. */
struct engine_midi_channel {
    uint8_t coarse[32]; /* one more than controllers 0 to 31 have said; 0: nothing */
    uint8_t fine[32];   /* one more than controllers 32 to 63 have said; 0: nothing */
    uint8_t select[2];  /* one more than 99 and 98 have said; 0: no such parameter */
    uint8_t data[2];    /* one more than 6 and 38 have said of the selected parameter; 0: nothing */
};
struct engine_midi_device {
    struct engine_midi_channel channels[ENGINE_MIDI_CHANNELS];
};

enum { ENGINE_MIDI_MOVES = 3 };

/* What a message moves: the same message may be the move of a controller, of one of 14 bits and of
 * an NRPN. Either of two halves of a number may come first; where the lower one never came, the
 * upper one goes from end to end by itself. Returns how many. */
size_t engine_midi_moves(struct engine_midi_device *device,
                         const struct engine_midi_message *message,
                         struct engine_midi_move moves[ENGINE_MIDI_MOVES]);

/* ---- what becomes of a value ---- */

enum engine_midi_mode {
#define ENGINE_MIDI_MODE(id, name, help) ENGINE_MIDI_MODE_##id,
#include "engine/midi/modes.def"
    ENGINE_MIDI_MODES,
};
extern const char *const engine_midi_mode_names[ENGINE_MIDI_MODES];

/* Steps of an encoder; 0 of other modes. */
int engine_midi_steps(enum engine_midi_mode mode, uint32_t raw);

/* Where a value stands. */
struct engine_midi_stand {
    uint64_t turn;   /* the frame of the show in which it stood there; 0: nobody knows */
    double place;    /* 0..1 */
    double fineness; /* of its whole numbers, 0..1; 0: it has any */
};

/* What a control knows of the value that it moves. Zeroed, nothing. */
struct engine_midi_taker {
    bool placed; /* it has said where it is, */
    double place;
    bool gave;     /* and it has set the value, */
    double given;  /* to this, */
    uint64_t turn; /* in this frame: two frames later it stands there */
    bool down;     /* it is pressed */
};

/* Whether a move sets the value, and to which place, 0..1. step: of a value by one step of an
 * encoder. A control that picks up acts once it has come to where the value stands or has passed
 * it, and from then on for as long as nobody else moves the value. */
bool engine_midi_take(struct engine_midi_taker *taker, enum engine_midi_mode mode, double step,
                      const struct engine_midi_move *move, const struct engine_midi_stand *stand,
                      double *place);

/* How often a move calls a command: once for each press, which for what is no note is a move upward
 * through the middle; the steps of an encoder, negative backward. */
int engine_midi_presses(struct engine_midi_taker *taker, enum engine_midi_mode mode,
                        const struct engine_midi_move *move);

/* ---- which it is ---- */

/* Finds out what somebody moves. Zeroed, nothing has moved. */
struct engine_midi_learner {
    struct engine_midi_control control; /* that was moved last */
    enum engine_midi_mode mode;         /* what it seems to be */
    bool both_ways; /* it is an encoder, of which kind is known once it was turned both ways */
    uint16_t count; /* messages of it */
    uint16_t repeats;
    bool zero;
    bool apart;      /* it jumped as no knob does */
    uint8_t regions; /* bits: where its numbers lie */
    uint8_t last;
    uint8_t first; /* that were not 0 */
    bool varies;   /* other numbers than that one and 0 */
    uint16_t pairs;
    struct engine_midi_control before; /* the controller of the message before */
};

/* Takes the moves of a message. Controllers that choose a parameter are none. */
void engine_midi_learn(struct engine_midi_learner *learner, const struct engine_midi_move *moves,
                       size_t count);

#endif
