/* The patches that can be shown: first the .milk and .fnp texts that are linked into the image,
 * then those in the root folder of the memory card. They are compiled here on the board. */
#ifndef BOARD_FIRMWARE_PATCHES_H
#define BOARD_FIRMWARE_PATCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board/firmware/storage/card.h"
#include "board/patch/patch.h"
#include "board/storage/fat.h"
#include "board/storage/fat_write.h"

struct board_patch_text {
    const char *name;
    const char *text;
};

extern const struct board_patch_text board_patch_texts[];
extern const size_t board_patch_texts_count;

enum { BOARD_PATCHES_FILES = 256 };

/* What the last look at the card has found. */
enum board_patches_found {
    BOARD_PATCHES_UNKNOWN, /* nobody has looked yet */
    BOARD_PATCHES_NO_CARD,
    BOARD_PATCHES_UNREADABLE, /* it answers, but its blocks do not come */
    BOARD_PATCHES_NO_FILE_SYSTEM,
    BOARD_PATCHES_LISTED,
};

struct board_patches {
    uint8_t *memory; /* set before: that of the show, BOARD_SHOW_MEMORY bytes */
    bool second;     /* the patch that was loaded last has its pictures in the second place there */
    struct board_common common; /* without memory there is none */
    bool has_common;
    bool schedules; /* set before: by this scheduler in place of the compiler's own choice */
    enum pfpu_board_scheduler scheduler;
    struct board_card card;
    struct board_fat fat;
    struct board_fat_writer writer;
    enum board_fat_result mended; /* what came of mending the card's file system */
    enum board_patches_found found;
    bool more; /* files than there is room for */
    size_t file_count;
    struct board_fat_entry files[BOARD_PATCHES_FILES];
};

/* Reads what all patches have in common. */
void board_patches_begin(struct board_patches *patches);

/* Looks at the card; from now on its files follow the texts of the image in the list. */
void board_patches_look(struct board_patches *patches);

/* Reads a file of the card whole: *data is malloc'ed, with a NUL behind, and the caller's. NULL
 * where there is no such file. False with a message if it is longer than `most` or cannot be read.
 */
bool board_patches_read(struct board_patches *patches, const char *name, size_t most, char **data,
                        size_t *size, const struct base_diag_sink *sink);

/* Stores a file on the card, as board_fat_store does, block by block while the show goes on; the
 * list is made anew, so that numbers of patches may change. False with a message. */
bool board_patches_store(struct board_patches *patches, const char *name, const void *bytes,
                         size_t size, const struct base_diag_sink *sink);

int32_t board_patches_count(const struct board_patches *patches);
const char *board_patches_name(const struct board_patches *patches, int32_t number);

/* The text of a patch of the image; NULL of one that is on the card. */
const char *board_patches_text(const struct board_patches *patches, int32_t number);

/* Reads and compiles, and loads its pictures from the card. NULL with messages if it cannot be read
 * or does not fit. Pictures of the patch that was loaded before stay where they are. */
struct board_loaded *board_patches_load(struct board_patches *patches, int32_t number, uint32_t fps,
                                        const struct base_diag_sink *sink);

/* Compiles a text that stands in no list: the same. */
struct board_loaded *board_patches_compile(struct board_patches *patches, const char *name,
                                           const char *text, size_t size, uint32_t fps,
                                           const struct base_diag_sink *sink);

/* The first whose name has the text in it, in large or small letters; -1: none. */
int32_t board_patches_find(const struct board_patches *patches, const char *text);

#endif
