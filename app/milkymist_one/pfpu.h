/* The coprocessor through its registers. */
#ifndef APP_MILKYMIST_ONE_PFPU_H
#define APP_MILKYMIST_ONE_PFPU_H

#include "app/milkymist_one/tasks.h"
#include "renderer/board_step.h"

struct board_pfpu {
    struct board_tasks *tasks;
    volatile bool done;
    volatile uint32_t runs;
    _Alignas(8) struct tmu_chip_vertex nowhere[1]; /* where runs without a mesh write */
    uint32_t values[REND_BOARD_OPERATIONS];        /* of programs that the processor runs */
};

void board_pfpu_begin(struct board_pfpu *pfpu, struct board_interrupt_handlers *handlers,
                      struct board_tasks *tasks);

/* run_frame and run_vertex of struct rend_board_units, for a task: it waits. */
void board_pfpu_run_frame(struct board_pfpu *pfpu, const struct rend_board_patch *patch,
                          uint32_t *cells);
void board_pfpu_run_vertex(struct board_pfpu *pfpu, const struct rend_board_patch *patch,
                           uint32_t *cells, struct tmu_chip_vertex *vertices);

#endif
