/* The executor's program: fixed-size instructions on cells of struct pfpu_instance.values.
 *
 * Cells, seen from values:
 *   values[0 ..]    variables by index; their number may still grow
 *   values[-1 ..]   downwards, for one program after the other: constants, slots, temporaries
 * so a program's code never needs to be relocated. */
#ifndef PFPU_HOST_PROGRAM_H
#define PFPU_HOST_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pfpu/host/run.h"
#include "pfpu/ir/ir.h"
#include "pfpu/ir/ops.h"
#include "pfpu/language/scope.h"
#include "pfpu/schedule/schedule.h"

/* code = operation * 2, plus 1 if the result is filtered; from PFPU_CODE_CONTROL on, control. GET
 * and SET stand for registers only: `a` of GET and `dst` of SET are register numbers. */
enum pfpu_code_op {
    PFPU_CODE_CONTROL = 2 * PFPU_OP_COUNT,
    PFPU_CODE_END = PFPU_CODE_CONTROL,
    PFPU_CODE_JUMP,         /* to dst */
    PFPU_CODE_BRANCH_TRUE,  /* to dst if a */
    PFPU_CODE_BRANCH_FALSE, /* to dst unless a */
    PFPU_CODE_AGAIN,        /* back to dst if a, at the price of c */
    PFPU_CODE_COUNT,
};

/* dst, a, b, c: cells (negative: the program's own), or what the operation says. */
struct pfpu_code {
    int32_t op;
    int32_t dst;
    int32_t a;
    int32_t b;
    int32_t c;
};

struct pfpu_code_list {
    struct pfpu_code *instructions; /* the last one is END */
    size_t count;
    double *constants; /* values of the first of the program's own cells */
    size_t constant_count;
    size_t slot_count;  /* cells behind the constants */
    size_t cell_count;  /* constants, slots and temporaries */
    int32_t first_cell; /* own cell n is values[first_cell - n] */
};

enum { PFPU_USE_READS = 1, PFPU_USE_WRITES = 2 };

struct pfpu_program {
    const struct pfpu_scope *scope;
    struct pfpu_program *older; /* compiled into the scope before this one */
    struct pfpu_ir ir;          /* as it was scheduled */
    struct pfpu_code_list code;
    int64_t price;       /* of a run in which no loop goes round twice */
    const uint8_t *uses; /* PFPU_USE_ bits by variable */
    size_t use_count;
};

/* Scheduled program to code. first_cell: see struct pfpu_code_list. The code lives in the arena.
 * False without memory. */
bool pfpu_emit(const struct pfpu_ir *ir, const struct pfpu_schedule *schedule, int32_t first_cell,
               struct base_arena *arena, struct base_arena *scratch, struct pfpu_code_list *code);

/* The same as the scope's newest program, with a copy of the IR. NULL without memory. */
struct pfpu_program *pfpu_program_create(struct pfpu_scope *scope, const struct pfpu_ir *ir,
                                         const struct pfpu_schedule *schedule,
                                         struct base_arena *arena, struct base_arena *scratch);

/* megabuf and gmegabuf (spec/milk-expressions.md section 7). */

double pfpu_memory_load(const struct pfpu_instance *instance, const struct pfpu_globals *globals,
                        double index);
void pfpu_memory_store(struct pfpu_instance *instance, struct pfpu_globals *globals, double index,
                       double value);

double pfpu_dmx_load(const struct pfpu_globals *globals, double channel);
double pfpu_global_load(const struct pfpu_globals *globals, double index);
void pfpu_global_store(struct pfpu_globals *globals, double index, double value);

/* Cells that memset or memcpy may touch at most, for the budget. */
int64_t pfpu_memory_span(double count);

/* Clipped to the valid cells. The value is filtered. */
void pfpu_memory_fill(struct pfpu_instance *instance, struct pfpu_globals *globals,
                      double destination, double value, double count);

/* Clipped where source or destination is not valid; as if the source was read completely before. */
void pfpu_memory_copy(struct pfpu_instance *instance, struct pfpu_globals *globals,
                      double destination, double source, double count);

#endif
