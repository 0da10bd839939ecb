/* Instruction selection: pairs of operations that one of the executor does, the scalars and code of
 * the frame, the code of each value, and what the whole costs. */
#include "renderer/shader/code/emit.h"

#include <assert.h>
#include <string.h>

bool shader_emit_is_scalar(const struct shader_instruction *instruction)
{
    return (instruction->uniform && shader_ops[instruction->op].result != SHADER_KIND_N) ||
           instruction->op == SHADER_OP_CONST || instruction->op == SHADER_OP_TRUTH ||
           instruction->op == SHADER_OP_UNIFORM;
}

struct shader_code *shader_emit_code(struct shader_emission *emission,
                                     struct shader_code_list *list, enum shader_code_op op)
{
    struct shader_code *grown = base_arena_grow(&emission->arena, list->list, &list->capacity,
                                                list->count + 1, sizeof *grown);
    if (grown == NULL) {
        return NULL;
    }
    list->list = grown;
    struct shader_code *code = &list->list[list->count++];
    *code = (struct shader_code){.op = (uint16_t)op};
    for (int i = 0; i < 4; i++) {
        code->result[i] = SHADER_PLACE_NONE;
        code->argument[i] = SHADER_PLACE_NONE;
    }
    return code;
}

/* Two operations that one of the executor does: the outer one with the inner one at an operand. */
struct pair {
    uint8_t outer;
    uint8_t inner;
    uint8_t side; /* operand of the outer one */
    uint16_t op;
};
static const struct pair pairs[] = {
    {SHADER_OP_ADD, SHADER_OP_MUL, 0, SHADER_CODE_MUL_ADD},
    {SHADER_OP_ADD, SHADER_OP_MUL, 1, SHADER_CODE_MUL_ADD},
    {SHADER_OP_SUB, SHADER_OP_MUL, 0, SHADER_CODE_MUL_SUB},
    {SHADER_OP_SUB, SHADER_OP_MUL, 1, SHADER_CODE_SUB_MUL},
    {SHADER_OP_MUL, SHADER_OP_MUL, 0, SHADER_CODE_MUL_MUL},
    {SHADER_OP_MUL, SHADER_OP_MUL, 1, SHADER_CODE_MUL_MUL},
    {SHADER_OP_MUL, SHADER_OP_SUB, 0, SHADER_CODE_DIF_MUL},
    {SHADER_OP_MUL, SHADER_OP_SUB, 1, SHADER_CODE_DIF_MUL},
    {SHADER_OP_MUL, SHADER_OP_ADD, 0, SHADER_CODE_ADD_MUL},
    {SHADER_OP_MUL, SHADER_OP_ADD, 1, SHADER_CODE_ADD_MUL},
    {SHADER_OP_ADD, SHADER_OP_ADD, 0, SHADER_CODE_ADD_ADD},
    {SHADER_OP_ADD, SHADER_OP_ADD, 1, SHADER_CODE_ADD_ADD},
    {SHADER_OP_MIN, SHADER_OP_MAX, 0, SHADER_CODE_CLAMP},
};

static const struct pair *pair_of(const struct shader_emission *emission, shader_value value,
                                  unsigned side)
{
    const struct shader_instruction *outer = &emission->ir->list[value];
    const struct shader_instruction *inner = &emission->ir->list[outer->argument[side]];
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (pairs[i].outer == outer->op && pairs[i].inner == inner->op && pairs[i].side == side) {
            return &pairs[i];
        }
    }
    return NULL;
}

/* Peephole fusion: sets inner and fused. An operand is computed with its only user, in the same
 * part or loop. Of two operands that would do, it is the later one: the one whose result need not
 * wait. False without memory. */
