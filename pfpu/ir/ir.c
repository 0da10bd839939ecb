#include "pfpu/ir/ir.h"

#include <assert.h>
#include <string.h>

#include "pfpu/ir/arith.h"
#include "pfpu/ir/ops.h"
#include "pfpu/ir/passes.h"

const struct pfpu_op_row pfpu_ops[PFPU_OP_COUNT] = {
#define PFPU_PURE(name, text, arity, cost, value)                                                  \
    [PFPU_OP_##name] = {text, arity, cost, PFPU_OP_KIND_PURE},
#define PFPU_OTHER(name, text, arity, cost, kind)                                                  \
    [PFPU_OP_##name] = {text, arity, cost, PFPU_OP_KIND_##kind},
#include "pfpu/ir/ops.def"
#undef PFPU_PURE
#undef PFPU_OTHER
#define PFPU_OPCODE(name, text, operands, arity, latency, thesis)                                  \
    [PFPU_OP_##name] = {text, arity, 1, (latency) > 0 ? PFPU_OP_KIND_WORD : PFPU_OP_KIND_EFFECT},
#include "pfpu/ir/opcodes.def"
};

bool pfpu_op_has_result(enum pfpu_op op)
{
    return op != PFPU_OP_SET && op != PFPU_OP_MEMORY_STORE && op != PFPU_OP_GLOBAL_STORE &&
           op != PFPU_OP_MEMORY_FILL && op != PFPU_OP_MEMORY_COPY && op != PFPU_OP_WORD_NOP &&
           op != PFPU_OP_WORD_VECTOUT;
}

bool pfpu_op_gives_small(enum pfpu_op op)
{
    switch (op) {
    case PFPU_OP_EQUAL:
    case PFPU_OP_SAME:
    case PFPU_OP_NOT_EQUAL:
    case PFPU_OP_BELOW:
    case PFPU_OP_ABOVE:
    case PFPU_OP_BELOW_EQUAL:
    case PFPU_OP_ABOVE_EQUAL:
    case PFPU_OP_TRUTH:
    case PFPU_OP_NOT:
    case PFPU_OP_AND:
    case PFPU_OP_OR:
    case PFPU_OP_BAND:
    case PFPU_OP_BOR:
    case PFPU_OP_SIGN:
        return true;
    default:
        return false;
    }
}

double pfpu_op_value(enum pfpu_op op, double a, double b, double c)
{
    assert(pfpu_ops[op].kind == PFPU_OP_KIND_PURE);
#define A a
#define B b
#define C c
#define PFPU_PURE(name, text, arity, cost, value)                                                  \
    case PFPU_OP_##name:                                                                           \
        return value;
#define PFPU_OTHER(name, text, arity, cost, kind) case PFPU_OP_##name:
    switch (op) {
#include "pfpu/ir/ops.def"
    default:
        return 0.0;
    }
#undef A
#undef B
#undef C
#undef PFPU_PURE
#undef PFPU_OTHER
}

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
            const int32_t first = (int32_t)count;
            for (int32_t n = block.first; n < block.first + block.count; n++) {
                if (keep[n]) {
                    renamed[n] = (int32_t)count;
                    ir->instructions[count++] = ir->instructions[n];
                }
            }
            block.first = first;
            block.count = (int32_t)count - first;
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

struct verifier {
    const struct pfpu_ir *ir;
    struct base_arena *scratch;
    int32_t *block_of;
    int32_t *dominator; /* of each block; the entry's is itself, -1: not reached */
    int32_t *set_in;    /* by key index: block + 1 that holds its SET */
};

static const char *check_frames(const struct verifier *verifier)
{
    int32_t next = 0;
    if (verifier->ir->block_count == 0) {
        return "no block";
    }
    for (size_t b = 0; b < verifier->ir->block_count; b++) {
        const struct pfpu_block *block = &verifier->ir->blocks[b];
        if (block->first != next || block->count < 0) {
            return "blocks do not cover the instructions in order";
        }
        next += block->count;
        for (int k = 0; k < pfpu_ir_target_count(block); k++) {
            if (block->targets[k] < 0 || (size_t)block->targets[k] >= verifier->ir->block_count) {
                return "a block ends with a target that does not exist";
            }
            const bool back = (size_t)block->targets[k] <= b;
            if (back && (block->end != PFPU_END_BRANCH || k != 0)) {
                return "only the first target of a branch may lead back";
            }
        }
    }
    return (size_t)next == verifier->ir->count ? NULL : "instructions outside of every block";
}

static int32_t common_dominator(const int32_t *dominator, int32_t a, int32_t b)
{
    while (a != b) {
        if (a > b) {
            a = dominator[a];
        } else {
            b = dominator[b];
        }
    }
    return a;
}

/* Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm": one sweep is enough because blocks
 * stand in reverse postorder and a loop is entered at its head only. */
static void find_dominators(struct verifier *verifier)
{
    const struct pfpu_ir *ir = verifier->ir;
    for (size_t b = 0; b < ir->block_count; b++) {
        verifier->dominator[b] = b == 0 ? 0 : -1;
    }
    for (size_t b = 0; b < ir->block_count; b++) {
        for (int k = 0; k < pfpu_ir_target_count(&ir->blocks[b]); k++) {
            const int32_t target = ir->blocks[b].targets[k];
            if ((size_t)target <= b || verifier->dominator[b] < 0) {
                continue;
            }
            int32_t *dominator = &verifier->dominator[target];
            *dominator = *dominator < 0
                             ? (int32_t)b
                             : common_dominator(verifier->dominator, *dominator, (int32_t)b);
        }
    }
}

/* user: an instruction's index, or ir->count for the end of the block. */
static const char *check_use(const struct verifier *verifier, int32_t value, size_t user,
                             int32_t block)
{
    const struct pfpu_ir *ir = verifier->ir;
    if (value < 0 || (size_t)value >= ir->count || (size_t)value >= user) {
        return "a value is used before it is made";
    }
    if (!pfpu_op_has_result(ir->instructions[value].op)) {
        return "the result of an operation without result is used";
    }
    const int32_t home = verifier->block_of[value];
    if (home == block || verifier->dominator[block] < 0) {
        return NULL;
    }
    int32_t under = block;
    while (under > home) {
        under = verifier->dominator[under];
    }
    if (under != home) {
        return "a value is used in a block that can be reached without making it";
    }
    for (int32_t b = block; (size_t)b < ir->block_count; b++) {
        const struct pfpu_block *end = &ir->blocks[b];
        if (end->end == PFPU_END_BRANCH && end->targets[0] <= b && end->targets[0] > home &&
            end->targets[0] <= block) {
            return "a value from outside is used in a loop";
        }
    }
    return NULL;
}

static const char *check_instruction(const struct verifier *verifier, size_t i)
{
    const struct pfpu_instruction *instruction = &verifier->ir->instructions[i];
    const int32_t block = verifier->block_of[i];
    if (instruction->op >= PFPU_OP_COUNT) {
        return "an operation that does not exist";
    }
    const struct pfpu_op_row *row = &pfpu_ops[instruction->op];
    if (instruction->filtered && row->kind != PFPU_OP_KIND_PURE) {
        return "a filter on an operation that has none";
    }
    for (int k = 0; k < row->arity; k++) {
        const char *wrong = check_use(verifier, instruction->arguments[k], i, block);
        if (wrong != NULL) {
            return wrong;
        }
    }
    if (row->kind != PFPU_OP_KIND_GET && row->kind != PFPU_OP_KIND_SET) {
        return NULL;
    }
    const struct pfpu_ir *ir = verifier->ir;
    if (instruction->key < -ir->slot_count || instruction->key >= ir->key_end) {
        return "a key that does not exist";
    }
    int32_t *set_in = &verifier->set_in[pfpu_ir_key_index(ir, instruction->key)];
    if (*set_in == block + 1) {
        return "a variable is read or set again behind its SET";
    }
    if (instruction->op == PFPU_OP_SET) {
        *set_in = block + 1;
    }
    return NULL;
}

const char *pfpu_verify(const struct pfpu_ir *ir, struct base_arena *scratch)
{
    struct verifier verifier = {.ir = ir, .scratch = scratch};
    const char *wrong = check_frames(&verifier);
    if (wrong != NULL) {
        return wrong;
    }
    verifier.block_of = pfpu_ir_blocks_of(ir, scratch);
    verifier.dominator = base_arena_array(scratch, ir->block_count, sizeof *verifier.dominator);
    verifier.set_in = base_arena_array(scratch, pfpu_ir_key_count(ir), sizeof *verifier.set_in);
    if (verifier.block_of == NULL || verifier.dominator == NULL || verifier.set_in == NULL) {
        return NULL;
    }
    find_dominators(&verifier);
    for (size_t i = 0; wrong == NULL && i < ir->count; i++) {
        wrong = check_instruction(&verifier, i);
    }
    for (size_t b = 0; wrong == NULL && b < ir->block_count; b++) {
        const struct pfpu_block *block = &ir->blocks[b];
        if (block->end == PFPU_END_BRANCH) {
            const size_t end = (size_t)(block->first + block->count);
            wrong = check_use(&verifier, block->condition, end, (int32_t)b);
        }
    }
    return wrong;
}
