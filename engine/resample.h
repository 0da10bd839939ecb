/* Conversion of stereo sound between sample rates. The only file that knows libsamplerate is
 * resample.c. */
#ifndef ENGINE_RESAMPLE_H
#define ENGINE_RESAMPLE_H

#include <stdbool.h>
#include <stddef.h>

struct engine_resample;

enum engine_resample_quality {
    ENGINE_RESAMPLE_LIVE, /* cheap */
    ENGINE_RESAMPLE_FINE,
};

/* NULL if the rates are out of proportion (more than 1:256) or there is no memory. */
struct engine_resample *engine_resample_create(int from, int to,
                                               enum engine_resample_quality quality);
void engine_resample_destroy(struct engine_resample *resample); /* NULL is fine */

/* Forgets the past, as if newly made. */
void engine_resample_reset(struct engine_resample *resample);

/* Turns up to *frames_in frames into up to frames_out; *frames_in becomes how many were used up.
 * last: nothing follows this input, so what is held back is given too. Does not allocate.
 * Returns the number of frames written. */
size_t engine_resample_run(struct engine_resample *resample, const float *in, size_t *frames_in,
                           float *out, size_t frames_out, bool last);

/* Makes NaN and infinities 0 and clips to -1..1. */
void engine_samples_clean(float *samples, size_t count);

#endif
