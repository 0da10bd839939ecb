#include "pfpu/sched.h"

#include "pfpu/graph.h"
#include "pfpu/improve.h"
#include "pfpu/list.h"
#include "pfpu/registers.h"
#include "pfpu/schedule.h"

enum {
    PASSES = 40,         /* ten times as many gain less than one cycle in a hundred */
    NODE_PASSES = 16000, /* fewer passes over long programs */
};

/* What went wrong where memory is the only thing that can. */
static enum pfpu_fit failure(const struct base_arena *scratch)
{
    return scratch->failed ? PFPU_FIT_NO_MEMORY : PFPU_FIT_ILLEGAL;
}

static enum pfpu_fit schedule_freely(const struct pfpu_graph *graph, uint32_t passes,
                                     struct base_arena *scratch, struct pfpu_schedule *schedule)
{
    const uint32_t most = NODE_PASSES / ((uint32_t)graph->count + 1) + 1;
    struct pfpu_improve improve = {.graph = graph,
                                   .passes = passes < most ? passes : most,
                                   .cycle = schedule->cycle,
                                   .length = UINT32_MAX};
    return pfpu_improve(&improve, scratch) ? PFPU_FITS : failure(scratch);
}

/* By height, but never more results at a time than there are registers. */
static enum pfpu_fit schedule_sparingly(const struct pfpu_graph *graph, uint32_t left,
                                        struct base_arena *scratch, struct pfpu_schedule *schedule)
{
    const struct pfpu_list_rules rules = {
        .registers = left, .patience = PFPU_LIST_ANY, .window = PFPU_LIST_ANY};
    const size_t count = (size_t)graph->count;
    struct pfpu_list_space space;
    int32_t *heights = base_arena_array(scratch, count, sizeof *heights);
    int32_t *order = base_arena_array(scratch, count, sizeof *order);
    if (heights == NULL || order == NULL || !pfpu_list_space_init(&space, graph, scratch) ||
        !pfpu_list_keys_init(&space, graph, scratch) ||
        !pfpu_graph_heights(graph, scratch, heights)) {
        return failure(scratch);
    }
    pfpu_list_sort(graph, heights, &space, order);
    return pfpu_list_schedule(graph, order, &rules, &space, schedule->cycle, NULL)
               ? PFPU_FITS
               : PFPU_FIT_REGISTERS;
}

static enum pfpu_fit finish(const struct pfpu_target *target, const struct pfpu_ir *ir,
                            struct base_arena *scratch, struct pfpu_schedule *schedule)
{
    struct pfpu_registers registers;
    if (!pfpu_schedule_complete(target, ir, scratch, schedule)) {
        return PFPU_FIT_NO_MEMORY;
    }
    schedule->block_length[0] = pfpu_schedule_vectout(target, ir, schedule) + 2;
    return pfpu_registers_assign(target, ir, schedule, scratch, &registers);
}

static enum pfpu_fit schedule_graph(const struct pfpu_target *target, const struct pfpu_ir *ir,
                                    const struct pfpu_graph *graph, uint32_t passes,
                                    struct base_arena *scratch, struct pfpu_schedule *schedule)
{
    struct pfpu_registers registers;
    enum pfpu_fit fit = pfpu_registers_pin(target, ir, scratch, &registers);
    if (fit == PFPU_FITS) {
        fit = schedule_freely(graph, passes, scratch, schedule);
    }
    if (fit == PFPU_FITS) {
        fit = finish(target, ir, scratch, schedule);
    }
    if (fit != PFPU_FIT_REGISTERS) {
        return fit;
    }
    fit = schedule_sparingly(graph, pfpu_registers_left(target, &registers), scratch, schedule);
    return fit == PFPU_FITS ? finish(target, ir, scratch, schedule) : fit;
}

/* The schedule, or the greedy one if that is shorter or the only one that fits. */
static enum pfpu_fit take_shorter(const struct pfpu_target *target, struct pfpu_ir *ir,
                                  struct base_arena *scratch, enum pfpu_fit fit,
                                  struct pfpu_schedule *schedule)
{
    struct pfpu_schedule greedy;
    const enum pfpu_fit greedy_fit = pfpu_sched_greedy(target, ir, scratch, &greedy);
    if (greedy_fit == PFPU_FIT_NO_MEMORY || fit == PFPU_FIT_REGISTERS) {
        *schedule = greedy;
        return greedy_fit;
    }
    if (greedy_fit == PFPU_FITS &&
        pfpu_schedule_vectout(target, ir, &greedy) < pfpu_schedule_vectout(target, ir, schedule)) {
        *schedule = greedy;
    }
    return fit;
}

enum pfpu_fit pfpu_sched_critical_passes(const struct pfpu_target *target, struct pfpu_ir *ir,
                                         uint32_t passes, struct base_arena *scratch,
                                         struct pfpu_schedule *schedule)
{
    struct pfpu_graph_maker maker;
    struct pfpu_graph graph;
    enum pfpu_fit fit = pfpu_schedule_check(target, ir);
    if (fit != PFPU_FITS) {
        return fit;
    }
    if (!pfpu_schedule_init(schedule, ir, scratch) ||
        !pfpu_graph_maker_init(&maker, target, ir, NULL, scratch) ||
        !pfpu_graph_of_block(&maker, &ir->blocks[0], &graph)) {
        return PFPU_FIT_NO_MEMORY;
    }
    fit = schedule_graph(target, ir, &graph, passes, scratch, schedule);
    if (fit == PFPU_FITS || fit == PFPU_FIT_REGISTERS) {
        fit = take_shorter(target, ir, scratch, fit, schedule);
    }
    const bool too_long = fit == PFPU_FITS && target->program_size != 0 &&
                          schedule->block_length[0] > target->program_size;
    return too_long ? PFPU_FIT_LENGTH : fit;
}

enum pfpu_fit pfpu_sched_critical(const struct pfpu_target *target, struct pfpu_ir *ir,
                                  struct base_arena *scratch, struct pfpu_schedule *schedule)
{
    return pfpu_sched_critical_passes(target, ir, PASSES, scratch, schedule);
}
