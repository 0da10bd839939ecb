#include "renderer/shade_kernels.h"

static uint32_t level_of(float value)
{
    const float positive = value > 0 ? value : 0;
    const float limited = positive < 1 ? positive : 1;
    return (uint32_t)(int32_t)(limited * 255 + 0.5f);
}

static void pack(uint32_t *pixels, const float *const ret[3], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        pixels[i] = level_of(ret[0][i]) << 16 | level_of(ret[1][i]) << 8 | level_of(ret[2][i]);
    }
}

static void between(float *out, const float *edge, const int32_t *cell, const float *within,
                    size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const float *left = edge + cell[i];
        out[i] = left[0] + (left[1] - left[0]) * within[i];
    }
}

const struct rend_shade_kernels rend_shade_kernels_plain = {pack, between};

const struct rend_shade_kernels *rend_shade_kernels_for(enum base_cpu_level level)
{
#if defined(__x86_64__)
    if (level >= BASE_CPU_AVX2) {
        return &rend_shade_kernels_avx2;
    }
#endif
    (void)level;
    return &rend_shade_kernels_plain;
}
