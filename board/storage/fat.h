/* Files of a FAT12, FAT16 or FAT32 file system, read without an operating system (fat_write.h
 * writes): blocks of 512 bytes come from the caller. Folders are read one entry at a time; no
 * memory is allocated. Whatever the blocks hold, each call ends and stays within its buffers. */
#ifndef BOARD_STORAGE_FAT_H
#define BOARD_STORAGE_FAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BOARD_FAT_BLOCK = 512, BOARD_FAT_NAME = 128, BOARD_FAT_ROOT = 0 };

struct board_fat {
    /* Reads a block. Returns 0, or -1 if it cannot be read. The caller's; set by board_fat_open. */
    int (*read)(void *user, uint32_t block, uint8_t *bytes);
    void *user;
    unsigned bits;  /* 12, 16 or 32 */
    uint32_t begin; /* first block of the file system */
    uint32_t info;  /* block that counts free clusters; 0: none */
    uint32_t cluster_blocks;
    uint32_t clusters; /* the last one has the number clusters + 1 */
    uint32_t table;    /* first block of the allocation table */
    uint32_t table_blocks;
    uint32_t tables;      /* copies of it, one behind the other */
    uint32_t root;        /* first block of the root folder; of FAT32 its first cluster */
    uint32_t root_blocks; /* 0 of FAT32 */
    uint32_t data;        /* first block of cluster 2 */
    uint32_t cached;      /* number of the block in `bytes`; UINT32_MAX: none */
    uint8_t bytes[BOARD_FAT_BLOCK];
};

struct board_fat_entry {
    char name[BOARD_FAT_NAME]; /* the long name if there is one; what is not ASCII is '?' */
    uint8_t short_name[11];    /* as it is stored */
    bool folder;
    bool read_only;
    uint32_t cluster; /* its first; 0: empty */
    uint32_t size;    /* bytes */
    uint32_t place;   /* block that its row of 32 bytes stands in, and the row's number there */
    uint32_t row;
};

/* A walk through a folder. Plain data. */
struct board_fat_folder {
    struct board_fat *fat;
    uint32_t cluster; /* 0: the root folder of FAT12 and FAT16 */
    uint32_t block;   /* within the cluster, or within that root folder */
    uint32_t row;     /* within the block */
    uint32_t rows;    /* read so far */
    bool ended;
    uint32_t steps; /* clusters so far; one of them, to find chains without end */
    uint32_t noted;
    uint32_t last_place; /* block and number of the row that was read last */
    uint32_t last_row;
};

/* Finds the file system: on the whole card, or in its first partition. Returns 0, or -1 if there is
 * none that it knows. */
int board_fat_open(struct board_fat *fat, int (*read)(void *user, uint32_t block, uint8_t *bytes),
                   void *user);

/* cluster: of an entry that is a folder, or BOARD_FAT_ROOT. */
void board_fat_begin(struct board_fat *fat, struct board_fat_folder *folder, uint32_t cluster);

/* The next file or folder. False at the end, and where the blocks make no sense. */
bool board_fat_next(struct board_fat_folder *folder, struct board_fat_entry *entry);

/* Reads a file whole. Returns 0, or -1 if it is longer than `room` or its blocks make no sense. */
int board_fat_load(struct board_fat *fat, const struct board_fat_entry *entry, void *data,
                   size_t room);

#endif
