/* A preset as the board would play it: canvas of 512 x 512, 32 x 32 squares, 30 frames per second.
 * What is kept of each frame are the runs of the texture mapper. */
#ifndef APP_CACHE_PRESET_H
#define APP_CACHE_PRESET_H

#include "app/cache_runs.h"
#include "base/diag.h"
#include "base/thread.h"

struct app_cache_preset;

/* sound: as app_audio_open takes it. The pool must outlive the preset; sound and path are kept by
 * reference. NULL with a message if the preset or the sound cannot be read. */
struct app_cache_preset *app_cache_preset_open(const char *path, const char *sound,
                                               struct base_pool *pool,
                                               const struct base_diag_sink *sink);
void app_cache_preset_close(struct app_cache_preset *preset); /* NULL is fine */

/* Draws the next frame. Behind the end of the sound there is silence. */
void app_cache_preset_next(struct app_cache_preset *preset, struct app_cache_runs *runs);

#endif
