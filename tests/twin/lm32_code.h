/* Instruction words of the LatticeMico32, for tests that write programs. */
#ifndef TESTS_TWIN_LM32_CODE_H
#define TESTS_TWIN_LM32_CODE_H

#include <stdint.h>

enum lm32_opcode {
#define LM32_ALU(name, opcode, ...)    LM32_##name = (opcode),
#define LM32_LOAD(name, opcode, ...)   LM32_##name = (opcode),
#define LM32_STORE(name, opcode, ...)  LM32_##name = (opcode),
#define LM32_BRANCH(name, opcode, ...) LM32_##name = (opcode),
#define LM32_OTHER(name, opcode, ...)  LM32_##name = (opcode),
#include "board/twin/lm32_ops.def"
};

enum { LM32_RA = 29, LM32_EA = 30, LM32_BA = 31 };
enum { LM32_NOP = 0x34000000, LM32_SCALL = (int)0xAC000007, LM32_BREAK = (int)0xAC000002 };

/* d = a OP b */
static inline uint32_t lm32_rr(enum lm32_opcode op, unsigned d, unsigned a, unsigned b)
{
    return (uint32_t)op << 26 | a << 21 | b << 16 | d << 11;
}

/* d = a OP immediate; loads too: d = (a + immediate) */
static inline uint32_t lm32_ri(enum lm32_opcode op, unsigned d, unsigned a, unsigned immediate)
{
    return (uint32_t)op << 26 | a << 21 | d << 16 | (immediate & 0xFFFF);
}

/* (a + immediate) = value */
static inline uint32_t lm32_store(enum lm32_opcode op, unsigned a, unsigned immediate,
                                  unsigned value)
{
    return lm32_ri(op, value, a, immediate);
}

/* if a OP b, on with the instruction `words` from here */
static inline uint32_t lm32_branch(enum lm32_opcode op, unsigned a, unsigned b, int words)
{
    return lm32_ri(op, b, a, (unsigned)words);
}

static inline uint32_t lm32_jump(enum lm32_opcode op, int words)
{
    return (uint32_t)op << 26 | ((unsigned)words & 0x3FFFFFF);
}

static inline uint32_t lm32_wcsr(unsigned control, unsigned a)
{
    return (uint32_t)LM32_wcsr << 26 | control << 21 | a << 16;
}

static inline uint32_t lm32_rcsr(unsigned d, unsigned control)
{
    return (uint32_t)LM32_rcsr << 26 | control << 21 | d << 11;
}

#endif
