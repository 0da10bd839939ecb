/* What froth's own program adds to an instance of the library. Making, feeding, stepping and
 * painting go through froth.h, as with every host; here is what no other host needs: its own reader
 * of pictures, its log, its clocks, and a look at the show itself. No part of the library's
 * interface: the shared library does not show these functions.
 *
 * Threads: as of froth.h, for who paints. */
#ifndef ENGINE_EMBED_PROGRAM_H
#define ENGINE_EMBED_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cpu.h"
#include "base/text.h"
#include "engine/embed/froth.h"
#include "engine/engine.h"
#include "engine/feed/loader.h"
#include "presets/milk/preset.h"
#include "renderer/picture/resources.h"

struct instance_extras {
    enum base_cpu_level cpu;
    int64_t cost;                         /* that drawing a frame may have, as rend_config.cost */
    double speed;                         /* of a live show's time: frames that pass in one; 0: 1 */
    const struct rend_device *device;     /* as rend_config.device; NULL: none; outlives it */
    const struct rend_observer *observer; /* of each stage; may be NULL; outlives the instance */
    const struct base_diag_sink *sink;    /* in place of the message function; outlives it too */
    const struct rend_pictures *pictures; /* in place of the texture function; copied */
    /* The memory of all pictures is one, which nobody else draws into but over a new one: a picture
     * without a step stays as it is, and a blackout is left to who shows it. The format is BGRX. */
    bool in_place;
    /* It repeats another show: presets come from instance_take, and it never thinks itself alone
     * with one. */
    bool repeats;
    /* As of struct engine_loader_setup. */
    struct engine_source source;
    struct engine_dresser dresser;
    bool watches;
    bool opens;
    bool resumes;
    /* Who is told of chance, of how long transitions take and of their kind, where the functions
     * are not NULL. */
    struct engine_supply supply;
    struct engine_watcher watcher; /* as of struct engine_setup */
    /* The next picture shows this preset, or again: another version of what runs; may be NULL. */
    void (*took)(void *user, const struct engine_loaded *loaded, bool again);
    /* Shaders are computed with other divisors from the next picture on, since this one took so
     * long; may be NULL. */
    void (*adapted)(void *user, const int divisors[REND_SHADER_STAGES]);
    void (*stepped)(void *user, unsigned events); /* after each step; may be NULL */
    void *user;
};

/* As froth_create. extras: copied; NULL: none. */
froth *instance_create(const struct froth_config *config, const struct instance_extras *extras,
                       int *result);

/* Makes a preset ready, which comes with the next picture, by a transition of this name (empty: as
 * usual), to be shown for so many seconds. Waits until that is done. The patch, as long as the show
 * uses it; NULL after messages. */
const struct rend_patch *instance_load(froth *show, const char *path, const char *transition,
                                       double seconds);

/* ---- a show that is repeated, call by call ---- */

/* Makes a text ready under that path, with that change and at that moment (NULL: as the show is
 * now). NULL after messages. It is taken, or given to engine_loader_retire. */
struct engine_loaded *instance_make(froth *show, const char *path, struct base_span text,
                                    const struct rend_change *change,
                                    const struct rend_moment *moment);

/* Takes it as froth_render would. */
void instance_take(froth *show, struct engine_loaded *loaded, bool again);

/* As a picture of another size does. FROTH_NO_MEMORY: it stays as it was. */
int instance_resize(froth *show, int width, int height);

/* As froth_save, but it never waits: FROTH_NOTHING where somebody else looks at what is saved.
 * *wanted: how many bytes it takes. */
int instance_save(froth *show, void *bytes, size_t size, size_t *wanted);

/* The preset that runs, or that comes, as a text with its values as they are now, to be freed; with
 * `language` what it is written in. NULL without one, or without memory. */
char *instance_text(froth *show, size_t *size, enum preset_language *language);

/* The show, to look at, and for commands that have been read. */
struct engine *instance_engine(froth *show);

/* Who makes its presets ready. */
struct engine_loader *instance_loader(froth *show);

#endif
