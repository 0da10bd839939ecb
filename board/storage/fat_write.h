/* Storing files in the root folder of a FAT file system (fat.h), so that the power may go at any
 * moment: each file is then what it was before or what it was to become, as a whole, and all others
 * are what they were.
 *
 * - The new content goes to clusters that are free, which the allocation table then takes, all of
 *   its copies, the last copy first. Then the one block of the root folder that holds the file's
 *   row changes from the old clusters to the new ones. Then the old ones are given back. Where the
 *   power goes between two writes the file system is whole, but for clusters that belong to no
 * file.
 * - A block of the table or the folder that was being written when the power went may hold
 * anything, and other files are in it too. So its old and its new content are written to a journal
 * first: a file FROTH.JNL of four blocks that lie side by side, in one of the last clusters of the
 * card, where it is found though the folder may be unreadable. The next board_fat_write_begin mends
 * the block, and gives back the clusters that belong to no file.
 * - A block that was changed by someone else in between is left as it is.
 *
 * A block is assumed to be stored as a whole, or as a mixture of old and new, or as something else;
 * other blocks than the one that is written do not change. */
#ifndef BOARD_STORAGE_FAT_WRITE_H
#define BOARD_STORAGE_FAT_WRITE_H

#include "board/storage/fat.h"

enum board_fat_result {
    BOARD_FAT_STORED,
    BOARD_FAT_BAD_NAME,    /* empty, too long, or with letters that FAT does not have */
    BOARD_FAT_PROTECTED,   /* a file of that name is read-only, or is a folder */
    BOARD_FAT_FULL,        /* no so large a piece of the card is free */
    BOARD_FAT_FOLDER_FULL, /* no row of the root folder is free */
    BOARD_FAT_UNSUITED,    /* one copy of the allocation table only, or a folder without sense */
    BOARD_FAT_FAILED,      /* a block could not be read or written */
    BOARD_FAT_RESULTS
};

/* What each of them means, in words. */
extern const char *const board_fat_results[BOARD_FAT_RESULTS];

enum { BOARD_FAT_STORED_NAME = 64 /* letters of a name that is stored, at most */ };

/* What is under way, as the journal tells it. Clusters are 0 where there are none. */
struct board_fat_record {
    uint32_t number;  /* of the record; the highest counts */
    uint32_t target;  /* the block that is written next; 0: none */
    uint32_t old_sum; /* CRC-32 of its old and its new content */
    uint32_t new_sum;
    uint32_t new_first; /* clusters side by side that are to belong to a file */
    uint32_t new_count;
    uint32_t new_guard; /* CRC-32 of their first block; 0: not known */
    uint32_t old_first; /* chain that is given back once no row names it */
    uint32_t old_guard; /* CRC-32 of the first block of old_first; 0: not known */
    uint32_t half;      /* FAT12: cluster of which one half of the entry is given back */
};

/* Plain data. */
struct board_fat_writer {
    struct board_fat *fat;
    int (*write)(void *user, uint32_t block, const uint8_t *bytes);
    uint32_t journal; /* its first block; 0: there is none */
    struct board_fat_record record;
    uint8_t old[BOARD_FAT_BLOCK];
    uint8_t fresh[BOARD_FAT_BLOCK];
};

/* Mends what a power cut has left on a card that was just opened. fat: stays in place as long as
 * the writer is used, and nothing else writes to the card. write: stores a block, 0 or -1; `user`
 * is that of the file system. Writes nothing if nothing is to be mended. */
enum board_fat_result board_fat_write_begin(struct board_fat_writer *writer, struct board_fat *fat,
                                            int (*write)(void *user, uint32_t block,
                                                         const uint8_t *bytes));

/* Creates the file, or puts the bytes in the place of what it holds. name: ASCII. What fails leaves
 * the file as it was, unless a block could not be written: then board_fat_write_begin is the next
 * call. */
enum board_fat_result board_fat_store(struct board_fat_writer *writer, const char *name,
                                      const void *bytes, size_t size);

#endif
