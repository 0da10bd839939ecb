#include <string.h>

#include "pfpu/machine/machine.h"
#include "pfpu/schedule/list_scheduler.h"
#include "pfpu/schedule/pipeline_stages.h"
#include "pfpu/schedule/register_allocation.h"
#include "pfpu/schedule/schedule.h"

/* Cuts are first judged by the fewest cycles that they could take; some are scheduled, a few
 * thoroughly. */
enum {
    CUT_FIRST = 20, /* where a stage may end, in hundredths of the critical path */
    CUT_LAST = 80,
    CUT_STEP = 4,
    QUICK_STEP = 15,
    QUICK_PASSES = 3,
    WHOLE_PASSES = 40,
    CUTS = (CUT_LAST - CUT_FIRST) / CUT_STEP + 1,
    STAGE_LEAST = 20,
    KEPT_MOST = 8,
    IDLE = 4,        /* copies in a row that make a cut no better */
    TURNS = 20000,   /* of copying, times operations */
    HOPE_WEIGHT = 4, /* against the bound's */
    PATH_WEIGHT = 2, /* against the bound's */
    PARTS = 1000,    /* of a cycle, in ranks */
};

/* How hard to look for the best schedule of programs of up to so many operations. Most are short,
 * and a cycle less in each run is worth the most where there are many operations. */
struct effort {
    uint32_t operations;
    int32_t step;  /* between places where a stage may end, in hundredths */
    uint32_t kept; /* of each number of stages: cuts that are scheduled */
    uint32_t passes;
    uint32_t thorough; /* of them: cuts that are scheduled thoroughly */
    uint32_t thorough_passes;
    uint32_t whole_passes; /* over the schedule of one stage */
};

static const struct effort long_efforts[] = {
    {64, CUT_STEP, 4, 2, 2, 24, WHOLE_PASSES},
    {400, CUT_STEP, KEPT_MOST, 6, 2, 30, WHOLE_PASSES},
    {UINT32_MAX, CUT_STEP, KEPT_MOST, 6, 0, 0, WHOLE_PASSES}};
static const struct effort quick_efforts[] = {
    {UINT32_MAX, QUICK_STEP, 1, QUICK_PASSES, 0, 0, QUICK_PASSES}};

struct trial {
    struct pfpu_cut_places places;
    struct pfpu_cut_outlook outlook;
    uint64_t rank;   /* the lower the better */
    uint32_t *cycle; /* of what is scheduled in the cut; NULL: not scheduled yet */
    uint32_t length; /* of the schedule */
};

struct pipeliner {
    const struct pfpu_target *target;
    struct base_arena *scratch;
    struct base_arena work; /* for one trial after the other */
    struct base_arena_mark start;
    struct pfpu_cutter cutter;
    int32_t limits[CUTS]; /* where a cut differs from the one before */
    size_t limit_count;
    const struct effort *effort;
    struct trial trials[KEPT_MOST * (PFPU_STAGES_MAX - 1) + 1];
    size_t trial_count;
    uint64_t cost; /* of the best so far */
    bool found;
    struct pfpu_ir best;
    struct pfpu_schedule schedule;
};

/* Cycles for a row of the mesh. */
static uint64_t cost_of(const struct pfpu_target *target, uint32_t length, uint32_t stages)
{
    return (uint64_t)pfpu_machine_vertex_cycles(length - 2) * (target->columns + stages - 1);
}

static uint64_t least_cost(const struct pipeliner *pipeliner, const struct trial *trial)
{
    return cost_of(pipeliner->target, trial->outlook.bound, trial->places.stages);
}

/* Moves the last trial to its place. */
static void sort_in(struct trial *trials, size_t count)
{
    const struct trial trial = trials[count - 1];
    size_t place = count - 1;
    while (place > 0 && trials[place - 1].rank > trial.rank) {
        trials[place] = trials[place - 1];
        place--;
    }
    trials[place] = trial;
}

static void sort_trials(struct pipeliner *pipeliner)
{
    for (size_t i = 1; i < pipeliner->trial_count; i++) {
        sort_in(pipeliner->trials, i + 1);
    }
}

/* Of equal cuts that one is easiest to schedule whose operations have the shortest ways to go:
 * their mean, in parts. */
