/* The rows of registers.def as constants. */
#ifndef BOARD_TWIN_REGISTERS_H
#define BOARD_TWIN_REGISTERS_H

/* Blocks of registers, by number. */
enum board_twin_block {
#define BOARD_BLOCK(block, number, help) BOARD_TWIN_BLOCK_##block = (number),
#include "board/twin/registers.def"
    BOARD_TWIN_BLOCKS = 16
};

/* Registers: bytes from the start of their block. */
enum board_twin_register {
#define BOARD_REGISTER(block, name, offset, words, help) BOARD_TWIN_##block##_##name = (offset),
#include "board/twin/registers.def"
};

/* Interrupts as bits of IM and IP. */
enum board_twin_interrupt {
#define BOARD_INTERRUPT(name, bit, help) BOARD_TWIN_IRQ_##name = 1 << (bit),
#include "board/twin/registers.def"
};

#endif
