/* Where each value of a scheduled program lives while it runs. */
#ifndef PFPU_CELLS_H
#define PFPU_CELLS_H

#include "pfpu/code.h"
#include "pfpu/ir.h"
#include "pfpu/sched.h"

struct pfpu_cells {
    int32_t *cell; /* of each value */
    bool *emitted; /* by value: it makes code; a SET whose value was made in place makes none */
    double *constants;
    size_t constant_count;
    size_t cell_count; /* constants, slots and temporaries */
};

/* Constants and slots get cells of their own; a variable is read in place and written in place
 * unless it is still needed with its old value; temporaries share cells by linear scan in schedule
 * order. first_cell: own cell n is first_cell - n. False without memory. */
bool pfpu_cells_assign(struct pfpu_cells *cells, const struct pfpu_ir *ir,
                       const struct pfpu_schedule *schedule, int32_t first_cell,
                       struct base_arena *scratch);

/* Cell of a variable or slot. */
int32_t pfpu_cells_of_key(const struct pfpu_cells *cells, int32_t key, int32_t first_cell);

#endif