static bool fuse_pairs(struct shader_emission *emission)
{
    const struct shader_ir *ir = emission->ir;
    const struct shader_instruction *list = ir->list;
    struct base_arena *arena = &emission->arena;
    uint32_t *uses = base_arena_array(arena, ir->count, sizeof *uses);
    /* Regions are numbered by the marker that begins them. */
    uint32_t *region = base_arena_array(arena, ir->count, sizeof *region);
    uint32_t *outer = base_arena_array(arena, ir->count + 1, sizeof *outer);
    if (uses == NULL || region == NULL || outer == NULL) {
        return false;
    }
    size_t depth = 0;
    uint32_t current = 0;
    for (size_t i = 0; i < ir->count; i++) {
        const enum shader_op op = list[i].op;
        if (op == SHADER_OP_IF || op == SHADER_OP_LOOP) {
            outer[depth++] = current;
        }
        if (op == SHADER_OP_IF || op == SHADER_OP_ELSE || op == SHADER_OP_LOOP) {
            current = (uint32_t)i + 1;
        } else if (op == SHADER_OP_ENDIF || op == SHADER_OP_ENDLOOP) {
            current = outer[--depth];
        }
        region[i] = current;
        for (size_t k = 0; k < shader_op_arity(op); k++) {
            uses[list[i].argument[k]]++;
        }
    }
    for (int i = 0; i < 3; i++) {
        uses[ir->ret[i]]++;
    }
    for (shader_value value = 0; value < ir->count; value++) {
        shader_value best = SHADER_NO_VALUE;
        const bool binary = strcmp(shader_ops[list[value].op].arguments, "FF") == 0;
        for (unsigned side = 0; side < 2 && binary && !shader_emit_is_scalar(&list[value]);
             side++) {
            const shader_value operand = list[value].argument[side];
            if (uses[operand] == 1 && region[operand] == region[value] &&
                emission->inner[operand] == SHADER_NO_VALUE &&
                !shader_emit_is_scalar(&list[operand]) && pair_of(emission, value, side) != NULL &&
                (best == SHADER_NO_VALUE || operand > best)) {
                best = operand;
            }
        }
        if (best != SHADER_NO_VALUE) {
            emission->inner[value] = best;
            emission->fused[best] = true;
        }
    }
    return true;
}

/* Both tables have their namesakes in one order. */
_Static_assert(SHADER_CODE_SELECT - SHADER_CODE_ADD == SHADER_OP_SELECT - SHADER_OP_ADD,
               "operations that compute");
_Static_assert(SHADER_CODE_READ3_LOD - SHADER_CODE_READ2 == SHADER_OP_READ3_LOD - SHADER_OP_READ2,
               "operations that read");

bool shader_emit_value(struct shader_emission *emission, struct shader_code_list *list,
                       shader_value value, shader_place (*new_place)(struct shader_emission *))
{
    const struct shader_instruction *instruction = &emission->ir->list[value];
    const enum shader_op op = instruction->op;
    const bool reads = shader_op_reads(op);
    enum shader_code_op code_op = SHADER_CODE_SELECT; /* works on bits: CHOOSE too */
    shader_value arguments[SHADER_ARGUMENTS];
    size_t count = shader_op_arity(op);
    memcpy(arguments, instruction->argument, sizeof arguments);
    if (emission->inner[value] != SHADER_NO_VALUE) {
        const struct shader_instruction *inner = &emission->ir->list[emission->inner[value]];
        const unsigned side = instruction->argument[0] == emission->inner[value] ? 0 : 1;
        const struct pair *pair = pair_of(emission, value, side);
        assert(pair != NULL);
        code_op = (enum shader_code_op)pair->op;
        arguments[0] = inner->argument[0];
        arguments[1] = inner->argument[1];
        arguments[2] = instruction->argument[1 - side];
        count = 3;
    } else if (reads) {
        code_op = (enum shader_code_op)(SHADER_CODE_READ2 + (op - SHADER_OP_READ2));
    } else if (op != SHADER_OP_CHOOSE) {
        assert(op >= SHADER_OP_ADD && op <= SHADER_OP_SELECT);
        code_op = (enum shader_code_op)(SHADER_CODE_ADD + (op - SHADER_OP_ADD));
    }
    struct shader_code *code = shader_emit_code(emission, list, code_op);
    if (code == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        code->argument[i] = emission->place[arguments[i]];
        assert(code->argument[i] != SHADER_PLACE_NONE);
    }
    if (!reads) {
        code->result[0] = emission->place[value] = new_place(emission);
        return true;
    }
    code->index = instruction->index;
    for (int i = 0; i < 4; i++) {
        if (emission->parts[value][i] != SHADER_PLACE_NONE) {
            code->result[i] = emission->parts[value][i] = new_place(emission);
        }
    }
    return true;
}

