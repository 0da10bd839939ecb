/* Going back in a show that is being recorded, while it goes on: another show, played from the
 * recording by a thread of its own, whose pictures take the place of the live ones. */
#ifndef APP_SET_REWIND_H
#define APP_SET_REWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/options/options.h"
#include "base/text.h"

struct app_set_rewind;

/* A thread, which sleeps until it is asked for something. sink: outlives it, and is told by its
 * thread too. NULL with a message without memory or thread. */
struct app_set_rewind *app_set_rewind_create(struct app_size size, size_t threads,
                                             enum base_cpu_level cpu,
                                             const struct base_diag_sink *sink);
void app_set_rewind_close(struct app_set_rewind *rewind); /* NULL is fine */

/* ---- the painter's: none of these waits, allocates or locks; NULL is fine ---- */

/* Goes so many seconds back from what is shown (on, if negative), in the recording in this folder,
 * and plays from there. */
void app_set_rewind_back(struct app_set_rewind *rewind, const char *folder, double seconds);

/* Stands still, so many frames on, or back. */
void app_set_rewind_step(struct app_set_rewind *rewind, const char *folder, int frames);

/* Plays the last seconds of what is shown again and again; 0: no longer. */
void app_set_rewind_loop(struct app_set_rewind *rewind, const char *folder, double seconds);

/* The live picture is shown again. */
void app_set_rewind_live(struct app_set_rewind *rewind);

/* What is to be shown in place of the live picture; NULL: that one. Valid until the next call. */
const uint32_t *app_set_rewind_picture(struct app_set_rewind *rewind);

#endif
