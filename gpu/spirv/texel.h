/* Texels of a surface read between their centres, in whole numbers, with the bits of tmu/kernels.h.
 * All of one invocation. */
#ifndef GPU_SPIRV_TEXEL_H
#define GPU_SPIRV_TEXEL_H

#include "gpu/spirv/words.h"

/* A surface in a buffer; behind its columns and rows the first ones stand again. */
struct spirv_surface {
    unsigned buffer;
    uint32_t first; /* place of its first texel, */
    uint32_t pitch; /* and from row to row */
};

/* The position of a coordinate on an axis of `size` texels, 2^32 being once around: (c * size) >>
 * 16. size: below 2^16. */
uint32_t spirv_wrap(struct spirv *module, uint32_t coordinate, uint32_t size);

/* The texel, 0x00RRGGBB, at positions that lie on the surface, 2^16 for each texel, of full keep.
 */
uint32_t spirv_texel(struct spirv *module, const struct spirv_surface *surface, uint32_t x,
                     uint32_t y);

#endif
