#include "app/milkymist_one/trap.h"

#include <stddef.h>

#include "app/milkymist_one/console.h"
#include "app/milkymist_one/cpu.h"

_Static_assert(sizeof(struct board_frame) == 132, "FRAME_SIZE of crt0.S");
_Static_assert(offsetof(struct board_frame, ea) == 120, "FRAME_EA of crt0.S");

static void dispatch(const struct board_interrupt_handlers *handlers)
{
    uint32_t waiting = board_interrupts_pending() & board_interrupt_mask();
    for (unsigned bit = 0; waiting != 0; bit++, waiting >>= 1) {
        if ((waiting & 1) == 0) {
            continue;
        }
        const struct board_interrupt_handler *row = &handlers->rows[bit];
        /* A pulse that comes while the handler runs must not be taken back with the one before; a
         * level stays up until the handler has seen to its cause. */
        board_interrupts_acknowledge(1u << bit);
        if (row->call != NULL) {
            row->call(row->user);
        }
        if (bit == BOARD_INTERRUPT_uart || bit == BOARD_INTERRUPT_midi) {
            board_interrupts_acknowledge(1u << bit);
        }
    }
}

static const char *cause_name(uint32_t cause)
{
    static const char *const names[BOARD_CAUSE_COUNT] = {
        [BOARD_RESET] = "reset",
        [BOARD_BREAKPOINT] = "breakpoint",
        [BOARD_BAD_INSTRUCTION_ADDRESS] = "no memory where an instruction should be",
        [BOARD_WATCHPOINT] = "watchpoint",
        [BOARD_BAD_DATA_ADDRESS] = "no memory there",
        [BOARD_DIVIDED_BY_ZERO] = "divided by zero",
        [BOARD_INTERRUPTED] = "interrupt without handlers",
        [BOARD_SYSTEM_CALL] = "system call",
    };
    return cause < BOARD_CAUSE_COUNT ? names[cause] : "unknown";
}

static void print_frame(const struct board_frame *frame)
{
    board_print("\nfroth: stopped: ");
    board_print(cause_name(frame->cause));
    board_print(" at ");
    board_print_hex(frame->ea);
    for (unsigned i = 0; i < 29; i++) {
        board_print(i % 4 == 0 ? "\nr" : "  r");
        board_print_number(i + 1);
        board_print(i < 9 ? "  " : " ");
        board_print_hex(frame->r[i]);
    }
    board_print("\n");
}

void board_trap(struct board_frame *frame, void *context)
{
    if (frame->cause == BOARD_INTERRUPTED && context != NULL) {
        const struct board_interrupt_handlers *handlers = context;
        dispatch(handlers);
        if (handlers->after.call != NULL) {
            handlers->after.call(handlers->after.user);
        }
        return;
    }
    print_frame(frame);
    board_exit(1);
}

void board_interrupt_handle(struct board_interrupt_handlers *handlers, enum board_interrupt number,
                            void (*call)(void *user), void *user)
{
    const bool were_on = board_interrupts_on(false);
    handlers->rows[number] = (struct board_interrupt_handler){call, user};
    board_interrupts_acknowledge(1u << number);
    board_interrupt_mask_set(board_interrupt_mask() | 1u << number);
    (void)board_interrupts_on(were_on);
}

_Noreturn void board_exit(int code)
{
    (void)code;
    (void)board_interrupts_on(false);
    for (;;) {
    }
}
