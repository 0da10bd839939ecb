/* Pixel kernels behind one function table. The plain C versions are the definition; the others
 * equal them bit for bit (tests/unit/tmu/test_tmu_kernels.c). */
#ifndef TMU_KERNELS_H
#define TMU_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "tmu/tmu.h"

/* A position counts 2^16 for each texel from the centre of texel 0. Of its fraction the upper 8
 * bits weigh the texels. */
enum { TMU_POSITION_BITS = 16, TMU_FRACTION_SHIFT = 8, TMU_TEXEL = 1 << TMU_POSITION_BITS };

struct tmu_sampler {
    const uint32_t *pixels; /* 0x00RRGGBB; a column and a row more than width and height */
    uint32_t stride;
    uint32_t width;
    uint32_t height;
    int32_t keep; /* of tmu_keep_of */
};

/* What a decay of 0..255 does to a channel, as a fraction of 2^15: c * decay / 255 rounded is
 * (c * keep + 2^14) >> 15, except for 22 of the 65536 pairs, which differ by 1. */
int32_t tmu_keep_of(unsigned decay);

/* The two triangles of a cell, on both sides of its diagonal from the upper left to the lower right
 * corner, and the axes of the texture. */
enum { TMU_LEFT_X, TMU_LEFT_Y, TMU_RIGHT_X, TMU_RIGHT_Y, TMU_RAMP_VALUES };

/* Where pixels first..end - 1 of a row read the texture, which are those of a cell, and the way to
 * the next row. */
struct tmu_ramp {
    uint64_t at[TMU_RAMP_VALUES]; /* at the first pixel, of the right triangle too */
    uint64_t per_row[TMU_RAMP_VALUES];
    uint32_t step[TMU_RAMP_VALUES]; /* per pixel */
    uint32_t first;
    uint32_t end;
    uint32_t flat; /* `end` if the left triangle serves for both, else 0 */
};

/* Where the diagonals of a row of cells cross a row of pixels: pixels before (at + r * pitch) >> 32
 * lie in the left triangle of ramp r, which is none before its first and not more than up to its
 * end. */
struct tmu_diagonal {
    uint64_t at;
    uint64_t pitch;
};

/* Fills in positions x[i], y[i] of every ramp, i in first..end - 1, and then adds per_row to its
 * `at`.
 *
 * The coordinate of pixel i is c = high(at) + (i - first) * step modulo 2^32, where high is the
 * upper word, and at and step are those of its triangle. Its position on an axis of `size` texels
 * depends on the address mode:
 *   wrap:   (c * size) >> 16: 2^32 is one turn around the texture
 *   mirror: p = (c * 2 * size) >> 16: 2^32 is there and back; the position is the lesser of p and
 *           2^16 * (2 * size - 1) - p, limited to 0..2^16 * (size - 1)
 *   clamp:  c as a signed number, limited to 0..2^16 * (size - 1)
 *
 * Ramps come from left to right. Up to 7 positions after the last of a ramp may be written with any
 * position in the texture. */
typedef void (*tmu_ramps)(uint32_t *x, uint32_t *y, struct tmu_ramp *ramps, size_t count,
                          struct tmu_diagonal diagonal, const struct tmu_sampler *sampler);

/* The first pixel of the right triangle. */
static inline size_t tmu_ramp_turn(const struct tmu_ramp *ramp, uint64_t diagonal)
{
    const size_t turn = (size_t)(diagonal >> 32);
    return turn > ramp->flat ? turn : ramp->flat;
}

/* dst[i] = texel at x[i], y[i], for i in 0..count-1; 0 <= x < 2^16 * width, y likewise.
 *
 * For each channel, with the neighbours a b in one row and c d in the next, all less 128, and
 * fractions fx, fy of 0..255:
 *   upper = (255 - fx) * a + fx * b, lower = (255 - fx) * c + fx * d
 *   down = (257 * fy) >> 1
 *   sum = ((upper * (32767 - down) + 2^14) >> 15) + ((lower * down + 2^14) >> 15)
 *   texel = ((sum + 2^15) * 257) >> 16
 *   pixel = (texel * keep + 2^14) >> 15
 * 255 is all the way to the next texel: a position just below a texel's centre shows this texel
 * as one just above it does.
 *
 * dst may be written up to the next multiple of 8 pixels; x and y hold positions that far. */
typedef void (*tmu_sample_row)(uint32_t *dst, const uint32_t *x, const uint32_t *y, size_t count,
                               const struct tmu_sampler *sampler);

/* The same in two steps, where all pixels of a row have the same y, and rows have the same x: what
 * a row of the texture gives serves for the pixels above it and below.
 * across: sums[4 * i + k] is `upper` of pixel i, its channels from the lowest byte up, the fourth
 * one too; texels is the row of the texture, at its first column. */
typedef void (*tmu_across_row)(int16_t *sums, const uint32_t *texels, const uint32_t *x,
                               size_t count);
/* down: pixels of two such rows, from `sum` on, with the fraction of y; the fourth byte is 0 where
 * it is in the texture. */
typedef void (*tmu_down_row)(uint32_t *dst, const int16_t *upper, const int16_t *lower, uint32_t y,
                             size_t count, int32_t keep);

struct tmu_kernels {
    tmu_ramps ramps[TMU_ADDRESSES];
    tmu_sample_row sample;
    tmu_across_row across; /* these two may work on up to 7 pixels more than count */
    tmu_down_row down;
};

extern const struct tmu_kernels tmu_kernels_plain;
extern const struct tmu_kernels tmu_kernels_four;
extern const struct tmu_kernels tmu_kernels_avx2;

#endif
