#include "pfpu/ir/passes.h"

#include <math.h>
#include <string.h>

#include "pfpu/ir/arith.h"

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
    *instruction = (struct pfpu_instruction){
        .op = PFPU_OP_NUMBER, .number = instruction->filtered ? pfpu_filtered(value) : value};
    return true;
}

/* The operand that the result always equals, or PFPU_NO_VALUE. */
static int32_t same_as_operand(const struct pfpu_ir *ir, const struct pfpu_instruction *instruction)
{
    const int32_t a = instruction->arguments[0];
    const int32_t b = instruction->arguments[1];
    switch (instruction->op) {
    case PFPU_OP_COPY:
        return a;
    case PFPU_OP_FILTER: {
        const enum pfpu_op made = ir->instructions[a].op;
        const bool filtered = ir->instructions[a].filtered || made == PFPU_OP_FILTER ||
                              made == PFPU_OP_MEMORY_LOAD || made == PFPU_OP_GLOBAL_LOAD ||
                              pfpu_op_gives_small(made);
        return filtered ? a : PFPU_NO_VALUE;
    }
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
    case PFPU_OP_BIT_AND:
        return is_exactly(ir, a, 0.0) ? a : is_exactly(ir, b, 0.0) ? b : PFPU_NO_VALUE;
    case PFPU_OP_SELECT:
        if (is_number(ir, a)) {
            return pfpu_true(ir->instructions[a].number) ? b : instruction->arguments[2];
        }
        return b == instruction->arguments[2] ? b : PFPU_NO_VALUE;
    default:
        return PFPU_NO_VALUE;
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
    /* Cheaper operations with the same result. */
    if (instruction->op == PFPU_OP_POW && is_exactly(ir, instruction->arguments[1], 2.0)) {
        instruction->op = PFPU_OP_SQR;
    }
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
        struct pfpu_block *block = &ir->blocks[i];
        if (block->end != PFPU_END_BRANCH) {
            continue;
        }
        block->condition = folder.renamed[block->condition];
        if (!is_number(folder.ir, block->condition)) {
            continue;
        }
        const double number = folder.ir->instructions[block->condition].number;
        block->targets[0] = block->targets[pfpu_true(number) ? 0 : 1];
        block->end = PFPU_END_JUMP;
        block->condition = PFPU_NO_VALUE;
    }
    return true;
}

struct entry {
    uint32_t epoch; /* block + 1 */
    int32_t value;
};

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
    size_t size = 16;
    while (size < ir->count * 2) {
        size *= 2;
    }
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
            const enum pfpu_op_kind kind = pfpu_ops[instruction->op].kind;
            const bool merges = kind == PFPU_OP_KIND_PURE || kind == PFPU_OP_KIND_WORD ||
                                kind == PFPU_OP_KIND_NUMBER || kind == PFPU_OP_KIND_GET;
            renamed[i] = merges ? first_like(table, size - 1, ir, i, (uint32_t)b + 1) : i;
        }
    }
    for (size_t b = 0; b < ir->block_count; b++) {
        if (ir->blocks[b].end == PFPU_END_BRANCH) {
            ir->blocks[b].condition = renamed[ir->blocks[b].condition];
        }
    }
    return true;
}

struct marker {
    const struct pfpu_ir *ir;
    bool *live;
    bool *reached;
    int32_t *work; /* live values whose operands are not yet marked */
    size_t work_count;
    int32_t *first_set; /* by slot: its SETs in reached blocks, chained through next_set */
    int32_t *next_set;
};

static void mark(struct marker *marker, int32_t value)
{
    if (!marker->live[value]) {
        marker->live[value] = true;
        marker->work[marker->work_count++] = value;
    }
}

static size_t slot_of(int32_t key)
{
    return (size_t)(-1 - key);
}

static void reach(struct marker *marker, int32_t *stack, size_t *depth, int32_t block)
{
    if (!marker->reached[block]) {
        marker->reached[block] = true;
        stack[(*depth)++] = block;
    }
}