static uint64_t mean_path(const struct pipeliner *pipeliner, const struct trial *trial)
{
    return (uint64_t)trial->outlook.paths * PARTS / pipeliner->cutter.slots;
}

/* Keeps the best ones, from the given one on. */
static void try_cut(struct pipeliner *pipeliner, size_t first, const struct pfpu_cut_places *places)
{
    const size_t count = pipeliner->trial_count - first;
    struct trial *trial = &pipeliner->trials[pipeliner->trial_count];
    const uint64_t most =
        count < pipeliner->effort->kept ? UINT32_MAX : trial[-1].rank / (HOPE_WEIGHT + 1) / PARTS;
    *trial = (struct trial){.places = *places, .length = UINT32_MAX};
    trial->outlook =
        pfpu_cut_judge(&pipeliner->cutter, places, most < UINT32_MAX ? (uint32_t)most : UINT32_MAX);
    const struct pfpu_cut_outlook *outlook = &trial->outlook;
    trial->rank = PARTS * (HOPE_WEIGHT * (uint64_t)outlook->hope + outlook->bound) +
                  PATH_WEIGHT * mean_path(pipeliner, trial);
    sort_in(pipeliner->trials + first, count + 1);
    pipeliner->trial_count += count < pipeliner->effort->kept ? 1 : 0;
}

/* Copies what makes one stage wait for another, as long as that helps. */
static bool relieve(struct pipeliner *pipeliner, struct trial *trial)
{
    struct pfpu_cutter *cutter = &pipeliner->cutter;
    const size_t uses = (size_t)cutter->count * PFPU_CUT_OPERANDS;
    if (trial->outlook.bound == trial->outlook.hope) {
        return true;
    }
    bool *own = base_arena_array(pipeliner->scratch, 2 * uses, sizeof *own);
    if (own == NULL) {
        return false;
    }
    struct pfpu_cut_places places = trial->places;
    struct pfpu_cut_outlook outlook = pfpu_cut_judge(cutter, &places, UINT32_MAX);
    places.own = own;
    size_t turns = TURNS / (size_t)cutter->count + IDLE;
    for (int idle = 0; turns-- > 0 && idle < IDLE && outlook.bound > outlook.hope; idle++) {
        if (!pfpu_cut_relieve(cutter, &outlook, own)) {
            break;
        }
        outlook = pfpu_cut_judge_again(cutter, &places);
        if (outlook.bound < trial->outlook.bound) {
            trial->outlook = outlook;
            memcpy(own + uses, own, uses * sizeof *own);
            trial->places.own = own + uses;
            idle = -1;
        }
    }
    return true;
}

/* Schedules a trial, from its last schedule on if there is one. */
static bool schedule_trial(struct pipeliner *pipeliner, struct trial *trial, uint32_t passes)
{
    struct base_arena *work = &pipeliner->work;
    struct pfpu_cut cut;
    struct pfpu_graph_maker maker;
    struct pfpu_graph graph;
    base_arena_rewind(work, pipeliner->start);
    if (!pfpu_cut_at(&pipeliner->cutter, &trial->places, work, &cut) ||
        !pfpu_graph_maker_init(&maker, pipeliner->target, &cut.ir, &cut.stages, work) ||
        !pfpu_graph_of_block(&maker, &cut.scheduled, &graph)) {
        return false;
    }
    if (trial->cycle == NULL) {
        trial->cycle =
            base_arena_array(pipeliner->scratch, (size_t)graph.count, sizeof *trial->cycle);
    }
    struct pfpu_local_search improve = {.graph = &graph,
                                        .passes = passes,
                                        .diversify = true,
                                        .cycle = trial->cycle,
                                        .length = trial->length};
    if (trial->cycle == NULL || !pfpu_local_search(&improve, work)) {
        return false;
    }
    trial->length = improve.length;
    trial->rank = cost_of(pipeliner->target, trial->length, trial->places.stages);
    return true;
}

/* Schedules the first trials, as far as they could be better than the best so
 * far. */
static bool search(struct pipeliner *pipeliner, size_t count, uint32_t passes)
{
    uint64_t cost = pipeliner->cost;
    for (size_t i = 0; i < pipeliner->trial_count; i++) {
        struct trial *trial = &pipeliner->trials[i];
        if (i < count && least_cost(pipeliner, trial) < cost) {
            if (!schedule_trial(pipeliner, trial, passes)) {
                return false;
            }
            cost = trial->rank < cost ? trial->rank : cost;
        } else if (trial->cycle == NULL) {
            trial->rank = UINT64_MAX;
        }
    }
    sort_trials(pipeliner);
    return true;
}

