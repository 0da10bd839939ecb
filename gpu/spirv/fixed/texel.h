/* Texels of a surface read between their centres, in whole numbers, with the bits of tmu/kernels.h.
 * All of one invocation. */
#ifndef GPU_SPIRV_FIXED_TEXEL_H
#define GPU_SPIRV_FIXED_TEXEL_H

#include "gpu/spirv/words.h"

/* A surface in a buffer; what stands behind its columns and rows is not read. */
struct spirv_surface {
    unsigned buffer;
    uint32_t first; /* place of its first texel, */
    uint32_t pitch; /* and from row to row */
};

/* The position of a coordinate on an axis of `size` texels, 2^32 being once around: (c * size) >>
 * 16. size: below 2^16. */
uint32_t spirv_wrap(struct spirv *module, uint32_t coordinate, uint32_t size);

/* On an axis of a surface: two neighbours, and how far it is from the first to the second one,
 * 0..255. The last one's neighbour is the first one of all. */
struct spirv_neighbours {
    uint32_t first;
    uint32_t second;
    uint32_t fraction;
};

/* Of a position on an axis of `size` texels, 2^16 for each. */
struct spirv_neighbours spirv_neighbours(struct spirv *module, uint32_t position, uint32_t size);

/* The texel, 0x00RRGGBB. keep: what of it is kept (struct tmu_sampler); 0: all. */
uint32_t spirv_texel(struct spirv *module, const struct spirv_surface *surface,
                     const struct spirv_neighbours *x, const struct spirv_neighbours *y,
                     uint32_t keep);

#endif
