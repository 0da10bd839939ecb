/* Whatever a card holds: its folders and files are walked through, what a power cut may have left
 * there is mended, files are stored; calls end and stay within their buffers. Bytes behind the
 * input are zero, and cannot be written. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "board/storage/fat.h"
#include "board/storage/fat_write.h"

enum { ENTRIES = 200, ROOM = 4096, WRITES = 1000 };

struct card {
    uint8_t *bytes;
    size_t size;
    unsigned writes;
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

static int write_block(void *user, uint32_t block, const uint8_t *bytes)
{
    struct card *card = user;
    const size_t at = (size_t)block * BOARD_FAT_BLOCK;
    if (at >= card->size || card->size - at < BOARD_FAT_BLOCK || ++card->writes > WRITES) {
        return -1;
    }
    memcpy(card->bytes + at, bytes, BOARD_FAT_BLOCK);
    return 0;
}

static void store(struct board_fat *fat)
{
    static const uint8_t bytes[1500] = {1, 2, 3};
    struct board_fat_writer writer;
    if (board_fat_write_begin(&writer, fat, write_block) == BOARD_FAT_STORED &&
        board_fat_store(&writer, "FROTH.CFG", bytes, 300) == BOARD_FAT_STORED) {
        (void)board_fat_store(&writer, "A patch of mine.milk", bytes, sizeof bytes);
        (void)board_fat_store(&writer, "FROTH.CFG", bytes, 0);
    }
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
    struct card card = {.bytes = malloc(size + 1), .size = size};
    struct board_fat fat;
    if (card.bytes == NULL) {
        return 0;
    }
    memcpy(card.bytes, data, size);
    if (board_fat_open(&fat, read_block, &card) == 0) {
        walk(&fat, BOARD_FAT_ROOT, 1);
        store(&fat);
    }
    free(card.bytes);
    return 0;
}
