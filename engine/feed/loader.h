/* Makes the presets of a show ready, where no program around it does so: in their order, and those
 * that are named; by a thread beside the show, or within the call that wants one. */
#ifndef ENGINE_FEED_LOADER_H
#define ENGINE_FEED_LOADER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "engine/course.h"
#include "engine/feed/order.h"
#include "engine/loading.h"
#include "renderer/picture/resources.h"
#include "renderer/show.h"

/* A compiled preset with the text that it was made of; belongs to those of engine_loaded that name
 * it. */
struct engine_preset {
    struct rend_patch *patch;
    char *text;
    size_t size;
    unsigned users; /* under the loader's lock */
    char path[ENGINE_PATH];
    char name[ENGINE_PRESET_NAME];
};

/* A preset with everything that a show needs of it; rend_cue_user of the cue gives it back. */
struct engine_loaded {
    struct engine_preset *preset;
    struct rend_cue *cue;
    struct engine_loaded *next; /* for the loader's use */
    double seconds;             /* how long it is to be shown; below 0: as usual */
    long item;                  /* of the order; -1: none of them */
};

struct engine_loader;

struct engine_loader_setup {
    struct rend_config config;
    struct engine_changes changes;
    double planned;                /* seconds for which a preset is shown; 0: not known */
    struct rend_pictures pictures; /* where those come from that shaders name */
    bool random;
    bool beside; /* by a thread */
};

/* Messages go to the sink, from the thread that loads. NULL without memory or thread. */
struct engine_loader *engine_loader_create(const struct engine_loader_setup *setup,
                                           const struct base_diag_sink *sink);

/* Ends the thread and frees everything that was not taken, or was retired. NULL is fine. */
void engine_loader_free(struct engine_loader *loader);

/* ---- for any thread but the one that paints: these wait for each other, and for a preset that is
 * being loaded ---- */

/* As of engine_order_add and engine_order_add_text. The first preset of a loader without one is
 * asked for by itself. */
long engine_loader_add(struct engine_loader *loader, const char *path);
int engine_loader_add_text(struct engine_loader *loader, const char *name, struct base_span text);

/* What runs goes on. */
void engine_loader_clear(struct engine_loader *loader);

size_t engine_loader_count(struct engine_loader *loader);

/* Stores the path or name; false if there is no such preset. */
bool engine_loader_path(struct engine_loader *loader, size_t item, char *path, size_t size);

/* Makes this one of the order ready. 0, or -1 after messages. */
int engine_loader_choose(struct engine_loader *loader, size_t item, bool hard);

/* Makes the file ready, or, if text.data is not NULL, this text of that name. Likewise. */
int engine_loader_load(struct engine_loader *loader, const char *path, struct base_span text,
                       bool hard);

/* Makes the file ready, with this transition (empty: as usual), to be shown for so many seconds.
 * Its patch, which stays as long as it is in use; NULL after messages. */
const struct rend_patch *engine_loader_load_for(struct engine_loader *loader, const char *path,
                                                const char *transition, double seconds);

void engine_loader_random(struct engine_loader *loader, bool on);
void engine_loader_blend(struct engine_loader *loader, double seconds);
bool engine_loader_transition(struct engine_loader *loader, const char *name);

/* Presets are made for this config from now on. Returns the newest one made for it, with a cut: the
 * one that waits to be taken, else `current` (NULL: none), of which the caller still gives its own
 * back. NULL if there is none, or without memory: *failed then. */
struct engine_loaded *engine_loader_resize(struct engine_loader *loader,
                                           const struct rend_config *config,
                                           const struct engine_loaded *current, bool *failed);

/* What the next transition is like: to be kept, and put back. */
struct engine_changes engine_loader_changes(struct engine_loader *loader);
void engine_loader_put_changes(struct engine_loader *loader, const struct engine_changes *changes);

/* Makes a preset ready for a state that is restored, with that change: `like`'s, or if it is NULL
 * the text of that name. NULL after messages. */
struct engine_loaded *engine_loader_remake(struct engine_loader *loader,
                                           const struct engine_loaded *like, const char *path,
                                           struct base_span text, const struct rend_change *change);

/* Waits until a preset can be taken or none is asked for, at most so many seconds. Returns whether
 * one can be. */
bool engine_loader_wait(struct engine_loader *loader, double seconds);

/* ---- for the thread that paints: these never wait, lock or allocate, where the loader has a
 * thread
 * ---- */

/* Asks for the preset that comes `steps` later in order. One that cannot be loaded is reported and
 * passed over. */
void engine_loader_step(struct engine_loader *loader, int steps, bool hard);

/* Tells what the init equations of the next preset find. */
void engine_loader_tell(struct engine_loader *loader, const struct rend_moment *moment);

/* The newest preset that has not been taken yet, made now where there is no thread; NULL if there
 * is none. It is given back with engine_loader_retire. */
struct engine_loaded *engine_loader_take(struct engine_loader *loader);
void engine_loader_retire(struct engine_loader *loader, struct engine_loaded *loaded);

/* There is one preset at most: nothing comes after it by itself. */
bool engine_loader_alone(const struct engine_loader *loader);

#endif
