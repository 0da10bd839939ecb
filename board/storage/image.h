/* The board's program as a file: the flat bytes of boot.bin. Near their beginning stand 40 bytes
 * that name it: "FROTH-M1", the version, and big-endian the length of the file and its CRC-32, in
 * which the sum itself counts as zeros. tools/seal_image fills these two in. */
#ifndef BOARD_STORAGE_IMAGE_H
#define BOARD_STORAGE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BOARD_IMAGE_MAGIC "FROTH-M1"

enum {
    BOARD_IMAGE_VERSION = 24, /* bytes, with a NUL at least */
    BOARD_IMAGE_LEAST = 32,   /* bytes of a program that the boot loader starts from flash memory */
    BOARD_IMAGE_MOST = 4 * 1024 * 1024,
};

/* As it stands in the program. */
struct board_image_seal {
    char magic[8];
    char version[BOARD_IMAGE_VERSION];
    uint8_t length[4];
    uint8_t sum[4];
};

/* Whether the bytes are a whole program of froth for the board; its version then goes to *version,
 * which points into them. If not, *problem says why. */
bool board_image_check(const uint8_t *bytes, size_t size, const char **version,
                       const char **problem);

#endif