/* The program and the schedule of a trial, if there are registers for it. */
static enum pfpu_fit complete(struct pipeliner *pipeliner, const struct trial *trial)
{
    struct base_arena *scratch = pipeliner->scratch;
    struct pfpu_schedule *schedule = &pipeliner->schedule;
    struct pfpu_registers registers;
    struct pfpu_cut cut;
    if (!pfpu_cut_at(&pipeliner->cutter, &trial->places, scratch, &cut) ||
        !pfpu_schedule_init(schedule, &cut.ir, scratch)) {
        return PFPU_FIT_NO_MEMORY;
    }
    pipeliner->best = cut.ir;
    memcpy(schedule->cycle + cut.scheduled.first, trial->cycle,
           (size_t)cut.scheduled.count * sizeof *schedule->cycle);
    schedule->block_length[0] = trial->length;
    schedule->stage = cut.stages.stage;
    schedule->stages = trial->places.stages;
    if (!pfpu_schedule_complete(pipeliner->target, &cut.ir, scratch, schedule)) {
        return PFPU_FIT_NO_MEMORY;
    }
    return pfpu_registers_allocate(pipeliner->target, &cut.ir, schedule, scratch, &registers);
}

static enum pfpu_fit find_best(struct pipeliner *pipeliner)
{
    const struct effort *effort = pipeliner->effort;
    if (!search(pipeliner, pipeliner->trial_count, effort->passes) ||
        !search(pipeliner, effort->thorough, effort->thorough_passes)) {
        return PFPU_FIT_NO_MEMORY;
    }
    /* Takes the first trial that is better than the best so far and fits. */
    const uint32_t most = pipeliner->target->program_size;
    for (size_t i = 0; i < pipeliner->trial_count; i++) {
        const struct trial *trial = &pipeliner->trials[i];
        if (trial->rank >= pipeliner->cost) {
            break;
        }
        if (most != 0 && trial->length > most) {
            continue;
        }
        const enum pfpu_fit fit = complete(pipeliner, trial);
        if (fit == PFPU_FITS) {
            pipeliner->found = true;
            pipeliner->cost = trial->rank;
        }
        if (fit != PFPU_FIT_REGISTERS) {
            return fit;
        }
    }
    return PFPU_FITS;
}

/* Cuts that could be better than one stage. */
static bool find_trials(struct pipeliner *pipeliner)
{
    while (pipeliner->cutter.slots > pipeliner->effort->operations) {
        pipeliner->effort++;
    }
    const struct pfpu_cutter *cutter = &pipeliner->cutter;
    int32_t last = 0;
    for (int32_t percent = CUT_FIRST; percent <= CUT_LAST; percent += pipeliner->effort->step) {
        const int32_t limit = percent * (int32_t)(2 * cutter->critical_path) / 100;
        int32_t before = 0;
        for (int32_t i = 1; i < cutter->count; i++) {
            before += cutter->start[i] < limit ? 1 : 0;
        }
        if (before != last) {
            pipeliner->limits[pipeliner->limit_count++] = limit;
        }
        last = before;
    }
    for (uint32_t stages = 2; stages <= PFPU_STAGES_MAX; stages++) {
        const size_t start = pipeliner->trial_count;
        const int32_t whole = (int32_t)(2 * pipeliner->cutter.critical_path);
        struct pfpu_cut_places places = {.stages = stages};
        for (size_t first = 0; first < pipeliner->limit_count; first++) {
            places.limits[0] = pipeliner->limits[first];
            if (stages == 2) {
                try_cut(pipeliner, start, &places);
                continue;
            }
            for (size_t second = first + 1; second < pipeliner->limit_count; second++) {
                places.limits[1] = pipeliner->limits[second];
                if (places.limits[1] - places.limits[0] >= STAGE_LEAST * whole / 100) {
                    try_cut(pipeliner, start, &places);
                }
            }
        }
    }
    for (size_t i = 0; i < pipeliner->trial_count; i++) {
        struct trial *trial = &pipeliner->trials[i];
        if (!relieve(pipeliner, trial)) {
            return false;
        }
        trial->rank = PARTS * least_cost(pipeliner, trial) + mean_path(pipeliner, trial);
    }
    sort_trials(pipeliner);
    return true;
}

