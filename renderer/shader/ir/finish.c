/* The passes over a finished list, in rounds. A round analyses the list: regions, loop-invariant
 * code motion, liveness, costs. Then it makes the list anew through the makers, which fold and
 * merge what has become known or equal, until nothing changes any more. */
#include <assert.h>
#include <string.h>

#include "renderer/shader/ir/ir.h"

/* The whole list (number 0), an IF with both parts, or a loop. Inner ones follow outer ones. */
struct region {
    shader_value begin; /* IF or LOOP */
    shader_value other; /* ELSE, or SHADER_NO_VALUE */
    shader_value end;   /* ENDIF or ENDLOOP */
    uint32_t parent;
    uint32_t loop;           /* the innermost loop that it is or lies in; 0: none */
    shader_value last_while; /* the last one; the others by `chain` */
    size_t open_whiles;      /* whose condition is not known */
    double cost;             /* of what stays in it, inner ones included */
    bool dead; /* a loop that changes nothing: none enters, or all leave in the first round */
    bool needed;
    bool part_needed[2];
    bool flat;               /* an IF without markers from now on */
    shader_value hoisted[2]; /* first and last of the values that move in front */
};

struct analysis {
    const struct shader_ir *ir;
    struct region *regions;
    size_t region_count;
    uint32_t *region;    /* of each value: the innermost one; of a marker: its own */
    uint32_t *placed;    /* of each value: the region where it will stand */
    uint32_t *hoisted;   /* of each value: the loop in front of which it moves, or 0 */
    shader_value *chain; /* of a while: the one before it, then of a hoisted value: the next one */
    bool *uniform;
    bool *live;
    bool *invariant; /* carries that keep their start */
};

/* An IF is worth its markers from this cost of what it may save on, in units of ops.def; where the
 * condition is the same for all pixels, it saves all or nothing and is tested at once. */
static const double cost_of_if = 60.0;
static const double cost_of_uniform_if = 20.0;
/* Rounds of a loop, for estimates. */
static const double rounds = 8.0;

static void find_regions(struct analysis *analysis)
{
    const struct shader_ir *ir = analysis->ir;
    struct region *regions = analysis->regions;
    uint32_t now = 0;
    analysis->region_count = 1;
    regions[0] = (struct region){.needed = true};
    for (shader_value v = 0; v < ir->count; v++) {
        float truth;
        const enum shader_op op = ir->list[v].op;
        if (op == SHADER_OP_IF || op == SHADER_OP_LOOP) {
            const bool loop = op == SHADER_OP_LOOP;
            const uint32_t made = (uint32_t)analysis->region_count++;
            regions[made] = (struct region){
                .begin = v,
                .other = SHADER_NO_VALUE,
                .end = SHADER_NO_VALUE,
                .parent = now,
                .loop = loop ? made : regions[now].loop,
                .last_while = SHADER_NO_VALUE,
                .hoisted = {SHADER_NO_VALUE, SHADER_NO_VALUE},
                .dead =
                    loop && shader_ir_known(ir, ir->list[v].argument[0], &truth) && truth == 0.0f,
            };
            now = made;
        }
        struct region *region = &regions[now];
        analysis->region[v] = now;
        if (op == SHADER_OP_ELSE) {
            region->other = v;
        } else if (op == SHADER_OP_WHILE) {
            analysis->chain[v] = region->last_while;
            region->last_while = v;
            if (!shader_ir_known(ir, ir->list[v].argument[0], &truth)) {
                region->open_whiles++;
            } else if (truth == 0.0f) {
                region->dead = true;
            }
        } else if (op == SHADER_OP_ENDIF || op == SHADER_OP_ENDLOOP) {
            region->end = v;
            now = region->parent;
        }
    }
    assert(now == 0);
}

/* Whether the value is the same for all pixels, given which of those before it are. */
static bool is_uniform(const struct shader_instruction *instruction, const bool *uniform)
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

/* Whether an operand will stand in the loop. */
static bool depends_on(const struct analysis *analysis, shader_value v, uint32_t loop)
{
    const struct shader_instruction *instruction = &analysis->ir->list[v];
    const struct region *outer = &analysis->regions[loop];
    for (size_t k = 0; k < shader_op_arity(instruction->op); k++) {
        const uint32_t region = analysis->placed[instruction->argument[k]];
        const shader_value begin = analysis->regions[region].begin;
        if (region != 0 && begin >= outer->begin && begin <= outer->end) {
            return true;
        }
    }
    return false;
}

