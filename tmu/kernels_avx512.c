#include "base/simd.h"

#if defined(__AVX512BW__)
#include "tmu/kernels_lanes.h"

static void sample_avx512(uint32_t *dst, const uint32_t *x, const uint32_t *y, size_t count,
                          const struct tmu_sampler *sampler)
{
    sample_lanes(dst, x, y, count, sampler);
}

/* Cells of a mesh are too narrow for wider vectors. */
const struct tmu_kernels tmu_kernels_avx512 = {
    .ramps =
        {[TMU_WRAP] = tmu_wrap_avx2, [TMU_CLAMP] = tmu_clamp_avx2, [TMU_MIRROR] = tmu_mirror_avx2},
    .sample = sample_avx512,
};
#endif
