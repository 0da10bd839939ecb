/* Vector instructions of x86-64 as bytes: AVX2's with eight lanes, AVX-512's with sixteen.
 * Encodings: Intel's Software Developer's Manual, volume 2, sections 2.3 (VEX) and 2.7 (EVEX). */
#ifndef RENDERER_SHADER_NATIVE_X86_H
#define RENDERER_SHADER_NATIVE_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes as they come. Without memory `failed` is set and what comes is dropped. */
struct x86_text {
    bool wide; /* sixteen lanes */
    uint8_t *bytes;
    size_t count;
    size_t capacity;
    bool failed;
};
void x86_free(struct x86_text *text);
void x86_word(struct x86_text *text, uint32_t word);
void x86_align(struct x86_text *text, size_t bytes); /* a power of two */

/* Vector registers: 0..15, with sixteen lanes 0..31. */
static inline unsigned x86_registers(bool wide)
{
    return wide ? 32 : 16;
}

/* Bytes of a vector. */
static inline size_t x86_vector_size(bool wide)
{
    return wide ? 64 : 32;
}

/* The registers that addresses begin with: the first three arguments of a function. */
enum x86_base { X86_FIRST = 7, X86_SECOND = 6, X86_THIRD = 2 };

/* The last operand of an instruction: a register, or lanes in memory. */
struct x86_operand {
    bool memory;
    bool equal;     /* in memory: eight equal lanes stand for all */
    uint8_t number; /* register, or enum x86_base */
    int32_t offset;
};

static inline struct x86_operand x86_in_register(unsigned number)
{
    return (struct x86_operand){.memory = false, .number = (uint8_t)number};
}

/* to = from op with. MIN and MAX give `with` where both are equal or one is not a number; truths
 * are lanes of all bits set or clear, false where one is not a number. */
enum x86_op {
    X86_ADD,
    X86_SUB,
    X86_MUL,
    X86_DIV,
    X86_MIN,
    X86_MAX,
    X86_AND,
    X86_AND_NOT, /* the bits of `with` that `from` has not */
    X86_OR,
    X86_XOR,
    X86_LT,
    X86_LE,
    X86_EQ,
    X86_NE,
    X86_PLUS, /* of words */
    /* Of `with` alone. */
    X86_ROOT,
    X86_FLOOR,
    X86_CEIL,
    X86_TRUNC,
    X86_ROUND,        /* halves to even */
    X86_SIGNED_WHOLE, /* the number that a word stands for */
    X86_LOAD,
    X86_LEFT, /* of words, by `bits` */
    X86_RIGHT_SIGNED,
    X86_OP_COUNT,
};
void x86_vector(struct x86_text *text, enum x86_op op, unsigned to, unsigned from,
                struct x86_operand with, unsigned bits);
/* Whether both operands may be exchanged. */
bool x86_commutes(enum x86_op op);
/* Whether `with` must be a register. */
static inline bool x86_shifts(enum x86_op op)
{
    return op == X86_LEFT || op == X86_RIGHT_SIGNED;
}
/* to = truth ? with : from */
void x86_choose(struct x86_text *text, unsigned to, unsigned truth, unsigned from,
                struct x86_operand with);
void x86_store(struct x86_text *text, struct x86_operand to, unsigned from);

/* A function whose body is done for X86_FIRST, then for `step` bytes more, until `bytes` are done;
 * at least once. What comes between is the body; x86_begin tells where it begins. */
size_t x86_begin(struct x86_text *text, int32_t bytes);
void x86_end(struct x86_text *text, size_t body, int32_t step);

#endif
