/* Which texels a group of pixels asks for, and where they lie in the machine's memory. */
#ifndef TMU_MODELS_TEXELS_H
#define TMU_MODELS_TEXELS_H

#include <stdbool.h>
#include <stdint.h>

#include "tmu/models/arch.h"
#include "tmu/trace.h"

enum { TMU_TEXELS_PIXELS = 4, TMU_TEXELS_MAX = 16, TMU_TEXELS_LEVELS = 16 };

/* A mip level. Number 0 is the texture itself, each further one half as wide and high. */
struct tmu_texel_level {
    uint64_t address;
    uint32_t width;
    uint32_t height;
    uint32_t tiles; /* from row to row of tiles */
};

struct tmu_texel_map {
    const struct tmu_arch *arch;
    struct tmu_texel_level levels[TMU_TEXELS_LEVELS];
    uint32_t level_count;
    bool folds; /* coordinates are brought into the texture here, not by the run */
    bool wraps_x;
    bool wraps_y;
};

/* Neighbouring pixels: upper left, upper right, lower left, lower right; NULL where there is none.
 * Groups of one pixel have it in the first place. */
struct tmu_texel_group {
    const struct tmu_fragment *pixels[TMU_TEXELS_PIXELS];
};

struct tmu_texel {
    uint64_t address; /* of its first byte */
    uint32_t x;
    uint32_t y;
    unsigned channel; /* as in struct tmu_sim_report */
};

/* Levels follow each other in memory, the smallest first; each begins at a line of the cache. */
void tmu_texel_map_init(struct tmu_texel_map *map, const struct tmu_arch *arch,
                        const struct tmu_trace_run *run);

/* The level of a quad: log2 of the largest step from pixel to pixel in texels, whole and not less
 * than 0. */
uint32_t tmu_texel_level_of(const struct tmu_texel_map *map, const struct tmu_texel_group *group);

uint64_t tmu_texel_address(const struct tmu_texel_map *map, uint32_t level, uint32_t x, uint32_t y);

/* Writes the requests of a group, pixel by pixel, channel by channel. Returns how many. */
unsigned tmu_texel_requests(const struct tmu_texel_map *map, const struct tmu_texel_group *group,
                            struct tmu_texel texels[TMU_TEXELS_MAX]);

#endif
