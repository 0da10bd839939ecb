/* What reading and writing of the file system share. */
#ifndef BOARD_STORAGE_FAT_BLOCKS_H
#define BOARD_STORAGE_FAT_BLOCKS_H

#include "board/storage/fat.h"

enum { BOARD_FAT_ROW = 32, BOARD_FAT_ROWS = BOARD_FAT_BLOCK / BOARD_FAT_ROW };

/* Bytes of a row that begin it, and its attributes. */
enum {
    BOARD_FAT_DELETED = 0xE5,
    BOARD_FAT_READ_ONLY = 0x01,
    BOARD_FAT_HIDDEN = 0x02,
    BOARD_FAT_SYSTEM = 0x04,
    BOARD_FAT_VOLUME = 0x08,
    BOARD_FAT_FOLDER = 0x10,
    BOARD_FAT_ARCHIVE = 0x20,
    BOARD_FAT_LONG_NAME = 0x0F,
    BOARD_FAT_LONG_LAST = 0x40, /* of a long name's number: its last part, which comes first */
    BOARD_FAT_LONG_LETTERS = 13,
};

/* Where the letters of a long name's part stand in its row. */
extern const uint8_t board_fat_long_places[BOARD_FAT_LONG_LETTERS];

static inline uint32_t board_fat_get16(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8;
}

static inline uint32_t board_fat_get32(const uint8_t *bytes)
{
    return board_fat_get16(bytes) | board_fat_get16(bytes + 2) << 16;
}

/* The bytes of a block, until the next call; NULL if it cannot be read. */
const uint8_t *board_fat_block(struct board_fat *fat, uint32_t block);

bool board_fat_is_cluster(const struct board_fat *fat, uint32_t cluster);

/* What the allocation table says of a cluster: 0 is free. */
uint32_t board_fat_value(struct board_fat *fat, uint32_t cluster);

/* The cluster behind it; BOARD_FAT_LAST behind the end, and where the chain is broken. */
enum { BOARD_FAT_LAST = 1 };
uint32_t board_fat_after(struct board_fat *fat, uint32_t cluster);

/* A block of a cluster. */
static inline uint32_t board_fat_block_in(const struct board_fat *fat, uint32_t cluster,
                                          uint32_t block)
{
    return fat->data + (cluster - 2) * fat->cluster_blocks + block;
}

/* The 32 bytes where the walk stands, which it leaves, of any kind; false at the end. */
bool board_fat_next_row(struct board_fat_folder *folder, uint8_t row[BOARD_FAT_ROW]);

/* A short name as it is shown: at most 12 letters and a NUL. */
void board_fat_show_short(char *name, const uint8_t *row);

#endif
