/* Going back in a show, while it goes on: another show, played from what is kept of it (past.h), or
 * from its recording, by a thread of its own, whose pictures take the place of the live ones. */
#ifndef APP_SET_REWIND_H
#define APP_SET_REWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/options/options.h"
#include "app/set/past.h"
#include "base/text.h"

struct app_set_rewind;

struct app_set_rewind_setup {
    struct app_set_past *past; /* NULL: nothing is kept; outlives it */
    struct app_size size;
    size_t threads;
    enum base_cpu_level cpu;
    const char *textures; /* folder for pictures of presets; NULL: the usual */
    /* What belongs to the picture that is shown now, as it is shown; called by its thread. NULL:
     * nobody hears it. */
    void (*hear)(void *user, const float *samples, size_t frames);
    void *user;
};

/* A thread, which sleeps until it is asked for something. sink: outlives it, and is told by its
 * thread too. NULL with a message without memory or thread. */
struct app_set_rewind *app_set_rewind_create(const struct app_set_rewind_setup *setup,
                                             const struct base_diag_sink *sink);
void app_set_rewind_close(struct app_set_rewind *rewind); /* NULL is fine */

/* ---- the painter's: none of these waits, allocates or locks; NULL is fine ----
 * folder: the recording to go back in, where no past is kept; else it is not looked at, and may be
 * NULL. */

/* Goes so many seconds back from what is shown (on, if negative), and plays from there. */
void app_set_rewind_back(struct app_set_rewind *rewind, const char *folder, double seconds);

/* Goes to what was shown live so many seconds ago, and plays from there. Of several that come
 * faster than they can be shown, the last one is. */
void app_set_rewind_to(struct app_set_rewind *rewind, const char *folder, double seconds);

/* Stands still, so many frames on, or back. */
void app_set_rewind_step(struct app_set_rewind *rewind, const char *folder, int frames);

/* Plays the last bars of what is shown again and again; 0: no longer. bpm: of their beats where it
 * is not known from the past. */
void app_set_rewind_loop(struct app_set_rewind *rewind, const char *folder, double bars,
                         double bpm);

/* The live picture is shown again. */
void app_set_rewind_live(struct app_set_rewind *rewind);

/* What is to be shown in place of the live picture; NULL: that one. Valid until the next call.
 * *frame: of the show; *fresh: it is another one than at the last call. */
const uint32_t *app_set_rewind_picture(struct app_set_rewind *rewind, uint64_t *frame, bool *fresh);

/* What is shown, for any thread. Frames of the show. */
struct app_set_shown_past {
    uint64_t frame; /* 0: the live picture */
    uint64_t from;  /* of a loop, 0: there is none */
    uint64_t to;
    bool stands;
};
struct app_set_shown_past app_set_rewind_tell(const struct app_set_rewind *rewind);

#endif
