/* The coprocessor's arithmetic, bit for bit (spec/pfpu.md section 4). Words are what the registers
 * hold: floats without NaN, infinities and denormals, or signed integers. Pure functions, total. */
#ifndef PFPU_MACHINE_ALU_H
#define PFPU_MACHINE_ALU_H

#include <stdbool.h>
#include <stdint.h>

#include "pfpu/ir/ops.h"

/* The code of the hardware, the row in opcodes.def. */
enum pfpu_opcode {
    PFPU_OPCODE_NOP = 0,
    PFPU_OPCODE_FADD = PFPU_OP_WORD_FADD - PFPU_OP_WORD_NOP,
    PFPU_OPCODE_FSUB = PFPU_OP_WORD_FSUB - PFPU_OP_WORD_NOP,
    PFPU_OPCODE_VECTOUT = PFPU_OP_WORD_VECTOUT - PFPU_OP_WORD_NOP,
    PFPU_OPCODE_IF = PFPU_OP_WORD_IF - PFPU_OP_WORD_NOP,
    PFPU_OPCODE_COUNT = 16,
};

struct pfpu_opcode_row {
    const char *text;
    uint8_t operands; /* read by the machine */
    uint8_t latency;  /* of the chip; 0: no result */
    uint8_t thesis_latency;
};

extern const struct pfpu_opcode_row pfpu_opcodes[PFPU_OPCODE_COUNT];

static inline enum pfpu_op pfpu_op_of_opcode(unsigned opcode)
{
    return (enum pfpu_op)((unsigned)PFPU_OP_WORD_NOP + opcode);
}

static inline unsigned pfpu_opcode_of_op(enum pfpu_op op)
{
    return (unsigned)op - (unsigned)PFPU_OP_WORD_NOP;
}

/* The result of an operation. flag: the condition, for IF alone. NOP and VECTOUT give 0. Where the
 * chip's source leaves bits undefined they are 0, and a difference of nothing has 31 leading zeros.
 */
uint32_t pfpu_alu(unsigned opcode, uint32_t a, uint32_t b, bool flag);

/* The word nearest to a number: rounded to single precision, denormals to zero of the same sign,
 * what is too large to the largest finite one, NaN to 0. */
uint32_t pfpu_word_of_number(double number);

/* The number that a word stands for as a float; exponent 255 is an ordinary one. */
double pfpu_number_of_word(uint32_t word);

#endif
