#include "pfpu/ir.h"

#include <assert.h>
#include <string.h>

enum { FIRST_INSTRUCTIONS = 256 };

static const uint32_t HASH_FACTOR = 0x9e3779b1;

void pfpu_ir_init(struct pfpu_ir *ir, struct base_arena *arena)
{
    *ir = (struct pfpu_ir){.arena = arena};
}

bool pfpu_ir_reserve(struct pfpu_ir *ir, size_t count)
{
    struct pfpu_instruction *instructions = base_arena_grow_room(
        ir->arena, ir->instructions, &ir->capacity, count, sizeof *instructions);
    ir->instructions = instructions != NULL ? instructions : ir->instructions;
    return instructions != NULL;
}

bool pfpu_ir_make_room(struct pfpu_ir *ir)
{
    assert(ir->block_count > 0);
    return ir->count < PFPU_IR_MAX && pfpu_ir_reserve(ir, ir->count + FIRST_INSTRUCTIONS);
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
    const uint64_t number = bits_of(instruction->number);
    uint32_t hash = (uint32_t)instruction->op * 2 + (instruction->filtered ? 1 : 0);
    for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
        hash = (hash + (uint32_t)instruction->arguments[k]) * HASH_FACTOR;
        hash ^= hash >> 15;
    }
    hash = (hash ^ (uint32_t)instruction->key) * HASH_FACTOR;
    hash = (hash ^ (hash >> 15) ^ (uint32_t)number) * HASH_FACTOR;
    hash = (hash ^ (hash >> 15) ^ (uint32_t)(number >> 32)) * HASH_FACTOR;
    return hash ^ (hash >> 16);
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
    copy->instructions = base_arena_room(arena, ir->count, sizeof *copy->instructions);
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
