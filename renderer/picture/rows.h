/* Kernels for rows of pixels: the composite stage's, those around a shader, and that of a crossing.
 * Plain C is the definition, vectors give the same bits. */
#ifndef RENDERER_PICTURE_ROWS_H
#define RENDERER_PICTURE_ROWS_H

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
void rend_mix_four(const struct rend_mix *mix, const uint32_t *picture, const uint32_t *echo,
                   uint32_t *out, size_t count);
void rend_mix_avx2(const struct rend_mix *mix, const uint32_t *picture, const uint32_t *echo,
                   uint32_t *out, size_t count);

/* Around a shader. */

/* Two values along a row of pixels that crosses cells of two triangles each. Behind the last
 * triangle's numbers REND_CELL_BEHIND more can be read. */
enum { REND_CELL_VALUES = 2, REND_CELL_BEHIND = 7 };
struct rend_cell_row {
    const float *from[REND_CELL_VALUES];  /* where the cell begins: of the left triangle, of the
                                             right one, of those of the next cell, and so on */
    const float *slope[REND_CELL_VALUES]; /* across a cell */
    float turn;                           /* where triangles meet, 0..1 of the cell's width */
};

struct rend_shade_kernels {
    /* Results to pixels: each channel limited to 0..1, NaN to 0, times 255, rounded to nearest,
     * halves up. ret: red, green, blue, 32-byte aligned. */
    void (*pack)(uint32_t *pixels, const float *const ret[3], size_t count);

    /* out[i] = from[k] + slope[k] * within[i] of each value, where k is 2 * cell[i], or one more if
     * within[i] is above `turn`: cells have a left and a right triangle. count is a multiple of 8;
     * out is NULL where a value is not wanted. */
    void (*lerp)(float *const out[REND_CELL_VALUES], const struct rend_cell_row *row,
                 const int32_t *cell, const float *within, size_t count);

    /* out[i] = numbers[i * step], where step is 0 or 1. count is a multiple of 8; nothing
     * overlaps. */
    void (*spread)(float *out, const float *numbers, size_t step, size_t count);
};

extern const struct rend_shade_kernels rend_shade_kernels_plain;
extern const struct rend_shade_kernels rend_shade_kernels_four;
extern const struct rend_shade_kernels rend_shade_kernels_avx2;
const struct rend_shade_kernels *rend_shade_kernels_for(enum base_cpu_level level);

/* Weight of a pixel at one moment, 0 (old) to 256 (new): (clamp(when + offset, 0, limit) * scale)
 * >> 16. */
struct rend_weights {
    int32_t offset;
    int32_t limit;
    int32_t scale;
};

/* out = (old * (256 - weight) + new * weight + 128) >> 8 in each channel. when: of these pixels;
 * NULL: the light of the old ones, 77 red + 150 green + 29 blue. out may be one of the pictures. */
typedef void (*rend_cross_row)(uint32_t *out, const uint32_t *old_row, const uint32_t *new_row,
                               const uint16_t *when, size_t count,
                               const struct rend_weights *weights);

rend_cross_row rend_cross_for(enum base_cpu_level level);
void rend_cross_plain(uint32_t *out, const uint32_t *old_row, const uint32_t *new_row,
                      const uint16_t *when, size_t count, const struct rend_weights *weights);
void rend_cross_four(uint32_t *out, const uint32_t *old_row, const uint32_t *new_row,
                     const uint16_t *when, size_t count, const struct rend_weights *weights);
void rend_cross_avx2(uint32_t *out, const uint32_t *old_row, const uint32_t *new_row,
                     const uint16_t *when, size_t count, const struct rend_weights *weights);

#endif