/* Everything that must stay whoever uses it. */
static void mark_roots(struct marker *marker, const struct pfpu_block *block)
{
    for (int32_t i = block->first; i < block->first + block->count; i++) {
        const struct pfpu_instruction *instruction = &marker->ir->instructions[i];
        if (instruction->op == PFPU_OP_SET && pfpu_key_is_slot(instruction->key)) {
            const size_t slot = slot_of(instruction->key);
            marker->next_set[i] = marker->first_set[slot];
            marker->first_set[slot] = i;
        } else if (instruction->op == PFPU_OP_SET ||
                   pfpu_ops[instruction->op].kind == PFPU_OP_KIND_EFFECT) {
            mark(marker, i);
        }
    }
    if (block->end == PFPU_END_BRANCH) {
        mark(marker, block->condition);
    }
}

bool pfpu_dce(struct pfpu_ir *ir, struct base_arena *scratch)
{
    struct marker marker = {.ir = ir};
    const size_t slots = (size_t)ir->slot_count;
    marker.live = base_arena_array(scratch, ir->count, sizeof *marker.live);
    marker.reached = base_arena_array(scratch, ir->block_count, sizeof *marker.reached);
    marker.work = base_arena_room(scratch, ir->count, sizeof *marker.work);
    marker.next_set = base_arena_array(scratch, ir->count, sizeof *marker.next_set);
    marker.first_set = base_arena_array(scratch, slots, sizeof *marker.first_set);
    if (scratch->failed) {
        return false;
    }
    for (size_t i = 0; i < slots; i++) {
        marker.first_set[i] = PFPU_NO_VALUE;
    }
    int32_t *stack = base_arena_array(scratch, marker.ir->block_count, sizeof *stack);
    if (stack == NULL) {
        return false;
    }
    size_t depth = 0;
    reach(&marker, stack, &depth, 0);
    while (depth > 0) {
        const struct pfpu_block *block = &marker.ir->blocks[stack[--depth]];
        for (int k = 0; k < pfpu_ir_target_count(block); k++) {
            reach(&marker, stack, &depth, block->targets[k]);
        }
    }
    for (size_t i = 0; i < ir->block_count; i++) {
        if (marker.reached[i]) {
            mark_roots(&marker, &ir->blocks[i]);
        }
    }
    while (marker.work_count > 0) {
        const struct pfpu_instruction *instruction =
            &marker.ir->instructions[marker.work[--marker.work_count]];
        for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
            mark(&marker, instruction->arguments[k]);
        }
        if (instruction->op != PFPU_OP_GET || !pfpu_key_is_slot(instruction->key)) {
            continue;
        }
        int32_t *first = &marker.first_set[slot_of(instruction->key)];
        for (int32_t set = *first; set != PFPU_NO_VALUE; set = marker.next_set[set]) {
            mark(&marker, set);
        }
        *first = PFPU_NO_VALUE;
    }
    return pfpu_ir_compact(ir, marker.live, marker.reached);
}

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

static void fuse_instruction(struct fuser *fuser, int32_t i)
{
    struct pfpu_instruction *instruction = &fuser->ir->instructions[i];
    fuser->renamed[i] = i;
    fuser->keep[i] = true;
    for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
        instruction->arguments[k] = fuser->renamed[instruction->arguments[k]];
    }
    const int32_t a = instruction->arguments[0];
    const int32_t b = instruction->arguments[1];
    const bool sum = instruction->op == PFPU_OP_ADD;
    if (sum || instruction->op == PFPU_OP_SUB) {
        if (is_private_product(fuser, a, i)) {
            merge_product(fuser, i, sum ? PFPU_OP_MUL_ADD : PFPU_OP_MUL_SUB, a, b);
        } else if (is_private_product(fuser, b, i)) {
            merge_product(fuser, i, sum ? PFPU_OP_MUL_ADD : PFPU_OP_SUB_MUL, b, a);
        }
        return;
    }
    if (instruction->op != PFPU_OP_FILTER) {
        return;
    }
    struct pfpu_instruction *made = &fuser->ir->instructions[a];
    if (pfpu_ops[made->op].kind == PFPU_OP_KIND_PURE && is_private(fuser, a, i)) {
        made->filtered = true;
        fuser->uses[a] = fuser->uses[i];
        fuser->renamed[i] = a;
        fuser->keep[i] = false;
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
