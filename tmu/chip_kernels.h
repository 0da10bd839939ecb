/* Rows of the chip's mapper behind one function table. They give the pixels of tmu_chip_run
 * (tests/unit/test_tmu_chip_kernels.c). */
#ifndef TMU_CHIP_KERNELS_H
#define TMU_CHIP_KERNELS_H

#include "tmu/chip_walk.h"

enum {
    TMU_CHIP_ROW_SPARE = 8,   /* values that kernels may touch after the last of a row */
    TMU_CHIP_LINE_BITS = 22,  /* fraction of the values of a line */
    TMU_CHIP_WIDTH_BITS = 43, /* fraction of reciprocal widths */
};

/* Division by a width, multiplied out: the numbers that do not change during a run. */
struct tmu_chip_division {
    uint32_t width;      /* 1..TMU_CHIP_SIDE_MAX */
    uint32_t start;      /* (width - 1) / (2 * width) in TMU_CHIP_LINE_BITS, rounded up */
    uint64_t reciprocal; /* 1 / width in TMU_CHIP_WIDTH_BITS, rounded up */
};

struct tmu_chip_division tmu_chip_division_by(unsigned width);

/* What is the same for all pixels of a run, as kernels want it. Texture and target lie in memory in
 * one piece, and the row below the texture's last one is readable. */
struct tmu_chip_sampler {
    const uint8_t *texels;
    const uint8_t *texels_below; /* a row further */
    int32_t mask_x;              /* 18 bits with their sign */
    int32_t mask_y;
    int32_t last_x; /* texel, with 6 fraction bits */
    int32_t last_y;
    int32_t strides;       /* texels to the next row in the upper half, 1 in the lower */
    int32_t odd;           /* 1: sums are rounded to nearest, ties to even; 0: truncated */
    int32_t filter_half;   /* what is then added to them: almost a half of 12 bits, */
    int32_t filter_half_5; /* of 17 bits, */
    int32_t blend_half;    /* of 6 bits */
    int32_t brightness;    /* 1..64 */
    int32_t weight;        /* of the drawn colour, 1..64 */
    int32_t weight_kept;   /* of the target's colour, 0..64 */
    int32_t key;
    bool keyed;  /* pixels of the colour `key` are dropped */
    bool blends; /* with the target, by the weights */
};

/* From kept registers (tmu_chip_keep). */
struct tmu_chip_sampler tmu_chip_sampler_of(const struct tmu_chip_registers *registers,
                                            const struct tmu_chip_memory *memory,
                                            enum tmu_revision revision);

/* values[i] = value first + i of tmu_chip_interp from `from` to `to` over the width, for i in
 * 0..count-1. May write TMU_CHIP_ROW_SPARE - 1 values more. */
typedef void (*tmu_chip_line)(int32_t *values, int32_t from, int32_t to,
                              const struct tmu_chip_division *width, unsigned first,
                              unsigned count);

/* Draws count pixels at `target` from coordinates x and y as tmu_chip_line gives them; x and y are
 * readable, target's neighbours too, TMU_CHIP_ROW_SPARE - 1 values further. If the sampler is keyed
 * bit i & 7 of drawn[i / 8] tells whether pixel i was drawn (bits behind the last are 0); else
 * drawn is not used. */
typedef void (*tmu_chip_draw)(uint8_t *target, const int32_t *x, const int32_t *y, unsigned count,
                              const struct tmu_chip_sampler *sampler, uint8_t *drawn);

struct tmu_chip_kernels {
    tmu_chip_line line;
    tmu_chip_draw draw;
};

extern const struct tmu_chip_kernels tmu_chip_kernels_plain;
extern const struct tmu_chip_kernels tmu_chip_kernels_sse41;
extern const struct tmu_chip_kernels tmu_chip_kernels_avx2;

const struct tmu_chip_kernels *tmu_chip_kernels_for(enum base_cpu_level level);

#endif
