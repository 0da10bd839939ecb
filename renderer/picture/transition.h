/* The weight of each pixel while one picture replaces another (spec/milk-rendering.md section 10),
 * and the kernel that mixes them. */
#ifndef RENDERER_PICTURE_TRANSITION_H
#define RENDERER_PICTURE_TRANSITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"

enum rend_transition {
#define REND_TRANSITION(id, name, softness, more, help) REND_TRANSITION_##id,
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

/* Weight of a pixel at one moment, 0 (old) to 256 (new): (clamp(when + offset, 0, limit) * scale)
 * >> 16. */
struct rend_weights {
    int32_t offset;
    int32_t limit;
    int32_t scale;
};

/* done: 0 (nothing yet) to 1. */
struct rend_weights rend_way_weights(const struct rend_way *way, double done);

/* The same weight, 0..256, for every pixel. */
struct rend_weights rend_weights_even(unsigned weight);

/* out = (old * (256 - weight) + new * weight + 128) >> 8 in each channel. when: of these pixels;
 * NULL: the light of the old ones, 77 red + 150 green + 29 blue. out may be one of the pictures. */
typedef void (*rend_cross_row)(uint32_t *out, const uint32_t *old_row, const uint32_t *new_row,
                               const uint16_t *when, size_t count,
                               const struct rend_weights *weights);

rend_cross_row rend_cross_for(enum base_cpu_level level);
void rend_cross_plain(uint32_t *out, const uint32_t *old_row, const uint32_t *new_row,
                      const uint16_t *when, size_t count, const struct rend_weights *weights);
void rend_cross_avx2(uint32_t *out, const uint32_t *old_row, const uint32_t *new_row,
                     const uint16_t *when, size_t count, const struct rend_weights *weights);

#endif
