/* The reference executor: a quad at a time through the list itself (ir.h). */
#include <assert.h>
#include <stdalign.h>
#include <string.h>

#include "renderer/shader/run/kernels.h"

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

static const float *lanes(const struct machine *machine, shader_value value)
{
    return machine->cells[value].lane;
}

/* Reads through the plain kernel, from a tile over the whole of which the quad repeats. */
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
        const float *quad = lanes(machine, instruction->argument[k]);
        for (size_t lane = 0; lane < SHADER_TILE; lane++) {
            given[k][lane] = quad[lane % 2 + 2 * (lane / SHADER_TILE_COLUMNS)];
        }
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
            parts->component[c][k] = found[c][k % 2 + k / 2 * SHADER_TILE_COLUMNS];
        }
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
    const enum shader_op op = instruction->op;
    const unsigned index = instruction->index;
    struct cell *cell = &machine->cells[v];
    if (op == SHADER_OP_CONST || op == SHADER_OP_TRUTH) {
        set_all(cell, instruction->number);
    } else if (op == SHADER_OP_UNIFORM && index < SHADER_SLOTS) {
        set_all(cell, reference->uniforms[index]);
    } else if (op == SHADER_OP_UNIFORM) {
        /* As in the executor: a texture that is not there has no size. */
        const unsigned part = (index - (unsigned)SHADER_SLOTS) % 4;
        const struct shader_texture *texture = reference->textures[(index - SHADER_SLOTS) / 4];
        float size = 0.0f;
        if (texture != NULL) {
            size = (float)(part % 2 == 0 ? texture->level[0].width : texture->level[0].height);
            size = part < 2 ? size : 1.0f / size;
        }
        set_all(cell, size);
    } else if (op == SHADER_OP_INPUT) {
        memcpy(cell->lane, reference->input[index], sizeof cell->lane);
    } else if (op == SHADER_OP_PART) {
        const uint32_t parts = machine->cells[instruction->argument[0]].parts;
        memcpy(cell->lane, machine->reads[parts].component[index], sizeof cell->lane);
    } else if (shader_op_reads(op)) {
        read_quad(machine, instruction, &machine->reads[cell->parts]);
    } else {
        const size_t arity = shader_op_arity(op);
        for (size_t k = 0; k < QUAD; k++) {
            float arguments[SHADER_ARGUMENTS] = {0.0f, 0.0f, 0.0f, 0.0f};
            for (size_t n = 0; n < arity; n++) {
                arguments[n] = lanes(machine, instruction->argument[n])[k];
            }
            cell->lane[k] = shader_op_compute(op, arguments);
        }
    }
}

static bool is_carry(const struct machine *machine, shader_value v)
{
    return shader_op_carries(machine->ir->list[v].op);
}

/* All carries change at once: the new values are gathered first. Gives the place to go on at. */
static shader_value run_endloop(struct machine *machine)
{
    const struct shader_instruction *list = machine->ir->list;
    const struct loop *loop = &machine->loops[machine->depth - 1];
    const shader_value first = loop->begin + 1;
    shader_value body = first;
    for (; is_carry(machine, body); body++) {
        memcpy(machine->cells[body].next, lanes(machine, list[body].argument[1]),
               sizeof machine->cells[body].next);
    }
    for (shader_value v = first; v < body; v++) {
        struct cell *cell = &machine->cells[v];
        for (size_t k = 0; k < QUAD; k++) {
            cell->lane[k] = loop->mask[k] != 0.0f ? cell->next[k] : cell->lane[k];
        }
    }
    machine->spent += machine->jumps[loop->begin].end - loop->begin;
    if (machine->spent < SHADER_BUDGET) {
        return body;
    }
    machine->ended = true;
    machine->depth--;
    return machine->jumps[loop->begin].end + 1;
}

/* Gives the place to go on at. */
static shader_value run_one(struct machine *machine, shader_value v)
{
    const struct shader_instruction *list = machine->ir->list;
    const float *condition;
    struct loop *loop;
    shader_value next;
    switch (list[v].op) {
    case SHADER_OP_IF:
        return any(lanes(machine, list[v].argument[0])) ? v + 1 : machine->jumps[v].end + 1;
    case SHADER_OP_ELSE:
        /* Reached from the first part or past it: the second is left out where all had the first.
         */
        condition = lanes(machine, list[machine->jumps[v].begin].argument[0]);
        for (size_t k = 0; k < QUAD; k++) {
            if (condition[k] == 0.0f) {
                return v + 1;
            }
        }
        return machine->jumps[v].end + 1;
    case SHADER_OP_ENDIF:
        return v + 1;
    case SHADER_OP_LOOP:
        /* A loop that no pixel enters leaves its carries at their start. */
        loop = &machine->loops[machine->depth];
        loop->begin = v;
        memcpy(loop->mask, lanes(machine, list[v].argument[0]), sizeof loop->mask);
        for (next = v + 1; is_carry(machine, next); next++) {
            memcpy(machine->cells[next].lane, lanes(machine, list[next].argument[0]),
                   sizeof machine->cells[next].lane);
        }
        if (!any(loop->mask)) {
            return machine->jumps[v].end + 1;
        }
        machine->depth++;
        return next;
    case SHADER_OP_WHILE:
        loop = &machine->loops[machine->depth - 1];
        condition = lanes(machine, list[v].argument[0]);
        for (size_t k = 0; k < QUAD; k++) {
            loop->mask[k] = loop->mask[k] != 0.0f && condition[k] != 0.0f ? 1.0f : 0.0f;
        }
        if (any(loop->mask)) {
            return v + 1;
        }
        machine->depth--;
        return machine->jumps[loop->begin].end + 1;
    case SHADER_OP_ENDLOOP:
        return run_endloop(machine);
    default:
        run_value(machine, v);
        return v + 1;
    }
}

/* Finds where markers lead, and where reads have their parts. False without memory. */
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
    size_t depth = 0; /* of the open markers */
    for (shader_value v = 0; v < count; v++) {
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
