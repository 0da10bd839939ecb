/* A run of operations taken apart: a list of steps, each of which one instruction does. */
#ifndef RENDERER_SHADER_NATIVE_STEPS_H
#define RENDERER_SHADER_NATIVE_STEPS_H

#include "renderer/shader/code/code.h"
#include "renderer/shader/native/x86.h"

enum { NATIVE_STEPS_MOST = 1 << 12 };
#define NATIVE_NONE  UINT16_MAX
#define NATIVE_NEVER UINT16_MAX

/* Operations of steps: those of x86.h, a choice by truths, and what is there without computing. */
enum {
    NATIVE_CHOOSE = X86_OP_COUNT, /* truth ? with : from */
    NATIVE_PLACE,                 /* what stands there when the run begins, or a scalar */
    NATIVE_NUMBER,
};

enum native_operand { NATIVE_FROM, NATIVE_WITH, NATIVE_TRUTH, NATIVE_OPERANDS };

struct native_step {
    uint8_t op;
    bool kept;          /* goes to its place, for what comes behind the run */
    uint8_t bits;       /* of shifts */
    shader_place place; /* where the number stands or belongs; SHADER_PLACE_NONE: nowhere */
    uint32_t number;    /* of NATIVE_NUMBER, its bits */
    uint16_t operand[NATIVE_OPERANDS]; /* steps before this one, or NATIVE_NONE */
    /* Filled in by native_look_ahead: steps, or NATIVE_NEVER. */
    uint16_t next[NATIVE_OPERANDS]; /* which asks for the operand again */
    uint16_t first;                 /* which asks for this one first */
};

struct native_list {
    size_t count;
    bool failed; /* there are too many steps */
    struct native_step step[NATIVE_STEPS_MOST];
};

/* A step, as its number. */
uint16_t native_add(struct native_list *list, const struct native_step *step);
uint16_t native_number(struct native_list *list, uint32_t bits);

/* The steps of an operation, one of code.def before the reads; gives that of the result. trace.c */
uint16_t native_trace(struct native_list *list, enum shader_code_op op, const uint16_t *arguments);

/* ---- write.c ---- */

/* Numbers that steps ask for. */
enum { NATIVE_NUMBERS_MOST = 1 << 8 };
struct native_numbers {
    size_t count;
    uint32_t bits[NATIVE_NUMBERS_MOST];
};

/* Finds out when everything is asked for next. */
void native_look_ahead(struct native_list *list);

/* What nobody asks for is not computed. */
static inline bool native_is_wanted(const struct native_step *step)
{
    return step->kept || step->first != NATIVE_NEVER;
}

/* Writes the steps, each of them for the first vectors of the tile, so that instructions that wait
 * for each other are few. Registers of the code come from X86_FIRST on, scalars, which are the
 * places from `scalars` on, from X86_SECOND, numbers, a vector each, from X86_THIRD. Returns false
 * where the processor's registers are too few, which for one vector they are not, or numbers too
 * many; what is written is of no use then. */
enum { NATIVE_VECTORS_MOST = 2 };
bool native_write(const struct native_list *list, struct x86_text *text,
                  struct native_numbers *numbers, shader_place scalars, unsigned vectors);

#endif
