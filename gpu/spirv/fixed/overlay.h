/* What is drawn on a picture as a SPIR-V program: an invocation makes a pixel, from one of
 * SPIRV_BUFFER_TEXELS and the items of a display list (renderer/draw/list.h) in
 * SPIRV_BUFFER_PLACES, with texels in SPIRV_BUFFER_PICTURES, in SPIRV_BUFFER_RESULTS. */
#ifndef GPU_SPIRV_FIXED_OVERLAY_H
#define GPU_SPIRV_FIXED_OVERLAY_H

#include "gpu/spirv/words.h"

/* Words of SPIRV_BUFFER_NUMBERS. */
enum spirv_overlay_word {
    SPIRV_OVERLAY_WIDTH,   /* of the picture: behind it the first column stands again, */
    SPIRV_OVERLAY_HEIGHT,  /* and below it the first row, */
    SPIRV_OVERLAY_COLUMNS, /* that are written */
    SPIRV_OVERLAY_SOURCE,  /* the place of the first pixel that is read, */
    SPIRV_OVERLAY_SOURCE_PITCH,
    SPIRV_OVERLAY_TARGET, /* of the first one that is written, */
    SPIRV_OVERLAY_TARGET_PITCH,
    SPIRV_OVERLAY_TEXTURE, /* and of the first texel */
    SPIRV_OVERLAY_TEXTURE_PITCH,
    SPIRV_OVERLAY_TILES,  /* of the list, across */
    SPIRV_OVERLAY_LISTED, /* 1; 0: the list is not looked at, pixels are as they were */
    SPIRV_OVERLAY_NUMBERS
};

enum { SPIRV_OVERLAY_GROUP = 64 }; /* invocations of a group, along x */

/* The program: malloc's memory. NULL without memory. */
uint32_t *spirv_overlay_words(struct spirv_controls controls, size_t *count);

#endif
