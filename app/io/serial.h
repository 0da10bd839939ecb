/* A serial line and the keyboard beside it, by the terminal interface of the system. */
#ifndef APP_IO_SERIAL_H
#define APP_IO_SERIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <termios.h>

#include "base/diag.h"

/* The line of this name at 115200 bits per second, 8 bits, no parity, no flow control; what has
 * come in before is forgotten. Returns a descriptor to close, or -1 with a message. */
int app_serial_open(const char *name, const struct base_diag_sink *sink);

/* Waits for bytes, `seconds` at most, and stores up to `room` of them. Returns how many, 0 if none
 * came in this time or a signal interrupted it, -1 if the line is gone. */
long app_serial_read(int line, uint8_t *bytes, size_t room, double seconds);

/* Returns 0 when all are on their way, -1 if the line is gone or takes nothing for ten seconds. */
int app_serial_write(int line, const uint8_t *bytes, size_t count);

/* Waits for either of two descriptors; one that is negative has nothing to say. */
struct app_serial_ready {
    bool line;
    bool keyboard;
};
struct app_serial_ready app_serial_wait(int line, int keyboard, double seconds);

/* While this lasts, keys come as they are pressed and are not echoed; Ctrl-C works as ever. Does
 * nothing where standard input is no terminal. */
struct app_serial_keyboard {
    bool changed;
    struct termios before;
};
void app_serial_keyboard_begin(struct app_serial_keyboard *keyboard);
void app_serial_keyboard_end(const struct app_serial_keyboard *keyboard);

#endif
