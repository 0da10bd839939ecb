#ifndef PFPU_SELECT_LEGALISE_H
#define PFPU_SELECT_LEGALISE_H

#include "pfpu/ir/ir.h"

/* Makes a program fit the machine's rules, before scheduling: every condition is committed to R2
 * for itself (a copy or a repeated comparison is added where its value is needed elsewhere, or by
 * IFs that cannot share it), every SET has a result of its own to commit. False: no memory. */
bool pfpu_legalise(struct pfpu_ir *ir, struct base_arena *scratch);

#endif
