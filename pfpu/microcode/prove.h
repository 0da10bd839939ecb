/* Proofs by trial: of microcode, and of the lane executor, against the IR. */
#ifndef PFPU_MICROCODE_PROVE_H
#define PFPU_MICROCODE_PROVE_H

#include "pfpu/ir/ir.h"
#include "pfpu/microcode/microcode.h"

/* Proves a program: the rules of the machine (operands read in time, no collision, no stray write,
 * nothing in flight at the end, loaded registers never written, the shifted base overwrites only
 * what it may), and on the machine model the same words as the IR's for `trials` random register
 * files, whole rows of vertices. NULL if all is well, else what is wrong, as static text. */
const char *pfpu_prove(const struct pfpu_target *target, const struct pfpu_ir *ir,
                       const struct pfpu_microcode *microcode, uint64_t seed, uint32_t trials,
                       struct base_arena *scratch);

/* Runs a program for the coprocessor over `trials` random register files, and over a mesh, at every
 * level of this machine, one by one and in lanes. NULL if all words agree, else what is wrong, as
 * static text. */
const char *pfpu_prove_lanes(const struct pfpu_ir *ir, uint64_t seed, uint32_t trials,
                             struct base_arena *scratch);

#endif
