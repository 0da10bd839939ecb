/* Programs for the coprocessor are rewritten instruction by instruction into new ones. */
#ifndef PFPU_REWRITE_H
#define PFPU_REWRITE_H

#include "pfpu/ir.h"

struct pfpu_rewriter {
    struct pfpu_ir *ir;
    struct base_arena *scratch;
    struct pfpu_ir made;
    int32_t *renamed; /* by value: in the program made; PFPU_NO_VALUE before that */
    bool failed;
};

/* Begins a program of one block. False without memory. */
bool pfpu_rewriter_init(struct pfpu_rewriter *rewriter, struct pfpu_ir *ir,
                        struct base_arena *scratch);

/* Appends an instruction with values of the program made. After a failure, nothing more. */
int32_t pfpu_rewriter_append(struct pfpu_rewriter *rewriter, struct pfpu_instruction instruction);
int32_t pfpu_rewriter_append_copy(struct pfpu_rewriter *rewriter, int32_t value, uint32_t offset);

/* An instruction of the old program with the values that its operands have in the new one. */
struct pfpu_instruction pfpu_rewriter_renamed(const struct pfpu_rewriter *rewriter, int32_t i);

/* Appends the instruction with its arguments renamed, and notes what became of it. */
void pfpu_rewriter_keep(struct pfpu_rewriter *rewriter, int32_t i);

/* Puts the program made in the place of the old one; false without memory, and the old one stays.
 */
bool pfpu_rewriter_finish(const struct pfpu_rewriter *rewriter);

/* An array of PFPU_NO_VALUE; NULL without memory. */
int32_t *pfpu_rewriter_values(struct base_arena *scratch, size_t count);

static inline const struct pfpu_instruction *pfpu_rewriter_at(const struct pfpu_rewriter *rewriter,
                                                              int32_t i)
{
    return &rewriter->ir->instructions[i];
}

static inline int pfpu_rewriter_arity(const struct pfpu_rewriter *rewriter, int32_t i)
{
    return pfpu_ops[pfpu_rewriter_at(rewriter, i)->op].arity;
}

static inline bool pfpu_rewriter_is_operation(const struct pfpu_rewriter *rewriter, int32_t value)
{
    return pfpu_ops[pfpu_rewriter_at(rewriter, value)->op].kind == PFPU_OP_KIND_WORD;
}

/* The part of pfpu_legalise that is about conditions: each is made for R2 alone, and shared by IFs
 * that need not wait for each other. False without memory. */
bool pfpu_legalise_conditions(struct pfpu_ir *ir, struct base_arena *scratch);

#endif
