/* Division by zero and system calls come to board_trap with all registers, and the program goes on
 * with what board_trap leaves, and with interrupts as it had them. */

#include <stddef.h>

#include "board/firmware/cpu.h"
#include "board/firmware/trap.h"
#include "tests/board/check.h"

struct seen {
    uint32_t count;
    uint32_t cause;
    uint32_t r10;
    uint32_t r20;
};

void board_trap(struct board_frame *frame, void *context)
{
    struct seen *seen = context;
    if (seen == NULL) {
        board_exit(254);
    }
    seen->count++;
    seen->cause = frame->cause;
    seen->r10 = frame->r[9];
    seen->r20 = frame->r[19];
    frame->r[10] = 0x11111111;
    frame->ea += 4;
    (void)board_interrupts_on(board_interrupts_on(false));
}

static void divide(void)
{
    struct seen seen = {0};
    board_set_trap_context(&seen);
    uint32_t r11 = 0;
    uint32_t r20 = 0;
    uint32_t moved = 0;
    __asm__ volatile("mv %2, sp\n\t"
                     "mvi r10, 1000\n\t"
                     "mvi r20, 2000\n\t"
                     "mvi r11, 5\n\t"
                     "divu r11, r10, r0\n\t"
                     "sub %2, %2, sp\n\t"
                     "mv %0, r11\n\t"
                     "mv %1, r20"
                     : "=&r"(r11), "=&r"(r20), "=&r"(moved)
                     :
                     : "r10", "r11", "r20", "memory");
    CHECK(seen.count == 1);
    CHECK(seen.cause == BOARD_DIVIDED_BY_ZERO);
    CHECK(seen.r10 == 1000 && seen.r20 == 2000);
    CHECK(r11 == 0x11111111);
    CHECK(r20 == 2000);
    CHECK(moved == 0);
}

static void call_system(void)
{
    struct seen seen = {0};
    board_set_trap_context(&seen);
    for (uint32_t i = 0; i < 100; i++) {
        __asm__ volatile("mvi r8, 99\n\tscall" : : : "r8", "r11", "memory");
    }
    CHECK(seen.count == 100);
    CHECK(seen.cause == BOARD_SYSTEM_CALL);
}

static void keep_interrupts(void)
{
    struct seen seen = {0};
    board_set_trap_context(&seen);
    for (uint32_t on = 0; on < 2; on++) {
        (void)board_interrupts_on(on != 0);
        __asm__ volatile("mvi r8, 99\n\tscall" : : : "r8", "r11", "memory");
        CHECK(board_interrupts_on(false) == (on != 0));
    }
    CHECK(seen.count == 2);
}

int main(void)
{
    divide();
    call_system();
    keep_interrupts();
    return 0;
}
