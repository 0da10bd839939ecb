/* The sound that a window paints to: a played source, a device that is listened to, or a source
 * paced by the clock. A device that is lost is reported once and tried again every 2 s, in a thread
 * of its own; until then there is silence. */
#ifndef APP_PLAY_SOUND_H
#define APP_PLAY_SOUND_H

#include <stddef.h>
#include <stdint.h>

#include "app/options.h"
#include "base/diag.h"

struct app_sound;

/* Follows --audio, --audio-device and --start. With neither named, it listens to the default input,
 * or plays the built-in tune where there is none. NULL with a message if what was asked for cannot
 * be had. */
struct app_sound *app_sound_open(const struct app_options *options,
                                 const struct base_diag_sink *sink);
void app_sound_close(struct app_sound *sound); /* NULL is fine */

/* New samples since the last call, at most `frames`. due: sound frames that should have been read
 * since the start when this call returns; it paces silence and sources without an output. Neither
 * locks nor waits, except for reading a file where there is no output. */
size_t app_sound_read(struct app_sound *sound, uint64_t due, float *interleaved, size_t frames);

#endif
