/* Interrupts and exceptions. */
#ifndef APP_MILKYMIST_ONE_TRAP_H
#define APP_MILKYMIST_ONE_TRAP_H

#include <stdint.h>

#include "app/milkymist_one/csr.h"

enum board_cause {
    BOARD_RESET,
    BOARD_BREAKPOINT,
    BOARD_BAD_INSTRUCTION_ADDRESS,
    BOARD_WATCHPOINT,
    BOARD_BAD_DATA_ADDRESS,
    BOARD_DIVIDED_BY_ZERO,
    BOARD_INTERRUPTED,
    BOARD_SYSTEM_CALL,
    BOARD_CAUSE_COUNT,
};

/* The registers of the program that was interrupted, as crt0.S lays them down; the program goes on
 * with what stands here. */
struct board_frame {
    uint32_t cause;
    uint32_t r[29]; /* r1..r29; r28 is the stack pointer, r29 the return address */
    uint32_t ea;    /* where it goes on: at an exception, the instruction itself */
    uint32_t ba;
    uint32_t unused;
};

/* The function that is called for each interrupt; an interrupt without one is acknowledged and
 * forgotten. `after` is called, with interrupts off, when all interrupts that waited were served;
 * it may let others in (board_interrupts_nest) and then take long; NULL: nothing is called. */
struct board_interrupt_handlers {
    struct board_interrupt_handler {
        void (*call)(void *user);
        void *user;
    } rows[32];
    struct board_interrupt_handler after;
};

/* crt0.S calls this at each trap, interrupts off, with what was set as context: the handlers, or
 * NULL. At anything but an interrupt it prints the registers on the console and stops for good. */
void board_trap(struct board_frame *frame, void *context);

/* The handlers stay the caller's and in place until others are set. */
void board_set_trap_context(void *context);

/* Sets a row and lets its interrupt through. */
void board_interrupt_handle(struct board_interrupt_handlers *handlers, enum board_interrupt number,
                            void (*call)(void *user), void *user);

/* What main returns to: stops for good. */
_Noreturn void board_exit(int code);

#endif
