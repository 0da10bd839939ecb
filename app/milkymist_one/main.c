/* froth on the Milkymist One. Today: says on the console who it is and shows a test picture. */

#include "app/milkymist_one/console.h"
#include "app/milkymist_one/cpu.h"
#include "app/milkymist_one/csr.h"
#include "app/milkymist_one/screen.h"
#include "app/milkymist_one/test_picture.h"
#include "app/milkymist_one/timer.h"
#include "app/milkymist_one/trap.h"

enum { FRAMES_PER_SECOND = 24 };

/* Memory behind the program, from board.ld. */
extern uint16_t _free_begin[];

static void print_board(void)
{
    board_print("\nfroth " FROTH_VERSION " on the Milkymist One\nclock ");
    board_print_number(board_read(BOARD_CSR_system_frequency));
    board_print(" Hz, system ");
    board_print_hex(board_read(BOARD_CSR_system_id));
    board_print(", capabilities ");
    board_print_hex(board_read(BOARD_CSR_system_capabilities));
    board_print("\n");
}

static void wait_for_tick(const struct board_timer *timer, uint32_t tick)
{
    while (timer->ticks == tick) {
    }
}

static void show_pictures(const struct board_screen *screen, const struct board_timer *timer,
                          struct board_console *console)
{
    for (uint32_t number = 0;; number++) {
        const uint32_t tick = timer->ticks;
        uint16_t *frame = board_screen_draw(screen);
        const uint32_t begin = board_cycles();
        board_test_picture(frame, BOARD_SCREEN_WIDTH, BOARD_SCREEN_HEIGHT, number);
        const uint32_t cycles = board_cycles() - begin;
        board_screen_show(frame);
        board_write(BOARD_CSR_system_gpio_out, number / FRAMES_PER_SECOND & 1);
        if (number % FRAMES_PER_SECOND == 0) {
            board_print("picture ");
            board_print_number(number);
            board_print(": ");
            board_print_number(cycles);
            board_print(" cycles\n");
        }
        for (int byte = 0; (byte = board_console_read(console)) >= 0;) {
            board_print((const char[]){(char)byte, '\0'});
        }
        wait_for_tick(timer, tick);
    }
}

int main(void)
{
    struct board_interrupt_handlers handlers = {0};
    struct board_console console;
    struct board_timer timer;
    struct board_screen screen;
    board_set_trap_context(&handlers);
    board_console_begin(&console, &handlers);
    print_board();
    board_timer_begin(&timer, &handlers, FRAMES_PER_SECOND);
    board_screen_begin(&screen, _free_begin);
    (void)board_interrupts_on(true);
    show_pictures(&screen, &timer, &console);
    return 0;
}
