/* Proof by trial that the lane executor computes what the intermediate representation says. */
#ifndef PFPU_MICROCODE_PROVE_H
#define PFPU_MICROCODE_PROVE_H

#include "pfpu/ir/ir.h"

/* Runs a program for the coprocessor over `trials` random register files, and over a mesh, at every
 * level of this machine, one by one and in lanes. NULL if all words agree, else what is wrong, as
 * static text. */
const char *pfpu_prove_lanes(const struct pfpu_ir *ir, uint64_t seed, uint32_t trials,
                             struct base_arena *scratch);

#endif
