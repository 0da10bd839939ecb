/* Coprocessor and texture mapper through their registers, for tasks. */
#ifndef BOARD_FIRMWARE_UNITS_H
#define BOARD_FIRMWARE_UNITS_H

#include "board/firmware/trap.h"
#include "board/mapper/mapper.h"
#include "board/step/step.h"

struct board_pfpu {
    struct board_tasks *tasks;
    volatile bool done;
    volatile uint32_t runs;
    _Alignas(8) struct board_mapper_vertex nowhere[1]; /* where runs without a mesh write */
    uint32_t values[BOARD_OPERATIONS];                 /* of programs that the processor runs */
};

void board_pfpu_begin(struct board_pfpu *pfpu, struct board_interrupt_handlers *handlers,
                      struct board_tasks *tasks);

/* run_frame and run_vertex of struct board_units, for a task: it waits. */
void board_pfpu_run_frame(struct board_pfpu *pfpu, const struct board_patch *patch,
                          uint32_t *cells);
void board_pfpu_run_vertex(struct board_pfpu *pfpu, const struct board_patch *patch,
                           uint32_t *cells, struct board_mapper_vertex *vertices);

/* The texture mapper through its registers. */

struct board_tmu {
    struct board_tasks *tasks;
    volatile bool done;
    volatile uint32_t runs;
};

void board_tmu_begin(struct board_tmu *tmu, struct board_interrupt_handlers *handlers,
                     struct board_tasks *tasks);

/* Draws, for a task: it waits. Registers hold addresses in memory; `vertices` is theirs. */
void board_tmu_draw(struct board_tmu *tmu, const struct board_mapper_registers *registers);

#endif
