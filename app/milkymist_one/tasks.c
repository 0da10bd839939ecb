#include "app/milkymist_one/tasks.h"

#include <assert.h>
#include <stddef.h>

#include "app/milkymist_one/cpu.h"
#include "app/milkymist_one/csr.h"

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
    board_write(BOARD_CSR_system_gpio_out, SHOW_LIGHT | tasks->program_light);
    for (struct board_task *task = ready_task(tasks); task != NULL; task = ready_task(tasks)) {
        board_interrupts_nest(true);
        board_switch(&tasks->interrupted, task->stack_pointer);
        board_interrupts_nest(false);
    }
    tasks->running = false;
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
