/* Texture reads of eight lanes, and details of quads, for AVX-512 too. */
#include "base/simd.h"

#if defined(__AVX2__)
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

const struct shader_read_kernels shader_read_avx2 = {.read = read_lanes};

bool shader_read_details_avx2(const struct shader_read *read, float *details)
{
    return details_of(read, details);
}
#endif
