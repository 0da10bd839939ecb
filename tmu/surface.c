#include "tmu/tmu.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 1, TAIL = 8, STRIDE_STEP = 16, ALIGNMENT = 64 };

struct tmu_surface tmu_surface_create(int width, int height)
{
    assert(width >= 1 && width <= TMU_SIZE_MAX && height >= 1 && height <= TMU_SIZE_MAX);
    struct tmu_surface surface = {.width = width, .height = height};
    surface.stride = ((size_t)width + TAIL + STRIDE_STEP - 1) / STRIDE_STEP * (size_t)STRIDE_STEP;
    const size_t bytes = surface.stride * ((size_t)height + GUARD) * sizeof *surface.pixels;
    surface.pixels = aligned_alloc(ALIGNMENT, bytes);
    if (surface.pixels != NULL) {
        memset(surface.pixels, 0, bytes);
    }
    return surface;
}

void tmu_surface_free(struct tmu_surface *surface)
{
    free(surface->pixels);
    surface->pixels = NULL;
}

/* What is there already is not written again: the lines that other threads have of it stay good. */
void tmu_surface_guard(struct tmu_surface *surface)
{
    const size_t width = (size_t)surface->width;
    const size_t height = (size_t)surface->height;
    const size_t bytes = (width + 1) * sizeof *surface->pixels;
    uint32_t *below = surface->pixels + height * surface->stride;
    for (size_t y = 0; y < height; y++) {
        uint32_t *row = surface->pixels + y * surface->stride;
        if (row[width] != row[0]) {
            row[width] = row[0];
        }
    }
    if (memcmp(below, surface->pixels, bytes) != 0) {
        memcpy(below, surface->pixels, bytes);
    }
}
