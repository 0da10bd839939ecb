#include "pfpu/sched.h"

#include "pfpu/graph.h"
#include "pfpu/list.h"
#include "pfpu/registers.h"
#include "pfpu/schedule.h"

static bool place(const struct pfpu_graph_maker *maker, const struct pfpu_graph *graph,
                  const struct pfpu_list_rules *rules, struct pfpu_schedule *schedule)
{
    struct pfpu_list_space space;
    int32_t *sequence = schedule->order + graph->first;
    int32_t *order = base_arena_array(maker->scratch, (size_t)graph->count, sizeof *order);
    if (order == NULL || !pfpu_list_space_init(&space, graph, maker->scratch)) {
        return false;
    }
    pfpu_list_in_order(graph, order);
    if (!pfpu_list_schedule(graph, order, rules, &space, schedule->cycle + graph->first,
                            sequence)) {
        return false;
    }
    for (int32_t n = 0; n < graph->count; n++) {
        sequence[n] += graph->first;
    }
    return true;
}

static enum pfpu_fit schedule_block(struct pfpu_graph_maker *maker, size_t b,
                                    const struct pfpu_list_rules *rules,
                                    struct pfpu_schedule *schedule)
{
    struct pfpu_graph graph;
    if (!pfpu_graph_of_block(maker, &maker->ir->blocks[b], &graph)) {
        return PFPU_FIT_NO_MEMORY;
    }
    if (!place(maker, &graph, rules, schedule)) {
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
    const struct pfpu_list_rules rules = {.registers = pfpu_registers_left(target, &registers),
                                          .patience = PFPU_LIST_ANY,
                                          .give_up = PFPU_LIST_ANY};
    uint64_t length = 0;
    for (size_t b = 0; b < ir->block_count; b++) {
        fit = schedule_block(&maker, b, &rules, schedule);
        if (fit != PFPU_FITS) {
            return fit;
        }
        length += schedule->block_length[b];
    }
    return target->program_size != 0 && length > target->program_size ? PFPU_FIT_LENGTH : PFPU_FITS;
}
