/* Schedulers: in which cycle each instruction issues on a target. */
#ifndef PFPU_SCHED_H
#define PFPU_SCHED_H

#include "pfpu/ir.h"
#include "pfpu/target.h"

struct pfpu_schedule {
    int32_t *order;         /* instructions by block and cycle; bound ones before their users */
    uint32_t *cycle;        /* of each instruction, from 0 in its block */
    uint32_t *block_length; /* cycles until everything of the block can be read */
};

enum pfpu_fit {
    PFPU_FITS,
    PFPU_FIT_NO_MEMORY,
    PFPU_FIT_ILLEGAL,   /* an operation that the target lacks */
    PFPU_FIT_BRANCHES,  /* the target cannot branch */
    PFPU_FIT_REGISTERS, /* too many values at a time */
    PFPU_FIT_LENGTH,    /* longer than the target's program memory */
};

/* Block by block and cycle by cycle, issues the first instruction in program order whose operands
 * can be read, whose commit slot is free, whose register is free and whose predecessors in memory
 * order have issued. A SET issues after the GETs of its key. Arrays live in the scratch arena. */
enum pfpu_fit pfpu_sched_greedy(const struct pfpu_target *target, const struct pfpu_ir *ir,
                                struct base_arena *scratch, struct pfpu_schedule *schedule);

#endif
