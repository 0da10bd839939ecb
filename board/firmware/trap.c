#include "board/firmware/trap.h"

#include <assert.h>
#include <stddef.h>

#include "board/firmware/console.h"
#include "board/firmware/cpu.h"

_Static_assert(sizeof(struct board_frame) == 132, "FRAME_SIZE of crt0.S");
_Static_assert(offsetof(struct board_frame, ea) == 120, "FRAME_EA of crt0.S");

void board_trap(struct board_frame *frame, void *context)
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
    if (frame->cause == BOARD_INTERRUPTED && context != NULL) {
        struct board_interrupt_handlers *handlers = context;
        handlers->count = handlers->count + 1;
        uint32_t waiting = board_interrupts_pending() & board_interrupt_mask();
        for (unsigned bit = 0; waiting != 0; bit++, waiting >>= 1) {
            if ((waiting & 1) == 0) {
                continue;
            }
            const struct board_interrupt_handler *row = &handlers->rows[bit];
            /* A pulse that comes while the handler runs must not be taken back with the one before;
             * a level stays up until the handler has seen to its cause. */
            board_interrupts_acknowledge(1u << bit);
            if (row->call != NULL) {
                row->call(row->user);
            }
            if (bit == BOARD_INTERRUPT_uart || bit == BOARD_INTERRUPT_midi ||
                bit == BOARD_INTERRUPT_ethernet_in) {
                board_interrupts_acknowledge(1u << bit);
            }
        }
        if (handlers->after.call != NULL) {
            handlers->after.call(handlers->after.user);
        }
        return;
    }
    board_print("\nfroth: stopped: ");
    board_print(frame->cause < BOARD_CAUSE_COUNT ? names[frame->cause] : "unknown");
    board_print(" at ");
    board_print_hex(frame->ea);
    for (unsigned i = 0; i < 29; i++) {
        board_print(i % 4 == 0 ? "\nr" : "  r");
        board_print_number(i + 1);
        board_print(i < 9 ? "  " : " ");
        board_print_hex(frame->r[i]);
    }
    board_print("\n");
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

/* A loop of a few words: caches hold it, and the count. */
void board_interrupts_wait(const struct board_interrupt_handlers *handlers, uint32_t seen)
{
    while (handlers->count == seen) {
    }
}

_Noreturn void board_exit(int code)
{
    (void)code;
    (void)board_interrupts_on(false);
    for (;;) {
    }
}

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
    board_interrupt_handle(handlers, BOARD_INTERRUPT_timer0, tick, timer);
    board_write(BOARD_CSR_system_timer0_control, RUN | REPEAT);
}

void board_cycles_begin(void)
{
    board_write(BOARD_CSR_system_timer1_control, 0);
    board_write(BOARD_CSR_system_timer1_counter, 1);
    board_write(BOARD_CSR_system_timer1_compare, UINT32_MAX);
    board_write(BOARD_CSR_system_timer1_control, RUN | REPEAT);
}

uint32_t board_cycles(void)
{
    return board_read(BOARD_CSR_system_timer1_counter);
}

uint32_t board_watch_look(struct board_watch *watch)
{
    const uint32_t now = board_cycles();
    const uint32_t each = board_read(BOARD_CSR_system_frequency) / 1000;
    const uint32_t gone = now - watch->before + watch->rest;
    watch->before = now;
    watch->milliseconds += gone / each;
    watch->rest = gone % each;
    return watch->milliseconds;
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

/* switch.S: goes on where `to` was left; *from is where this was. */
void board_switch(void **from, void *to);
void board_switch_begin(void);

enum { SHOW_LIGHT = 1, PROGRAM_LIGHT = 2 };

/* What board_switch leaves on a stack. */
enum { SAVED_WORDS = 18, SAVED_R11 = 1, SAVED_R12 = 2, SAVED_RA = 17 };

static struct board_task *ready_task(struct board_tasks *tasks)
{
    for (uint32_t i = 0; i < tasks->count; i++) {
        struct board_task *task = &tasks->rows[i];
        if (task->ready == NULL || task->ready(task->user)) {
            tasks->current = i;
            return task;
        }
    }
    return NULL;
}

static void run(void *user)
{
    struct board_tasks *tasks = user;
    if (tasks->running) {
        return;
    }
    tasks->running = true;
    tasks->left += board_cycles() - tasks->left_at;
    board_write(BOARD_CSR_system_gpio_out, SHOW_LIGHT | tasks->program_light);
    for (struct board_task *task = ready_task(tasks); task != NULL; task = ready_task(tasks)) {
        board_interrupts_nest(true);
        board_switch(&tasks->interrupted, task->stack_pointer);
        board_interrupts_nest(false);
    }
    tasks->running = false;
    tasks->left_at = board_cycles();
    board_write(BOARD_CSR_system_gpio_out, tasks->program_light);
}

void board_tasks_begin(struct board_tasks *tasks, struct board_interrupt_handlers *handlers)
{
    *tasks = (struct board_tasks){0};
    handlers->after = (struct board_interrupt_handler){run, tasks};
}

void board_tasks_program_works(struct board_tasks *tasks, bool works)
{
    tasks->program_light = works ? PROGRAM_LIGHT : 0;
    board_write(BOARD_CSR_system_gpio_out, tasks->program_light);
}

void board_tasks_add(struct board_tasks *tasks, void *stack, void (*function)(void *user),
                     void *user)
{
    assert(tasks->count < BOARD_TASKS);
    uint32_t *top = (uint32_t *)stack + BOARD_TASK_STACK / sizeof(uint32_t) - SAVED_WORDS - 2;
    top[SAVED_R11] = (uint32_t)function;
    top[SAVED_R12] = (uint32_t)user;
    top[SAVED_RA] = (uint32_t)board_switch_begin;
    tasks->rows[tasks->count++] = (struct board_task){.stack_pointer = top};
}

void board_tasks_wait(struct board_tasks *tasks, bool (*ready)(const void *user), const void *user)
{
    struct board_task *task = &tasks->rows[tasks->current];
    if (!ready(user)) {
        task->ready = ready;
        task->user = user;
        board_switch(&task->stack_pointer, tasks->interrupted);
    }
}

void board_tasks_yield(struct board_tasks *tasks)
{
    struct board_task *task = &tasks->rows[tasks->current];
    task->ready = NULL;
    board_switch(&task->stack_pointer, tasks->interrupted);
}

void board_tasks_give_way(struct board_tasks *tasks)
{
    for (uint32_t i = 0; i < tasks->current; i++) {
        const struct board_task *task = &tasks->rows[i];
        if (task->ready == NULL || task->ready(task->user)) {
            board_tasks_yield(tasks);
            return;
        }
    }
}
