#include "pfpu/lanes_plan.h"

enum { UNUSED = -1, RELEASED = -2 };

/* Room for the number before the first one keeps cells aligned. */
enum { CELL_LEAD = 8, CELL_SIZE = CELL_LEAD + PFPU_LANES };

struct assigner {
    struct pfpu_lanes_plan *plan;
    int32_t *last_use; /* by node: step */
    int32_t *free_cells;
    size_t free_count;
    int32_t cell_count;
    int32_t base; /* of the cells in scratch memory */
};

static bool is_group(const struct pfpu_lanes_step *step)
{
    return step->kind == PFPU_LANES_SERIAL || step->kind == PFPU_LANES_SETTLING;
}

static void note_use(struct assigner *assigner, struct pfpu_lanes_place place, int32_t when)
{
    if (place.at != PFPU_LANES_NOWHERE) {
        assigner->last_use[assigner->plan->source[place.at]] = when;
    }
}

static void note_uses(struct assigner *assigner, const struct pfpu_lanes_step *step, int32_t when)
{
    for (int k = 0; k < 3; k++) {
        note_use(assigner, step->operands[k], when);
    }
    note_use(assigner, step->guard, when);
}

/* Values used in a group are used until its end. */
static void find_last_uses(struct assigner *assigner)
{
    const struct pfpu_lanes_plan *plan = assigner->plan;
    size_t group_end = 0;
    for (size_t i = 0; i < plan->count; i++) {
        if (is_group(&plan->steps[i])) {
            group_end = i + (size_t)plan->steps[i].number;
        }
        note_uses(assigner, &plan->steps[i], (int32_t)(i < group_end ? group_end : i));
    }
}

static void take(struct assigner *assigner, int32_t node)
{
    const int32_t cell = assigner->free_count > 0 ? assigner->free_cells[--assigner->free_count]
                                                  : assigner->cell_count++;
    assigner->plan->place[node] = assigner->base + cell * CELL_SIZE + CELL_LEAD;
}

static void release(struct assigner *assigner, int32_t node)
{
    const int32_t at = assigner->plan->place[node] - assigner->base;
    assigner->free_cells[assigner->free_count++] = at / CELL_SIZE;
    assigner->last_use[node] = RELEASED;
}

static void release_if_done(struct assigner *assigner, struct pfpu_lanes_place place, int32_t now)
{
    if (place.at != PFPU_LANES_NOWHERE && !assigner->plan->order->uniform[place.at] &&
        assigner->last_use[assigner->plan->source[place.at]] == now) {
        release(assigner, assigner->plan->source[place.at]);
    }
}

static void release_operands(struct assigner *assigner, const struct pfpu_lanes_step *step,
                             int32_t now)
{
    for (int k = 0; k < 3; k++) {
        release_if_done(assigner, step->operands[k], now);
    }
    release_if_done(assigner, step->guard, now);
}

/* Reads a cell one item earlier. */
static bool reads_shifted(const struct pfpu_lanes_plan *plan, const struct pfpu_lanes_step *step)
{
    for (int k = 0; k < 3; k++) {
        const int32_t node = step->operands[k].at;
        if (node != PFPU_LANES_NOWHERE && plan->source[node] != node) {
            return true;
        }
    }
    return false;
}

static void release_if_unused(struct assigner *assigner, int32_t node)
{
    if (assigner->last_use[node] == UNUSED) {
        release(assigner, node);
    }
}

/* A result may take the place of an operand if the operation goes lane by lane. */
static void assign_step(struct assigner *assigner, size_t i)
{
    const struct pfpu_lanes_step *step = &assigner->plan->steps[i];
    const bool shifted = reads_shifted(assigner->plan, step);
    if (!shifted) {
        release_operands(assigner, step, (int32_t)i);
    }
    if (step->dst != PFPU_LANES_NOWHERE) {
        take(assigner, step->dst);
    }
    if (shifted) {
        release_operands(assigner, step, (int32_t)i);
    }
    if (step->dst != PFPU_LANES_NOWHERE) {
        release_if_unused(assigner, step->dst);
    }
}

static void assign_group(struct assigner *assigner, size_t head)
{
    const struct pfpu_lanes_step *steps = assigner->plan->steps;
    const size_t end = head + (size_t)steps[head].number;
    for (size_t i = head + 1; i <= end; i++) {
        take(assigner, steps[i].dst);
    }
    for (size_t i = head + 1; i <= end; i++) {
        release_operands(assigner, &steps[i], (int32_t)end);
        release_if_unused(assigner, steps[i].dst);
    }
}

static void resolve(const struct pfpu_lanes_plan *plan, struct pfpu_lanes_place *place)
{
    const int32_t node = place->at;
    if (node != PFPU_LANES_NOWHERE) {
        place->step = plan->order->uniform[node] ? 0 : 1;
        place->at = plan->place[plan->source[node]] - (plan->source[node] != node ? 1 : 0);
    }
}

/* Kernels load all operands, so that those they do not use point to one that they do. */
static void resolve_step(const struct pfpu_lanes_plan *plan, struct pfpu_lanes_step *step)
{
    for (int k = 0; k < 3; k++) {
        resolve(plan, &step->operands[k]);
        if (step->operands[k].at == PFPU_LANES_NOWHERE) {
            step->operands[k] = k > 0 ? step->operands[0] : (struct pfpu_lanes_place){0, 0};
        }
    }
    resolve(plan, &step->guard);
    step->dst = step->dst == PFPU_LANES_NOWHERE ? 0 : plan->place[step->dst];
}

bool pfpu_lanes_assign_cells(struct pfpu_lanes_plan *plan)
{
    const size_t count = plan->graph->count;
    struct assigner assigner = {.plan = plan};
    assigner.last_use = base_arena_array(plan->scratch, count, sizeof *assigner.last_use);
    assigner.free_cells = base_arena_array(plan->scratch, count, sizeof *assigner.free_cells);
    if (plan->scratch->failed) {
        return false;
    }
    assigner.base = (plan->end + CELL_LEAD - 1) / CELL_LEAD * CELL_LEAD;
    for (size_t i = 0; i < count; i++) {
        assigner.last_use[i] = UNUSED;
    }
    find_last_uses(&assigner);
    for (size_t i = 0; i < plan->count; i++) {
        if (is_group(&plan->steps[i])) {
            assign_group(&assigner, i);
            i += (size_t)plan->steps[i].number;
        } else {
            assign_step(&assigner, i);
        }
    }
    for (size_t i = 0; i < plan->count; i++) {
        resolve_step(plan, &plan->steps[i]);
    }
    plan->end = assigner.base + assigner.cell_count * CELL_SIZE;
    return true;
}
