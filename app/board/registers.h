/* The rows of registers.def as constants. */
#ifndef APP_BOARD_REGISTERS_H
#define APP_BOARD_REGISTERS_H

/* Blocks of registers, by number. */
enum app_board_block {
#define BOARD_BLOCK(block, number, help) APP_BOARD_BLOCK_##block = (number),
#include "app/milkymist_one/registers.def"
    APP_BOARD_BLOCKS = 16
};

/* Registers: bytes from the start of their block. */
enum app_board_register {
#define BOARD_REGISTER(block, name, offset, words, help) APP_BOARD_##block##_##name = (offset),
#include "app/milkymist_one/registers.def"
};

/* Interrupts as bits of IM and IP. */
enum app_board_interrupt {
#define BOARD_INTERRUPT(name, bit, help) APP_BOARD_IRQ_##name = 1 << (bit),
#include "app/milkymist_one/registers.def"
};

#endif
