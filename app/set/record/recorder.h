/* The recorder of a show: what the painter tells it goes through a ring to a thread that writes it
 * into files, and into the past in memory. */
#ifndef APP_SET_RECORD_RECORDER_H
#define APP_SET_RECORD_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/set/event.h"
#include "app/set/past.h"
#include "base/text.h"
#include "engine/embed/program.h"

struct app_set_recorder;

/* A recorder with its thread, which waits until a recording is wanted. sink: outlives it, and is
 * told by its thread too. space: bytes that recordings without a given name may take together; 0:
 * as many as there are. past: where all is kept as well, recorded or not; outlives it; NULL:
 * nowhere. NULL with a message without memory or thread. */
struct app_set_recorder *app_set_recorder_create(const struct app_set_head *head, uint64_t space,
                                                 struct app_set_past *past,
                                                 const struct base_diag_sink *sink);

/* Ends what is recorded, waits until it is on the disk, and frees. NULL is fine. */
void app_set_recorder_close(struct app_set_recorder *recorder);

/* Before the show is made: records from its beginning, into a new folder of this name, or, if it is
 * NULL, into one named by the time, in froth's own folder of recordings. Returns 0, or -1 with a
 * message. */
int app_set_recorder_begin(struct app_set_recorder *recorder, const char *name);

/* What the show is to be made with: who watches it, and pictures that are noted. */
struct engine_watcher app_set_recorder_watcher(struct app_set_recorder *recorder);
struct rend_pictures app_set_recorder_pictures(struct app_set_recorder *recorder,
                                               const struct rend_pictures *pictures);

/* The painter's; none of these waits, allocates, locks or formats. */

/* Samples as a recording keeps them, of 24 bits: before the show hears them. */
void app_set_round(float *samples, size_t count);

/* Records from now on, or no longer. */
void app_set_recorder_switch(struct app_set_recorder *recorder, bool on);
bool app_set_recorder_is_on(const struct app_set_recorder *recorder);

/* The same, into a folder of this name; NULL: of the time. Before the first frame. */
void app_set_recorder_want(struct app_set_recorder *recorder, const char *name);

/* Makes a video of the last quarter of a minute, in the recording's folder `clips`, by a process of
 * its own. False: nothing is recorded. */
bool app_set_recorder_clip(struct app_set_recorder *recorder, froth *show);

/* The folder that is being recorded into; NULL: nothing is. Valid until it ends. */
const char *app_set_recorder_folder(const struct app_set_recorder *recorder);

/* What was shown. */
struct app_set_shown {
    const uint32_t *pixels; /* 0x00RRGGBB, of the show's size or smaller; NULL: not known */
    size_t stride;          /* in pixels */
    int width;
    int height;
    double work; /* seconds that drawing it took */
};

/* After each frame. */
void app_set_recorder_frame(struct app_set_recorder *recorder, froth *show,
                            const struct app_set_shown *shown);

#endif
