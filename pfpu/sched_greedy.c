#include "pfpu/sched.h"

#include "pfpu/graph.h"
#include "pfpu/list.h"
#include "pfpu/registers.h"
#include "pfpu/schedule.h"

/* Taking instructions from far ahead fills registers with what is not needed for long; where that
 * is too much, it is done with less and less foresight. */
static bool place(const struct pfpu_graph_maker *maker, const struct pfpu_graph *graph,
                  uint32_t registers, struct pfpu_schedule *schedule)
{
    static const int32_t windows[] = {PFPU_LIST_ANY, 64, 32, 16, 8, 4, 1};
    struct pfpu_list_space space;
    int32_t *sequence = schedule->order + graph->first;
    uint32_t *cycle = schedule->cycle + graph->first;
    int32_t *order = base_arena_array(maker->scratch, (size_t)graph->count, sizeof *order);
    if (order == NULL || !pfpu_list_space_init(&space, graph, maker->scratch)) {
        return false;
    }
    pfpu_list_in_order(graph, order);
    bool placed = false;
    for (size_t i = 0; !placed && i < sizeof windows / sizeof windows[0]; i++) {
        const struct pfpu_list_rules rules = {
            .registers = registers, .patience = PFPU_LIST_ANY, .window = windows[i]};
        placed = pfpu_list_schedule(graph, order, &rules, &space, cycle, sequence);
    }
    for (int32_t n = 0; placed && n < graph->count; n++) {
        sequence[n] += graph->first;
    }
    return placed;
}

/* Where every result can be read in the next cycle and nothing else is scarce, no instruction ever
 * waits for another. */
static bool never_waits(const struct pfpu_target *target)
{
    bool waits = target->issue_width != 1 || target->commit_ports != 0 || target->registers != 0;
    for (int op = 0; op < PFPU_OP_COUNT; op++) {
        waits = waits || target->ops[op].latency + target->read_delay > 1;
    }
    return !waits;
}

static void place_in_order(const struct pfpu_target *target, const struct pfpu_ir *ir,
                           const struct pfpu_block *block, struct pfpu_schedule *schedule,
                           uint32_t *length)
{
    *length = 0;
    for (int32_t i = block->first; i < block->first + block->count; i++) {
        schedule->order[i] = i;
        schedule->cycle[i] = *length;
        *length += target->ops[ir->instructions[i].op].bound ? 0 : 1;
    }
}

static enum pfpu_fit schedule_block(struct pfpu_graph_maker *maker, size_t b, uint32_t registers,
                                    struct pfpu_schedule *schedule)
{
    const struct pfpu_block *block = &maker->ir->blocks[b];
    struct pfpu_graph graph;
    if (never_waits(maker->target)) {
        place_in_order(maker->target, maker->ir, block, schedule, &schedule->block_length[b]);
        return PFPU_FITS;
    }
    if (!pfpu_graph_of_block(maker, block, &graph)) {
        return PFPU_FIT_NO_MEMORY;
    }
    if (!place(maker, &graph, registers, schedule)) {
        return maker->scratch->failed ? PFPU_FIT_NO_MEMORY : PFPU_FIT_REGISTERS;
    }
    schedule->block_length[b] =
        pfpu_graph_length(&graph, schedule->cycle + graph.first, maker->target->read_delay);
    return PFPU_FITS;
}

enum pfpu_fit pfpu_sched_greedy(const struct pfpu_target *target, struct pfpu_ir *ir,
                                struct base_arena *scratch, struct pfpu_schedule *schedule)
{
    struct pfpu_registers registers = {.pinned_count = 0};
    struct pfpu_graph_maker maker;
    enum pfpu_fit fit = pfpu_schedule_check(target, ir);
    if (fit == PFPU_FITS && target->registers != 0) {
        fit = pfpu_registers_pin(target, ir, scratch, &registers);
    }
    if (fit != PFPU_FITS) {
        return fit;
    }
    if (!pfpu_schedule_init(schedule, ir, scratch) ||
        !pfpu_graph_maker_init(&maker, target, ir, NULL, scratch)) {
        return PFPU_FIT_NO_MEMORY;
    }
    const uint32_t left = pfpu_registers_left(target, &registers);
    uint64_t length = 0;
    for (size_t b = 0; b < ir->block_count; b++) {
        fit = schedule_block(&maker, b, left, schedule);
        if (fit != PFPU_FITS) {
            return fit;
        }
        length += schedule->block_length[b];
    }
    return target->program_size != 0 && length > target->program_size ? PFPU_FIT_LENGTH : PFPU_FITS;
}
