/* The sound that a window paints to: what the speakers play, a device that is listened to, a file
 * or the demo tune that is played and heard, or a source paced by the clock. A keeper thread opens
 * and closes devices: a device that is lost, or a sound server that goes away, is reported once and
 * tried again every 2 s; until then there is silence. The painter's functions never wait. */
#ifndef APP_FEED_SOUND_H
#define APP_FEED_SOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "app/options/options.h"
#include "base/text.h"

struct app_sound;

/* Follows --audio, --audio-device and --start. With neither named, it listens to what the speakers
 * play (the monitor of the sound server's usual output), else to the default input, or plays the
 * built-in tune where there is neither. NULL with a message if what was asked for cannot be had. */
struct app_sound *app_sound_open(const struct app_options *options,
                                 const struct base_diag_sink *sink);
void app_sound_close(struct app_sound *sound); /* NULL is fine */

/* New samples since the last call, at most `frames`; none is left out as long as `frames` is
 * APP_AUDIO_KEPT and a call comes before so many have gathered. due: sound frames that should have
 * been read since the start when this call returns; it paces silence and sources without an output.
 * Neither locks, allocates nor waits: where a decoder is late there is silence. */
size_t app_sound_read(struct app_sound *sound, uint64_t due, float *interleaved, size_t frames);

/* Painter's. While it is on, what is heard of a source that is played is what app_sound_put_past
 * was given; the source goes on, and app_sound_read gives it. Neither means anything for a device
 * that is listened to, or a source without an output. */
void app_sound_play_past(struct app_sound *sound, bool on);

/* By one thread, which may be another one: samples of another time, as fast as they were heard. May
 * allocate. */
void app_sound_put_past(struct app_sound *sound, const float *interleaved, size_t frames);

/* Painter's. Sound frames that were left out since the start. */
uint64_t app_sound_dropped(const struct app_sound *sound);

enum { APP_SOUND_NAME = 128, APP_SOUND_DEVICES = 64 };

/* Asks the keeper for another device while running: its name, a part of it, or its number as in
 * `froth devices`; "demo" for the built-in tune; "" for the next of the list, and behind its end
 * the tune. The present one goes on until the other one is open; if it cannot be opened, that is
 * reported and the present one stays. Any thread. */
void app_sound_choose(struct app_sound *sound, const char *device);

enum app_sound_state {
    APP_SOUND_PLAYING,   /* a source, heard or paced */
    APP_SOUND_LISTENING, /* to a device */
    APP_SOUND_SILENT,    /* listening, but for 5 s there was nothing but silence */
    APP_SOUND_LOST,      /* the device is gone, it is tried again */
};
struct app_sound_status {
    enum app_sound_state state;
    char name[APP_SOUND_NAME]; /* of the device or source */
    float peak[2];             /* left and right, of the last tenth of a second, 0..1 */
};
/* Painter's thread; neither locks nor formats. */
void app_sound_status(struct app_sound *sound, struct app_sound_status *status);

/* Painter's. In the last 5 s there was more than silence, of a device or source that is there. */
bool app_sound_is_heard(const struct app_sound *sound);

/* The devices that can be listened to, for the operator's list: asked of the keeper, renewed now
 * and then; the first time this waits for them, at most 2 s. Not for the painter. Returns how many.
 */
size_t app_sound_devices(struct app_sound *sound, char (*names)[APP_SOUND_NAME], size_t most);

/* Prints the devices that there are, a line for each, or as JSON. Returns 0, or -1 with a message
 * if they cannot be asked for. Not while a sound is open. */
int app_sound_list(bool json, FILE *out, const struct base_diag_sink *sink);

#endif
