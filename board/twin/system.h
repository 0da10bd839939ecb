/* The rows of registers.def as constants; and the system controller: pins, two timers, identity
 * (spec/milkymist-one-devices.md section 6). */
#ifndef BOARD_TWIN_SYSTEM_H
#define BOARD_TWIN_SYSTEM_H

#include <stdbool.h>
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
    BOARD_TWIN_PINS_COMING = 4,
};

struct board_twin_timer {
    bool runs;
    bool repeats;
    uint32_t compare;
    uint32_t counter; /* behind the cycle `since` */
    uint64_t since;
    uint64_t pulse; /* when its interrupt is seen; UINT64_MAX: none is on its way */
};

/* Pins that have changed and are not seen yet. */
struct board_twin_pins {
    uint32_t value;
    uint64_t at; /* when the register shows it; the interrupt comes one cycle later */
};

struct board_twin_system {
    uint32_t pins; /* inputs, as the register shows them */
    struct board_twin_pins coming[BOARD_TWIN_PINS_COMING];
    unsigned coming_count;
    uint64_t changed; /* when the interrupt of a change is seen; UINT64_MAX: none */
    uint32_t leds;
    uint32_t changes; /* inputs whose change interrupts */
    uint32_t scratch;
    uint32_t lock;
    uint64_t port_ready; /* cycle from which the FPGA's port is */
    struct board_twin_timer timers[BOARD_TWIN_TIMERS];
};

/* What a write asks of the machine. */
enum board_twin_wish { BOARD_TWIN_GOES_ON, BOARD_TWIN_WANTS_RESET, BOARD_TWIN_WANTS_OFF };

void board_twin_system_reset(struct board_twin_system *system);

/* A read gives what was before cycle `now`. `now` never goes back. */
uint32_t board_twin_system_read(struct board_twin_system *system, uint64_t now, uint32_t offset);
enum board_twin_wish board_twin_system_write(struct board_twin_system *system, uint64_t now,
                                             uint32_t offset, uint32_t value);

/* When an interrupt comes; UINT64_MAX: never. */
uint64_t board_twin_system_due(const struct board_twin_system *system);

/* Returns the interrupts that come now. */
uint32_t board_twin_system_event(struct board_twin_system *system, uint64_t now);

/* Presses and releases buttons: 3 bits. Two cycles later the register shows it. */
void board_twin_system_press(struct board_twin_system *system, uint64_t now, uint32_t buttons);

#endif
