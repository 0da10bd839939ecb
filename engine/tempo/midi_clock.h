/* MIDI clock to tempo and phase (MIDI 1.0, "System Real Time" and "Song Position Pointer"): a
 * straight line through the pulses of the last two beats, so that pulses which come some
 * milliseconds too early or late move nothing. Where the tempo changes the line is laid through the
 * newest pulses, and grows again. With pulses up to 3 ms beside their time, at 60 to 200 beats a
 * minute, the phase is right to 5 ms, half a beat after the first pulse.
 *
 * Plain data: bytes and their times go in, in the order of their times. */
#ifndef ENGINE_TEMPO_MIDI_CLOCK_H
#define ENGINE_TEMPO_MIDI_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/tempo/tempo.h"

enum engine_midi_clock_status {
    ENGINE_MIDI_SONG_POSITION = 0xf2,
    ENGINE_MIDI_CLOCK = 0xf8,
    ENGINE_MIDI_START = 0xfa,
    ENGINE_MIDI_CONTINUE = 0xfb,
    ENGINE_MIDI_STOP = 0xfc,
};

enum { ENGINE_MIDI_CLOCK_WINDOW = 2 * ENGINE_TEMPO_PULSES };

/* All state; zero at the start. */
struct engine_midi_clock {
    double time[ENGINE_MIDI_CLOCK_WINDOW]; /* of the newest pulses, the newest first */
    uint32_t count;                        /* of those that the line goes through */
    double newest;                         /* time of the newest pulse, by that line, */
    double period;                         /* and seconds from pulse to pulse; 0: not known yet */
    int64_t next;                          /* where the next pulse stands in the song, in pulses */
    bool stopped;
};

/* Takes a status byte with the time of its arrival in seconds. value: of a song position the 14
 * bits, low 7 bits first in the message, in sixteenths; else ignored. Other bytes change nothing.
 *
 * A clock without a start runs from its first pulse on. After a start the next pulse is the first
 * beat; after a stop it stands, and goes on with the first pulse after "continue", from the song
 * position if one came in between. */
void engine_midi_clock_take(struct engine_midi_clock *clock, uint8_t status, unsigned value,
                            double time);

/* The tempo at `now`. False if no pulse came for a second, or fewer than half a beat. */
bool engine_midi_clock_tempo(const struct engine_midi_clock *clock, double now,
                             struct engine_tempo *tempo);

#endif
