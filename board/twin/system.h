/* The rows of registers.def as constants; the system controller: pins, two timers, identity; and
 * the serial core. */
#ifndef BOARD_TWIN_SYSTEM_H
#define BOARD_TWIN_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* The system controller. */

enum {
    BOARD_TWIN_CLOCK = 80000000,
    BOARD_TWIN_ID = 0x13004D31,
    BOARD_TWIN_TIMERS = 2,
    BOARD_TWIN_BUTTONS = 7, /* as bits of the input pins */
};

struct board_twin_timer {
    bool runs;
    bool repeats;
    uint32_t compare;
    uint32_t counter; /* at the cycle `since` */
    uint64_t since;
};

struct board_twin_system {
    uint32_t pins; /* inputs */
    uint32_t leds;
    uint32_t changes; /* inputs whose change interrupts */
    uint32_t scratch;
    uint32_t lock;
    struct board_twin_timer timers[BOARD_TWIN_TIMERS];
};

/* What a write asks of the machine. */
enum board_twin_wish { BOARD_TWIN_GOES_ON, BOARD_TWIN_WANTS_RESET, BOARD_TWIN_WANTS_OFF };

void board_twin_system_reset(struct board_twin_system *system);
uint32_t board_twin_system_read(const struct board_twin_system *system, uint64_t now,
                                uint32_t offset);
enum board_twin_wish board_twin_system_write(struct board_twin_system *system, uint64_t now,
                                             uint32_t offset, uint32_t value);

/* When a timer comes to its end; UINT64_MAX: never. */
uint64_t board_twin_system_due(const struct board_twin_system *system);

/* Returns the interrupts that come now. */
uint32_t board_twin_system_event(struct board_twin_system *system, uint64_t now);

/* Presses and releases buttons: 3 bits. Returns the interrupts. */
uint32_t board_twin_system_press(struct board_twin_system *system, uint32_t buttons);

/* The serial core, as console and as MIDI: one byte takes 10 bits of 16 * divisor cycles. */

enum { BOARD_TWIN_UART_QUEUE = 4096 }; /* bytes that may wait outside, a power of two */

struct board_twin_uart {
    uint32_t divisor;
    uint32_t status; /* the events */
    uint32_t control;
    uint32_t debug;
    uint8_t received;
    bool sending;
    uint64_t sent_at;
    bool receiving;
    uint64_t received_at;
    uint8_t queue[BOARD_TWIN_UART_QUEUE];
    size_t queued; /* counts of all bytes ever put in, and taken out */
    size_t taken;
};

void board_twin_uart_reset(struct board_twin_uart *uart, uint32_t divisor);
uint32_t board_twin_uart_read(const struct board_twin_uart *uart, uint32_t offset);

/* Returns the byte that is sent, or -1. */
int board_twin_uart_write(struct board_twin_uart *uart, uint64_t now, uint32_t offset,
                          uint32_t value);

/* Whether the interrupt line is up. */
bool board_twin_uart_line(const struct board_twin_uart *uart);

/* When something happens; UINT64_MAX: never. */
uint64_t board_twin_uart_due(const struct board_twin_uart *uart);

/* What happens until now. Returns a byte that goes straight from the input to the output, or -1. */
int board_twin_uart_event(struct board_twin_uart *uart, uint64_t now);

/* Puts a byte at the other end of the line. False if too many wait there. */
bool board_twin_uart_receive(struct board_twin_uart *uart, uint64_t now, uint8_t byte);

#endif
