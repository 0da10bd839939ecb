/* The beat of the music: tempo, phase, and the moments of the beats.
 *
 * Works on samples, not on frames, so that it hears the same at any frame rate: each 10 ms the
 * loudness of three bands gives an onset strength. Its autocorrelation over the last seconds shows
 * the tempo: periods at whose multiples onsets follow each other, and of these the one whose beats
 * explain most of the onsets and are about equally strong. The phase is where the onsets of the
 * last beats lie, and follows slowly.
 *
 * Deterministic, allocates nothing, and its work is bounded per sample. */
#ifndef RENDERER_SOUND_BEAT_H
#define RENDERER_SOUND_BEAT_H

#include <stdbool.h>
#include <stdint.h>

#include "renderer/frame/frame.h"

enum {
    REND_BEAT_HOP = 441,      /* samples from one onset strength to the next: 10 ms */
    REND_BEAT_HISTORY = 1024, /* onset strengths kept; a power of two */
    REND_BEAT_LAGS = 410,     /* of the autocorrelation, in hops */
    REND_BEAT_BPM_MIN = 60,
    REND_BEAT_BPM_MAX = 200,
};

/* All state; zero at start. */
struct rend_beat {
    double filter[5];               /* one-pole low passes */
    double power[REND_BANDS];       /* of the hop that is filling: sums of squares */
    int samples;                    /* in that hop */
    double usual[REND_BANDS];       /* mean power of the last seconds */
    double loudness[REND_BANDS][2]; /* of the last two hops, compressed */
    double mean;                    /* of the onset strength */
    double smooth[2];               /* the last two onset strengths before they were smoothed */
    uint64_t hops;
    float onset[REND_BEAT_HISTORY]; /* by hop, modulo the size */
    float correlation[REND_BEAT_LAGS];
    double period; /* of a beat in hops; 0: none is heard */
    double beats;  /* counted up to the newest hop; the fraction is the phase */
    double shown;  /* the same at the end of the last step */
    int doubts;    /* how often in a row another tempo looked better */
};

enum { REND_BEAT_BAR = 4 }; /* beats */

/* A beat that is given from outside. */
struct rend_tempo {
    bool given;      /* else all is 0 */
    double bpm;      /* beats per minute; 0: there is no tempo */
    double beats;    /* at the end of the step; whole numbers are beats, multiples of four bars */
    unsigned passed; /* beats within the step */
};

/* Takes the samples since the last frame (interleaved, -1..1, REND_AUDIO_RATE; what is not finite
 * counts as 0). Returns how many beats there were among them. What is heard depends on the samples
 * alone: the same ones in other portions lead to the same state and the same number of beats. */
unsigned rend_beat_step(struct rend_beat *beat, const float *samples, size_t count);

/* Beats per minute, REND_BEAT_BPM_MIN..REND_BEAT_BPM_MAX, and where between two beats the last step
 * ended, 0..1: it may go back a little, but never over a beat. Both 0 while no tempo is heard. */
double rend_beat_bpm(const struct rend_beat *beat);
double rend_beat_phase(const struct rend_beat *beat);

/* Beats counted up to there. */
double rend_beat_count(const struct rend_beat *beat);

/* A position in beats as 0..1 from beat to beat, and over a bar. */
double rend_beat_part(double beats);
double rend_bar_part(double beats);

/* When the music is so loud that the picture should change at once (spec/milk-rendering.md section
 * 11). */

struct rend_loud {
    double lowest;    /* where the threshold falls to, as a mean level */
    double threshold; /* now */
    uint64_t frames;
};

/* sensitivity > 0: 1 is MilkDrop's, 2 cuts at half of its loudness. */
void rend_loud_start(struct rend_loud *loud, double sensitivity);

/* Once per frame, with the relative levels of bass, mid and treb (as in struct rend_heard) and the
 * frames per second, > 0. Returns whether to cut now; the threshold then doubles, and falls back by
 * three quarters of the distance per minute. Levels that are not finite never cut. There is no cut
 * in the first 50 frames, in which levels are still finding their measure and begin with a spike.
 */
bool rend_loud_step(struct rend_loud *loud, const double level[static 3], double fps);

#endif
