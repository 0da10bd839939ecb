/* Frame rates as fractions, so that sound and picture stay in step for hours. */
#ifndef ENGINE_RATE_H
#define ENGINE_RATE_H

#include <stdint.h>

enum {
    ENGINE_SOUND_RATE = 44100,   /* stereo frames of sound in a second, of all that presets hear */
    ENGINE_SOUND_KEPT = 1 << 18, /* so many wait for who reads late: 5.9 s */
};

struct engine_rate { /* frames per second: numerator / denominator, both > 0 */
    uint32_t numerator;
    uint32_t denominator;
};

/* The fraction that is meant by fps (1..1000): a multiple of 1/4 as it is, else N * 1000/1001
 * within 0.001 (29.97, 23.976), else the closest with a denominator up to 1001. */
struct engine_rate engine_rate_of(double fps);

/* numerator / denominator (1..1000) as it is, where the denominator of that fraction in its lowest
 * terms is at most 1001; else what is meant by the quotient. Both > 0. */
struct engine_rate engine_rate_exact(uint64_t numerator, uint64_t denominator);

/* As one number. */
double engine_rate_value(struct engine_rate rate);

/* Sound samples, at ENGINE_SOUND_RATE, before the end of frame `frame` (counted from 1; 0 gives 0),
 * rounded to the nearest whole one. frame <= 10^9. */
uint64_t engine_rate_samples(struct engine_rate rate, uint64_t frame);

/* Seconds until the end of frame `frame`. */
double engine_rate_seconds(struct engine_rate rate, uint64_t frame);

/* Whole frames nearest to `seconds` (0 to 10^6), at least 1. */
uint64_t engine_rate_frames(struct engine_rate rate, double seconds);

#endif
