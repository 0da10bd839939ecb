/* The one beat clock of a show. Several sources say where the beat is; one of them drives: the one
 * that was chosen, where it is there, else the first of sources.def that is. What comes out never
 * jumps and never goes back: where a source takes over, or goes elsewhere, the beat runs by up to
 * half faster or slower until both agree, which takes four beats at most.
 *
 * Positions are in beats: whole numbers are beats, multiples of ENGINE_TEMPO_BAR begin a bar. Times
 * are seconds of any clock that does not go back. Plain data, without a clock of its own: the same
 * calls give the same numbers. */
#ifndef ENGINE_TEMPO_TEMPO_H
#define ENGINE_TEMPO_TEMPO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "engine/tempo/tap.h"

enum engine_tempo_source {
#define ENGINE_TEMPO_SOURCE(id, ...) ENGINE_TEMPO_##id,
#include "engine/tempo/sources.def"
    ENGINE_TEMPO_SOURCES, /* as a choice: none in particular; as who drives: nobody */
};

enum {
    ENGINE_TEMPO_BAR = 4,
    ENGINE_TEMPO_MIN = 10, /* beats per minute of a source */
    ENGINE_TEMPO_MAX = 999,
    ENGINE_TEMPO_PULSES = 24, /* of MIDI clock, for a beat */
};

/* "link"; of ENGINE_TEMPO_SOURCES "auto". */
const char *engine_tempo_name(enum engine_tempo_source source);

/* The source of this name, or "auto". False if there is none. */
bool engine_tempo_by_name(struct base_span name, enum engine_tempo_source *source);

/* Where the beat is, as a line through time. */
struct engine_tempo {
    double bpm;   /* beats per minute, ENGINE_TEMPO_MIN..ENGINE_TEMPO_MAX; 0: there is none */
    double beats; /* at the time `at` */
    double at;
    bool runs; /* else it stands at `beats` */
};

/* Its position at a time. */
double engine_tempo_beats(const struct engine_tempo *tempo, double time);

/* When the first of 24 pulses for a beat is due that lies behind `after`. False if none is: there
 * is no tempo, or it stands. number: of that pulse, counted like beats (pulse 24 is beat 1). */
bool engine_tempo_pulse(const struct engine_tempo *tempo, double after, double *due,
                        int64_t *number);

/* All state; zero and then engine_tempo_begin at the start. */
struct engine_tempo_clock {
    struct engine_tempo sources[ENGINE_TEMPO_SOURCES];
    struct engine_tap tap;
    enum engine_tempo_source choice;
    double nudge; /* seconds by which what comes out is later than the source; may be negative */
    enum engine_tempo_source drives;
    bool given;              /* as of the last step: */
    struct engine_tempo now; /* what came out; its beats never go back */
};

void engine_tempo_begin(struct engine_tempo_clock *clock);

/* What a source says from now on; NULL, numbers that are not finite and a tempo out of range: it is
 * not there. */
void engine_tempo_set(struct engine_tempo_clock *clock, enum engine_tempo_source source,
                      const struct engine_tempo *tempo);

/* Takes a tap (engine/tempo/tap.h), which makes a tempo for the source TAP after the third. False
 * while it has not. */
bool engine_tempo_tap(struct engine_tempo_clock *clock, double now);

/* The source TAP goes on at this tempo from where the beat is; 0: it is gone. */
void engine_tempo_by_hand(struct engine_tempo_clock *clock, double bpm, double now);

/* What a step is told. */
struct engine_tempo_beat {
    bool given;      /* false: whoever hears the music takes its own beat, which is the same */
    double bpm;      /* 0: there is no tempo */
    double beats;    /* at the end of the step */
    unsigned passed; /* beats within it */
};

/* Goes on to `now`, which is later than at the last step. The source HEARD is set as it was heard
 * up to then. */
struct engine_tempo_beat engine_tempo_step(struct engine_tempo_clock *clock, double now);

#endif
