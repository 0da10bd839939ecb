/* The texture mapper through its registers. */
#ifndef APP_MILKYMIST_ONE_TMU_H
#define APP_MILKYMIST_ONE_TMU_H

#include "app/milkymist_one/tasks.h"
#include "tmu/chip.h"

struct board_tmu {
    struct board_tasks *tasks;
    volatile bool done;
    volatile uint32_t runs;
};

void board_tmu_begin(struct board_tmu *tmu, struct board_interrupt_handlers *handlers,
                     struct board_tasks *tasks);

/* Draws, for a task: it waits. Registers hold addresses in memory; `vertices` is theirs. */
void board_tmu_draw(struct board_tmu *tmu, const struct tmu_chip_registers *registers);

#endif
