/* Reads and compiles presets and makes them ready in a thread of its own, so that this does not
 * delay a frame. Follows the running preset's file: when that changes, it comes
 * again, unless it now has errors and had none before. These are reported; the former version
 * stays.
 *
 * All functions but start and stop belong to the thread that paints; they never lock or wait. */
#ifndef APP_PLAY_LOADER_H
#define APP_PLAY_LOADER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "presets/library.h"
#include "app/changes.h"

/* user of its cue. */
struct app_loaded {
    struct rend_patch *patch;
    struct rend_cue *cue;
    char *name;
    const char *path;        /* the list's: the same one for each version of a file */
    struct app_loaded *next; /* for the loader's use */
};

struct app_loader;

struct app_loader_setup {
    const struct preset_list *list; /* not empty; outlives the loader */
    uint64_t seed;                  /* of the order */
    struct rend_config config;
    struct app_changes changes;
    double planned;       /* seconds for which a preset is shown */
    const char *textures; /* folder of pictures, may be NULL */
};

/* Begins with the first of the list that can be loaded. Messages go to the sink, from the loader's
 * thread. NULL with a message without memory or thread. */
struct app_loader *app_loader_start(const struct app_loader_setup *setup,
                                    const struct base_diag_sink *sink);

/* Ends the thread and frees everything that was not taken. NULL is fine. */
void app_loader_stop(struct app_loader *loader);

enum app_loader_change { APP_CHANGE_SOFT, APP_CHANGE_HARD };

/* Asks for the preset `steps` ahead in order (behind if negative). One that cannot be loaded is
 * reported and skipped. */
void app_loader_step(struct app_loader *loader, int steps, enum app_loader_change change);

/* Tells what the init equations of the next preset find. */
void app_loader_tell(struct app_loader *loader, const struct rend_moment *moment);

/* Random order from the next step on. */
void app_loader_random(struct app_loader *loader, bool random);

/* The newest preset that has not been taken yet; NULL if there is none. The caller gives it back
 * with app_loader_retire when nothing uses it any more. */
struct app_loaded *app_loader_take(struct app_loader *loader);

/* Frees the preset, in the loader's thread. NULL is fine. */
void app_loader_retire(struct app_loader *loader, struct app_loaded *loaded);

/* None of the presets could be loaded, not one so far; the loader has given up. */
bool app_loader_failed(const struct app_loader *loader);

#endif
