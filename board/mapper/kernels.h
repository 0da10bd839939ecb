/* Rows of the chip's mapper behind one function table. They give the pixels of board_mapper_run
 * (tests/unit/board/test_board_mapper_kernels.c). */
#ifndef BOARD_MAPPER_KERNELS_H
#define BOARD_MAPPER_KERNELS_H

#include "board/mapper/walk.h"

enum {
    BOARD_MAPPER_ROW_SPARE = 8,   /* values that kernels may touch after the last of a row */
    BOARD_MAPPER_LINE_BITS = 22,  /* fraction of the values of a line */
    BOARD_MAPPER_WIDTH_BITS = 43, /* fraction of reciprocal widths */
};

/* Division by a width, multiplied out: the numbers that do not change during a run. */
struct board_mapper_division {
    uint32_t width;      /* 1..BOARD_MAPPER_SIDE_MAX */
    uint32_t start;      /* (width - 1) / (2 * width) in BOARD_MAPPER_LINE_BITS, rounded up */
    uint64_t reciprocal; /* 1 / width in BOARD_MAPPER_WIDTH_BITS, rounded up */
};

struct board_mapper_division board_mapper_division_by(unsigned width);

/* What is the same for all pixels of a run, as kernels want it. Texture and target lie in memory in
 * one piece, and the row below the texture's last one is readable. */
struct board_mapper_sampler {
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

/* From kept registers (board_mapper_keep). */
struct board_mapper_sampler board_mapper_sampler_of(const struct board_mapper_registers *registers,
                                                    const struct board_mapper_memory *memory,
                                                    enum board_mapper_revision revision);

/* values[i] = value first + i of board_mapper_interp from `from` to `to` over the width, for i in
 * 0..count-1. May write BOARD_MAPPER_ROW_SPARE - 1 values more. */
typedef void (*board_mapper_line)(int32_t *values, int32_t from, int32_t to,
                                  const struct board_mapper_division *width, unsigned first,
                                  unsigned count);

/* Draws count pixels at `target` from coordinates x and y as board_mapper_line gives them; x and y
 * are readable, target's neighbours too, BOARD_MAPPER_ROW_SPARE - 1 values further. If the sampler
 * is keyed bit i & 7 of drawn[i / 8] tells whether pixel i was drawn (bits behind the last are 0);
 * else drawn is not used. */
typedef void (*board_mapper_draw)(uint8_t *target, const int32_t *x, const int32_t *y,
                                  unsigned count, const struct board_mapper_sampler *sampler,
                                  uint8_t *drawn);

struct board_mapper_kernels {
    board_mapper_line line;
    board_mapper_draw draw;
};

extern const struct board_mapper_kernels board_mapper_kernels_plain;
extern const struct board_mapper_kernels board_mapper_kernels_four;
extern const struct board_mapper_kernels board_mapper_kernels_avx2;

const struct board_mapper_kernels *board_mapper_kernels_for(enum base_cpu_level level);

#endif
