#include "renderer/mix.h"

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

static int32_t shaded_weight(const struct rend_mix *mix, int layer, int32_t shade)
{
    return mix->shaded ? (mix->weight[layer] * (shade >> 15) + (1 << 14)) >> 15
                       : mix->weight[layer];
}

void rend_mix_plain(const struct rend_mix *mix, const uint32_t *picture, const uint32_t *echo,
                    uint32_t *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t pixel = 0;
        for (int k = 0; k < 3; k++) {
            const int32_t shade = mix->shade[k] + (int32_t)i * mix->shade_step[k];
            const int32_t a = (int32_t)(picture[i] >> (8 * k)) & 255;
            const int32_t b = echo == NULL ? 0 : (int32_t)(echo[i] >> (8 * k)) & 255;
            const int32_t sum = a * shaded_weight(mix, 0, shade) +
                                b * shaded_weight(mix, 1, shade) + REND_MIX_ONE / 2;
            const uint32_t x = (uint32_t)(sum >> REND_MIX_BITS);
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
