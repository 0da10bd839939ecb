/* Sound that can be read at the pace of the picture: files, the built-in tune, the test signal.
 * All sources deliver stereo floats in -1..1 at APP_AUDIO_RATE. One thread at a time. */
#ifndef APP_IO_AUDIO_H
#define APP_IO_AUDIO_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "engine/rate.h"

enum {
    APP_AUDIO_RATE = ENGINE_SOUND_RATE,
    APP_AUDIO_KEPT = ENGINE_SOUND_KEPT,
};

struct app_audio;

/* name: "demo" (the built-in tune, endless), "test" (the test signal, endless), or the path of a
 * sound file (WAV, FLAC, Ogg, Opus, MP3: libsndfile; M4A, AAC, WMA, MP4, MKV, WebM: ffmpeg; any
 * rate and channel count; mono goes to both sides), a list of these (.m3u, .m3u8), which are heard
 * one after the other, or the folder `sound` of a recorded set. NULL with a message if it cannot be
 * opened. */
struct app_audio *app_audio_open(const char *name, const struct base_diag_sink *sink);
void app_audio_close(struct app_audio *audio); /* NULL is fine */

/* Whether the name is that of a list of sounds, and each path in it with its line, in order, until
 * visit returns other than 0. 0, what visit returned, or -1 with a message. */
bool app_audio_is_list(const char *name);
int app_audio_list_each(const char *list, int (*visit)(void *user, const char *path, uint32_t line),
                        void *user, const struct base_diag_sink *sink);

/* Seconds in all; negative for an endless source. */
double app_audio_seconds(const struct app_audio *audio);

/* Continues reading at `frame` (at APP_AUDIO_RATE, from 0). Returns 0, or -1 if the source cannot.
 */
int app_audio_seek(struct app_audio *audio, uint64_t frame);

/* Fills up to `frames` stereo frames; returns how many: fewer only at the end, or after a decoding
 * error (see app_audio_error). */
size_t app_audio_read(struct app_audio *audio, float *interleaved, size_t frames);

/* Any thread, for a source that is to be closed: who waits for its decoder waits no longer, and
 * from now on nothing is decoded. */
void app_audio_stop(struct app_audio *audio);

/* NULL, or what went wrong while reading. */
const char *app_audio_error(const struct app_audio *audio);

/* The path of the source's file, for muxing it unchanged; NULL for synthesized sound. */
const char *app_audio_path(const struct app_audio *audio);

/* Sound into a WAV file: 16 bits, stereo. Written beside its final name and renamed at the end. One
 * thread at a time. */

struct app_wave;

/* name: kept by reference. NULL with a message if it cannot be written, or is a folder or a device.
 */
struct app_wave *app_wave_create(const char *name, uint32_t rate,
                                 const struct base_diag_sink *sink);

/* Adds a pair of samples: left, right. What goes wrong is told at the end. */
void app_wave_put(struct app_wave *wave, const int16_t pair[2]);

/* Completes and renames. Returns 0, or -1 with a message and no file; frees. */
int app_wave_finish(struct app_wave *wave, const struct base_diag_sink *sink);

/* Removes what was begun and frees. NULL is fine. */
void app_wave_discard(struct app_wave *wave);

/* Packs a WAV that this program has written into a new FLAC of as many bits. Returns 0, or -1 with
 * errno and no file. */
int app_audio_pack(const char *wave, const char *flac);

/* What a sound file says of itself, asked of ffprobe, and its cover, decoded by ffmpeg; both apart
 * (app/apart/process.h). */

enum { APP_AUDIO_TAG = 256, APP_AUDIO_COVER = 320 };

struct app_audio_tags {
    char title[APP_AUDIO_TAG]; /* UTF-8, one line; without a title the file's name */
    char artist[APP_AUDIO_TAG];
    uint32_t *cover; /* APP_AUDIO_COVER pixels in both directions, 0x00RRGGBB, to be freed with
                        free; NULL: none */
};

/* Waits for both programs. stop: as of struct app_process. A file that tells nothing, or that
 * cannot be read, yields its name. Returns 0, or -1 without ffprobe, with a message. */
int app_audio_read_tags(const char *path, struct app_audio_tags *tags, const atomic_bool *stop,
                        const struct base_diag_sink *sink);

#endif
