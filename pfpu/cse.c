#include "pfpu/passes.h"

struct entry {
    uint32_t epoch; /* block + 1 */
    int32_t value;
};

static bool may_merge(const struct pfpu_instruction *instruction)
{
    const enum pfpu_op_kind kind = pfpu_ops[instruction->op].kind;
    return kind == PFPU_OP_KIND_PURE || kind == PFPU_OP_KIND_WORD || kind == PFPU_OP_KIND_NUMBER ||
           kind == PFPU_OP_KIND_GET;
}

static size_t table_size(size_t count)
{
    size_t size = 16;
    while (size < count * 2) {
        size *= 2;
    }
    return size;
}

/* The equal earlier instruction of the block, or i itself. */
static int32_t first_like(struct entry *table, size_t mask, const struct pfpu_ir *ir, int32_t i,
                          uint32_t epoch)
{
    size_t place = pfpu_instruction_hash(&ir->instructions[i]) & mask;
    while (table[place].epoch == epoch) {
        if (pfpu_instruction_same(&ir->instructions[table[place].value], &ir->instructions[i])) {
            return table[place].value;
        }
        place = (place + 1) & mask;
    }
    table[place] = (struct entry){epoch, i};
    return i;
}

bool pfpu_cse(struct pfpu_ir *ir, struct base_arena *scratch)
{
    const size_t size = table_size(ir->count);
    struct entry *table = base_arena_array(scratch, size, sizeof *table);
    int32_t *renamed = base_arena_room(scratch, ir->count, sizeof *renamed);
    if (table == NULL || renamed == NULL) {
        return false;
    }
    for (size_t b = 0; b < ir->block_count; b++) {
        const struct pfpu_block *block = &ir->blocks[b];
        for (int32_t i = block->first; i < block->first + block->count; i++) {
            struct pfpu_instruction *instruction = &ir->instructions[i];
            for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
                instruction->arguments[k] = renamed[instruction->arguments[k]];
            }
            renamed[i] =
                may_merge(instruction) ? first_like(table, size - 1, ir, i, (uint32_t)b + 1) : i;
        }
    }
    for (size_t b = 0; b < ir->block_count; b++) {
        if (ir->blocks[b].end == PFPU_END_BRANCH) {
            ir->blocks[b].condition = renamed[ir->blocks[b].condition];
        }
    }
    return true;
}
