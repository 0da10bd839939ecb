/* The code of the pixel program: jumps of parts and loops, carries. */
#include <assert.h>
#include <string.h>

#include "renderer/shader/code/emit.h"

/* A part or a loop that is open. Jumps are numbers of instructions plus one; 0: none. */
struct region {
    shader_value marker; /* IF or LOOP */
    size_t none;         /* IF: the jump over its part; LOOP: the last of the jumps out of it, whose
                            targets lead to the ones before */
    size_t all;          /* the jump over the part of ELSE */
    size_t start;        /* LOOP: first instruction of a round */
    size_t carries;
    shader_place mask;
};

struct walk {
    struct shader_emission *emission;
    struct shader_code_list *code;
    struct region *stack;
    size_t depth;
};

static shader_place new_register(struct shader_emission *emission)
{
    return emission->registers++;
}

static bool emit_copy(struct walk *walk, shader_place to, shader_place from)
{
    struct shader_code *copy = shader_emit_code(walk->emission, walk->code, SHADER_CODE_COPY);
    if (copy == NULL) {
        return false;
    }
    copy->result[0] = to;
    copy->argument[0] = from;
    return true;
}

/* The jump's number plus one, or 0 without memory. */
static size_t emit_jump(struct walk *walk, enum shader_code_op op, shader_place truth)
{
    struct shader_code *jump = shader_emit_code(walk->emission, walk->code, op);
    if (jump == NULL) {
        return 0;
    }
    jump->argument[0] = truth;
    return walk->code->count;
}

static void set_target(const struct walk *walk, size_t jump, size_t target)
{
    walk->code->list[jump - 1].target = (uint32_t)target;
}

static shader_place place_of(const struct walk *walk, shader_value value)
{
    const shader_place place = walk->emission->place[value];
    assert(place != SHADER_PLACE_NONE);
    return place;
}

/* Whether nothing came behind the jump; then the jump goes too. */
static bool drop_empty(struct walk *walk, size_t *jump)
{
    if (*jump == 0 || *jump != walk->code->count) {
        return false;
    }
    walk->code->count--;
    *jump = 0;
    return true;
}

/* A jump to behind the loop when no pixel is left in it. */
static bool emit_exit(struct walk *walk, struct region *region)
{
    const size_t jump = emit_jump(walk, SHADER_CODE_JUMP_NONE, region->mask);
    if (jump == 0) {
        return false;
    }
    set_target(walk, jump, region->none);
    region->none = jump;
    return true;
}

static bool open_loop(struct walk *walk, shader_value marker)
{
    const struct shader_ir *ir = walk->emission->ir;
    const shader_value entering = ir->list[marker].argument[0];
    struct region *region = &walk->stack[walk->depth++];
    *region = (struct region){.marker = marker, .mask = new_register(walk->emission)};
    if (!emit_copy(walk, region->mask, place_of(walk, entering))) {
        return false;
    }
    for (size_t i = marker + 1; i < ir->count && shader_op_carries(ir->list[i].op); i++) {
        const shader_place carry = new_register(walk->emission);
        if (!emit_copy(walk, carry, place_of(walk, ir->list[i].argument[0]))) {
            return false;
        }
        walk->emission->place[i] = carry;
        region->carries++;
    }
    const bool certain = ir->list[entering].op == SHADER_OP_TRUTH && ir->list[entering].number != 0;
    if (!certain && !emit_exit(walk, region)) {
        return false;
    }
    region->start = walk->code->count;
    return true;
}

/* The carries of a loop all change at once. One may be written when no other is still to be made
 * from what it holds; where they go round in a ring, one is kept aside first. */
struct change {
    shader_value first; /* carry */
    size_t count;
    uint32_t *readers;   /* per carry: others that wait for what it holds */
    shader_place *saved; /* what it held, when it had to be kept aside */
    uint32_t *ready;     /* carries without readers, still to be written */
    size_t ready_count;
};

/* The carry of the same loop whose value the carry takes on; count: none. */
static size_t source_of(const struct walk *walk, const struct change *change, size_t carry)
{
    const shader_value next = walk->emission->ir->list[change->first + carry].argument[1];
    const bool inside = next >= change->first && next < change->first + change->count;
    return inside ? next - change->first : change->count;
}

static bool write_ready(struct walk *walk, struct change *change)
{
    while (change->ready_count > 0) {
        const size_t carry = change->ready[--change->ready_count];
        const shader_value value = change->first + (shader_value)carry;
        const shader_value next = walk->emission->ir->list[value].argument[1];
        const size_t source = source_of(walk, change, carry);
        if (source == carry) {
            continue;
        }
        struct shader_code *code = shader_emit_code(walk->emission, walk->code, SHADER_CODE_SELECT);
        if (code == NULL) {
            return false;
        }
        code->result[0] = place_of(walk, value);
        code->argument[0] = walk->stack[walk->depth - 1].mask;
        code->argument[1] = place_of(walk, next);
        code->argument[2] = place_of(walk, value);
        if (source == change->count) {
            continue;
        }
        if (change->saved[source] != SHADER_PLACE_NONE) {
            code->argument[1] = change->saved[source];
        } else if (--change->readers[source] == 0) {
            change->ready[change->ready_count++] = (uint32_t)source;
        }
    }
    return true;
}

