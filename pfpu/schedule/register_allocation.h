/* Registers of a scheduled program for the coprocessor.
 *
 * Inputs and constants have registers for themselves, from the target's first one upwards; equal
 * constants share one. Results live in the others for as long as they are needed. */
#ifndef PFPU_SCHEDULE_REGISTER_ALLOCATION_H
#define PFPU_SCHEDULE_REGISTER_ALLOCATION_H

#include "pfpu/ir/ir.h"
#include "pfpu/machine/machine.h"
#include "pfpu/schedule/schedule.h"

/* What stands in a register before the run, or after it. */
struct pfpu_binding {
    uint8_t number; /* of the register */
    bool constant;
    uint32_t word; /* of a constant */
    int32_t key;   /* of anything else */
};

struct pfpu_registers {
    uint8_t *of;                 /* the register of each value */
    struct pfpu_binding *pinned; /* inputs and constants */
    uint32_t pinned_count;
    uint32_t used; /* R0, R1, R2 included where they are */
};

/* Binds the inputs and constants. PFPU_FITS, PFPU_FIT_NO_MEMORY or PFPU_FIT_REGISTERS. The number
 * of registers must be limited. */
enum pfpu_fit pfpu_registers_pin(const struct pfpu_target *target, const struct pfpu_ir *ir,
                                 struct base_arena *scratch, struct pfpu_registers *registers);

/* The same, and assigns the results' registers. One block. */
enum pfpu_fit pfpu_registers_allocate(const struct pfpu_target *target, const struct pfpu_ir *ir,
                                      const struct pfpu_schedule *schedule,
                                      struct base_arena *scratch, struct pfpu_registers *registers);

/* How many are left for results; UINT32_MAX without a limit. */
static inline uint32_t pfpu_registers_left(const struct pfpu_target *target,
                                           const struct pfpu_registers *registers)
{
    return target->registers == 0
               ? UINT32_MAX
               : target->registers - target->first_register - registers->pinned_count;
}

#endif