/* What is the same for all pixels, and the inputs, will stand in front of everything, other values
 * in front of the outermost loop that they do not depend on. */
static void place_values(struct analysis *analysis)
{
    const struct shader_ir *ir = analysis->ir;
    const struct region *regions = analysis->regions;
    for (shader_value v = 0; v < ir->count; v++) {
        const struct shader_instruction *instruction = &ir->list[v];
        const uint32_t region = analysis->region[v];
        analysis->placed[v] = region;
        analysis->uniform[v] = is_uniform(instruction, analysis->uniform);
        if (analysis->uniform[v] || instruction->op == SHADER_OP_INPUT) {
            analysis->placed[v] = 0;
        } else if (shader_op_carries(instruction->op)) {
            const shader_value start = instruction->argument[0];
            const shader_value next = instruction->argument[1];
            analysis->invariant[v] = regions[region].dead || next == v || next == start;
            if (analysis->invariant[v]) {
                analysis->placed[v] = analysis->placed[start];
            }
        } else if (!shader_op_marks(instruction->op)) {
            uint32_t loop = regions[region].loop;
            while (loop != 0 && !depends_on(analysis, v, loop)) {
                analysis->hoisted[v] = loop;
                analysis->placed[v] = regions[loop].parent;
                loop = regions[regions[loop].parent].loop;
            }
        }
    }
}

struct marking {
    struct analysis *analysis;
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

static bool find_live(struct analysis *analysis, struct base_arena *arena)
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
        const shader_value v = marking.stack[--marking.height];
        const struct shader_instruction *instruction = &ir->list[v];
        if (analysis->invariant[v]) {
            mark(&marking, instruction->argument[0]);
            continue;
        }
        /* What decides whether and how often a region runs lives with what stands in it. */
        struct region *region = &analysis->regions[analysis->placed[v]];
        while (!region->needed) {
            region->needed = true;
            mark(&marking, ir->list[region->begin].argument[0]);
            shader_value last = region->last_while;
            for (; last != SHADER_NO_VALUE; last = analysis->chain[last]) {
                mark(&marking, ir->list[last].argument[0]);
            }
            region = &analysis->regions[region->parent];
        }
        for (size_t k = 0; k < shader_op_arity(instruction->op); k++) {
            mark(&marking, instruction->argument[k]);
        }
    }
    return true;
}

static void add_cost(struct analysis *analysis, uint32_t number, shader_value v, double cost)
{
    struct region *region = &analysis->regions[number];
    region->cost += cost;
    region->part_needed[region->other != SHADER_NO_VALUE && v > region->other] = true;
}

