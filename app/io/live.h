/* Live sound through PortAudio: the only file that knows that library is live.c.
 * Input: what a device hears, through a ring. Output: what a source plays, heard and seen alike. */
#ifndef APP_IO_LIVE_H
#define APP_IO_LIVE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "app/io/audio.h"
#include "base/os/thread.h"
#include "base/text.h"

struct app_live;

enum { APP_LIVE_NAME = 128 };

struct app_live_device {
    char name[APP_LIVE_NAME];
    int inputs; /* channels */
    int outputs;
    bool usual_input;
    bool usual_output;
};

/* The devices that there are; those plugged in while another one is open may be missing. Sets
 * `count`. Returns 0, or -1 with a message if PortAudio does not start. */
int app_live_devices(struct app_live_device *devices, size_t most, size_t *count,
                     const struct base_diag_sink *sink);

/* Listens to the input device of this name (NULL: the default). NULL with a message if there is no
 * such device or it cannot be opened. Nothing of PortAudio's or ALSA's own chatter reaches standard
 * error, but for a few lines of its thread when a device is lost. */
struct app_live *app_live_listen(const char *name, const struct base_diag_sink *sink);

/* What is heard in place of a source for a while, which goes on unheard. Zero-initialise; ring: of
 * the caller, who writes to it at the device's rate. */
struct app_live_aside {
    struct base_ring ring;
    atomic_bool on;
    atomic_int rate; /* of the device; 0: none has been opened */
};

/* Plays `source` on the default output and hands the same samples to app_live_read in step with
 * what is heard, or would be. The source stays the caller's but is read by a thread of app_live
 * until app_live_close. aside: may be NULL; outlives it. NULL with a message if there is no output:
 * the caller may then pace the source by its own clock. */
struct app_live *app_live_play(struct app_audio *source, struct app_live_aside *aside,
                               const struct base_diag_sink *sink);

void app_live_close(struct app_live *live); /* NULL is fine */

/* New samples since the last call, at most `frames`, at APP_AUDIO_RATE (resampled where the device
 * has another rate). Never blocks. If more are waiting than `frames`, the newest are given. */
size_t app_live_read(struct app_live *live, float *interleaved, size_t frames);

/* Sound frames, at APP_AUDIO_RATE, that came and that app_live_read never gave: more than
 * it was asked for, or more than APP_AUDIO_KEPT in between. */
size_t app_live_dropped(const struct app_live *live);

/* The played source has come to its end. Always false while listening. */
bool app_live_ended(const struct app_live *live);

/* The device has stopped by itself (unplugged). app_live_close it and try again later. */
bool app_live_lost(const struct app_live *live);

/* Name of the device; stays valid until app_live_close. */
const char *app_live_name(const struct app_live *live);

#endif
