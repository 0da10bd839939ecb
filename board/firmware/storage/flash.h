/* The flash memory: a J3 chip of 16 bits (Intel StrataFlash Memory J3, order number 290667), in
 * blocks of 128 KiB that are erased at once. Offsets are in bytes from its beginning. While it
 * works nobody else may read it. For the program alone. */
#ifndef BOARD_FIRMWARE_STORAGE_FLASH_H
#define BOARD_FIRMWARE_STORAGE_FLASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BOARD_FLASH_BLOCK = 128 * 1024,
    BOARD_FLASH_BUFFER = 32, /* bytes that are programmed at once */
};

enum board_flash_result {
    BOARD_FLASH_DONE,
    BOARD_FLASH_LOCKED, /* the block is, and so nothing has changed */
    BOARD_FLASH_FAILED, /* it could not, or does not end */
};

/* Makes all bytes of the block FF. Takes a second as a rule, five at most. */
enum board_flash_result board_flash_erase(uint32_t offset);

/* Programs bytes that were erased; offset and size are multiples of BOARD_FLASH_BUFFER, in one
 * block. A quarter of a millisecond for each buffer. */
enum board_flash_result board_flash_program(uint32_t offset, const uint8_t *bytes, size_t size);

bool board_flash_equals(uint32_t offset, const uint8_t *bytes, size_t size);

#endif
