#include "pfpu/passes.h"

#include <string.h>

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

static uint64_t bits_of(double number)
{
    uint64_t bits = 0;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static bool same(const struct pfpu_instruction *a, const struct pfpu_instruction *b)
{
    if (a->op != b->op || a->filtered != b->filtered || a->key != b->key ||
        bits_of(a->number) != bits_of(b->number)) {
        return false;
    }
    for (int k = 0; k < pfpu_ops[a->op].arity; k++) {
        if (a->arguments[k] != b->arguments[k]) {
            return false;
        }
    }
    return true;
}

static size_t hash_of(const struct pfpu_instruction *instruction)
{
    uint64_t hash = (uint64_t)instruction->op * 2 + (instruction->filtered ? 1 : 0);
    for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
        hash = hash * 0x9e3779b97f4a7c15u + (uint64_t)instruction->arguments[k];
    }
    hash = (hash ^ (uint64_t)(int64_t)instruction->key) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ bits_of(instruction->number)) * 0x9e3779b97f4a7c15u;
    return (size_t)(hash >> 32);
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
    size_t place = hash_of(&ir->instructions[i]) & mask;
    while (table[place].epoch == epoch) {
        if (same(&ir->instructions[table[place].value], &ir->instructions[i])) {
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
    int32_t *renamed = base_arena_array(scratch, ir->count, sizeof *renamed);
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
