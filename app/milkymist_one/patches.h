/* The patches that there are: .milk texts linked into the image, and those in the root folder of
 * the memory card behind them. They are compiled here on the board. */
#ifndef APP_MILKYMIST_ONE_PATCHES_H
#define APP_MILKYMIST_ONE_PATCHES_H

#include <stddef.h>

#include "app/milkymist_one/card.h"
#include "base/fat.h"
#include "renderer/board_patch.h"

struct board_patch_text {
    const char *name;
    const char *text;
};

extern const struct board_patch_text board_patch_texts[];
extern const size_t board_patch_texts_count;

enum { BOARD_PATCHES_FILES = 256 };

struct board_patches {
    struct board_card card;
    struct base_fat fat;
    size_t file_count;
    struct base_fat_entry files[BOARD_PATCHES_FILES];
};

/* Looks at the card. */
void board_patches_begin(struct board_patches *patches);

int32_t board_patches_count(const struct board_patches *patches);
const char *board_patches_name(const struct board_patches *patches, int32_t number);

/* Reads and compiles. NULL with messages if it cannot be read or does not fit. */
struct rend_board_loaded *board_patches_load(struct board_patches *patches, int32_t number,
                                             uint32_t fps, const struct base_diag_sink *sink);

/* The first whose name has the text in it, in large or small letters; -1: none. */
int32_t board_patches_find(const struct board_patches *patches, const char *text);

#endif
