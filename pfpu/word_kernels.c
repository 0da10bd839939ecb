#include "pfpu/word_kernels.h"

#include <assert.h>

static uint32_t lane(const struct pfpu_word_operand *operand, size_t index)
{
    return operand->words[index / PFPU_WORD_GROUP * operand->step + index % PFPU_WORD_GROUP];
}

static void run_plain(const struct pfpu_word_step *step, size_t groups)
{
    const struct pfpu_word_operand *operands = step->operands;
    for (size_t i = 0; i < groups * PFPU_WORD_GROUP; i++) {
        step->result[i] =
            pfpu_alu(step->opcode, lane(&operands[0], i), lane(&operands[1], i), false);
    }
}

static void run_if_plain(const struct pfpu_word_step *step, size_t groups)
{
    const struct pfpu_word_operand *operands = step->operands;
    for (size_t i = 0; i < groups * PFPU_WORD_GROUP; i++) {
        step->result[i] = pfpu_alu(step->opcode, lane(&operands[1], i), lane(&operands[2], i),
                                   lane(&operands[0], i) != 0);
    }
}

pfpu_word_kernel *pfpu_word_kernel_for(enum base_cpu_level level, unsigned opcode)
{
    assert(opcode < PFPU_OPCODE_COUNT);
#if defined(__x86_64__)
    if (level >= BASE_CPU_AVX2 && pfpu_word_kernels_avx2[opcode] != NULL) {
        return pfpu_word_kernels_avx2[opcode];
    }
#endif
    (void)level;
    return opcode == PFPU_OPCODE_IF ? run_if_plain : run_plain;
}
