/* Sound that can be read at the pace of the picture: files, the built-in tune, the test signal.
 * All sources deliver stereo floats in -1..1 at APP_AUDIO_RATE. One thread at a time. */
#ifndef APP_IO_AUDIO_H
#define APP_IO_AUDIO_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

enum { APP_AUDIO_RATE = 44100 };

struct app_audio;

/* name: "demo" (the built-in tune, endless), "test" (the test signal, endless), or the path of a
 * sound file (WAV, FLAC, Ogg, Opus, MP3: libsndfile; any rate and channel count; mono goes to both
 * sides). NULL with a message if it cannot be opened. */
struct app_audio *app_audio_open(const char *name, const struct base_diag_sink *sink);
void app_audio_close(struct app_audio *audio); /* NULL is fine */

/* Seconds in all; negative for an endless source. */
double app_audio_seconds(const struct app_audio *audio);

/* Continues reading at `frame` (at APP_AUDIO_RATE, from 0). Returns 0, or -1 if the source cannot.
 */
int app_audio_seek(struct app_audio *audio, uint64_t frame);

/* Fills up to `frames` stereo frames; returns how many: fewer only at the end, or after a decoding
 * error (see app_audio_error). */
size_t app_audio_read(struct app_audio *audio, float *interleaved, size_t frames);

/* NULL, or what went wrong while reading. */
const char *app_audio_error(const struct app_audio *audio);

/* The path of the source's file, for muxing it unchanged; NULL for synthesized sound. */
const char *app_audio_path(const struct app_audio *audio);

#endif
