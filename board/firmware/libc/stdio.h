/* What of <stdio.h> the firmware has. */
#ifndef BOARD_FIRMWARE_LIBC_STDIO_H
#define BOARD_FIRMWARE_LIBC_STDIO_H

#include <stdarg.h>
#include <stddef.h>

/* %d %i %u %x %X %c %s %p %% with - 0 width precision l ll z h hh; %f and %g for messages: up to 9
 * digits, the last may be off by one. */
int snprintf(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int vsnprintf(char *text, size_t size, const char *format, va_list arguments);

#endif
