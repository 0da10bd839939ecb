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
#include "renderer/picture/resources.h"

struct instance_extras {
    enum base_cpu_level cpu;
    const struct rend_observer *observer; /* of each stage; may be NULL; outlives the instance */
    const struct base_diag_sink *sink;    /* in place of the message function; outlives it too */
    const struct rend_pictures *pictures; /* in place of the texture function; copied */
    /* The memory of all pictures is one, which nobody else draws into but over a new one: a picture
     * without a step stays as it is, and a blackout is left to who shows it. The format is BGRX. */
    bool in_place;
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

/* The show, to look at. */
struct engine *instance_engine(froth *show);

#endif
