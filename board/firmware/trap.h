/* Interrupts and exceptions, time, and tasks that run when interrupts let them. */
#ifndef BOARD_FIRMWARE_TRAP_H
#define BOARD_FIRMWARE_TRAP_H

#include <stdbool.h>
#include <stdint.h>

#include "board/firmware/cpu.h"

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
    volatile uint32_t count; /* interrupts that were served */
};

/* crt0.S calls this at each trap, interrupts off, with what was set as context: the handlers, or
 * NULL. At anything but an interrupt it prints the registers on the console and stops for good. */
void board_trap(struct board_frame *frame, void *context);

/* The handlers stay the caller's and in place until others are set. */
void board_set_trap_context(void *context);

/* Sets a row and lets its interrupt through. */
void board_interrupt_handle(struct board_interrupt_handlers *handlers, enum board_interrupt number,
                            void (*call)(void *user), void *user);

/* Returns as soon as `count` is not `seen`. It asks nothing of memory meanwhile, which leaves that
 * to the texture mapper. Interrupts are on. */
void board_interrupts_wait(const struct board_interrupt_handlers *handlers, uint32_t seen);

/* What main returns to: stops for good. */
_Noreturn void board_exit(int code);

/* Time on the board. Timer 0 ticks, timer 1 counts clock cycles. */

/* Ticks since the start; written by the interrupt alone. `each` is called at every one, within the
 * interrupt; NULL: nobody. It is set while interrupts are off. */
struct board_timer {
    volatile uint32_t ticks;
    struct board_interrupt_handler each;
};

/* Starts timer 0 with 1..100000 ticks in a second. *timer must last as long as the handlers. */
void board_timer_begin(struct board_timer *timer, struct board_interrupt_handlers *handlers,
                       uint32_t ticks_per_second);

/* Starts timer 1: before anything waits or counts cycles. */
void board_cycles_begin(void);

/* Clock cycles; starts again after 2^32 - 1 of them, 53 seconds at 80 MHz. */
uint32_t board_cycles(void);

/* Milliseconds, which wrap after 49 days: to be looked at once in 50 seconds. Zero at start. */
struct board_watch {
    uint32_t before; /* cycle of the last look */
    uint32_t rest;   /* cycles that make no millisecond yet */
    uint32_t milliseconds;
};

/* Not while it is looked at elsewhere, by an interrupt for instance. */
uint32_t board_watch_look(struct board_watch *watch);

/* Waits at least so long, at most 50 seconds. */
void board_wait(uint32_t microseconds);

/* Tasks: functions with a stack each that run in turns, when interrupts have brought what they wait
 * for, and before the program that was interrupted. So the processor works on while coprocessor and
 * texture mapper do, and compiles patches with the rest of its time. */

enum { BOARD_TASKS = 5, BOARD_TASK_STACK = 65536 };

struct board_task {
    void *stack_pointer; /* while it does not run */
    bool (*ready)(const void *user);
    const void *user;
};

struct board_tasks {
    struct board_task rows[BOARD_TASKS];
    uint32_t count;
    uint32_t current;
    void *interrupted; /* stack pointer of the task or program that was interrupted */
    bool running;
    uint32_t left_at; /* cycle at which the program went on last */
    uint32_t left;    /* cycles that the program has had, of all time */
    volatile uint32_t program_light;
};

/* From now on the tasks run after every interrupt. `tasks` must last as long as `handlers`. */
void board_tasks_begin(struct board_tasks *tasks, struct board_interrupt_handlers *handlers);

/* Light 0 is on while tasks run. Light 1: the program says that it works, and when it waits again.
 */
void board_tasks_program_works(struct board_tasks *tasks, bool works);

/* Adds a task; interrupts are off. stack: BOARD_TASK_STACK bytes, at a multiple of 8. The function
 * does not return. It may not allocate memory. */
void board_tasks_add(struct board_tasks *tasks, void *stack, void (*function)(void *user),
                     void *user);

/* Called by the running task: returns when ready(user) is true, which is tested after every
 * interrupt. */
void board_tasks_wait(struct board_tasks *tasks, bool (*ready)(const void *user), const void *user);

/* Called by the running task: returns when none that was added before it is ready. */
void board_tasks_yield(struct board_tasks *tasks);

/* The same, in a few cycles where none of them is ready. */
void board_tasks_give_way(struct board_tasks *tasks);

#endif
