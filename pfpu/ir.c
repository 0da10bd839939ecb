#include "pfpu/ir.h"

#include <assert.h>
#include <string.h>

void pfpu_ir_init(struct pfpu_ir *ir, struct base_arena *arena)
{
    *ir = (struct pfpu_ir){.arena = arena};
}

int32_t pfpu_ir_append(struct pfpu_ir *ir, struct pfpu_instruction instruction)
{
    assert(ir->block_count > 0);
    if (ir->count >= PFPU_IR_MAX) {
        return PFPU_NO_VALUE;
    }
    struct pfpu_instruction *instructions = base_arena_grow(
        ir->arena, ir->instructions, &ir->capacity, ir->count + 1, sizeof *instructions);
    if (instructions == NULL) {
        return PFPU_NO_VALUE;
    }
    ir->instructions = instructions;
    instructions[ir->count] = instruction;
    ir->blocks[ir->block_count - 1].count++;
    if ((instruction.op == PFPU_OP_GET || instruction.op == PFPU_OP_SET) &&
        instruction.key >= ir->key_end) {
        ir->key_end = instruction.key + 1;
    }
    return (int32_t)ir->count++;
}

int32_t pfpu_ir_open_block(struct pfpu_ir *ir)
{
    if (ir->block_count >= PFPU_IR_MAX) {
        return PFPU_NO_VALUE;
    }
    struct pfpu_block *blocks = base_arena_grow(ir->arena, ir->blocks, &ir->block_capacity,
                                                ir->block_count + 1, sizeof *blocks);
    if (blocks == NULL) {
        return PFPU_NO_VALUE;
    }
    ir->blocks = blocks;
    blocks[ir->block_count] =
        (struct pfpu_block){(int32_t)ir->count, 0, PFPU_END_RETURN, PFPU_NO_VALUE, {-1, -1}};
    return (int32_t)ir->block_count++;
}

int pfpu_ir_target_count(const struct pfpu_block *block)
{
    return block->end == PFPU_END_BRANCH ? 2 : block->end == PFPU_END_JUMP ? 1 : 0;
}

static uint64_t bits_of(double number)
{
    uint64_t bits = 0;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

bool pfpu_instruction_same(const struct pfpu_instruction *a, const struct pfpu_instruction *b)
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

size_t pfpu_instruction_hash(const struct pfpu_instruction *instruction)
{
    uint64_t hash = (uint64_t)instruction->op * 2 + (instruction->filtered ? 1 : 0);
    for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
        hash = hash * 0x9e3779b97f4a7c15u + (uint64_t)instruction->arguments[k];
    }
    hash = (hash ^ (uint64_t)(int64_t)instruction->key) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ bits_of(instruction->number)) * 0x9e3779b97f4a7c15u;
    /* Numbers that differ in their first bits only differ here in the first bits too. */
    return (size_t)((hash >> 32) ^ (hash >> 48));
}

void pfpu_ir_rename(struct pfpu_ir *ir, const int32_t *renamed)
{
    for (size_t i = 0; i < ir->count; i++) {
        struct pfpu_instruction *instruction = &ir->instructions[i];
        for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
            instruction->arguments[k] = renamed[instruction->arguments[k]];
        }
    }
    for (size_t i = 0; i < ir->block_count; i++) {
        if (ir->blocks[i].end == PFPU_END_BRANCH) {
            ir->blocks[i].condition = renamed[ir->blocks[i].condition];
        }
    }
}

static void compact_block(struct pfpu_ir *ir, struct pfpu_block *block, const bool *keep,
                          int32_t *renamed, size_t *count)
{
    const int32_t first = (int32_t)*count;
    for (int32_t i = block->first; i < block->first + block->count; i++) {
        if (keep[i]) {
            renamed[i] = (int32_t)*count;
            ir->instructions[(*count)++] = ir->instructions[i];
        }
    }
    block->first = first;
    block->count = (int32_t)*count - first;
}

bool pfpu_ir_compact(struct pfpu_ir *ir, const bool *keep, const bool *keep_block)
{
    int32_t *renamed = base_arena_array(ir->arena, ir->count, sizeof *renamed);
    int32_t *moved = base_arena_array(ir->arena, ir->block_count, sizeof *moved);
    if (renamed == NULL || moved == NULL) {
        return false;
    }
    size_t count = 0;
    size_t block_count = 0;
    for (size_t i = 0; i < ir->block_count; i++) {
        if (keep_block[i]) {
            moved[i] = (int32_t)block_count;
            struct pfpu_block block = ir->blocks[i];
            compact_block(ir, &block, keep, renamed, &count);
            ir->blocks[block_count++] = block;
        }
    }
    ir->count = count;
    ir->block_count = block_count;
    for (size_t i = 0; i < block_count; i++) {
        for (int k = 0; k < pfpu_ir_target_count(&ir->blocks[i]); k++) {
            ir->blocks[i].targets[k] = moved[ir->blocks[i].targets[k]];
        }
    }
    pfpu_ir_rename(ir, renamed);
    return true;
}

bool pfpu_ir_copy(struct pfpu_ir *copy, const struct pfpu_ir *ir, struct base_arena *arena)
{
    *copy = *ir;
    copy->arena = arena;
    copy->capacity = ir->count;
    copy->block_capacity = ir->block_count;
    copy->instructions = base_arena_array(arena, ir->count, sizeof *copy->instructions);
    copy->blocks = base_arena_array(arena, ir->block_count, sizeof *copy->blocks);
    if (copy->instructions == NULL || copy->blocks == NULL) {
        return false;
    }
    if (ir->count > 0) {
        memcpy(copy->instructions, ir->instructions, ir->count * sizeof *copy->instructions);
    }
    memcpy(copy->blocks, ir->blocks, ir->block_count * sizeof *copy->blocks);
    return true;
}

uint32_t *pfpu_ir_count_uses(const struct pfpu_ir *ir, struct base_arena *scratch)
{
    uint32_t *uses = base_arena_array(scratch, ir->count, sizeof *uses);
    if (uses == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < ir->count; i++) {
        const struct pfpu_instruction *instruction = &ir->instructions[i];
        for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
            uses[instruction->arguments[k]]++;
        }
    }
    for (size_t i = 0; i < ir->block_count; i++) {
        if (ir->blocks[i].end == PFPU_END_BRANCH) {
            uses[ir->blocks[i].condition]++;
        }
    }
    return uses;
}

int32_t *pfpu_ir_blocks_of(const struct pfpu_ir *ir, struct base_arena *scratch)
{
    int32_t *blocks = base_arena_array(scratch, ir->count, sizeof *blocks);
    if (blocks == NULL) {
        return NULL;
    }
    for (size_t b = 0; b < ir->block_count; b++) {
        const struct pfpu_block *block = &ir->blocks[b];
        for (int32_t i = block->first; i < block->first + block->count; i++) {
            blocks[i] = (int32_t)b;
        }
    }
    return blocks;
}