static bool change_carries(struct walk *walk, const struct region *region)
{
    struct base_arena *arena = &walk->emission->arena;
    struct change change = {
        .first = region->marker + 1,
        .count = region->carries,
        .readers = base_arena_array(arena, region->carries, sizeof *change.readers),
        .saved = base_arena_array(arena, region->carries, sizeof *change.saved),
        .ready = base_arena_array(arena, region->carries, sizeof *change.ready),
    };
    if (change.readers == NULL || change.saved == NULL || change.ready == NULL) {
        return false;
    }
    for (size_t i = 0; i < change.count; i++) {
        change.saved[i] = SHADER_PLACE_NONE;
        const size_t source = source_of(walk, &change, i);
        if (source < change.count && source != i) {
            change.readers[source]++;
        }
    }
    for (size_t i = 0; i < change.count; i++) {
        if (change.readers[i] == 0) {
            change.ready[change.ready_count++] = (uint32_t)i;
        }
    }
    if (!write_ready(walk, &change)) {
        return false;
    }
    for (size_t i = 0; i < change.count; i++) {
        if (change.readers[i] == 0) {
            continue;
        }
        change.saved[i] = new_register(walk->emission);
        change.readers[i] = 0;
        change.ready[change.ready_count++] = (uint32_t)i;
        if (!emit_copy(walk, change.saved[i], place_of(walk, change.first + (shader_value)i)) ||
            !write_ready(walk, &change)) {
            return false;
        }
    }
    return true;
}

static bool close_loop(struct walk *walk)
{
    struct region *region = &walk->stack[walk->depth - 1];
    if (!change_carries(walk, region)) {
        return false;
    }
    walk->depth--;
    const size_t end = emit_jump(walk, SHADER_CODE_ROUND_END, region->mask);
    if (end == 0) {
        return false;
    }
    set_target(walk, end, region->start);
    for (size_t exit = region->none; exit != 0;) {
        const size_t before = walk->code->list[exit - 1].target;
        set_target(walk, exit, walk->code->count);
        exit = before;
    }
    return true;
}

static bool emit_value(struct walk *walk, shader_value value)
{
    struct shader_emission *emission = walk->emission;
    const struct shader_ir *ir = emission->ir;
    const struct shader_instruction *instruction = &ir->list[value];
    struct region *region = walk->depth > 0 ? &walk->stack[walk->depth - 1] : NULL;
    struct shader_code *code;
    switch (instruction->op) {
    case SHADER_OP_IF:
        region = &walk->stack[walk->depth++];
        *region = (struct region){.marker = value};
        region->none =
            emit_jump(walk, SHADER_CODE_JUMP_NONE, place_of(walk, instruction->argument[0]));
        return region->none != 0;
    case SHADER_OP_ELSE:
        (void)drop_empty(walk, &region->none);
        region->all = emit_jump(walk, SHADER_CODE_JUMP_ALL,
                                place_of(walk, ir->list[region->marker].argument[0]));
        if (region->none != 0) {
            set_target(walk, region->none, walk->code->count);
        }
        return region->all != 0;
    case SHADER_OP_ENDIF:
        walk->depth--;
        if (region->all != 0 && !drop_empty(walk, &region->all)) {
            set_target(walk, region->all, walk->code->count);
        } else if (region->none != 0 && !drop_empty(walk, &region->none)) {
            set_target(walk, region->none, walk->code->count);
        }
        return true;
    case SHADER_OP_LOOP:
        return open_loop(walk, value);
    case SHADER_OP_WHILE:
        code = shader_emit_code(emission, walk->code, SHADER_CODE_AND);
        if (code == NULL) {
            return false;
        }
        code->result[0] = region->mask;
        code->argument[0] = region->mask;
        code->argument[1] = place_of(walk, instruction->argument[0]);
        return emit_exit(walk, region);
    case SHADER_OP_ENDLOOP:
        return close_loop(walk);
    case SHADER_OP_CARRY:
    case SHADER_OP_CARRY_TRUTH:
        return true;
    case SHADER_OP_INPUT:
        emission->place[value] = (shader_place)emission->program->input[instruction->index];
        return true;
    case SHADER_OP_PART:
        emission->place[value] = emission->parts[instruction->argument[0]][instruction->index];
        return true;
    default:
        return shader_emit_value(emission, walk->code, value, new_register);
    }
}

bool shader_emit_pixel(struct shader_emission *emission)
{
    const struct shader_ir *ir = emission->ir;
    size_t regions = 0;
    for (size_t i = 0; i < ir->count; i++) {
        regions += ir->list[i].op == SHADER_OP_IF || ir->list[i].op == SHADER_OP_LOOP ? 1 : 0;
    }
    struct walk walk = {
        .emission = emission,
        .code = &emission->pixel,
        .stack = base_arena_array(&emission->arena, regions, sizeof *walk.stack),
    };
    if (walk.stack == NULL) {
        return false;
    }
    struct shader_program *program = emission->program;
    for (int i = 0; i < SHADER_INPUTS; i++) {
        program->input[i] = -1;
    }
    for (size_t i = 0; i < ir->count; i++) { /* inputs have the first registers */
        if (ir->list[i].op == SHADER_OP_INPUT && program->input[ir->list[i].index] < 0) {
            program->input[ir->list[i].index] = (int)new_register(emission);
        }
    }
    for (size_t i = 0; i < ir->count; i++) {
        if (!shader_emit_is_scalar(&ir->list[i]) && !emission->fused[i] &&
            !emit_value(&walk, (shader_value)i)) {
            return false;
        }
    }
    for (int i = 0; i < 3; i++) {
        program->ret[i] = place_of(&walk, ir->ret[i]);
        if ((program->ret[i] & SHADER_PLACE_SCALAR) != 0) {
            const shader_place to = new_register(emission);
            if (!emit_copy(&walk, to, program->ret[i])) {
                return false;
            }
            program->ret[i] = to;
        }
    }
    return true;
}
