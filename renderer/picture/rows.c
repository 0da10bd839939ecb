#include "renderer/picture/rows.h"

static uint32_t filtered(uint32_t x, unsigned filters)
{
    if (filters & REND_FILTER_BRIGHTEN) {
        x = 255 - rend_divide255((255 - x) * (255 - x));
    }
    if (filters & REND_FILTER_DARKEN) {
        x = rend_divide255(x * x);
    }
    if (filters & REND_FILTER_SOLARIZE) {
        x = rend_divide255(2 * x * (255 - x));
    }
    if (filters & REND_FILTER_INVERT) {
        x = 255 - x;
    }
    return x;
}

static int32_t scaled(int32_t value, int32_t factor)
{
    return (value * factor + (1 << 14)) >> 15;
}

/* What a layer's channel adds, in eighths. */
static int32_t part(const struct rend_mix *mix, int layer, uint32_t channel, int32_t shade)
{
    const int32_t weight = mix->weight[layer];
    return scaled((int32_t)channel << 7, mix->shaded ? scaled(weight, shade >> 15) : weight);
}

void rend_mix_plain(const struct rend_mix *mix, const uint32_t *picture, const uint32_t *echo,
                    uint32_t *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t pixel = 0;
        for (int k = 0; k < 3; k++) {
            const int32_t shade = mix->shade[k] + (int32_t)i * mix->shade_step[k];
            int32_t sum = part(mix, 0, (picture[i] >> (8 * k)) & 255, shade);
            if (echo != NULL) {
                sum += part(mix, 1, (echo[i] >> (8 * k)) & 255, shade);
            }
            const uint32_t x = (uint32_t)(sum + 4) >> 3;
            pixel |= filtered(x > 255 ? 255 : x, mix->filters) << (8 * k);
        }
        out[i] = pixel;
    }
}

rend_mix_row rend_mix_for(enum base_cpu_level level)
{
#if defined(__x86_64__)
    if (level >= BASE_CPU_AVX2) {
        return rend_mix_avx2;
    }
#endif
    (void)level;
    return rend_mix_plain;
}

static uint32_t level_of(float value)
{
    const float positive = value > 0 ? value : 0;
    const float clamped = positive < 1 ? positive : 1;
    return (uint32_t)(int32_t)(clamped * 255 + 0.5f);
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
