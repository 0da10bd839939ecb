/* Whatever a card holds: its folders and files are walked through, calls end and stay within their
 * buffers. Bytes behind the input are zero. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "board/storage/fat.h"

enum { ENTRIES = 200, ROOM = 4096 };

struct card {
    const uint8_t *bytes;
    size_t size;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_block(void *user, uint32_t block, uint8_t *bytes)
{
    const struct card *card = user;
    const size_t at = (size_t)block * BOARD_FAT_BLOCK;
    memset(bytes, 0, BOARD_FAT_BLOCK);
    if (at < card->size) {
        const size_t left = card->size - at;
        memcpy(bytes, card->bytes + at, left < BOARD_FAT_BLOCK ? left : BOARD_FAT_BLOCK);
    }
    return block < 1u << 20 ? 0 : -1;
}

static void walk(struct board_fat *fat, uint32_t cluster, int depth)
{
    struct board_fat_folder folder;
    struct board_fat_entry entry;
    uint8_t data[ROOM];
    board_fat_begin(fat, &folder, cluster);
    for (int i = 0; i < ENTRIES && board_fat_next(&folder, &entry); i++) {
        if (entry.folder && depth > 0) {
            walk(fat, entry.cluster, depth - 1);
        } else {
            (void)board_fat_load(fat, &entry, data, sizeof data);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct card card = {data, size};
    struct board_fat fat;
    if (board_fat_open(&fat, read_block, &card) == 0) {
        walk(&fat, BOARD_FAT_ROOT, 1);
    }
    return 0;
}