static void find_costs(struct analysis *analysis, bool flatten)
{
    const struct shader_ir *ir = analysis->ir;
    for (shader_value v = 0; v < ir->count; v++) {
        if (analysis->live[v] && !analysis->uniform[v] && !analysis->invariant[v]) {
            add_cost(analysis, analysis->placed[v], v, shader_ops[ir->list[v].op].cost);
        }
    }
    for (size_t k = analysis->region_count; k-- > 1;) {
        struct region *region = &analysis->regions[k];
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

/* Analyses a list that keeps the rules of ir.h, in the arena's memory; false without. */
static bool analyse(struct analysis *analysis, const struct shader_ir *ir, struct base_arena *arena,
                    bool flatten)
{
    const size_t count = ir->count;
    size_t regions = 1;
    for (size_t v = 0; v < count; v++) {
        regions += ir->list[v].op == SHADER_OP_IF || ir->list[v].op == SHADER_OP_LOOP;
    }
    *analysis = (struct analysis){
        .ir = ir,
        .regions = base_arena_array(arena, regions, sizeof *analysis->regions),
        .region = base_arena_array(arena, count, sizeof *analysis->region),
        .placed = base_arena_array(arena, count, sizeof *analysis->placed),
        .hoisted = base_arena_array(arena, count, sizeof *analysis->hoisted),
        .chain = base_arena_array(arena, count, sizeof *analysis->chain),
        .uniform = base_arena_array(arena, count, sizeof *analysis->uniform),
        .live = base_arena_array(arena, count, sizeof *analysis->live),
        .invariant = base_arena_array(arena, count, sizeof *analysis->invariant),
    };
    if (analysis->regions == NULL || analysis->region == NULL || analysis->placed == NULL ||
        analysis->hoisted == NULL || analysis->chain == NULL || analysis->uniform == NULL ||
        analysis->live == NULL || analysis->invariant == NULL) {
        return false;
    }
    find_regions(analysis);
    place_values(analysis);
    if (!find_live(analysis, arena)) {
        return false;
    }
    /* Chains what moves, in the order of the list. What `chain` says of whiles is not needed any
     * more. */
    for (shader_value v = 0; v < count; v++) {
        if (analysis->hoisted[v] == 0 || !analysis->live[v]) {
            continue;
        }
        struct region *loop = &analysis->regions[analysis->hoisted[v]];
        analysis->chain[v] = SHADER_NO_VALUE;
        if (loop->hoisted[0] == SHADER_NO_VALUE) {
            loop->hoisted[0] = v;
        } else {
            analysis->chain[loop->hoisted[1]] = v;
        }
        loop->hoisted[1] = v;
    }
    find_costs(analysis, flatten);
    return true;
}

/* Makes a list anew. */
struct rewriter {
    const struct analysis *analysis;
    const struct shader_ir *from;
    struct shader_ir *to;
    shader_value *map; /* of each old value: the new one */
};

static shader_value mapped(const struct rewriter *rewriter, shader_value old)
{
    shader_value origin = old;
    while (rewriter->analysis->invariant[origin] && rewriter->map[origin] == SHADER_NO_VALUE) {
        origin = rewriter->from->list[origin].argument[0];
    }
    const shader_value value = rewriter->map[origin];
    assert(rewriter->to->failed || value != SHADER_NO_VALUE);
    rewriter->map[old] = value;
    return value;
}

static shader_value make(struct rewriter *rewriter, shader_value v)
{
    const struct shader_instruction *instruction = &rewriter->from->list[v];
    struct shader_ir *to = rewriter->to;
    const enum shader_op op = instruction->op;
    shader_value arguments[SHADER_ARGUMENTS];
    const size_t arity = shader_op_arity(op);
    for (size_t k = 0; k < arity; k++) {
        arguments[k] = mapped(rewriter, instruction->argument[k]);
    }
    if (op == SHADER_OP_CONST) {
        return shader_ir_number(to, instruction->number);
    }
    if (op == SHADER_OP_TRUTH) {
        return shader_ir_truth(to, instruction->number != 0.0f);
    }
    if (op == SHADER_OP_PART) {
        return shader_ir_part(to, arguments[0], instruction->index);
    }
    if (shader_op_reads(op)) {
        return shader_ir_read(to, op, instruction->index, arguments);
    }
    if (arity == 0) {
        return shader_ir_indexed(to, op, instruction->index);
    }
    if (arity == 3) {
        return shader_ir_select(to, arguments[0], arguments[1], arguments[2]);
    }
    return arity == 1 ? shader_ir_unary(to, op, arguments[0])
                      : shader_ir_binary(to, op, arguments[0], arguments[1]);
}

static void rewrite_loop(struct rewriter *rewriter, const struct region *region)
{
    const struct analysis *analysis = rewriter->analysis;
    const struct shader_instruction *list = rewriter->from->list;
    for (shader_value v = region->hoisted[0]; v != SHADER_NO_VALUE; v = analysis->chain[v]) {
        rewriter->map[v] = make(rewriter, v);
    }
    if (!region->needed) {
        return;
    }
    shader_ir_loop(rewriter->to, mapped(rewriter, list[region->begin].argument[0]));
    for (shader_value v = region->begin + 1; shader_op_carries(list[v].op); v++) {
        if (analysis->live[v] && !analysis->invariant[v]) {
            rewriter->map[v] = shader_ir_carry(rewriter->to, mapped(rewriter, list[v].argument[0]));
        }
    }
}

static void rewrite_marker(struct rewriter *rewriter, shader_value v)
{
    const struct analysis *analysis = rewriter->analysis;
    const struct shader_instruction *list = rewriter->from->list;
    const struct region *region = &analysis->regions[analysis->region[v]];
    shader_value condition = list[v].argument[0];
    if (list[v].op == SHADER_OP_LOOP) {
        rewrite_loop(rewriter, region);
    }
    if (!region->needed || region->flat) {
        return;
    }
    switch (list[v].op) {
    case SHADER_OP_IF:
        /* Where only the second part holds something, it becomes the first. */
        condition = mapped(rewriter, condition);
        shader_ir_if(rewriter->to, region->part_needed[0]
                                       ? condition
                                       : shader_ir_unary(rewriter->to, SHADER_OP_NOT, condition));
        break;
    case SHADER_OP_ELSE:
        if (region->part_needed[0] && region->part_needed[1]) {
            shader_ir_else(rewriter->to);
        }
        break;
    case SHADER_OP_ENDIF:
        shader_ir_endif(rewriter->to);
        break;
    case SHADER_OP_WHILE:
        /* A WHILE that all pass is left out beside another one. */
        if (region->open_whiles == 0 || !shader_ir_known(rewriter->from, condition, NULL)) {
            shader_ir_while(rewriter->to, mapped(rewriter, condition));
        }
        break;
    case SHADER_OP_ENDLOOP:
        for (shader_value carry = region->begin + 1; shader_op_carries(list[carry].op); carry++) {
            if (analysis->live[carry] && !analysis->invariant[carry]) {
                shader_ir_carry_next(rewriter->to, mapped(rewriter, carry),
                                     mapped(rewriter, list[carry].argument[1]));
            }
        }
        shader_ir_endloop(rewriter->to);
        break;
    default:
        break;
    }
}

/* What is the same for all pixels and the inputs come first, where all can see them. */
static bool comes_first(const struct rewriter *rewriter, shader_value v)
{
    return rewriter->analysis->uniform[v] || rewriter->from->list[v].op == SHADER_OP_INPUT;
}

/* Each round makes the list anew; most settle in the third. The last ones flatten no more, so that
 * conditions without a use are gone at the end. */
enum { ROUNDS = 8, FLATTENING_ROUNDS = 6 };

/* Makes `to` out of `from`. Whether another round may find more. */
static bool run_round(const struct shader_ir *from, struct shader_ir *to, struct base_arena *arena,
                      bool flatten)
{
    shader_ir_init(to, arena);
    memcpy(to->bindings, from->bindings, sizeof to->bindings);
    memcpy(to->fetches, from->fetches, sizeof to->fetches);
    to->binding_count = from->binding_count;
    to->fetch_count = from->fetch_count;
    struct analysis analysis;
    shader_value *map = base_arena_array(arena, from->count, sizeof *map);
    if (map == NULL || !analyse(&analysis, from, arena, flatten)) {
        to->failed = true;
        return false;
    }
    struct rewriter rewriter = {.analysis = &analysis, .from = from, .to = to, .map = map};
    for (shader_value v = 0; v < from->count; v++) {
        map[v] = SHADER_NO_VALUE;
    }
    for (shader_value v = 0; v < from->count; v++) {
        if (analysis.live[v] && comes_first(&rewriter, v)) {
            map[v] = make(&rewriter, v);
        }
    }
    for (shader_value v = 0; v < from->count && !to->failed; v++) {
        const enum shader_op op = from->list[v].op;
        if (shader_op_marks(op)) {
            rewrite_marker(&rewriter, v);
        } else if (analysis.live[v] && !comes_first(&rewriter, v) && analysis.hoisted[v] == 0 &&
                   !shader_op_carries(op)) {
            map[v] = make(&rewriter, v);
        }
    }
    for (size_t k = 0; k < sizeof to->ret / sizeof to->ret[0]; k++) {
        to->ret[k] = mapped(&rewriter, from->ret[k]);
    }
    bool changed = to->count != from->count;
    for (size_t k = 1; k < analysis.region_count; k++) {
        const struct region *region = &analysis.regions[k];
        changed =
            changed || !region->needed || region->flat || region->hoisted[0] != SHADER_NO_VALUE;
    }
    return changed && !to->failed;
}

static bool is_size(const struct shader_instruction *instruction)
{
    return instruction->op == SHADER_OP_UNIFORM && instruction->index >= SHADER_SLOTS;
}

/* Fetches and bindings without a use are gone; the others keep their order. */
static void drop_unused(struct shader_ir *ir)
{
    bool fetch_used[SHADER_FETCHES_MAX] = {false};
    bool binding_used[SHADER_TEXTURES_MAX] = {false};
    uint8_t fetch_renamed[SHADER_FETCHES_MAX] = {0};
    uint8_t binding_renamed[SHADER_TEXTURES_MAX] = {0};
    for (size_t v = 0; v < ir->count; v++) {
        const struct shader_instruction *instruction = &ir->list[v];
        if (shader_op_reads(instruction->op)) {
            fetch_used[instruction->index] = true;
            binding_used[ir->fetches[instruction->index].binding] = true;
        } else if (is_size(instruction)) {
            binding_used[(instruction->index - SHADER_SLOTS) / 4] = true;
        }
    }
    size_t kept = 0;
    for (size_t k = 0; k < ir->binding_count; k++) {
        if (binding_used[k]) {
            ir->bindings[kept] = ir->bindings[k];
            binding_renamed[k] = (uint8_t)kept++;
        }
    }
    ir->binding_count = kept;
    kept = 0;
    for (size_t k = 0; k < ir->fetch_count; k++) {
        if (fetch_used[k]) {
            ir->fetches[kept] = ir->fetches[k];
            ir->fetches[kept].binding = binding_renamed[ir->fetches[k].binding];
            fetch_renamed[k] = (uint8_t)kept++;
        }
    }
    ir->fetch_count = kept;
    for (size_t v = 0; v < ir->count; v++) {
        struct shader_instruction *instruction = &ir->list[v];
        if (shader_op_reads(instruction->op)) {
            instruction->index = fetch_renamed[instruction->index];
        } else if (is_size(instruction)) {
            const unsigned place = instruction->index - (unsigned)SHADER_SLOTS;
            instruction->index =
                (uint16_t)(SHADER_SLOTS + 4u * binding_renamed[place / 4] + place % 4);
        }
    }
}

/* The two values that every list begins with may have no use. `renamed` is of all values. */
static void drop_beginning(struct shader_ir *ir, shader_value *renamed)
{
    bool used[2] = {ir->ret[0] == 0 || ir->ret[1] == 0 || ir->ret[2] == 0, false};
    for (size_t v = 0; v < ir->count; v++) {
        for (size_t k = 0; k < SHADER_ARGUMENTS; k++) {
            if (ir->list[v].argument[k] < 2) {
                used[ir->list[v].argument[k]] = true;
            }
        }
    }
    shader_value kept = 0;
    for (size_t v = 0; v < ir->count; v++) {
        renamed[v] = kept;
        if (v >= 2 || used[v]) {
            ir->list[kept++] = ir->list[v];
        }
    }
    ir->count = kept;
    for (size_t v = 0; v < ir->count; v++) {
        for (size_t k = 0; k < SHADER_ARGUMENTS; k++) {
            shader_value *argument = &ir->list[v].argument[k];
            *argument = *argument == SHADER_NO_VALUE ? SHADER_NO_VALUE : renamed[*argument];
        }
    }
    for (size_t k = 0; k < sizeof ir->ret / sizeof ir->ret[0]; k++) {
        ir->ret[k] = renamed[ir->ret[k]];
    }
}

void shader_ir_finish(struct shader_ir *ir)
{
    if (ir->failed) {
        return;
    }
    struct base_arena arena;
    base_arena_init(&arena, 0);
    struct shader_ir lists[2];
    const struct shader_ir *now = ir;
    bool more = true;
    for (int k = 0; k < ROUNDS && more; k++) {
        more = run_round(now, &lists[k % 2], &arena, k < FLATTENING_ROUNDS);
        now = &lists[k % 2];
    }
    bool *uniform = base_arena_array(&arena, now->count, sizeof *uniform);
    shader_value *renamed = base_arena_array(&arena, now->count, sizeof *renamed);
    struct shader_instruction *list = ir->list;
    if (now->count > ir->capacity) {
        list = base_arena_array(ir->arena, now->count, sizeof *list);
        ir->capacity = list != NULL ? now->count : ir->capacity;
    }
    ir->failed = now->failed || uniform == NULL || renamed == NULL || list == NULL;
    if (!ir->failed) {
        memcpy(list, now->list, now->count * sizeof *list);
        ir->list = list;
        ir->count = now->count;
        memcpy(ir->ret, now->ret, sizeof ir->ret);
        ir->table = NULL; /* the makers are done */
        drop_unused(ir);
        drop_beginning(ir, renamed);
        for (size_t v = 0; v < ir->count; v++) {
            uniform[v] = is_uniform(&ir->list[v], uniform);
            ir->list[v].uniform = uniform[v];
        }
    }
    base_arena_free(&arena);
}
