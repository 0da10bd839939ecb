/* What stands behind an app_audio: one of the kinds of sound, as a table of functions. */
#ifndef APP_IO_AUDIO_SOURCE_H
#define APP_IO_AUDIO_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/io/audio.h"

/* As the functions of the same name in audio.h. */
struct app_audio_kind {
    size_t (*read)(struct app_audio *audio, float *interleaved, size_t frames);
    int (*seek)(struct app_audio *audio, uint64_t frame);
    void (*close)(struct app_audio *audio);
};

/* The first member of each source's own struct. */
struct app_audio {
    const struct app_audio_kind *kind;
    double seconds;   /* negative: endless */
    const char *path; /* NULL: synthesized. The source owns the text */
    char error[160];  /* empty: all is well */
};

/* Each allocates its source, or returns NULL with a message. */
struct app_audio *app_audio_open_demo(const struct base_diag_sink *sink);
struct app_audio *app_audio_open_test(const struct base_diag_sink *sink);
struct app_audio *app_audio_open_file(const char *path, const struct base_diag_sink *sink);

/* Makes NaN and infinities 0 and clips to -1..1. */
void app_audio_clean(float *samples, size_t count);

/* White noise -1..1: a hash of the number, no state. */
double app_audio_noise(uint32_t number);

/* Conversion of stereo sound between sample rates; the only user of libsamplerate. */

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