static shader_place new_scalar(struct shader_emission *emission)
{
    return SHADER_PLACE_SCALAR | emission->scalars++;
}

static bool is_number(const struct shader_instruction *instruction)
{
    return instruction->op == SHADER_OP_CONST || instruction->op == SHADER_OP_TRUTH;
}

/* The program's numbers: those of the list by their bits, equal ones once. */
static bool emit_numbers(struct shader_emission *emission)
{
    const struct shader_ir *ir = emission->ir;
    struct shader_program *program = emission->program;
    size_t count = 0;
    for (size_t i = 0; i < ir->count; i++) {
        count += is_number(&ir->list[i]) ? 1 : 0;
    }
    size_t slots = 16; /* of a hash table, a power of two */
    while (slots < 2 * count) {
        slots *= 2;
    }
    /* Each slot holds 1 + the number's index, or 0. */
    uint32_t *table = base_arena_array(&emission->arena, slots, sizeof *table);
    uint32_t *numbers = base_arena_array(&emission->arena, count, sizeof *numbers);
    size_t made = 0;
    if (table == NULL || numbers == NULL) {
        return false;
    }
    for (size_t i = 0; i < ir->count; i++) {
        if (!is_number(&ir->list[i])) {
            continue;
        }
        uint32_t bits = ir->list[i].number != 0 ? UINT32_MAX : 0;
        if (ir->list[i].op == SHADER_OP_CONST) {
            memcpy(&bits, &ir->list[i].number, sizeof bits);
        }
        size_t at = (bits * UINT32_C(2654435769) >> 8) & (slots - 1);
        while (table[at] != 0 && numbers[table[at] - 1] != bits) {
            at = (at + 1) & (slots - 1);
        }
        if (table[at] == 0) {
            numbers[made] = bits;
            table[at] = (uint32_t)++made;
        }
        emission->place[i] = SHADER_PLACE_SCALAR | (table[at] - 1);
    }
    float *kept = base_arena_array(&program->arena, made, sizeof *kept);
    if (kept == NULL) {
        return false;
    }
    if (made > 0) {
        memcpy(kept, numbers, made * sizeof *kept);
    }
    program->numbers = kept;
    program->number_count = made;
    emission->scalars = (uint32_t)made;
    return true;
}

/* Scalars of uniforms, and the frame program. */
static bool emit_frame(struct shader_emission *emission)
{
    enum { INDICES = SHADER_SLOTS + 4 * SHADER_TEXTURES_MAX };
    const struct shader_ir *ir = emission->ir;
    struct shader_program *program = emission->program;
    shader_place places[INDICES];
    memset(places, 0xFF, sizeof places); /* SHADER_PLACE_NONE */
    program->uniforms = base_arena_array(&program->arena, INDICES, sizeof *program->uniforms);
    if (program->uniforms == NULL) {
        return false;
    }
    for (size_t i = 0; i < ir->count; i++) {
        if (ir->list[i].op != SHADER_OP_UNIFORM) {
            continue;
        }
        const uint16_t index = ir->list[i].index;
        if (places[index] == SHADER_PLACE_NONE) {
            places[index] = new_scalar(emission);
            const uint32_t scalar = places[index] & ~SHADER_PLACE_SCALAR;
            program->uniforms[program->uniform_count++] =
                (struct shader_uniform_place){index, scalar};
        }
        emission->place[i] = places[index];
    }
    for (size_t i = 0; i < ir->count; i++) {
        const struct shader_instruction *instruction = &ir->list[i];
        if (!shader_emit_is_scalar(instruction) || emission->place[i] != SHADER_PLACE_NONE) {
            continue;
        }
        if (instruction->op == SHADER_OP_PART) {
            emission->place[i] = emission->parts[instruction->argument[0]][instruction->index];
        } else if (!shader_emit_value(emission, &emission->frame, (shader_value)i, new_scalar)) {
            return false;
        }
    }
    return true;
}

static struct shader_code *keep(struct base_arena *arena, const struct shader_code_list *list)
{
    struct shader_code *kept = base_arena_array(arena, list->count, sizeof *kept);
    if (kept != NULL && list->count > 0) {
        memcpy(kept, list->list, list->count * sizeof *kept);
    }
    return kept;
}

