/* The warp along a mesh as a SPIR-V program, with the bits of tmu/kernels.h: an invocation makes a
 * pixel, from texels in SPIRV_BUFFER_PICTURES in SPIRV_BUFFER_RESULTS. */
#ifndef GPU_SPIRV_FIXED_WARP_H
#define GPU_SPIRV_FIXED_WARP_H

#include "gpu/spirv/words.h"

/* Words of SPIRV_BUFFER_NUMBERS. */
enum spirv_warp_word {
    SPIRV_WARP_TEXTURE, /* its first texel, */
    SPIRV_WARP_TEXTURE_PITCH,
    SPIRV_WARP_WIDTH, /* and its size; no guard is read */
    SPIRV_WARP_HEIGHT,
    SPIRV_WARP_CLAMPED, /* not 0: coordinates clamp; 0: they wrap */
    SPIRV_WARP_KEEP,    /* what decay leaves of a channel, as a fraction of 2^15 */
    SPIRV_WARP_PITCH,   /* of results */
    SPIRV_WARP_LAST_COLUMN,
    SPIRV_WARP_LAST_ROW,
    SPIRV_WARP_ROWS, /* where places of rows begin */
    SPIRV_WARP_NUMBERS
};

/* Words of SPIRV_BUFFER_PLACES: these of each column of the picture, and those of each row, then
 * cells, row by row from the top of the picture. A cell's right triangle begins with column
 * turn >> 32, where turn is the sum of the pixel's column's and row's, modulo 2^64. */
enum spirv_warp_place {
    SPIRV_WARP_CELL, /* of a row: where its first cell stands; of a column: from there to its own */
    SPIRV_WARP_PAST, /* columns or rows of pixels since the cell's first */
    SPIRV_WARP_TURN, /* its upper word */
    SPIRV_WARP_TURN_LOW,
    SPIRV_WARP_PLACE_WORDS
};

/* A cell: of the left triangle x and y, then of the right one x and y, each as in a struct
 * tmu_ramp. */
enum spirv_warp_ramp {
    SPIRV_WARP_AT, /* the coordinate of the cell's first pixel, its upper word, */
    SPIRV_WARP_AT_LOW,
    SPIRV_WARP_PER_ROW, /* what a row of pixels adds to it, */
    SPIRV_WARP_PER_ROW_LOW,
    SPIRV_WARP_STEP, /* and a column to its upper word */
    SPIRV_WARP_RAMP_WORDS
};
enum {
    SPIRV_WARP_TRIANGLE_WORDS = 2 * SPIRV_WARP_RAMP_WORDS,
    SPIRV_WARP_CELL_WORDS = 2 * SPIRV_WARP_TRIANGLE_WORDS
};

enum { SPIRV_WARP_SIZE_MAX = 1 << 14 }; /* of the texture, and pixels of a row of cells */
enum { SPIRV_WARP_GROUP = 64 };         /* invocations of a group, along x */

/* The program: malloc's memory. NULL without memory. */
uint32_t *spirv_warp_words(struct spirv_controls controls, size_t *count);

#endif
