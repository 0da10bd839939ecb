#include "board/storage/fat.h"

#include <string.h>

#include "board/storage/fat_blocks.h"

enum {
    ROWS_MAX = 65536, /* of a folder, by its definition */
    PARTITIONS = 446,
    SIGNATURE = 510,
    CLUSTERS_12 = 4085, /* fewer than that: FAT12 */
    CLUSTERS_16 = 65525,
    CLUSTERS_32 = 0x0FFFFFF5,
};

const uint8_t board_fat_long_places[BOARD_FAT_LONG_LETTERS] = {1,  3,  5,  7,  9,  14, 16,
                                                               18, 20, 22, 24, 28, 30};

const uint8_t *board_fat_block(struct board_fat *fat, uint32_t block)
{
    if (fat->cached != block) {
        fat->cached = UINT32_MAX;
        if (fat->read(fat->user, block, fat->bytes) != 0) {
            return NULL;
        }
        fat->cached = block;
    }
    return fat->bytes;
}

/* ---- the file system ---- */

static bool take_volume(struct board_fat *fat, const uint8_t *bytes, uint32_t begin)
{
    const uint32_t reserved = board_fat_get16(bytes + 14);
    const uint32_t tables = bytes[16];
    const uint32_t all = board_fat_get16(bytes + 19) != 0 ? board_fat_get16(bytes + 19)
                                                          : board_fat_get32(bytes + 32);
    const uint32_t size = bytes[13]; /* of a cluster, in blocks: a power of two */
    fat->table_blocks = board_fat_get16(bytes + 22) != 0 ? board_fat_get16(bytes + 22)
                                                         : board_fat_get32(bytes + 36);
    fat->root_blocks = (board_fat_get16(bytes + 17) + BOARD_FAT_ROWS - 1) / BOARD_FAT_ROWS;
    fat->cluster_blocks = size;
    fat->tables = tables;
    fat->begin = begin;
    /* Sums that would not fit are no file system's. */
    const uint64_t before = reserved + (uint64_t)tables * fat->table_blocks + fat->root_blocks;
    if (board_fat_get16(bytes + SIGNATURE) != 0xAA55 ||
        board_fat_get16(bytes + 11) != BOARD_FAT_BLOCK || size == 0 || (size & (size - 1)) != 0 ||
        reserved == 0 || tables == 0 || before >= all || (uint64_t)begin + all > UINT32_MAX) {
        return false;
    }
    fat->clusters = (all - (uint32_t)before) / size;
    fat->table = begin + reserved;
    fat->root = begin + (uint32_t)before - fat->root_blocks;
    fat->data = begin + (uint32_t)before;
    if (fat->clusters == 0 || fat->clusters >= CLUSTERS_32) {
        return false;
    }
    fat->bits = fat->clusters < CLUSTERS_12 ? 12 : fat->clusters < CLUSTERS_16 ? 16 : 32;
    if (fat->bits == 32) {
        fat->root = board_fat_get32(bytes + 44);
        fat->root_blocks = 0;
        fat->info = begin + board_fat_get16(bytes + 48);
    } else if (fat->root_blocks == 0) {
        return false;
    }
    return ((uint64_t)fat->clusters + 2) * fat->bits / 8 <=
           (uint64_t)fat->table_blocks * BOARD_FAT_BLOCK;
}

int board_fat_open(struct board_fat *fat, int (*read)(void *user, uint32_t block, uint8_t *bytes),
                   void *user)
{
    *fat = (struct board_fat){.read = read, .user = user, .cached = UINT32_MAX};
    const uint8_t *bytes = board_fat_block(fat, 0);
    if (bytes == NULL) {
        return -1;
    }
    if (take_volume(fat, bytes, 0)) {
        return 0;
    }
    const uint32_t begin = board_fat_get32(bytes + PARTITIONS + 8);
    if (board_fat_get16(bytes + SIGNATURE) != 0xAA55 || begin == 0) {
        return -1;
    }
    bytes = board_fat_block(fat, begin);
    return bytes != NULL && take_volume(fat, bytes, begin) ? 0 : -1;
}

/* ---- clusters ---- */

bool board_fat_is_cluster(const struct board_fat *fat, uint32_t cluster)
{
    return cluster >= 2 && cluster - 2 < fat->clusters;
}

static uint32_t table_byte(struct board_fat *fat, uint64_t at)
{
    const uint8_t *bytes = board_fat_block(fat, fat->table + (uint32_t)(at / BOARD_FAT_BLOCK));
    return bytes == NULL ? 0 : bytes[at % BOARD_FAT_BLOCK];
}

uint32_t board_fat_value(struct board_fat *fat, uint32_t cluster)
{
    const uint64_t at = (uint64_t)cluster * fat->bits / 8;
    uint32_t value = table_byte(fat, at) | table_byte(fat, at + 1) << 8;
    if (fat->bits == 12) {
        value = (cluster & 1) != 0 ? value >> 4 : value & 0xFFF;
    } else if (fat->bits == 32) {
        value |= table_byte(fat, at + 2) << 16 | (table_byte(fat, at + 3) & 0x0F) << 24;
    }
    return value;
}

uint32_t board_fat_after(struct board_fat *fat, uint32_t cluster)
{
    const uint32_t next = board_fat_value(fat, cluster);
    return board_fat_is_cluster(fat, next) ? next : BOARD_FAT_LAST;
}

/* ---- folders ---- */

