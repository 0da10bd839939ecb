/* The patches that are linked into the image: .milk texts, compiled here on the board. */
#ifndef APP_MILKYMIST_ONE_PATCHES_H
#define APP_MILKYMIST_ONE_PATCHES_H

#include <stddef.h>

#include "renderer/board_patch.h"

struct board_patch_text {
    const char *name;
    const char *text;
};

extern const struct board_patch_text board_patch_texts[];
extern const size_t board_patch_texts_count;

/* Reads and compiles. NULL with messages if it cannot be read or does not fit. name is what
 * messages call it, and outlives them. */
struct rend_board_loaded *board_patches_load(const char *name, const char *text, size_t size,
                                             uint32_t fps, const struct base_diag_sink *sink);

/* The first from `first` on, in a circle, whose name has the text in it, in large or small letters;
 * -1: none. */
int board_patches_find(const char *text, size_t first);

#endif
