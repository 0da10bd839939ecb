/* The fixed composite stage as a SPIR-V program, with the bits of rend_mix_plain and of tmu's plain
 * sample: an invocation makes a pixel, from texels in SPIRV_BUFFER_PICTURES in
 * SPIRV_BUFFER_RESULTS. */
#ifndef GPU_SPIRV_FIXED_MIX_H
#define GPU_SPIRV_FIXED_MIX_H

#include "gpu/spirv/words.h"

/* Words of SPIRV_BUFFER_NUMBERS. */
enum spirv_mix_word {
    SPIRV_MIX_SOURCE, /* the canvas's first texel */
    SPIRV_MIX_SOURCE_PITCH,
    SPIRV_MIX_TARGET_PITCH,
    SPIRV_MIX_RIGHT,  /* the last column of both, */
    SPIRV_MIX_BOTTOM, /* and the last row */
    SPIRV_MIX_WEIGHT, /* the numbers of struct rend_mix */
    SPIRV_MIX_ECHO_WEIGHT,
    SPIRV_MIX_FILTERS,
    SPIRV_MIX_SHADED, /* 0: no */
    SPIRV_MIX_ECHO,   /* 0: none, and it has no weight */
    SPIRV_MIX_NUMBERS
};

/* Words of SPIRV_BUFFER_PLACES: where the echo of each column is read, and then such a record of
 * each row. Positions and shades are those of struct rend_device_composite. */
enum spirv_mix_row {
    SPIRV_MIX_ROW_ECHO,
    SPIRV_MIX_ROW_SHADE, /* of each channel */
    SPIRV_MIX_ROW_STEP = SPIRV_MIX_ROW_SHADE + 3,
    SPIRV_MIX_ROW_WORDS = SPIRV_MIX_ROW_STEP + 3
};

enum { SPIRV_MIX_GROUP = 64 }; /* invocations of a group, along x */

/* The program: malloc's memory. NULL without memory. */
uint32_t *spirv_mix_words(struct spirv_controls controls, size_t *count);

#endif
