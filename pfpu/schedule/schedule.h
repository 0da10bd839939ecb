/* Schedulers: in which cycle each instruction issues on a target. */
#ifndef PFPU_SCHEDULE_SCHEDULE_H
#define PFPU_SCHEDULE_SCHEDULE_H

#include "pfpu/ir/ir.h"
#include "pfpu/machine/machine.h"

enum { PFPU_STAGES_MAX = 3 };

struct pfpu_schedule {
    int32_t *order;         /* instructions by block and cycle; bound ones before their users */
    uint32_t *cycle;        /* of each instruction, from 0 in its block */
    uint32_t *block_length; /* cycles until everything of the block can be read */
    uint8_t *stage;         /* of each instruction, from 0; NULL: all in stage 0 */
    uint32_t stages;        /* 1 unless pipelined over vertices */
};

enum pfpu_fit {
    PFPU_FITS,
    PFPU_FIT_NO_MEMORY,
    PFPU_FIT_ILLEGAL,   /* an operation that the target lacks */
    PFPU_FIT_BRANCHES,  /* the target cannot branch */
    PFPU_FIT_REGISTERS, /* too many values at a time */
    PFPU_FIT_LENGTH,    /* longer than the target's program memory */
};

/* A scheduler. Arrays live in the scratch arena. A scheduler may add COPY operations to the program
 * where values must cross from stage to stage. */
typedef enum pfpu_fit pfpu_scheduler(const struct pfpu_target *target, struct pfpu_ir *ir,
                                     struct base_arena *scratch, struct pfpu_schedule *schedule);

/* Block by block and cycle by cycle, issues the first instruction in program order whose operands
 * can be read, whose commit slot is free, whose register is free and whose predecessors in memory
 * order have issued. A SET issues after the GETs of its key. Where registers do not suffice for
 * that it looks less far ahead. Programs for the coprocessor have been through pfpu_legalise; one
 * write to R2 and its IFs are over before the next begins. */
pfpu_scheduler pfpu_schedule_greedy;

/* The same pass over the cycles, but of the instructions that could issue it takes the one with the
 * longest way to the end; also backwards from the end, and back and forth as long as that helps.
 * Never longer than the greedy one. One block, for the coprocessor. */
pfpu_scheduler pfpu_schedule_critical;

/* Cuts the program into stages that work on successive vertices (spec/pfpu.md section 10); takes
 * the number of stages with which a mesh of the target's columns takes the fewest cycles, which may
 * be one: it is where variables are SET or there is no VECTOUT. */
pfpu_scheduler pfpu_schedule_pipelined;

/* The same with few cuts and few passes: a few words more, in a small part of the time. */
pfpu_scheduler pfpu_schedule_quick;

/* pfpu_schedule_critical with at most `passes` passes over the cycles. */
enum pfpu_fit pfpu_schedule_critical_passes(const struct pfpu_target *target, struct pfpu_ir *ir,
                                            uint32_t passes, struct base_arena *scratch,
                                            struct pfpu_schedule *schedule);

/* What all schedulers share. */

/* Whether the target has the operations and the branches of a program, and a slot for each. */
enum pfpu_fit pfpu_schedule_check(const struct pfpu_target *target, const struct pfpu_ir *ir);

/* Memory for all but the stages; false without. */
bool pfpu_schedule_init(struct pfpu_schedule *schedule, const struct pfpu_ir *ir,
                        struct base_arena *scratch);

/* Cycle of what takes no slot, and the order, from the cycles of all other instructions of a
 * program of one block. False without memory. */
bool pfpu_schedule_complete(const struct pfpu_target *target, const struct pfpu_ir *ir,
                            struct base_arena *scratch, struct pfpu_schedule *schedule);

/* The word of the VECTOUT of a program of one block; if it has none, the first word after all
 * others where it could stand. */
uint32_t pfpu_schedule_vectout(const struct pfpu_target *target, const struct pfpu_ir *ir,
                               const struct pfpu_schedule *schedule);

/* The earliest word of the VECTOUT of a scheduled program if slots were free and one vertex ran at
 * a time, with the copies that stages take; UINT32_MAX without memory. */
uint32_t pfpu_critical_path(const struct pfpu_target *target, const struct pfpu_ir *ir,
                            struct base_arena *scratch);

#endif
