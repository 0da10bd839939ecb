#include "renderer/shader/ir_finish.h"

#include <assert.h>
#include <string.h>

/* An IF is worth its markers from this cost of what it may save on, in units of ops.def; where the
 * condition is the same for all pixels, it saves all or nothing and is tested at once. */
static const double cost_of_if = 60.0;
static const double cost_of_uniform_if = 20.0;
/* Rounds of a loop, for estimates. */
static const double rounds = 8.0;

static bool allocate(struct shader_analysis *analysis, struct base_arena *arena)
{
    const size_t count = analysis->ir->count;
    size_t regions = 1;
    for (size_t v = 0; v < count; v++) {
        const enum shader_op op = analysis->ir->list[v].op;
        regions += op == SHADER_OP_IF || op == SHADER_OP_LOOP;
    }
    analysis->regions = base_arena_array(arena, regions, sizeof *analysis->regions);
    analysis->region = base_arena_array(arena, count, sizeof *analysis->region);
    analysis->home = base_arena_array(arena, count, sizeof *analysis->home);
    analysis->before = base_arena_array(arena, count, sizeof *analysis->before);
    analysis->chain = base_arena_array(arena, count, sizeof *analysis->chain);
    analysis->uniform = base_arena_array(arena, count, sizeof *analysis->uniform);
    analysis->live = base_arena_array(arena, count, sizeof *analysis->live);
    analysis->still = base_arena_array(arena, count, sizeof *analysis->still);
    return analysis->regions != NULL && analysis->region != NULL && analysis->home != NULL &&
           analysis->before != NULL && analysis->chain != NULL && analysis->uniform != NULL &&
           analysis->live != NULL && analysis->still != NULL;
}

/* Regions. */

static uint32_t open_region(struct shader_analysis *analysis, shader_value marker, uint32_t parent)
{
    const uint32_t made = (uint32_t)analysis->region_count++;
    const bool loop = analysis->ir->list[marker].op == SHADER_OP_LOOP;
    analysis->regions[made] = (struct shader_region){
        .begin = marker,
        .other = SHADER_NO_VALUE,
        .end = SHADER_NO_VALUE,
        .parent = parent,
        .loop = loop ? made : analysis->regions[parent].loop,
        .whiles = SHADER_NO_VALUE,
        .moved = {SHADER_NO_VALUE, SHADER_NO_VALUE},
    };
    return made;
}

static void note_while(struct shader_analysis *analysis, shader_value v, struct shader_region *loop)
{
    float truth;
    analysis->chain[v] = loop->whiles;
    loop->whiles = v;
    if (!shader_ir_known(analysis->ir, analysis->ir->list[v].argument[0], &truth)) {
        loop->open_whiles++;
    } else if (truth == 0.0f) {
        loop->idle = true;
    }
}

static void find_regions(struct shader_analysis *analysis)
{
    const struct shader_ir *ir = analysis->ir;
    uint32_t now = 0;
    analysis->region_count = 1;
    analysis->regions[0] = (struct shader_region){.needed = true};
    for (shader_value v = 0; v < ir->count; v++) {
        float truth;
        const enum shader_op op = ir->list[v].op;
        if (op == SHADER_OP_IF || op == SHADER_OP_LOOP) {
            now = open_region(analysis, v, now);
            analysis->regions[now].idle = op == SHADER_OP_LOOP &&
                                          shader_ir_known(ir, ir->list[v].argument[0], &truth) &&
                                          truth == 0.0f;
        }
        analysis->region[v] = now;
        if (op == SHADER_OP_ELSE) {
            analysis->regions[now].other = v;
        } else if (op == SHADER_OP_WHILE) {
            note_while(analysis, v, &analysis->regions[now]);
        } else if (op == SHADER_OP_ENDIF || op == SHADER_OP_ENDLOOP) {
            analysis->regions[now].end = v;
            now = analysis->regions[now].parent;
        }
    }
    assert(now == 0);
}

/* Places. */

bool shader_is_uniform(const struct shader_instruction *instruction, const bool *uniform)
{
    const enum shader_op op = instruction->op;
    if (op == SHADER_OP_INPUT || shader_op_carries(op) || shader_op_marks(op)) {
        return false;
    }
    for (size_t k = 0; k < shader_op_arity(op); k++) {
        if (!uniform[instruction->argument[k]]) {
            return false;
        }
    }
    return true;
}

static bool lies_in(const struct shader_analysis *analysis, uint32_t region, uint32_t loop)
{
    const struct shader_region *outer = &analysis->regions[loop];
    const shader_value begin = analysis->regions[region].begin;
    return region != 0 && begin >= outer->begin && begin <= outer->end;
}

static bool depends_on(const struct shader_analysis *analysis, shader_value v, uint32_t loop)
{
    const struct shader_instruction *instruction = &analysis->ir->list[v];
    for (size_t k = 0; k < shader_op_arity(instruction->op); k++) {
        if (lies_in(analysis, analysis->home[instruction->argument[k]], loop)) {
            return true;
        }
    }
    return false;
}

/* In front of the outermost loop that it does not depend on. */
static void place_value(struct shader_analysis *analysis, shader_value v)
{
    const struct shader_region *regions = analysis->regions;
    uint32_t loop = regions[analysis->region[v]].loop;
    analysis->home[v] = analysis->region[v];
    while (loop != 0 && !depends_on(analysis, v, loop)) {
        analysis->before[v] = loop;
        analysis->home[v] = regions[loop].parent;
        loop = regions[regions[loop].parent].loop;
    }
}

