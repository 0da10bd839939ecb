/* Stores a file on the image of a memory card as the board does, and lets the power go.
 *   fat_store IMAGE NAME FILE [N HOW]    the N-th write is the last: before, half, garbage, after
 *   fat_store IMAGE                      mends what the power has left
 * Prints how many blocks were written; exit code 1 if it was refused, 3 if the power went. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os/file.h"
#include "base/os/print.h"
#include "board/storage/fat_write.h"
#include "board/twin/power/cut.h"

enum { FILE_MOST = 4 * 1024 * 1024, REFUSED = 1, USAGE = 2, CUT = 3 };

struct card {
    FILE *file;
    struct board_twin_cut cut;
};

static int read_block(void *user, uint32_t block, uint8_t *bytes)
{
    struct card *card = user;
    return card->cut.gone || fseek(card->file, (long)block * BOARD_FAT_BLOCK, SEEK_SET) != 0 ||
                   fread(bytes, BOARD_FAT_BLOCK, 1, card->file) != 1
               ? -1
               : 0;
}

static int write_block(void *user, uint32_t block, const uint8_t *bytes)
{
    struct card *card = user;
    uint8_t stored[BOARD_FAT_BLOCK];
    if (read_block(card, block, stored) != 0) {
        return -1;
    }
    board_twin_cut_write(&card->cut, stored, bytes, sizeof stored);
    return fseek(card->file, (long)block * BOARD_FAT_BLOCK, SEEK_SET) != 0 ||
                   fwrite(stored, sizeof stored, 1, card->file) != 1 || card->cut.gone
               ? -1
               : 0;
}

static int explain(const struct card *card, const char *name, enum board_fat_result result)
{
    (void)printf("%u\n", (unsigned)card->cut.writes);
    if (card->cut.gone) {
        return CUT;
    }
    if (result != BOARD_FAT_STORED) {
        (void)fprintf(stderr, "fat_store: %s: %s\n", name, board_fat_results[result]);
        return REFUSED;
    }
    return 0;
}

static int work(struct card *card, int argc, char **argv)
{
    struct board_fat fat;
    struct board_fat_writer writer;
    if (board_fat_open(&fat, read_block, card) != 0) {
        (void)fprintf(stderr, "fat_store: %s: no FAT file system\n", argv[1]);
        return REFUSED;
    }
    enum board_fat_result result = board_fat_write_begin(&writer, &fat, write_block);
    if (argc == 2 || result != BOARD_FAT_STORED) {
        return explain(card, argv[1], result);
    }
    struct base_file file;
    if (base_file_load(&file, argv[3], FILE_MOST, &base_diag_stderr) != 0) {
        return REFUSED;
    }
    result = board_fat_store(&writer, argv[2], file.data, file.size);
    base_file_free(&file);
    return explain(card, argv[2], result);
}

int main(int argc, char **argv)
{
    struct card card = {.file = argc > 1 ? fopen(argv[1], "r+b") : NULL};
    if (argc != 2 && argc != 4 && argc != 6) {
        (void)fputs("fat_store IMAGE [NAME FILE [N HOW]]\n", stderr);
        return USAGE;
    }
    if (card.file == NULL) {
        perror(argv[1]);
        return REFUSED;
    }
    for (int kind = 0; argc == 6 && kind < BOARD_TWIN_CUT_KINDS; kind++) {
        if (strcmp(argv[5], board_twin_cut_names[kind]) == 0) {
            card.cut.in = (uint32_t)strtoul(argv[4], NULL, 10);
            card.cut.kind = (enum board_twin_cut_kind)kind;
        }
    }
    const int result = work(&card, argc, argv);
    (void)fclose(card.file);
    return result;
}
