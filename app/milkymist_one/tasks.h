/* Tasks: functions with a stack each that run in turns, when interrupts have brought what they wait
 * for, and before the program that was interrupted. So the processor works on while coprocessor and
 * texture mapper do, and compiles patches with the rest of its time. */
#ifndef APP_MILKYMIST_ONE_TASKS_H
#define APP_MILKYMIST_ONE_TASKS_H

#include <stdbool.h>
#include <stdint.h>

#include "app/milkymist_one/trap.h"

enum { BOARD_TASKS = 3, BOARD_TASK_STACK = 65536 };

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

#endif