static void place_carry(struct shader_analysis *analysis, shader_value v)
{
    const struct shader_instruction *carry = &analysis->ir->list[v];
    const uint32_t loop = analysis->region[v];
    analysis->still[v] = analysis->regions[loop].idle || carry->argument[1] == v ||
                         carry->argument[1] == carry->argument[0];
    analysis->home[v] = analysis->still[v] ? analysis->home[carry->argument[0]] : loop;
}

static void find_places(struct shader_analysis *analysis)
{
    const struct shader_ir *ir = analysis->ir;
    for (shader_value v = 0; v < ir->count; v++) {
        const enum shader_op op = ir->list[v].op;
        analysis->uniform[v] = shader_is_uniform(&ir->list[v], analysis->uniform);
        if (analysis->uniform[v] || op == SHADER_OP_INPUT) {
            analysis->home[v] = 0;
        } else if (shader_op_carries(op)) {
            place_carry(analysis, v);
        } else if (shader_op_marks(op)) {
            analysis->home[v] = analysis->region[v];
        } else {
            place_value(analysis, v);
        }
    }
}

/* Life. */

struct marking {
    struct shader_analysis *analysis;
    shader_value *stack;
    size_t height;
};

static void mark(struct marking *marking, shader_value v)
{
    if (!marking->analysis->live[v]) {
        marking->analysis->live[v] = true;
        marking->stack[marking->height++] = v;
    }
}

/* What decides whether and how often a region runs lives with what stands in it. */
static void need_region(struct marking *marking, uint32_t number)
{
    const struct shader_analysis *analysis = marking->analysis;
    const struct shader_ir *ir = analysis->ir;
    struct shader_region *region = &analysis->regions[number];
    while (!region->needed) {
        region->needed = true;
        mark(marking, ir->list[region->begin].argument[0]);
        for (shader_value v = region->whiles; v != SHADER_NO_VALUE; v = analysis->chain[v]) {
            mark(marking, ir->list[v].argument[0]);
        }
        region = &analysis->regions[region->parent];
    }
}

static void mark_operands(struct marking *marking, shader_value v)
{
    const struct shader_analysis *analysis = marking->analysis;
    const struct shader_instruction *instruction = &analysis->ir->list[v];
    if (analysis->still[v]) {
        mark(marking, instruction->argument[0]);
        return;
    }
    need_region(marking, analysis->home[v]);
    for (size_t k = 0; k < shader_op_arity(instruction->op); k++) {
        mark(marking, instruction->argument[k]);
    }
}

static bool find_life(struct shader_analysis *analysis, struct base_arena *arena)
{
    const struct shader_ir *ir = analysis->ir;
    struct marking marking = {.analysis = analysis,
                              .stack = base_arena_array(arena, ir->count, sizeof(shader_value))};
    if (marking.stack == NULL) {
        return false;
    }
    for (size_t k = 0; k < sizeof ir->ret / sizeof ir->ret[0]; k++) {
        mark(&marking, ir->ret[k]);
    }
    while (marking.height > 0) {
        mark_operands(&marking, marking.stack[--marking.height]);
    }
    return true;
}

/* Moves, in the order of the list; the places of whiles in `chain` are not needed any more. */
static void chain_moves(struct shader_analysis *analysis)
{
    for (shader_value v = 0; v < analysis->ir->count; v++) {
        if (analysis->before[v] == 0 || !analysis->live[v]) {
            continue;
        }
        struct shader_region *loop = &analysis->regions[analysis->before[v]];
        analysis->chain[v] = SHADER_NO_VALUE;
        if (loop->moved[0] == SHADER_NO_VALUE) {
            loop->moved[0] = v;
        } else {
            analysis->chain[loop->moved[1]] = v;
        }
        loop->moved[1] = v;
    }
}

/* Costs. */

static void add_cost(struct shader_analysis *analysis, uint32_t number, shader_value v, double cost)
{
    struct shader_region *region = &analysis->regions[number];
    region->cost += cost;
    region->part_needed[region->other != SHADER_NO_VALUE && v > region->other] = true;
}

static void find_costs(struct shader_analysis *analysis, bool flatten)
{
    const struct shader_ir *ir = analysis->ir;
    for (shader_value v = 0; v < ir->count; v++) {
        if (analysis->live[v] && !analysis->uniform[v] && !analysis->still[v]) {
            add_cost(analysis, analysis->home[v], v, shader_ops[ir->list[v].op].cost);
        }
    }
    for (size_t k = analysis->region_count; k-- > 1;) {
        struct shader_region *region = &analysis->regions[k];
        const struct shader_instruction *marker = &ir->list[region->begin];
        const double enough =
            analysis->uniform[marker->argument[0]] ? cost_of_uniform_if : cost_of_if;
        if (marker->op == SHADER_OP_IF) {
            region->flat = flatten && region->cost < enough;
        }
        if (region->needed) {
            add_cost(analysis, region->parent, region->begin,
                     marker->op == SHADER_OP_LOOP ? region->cost * rounds : region->cost);
        }
    }
}

bool shader_analyse(struct shader_analysis *analysis, const struct shader_ir *ir,
                    struct base_arena *arena, bool flatten)
{
    *analysis = (struct shader_analysis){.ir = ir};
    if (!allocate(analysis, arena)) {
        return false;
    }
    find_regions(analysis);
    find_places(analysis);
    if (!find_life(analysis, arena)) {
        return false;
    }
    chain_moves(analysis);
    find_costs(analysis, flatten);
    return true;
}
