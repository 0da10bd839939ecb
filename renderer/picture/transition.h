/* When each pixel goes while one picture replaces another (spec/milk-rendering.md section 10). */
#ifndef RENDERER_PICTURE_TRANSITION_H
#define RENDERER_PICTURE_TRANSITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "renderer/picture/rows.h"

enum rend_transition {
#define REND_TRANSITION(id, ...) REND_TRANSITION_##id,
#include "renderer/picture/transitions.def"
    REND_TRANSITIONS
};

/* The name as in transitions.def. */
const char *rend_transition_name(enum rend_transition transition);

/* When each pixel goes: 65535 first, 0 last. */
struct rend_way {
    enum rend_transition transition;
    double softness;      /* above 0, up to 1 */
    const uint16_t *when; /* width * height; NULL: all together, or by the light of the old picture
                           */
};

/* Memory that rend_way_make wants for `when`, in bytes; 0 where none is needed. */
size_t rend_way_size(enum rend_transition transition, int width, int height);

/* Draws a way by chance; the same seed gives the same one. `when` has rend_way_size bytes and stays
 * the caller's. Takes about 0.1 s for a large picture: not for the painter. */
struct rend_way rend_way_make(enum rend_transition transition, int width, int height, uint64_t seed,
                              uint16_t *when);

/* done: 0 (nothing yet) to 1. */
struct rend_weights rend_way_weights(const struct rend_way *way, double done);

/* The same weight, 0..256, for every pixel. */
struct rend_weights rend_weights_even(unsigned weight);

#endif
