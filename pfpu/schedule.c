#include "pfpu/schedule.h"

#include "pfpu/graph.h"
#include "pfpu/microcode.h"

enum pfpu_fit pfpu_schedule_check(const struct pfpu_target *target, const struct pfpu_ir *ir)
{
    if (ir->block_count > 1 && !target->branches) {
        return PFPU_FIT_BRANCHES;
    }
    size_t slots = 0;
    for (size_t i = 0; i < ir->count; i++) {
        const struct pfpu_target_op *row = &target->ops[ir->instructions[i].op];
        if (!row->legal) {
            return PFPU_FIT_ILLEGAL;
        }
        slots += row->bound ? 0 : 1;
    }
    const bool too_long =
        target->program_size != 0 && slots > (size_t)target->program_size * target->issue_width;
    return too_long ? PFPU_FIT_LENGTH : PFPU_FITS;
}

bool pfpu_schedule_init(struct pfpu_schedule *schedule, const struct pfpu_ir *ir,
                        struct base_arena *scratch)
{
    *schedule = (struct pfpu_schedule){.stages = 1};
    schedule->order = base_arena_array(scratch, ir->count, sizeof *schedule->order);
    schedule->cycle = base_arena_array(scratch, ir->count, sizeof *schedule->cycle);
    schedule->block_length =
        base_arena_array(scratch, ir->block_count, sizeof *schedule->block_length);
    return schedule->order != NULL && schedule->cycle != NULL && schedule->block_length != NULL;
}

/* A SET happens when its value is committed; everything else without a slot is there from the
 * start. */
static void place_bound(const struct pfpu_target *target, const struct pfpu_ir *ir,
                        struct pfpu_schedule *schedule)
{
    for (size_t i = 0; i < ir->count; i++) {
        const struct pfpu_instruction *instruction = &ir->instructions[i];
        if (!target->ops[instruction->op].bound) {
            continue;
        }
        schedule->cycle[i] = 0;
        if (instruction->op == PFPU_OP_SET) {
            const int32_t value = instruction->arguments[0];
            schedule->cycle[i] =
                schedule->cycle[value] + target->ops[ir->instructions[value].op].latency;
        }
    }
}

bool pfpu_schedule_complete(const struct pfpu_target *target, const struct pfpu_ir *ir,
                            struct base_arena *scratch, struct pfpu_schedule *schedule)
{
    place_bound(target, ir, schedule);
    uint32_t end = 0;
    for (size_t i = 0; i < ir->count; i++) {
        end = schedule->cycle[i] >= end ? schedule->cycle[i] + 1 : end;
    }
    /* Two places for each cycle: first what takes no slot, then the rest. */
    uint32_t *place = base_arena_array(scratch, 2 * (size_t)end + 1, sizeof *place);
    if (place == NULL) {
        return false;
    }
    for (size_t i = 0; i < ir->count; i++) {
        const bool bound = target->ops[ir->instructions[i].op].bound;
        place[2 * schedule->cycle[i] + (bound ? 0 : 1) + 1]++;
    }
    for (size_t c = 0; c < 2 * (size_t)end; c++) {
        place[c + 1] += place[c];
    }
    for (size_t i = 0; i < ir->count; i++) {
        const bool bound = target->ops[ir->instructions[i].op].bound;
        schedule->order[place[2 * schedule->cycle[i] + (bound ? 0 : 1)]++] = (int32_t)i;
    }
    return true;
}

uint32_t pfpu_schedule_vectout(const struct pfpu_target *target, const struct pfpu_ir *ir,
                               const struct pfpu_schedule *schedule)
{
    uint32_t vectout = 0;
    for (size_t i = 0; i < ir->count; i++) {
        const struct pfpu_target_op *row = &target->ops[ir->instructions[i].op];
        if (ir->instructions[i].op == PFPU_OP_WORD_VECTOUT) {
            return schedule->cycle[i];
        }
        const uint32_t end = schedule->cycle[i] + (row->latency > 2 ? row->latency - 1u : 1u);
        vectout = !row->bound && end > vectout ? end : vectout;
    }
    return vectout;
}

uint32_t pfpu_critical_path(const struct pfpu_target *target, const struct pfpu_ir *ir,
                            struct base_arena *scratch)
{
    struct pfpu_graph_maker maker;
    struct pfpu_graph graph;
    int32_t *heights = base_arena_array(scratch, ir->count, sizeof *heights);
    if (heights == NULL || !pfpu_graph_maker_init(&maker, target, ir, NULL, scratch) ||
        !pfpu_graph_of_block(&maker, &ir->blocks[0], &graph) ||
        !pfpu_graph_heights(&graph, scratch, heights)) {
        return UINT32_MAX;
    }
    return pfpu_graph_critical_path(&graph, heights);
}
