#include "tmu/kernels.h"

#include <assert.h>

int32_t tmu_keep_of(unsigned decay)
{
    assert(decay <= 255);
    const int32_t keep = (int32_t)(257 * decay + 1) / 2;
    return keep > INT16_MAX ? INT16_MAX : keep;
}

/* ---- positions ---- */

static uint32_t clamp(int32_t position, uint32_t size)
{
    const int32_t last = (int32_t)((size - 1) << TMU_POSITION_BITS);
    return (uint32_t)(position < 0 ? 0 : position > last ? last : position);
}

static uint32_t position_wrap(uint32_t c, uint32_t size)
{
    return (uint32_t)(((uint64_t)c * size) >> 16);
}

static uint32_t position_mirror(uint32_t c, uint32_t size)
{
    const int32_t there = (int32_t)position_wrap(c, 2 * size);
    const int32_t back = (int32_t)((2 * size - 1) << TMU_POSITION_BITS) - there;
    return clamp(there < back ? there : back, size);
}

static uint32_t position_clamp(uint32_t c, uint32_t size)
{
    return clamp((int32_t)c, size);
}

static void run_ramps(uint32_t *x, uint32_t *y, struct tmu_ramp *ramps, size_t count,
                      struct tmu_diagonal diagonal, const struct tmu_sampler *sampler,
                      uint32_t (*position)(uint32_t, uint32_t))
{
    for (struct tmu_ramp *ramp = ramps; ramp < ramps + count; ramp++) {
        const size_t turn = tmu_ramp_turn(ramp, diagonal.at);
        for (size_t i = ramp->first; i < ramp->end; i++) {
            const int triangle = i < turn ? TMU_LEFT_X : TMU_RIGHT_X;
            const uint64_t *at = ramp->at + triangle;
            const uint32_t *step = ramp->step + triangle;
            const uint32_t past = (uint32_t)i - ramp->first;
            x[i] = position((uint32_t)(at[0] >> 32) + past * step[0], sampler->width);
            y[i] = position((uint32_t)(at[1] >> 32) + past * step[1], sampler->height);
        }
        for (size_t k = 0; k < TMU_RAMP_VALUES; k++) {
            ramp->at[k] += ramp->per_row[k];
        }
        diagonal.at += diagonal.pitch;
    }
}

static void wrap_plain(uint32_t *x, uint32_t *y, struct tmu_ramp *ramps, size_t count,
                       struct tmu_diagonal diagonal, const struct tmu_sampler *sampler)
{
    run_ramps(x, y, ramps, count, diagonal, sampler, position_wrap);
}

static void clamp_plain(uint32_t *x, uint32_t *y, struct tmu_ramp *ramps, size_t count,
                        struct tmu_diagonal diagonal, const struct tmu_sampler *sampler)
{
    run_ramps(x, y, ramps, count, diagonal, sampler, position_clamp);
}

static void mirror_plain(uint32_t *x, uint32_t *y, struct tmu_ramp *ramps, size_t count,
                         struct tmu_diagonal diagonal, const struct tmu_sampler *sampler)
{
    run_ramps(x, y, ramps, count, diagonal, sampler, position_mirror);
}

/* ---- texels ---- */

static int32_t scaled(int32_t value, int32_t factor)
{
    return (value * factor + (1 << 14)) >> 15;
}

static int32_t channel_of(uint32_t pixel, unsigned shift)
{
    return (int32_t)((pixel >> shift) & 255) - 128;
}

static int32_t fraction_of(uint32_t position)
{
    return (int32_t)(position >> TMU_FRACTION_SHIFT) & 255;
}

static int32_t across_at(const uint32_t texels[2], unsigned shift, int32_t fx)
{
    return channel_of(texels[0], shift) * (255 - fx) + channel_of(texels[1], shift) * fx;
}

static uint32_t down_at(int32_t upper, int32_t lower, int32_t fy, int32_t keep)
{
    const int32_t down = (257 * fy) >> 1;
    const int32_t sum = scaled(upper, INT16_MAX - down) + scaled(lower, down);
    const int32_t texel = ((sum + 32768) * 257) >> 16;
    return (uint32_t)scaled(texel, keep);
}

static uint32_t sample(const struct tmu_sampler *sampler, uint32_t x, uint32_t y)
{
    const uint32_t *top = sampler->pixels + (size_t)(y >> TMU_POSITION_BITS) * sampler->stride +
                          (x >> TMU_POSITION_BITS);
    const uint32_t *bottom = top + sampler->stride;
    const int32_t fx = fraction_of(x);
    uint32_t pixel = 0;
    for (unsigned shift = 0; shift < 24; shift += 8) {
        pixel |= down_at(across_at(top, shift, fx), across_at(bottom, shift, fx), fraction_of(y),
                         sampler->keep)
                 << shift;
    }
    return pixel;
}

static void across_plain(int16_t *sums, const uint32_t *texels, const uint32_t *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (unsigned k = 0; k < 4; k++) {
            sums[4 * i + k] =
                (int16_t)across_at(texels + (x[i] >> TMU_POSITION_BITS), 8 * k, fraction_of(x[i]));
        }
    }
}

static void down_plain(uint32_t *dst, const int16_t *upper, const int16_t *lower, uint32_t y,
                       size_t count, int32_t keep)
{
    for (size_t i = 0; i < count; i++) {
        dst[i] = 0;
        for (size_t k = 0; k < 4; k++) {
            dst[i] |= down_at(upper[4 * i + k], lower[4 * i + k], fraction_of(y), keep) << 8 * k;
        }
    }
}

static void sample_plain(uint32_t *dst, const uint32_t *x, const uint32_t *y, size_t count,
                         const struct tmu_sampler *sampler)
{
    for (size_t i = 0; i < count; i++) {
        dst[i] = sample(sampler, x[i], y[i]);
    }
}

const struct tmu_kernels tmu_kernels_plain = {
    .ramps = {[TMU_WRAP] = wrap_plain, [TMU_CLAMP] = clamp_plain, [TMU_MIRROR] = mirror_plain},
    .sample = sample_plain,
    .across = across_plain,
    .down = down_plain,
};

const struct tmu_kernels *tmu_kernels_for(enum base_cpu_level level)
{
    static const struct tmu_kernels *const tables[BASE_CPU_LEVEL_COUNT] = BASE_CPU_LEVELS(
        &tmu_kernels_plain, &tmu_kernels_four, &tmu_kernels_avx2, &tmu_kernels_avx2);
    assert(level < BASE_CPU_LEVEL_COUNT);
    return tables[level];
}
