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
    static const rend_mix_row rows[BASE_CPU_LEVEL_COUNT] =
        BASE_CPU_LEVELS(rend_mix_plain, rend_mix_four, rend_mix_avx2, rend_mix_avx2);
    return rows[level];
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

static void lerp(float *const out[REND_CELL_VALUES], const struct rend_cell_row *row,
                 const int32_t *cell, const float *within, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int32_t k = 2 * cell[i] + (within[i] > row->turn ? 1 : 0);
        for (int value = 0; value < REND_CELL_VALUES; value++) {
            if (out[value] != NULL) {
                out[value][i] = row->from[value][k] + row->slope[value][k] * within[i];
            }
        }
    }
}

static void spread(float *out, const float *numbers, size_t step, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = numbers[i * step];
    }
}

const struct rend_shade_kernels rend_shade_kernels_plain = {pack, lerp, spread};

const struct rend_shade_kernels *rend_shade_kernels_for(enum base_cpu_level level)
{
    static const struct rend_shade_kernels *const tables[BASE_CPU_LEVEL_COUNT] =
        BASE_CPU_LEVELS(&rend_shade_kernels_plain, &rend_shade_kernels_four,
                        &rend_shade_kernels_avx2, &rend_shade_kernels_avx2);
    return tables[level];
}

static inline uint32_t light_of(uint32_t pixel)
{
    return 77 * (pixel >> 16 & 255) + 150 * (pixel >> 8 & 255) + 29 * (pixel & 255);
}

static inline uint32_t weight_of(const struct rend_weights *weights, uint32_t when)
{
    int32_t moment = (int32_t)when + weights->offset;
    moment = moment < 0 ? 0 : moment;
    moment = moment > weights->limit ? weights->limit : moment;
    return (uint32_t)(moment * weights->scale) >> 16;
}

void rend_cross_plain(uint32_t *out, const uint32_t *old_row, const uint32_t *new_row,
                      const uint16_t *when, size_t count, const struct rend_weights *weights)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t a = old_row[i];
        const uint32_t b = new_row[i];
        const uint32_t weight = weight_of(weights, when != NULL ? when[i] : light_of(a));
        const uint32_t rest = 256 - weight;
        const uint32_t outer = (a & 0xFF00FF) * rest + (b & 0xFF00FF) * weight + 0x800080;
        const uint32_t inner = (a >> 8 & 255) * rest + (b >> 8 & 255) * weight + 128;
        out[i] = (outer >> 8 & 0xFF00FF) | (inner & 0xFF00);
    }
}

rend_cross_row rend_cross_for(enum base_cpu_level level)
{
    static const rend_cross_row rows[BASE_CPU_LEVEL_COUNT] =
        BASE_CPU_LEVELS(rend_cross_plain, rend_cross_four, rend_cross_avx2, rend_cross_avx2);
    return rows[level];
}
