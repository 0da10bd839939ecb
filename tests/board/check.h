/* Checks in a program for the processor's simulator: it ends with the number of the first line
 * whose check failed, or 0. Nothing can be printed there while exceptions are taken. */
#ifndef TESTS_BOARD_CHECK_H
#define TESTS_BOARD_CHECK_H

#include <stdint.h>

/* Ends the program; simulator.S. The simulator keeps 8 bits of the code. */
_Noreturn void board_exit(int code);

/* code: 1..255. */
#define CHECK(condition) ((condition) ? (void)0 : board_exit(__LINE__ % 255 + 1))

/* A value that the compiler does not know. */
static inline uint32_t hidden(uint32_t value)
{
    __asm__ volatile("" : "+r"(value));
    return value;
}

#endif
