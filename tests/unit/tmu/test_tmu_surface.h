/* Surfaces of random pixels, for the tests of the mapper. Include behind cmocka. */
#ifndef TEST_TMU_SURFACE_H
#define TEST_TMU_SURFACE_H

#include <math.h>

#include "base/cpu.h"
#include "base/random.h"
#include "tmu/tmu.h"

static inline enum base_cpu_level level_of(int level)
{
    return (enum base_cpu_level)level;
}

static inline void assert_near(double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance)) {
        fail_msg("%.6f instead of %.6f", got, expected);
    }
}

static inline void fill_random(struct tmu_surface *surface, struct base_rng *rng)
{
    for (size_t y = 0; y < (size_t)surface->height; y++) {
        for (size_t x = 0; x < (size_t)surface->width; x++) {
            surface->pixels[y * surface->stride + x] = base_rng_next(rng) & 0xFFFFFF;
        }
    }
    tmu_surface_guard(surface);
}

static inline struct tmu_surface random_surface(int width, int height, struct base_rng *rng)
{
    struct tmu_surface surface = tmu_surface_create(width, height);
    assert_non_null(surface.pixels);
    fill_random(&surface, rng);
    return surface;
}

#endif
