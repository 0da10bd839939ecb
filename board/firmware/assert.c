#include "board/firmware/console.h"
#include "board/firmware/libc/assert.h"
#include "board/firmware/trap.h"

_Noreturn void board_assert_failed(const char *file, int line, const char *condition)
{
    board_print("\nfroth: stopped: ");
    board_print(file);
    board_print(":");
    board_print_number((uint32_t)line);
    board_print(": not ");
    board_print(condition);
    board_print("\n");
    board_exit(1);
}
