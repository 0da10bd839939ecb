/* What stands behind an app_audio: one of the kinds of sound, as a table of functions. */
#ifndef APP_IO_AUDIO_SOURCE_H
#define APP_IO_AUDIO_SOURCE_H

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

#endif
