/* Frame rates as fractions, so that sound and picture stay in step for hours. */
#ifndef APP_IO_RATE_H
#define APP_IO_RATE_H

#include <stdint.h>

struct app_rate { /* frames per second: numerator / denominator, both > 0 */
    uint32_t numerator;
    uint32_t denominator;
};

/* The fraction that is meant by fps (1..1000): a multiple of 1/4 as it is, else N * 1000/1001
 * within 0.001 (29.97, 23.976), else the closest with a denominator up to 1001. */
struct app_rate app_rate_of(double fps);

/* As one number. */
double app_rate_value(struct app_rate rate);

/* Sound samples, at 44100 per second, before the end of frame `frame` (counted from 1; 0 gives 0),
 * rounded to the nearest whole one. frame <= 10^9. */
uint64_t app_rate_samples(struct app_rate rate, uint64_t frame);

/* Seconds until the end of frame `frame`. */
double app_rate_seconds(struct app_rate rate, uint64_t frame);

/* Whole frames nearest to `seconds` (0 to 10^6), at least 1. */
uint64_t app_rate_frames(struct app_rate rate, double seconds);

#endif
