/* The composite stage's pixel kernel: plain C is the definition, the AVX2 version gives the same
 * bits. */
#ifndef RENDERER_MIX_H
#define RENDERER_MIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"

/* round(x / 255) for x in 0..65025 */
static inline uint32_t rend_divide255(uint32_t x)
{
    const uint32_t t = x + 128;
    return (t + (t >> 8)) >> 8;
}

enum { REND_MIX_BITS = 11, REND_MIX_ONE = 1 << REND_MIX_BITS, REND_SHADE_ONE = 1 << 30 };

enum rend_filter {
    REND_FILTER_BRIGHTEN = 1, /* 1 - (1 - x)^2 */
    REND_FILTER_DARKEN = 2,   /* x^2 */
    REND_FILTER_SOLARIZE = 4, /* 2x(1 - x) */
    REND_FILTER_INVERT = 8,   /* 1 - x; in this order */
};

/* What happens to a row: per channel, with weights of Q11 (at most 8 * REND_MIX_ONE together),
 *   w = shaded ? (weight * (shade >> 15) + 2^14) >> 15 : weight
 *   p = (128 * picture * w[0] + 2^14) >> 15, e = (128 * echo * w[1] + 2^14) >> 15, in eighths
 *   x = min(255, (p + e + 4) >> 3), then the filters. */
struct rend_mix {
    int32_t weight[2];
    unsigned filters; /* enum rend_filter */
    bool shaded;
    int32_t shade[3];      /* Q30 at the first pixel, below REND_SHADE_ONE; blue, green, red */
    int32_t shade_step[3]; /* per pixel */
};

/* count pixels; echo may be NULL when weight[1] is 0. */
typedef void (*rend_mix_row)(const struct rend_mix *mix, const uint32_t *picture,
                             const uint32_t *echo, uint32_t *out, size_t count);

rend_mix_row rend_mix_for(enum base_cpu_level level);

void rend_mix_plain(const struct rend_mix *mix, const uint32_t *picture, const uint32_t *echo,
                    uint32_t *out, size_t count);
void rend_mix_avx2(const struct rend_mix *mix, const uint32_t *picture, const uint32_t *echo,
                   uint32_t *out, size_t count);

#endif
