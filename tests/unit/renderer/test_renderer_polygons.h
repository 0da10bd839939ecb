/* Polygons for tests. */
#ifndef TEST_RENDERER_POLYGONS_H
#define TEST_RENDERER_POLYGONS_H

#include <math.h>

#include "base/fmath.h"
#include "base/random.h"
#include "renderer/draw/polygon.h"
#include "tmu/tmu.h"

/* A polygon and what it points to; not to be copied. */
struct made_polygon {
    struct rend_polygon polygon;
    double cosine[REND_POLYGON_SIDES];
    double sine[REND_POLYGON_SIDES];
    struct rend_point rim[REND_POLYGON_SIDES + 1];
};

/* Without colour, opaque. The texture lies once across a reach of 1. */
static inline void make_polygon(struct made_polygon *made, int sides, struct rend_point centre,
                                double reach_x, double reach_y, double angle)
{
    for (int k = 0; k < sides; k++) {
        const double theta = 2 * BASE_PI * k / sides + angle;
        made->cosine[k] = base_cos(theta);
        made->sine[k] = base_sin(theta);
        made->rim[k] = (struct rend_point){(float)((double)centre.x + reach_x * made->cosine[k]),
                                           (float)((double)centre.y + reach_y * made->sine[k])};
    }
    made->rim[sides] = made->rim[0];
    made->polygon = (struct rend_polygon){.sides = sides,
                                          .centre = centre,
                                          .reach_x = reach_x,
                                          .reach_y = reach_y,
                                          .cosine = made->cosine,
                                          .sine = made->sine,
                                          .rim = made->rim,
                                          .inner = {.a = 255},
                                          .outer = {.a = 255},
                                          .blend = REND_BLEND_ALPHA,
                                          .u = {0.5, 0.5, 0},
                                          .v = {0.5, 0, 0.5}};
}

static inline double random_between(struct base_rng *rng, double low, double high)
{
    return low + (high - low) * (base_rng_next(rng) / 4294967296.0);
}

static inline struct rend_colour random_opaque(struct base_rng *rng)
{
    const uint32_t word = base_rng_next(rng);
    return (struct rend_colour){(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), 255};
}

/* pixels NULL without memory. */
static inline struct tmu_surface random_texture(struct base_rng *rng)
{
    struct tmu_surface texture = tmu_surface_create(37, 29);
    for (size_t i = 0; texture.pixels != NULL && i < texture.stride * 29; i++) {
        texture.pixels[i] = base_rng_next(rng) & 0xFFFFFF;
    }
    if (texture.pixels != NULL) {
        tmu_surface_guard(&texture);
    }
    return texture;
}

#endif