/* The schedule of one stage, with its cost. */
static enum pfpu_fit schedule_whole(struct pipeliner *pipeliner, struct pfpu_ir *ir,
                                    struct pfpu_schedule *schedule)
{
    const struct pfpu_target *target = pipeliner->target;
    const enum pfpu_fit fit = pfpu_schedule_critical_passes(
        target, ir, pipeliner->effort->whole_passes, pipeliner->scratch, schedule);
    if (fit == PFPU_FITS) {
        pipeliner->cost = cost_of(target, schedule->block_length[0], 1);
    }
    return fit;
}

/* The schedule of one stage is made only if it could be the best. */
static enum pfpu_fit pipeline(struct pipeliner *pipeliner, struct pfpu_ir *ir,
                              struct pfpu_schedule *schedule)
{
    const uint64_t least = cost_of(pipeliner->target, pipeliner->cutter.critical_path + 2, 1);
    const bool first =
        pipeliner->trial_count == 0 || least_cost(pipeliner, &pipeliner->trials[0]) >= least;
    enum pfpu_fit fit = first ? schedule_whole(pipeliner, ir, schedule) : PFPU_FITS;
    if (fit != PFPU_FITS && fit != PFPU_FIT_LENGTH) {
        return fit;
    }
    const enum pfpu_fit found = find_best(pipeliner);
    const uint64_t cost = pipeliner->cost;
    if (found != PFPU_FITS) {
        return found;
    }
    if (!first && cost > least) {
        fit = schedule_whole(pipeliner, ir, schedule);
    }
    if (!pipeliner->found || pipeliner->cost < cost) {
        return fit;
    }
    *schedule = pipeliner->schedule;
    return pfpu_ir_copy(ir, &pipeliner->best, ir->arena) ? PFPU_FITS : PFPU_FIT_NO_MEMORY;
}

static enum pfpu_fit schedule_with(const struct effort *efforts, const struct pfpu_target *target,
                                   struct pfpu_ir *ir, struct base_arena *scratch,
                                   struct pfpu_schedule *schedule)
{
    struct pfpu_registers registers;
    struct pipeliner pipeliner = {
        .target = target, .scratch = scratch, .effort = efforts, .cost = UINT64_MAX};
    enum pfpu_fit fit = pfpu_schedule_check(target, ir);
    /* Only values of one vertex may be on the way between stages, and nothing is read afterwards.
     */
    bool vectout = false;
    bool sets = false;
    for (size_t i = 0; i < ir->count; i++) {
        vectout |= ir->instructions[i].op == PFPU_OP_WORD_VECTOUT;
        sets |= ir->instructions[i].op == PFPU_OP_SET;
    }
    const bool can = vectout && !sets && target->columns > 0 &&
                     target->columns + PFPU_STAGES_MAX - 1 <= PFPU_MACHINE_SIDE;
    if (fit == PFPU_FITS && !can) {
        return pfpu_schedule_critical_passes(target, ir, efforts->whole_passes, scratch, schedule);
    }
    if (fit == PFPU_FITS) {
        fit = pfpu_registers_pin(target, ir, scratch, &registers);
    }
    if (fit != PFPU_FITS) {
        return fit;
    }
    fit = PFPU_FIT_NO_MEMORY;
    if (base_arena_alloc(&pipeliner.work, 1) != NULL &&
        pfpu_cutter_init(&pipeliner.cutter, target, ir, scratch) && find_trials(&pipeliner)) {
        pipeliner.start = base_arena_mark(&pipeliner.work);
        fit = pipeline(&pipeliner, ir, schedule);
    }
    base_arena_free(&pipeliner.work);
    return fit;
}

enum pfpu_fit pfpu_schedule_pipelined(const struct pfpu_target *target, struct pfpu_ir *ir,
                                      struct base_arena *scratch, struct pfpu_schedule *schedule)
{
    return schedule_with(long_efforts, target, ir, scratch, schedule);
}

enum pfpu_fit pfpu_schedule_quick(const struct pfpu_target *target, struct pfpu_ir *ir,
                                  struct base_arena *scratch, struct pfpu_schedule *schedule)
{
    return schedule_with(quick_efforts, target, ir, scratch, schedule);
}
