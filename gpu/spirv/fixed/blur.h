/* Passes of blurring as SPIR-V programs, with the bits of renderer/picture/blur.c: an invocation
 * makes a pixel, from texels in SPIRV_BUFFER_PICTURES in SPIRV_BUFFER_RESULTS. */
#ifndef GPU_SPIRV_FIXED_BLUR_H
#define GPU_SPIRV_FIXED_BLUR_H

#include "gpu/spirv/words.h"

/* Words of SPIRV_BUFFER_NUMBERS. */
enum spirv_blur_word {
    SPIRV_BLUR_SOURCE, /* the source's first texel, */
    SPIRV_BLUR_SOURCE_PITCH,
    SPIRV_BLUR_RIGHT,  /* its last column, */
    SPIRV_BLUR_BOTTOM, /* and its last row */
    SPIRV_BLUR_TARGET,
    SPIRV_BLUR_TARGET_PITCH,
    SPIRV_BLUR_WIDTH,       /* of the target: behind it the first column stands again, */
    SPIRV_BLUR_HEIGHT,      /* and below it the first row, */
    SPIRV_BLUR_LAST_COLUMN, /* as far as pixels are written */
    SPIRV_BLUR_LAST_ROW,
    SPIRV_BLUR_ROWS,  /* where records of rows begin */
    SPIRV_BLUR_SCALE, /* floats of struct rend_blur_row, */
    SPIRV_BLUR_BIAS,
    SPIRV_BLUR_ALWAYS, /* and of its factor: this, */
    SPIRV_BLUR_DARKEN, /* and so much of the light */
    SPIRV_BLUR_NUMBERS
};

/* Words of SPIRV_BUFFER_PLACES: such a record of each column of the target, then of each row. */
enum spirv_blur_record {
    SPIRV_BLUR_FIRST, /* the first column or row of the source, counted from SPIRV_BLUR_BEFORE on */
    SPIRV_BLUR_LIGHT, /* a float */
    SPIRV_BLUR_WEIGHTS /* two in a word, the first one in its lower half */
};
enum { SPIRV_BLUR_BEFORE = 64 };

static inline size_t spirv_blur_record_words(int taps)
{
    return SPIRV_BLUR_WEIGHTS + (size_t)taps / 2;
}

enum { SPIRV_BLUR_GROUP = 64 }; /* invocations of a group, along x */

/* The program of passes with so many weights, both even: malloc's memory. NULL without memory. */
uint32_t *spirv_blur_words(int columns, int rows, struct spirv_controls controls, size_t *count);

#endif
