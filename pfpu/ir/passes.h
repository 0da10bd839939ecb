/* The passes over the intermediate representation, in the order in which they run. Each leaves a
 * program that pfpu_verify accepts and that computes the same bits. False: no memory. */
#ifndef PFPU_IR_PASSES_H
#define PFPU_IR_PASSES_H

#include "pfpu/ir/ir.h"

/* Computes what is constant, drops operations without effect on their operand, and turns branches
 * on constants into jumps. Never touches rand. */
bool pfpu_fold(struct pfpu_ir *ir, struct base_arena *scratch);

/* Within each block, computes equal pure operations once. */
bool pfpu_cse(struct pfpu_ir *ir, struct base_arena *scratch);

/* Removes operations nobody uses, slots nobody reads and blocks nobody reaches. */
bool pfpu_dce(struct pfpu_ir *ir, struct base_arena *scratch);

/* Merges an operation with the filter that takes its result, and a product with the sum that takes
 * it (both still round). Only for targets that have the merged operations. */
bool pfpu_fuse(struct pfpu_ir *ir, struct base_arena *scratch);

/* NULL if all the invariants of ir.h hold, else what is wrong, as static text. Not a pass. */
const char *pfpu_verify(const struct pfpu_ir *ir, struct base_arena *scratch);

#endif
