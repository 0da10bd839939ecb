#include "pfpu/passes.h"

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

static void mark_operands(struct marker *marker, int32_t value)
{
    const struct pfpu_instruction *instruction = &marker->ir->instructions[value];
    for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
        mark(marker, instruction->arguments[k]);
    }
    if (instruction->op != PFPU_OP_GET || !pfpu_key_is_slot(instruction->key)) {
        return;
    }
    int32_t *first = &marker->first_set[slot_of(instruction->key)];
    for (int32_t set = *first; set != PFPU_NO_VALUE; set = marker->next_set[set]) {
        mark(marker, set);
    }
    *first = PFPU_NO_VALUE;
}

static void reach(struct marker *marker, int32_t *stack, size_t *depth, int32_t block)
{
    if (!marker->reached[block]) {
        marker->reached[block] = true;
        stack[(*depth)++] = block;
    }
}

static bool reach_blocks(struct marker *marker, struct base_arena *scratch)
{
    int32_t *stack = base_arena_array(scratch, marker->ir->block_count, sizeof *stack);
    if (stack == NULL) {
        return false;
    }
    size_t depth = 0;
    reach(marker, stack, &depth, 0);
    while (depth > 0) {
        const struct pfpu_block *block = &marker->ir->blocks[stack[--depth]];
        for (int k = 0; k < pfpu_ir_target_count(block); k++) {
            reach(marker, stack, &depth, block->targets[k]);
        }
    }
    return true;
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

static bool prepare(struct marker *marker, struct base_arena *scratch)
{
    const struct pfpu_ir *ir = marker->ir;
    const size_t slots = (size_t)ir->slot_count;
    marker->live = base_arena_array(scratch, ir->count, sizeof *marker->live);
    marker->reached = base_arena_array(scratch, ir->block_count, sizeof *marker->reached);
    marker->work = base_arena_room(scratch, ir->count, sizeof *marker->work);
    marker->next_set = base_arena_array(scratch, ir->count, sizeof *marker->next_set);
    marker->first_set = base_arena_array(scratch, slots, sizeof *marker->first_set);
    if (scratch->failed) {
        return false;
    }
    for (size_t i = 0; i < slots; i++) {
        marker->first_set[i] = PFPU_NO_VALUE;
    }
    return true;
}

bool pfpu_dce(struct pfpu_ir *ir, struct base_arena *scratch)
{
    struct marker marker = {.ir = ir};
    if (!prepare(&marker, scratch) || !reach_blocks(&marker, scratch)) {
        return false;
    }
    for (size_t i = 0; i < ir->block_count; i++) {
        if (marker.reached[i]) {
            mark_roots(&marker, &ir->blocks[i]);
        }
    }
    while (marker.work_count > 0) {
        mark_operands(&marker, marker.work[--marker.work_count]);
    }
    return pfpu_ir_compact(ir, marker.live, marker.reached);
}
