#include "pfpu/lanes_plan.h"

struct span {
    int32_t first; /* step */
    int32_t last;
    int32_t steps;
    int32_t cost;
    bool bound; /* has steps that may not be left out */
};

struct skipper {
    struct pfpu_lanes_plan *plan;
    struct span *spans;  /* by arm: the steps in it and the arms inside it */
    int32_t *defined_at; /* by node: step */
    int32_t *starting;   /* by step: the first arm to be skipped from there, 0: none */
    int32_t *next;       /* by arm: another one from the same step, inside it; 0: none */
    int32_t *moved;      /* by step: its new index, or that of the skips before it */
};

static int32_t cost_of(const struct pfpu_lanes_step *step)
{
    return step->kind == PFPU_LANES_DELAY ? 1 : pfpu_ops[step->code / 2].cost;
}

static void note_step(struct skipper *skipper, int32_t i)
{
    const struct pfpu_lanes_plan *plan = skipper->plan;
    const struct pfpu_lanes_step *step = &plan->steps[i];
    if (step->dst != PFPU_LANES_NOWHERE) {
        skipper->defined_at[step->dst] = i;
    }
    for (int32_t arm = plan->arm[i]; arm != PFPU_LANES_ROOT; arm = plan->graph->arms[arm].parent) {
        struct span *span = &skipper->spans[arm];
        span->first = span->steps == 0 ? i : span->first;
        span->last = i;
        span->steps++;
        span->cost += cost_of(step);
        span->bound = span->bound || step->kind == PFPU_LANES_DELAY ||
                      step->keep != PFPU_LANES_NOWHERE || step->carry != PFPU_LANES_NOWHERE;
    }
}

/* The steps stand together, are worth it, and the guard is known before. */
static bool may_skip(const struct skipper *skipper, size_t arm)
{
    const struct pfpu_lanes_plan *plan = skipper->plan;
    const struct span *span = &skipper->spans[arm];
    const int32_t guard = plan->graph->arms[arm].guard;
    return span->steps > 0 && !span->bound && span->cost >= PFPU_LANES_TEST_LEAST &&
           span->last - span->first + 1 == span->steps && plan->order->tested[arm] &&
           (plan->order->uniform[guard] || skipper->defined_at[plan->source[guard]] < span->first);
}

static struct pfpu_lanes_step step_of_skip(const struct skipper *skipper, size_t arm)
{
    const struct pfpu_lanes_place nowhere = {PFPU_LANES_NOWHERE, 0};
    const struct pfpu_lanes_place guard = {skipper->plan->graph->arms[arm].guard, 0};
    return (struct pfpu_lanes_step){.kind = PFPU_LANES_SKIP,
                                    .dst = PFPU_LANES_NOWHERE,
                                    .number = skipper->spans[arm].last + 1,
                                    .keep = PFPU_LANES_NOWHERE,
                                    .operands = {guard, nowhere, nowhere},
                                    .guard = nowhere};
}

static void put_skips(struct skipper *skipper, const struct pfpu_lanes_step *steps, size_t count)
{
    struct pfpu_lanes_plan *plan = skipper->plan;
    plan->count = 0;
    for (size_t i = 0; i < count; i++) {
        skipper->moved[i] = (int32_t)plan->count;
        for (int32_t arm = skipper->starting[i]; arm != 0; arm = skipper->next[arm]) {
            plan->steps[plan->count++] = step_of_skip(skipper, (size_t)arm);
        }
        plan->steps[plan->count++] = steps[i];
    }
    skipper->moved[count] = (int32_t)plan->count;
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->steps[i].kind == PFPU_LANES_SKIP) {
            plan->steps[i].number = skipper->moved[plan->steps[i].number] - (int32_t)i - 1;
        }
    }
}

bool pfpu_lanes_insert_skips(struct pfpu_lanes_plan *plan)
{
    const size_t arms = plan->graph->arm_count;
    const size_t count = plan->count;
    struct skipper skipper = {.plan = plan};
    skipper.spans = base_arena_array(plan->scratch, arms, sizeof *skipper.spans);
    skipper.defined_at =
        base_arena_array(plan->scratch, plan->graph->count, sizeof *skipper.defined_at);
    skipper.starting = base_arena_array(plan->scratch, count, sizeof *skipper.starting);
    skipper.next = base_arena_array(plan->scratch, arms, sizeof *skipper.next);
    skipper.moved = base_arena_array(plan->scratch, count + 1, sizeof *skipper.moved);
    struct pfpu_lanes_step *steps = base_arena_array(plan->scratch, count, sizeof *steps);
    if (plan->scratch->failed) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        note_step(&skipper, (int32_t)i);
        steps[i] = plan->steps[i];
    }
    /* From the inner arms to the outer, so that these come first in the lists. */
    for (size_t arm = arms; arm-- > 1;) {
        if (may_skip(&skipper, arm)) {
            const int32_t first = skipper.spans[arm].first;
            skipper.next[arm] = skipper.starting[first];
            skipper.starting[first] = (int32_t)arm;
        }
    }
    put_skips(&skipper, steps, count);
    return true;
}
