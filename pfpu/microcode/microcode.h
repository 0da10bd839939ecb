/* From a scheduled program for the coprocessor (ir.h) to its words, and what a host must know to
 * run them. */
#ifndef PFPU_MICROCODE_MICROCODE_H
#define PFPU_MICROCODE_MICROCODE_H

#include "pfpu/ir/ir.h"
#include "pfpu/machine/target.h"
#include "pfpu/schedule/register_allocation.h"
#include "pfpu/schedule/schedule.h"

struct pfpu_microcode {
    uint32_t *words;
    size_t length;    /* the words to load; the last one follows the VECTOUT */
    uint32_t vectout; /* the number of the VECTOUT's word */
    uint32_t stages;  /* K: vertices in flight at the same time, from 1 (spec/pfpu.md section 10) */
    struct pfpu_binding *inputs;
    size_t input_count;
    struct pfpu_binding *outputs; /* the SETs */
    size_t output_count;
    uint32_t operations; /* issued, VECTOUT included */
    uint32_t registers;  /* used, R0..R2 included where they are */
};

/* Assigns registers (spec/pfpu.md section 10, rule 6) and encodes. PFPU_FIT_REGISTERS if there are
 * not enough. */
enum pfpu_fit pfpu_encode(const struct pfpu_target *target, const struct pfpu_ir *ir,
                          const struct pfpu_schedule *schedule, struct base_arena *arena,
                          struct base_arena *scratch, struct pfpu_microcode *microcode);

#endif
