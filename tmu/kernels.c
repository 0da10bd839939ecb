#include "tmu/kernels.h"

#include <assert.h>

enum {
    SHIFT = TMU_TURN_BITS - TMU_FRACTION_BITS,
    HALF = 1 << (SHIFT - 1),
    ONE = 1 << TMU_FRACTION_BITS,
};

static uint32_t position_wrap(int32_t turns, uint32_t size)
{
    const uint64_t low = (uint32_t)turns & (TMU_TURN - 1);
    return (uint32_t)((low * size + HALF) >> SHIFT);
}

static uint32_t position_clamp(int32_t turns, uint32_t size)
{
    const uint64_t from_zero = turns < 0 ? 0 : (uint32_t)turns;
    const uint64_t position = (from_zero * size + HALF) >> SHIFT;
    const uint32_t last = (size - 1) * ONE;
    return position > last ? last : (uint32_t)position;
}

static uint32_t channel(const uint32_t *top, const uint32_t *bottom, uint32_t x, uint32_t y,
                        unsigned shift, uint32_t decay)
{
    const uint32_t upper = ((top[0] >> shift) & 255) * (ONE - y) + ((bottom[0] >> shift) & 255) * y;
    const uint32_t right = ((top[1] >> shift) & 255) * (ONE - y) + ((bottom[1] >> shift) & 255) * y;
    const uint32_t texel = (upper * (ONE - x) + right * x + 32768) >> 16;
    return ((texel * decay + 127) / 255) << shift;
}

static uint32_t sample(const struct tmu_sampler *sampler, uint32_t x, uint32_t y)
{
    const uint32_t *top = sampler->pixels + (size_t)(y >> TMU_FRACTION_BITS) * sampler->stride +
                          (x >> TMU_FRACTION_BITS);
    const uint32_t *bottom = top + sampler->stride;
    const uint32_t fx = x & (ONE - 1);
    const uint32_t fy = y & (ONE - 1);
    return channel(top, bottom, fx, fy, 0, sampler->decay) |
           channel(top, bottom, fx, fy, 8, sampler->decay) |
           channel(top, bottom, fx, fy, 16, sampler->decay);
}

static void wrap_plain(uint32_t *dst, const int32_t *u, const int32_t *v, size_t count,
                       const struct tmu_sampler *sampler)
{
    for (size_t i = 0; i < count; i++) {
        dst[i] = sample(sampler, position_wrap(u[i], sampler->width),
                        position_wrap(v[i], sampler->height));
    }
}

static void clamp_plain(uint32_t *dst, const int32_t *u, const int32_t *v, size_t count,
                        const struct tmu_sampler *sampler)
{
    for (size_t i = 0; i < count; i++) {
        dst[i] = sample(sampler, position_clamp(u[i], sampler->width),
                        position_clamp(v[i], sampler->height));
    }
}

static void ramp_plain(int32_t *out, uint32_t start, uint32_t step, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = (int32_t)start;
        start += step;
    }
}

const struct tmu_kernels tmu_kernels_plain = {wrap_plain, clamp_plain, ramp_plain};

const struct tmu_kernels *tmu_kernels_for(enum base_cpu_level level)
{
#if defined(__x86_64__)
    static const struct tmu_kernels *const tables[BASE_CPU_LEVEL_COUNT] = {
        &tmu_kernels_plain, &tmu_kernels_sse41, &tmu_kernels_avx2};
    assert(level < BASE_CPU_LEVEL_COUNT);
    return tables[level];
#else
    (void)level;
    return &tmu_kernels_plain;
#endif
}
