#include "pfpu/sched.h"

#include <string.h>

#include "pfpu/improve.h"
#include "pfpu/machine.h"
#include "pfpu/microcode.h"
#include "pfpu/registers.h"
#include "pfpu/schedule.h"
#include "pfpu/stages.h"

/* Cuts are first judged by the fewest cycles that they could take; some are scheduled, a few
 * thoroughly. Twice as many of each shorten the run by less than one cycle in a hundred. */
enum {
    CUT_FIRST = 20, /* where a stage may end, in hundredths of the critical path */
    CUT_LAST = 80,
    CUT_STEP = 4,
    STAGE_LEAST = 20,
    KEPT = 8, /* of each number of stages: cuts that are scheduled */
    FEW_PASSES = 6,
    THOROUGH = 2, /* of them: cuts that are scheduled thoroughly */
    MANY_PASSES = 30,
    PATIENCE = 4,  /* copies in a row that make a cut no better */
    TURNS = 20000, /* of copying, times operations: a turn builds the graph anew */
    LONG = 400,    /* operations; longer programs are not searched thoroughly */
};

/* A cut and the best schedule for it so far. */
struct trial {
    struct base_arena arena;
    struct pfpu_cut_places places;
    struct pfpu_cut cut;
    struct pfpu_graph graph;
    int32_t *heights;
    uint32_t hope;  /* the fewest cycles that it could take if stages never had to wait */
    uint32_t bound; /* the fewest cycles that it could take */
    uint32_t rank;  /* the lower the better */
    struct pfpu_improve improve;
    struct pfpu_schedule schedule;
};

struct pipeliner {
    const struct pfpu_target *target;
    struct base_arena *scratch;
    struct pfpu_cutter cutter;
    struct trial *trials[KEPT + 1]; /* of one number of stages, the best one first */
    size_t trial_count;
    struct trial *best;
    uint64_t cost; /* of the best so far */
    bool failed;
};

/* Cycles for a row of the mesh. */
static uint64_t cost_of(const struct pfpu_target *target, uint32_t length, uint32_t stages)
{
    return (uint64_t)pfpu_machine_vertex_cycles(length - 2) * (target->columns + stages - 1);
}

static void free_trial(struct trial *trial)
{
    if (trial != NULL) {
        struct base_arena arena = trial->arena;
        base_arena_free(&arena);
    }
}

static bool cut_trial(struct trial *trial, const struct pfpu_cutter *cutter)
{
    struct base_arena *arena = &trial->arena;
    struct pfpu_graph_maker maker;
    if (!pfpu_cut_at(cutter, &trial->places, arena, &trial->cut) ||
        !pfpu_graph_maker_init(&maker, cutter->target, &trial->cut.ir, &trial->cut.stages, arena) ||
        !pfpu_graph_of_block(&maker, &trial->cut.ir.blocks[0], &trial->graph)) {
        return false;
    }
    const size_t count = trial->cut.ir.count;
    trial->improve = (struct pfpu_improve){.graph = &trial->graph, .length = UINT32_MAX};
    trial->improve.cycle = base_arena_array(arena, count, sizeof *trial->improve.cycle);
    trial->heights = base_arena_array(arena, count, sizeof *trial->heights);
    if (arena->failed) {
        return false;
    }
    (void)pfpu_cut_inner_path(&trial->graph, trial->heights);
    trial->hope = pfpu_improve_bound(&trial->graph, trial->heights);
    if (!pfpu_graph_heights(&trial->graph, arena, trial->heights)) {
        return false;
    }
    trial->bound = pfpu_improve_bound(&trial->graph, trial->heights);
    return true;
}

/* The trial lives in its own arena. NULL without memory. */
static struct trial *make_trial(struct pipeliner *pipeliner, const struct pfpu_cut_places *places)
{
    struct base_arena arena = {.limit = 0};
    struct trial *trial = base_arena_alloc(&arena, sizeof *trial);
    if (trial == NULL) {
        pipeliner->failed = true;
        return NULL;
    }
    trial->arena = arena;
    trial->places = *places;
    if (!cut_trial(trial, &pipeliner->cutter)) {
        pipeliner->failed = true;
        free_trial(trial);
        return NULL;
    }
    return trial;
}

