#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "board/firmware/console.h"
#include "board/firmware/libc/assert.h"
#include "board/firmware/trap.h"
#include "tests/board/core/print.h"

extern unsigned char _free_begin[];
extern unsigned char _free_end[];

void core_begin(void)
{
    board_heap_begin(_free_begin, (size_t)(_free_end - _free_begin));
}

/* The simulator's system call 5: write to a file descriptor. */
static void write_out(const char *text, size_t size)
{
    register uint32_t r1 __asm__("r1") = 1;
    register uint32_t r2 __asm__("r2") = (uint32_t)text;
    register uint32_t r3 __asm__("r3") = size;
    register uint32_t r8 __asm__("r8") = 5;
    __asm__ volatile("scall" : "+r"(r1), "+r"(r2) : "r"(r3), "r"(r8) : "memory");
}

void core_print(const char *text)
{
    write_out(text, strlen(text));
    write_out("\n", 1);
}

void board_print(const char *text)
{
    write_out(text, strlen(text));
}

void board_print_number(uint32_t number)
{
    char digits[11];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    write_out(digits + at, sizeof digits - at);
}

_Noreturn void board_assert_failed(const char *file, int line, const char *condition)
{
    board_print(file);
    board_print(":");
    board_print_number((uint32_t)line);
    board_print(": not ");
    board_print(condition);
    board_print("\n");
    board_exit(1);
}
