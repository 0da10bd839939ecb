#include <assert.h>
#include <stdalign.h>
#include <string.h>

#include "renderer/shader/code/code.h"
#include "renderer/shader/ir/ir.h"

enum { QUAD = 4 };

/* The four pixels' numbers of a value; truths are 0 and 1. */
struct cell {
    float lane[QUAD];
    float next[QUAD]; /* of a carry at the end of a round */
    uint32_t parts;   /* of a read: its place in `reads` */
};
struct parts {
    float component[4][QUAD];
};

/* Of a marker. */
struct jump {
    shader_value begin; /* of ELSE: its IF; of ENDLOOP: its LOOP */
    shader_value end;   /* of IF and ELSE: where their part ends; of LOOP: its ENDLOOP */
};

struct loop {
    shader_value begin;
    float mask[QUAD];
};

struct machine {
    const struct shader_ir *ir;
    const struct shader_reference *reference;
    struct cell *cells;
    struct parts *reads;
    size_t read_count;
    struct loop *loops; /* the open ones, innermost last */
    size_t depth;
    struct jump *jumps; /* of each value */
    size_t spent;
    bool ended; /* the budget is used up */
};

static bool any(const float *truth)
{
    return truth[0] != 0.0f || truth[1] != 0.0f || truth[2] != 0.0f || truth[3] != 0.0f;
}

static bool all(const float *truth)
{
    return truth[0] != 0.0f && truth[1] != 0.0f && truth[2] != 0.0f && truth[3] != 0.0f;
}

static const float *lanes(const struct machine *machine, shader_value value)
{
    return machine->cells[value].lane;
}

/* Reads: a tile whose first quad, lanes 0, 1 and those below, repeats over the whole of it. */

static size_t lane_of(size_t k)
{
    return k % 2 + k / 2 * SHADER_TILE_COLUMNS;
}

static void spread(float *tile, const float *quad)
{
    for (size_t k = 0; k < SHADER_TILE; k++) {
        tile[k] = quad[k % 2 + 2 * (k / SHADER_TILE_COLUMNS)];
    }
}

static void read_quad(struct machine *machine, const struct shader_instruction *instruction,
                      struct parts *parts)
{
    alignas(32) float given[SHADER_ARGUMENTS][SHADER_TILE];
    alignas(32) float found[4][SHADER_TILE];
    const struct shader_fetch *fetch = &machine->ir->fetches[instruction->index];
    const enum shader_op op = instruction->op;
    struct shader_read read = {.texture = machine->reference->textures[fetch->binding],
                               .sampler = fetch->sampler,
                               .volume = op >= SHADER_OP_READ3,
                               .count = SHADER_TILE};
    const size_t arity = shader_op_arity(op);
    struct shader_lanes argument[SHADER_ARGUMENTS] = {{NULL, 0}};
    for (size_t k = 0; k < arity; k++) {
        spread(given[k], lanes(machine, instruction->argument[k]));
        argument[k] = (struct shader_lanes){given[k], SHADER_LANES};
    }
    read.u = argument[0];
    read.v = argument[1];
    read.w = read.volume ? argument[2] : (struct shader_lanes){NULL, 0};
    if (op == SHADER_OP_READ2_BIAS || op == SHADER_OP_READ3_BIAS) {
        read.bias = argument[arity - 1];
    } else if (op == SHADER_OP_READ2_LOD || op == SHADER_OP_READ3_LOD) {
        read.detail = argument[arity - 1];
    }
    for (size_t c = 0; c < 4; c++) {
        read.result[c] = found[c];
    }
    shader_read_plain.read(&read);
    for (size_t c = 0; c < 4; c++) {
        for (size_t k = 0; k < QUAD; k++) {
            parts->component[c][k] = found[c][lane_of(k)];
        }
    }
}

/* As in the executor: a texture that is not there has no size. */
static float size_of(const struct machine *machine, unsigned place)
{
    const struct shader_texture *texture = machine->reference->textures[place / 4];
    if (texture == NULL) {
        return 0.0f;
    }
    const struct shader_level *level = &texture->level[0];
    const float size = (float)(place % 2 == 0 ? level->width : level->height);
    return place % 4 < 2 ? size : 1.0f / size;
}