/* Moves the last trial to its place. */
static void sort_in(struct trial **trials, size_t count)
{
    struct trial *trial = trials[count - 1];
    size_t place = count - 1;
    while (place > 0 && trials[place - 1]->rank > trial->rank) {
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

static void try_cut(struct pipeliner *pipeliner, const struct pfpu_cut_places *places)
{
    struct trial *trial = make_trial(pipeliner, places);
    if (trial == NULL) {
        return;
    }
    if (cost_of(pipeliner->target, trial->hope, places->stages) >= pipeliner->cost) {
        free_trial(trial);
        return;
    }
    trial->rank = 4 * trial->hope + trial->bound;
    pipeliner->trials[pipeliner->trial_count++] = trial;
    sort_in(pipeliner->trials, pipeliner->trial_count);
    if (pipeliner->trial_count > KEPT) {
        free_trial(pipeliner->trials[--pipeliner->trial_count]);
    }
}

/* Copies what makes one stage wait for another, as long as that helps. */
static struct trial *relieve(struct pipeliner *pipeliner, struct trial *best)
{
    bool *own = base_arena_array(pipeliner->scratch, 3 * pipeliner->cutter.ir->count, sizeof *own);
    struct pfpu_cut_places places = best->places;
    struct trial *trial = best;
    places.own = own;
    pipeliner->failed = pipeliner->failed || own == NULL;
    size_t turns = own == NULL ? 0 : TURNS / pipeliner->cutter.ir->count + PATIENCE;
    for (int idle = 0; turns-- > 0 && idle < PATIENCE && best->bound > best->hope; idle++) {
        const bool flagged = pfpu_cut_relieve(&trial->cut, &trial->graph, trial->heights, own);
        struct trial *next = flagged ? make_trial(pipeliner, &places) : NULL;
        if (trial != best) {
            free_trial(trial);
        }
        trial = next;
        if (trial == NULL) {
            return best;
        }
        if (trial->bound < best->bound) {
            free_trial(best);
            best = trial;
            idle = -1;
        }
    }
    if (trial != best) {
        free_trial(trial);
    }
    return best;
}

static void relieve_all(struct pipeliner *pipeliner)
{
    for (size_t i = 0; i < pipeliner->trial_count; i++) {
        pipeliner->trials[i] = relieve(pipeliner, pipeliner->trials[i]);
        struct trial *trial = pipeliner->trials[i];
        trial->rank = 4 * trial->bound + trial->hope;
    }
    sort_trials(pipeliner);
}

static void try_cuts(struct pipeliner *pipeliner, uint32_t stages)
{
    const int32_t whole = (int32_t)(2 * pipeliner->cutter.critical_path);
    struct pfpu_cut_places places = {.stages = stages};
    for (int32_t first = CUT_FIRST; first <= CUT_LAST; first += CUT_STEP) {
        places.limits[0] = first * whole / 100;
        if (stages == 2) {
            try_cut(pipeliner, &places);
            continue;
        }
        for (int32_t second = first + STAGE_LEAST; second <= CUT_LAST; second += CUT_STEP) {
            places.limits[1] = second * whole / 100;
            try_cut(pipeliner, &places);
        }
    }
}

static void search(struct pipeliner *pipeliner, size_t count, uint32_t passes)
{
    for (size_t i = 0; i < pipeliner->trial_count; i++) {
        struct trial *trial = pipeliner->trials[i];
        trial->improve.passes = passes;
        if (i < count && !pfpu_improve(&trial->improve, &trial->arena)) {
            pipeliner->failed = true;
        }
        trial->rank = trial->improve.length;
    }
    sort_trials(pipeliner);
}

/* The schedule of a trial, if there are registers for it. */
static bool complete(struct pipeliner *pipeliner, struct trial *trial)
{
    struct pfpu_registers registers;
    struct pfpu_schedule *schedule = &trial->schedule;
    const struct pfpu_ir *ir = &trial->cut.ir;
    if (!pfpu_schedule_init(schedule, ir, &trial->arena)) {
        pipeliner->failed = true;
        return false;
    }
    memcpy(schedule->cycle, trial->improve.cycle, ir->count * sizeof *schedule->cycle);
    schedule->block_length[0] = trial->improve.length;
    schedule->stage = trial->cut.stages.stage;
    schedule->stages = trial->places.stages;
    if (!pfpu_schedule_complete(pipeliner->target, ir, &trial->arena, schedule)) {
        pipeliner->failed = true;
        return false;
    }
    const enum pfpu_fit fit =
        pfpu_registers_assign(pipeliner->target, ir, schedule, &trial->arena, &registers);
    pipeliner->failed = pipeliner->failed || fit == PFPU_FIT_NO_MEMORY;
    return fit == PFPU_FITS;
}

/* Keeps the first trial that is better than the best so far and fits; frees the others. */
static void take_best(struct pipeliner *pipeliner)
{
    for (size_t i = 0; i < pipeliner->trial_count; i++) {
        struct trial *trial = pipeliner->trials[i];
        const uint32_t length = trial->improve.length;
        const uint64_t cost = length == UINT32_MAX
                                  ? UINT64_MAX
                                  : cost_of(pipeliner->target, length, trial->places.stages);
        const uint32_t most = pipeliner->target->program_size;
        if (cost < pipeliner->cost && (most == 0 || length <= most) && complete(pipeliner, trial)) {
            free_trial(pipeliner->best);
            pipeliner->best = trial;
            pipeliner->cost = cost;
        } else {
            free_trial(trial);
        }
    }
    pipeliner->trial_count = 0;
}

static void try_stages(struct pipeliner *pipeliner, uint32_t stages)
{
    try_cuts(pipeliner, stages);
    relieve_all(pipeliner);
    search(pipeliner, KEPT, FEW_PASSES);
    if (pipeliner->cutter.ir->count < LONG) {
        search(pipeliner, THOROUGH, MANY_PASSES);
    }
    take_best(pipeliner);
}

/* Only values of one vertex may be on the way between stages, and nothing is read afterwards. */
static bool can_pipeline(const struct pfpu_target *target, const struct pfpu_ir *ir)
{
    bool vectout = false;
    for (size_t i = 0; i < ir->count; i++) {
        vectout |= ir->instructions[i].op == PFPU_OP_WORD_VECTOUT;
        if (ir->instructions[i].op == PFPU_OP_SET) {
            return false;
        }
    }
    return vectout && target->columns > 0 &&
           target->columns + PFPU_STAGES_MAX - 1 <= PFPU_MACHINE_SIDE;
}

/* Replaces the program and its schedule. */
static bool take_over(const struct trial *trial, struct pfpu_ir *ir, struct base_arena *scratch,
                      struct pfpu_schedule *schedule)
{
    struct pfpu_ir copy;
    const size_t count = trial->cut.ir.count;
    if (!pfpu_ir_copy(&copy, &trial->cut.ir, ir->arena) ||
        !pfpu_schedule_init(schedule, &copy, scratch)) {
        return false;
    }
    schedule->stage = base_arena_array(scratch, count, sizeof *schedule->stage);
    if (schedule->stage == NULL) {
        return false;
    }
    memcpy(schedule->stage, trial->schedule.stage, count * sizeof *schedule->stage);
    memcpy(schedule->order, trial->schedule.order, count * sizeof *schedule->order);
    memcpy(schedule->cycle, trial->schedule.cycle, count * sizeof *schedule->cycle);
    schedule->block_length[0] = trial->schedule.block_length[0];
    schedule->stages = trial->places.stages;
    *ir = copy;
    return true;
}

enum pfpu_fit pfpu_sched_pipelined(const struct pfpu_target *target, struct pfpu_ir *ir,
                                   struct base_arena *scratch, struct pfpu_schedule *schedule)
{
    enum pfpu_fit fit = pfpu_schedule_check(target, ir);
    if (fit != PFPU_FITS) {
        return fit;
    }
    fit = pfpu_sched_critical(target, ir, scratch, schedule);
    if ((fit != PFPU_FITS && fit != PFPU_FIT_LENGTH) || !can_pipeline(target, ir)) {
        return fit;
    }
    struct pipeliner pipeliner = {.target = target, .scratch = scratch, .cost = UINT64_MAX};
    if (!pfpu_cutter_init(&pipeliner.cutter, target, ir, scratch)) {
        return PFPU_FIT_NO_MEMORY;
    }
    if (fit == PFPU_FITS) {
        pipeliner.cost = cost_of(target, schedule->block_length[0], 1);
    }
    for (uint32_t stages = 2; stages <= PFPU_STAGES_MAX; stages++) {
        try_stages(&pipeliner, stages);
    }
    if (pipeliner.best != NULL) {
        fit = take_over(pipeliner.best, ir, scratch, schedule) ? PFPU_FITS : PFPU_FIT_NO_MEMORY;
        free_trial(pipeliner.best);
    }
    return pipeliner.failed ? PFPU_FIT_NO_MEMORY : fit;
}
