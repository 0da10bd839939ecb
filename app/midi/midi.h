/* MIDI of a running show: a thread that hears all controllers by name, through the system's
 * sequencer or as raw bytes, plugged in at any time (docs/midi.md). What their maps say comes as
 * values and commands by its inlet; what they learn goes into a file of the user's. */
#ifndef APP_MIDI_MIDI_H
#define APP_MIDI_MIDI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "app/control/control.h"
#include "app/midi/map.h"
#include "app/options/options.h"
#include "base/text.h"
#include "board/step/program.h"
#include "renderer/renderer.h"

enum {
    APP_MIDI_DEVICES = 32,
    APP_MIDI_SAYS = 256,  /* bytes of a text for the operator, with the NUL */
    APP_MIDI_LEARNT = 64, /* rows that the operator is shown */
};

struct app_midi;

/* Reads the maps: those of the command line, which must be good, those of the configuration and
 * what lies in the folder midi beside it, of which a wrong one is told and left out. *midi is NULL
 * where the options say off. Returns 0, or -1 with a message. Options and sink outlive it. */
int app_midi_open(struct app_midi **midi, const struct app_options *options,
                  const struct base_diag_sink *sink);

/* Starts the thread; the inlet is its alone. Returns 0, or -1 with a message. NULL: nothing. */
int app_midi_start(struct app_midi *midi, struct app_inlet *inlet);

/* Ends the thread, then frees it. NULL is fine. */
void app_midi_close(struct app_midi *midi);

/* ---- the painter's: none of these waits, locks or formats; NULL is fine ---- */

/* Begins to learn, or stops: a control that is moved next, then what is touched next, become a row.
 * It stops by itself with that row, or after half a minute in which nothing is done. */
void app_midi_learn(struct app_midi *midi, bool on);
bool app_midi_learns(const struct app_midi *midi);

/* What somebody does by another source: a call, or (call NULL) a value. True: it was only chosen,
 * as what a control does from now on, and is not to be carried out. */
bool app_midi_touch(struct app_midi *midi, const struct engine_call *call, unsigned value);

/* Takes a learnt row away: `which` of the list that the operator sees, from 1 on; 0: the last. */
void app_midi_forget(struct app_midi *midi, unsigned which);

/* The next message for a channel that a device has sent, as bytes. Returns how many; 0: none. */
size_t app_midi_heard(struct app_midi *midi, uint8_t bytes[ENGINE_MIDI_BYTES]);

/* The controls of the board's own patches (board/step/program.h), as equations of the desktop have
 * them. The painter's; zeroed, nothing has been heard. */
struct app_midi_controls {
    struct board_midi midi;
    struct board_patch patch; /* its bindings alone */
    struct board_binding bindings[BOARD_BINDINGS];
    struct rend_held held[2 * BOARD_BINDINGS];
};

/* The patch that is shown from now on; NULL: none. */
void app_midi_controls_load(struct app_midi_controls *controls, const struct rend_patch *patch);

/* Takes all messages that have come. What the controls say now, for engine_set_controls. */
size_t app_midi_controls_hear(struct app_midi_controls *controls, struct app_midi *midi);

/* The next message about the beat: PULSE, BEGIN, RESUME, HALT or POSITION, of one device: the first
 * that sends pulses, until it has been silent for two seconds. False: none. */
struct app_midi_beat {
    enum engine_midi_kind kind;
    uint16_t position; /* of POSITION, in sixteenths */
    double at;         /* base_clock_seconds, when it came */
};
bool app_midi_beat(struct app_midi *midi, struct app_midi_beat *beat);

/* ---- any thread but the painter's; these lock ---- */

struct app_midi_status {
    bool sequencer; /* the system has one */
    size_t device_count;
    struct {
        char name[APP_MIDI_NAME];
        bool there; /* else it is asked for by name or path, and waited for */
        uint64_t messages;
        bool mapped; /* a row of a map is for it */
    } devices[APP_MIDI_DEVICES];
    char heard[APP_MIDI_SAYS]; /* the last control that moved, and what it did; may be empty */
    bool learns;
    char learning[APP_MIDI_SAYS]; /* what is to be done next */
    size_t learnt_count;          /* of the rows in the file */
    char learnt[APP_MIDI_LEARNT][APP_MIDI_SAYS];
};
void app_midi_status(struct app_midi *midi, struct app_midi_status *status);

/* Bytes that came by another way, such as the network, as if a device named "froth" had sent them.
 */
void app_midi_give(struct app_midi *midi, const uint8_t *bytes, size_t size);

/* ---- without a show ---- */

/* Lists the inputs of the system's sequencer, a line each, for people or as JSON. */
void app_midi_print(FILE *out, bool json);

#endif
