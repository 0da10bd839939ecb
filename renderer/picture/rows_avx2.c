#include "base/simd.h"

#if defined(__AVX2__)
#include "renderer/picture/rows_lanes.h"

void rend_mix_avx2(const struct rend_mix *mix, const uint32_t *picture, const uint32_t *echo,
                   uint32_t *out, size_t count)
{
    mix_row(mix, picture, echo, out, count);
}

void rend_cross_avx2(uint32_t *out, const uint32_t *old_row, const uint32_t *new_row,
                     const uint16_t *when, size_t count, const struct rend_weights *weights)
{
    cross_row(out, old_row, new_row, when, count, weights);
}

const struct rend_shade_kernels rend_shade_kernels_avx2 = {pack, lerp, spread};
#endif
