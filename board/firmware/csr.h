/* The board's registers: their places, as rows of registers.def, and words read and written there.
 */
#ifndef BOARD_FIRMWARE_CSR_H
#define BOARD_FIRMWARE_CSR_H

#include <stdint.h>

/* Past every cache. */
#define BOARD_CSR_BASE 0xE0000000u

enum board_csr_block {
#define BOARD_BLOCK(block, number, help) BOARD_CSR_BLOCK_##block = (number)*0x1000,
#include "board/twin/registers.def"
};

/* Places of the registers above BOARD_CSR_BASE; of several side by side, of the first. */
enum board_csr {
#define BOARD_REGISTER(block, name, offset, words, help)                                           \
    BOARD_CSR_##block##_##name = BOARD_CSR_BLOCK_##block + (offset),
#include "board/twin/registers.def"
};

/* Bits of the processor's IM and IP. */
enum board_interrupt {
#define BOARD_INTERRUPT(name, bit, help) BOARD_INTERRUPT_##name = (bit),
#include "board/twin/registers.def"
};

static inline uint32_t board_read(enum board_csr csr)
{
    return *(const volatile uint32_t *)(BOARD_CSR_BASE + (uint32_t)csr);
}

static inline void board_write(enum board_csr csr, uint32_t value)
{
    *(volatile uint32_t *)(BOARD_CSR_BASE + (uint32_t)csr) = value;
}

#endif
