#include "pfpu/passes.h"

#include <math.h>
#include <string.h>

#include "pfpu/arith.h"

struct folder {
    struct pfpu_ir *ir;
    int32_t *renamed;
};

static bool is_number(const struct pfpu_ir *ir, int32_t value)
{
    return ir->instructions[value].op == PFPU_OP_NUMBER;
}

static bool is_exactly(const struct pfpu_ir *ir, int32_t value, double number)
{
    /* By bits: 0 and -0 differ. */
    return is_number(ir, value) &&
           memcmp(&ir->instructions[value].number, &number, sizeof number) == 0;
}

static void become_number(struct pfpu_instruction *instruction, double number)
{
    *instruction = (struct pfpu_instruction){.op = PFPU_OP_NUMBER, .number = number};
}

static bool fold_constant(struct pfpu_ir *ir, struct pfpu_instruction *instruction)
{
    double values[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
        if (!is_number(ir, instruction->arguments[k])) {
            return false;
        }
        values[k] = ir->instructions[instruction->arguments[k]].number;
    }
    const double value = pfpu_op_value(instruction->op, values[0], values[1], values[2]);
    /* The sign of a made NaN is the machine's choice: leave it to the run. */
    if (isnan(value)) {
        return false;
    }
    become_number(instruction, instruction->filtered ? pfpu_filtered(value) : value);
    return true;
}

static bool never_needs_filter(const struct pfpu_instruction *instruction)
{
    return instruction->filtered || instruction->op == PFPU_OP_FILTER ||
           instruction->op == PFPU_OP_MEMORY_LOAD || instruction->op == PFPU_OP_GLOBAL_LOAD ||
           pfpu_op_gives_small(instruction->op);
}

/* The operand that the result always equals, or PFPU_NO_VALUE. */
static int32_t same_as_operand(const struct pfpu_ir *ir, const struct pfpu_instruction *instruction)
{
    const int32_t a = instruction->arguments[0];
    const int32_t b = instruction->arguments[1];
    switch (instruction->op) {
    case PFPU_OP_COPY:
        return a;
    case PFPU_OP_FILTER:
        return never_needs_filter(&ir->instructions[a]) ? a : PFPU_NO_VALUE;
    case PFPU_OP_TRUTH:
        return pfpu_op_gives_small(ir->instructions[a].op) && ir->instructions[a].op != PFPU_OP_SIGN
                   ? a
                   : PFPU_NO_VALUE;
    case PFPU_OP_MUL:
        return is_exactly(ir, b, 1.0) ? a : is_exactly(ir, a, 1.0) ? b : PFPU_NO_VALUE;
    case PFPU_OP_DIV:
        return is_exactly(ir, b, 1.0) ? a : PFPU_NO_VALUE;
    case PFPU_OP_SUB:
        return is_exactly(ir, b, 0.0) ? a : PFPU_NO_VALUE;
    case PFPU_OP_SELECT:
        if (is_number(ir, a)) {
            return pfpu_true(ir->instructions[a].number) ? b : instruction->arguments[2];
        }
        return b == instruction->arguments[2] ? b : PFPU_NO_VALUE;
    default:
        return PFPU_NO_VALUE;
    }
}

/* Cheaper operations with the same result. */
static void reduce(const struct pfpu_ir *ir, struct pfpu_instruction *instruction)
{
    if (instruction->op == PFPU_OP_POW && is_exactly(ir, instruction->arguments[1], 2.0)) {
        instruction->op = PFPU_OP_SQR;
    }
}

static void fold_instruction(struct folder *folder, int32_t i)
{
    struct pfpu_ir *ir = folder->ir;
    struct pfpu_instruction *instruction = &ir->instructions[i];
    folder->renamed[i] = i;
    for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
        instruction->arguments[k] = folder->renamed[instruction->arguments[k]];
    }
    if (pfpu_ops[instruction->op].kind != PFPU_OP_KIND_PURE || fold_constant(ir, instruction)) {
        return;
    }
    const int32_t same = instruction->filtered ? PFPU_NO_VALUE : same_as_operand(ir, instruction);
    if (same != PFPU_NO_VALUE) {
        folder->renamed[i] = same;
        return;
    }
    reduce(ir, instruction);
}

static void fold_branch(struct folder *folder, struct pfpu_block *block)
{
    if (block->end != PFPU_END_BRANCH) {
        return;
    }
    block->condition = folder->renamed[block->condition];
    if (!is_number(folder->ir, block->condition)) {
        return;
    }
    const double number = folder->ir->instructions[block->condition].number;
    block->targets[0] = block->targets[pfpu_true(number) ? 0 : 1];
    block->end = PFPU_END_JUMP;
    block->condition = PFPU_NO_VALUE;
}

bool pfpu_fold(struct pfpu_ir *ir, struct base_arena *scratch)
{
    struct folder folder = {ir, base_arena_array(scratch, ir->count, sizeof *folder.renamed)};
    if (folder.renamed == NULL) {
        return false;
    }
    for (size_t i = 0; i < ir->count; i++) {
        fold_instruction(&folder, (int32_t)i);
    }
    for (size_t i = 0; i < ir->block_count; i++) {
        fold_branch(&folder, &ir->blocks[i]);
    }
    return true;
}
