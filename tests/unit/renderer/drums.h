/* Music-like sound for tests: kick, snare and hat in patterns of eighths, with swing and noise. */
#ifndef TESTS_UNIT_DRUMS_H
#define TESTS_UNIT_DRUMS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    DRUMS_RATE = 44100,
    DRUMS_LENGTH = DRUMS_RATE / 4, /* of a stroke, in samples */
    DRUMS_KINDS = 3,
    DRUMS_EIGHTHS = 8, /* in a bar */
};

/* Loudness of each eighth, '0'..'9': kick, snare, hat. */
struct drums_pattern {
    const char *name;
    const char *strokes[DRUMS_KINDS];
};

struct drums {
    float stroke[DRUMS_KINDS][DRUMS_LENGTH];
    uint32_t random;
};

static inline double drums_noise(struct drums *drums)
{
    drums->random = drums->random * 1664525u + 1013904223u;
    return (double)(drums->random >> 8) / 8388608.0 - 1;
}

static inline void drums_init(struct drums *drums, uint32_t seed)
{
    const double turn = 6.283185307179586;
    double phase = 0;
    double low = 0;
    double lower = 0;
    drums->random = seed;
    for (int i = 0; i < DRUMS_LENGTH; i++) {
        const double t = (double)i / DRUMS_RATE;
        phase += (50 + 110 * exp(-35 * t)) / DRUMS_RATE;
        drums->stroke[0][i] = (float)(0.8 * sin(turn * phase) * exp(-16 * t) * fmin(1, 1000 * t));
        drums->stroke[1][i] =
            (float)((0.4 * drums_noise(drums) + 0.3 * sin(turn * 190 * t)) * exp(-22 * t));
        const double noise = drums_noise(drums);
        low += 0.5 * (noise - low);
        lower += 0.5 * (noise - low - lower);
        drums->stroke[2][i] = (float)(0.35 * (noise - low - lower) * exp(-60 * t));
    }
}

static inline void drums_add(const struct drums *drums, int kind, double volume, double seconds,
                             float *sound, size_t count)
{
    const ptrdiff_t start = (ptrdiff_t)(seconds * DRUMS_RATE);
    for (ptrdiff_t i = 0; i < DRUMS_LENGTH; i++) {
        if (start + i >= 0 && start + i < (ptrdiff_t)count) {
            sound[start + i] += (float)volume * drums->stroke[kind][i];
        }
    }
}

/* Fills the sound, one sample per time. swing: 0 straight, 1/3 triplets; noise: peak of white
 * noise; jitter: seconds by which strokes miss their time. */
static inline void drums_play(struct drums *drums, const struct drums_pattern *pattern, double bpm,
                              double swing, double noise, double jitter, float *sound, size_t count)
{
    const double beat = 60 / bpm;
    const double end = (double)count / DRUMS_RATE;
    for (size_t i = 0; i < count; i++) {
        sound[i] = (float)(noise * drums_noise(drums));
    }
    for (long n = 0; (double)(n / 2) * beat < end; n++) {
        const double late = n % 2 != 0 ? 0.5 * (1 + swing) * beat : 0;
        const double at = (double)(n / 2) * beat + late + jitter * drums_noise(drums);
        for (int kind = 0; kind < DRUMS_KINDS; kind++) {
            const int loudness = pattern->strokes[kind][n % DRUMS_EIGHTHS] - '0';
            if (loudness > 0) {
                drums_add(drums, kind, loudness / 9.0, at, sound, count);
            }
        }
    }
}

#endif
