#include "pfpu/passes.h"

struct fuser {
    struct pfpu_ir *ir;
    uint32_t *uses;
    int32_t *block_of;
    int32_t *renamed;
    bool *keep;
};

/* The value is used by that instruction alone, in the same block, so the two can become one. */
static bool is_private(const struct fuser *fuser, int32_t value, int32_t user)
{
    return fuser->uses[value] == 1 && fuser->block_of[value] == fuser->block_of[user] &&
           fuser->keep[value];
}

static bool is_private_product(const struct fuser *fuser, int32_t value, int32_t user)
{
    const struct pfpu_instruction *instruction = &fuser->ir->instructions[value];
    return instruction->op == PFPU_OP_MUL && !instruction->filtered &&
           is_private(fuser, value, user);
}

static void merge_product(struct fuser *fuser, int32_t user, enum pfpu_op op, int32_t product,
                          int32_t other)
{
    struct pfpu_instruction *instruction = &fuser->ir->instructions[user];
    const struct pfpu_instruction *factors = &fuser->ir->instructions[product];
    instruction->op = op;
    instruction->arguments[0] = factors->arguments[0];
    instruction->arguments[1] = factors->arguments[1];
    instruction->arguments[2] = other;
    fuser->keep[product] = false;
}

static void fuse_product(struct fuser *fuser, int32_t i)
{
    const struct pfpu_instruction *instruction = &fuser->ir->instructions[i];
    const int32_t a = instruction->arguments[0];
    const int32_t b = instruction->arguments[1];
    if (instruction->op != PFPU_OP_ADD && instruction->op != PFPU_OP_SUB) {
        return;
    }
    const bool sum = instruction->op == PFPU_OP_ADD;
    if (is_private_product(fuser, a, i)) {
        merge_product(fuser, i, sum ? PFPU_OP_MUL_ADD : PFPU_OP_MUL_SUB, a, b);
    } else if (is_private_product(fuser, b, i)) {
        merge_product(fuser, i, sum ? PFPU_OP_MUL_ADD : PFPU_OP_SUB_MUL, b, a);
    }
}

static void fuse_filter(struct fuser *fuser, int32_t i)
{
    const int32_t value = fuser->ir->instructions[i].arguments[0];
    struct pfpu_instruction *made = &fuser->ir->instructions[value];
    if (pfpu_ops[made->op].kind == PFPU_OP_KIND_PURE && is_private(fuser, value, i)) {
        made->filtered = true;
        fuser->uses[value] = fuser->uses[i];
        fuser->renamed[i] = value;
        fuser->keep[i] = false;
    }
}

static void fuse_instruction(struct fuser *fuser, int32_t i)
{
    struct pfpu_instruction *instruction = &fuser->ir->instructions[i];
    fuser->renamed[i] = i;
    fuser->keep[i] = true;
    for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
        instruction->arguments[k] = fuser->renamed[instruction->arguments[k]];
    }
    if (instruction->op == PFPU_OP_FILTER) {
        fuse_filter(fuser, i);
    } else {
        fuse_product(fuser, i);
    }
}

bool pfpu_fuse(struct pfpu_ir *ir, struct base_arena *scratch)
{
    struct fuser fuser = {.ir = ir};
    fuser.uses = pfpu_ir_count_uses(ir, scratch);
    fuser.block_of = pfpu_ir_blocks_of(ir, scratch);
    fuser.renamed = base_arena_array(scratch, ir->count, sizeof *fuser.renamed);
    fuser.keep = base_arena_array(scratch, ir->count, sizeof *fuser.keep);
    bool *keep_block = base_arena_array(scratch, ir->block_count, sizeof *keep_block);
    if (scratch->failed) {
        return false;
    }
    for (size_t i = 0; i < ir->count; i++) {
        fuse_instruction(&fuser, (int32_t)i);
    }
    for (size_t i = 0; i < ir->block_count; i++) {
        struct pfpu_block *block = &ir->blocks[i];
        keep_block[i] = true;
        if (block->end == PFPU_END_BRANCH) {
            block->condition = fuser.renamed[block->condition];
        }
    }
    return pfpu_ir_compact(ir, fuser.keep, keep_block);
}
