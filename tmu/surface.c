#include "tmu/tmu.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Two guard columns and rows: a coordinate that rounds up to the right or lower edge fetches the
 * first guard and, with weight 0, the second. */
enum { GUARD = 2, TAIL = 8, STRIDE_STEP = 16 };

struct tmu_surface tmu_surface_create(int width, int height)
{
    assert(width >= 1 && width <= TMU_SIZE_MAX && height >= 1 && height <= TMU_SIZE_MAX);
    struct tmu_surface surface = {.width = width, .height = height};
    surface.stride = ((size_t)width + TAIL + STRIDE_STEP - 1) / STRIDE_STEP * (size_t)STRIDE_STEP;
    surface.pixels = calloc(surface.stride * ((size_t)height + GUARD), sizeof *surface.pixels);
    return surface;
}

void tmu_surface_free(struct tmu_surface *surface)
{
    free(surface->pixels);
    surface->pixels = NULL;
}

void tmu_surface_guard(struct tmu_surface *surface, enum tmu_address address)
{
    const size_t width = (size_t)surface->width;
    const size_t height = (size_t)surface->height;
    for (size_t y = 0; y < height; y++) {
        uint32_t *row = surface->pixels + y * surface->stride;
        for (size_t i = 0; i < GUARD; i++) {
            row[width + i] = address == TMU_WRAP ? row[i % width] : row[width - 1];
        }
    }
    for (size_t i = 0; i < GUARD; i++) {
        const size_t from = address == TMU_WRAP ? i % height : height - 1;
        memcpy(surface->pixels + (height + i) * surface->stride,
               surface->pixels + from * surface->stride, surface->stride * sizeof(uint32_t));
    }
}
