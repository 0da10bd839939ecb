/* The serial console: 115200 bits per second, 8 bits, no parity, 1 stop bit. */
#ifndef BOARD_FIRMWARE_CONSOLE_H
#define BOARD_FIRMWARE_CONSOLE_H

#include <stdbool.h>
#include <stdint.h>

#include "board/firmware/trap.h"

enum { BOARD_CONSOLE_ROOM = 256 };

/* Bytes that have come in and are not read yet; the interrupt writes, the program reads. What does
 * not fit is dropped and counted. */
struct board_console {
    volatile uint32_t written;
    volatile uint32_t read;
    volatile uint32_t dropped;
    volatile uint8_t bytes[BOARD_CONSOLE_ROOM];
};

/* Sets the speed; input goes into *console from now on, which lasts as long as the handlers. */
void board_console_begin(struct board_console *console, struct board_interrupt_handlers *handlers);

/* The next byte, or -1 if there is none. */
int board_console_read(struct board_console *console);

/* These wait until the byte before has gone; they work from the start, without interrupts. A line
 * end is sent as CR and LF. */
void board_print(const char *text);
void board_print_number(uint32_t number);
void board_print_hex(uint32_t number);

#endif
