/* The coprocessor's operations over arrays of words, in groups of eight lanes. */
#ifndef PFPU_MACHINE_WORD_KERNELS_H
#define PFPU_MACHINE_WORD_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"
#include "pfpu/machine/machine.h"

enum {
    PFPU_WORD_GROUP = 8,
    PFPU_WORD_SINES = 2049, /* isin of 0 .. 2048 */
};

struct pfpu_word_operand {
    const uint32_t *words;
    size_t step; /* words from group to group: PFPU_WORD_GROUP, or 0 for the same ones again */
};

struct pfpu_word_step;

/* Computes step->result for whole groups. The result may be the array of an operand. */
typedef void pfpu_word_kernel(const struct pfpu_word_step *step, size_t groups);

struct pfpu_word_step {
    pfpu_word_kernel *run;
    unsigned opcode;
    uint32_t *result;
    struct pfpu_word_operand operands[3]; /* as the arguments in the IR: the condition first */
    const uint32_t *sines;                /* PFPU_WORD_SINES */
};

/* The kernel for an operation with a result. The plain one, pfpu_alu lane by lane, is the
 * definition; the others equal it bit for bit. */
pfpu_word_kernel *pfpu_word_kernel_for(enum base_cpu_level level, unsigned opcode);

/* Those of a level; NULL where the plain one counts. */
extern pfpu_word_kernel *const pfpu_word_kernels_four[PFPU_OPCODE_COUNT];
extern pfpu_word_kernel *const pfpu_word_kernels_avx2[PFPU_OPCODE_COUNT];

#endif
