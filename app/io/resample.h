/* Conversion of stereo sound between sample rates; the only user of libsamplerate. */
#ifndef APP_IO_RESAMPLE_H
#define APP_IO_RESAMPLE_H

#include <stdbool.h>
#include <stddef.h>

struct app_resample;

enum app_resample_quality {
    APP_RESAMPLE_LIVE, /* cheap */
    APP_RESAMPLE_FINE,
};

/* NULL if the rates are out of proportion (more than 1:256) or there is no memory. */
struct app_resample *app_resample_create(int from, int to, enum app_resample_quality quality);
void app_resample_destroy(struct app_resample *resample); /* NULL is fine */

/* Forgets the past, as if newly made. */
void app_resample_reset(struct app_resample *resample);

/* Turns up to *frames_in frames into up to frames_out; *frames_in becomes how many were used up.
 * last: nothing follows this input, so what is held back is given too. Does not allocate.
 * Returns the number of frames written. */
size_t app_resample_run(struct app_resample *resample, const float *in, size_t *frames_in,
                        float *out, size_t frames_out, bool last);

#endif
