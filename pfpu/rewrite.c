#include "pfpu/rewrite.h"

enum { SPARE = 16 }; /* instructions that a pass may add without moving the others */

int32_t *pfpu_rewriter_values(struct base_arena *scratch, size_t count)
{
    int32_t *values = base_arena_room(scratch, count, sizeof *values);
    for (size_t i = 0; values != NULL && i < count; i++) {
        values[i] = PFPU_NO_VALUE;
    }
    return values;
}

bool pfpu_rewriter_init(struct pfpu_rewriter *rewriter, struct pfpu_ir *ir,
                        struct base_arena *scratch)
{
    *rewriter = (struct pfpu_rewriter){.ir = ir, .scratch = scratch};
    pfpu_ir_init(&rewriter->made, ir->arena);
    rewriter->made.slot_count = ir->slot_count;
    rewriter->made.key_end = ir->key_end;
    rewriter->renamed = pfpu_rewriter_values(scratch, ir->count);
    return rewriter->renamed != NULL && pfpu_ir_reserve(&rewriter->made, ir->count + SPARE) &&
           pfpu_ir_open_block(&rewriter->made) != PFPU_NO_VALUE;
}

int32_t pfpu_rewriter_append(struct pfpu_rewriter *rewriter, struct pfpu_instruction instruction)
{
    const int32_t value =
        rewriter->failed ? PFPU_NO_VALUE : pfpu_ir_append(&rewriter->made, instruction);
    rewriter->failed = value == PFPU_NO_VALUE;
    return value;
}

int32_t pfpu_rewriter_append_copy(struct pfpu_rewriter *rewriter, int32_t value, uint32_t offset)
{
    return pfpu_rewriter_append(rewriter, (struct pfpu_instruction){.op = PFPU_OP_WORD_COPY,
                                                                    .arguments = {value, 0, 0},
                                                                    .offset = offset});
}

struct pfpu_instruction pfpu_rewriter_renamed(const struct pfpu_rewriter *rewriter, int32_t i)
{
    struct pfpu_instruction instruction = *pfpu_rewriter_at(rewriter, i);
    for (int k = 0; k < pfpu_rewriter_arity(rewriter, i); k++) {
        instruction.arguments[k] = rewriter->renamed[instruction.arguments[k]];
    }
    return instruction;
}

void pfpu_rewriter_keep(struct pfpu_rewriter *rewriter, int32_t i)
{
    const struct pfpu_instruction *from = pfpu_rewriter_at(rewriter, i);
    const int32_t value = pfpu_rewriter_append(rewriter, *from);
    if (value != PFPU_NO_VALUE) {
        struct pfpu_instruction *kept = &rewriter->made.instructions[value];
        for (int k = 0; k < pfpu_ops[kept->op].arity; k++) {
            kept->arguments[k] = rewriter->renamed[kept->arguments[k]];
        }
    }
    rewriter->renamed[i] = value;
}

bool pfpu_rewriter_finish(const struct pfpu_rewriter *rewriter)
{
    if (!rewriter->failed) {
        *rewriter->ir = rewriter->made;
    }
    return !rewriter->failed;
}