void board_fat_begin(struct board_fat *fat, struct board_fat_folder *folder, uint32_t cluster)
{
    *folder = (struct board_fat_folder){.fat = fat, .cluster = cluster};
    if (cluster == BOARD_FAT_ROOT && fat->bits == 32) {
        folder->cluster = fat->root;
    }
    folder->ended = (cluster != BOARD_FAT_ROOT || fat->bits == 32) &&
                    !board_fat_is_cluster(fat, folder->cluster);
}

/* Whether the chain of a folder comes to where it has been: at a cluster that is noted after ever
 * twice as many (Brent's search for cycles). */
static bool comes_back(struct board_fat_folder *folder)
{
    if (folder->cluster == folder->noted) {
        return true;
    }
    folder->steps++;
    if ((folder->steps & (folder->steps - 1)) == 0) {
        folder->noted = folder->cluster;
    }
    return false;
}

bool board_fat_next_row(struct board_fat_folder *folder, uint8_t row[BOARD_FAT_ROW])
{
    struct board_fat *fat = folder->fat;
    if (folder->ended || folder->rows >= ROWS_MAX) {
        return false;
    }
    const uint32_t place = folder->cluster != 0
                               ? board_fat_block_in(fat, folder->cluster, folder->block)
                               : fat->root + folder->block;
    const uint8_t *bytes = board_fat_block(fat, place);
    if (bytes == NULL || bytes[folder->row * BOARD_FAT_ROW] == 0) {
        folder->ended = true;
        return false;
    }
    memcpy(row, bytes + (size_t)folder->row * BOARD_FAT_ROW, BOARD_FAT_ROW);
    folder->last_place = place;
    folder->last_row = folder->row;
    folder->rows++;
    const bool chained = folder->cluster != 0;
    if (++folder->row == BOARD_FAT_ROWS) {
        folder->row = 0;
        if (++folder->block >= (chained ? fat->cluster_blocks : fat->root_blocks)) {
            folder->block = 0;
            folder->cluster = chained ? board_fat_after(fat, folder->cluster) : BOARD_FAT_LAST;
            folder->ended = folder->cluster == BOARD_FAT_LAST || comes_back(folder);
        }
    }
    return true;
}

/* A part of a long name: 13 letters of 16 bits; parts come last first. */
static void take_long(char *name, const uint8_t *row)
{
    const size_t part = row[0] & 0x1F;
    if ((row[0] & BOARD_FAT_LONG_LAST) != 0) {
        memset(name, 0, BOARD_FAT_NAME);
    }
    for (size_t i = 0; part > 0 && i < BOARD_FAT_LONG_LETTERS; i++) {
        const size_t at = (part - 1) * BOARD_FAT_LONG_LETTERS + i;
        const uint32_t letter = board_fat_get16(row + board_fat_long_places[i]);
        if (at < BOARD_FAT_NAME - 1 && letter != 0xFFFF) {
            name[at] = (char)(letter < 0x80 ? letter : '?');
        }
    }
}

void board_fat_show_short(char *name, const uint8_t *row)
{
    size_t size = 0;
    for (size_t i = 0; i < 11; i++) {
        if (i == 8 && row[8] != ' ') {
            name[size++] = '.';
        }
        if (row[i] != ' ') {
            name[size++] = (char)(row[i] < 0x80 ? row[i] : '?');
        }
    }
    name[size] = '\0';
}

bool board_fat_next(struct board_fat_folder *folder, struct board_fat_entry *entry)
{
    uint8_t row[BOARD_FAT_ROW];
    entry->name[0] = '\0';
    while (board_fat_next_row(folder, row)) {
        if (row[0] == BOARD_FAT_DELETED) {
            entry->name[0] = '\0';
        } else if ((row[11] & BOARD_FAT_LONG_NAME) == BOARD_FAT_LONG_NAME) {
            take_long(entry->name, row);
        } else if ((row[11] & BOARD_FAT_VOLUME) == 0 && row[0] != '.') {
            if (entry->name[0] == '\0') {
                board_fat_show_short(entry->name, row);
            }
            entry->folder = (row[11] & BOARD_FAT_FOLDER) != 0;
            entry->cluster = board_fat_get16(row + 26) |
                             (folder->fat->bits == 32 ? board_fat_get16(row + 20) << 16 : 0);
            entry->size = board_fat_get32(row + 28);
            entry->read_only = (row[11] & BOARD_FAT_READ_ONLY) != 0;
            entry->place = folder->last_place;
            entry->row = folder->last_row;
            memcpy(entry->short_name, row, sizeof entry->short_name);
            return true;
        }
    }
    return false;
}

int board_fat_load(struct board_fat *fat, const struct board_fat_entry *entry, void *data,
                   size_t room)
{
    uint8_t *to = data;
    uint32_t left = entry->size;
    uint32_t cluster = entry->cluster;
    if (left > room) {
        return -1;
    }
    while (left > 0) {
        if (!board_fat_is_cluster(fat, cluster)) {
            return -1;
        }
        for (uint32_t i = 0; i < fat->cluster_blocks && left > 0; i++) {
            const uint8_t *bytes = board_fat_block(fat, board_fat_block_in(fat, cluster, i));
            const uint32_t taken = left < BOARD_FAT_BLOCK ? left : BOARD_FAT_BLOCK;
            if (bytes == NULL) {
                return -1;
            }
            memcpy(to, bytes, taken);
            to += taken;
            left -= taken;
        }
        cluster = board_fat_after(fat, cluster);
    }
    return 0;
}