static void compute(struct machine *machine, shader_value v)
{
    const struct shader_instruction *instruction = &machine->ir->list[v];
    const enum shader_op op = instruction->op;
    const size_t arity = shader_op_arity(op);
    for (size_t k = 0; k < QUAD; k++) {
        float arguments[SHADER_ARGUMENTS] = {0.0f, 0.0f, 0.0f, 0.0f};
        for (size_t n = 0; n < arity; n++) {
            arguments[n] = lanes(machine, instruction->argument[n])[k];
        }
        machine->cells[v].lane[k] = shader_op_compute(op, arguments);
    }
}

static void set_all(struct cell *cell, float number)
{
    for (size_t k = 0; k < QUAD; k++) {
        cell->lane[k] = number;
    }
}

static void run_value(struct machine *machine, shader_value v)
{
    const struct shader_instruction *instruction = &machine->ir->list[v];
    const struct shader_reference *reference = machine->reference;
    const unsigned index = instruction->index;
    struct cell *cell = &machine->cells[v];
    if (instruction->op == SHADER_OP_CONST || instruction->op == SHADER_OP_TRUTH) {
        set_all(cell, instruction->number);
    } else if (instruction->op == SHADER_OP_UNIFORM) {
        set_all(cell, index < SHADER_SLOTS ? reference->uniforms[index]
                                           : size_of(machine, index - (unsigned)SHADER_SLOTS));
    } else if (instruction->op == SHADER_OP_INPUT) {
        memcpy(cell->lane, reference->input[index], sizeof cell->lane);
    } else if (instruction->op == SHADER_OP_PART) {
        const uint32_t parts = machine->cells[instruction->argument[0]].parts;
        memcpy(cell->lane, machine->reads[parts].component[index], sizeof cell->lane);
    } else if (shader_op_reads(instruction->op)) {
        read_quad(machine, instruction, &machine->reads[cell->parts]);
    } else {
        compute(machine, v);
    }
}

/* Control: each gives the place to go on at. */

static bool is_carry(const struct machine *machine, shader_value v)
{
    return shader_op_carries(machine->ir->list[v].op);
}

/* A loop that no pixel enters leaves its carries at their start too. */
static shader_value run_loop(struct machine *machine, shader_value v)
{
    const struct shader_instruction *list = machine->ir->list;
    struct loop *loop = &machine->loops[machine->depth];
    loop->begin = v;
    memcpy(loop->mask, lanes(machine, list[v].argument[0]), sizeof loop->mask);
    shader_value next = v + 1;
    for (; is_carry(machine, next); next++) {
        memcpy(machine->cells[next].lane, lanes(machine, list[next].argument[0]),
               sizeof machine->cells[next].lane);
    }
    if (!any(loop->mask)) {
        return machine->jumps[v].end + 1;
    }
    machine->depth++;
    return next;
}

static shader_value run_while(struct machine *machine, shader_value v)
{
    struct loop *loop = &machine->loops[machine->depth - 1];
    const float *condition = lanes(machine, machine->ir->list[v].argument[0]);
    for (size_t k = 0; k < QUAD; k++) {
        loop->mask[k] = loop->mask[k] != 0.0f && condition[k] != 0.0f ? 1.0f : 0.0f;
    }
    if (any(loop->mask)) {
        return v + 1;
    }
    machine->depth--;
    return machine->jumps[loop->begin].end + 1;
}

/* All carries change at once: the new values are gathered first. */
static void change_carries(struct machine *machine, const struct loop *loop)
{
    const struct shader_instruction *list = machine->ir->list;
    const shader_value first = loop->begin + 1;
    for (shader_value v = first; is_carry(machine, v); v++) {
        memcpy(machine->cells[v].next, lanes(machine, list[v].argument[1]),
               sizeof machine->cells[v].next);
    }
    for (shader_value v = first; is_carry(machine, v); v++) {
        struct cell *cell = &machine->cells[v];
        for (size_t k = 0; k < QUAD; k++) {
            cell->lane[k] = loop->mask[k] != 0.0f ? cell->next[k] : cell->lane[k];
        }
    }
}

