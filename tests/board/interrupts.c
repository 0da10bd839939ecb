/* The program starts with interrupts off and none let through; switching keeps what was. */

#include "board/firmware/cpu.h"
#include "tests/board/check.h"

int main(void)
{
    CHECK(board_interrupt_mask() == 0);
    CHECK(!board_interrupts_on(false));
    CHECK(!board_interrupts_on(true));
    CHECK(board_interrupts_on(true));
    CHECK(board_interrupts_on(false));
    board_interrupt_mask_set(0x00008104);
    CHECK(board_interrupt_mask() == 0x00008104);
    board_interrupt_mask_set(0);
    CHECK(board_interrupt_mask() == 0);
    board_interrupts_acknowledge(0xFFFFFFFF);
    CHECK(board_interrupts_pending() == 0);
    return 0;
}
