/* Texture reads of four lanes. */
#include "base/simd.h"

#if defined(BASE_SIMD)
#include "renderer/shader/run/read_texels.h"

#include "renderer/shader/run/read_details.h"

BASE_INLINE struct quads quads_at(const struct grid *grid, simd_words at, simd_words column,
                                  const uint32_t places[SIMD_LANES], const struct fixed *fixed)
{
    (void)at;
    (void)column;
    return gathered_quads(grid, places, fixed);
}

#include "renderer/shader/run/read_lanes.h"

const struct shader_read_kernels shader_read_four = {.read = read_lanes};
#endif
