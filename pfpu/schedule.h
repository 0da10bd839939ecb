/* What all schedulers share. */
#ifndef PFPU_SCHEDULE_H
#define PFPU_SCHEDULE_H

#include "pfpu/sched.h"

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

#endif
