/* What the files of libfroth know of an instance. */
#ifndef ENGINE_EMBED_INSTANCE_H
#define ENGINE_EMBED_INSTANCE_H

#include <locale.h>
#include <pthread.h>
#include <stdbool.h>

#include "base/os/thread.h"
#include "base/text.h"
#include "engine/device/device.h"
#include "engine/embed/froth.h"
#include "engine/embed/program.h"
#include "engine/engine.h"
#include "engine/feed/loader.h"
#include "engine/feed/sound.h"
#include "engine/governor.h"

enum { INSTANCE_TAKEN = 8 };

/* Who has the pictures that shaders name. */
struct instance_pictures {
    froth_texture_function function; /* NULL: nobody */
    void *user;
};

struct froth {
    struct rend_config config;
    struct engine_rate rate;
    bool exact;
    bool direct; /* each frame has a step of its own, or a mixture */
    struct instance_extras extras;
    struct base_pool *pool;
    struct engine_device *device; /* that was asked for; NULL: none */
    struct engine *engine;
    struct engine_loader *loader;
    struct engine_sound *sound;
    struct instance_pictures pictures;
    struct engine_loaded *waiting;                     /* for the beat; NULL: none */
    const struct engine_loaded *current;               /* taken last; NULL: none */
    const struct engine_loaded *taken[INSTANCE_TAKEN]; /* in use */
    uint32_t *kept; /* the picture, where the host's memory has it in another form */
    struct engine_governor governor;
    bool adaptive; /* it sets the divisors */
    unsigned made; /* steps of this frame */
    int shader_pixels;
    bool lost;       /* it was drawn into the host's memory only */
    unsigned events; /* not asked for yet */
    locale_t plain;  /* numbers have points, whatever the host's language has */
    froth_message_function message;
    void *user;
    struct base_diag_sink sink;
    pthread_mutex_t telling; /* one message at a time */
};

/* host: outlives what is made of it. */
struct rend_pictures instance_pictures(struct instance_pictures *host, size_t memory,
                                       uint64_t seed);

/* Gives the show the divisors of its shaders: those of the config, or of the governor. */
void instance_set_divisors(froth *show);

/* Retires what the show no longer uses. */
void instance_retire(froth *show);

/* Gives back a preset that waits for the beat, if one does. */
void instance_drop_waiting(froth *show);

/* The show has taken it. */
void instance_took(froth *show, const struct engine_loaded *loaded);

#endif
