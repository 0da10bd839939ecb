/* Time on the board. Timer 0 ticks, timer 1 counts clock cycles. */
#ifndef APP_MILKYMIST_ONE_TIMER_H
#define APP_MILKYMIST_ONE_TIMER_H

#include <stdint.h>

#include "app/milkymist_one/trap.h"

/* Ticks since the start; written by the interrupt alone. `each` is called at every one, within the
 * interrupt; NULL: nobody. It is set while interrupts are off. */
struct board_timer {
    volatile uint32_t ticks;
    struct board_interrupt_handler each;
};

/* Starts both timers with 1..100000 ticks in a second. *timer must last as long as the handlers. */
void board_timer_begin(struct board_timer *timer, struct board_interrupt_handlers *handlers,
                       uint32_t ticks_per_second);

/* Clock cycles; starts again after 2^32 - 1 of them, 53 seconds at 80 MHz. */
uint32_t board_cycles(void);

/* Waits at least so long, at most 50 seconds. */
void board_wait(uint32_t microseconds);

#endif
