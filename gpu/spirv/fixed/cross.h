/* One picture giving way to another as a SPIR-V program, with the bits of rend_cross_plain: an
 * invocation makes a pixel in SPIRV_BUFFER_RESULTS, which holds the one that comes, from the one
 * that leaves in SPIRV_BUFFER_PICTURES. */
#ifndef GPU_SPIRV_FIXED_CROSS_H
#define GPU_SPIRV_FIXED_CROSS_H

#include "gpu/spirv/words.h"

/* Words of SPIRV_BUFFER_NUMBERS. */
enum spirv_cross_word {
    SPIRV_CROSS_PITCH,  /* of both pictures; a multiple of SPIRV_CROSS_GROUP */
    SPIRV_CROSS_WIDTH,  /* of what is seen of them */
    SPIRV_CROSS_LIT,    /* 0: SPIRV_BUFFER_PLACES says when; else the light of what leaves */
    SPIRV_CROSS_OFFSET, /* the numbers of struct rend_weights */
    SPIRV_CROSS_LIMIT,
    SPIRV_CROSS_SCALE,
    SPIRV_CROSS_NUMBERS
};

/* When each pixel goes: 16 bits, rows of `width`, the first one in the lower half of a word. */

enum { SPIRV_CROSS_GROUP = 64 }; /* invocations of a group, along x; there are `pitch` of a row */

/* The program: malloc's memory. NULL without memory. */
uint32_t *spirv_cross_words(struct spirv_controls controls, size_t *count);

#endif
