/* The board's flash memory: a J3 flash chip of 32 MiB, 16 bits wide, behind the bus of 32 bits.
 * Commands, states and times are those of the data sheet (Intel StrataFlash Memory J3, 28F256J3,
 * order number 290667); how the bus divides words, and how long it takes, is read in the published
 * hardware description.
 *
 * Offsets are in bytes from the beginning of the flash. */
#ifndef BOARD_TWIN_FLASH_H
#define BOARD_TWIN_FLASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board/twin/power/cut.h"

enum {
    BOARD_TWIN_FLASH_BYTES = 32 * 1024 * 1024,
    BOARD_TWIN_FLASH_BLOCK = 128 * 1024, /* what is erased at once */
    BOARD_TWIN_FLASH_BLOCKS = BOARD_TWIN_FLASH_BYTES / BOARD_TWIN_FLASH_BLOCK,
    BOARD_TWIN_FLASH_BUFFER = 16, /* halfwords that are programmed at once */
    /* Where the boot loaders look for a program: length, CRC-32, the program. */
    BOARD_TWIN_FLASH_PROGRAM = 0x920000,
    BOARD_TWIN_FLASH_RESCUE = 0x2E0000,
    BOARD_TWIN_FLASH_HEADER = 8,
    /* Cycles of the bus for a read of 32 bits, which are two of the chip, and for a write of 16. */
    BOARD_TWIN_FLASH_READ = 28,
    BOARD_TWIN_FLASH_WRITE = 9,
};

/* What a read gives. */
enum board_twin_flash_mode {
    BOARD_TWIN_FLASH_ARRAY,
    BOARD_TWIN_FLASH_STATUS,
    BOARD_TWIN_FLASH_IDENTITY,
    BOARD_TWIN_FLASH_QUERY,
    BOARD_TWIN_FLASH_EXTENDED, /* whether the buffer is free */
};

struct board_twin_flash {
    uint8_t *inverted; /* every bit the other way round: erased memory is zero, and costs nothing */
    enum board_twin_flash_mode mode;
    uint8_t status;   /* its error bits */
    uint64_t busy;    /* cycle until which it programs or erases */
    uint16_t command; /* one that waits for its second write; 0: none */
    uint32_t block;   /* to which the buffer belongs */
    unsigned wanted;  /* halfwords that the buffer is to take */
    unsigned count;   /* and has */
    uint32_t places[BOARD_TWIN_FLASH_BUFFER];
    uint16_t values[BOARD_TWIN_FLASH_BUFFER];
    struct board_twin_cut cut; /* its writes: blocks erased, buffers and words programmed */
    bool locked[BOARD_TWIN_FLASH_BLOCKS];
};

/* An erased one without locks, all else zero. False without memory. */
bool board_twin_flash_create(struct board_twin_flash *flash);
void board_twin_flash_free(struct board_twin_flash *flash);

/* Puts bytes there as a programmer would have left them; what does not fit is left out. */
void board_twin_flash_put(struct board_twin_flash *flash, uint32_t offset, const void *bytes,
                          size_t size);

/* The bytes that are stored there; offset + size must lie inside. */
void board_twin_flash_get(const struct board_twin_flash *flash, uint32_t offset, void *bytes,
                          size_t size);

/* The processor's accesses. A write reaches the chip whole only as a half of a word, by a mask of
 * 16 bits: what another width writes is undefined, here 0. */
uint32_t board_twin_flash_read(struct board_twin_flash *flash, uint64_t now, uint32_t offset);
void board_twin_flash_write(struct board_twin_flash *flash, uint64_t now, uint32_t offset,
                            uint32_t word, uint32_t mask);

/* Whether the boot loader would start the program at `offset` (spec/milkymist-one.md section 7);
 * its *size then lies behind BOARD_TWIN_FLASH_HEADER bytes. If not, *problem says why. */
bool board_twin_flash_program(const struct board_twin_flash *flash, uint32_t offset, size_t *size,
                              const char **problem);

#endif
