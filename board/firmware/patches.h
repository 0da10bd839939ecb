/* The patches that can be shown, and the memory card that some of them come from. */
#ifndef BOARD_FIRMWARE_PATCHES_H
#define BOARD_FIRMWARE_PATCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board/patch/patch.h"
#include "board/storage/fat.h"

/* Blocks of an SD card, read only, in the order of accesses of spec/milkymist-one-devices.md
 * section 1: the card's clock stands whenever the program is late, and goes on with what it has not
 * cleared. */

struct board_card {
    bool there;       /* it has answered, and every time since */
    bool by_blocks;   /* high capacity: addresses count blocks, not bytes */
    uint32_t address; /* its own, on the bus */
};

/* Looks for a card and makes it ready. Takes some milliseconds if there is none, and a second at
 * most. */
void board_card_begin(struct board_card *card);

/* Asks the card whether it is still there, the same one since board_card_begin. Takes ten
 * milliseconds if it is not. */
bool board_card_stays(struct board_card *card);

/* `read` of struct board_fat; user: the card. */
int board_card_read(void *user, uint32_t block, uint8_t *bytes);

/* The list of patches: first the .milk and .fnp texts that are linked into the image, then those in
 * the root folder of the memory card. They are compiled here on the board. */

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
    enum board_patches_found found;
    bool more; /* files than there is room for */
    size_t file_count;
    struct board_fat_entry files[BOARD_PATCHES_FILES];
};

/* Reads what all patches have in common. */
void board_patches_begin(struct board_patches *patches);

/* Looks at the card; from now on its files follow the texts of the image in the list. */
void board_patches_look(struct board_patches *patches);

int32_t board_patches_count(const struct board_patches *patches);
const char *board_patches_name(const struct board_patches *patches, int32_t number);

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
