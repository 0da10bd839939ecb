/* What a program computes, as terms instead of numbers. Equal terms are equal numbers whatever the
 * registers hold. */
#ifndef PFPU_PROVE_SYMBOLS_H
#define PFPU_PROVE_SYMBOLS_H

#include "pfpu/microcode.h"

#define PFPU_PROVE_NO_MEMORY "there is not enough memory for a proof"

/* Runs the words for as many vertices as are under way at a time, from registers of which only the
 * loaded ones are known, and compares the last vertex with the IR's terms. NULL if they are the
 * same, PFPU_PROVE_NO_MEMORY, or what differs. The words have passed all checks of timing. */
const char *pfpu_prove_symbols(const struct pfpu_target *target, const struct pfpu_ir *ir,
                               const struct pfpu_microcode *microcode, struct base_arena *scratch);

#endif
