/* A window's picture as SPIR-V programs: an invocation makes a pixel in SPIRV_BUFFER_RESULTS, 255
 * in its uppermost byte, from a picture in SPIRV_BUFFER_PICTURES and what lies over it in
 * SPIRV_BUFFER_TEXELS. Texels between their centres are those of texel.h. */
#ifndef GPU_SPIRV_FIXED_SCREEN_H
#define GPU_SPIRV_FIXED_SCREEN_H

#include "gpu/spirv/words.h"

/* Words of SPIRV_BUFFER_NUMBERS. */
enum spirv_screen_word {
    SPIRV_SCREEN_COLUMNS, /* of the window, which is also how many pixels its rows have */
    SPIRV_SCREEN_ROWS,
    SPIRV_SCREEN_WIDTH, /* of the picture */
    SPIRV_SCREEN_HEIGHT,
    SPIRV_SCREEN_PITCH,
    SPIRV_SCREEN_OVER, /* whether something lies over it, as large as these say */
    SPIRV_SCREEN_OVER_WIDTH,
    SPIRV_SCREEN_OVER_HEIGHT,
    SPIRV_SCREEN_OVER_PITCH,
    SPIRV_SCREEN_NUMBERS
};

/* Words of SPIRV_BUFFER_PLACES: of each column and then each row of the window the position in the
 * picture, 2^16 for each texel; then the same in what lies over it. The window is black where
 * the picture's position of the column or the row is this one. */
#define SPIRV_SCREEN_OUTSIDE UINT32_MAX

/* What lies over the picture counts so much, of 255. */
enum { SPIRV_SCREEN_OPACITY = 236 };

enum { SPIRV_SCREEN_GROUP = 64 }; /* invocations of a group, along x */

/* The program: malloc's memory. NULL without memory. */
uint32_t *spirv_screen_words(struct spirv_controls controls, size_t *count);

/* The other one makes a small picture, 0x00RRGGBB, of every so many-th pixel of every so many-th
 * row. Words of SPIRV_BUFFER_NUMBERS: */
enum spirv_small_word {
    SPIRV_SMALL_COLUMNS, /* of the small picture */
    SPIRV_SMALL_ROWS,
    SPIRV_SMALL_STEP,  /* from one to the next, in pixels of the picture, of which the first one */
    SPIRV_SMALL_FIRST, /* has this column and row */
    SPIRV_SMALL_PITCH, /* of the picture */
    SPIRV_SMALL_NUMBERS
};
uint32_t *spirv_small_words(struct spirv_controls controls, size_t *count);

#endif
