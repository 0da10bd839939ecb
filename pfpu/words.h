/* What a program for the coprocessor (microcode.h) computes, operation by operation in the order of
 * the IR: the meaning that schedules are proved against, and what the board's CPU uses. */
#ifndef PFPU_WORDS_H
#define PFPU_WORDS_H

#include "pfpu/ir.h"

/* One vertex. keys: words by pfpu_ir_key_index; SETs change them at the end of the run, GETs of
 * column and row are keys as well. values: one word per instruction, for the caller to look at.
 * out: the two words of the VECTOUT, unchanged if there is none. */
void pfpu_words_run(const struct pfpu_ir *ir, uint32_t *keys, uint32_t *values, uint32_t out[2]);

#endif