/* Numbers of scalars to bytes; arguments that are not there to place 0, which exists. */
static void scale_scalars(struct shader_code_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct shader_code *code = &list->list[i];
        for (int k = 0; k < 4; k++) {
            shader_place *places[] = {&code->result[k], &code->argument[k]};
            for (int j = 0; j < 2; j++) {
                const shader_place place = *places[j];
                if (place != SHADER_PLACE_NONE && (place & SHADER_PLACE_SCALAR) != 0) {
                    *places[j] =
                        SHADER_PLACE_SCALAR | (place & ~SHADER_PLACE_SCALAR) * SHADER_SCALAR_SIZE;
                }
            }
            if (code->argument[k] == SHADER_PLACE_NONE) {
                code->argument[k] = 0;
            }
        }
    }
}

/* Loops are taken to have this many rounds. What it takes to begin an instruction is in tenths of a
 * nanosecond for SHADER_LANES pixels, as the costs of ops.def (tests/speed_shader.c measures). */
enum { ROUNDS = 8, BEGINNING = 3 };

static void count_stats(const struct shader_emission *emission, struct shader_stats *stats)
{
    const struct shader_ir *ir = emission->ir;
    double tenths = 0;
    double weight = 1;
    for (size_t i = 0; i < ir->count; i++) {
        const struct shader_instruction *instruction = &ir->list[i];
        if (shader_emit_is_scalar(instruction)) {
            continue;
        }
        if (instruction->op == SHADER_OP_LOOP) {
            weight *= ROUNDS;
            stats->loops++;
        }
        const double cost = shader_ops[instruction->op].cost;
        if (cost > 0) {
            tenths += weight * (emission->fused[i] ? cost / 2 : cost + BEGINNING);
        }
        stats->reads += shader_op_reads(instruction->op) ? 1 : 0;
        if (instruction->op == SHADER_OP_ENDLOOP) {
            weight /= ROUNDS;
        }
    }
    stats->ms_per_megapixel = tenths * 1e-7 / SHADER_LANES * 1e6;
    stats->operations = emission->pixel.count;
    stats->frame_operations = emission->frame.count;
    stats->registers = emission->program->registers;
}

bool shader_emit(struct shader_program *program)
{
    const struct shader_ir *ir = &program->ir;
    struct shader_emission emission = {.program = program, .ir = ir};
    struct base_arena *arena = &emission.arena;
    emission.place = base_arena_array(arena, ir->count, sizeof *emission.place);
    emission.parts = base_arena_array(arena, ir->count, sizeof *emission.parts);
    emission.inner = base_arena_array(arena, ir->count, sizeof *emission.inner);
    emission.fused = base_arena_array(arena, ir->count, sizeof *emission.fused);
    bool done = !arena->failed;
    for (size_t i = 0; done && i < ir->count; i++) {
        emission.place[i] = SHADER_PLACE_NONE;
        emission.inner[i] = SHADER_NO_VALUE;
        for (int part = 0; part < 4; part++) {
            emission.parts[i][part] = SHADER_PLACE_NONE;
        }
    }
    for (size_t i = 0; done && i < ir->count; i++) {
        if (ir->list[i].op == SHADER_OP_PART) {
            /* Wanted: marked by a place that is not none. */
            emission.parts[ir->list[i].argument[0]][ir->list[i].index] = 0;
        }
    }
    done = done && fuse_pairs(&emission) && emit_numbers(&emission) && emit_frame(&emission) &&
           shader_emit_pixel(&emission) && shader_allocate_registers(&emission);
    if (done) {
        count_stats(&emission, &program->stats);
        scale_scalars(&emission.frame);
        scale_scalars(&emission.pixel);
        program->scalars = emission.scalars;
        program->frame = keep(&program->arena, &emission.frame);
        program->frame_count = emission.frame.count;
        program->pixel = keep(&program->arena, &emission.pixel);
        program->pixel_count = emission.pixel.count;
        done = program->frame != NULL && program->pixel != NULL;
    }
    base_arena_free(&emission.arena);
    return done;
}
