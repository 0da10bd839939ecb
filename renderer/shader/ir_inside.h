/* Inside ir*.c and reference.c: what the makers, the fold rules and the passes share. */
#ifndef RENDERER_SHADER_IR_INSIDE_H
#define RENDERER_SHADER_IR_INSIDE_H

#include "renderer/shader/ir.h"

/* What is known of a float: it lies in low..high or is NaN. */
struct shader_range {
    float low;
    float high;
    bool number; /* never NaN */
    bool whole;  /* a whole number, infinite or NaN */
};

/* Number of arguments of an operation. */
size_t shader_op_arity(enum shader_op op);
static inline bool shader_op_reads(enum shader_op op)
{
    return op >= SHADER_OP_READ2 && op <= SHADER_OP_READ3_LOD;
}
static inline bool shader_op_carries(enum shader_op op)
{
    return op == SHADER_OP_CARRY || op == SHADER_OP_CARRY_TRUTH;
}
/* IF, ELSE, ENDIF, LOOP, WHILE, ENDLOOP. */
static inline bool shader_op_marks(enum shader_op op)
{
    return shader_ops[op].result == SHADER_KIND_N;
}

/* What an operation from ADD to CHOOSE computes. Truths are 0 and 1. The one definition: of
 * constants, of the reference, and of the executor's kernels. */
float shader_op_compute(enum shader_op op, const float *arguments);

/* ir.c: the list. Appends a value or marker as it stands and gives its place. */
shader_value shader_ir_append(struct shader_ir *ir, const struct shader_instruction *instruction,
                              struct shader_range range);
/* The equal value that is known here, else appends it. */
shader_value shader_ir_intern(struct shader_ir *ir, const struct shader_instruction *instruction,
                              struct shader_range range);
/* Makers without memory give this. */
shader_value shader_ir_nothing(enum shader_kind kind);
struct shader_range shader_ir_range(const struct shader_ir *ir, shader_value value);
/* Whether a value may be used where the list ends by any operation: it does not stand in a part of
 * an IF or in a loop that is closed. */
bool shader_ir_stands(const struct shader_ir *ir, shader_value value);

/* Scopes: the whole list, a loop, each part of an IF. A plain scope forgets nothing. */
enum shader_scope_kind { SHADER_SCOPE_PLAIN, SHADER_SCOPE_PART, SHADER_SCOPE_LOOP };
void shader_ir_open(struct shader_ir *ir, enum shader_scope_kind kind);
enum shader_scope_kind shader_ir_close(struct shader_ir *ir);
enum shader_scope_kind shader_ir_innermost(const struct shader_ir *ir);

/* ir_fold.c: an equal value that costs less, or SHADER_NO_VALUE. ADD to CHOOSE. May append. */
shader_value shader_ir_fold(struct shader_ir *ir, enum shader_op op, const shader_value *arguments);
/* ir_range.c: what is known of a result that is not folded. */
struct shader_range shader_range_of(const struct shader_ir *ir,
                                    const struct shader_instruction *instruction);

/* An instruction without arguments. */
static inline struct shader_instruction shader_ir_blank(enum shader_op op)
{
    return (struct shader_instruction){
        .op = (uint8_t)op,
        .argument = {SHADER_NO_VALUE, SHADER_NO_VALUE, SHADER_NO_VALUE, SHADER_NO_VALUE}};
}

#endif