static shader_value run_endloop(struct machine *machine)
{
    const struct loop *loop = &machine->loops[machine->depth - 1];
    change_carries(machine, loop);
    machine->spent += machine->jumps[loop->begin].end - loop->begin;
    if (machine->spent < SHADER_BUDGET) {
        shader_value next = loop->begin + 1;
        while (is_carry(machine, next)) {
            next++;
        }
        return next;
    }
    machine->ended = true;
    machine->depth--;
    return machine->jumps[loop->begin].end + 1;
}

static shader_value run_one(struct machine *machine, shader_value v)
{
    const struct shader_instruction *instruction = &machine->ir->list[v];
    switch (instruction->op) {
    case SHADER_OP_IF:
        return any(lanes(machine, instruction->argument[0])) ? v + 1 : machine->jumps[v].end + 1;
    case SHADER_OP_ELSE: {
        /* Reached from the first part or past it: the second is left out where all had the first.
         */
        const shader_value condition = machine->ir->list[machine->jumps[v].begin].argument[0];
        return all(lanes(machine, condition)) ? machine->jumps[v].end + 1 : v + 1;
    }
    case SHADER_OP_ENDIF:
        return v + 1;
    case SHADER_OP_LOOP:
        return run_loop(machine, v);
    case SHADER_OP_WHILE:
        return run_while(machine, v);
    case SHADER_OP_ENDLOOP:
        return run_endloop(machine);
    default:
        run_value(machine, v);
        return v + 1;
    }
}

/* Where markers lead, and where reads have their parts. `open` holds the open markers. */
static void find_jumps(struct machine *machine, shader_value *open)
{
    size_t depth = 0;
    for (shader_value v = 0; v < machine->ir->count; v++) {
        const enum shader_op op = machine->ir->list[v].op;
        if (op == SHADER_OP_IF || op == SHADER_OP_LOOP) {
            machine->jumps[v].begin = v;
            open[depth++] = v;
        } else if (op == SHADER_OP_ELSE || op == SHADER_OP_ENDIF || op == SHADER_OP_ENDLOOP) {
            const shader_value begin = open[--depth];
            machine->jumps[begin].end = v;
            machine->jumps[v].begin = begin;
            if (op == SHADER_OP_ELSE) {
                open[depth++] = v;
            }
        } else if (shader_op_reads(op)) {
            machine->cells[v].parts = (uint32_t)machine->read_count++;
        }
    }
}

static bool prepare(struct machine *machine, struct base_arena *arena)
{
    const size_t count = machine->ir->count;
    size_t reads = 0;
    for (size_t v = 0; v < count; v++) {
        reads += shader_op_reads(machine->ir->list[v].op);
    }
    shader_value *open = base_arena_array(arena, count, sizeof *open);
    machine->cells = base_arena_array(arena, count, sizeof *machine->cells);
    machine->reads = base_arena_array(arena, reads, sizeof *machine->reads);
    machine->loops = base_arena_array(arena, count, sizeof *machine->loops);
    machine->jumps = base_arena_array(arena, count, sizeof *machine->jumps);
    if (arena->failed) {
        return false;
    }
    find_jumps(machine, open);
    return true;
}

bool shader_reference_run(const struct shader_ir *ir, struct shader_reference *reference)
{
    struct machine machine = {.ir = ir, .reference = reference};
    struct base_arena arena;
    base_arena_init(&arena, 0);
    const bool ready = !ir->failed && prepare(&machine, &arena);
    for (shader_value v = 0; ready && v < ir->count;) {
        v = run_one(&machine, v);
    }
    for (size_t k = 0; ready && k < sizeof ir->ret / sizeof ir->ret[0]; k++) {
        memcpy(reference->ret[k], lanes(&machine, ir->ret[k]), sizeof reference->ret[k]);
    }
    base_arena_free(&arena);
    return ready && !machine.ended;
}
