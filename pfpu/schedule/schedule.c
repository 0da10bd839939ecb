#include "pfpu/schedule/schedule.h"

#include "pfpu/schedule/graph.h"
#include "pfpu/schedule/list_scheduler.h"
#include "pfpu/schedule/register_allocation.h"

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

bool pfpu_schedule_complete(const struct pfpu_target *target, const struct pfpu_ir *ir,
                            struct base_arena *scratch, struct pfpu_schedule *schedule)
{
    /* A SET happens when its value is committed; everything else without a slot is there from the
     * start. */
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
            .registers = registers, .stall = PFPU_LIST_ANY, .window = windows[i]};
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

static enum pfpu_fit schedule_block(struct pfpu_graph_maker *maker, size_t b, uint32_t registers,
                                    struct pfpu_schedule *schedule)
{
    const struct pfpu_block *block = &maker->ir->blocks[b];
    struct pfpu_graph graph;
    if (never_waits(maker->target)) {
        uint32_t *length = &schedule->block_length[b];
        *length = 0;
        for (int32_t i = block->first; i < block->first + block->count; i++) {
            schedule->order[i] = i;
            schedule->cycle[i] = *length;
            *length += maker->target->ops[maker->ir->instructions[i].op].bound ? 0 : 1;
        }
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

enum pfpu_fit pfpu_schedule_greedy(const struct pfpu_target *target, struct pfpu_ir *ir,
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

enum {
    PASSES = 40,         /* ten times as many gain less than one cycle in a hundred */
    NODE_PASSES = 16000, /* fewer passes over long programs */
};

/* What went wrong where memory is the only thing that can. */
static enum pfpu_fit failure(const struct base_arena *scratch)
{
    return scratch->failed ? PFPU_FIT_NO_MEMORY : PFPU_FIT_ILLEGAL;
}

/* By height, but never more results at a time than there are registers. */
static enum pfpu_fit schedule_sparingly(const struct pfpu_graph *graph, uint32_t left,
                                        struct base_arena *scratch, struct pfpu_schedule *schedule)
{
    const struct pfpu_list_rules rules = {
        .registers = left, .stall = PFPU_LIST_ANY, .window = PFPU_LIST_ANY};
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
    return pfpu_registers_allocate(target, ir, schedule, scratch, &registers);
}

static enum pfpu_fit schedule_graph(const struct pfpu_target *target, const struct pfpu_ir *ir,
                                    const struct pfpu_graph *graph, uint32_t passes,
                                    struct base_arena *scratch, struct pfpu_schedule *schedule)
{
    struct pfpu_registers registers;
    enum pfpu_fit fit = pfpu_registers_pin(target, ir, scratch, &registers);
    if (fit == PFPU_FITS) {
        const uint32_t most = NODE_PASSES / ((uint32_t)graph->count + 1) + 1;
        struct pfpu_local_search improve = {.graph = graph,
                                            .passes = passes < most ? passes : most,
                                            .cycle = schedule->cycle,
                                            .length = UINT32_MAX};
        fit = pfpu_local_search(&improve, scratch) ? PFPU_FITS : failure(scratch);
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

enum pfpu_fit pfpu_schedule_critical_passes(const struct pfpu_target *target, struct pfpu_ir *ir,
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
        /* The greedy schedule, if that is shorter or the only one that fits. */
        struct pfpu_schedule greedy;
        const enum pfpu_fit greedy_fit = pfpu_schedule_greedy(target, ir, scratch, &greedy);
        if (greedy_fit == PFPU_FIT_NO_MEMORY || fit == PFPU_FIT_REGISTERS) {
            *schedule = greedy;
            fit = greedy_fit;
        } else if (greedy_fit == PFPU_FITS && pfpu_schedule_vectout(target, ir, &greedy) <
                                                  pfpu_schedule_vectout(target, ir, schedule)) {
            *schedule = greedy;
        }
    }
    const bool too_long = fit == PFPU_FITS && target->program_size != 0 &&
                          schedule->block_length[0] > target->program_size;
    return too_long ? PFPU_FIT_LENGTH : fit;
}

enum pfpu_fit pfpu_schedule_critical(const struct pfpu_target *target, struct pfpu_ir *ir,
                                     struct base_arena *scratch, struct pfpu_schedule *schedule)
{
    return pfpu_schedule_critical_passes(target, ir, PASSES, scratch, schedule);
}
