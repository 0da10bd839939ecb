#include "app/milkymist_one/timer.h"

#include <assert.h>
#include <stddef.h>

#include "app/milkymist_one/csr.h"

enum { RUN = 1, REPEAT = 2 };

static void tick(void *user)
{
    struct board_timer *timer = user;
    timer->ticks++;
    if (timer->each.call != NULL) {
        timer->each.call(timer->each.user);
    }
}

void board_timer_begin(struct board_timer *timer, struct board_interrupt_handlers *handlers,
                       uint32_t ticks_per_second)
{
    assert(ticks_per_second >= 1 && ticks_per_second <= 100000);
    *timer = (struct board_timer){.ticks = 0};
    board_write(BOARD_CSR_system_timer0_control, 0);
    board_write(BOARD_CSR_system_timer0_counter, 1);
    board_write(BOARD_CSR_system_timer0_compare,
                board_read(BOARD_CSR_system_frequency) / ticks_per_second);
    board_write(BOARD_CSR_system_timer1_control, 0);
    board_write(BOARD_CSR_system_timer1_counter, 1);
    board_write(BOARD_CSR_system_timer1_compare, UINT32_MAX);
    board_write(BOARD_CSR_system_timer1_control, RUN | REPEAT);
    board_interrupt_handle(handlers, BOARD_INTERRUPT_timer0, tick, timer);
    board_write(BOARD_CSR_system_timer0_control, RUN | REPEAT);
}

uint32_t board_cycles(void)
{
    return board_read(BOARD_CSR_system_timer1_counter);
}

void board_wait(uint32_t microseconds)
{
    const uint32_t per_microsecond = board_read(BOARD_CSR_system_frequency) / 1000000;
    uint32_t before = board_cycles();
    uint64_t left = (uint64_t)microseconds * per_microsecond;
    for (;;) {
        const uint32_t now = board_cycles();
        const uint32_t gone = now - before;
        if (gone > left) {
            return;
        }
        left -= gone;
        before = now;
    }
}
