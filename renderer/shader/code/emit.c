#include "renderer/shader/code/emit.h"

#include <assert.h>
#include <string.h>

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

struct facts {
    uint32_t *uses;
    uint32_t *region; /* numbered by the marker that begins it */
};

static void count_uses(const struct shader_ir *ir, uint32_t *uses)
{
    for (size_t i = 0; i < ir->count; i++) {
        const int count = shader_emit_arguments(&ir->list[i]);
        for (int k = 0; k < count; k++) {
            uses[ir->list[i].argument[k]]++;
        }
    }
    for (int i = 0; i < 3; i++) {
        uses[ir->ret[i]]++;
    }
}

static bool number_regions(struct base_arena *arena, const struct shader_ir *ir, uint32_t *region)
{
    uint32_t *outer = base_arena_array(arena, ir->count + 1, sizeof *outer);
    if (outer == NULL) {
        return false;
    }
    size_t depth = 0;
    uint32_t current = 0;
    for (size_t i = 0; i < ir->count; i++) {
        const unsigned op = ir->list[i].op;
        if (op == SHADER_OP_IF || op == SHADER_OP_LOOP) {
            outer[depth++] = current;
        }
        if (op == SHADER_OP_IF || op == SHADER_OP_ELSE || op == SHADER_OP_LOOP) {
            current = (uint32_t)i + 1;
        } else if (op == SHADER_OP_ENDIF || op == SHADER_OP_ENDLOOP) {
            current = outer[--depth];
        }
        region[i] = current;
    }
    return true;
}

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

/* Of two operands that would do, the later one: it is the one whose result need not wait. */
static void fuse_value(struct shader_emission *emission, const struct facts *facts,
                       shader_value value)
{
    const struct shader_instruction *list = emission->ir->list;
    shader_value best = SHADER_NO_VALUE;
    for (unsigned side = 0; side < 2; side++) {
        const shader_value operand = list[value].argument[side];
        if (facts->uses[operand] == 1 && facts->region[operand] == facts->region[value] &&
            emission->inner[operand] == SHADER_NO_VALUE && !shader_emit_is_scalar(&list[operand]) &&
            pair_of(emission, value, side) != NULL && (best == SHADER_NO_VALUE || operand > best)) {
            best = operand;
        }
    }
    if (best != SHADER_NO_VALUE) {
        emission->inner[value] = best;
        emission->fused[best] = true;
    }
}

bool shader_emit_fuse(struct shader_emission *emission)
{
    const struct shader_ir *ir = emission->ir;
    const struct facts facts = {
        .uses = base_arena_array(&emission->arena, ir->count, sizeof *facts.uses),
        .region = base_arena_array(&emission->arena, ir->count, sizeof *facts.region),
    };
    if (facts.uses == NULL || facts.region == NULL ||
        !number_regions(&emission->arena, ir, facts.region)) {
        return false;
    }
    count_uses(ir, facts.uses);
    for (size_t i = 0; i < ir->count; i++) {
        const bool binary = strcmp(shader_ops[ir->list[i].op].arguments, "FF") == 0;
        if (binary && !shader_emit_is_scalar(&ir->list[i])) {
            fuse_value(emission, &facts, (shader_value)i);
        }
    }
    return true;
}

enum shader_code_op shader_emit_pair(const struct shader_emission *emission, shader_value value,
                                     shader_value arguments[3])
{
    const struct shader_instruction *outer = &emission->ir->list[value];
    const struct shader_instruction *inner = &emission->ir->list[emission->inner[value]];
    const unsigned side = outer->argument[0] == emission->inner[value] ? 0 : 1;
    const struct pair *pair = pair_of(emission, value, side);
    assert(pair != NULL);
    arguments[0] = inner->argument[0];
    arguments[1] = inner->argument[1];
    arguments[2] = outer->argument[1 - side];
    return (enum shader_code_op)pair->op;
}

static shader_place new_scalar(struct shader_emission *emission)
{
    return SHADER_PLACE_SCALAR | emission->scalars++;
}

static bool is_number(const struct shader_instruction *instruction)
{
    return instruction->op == SHADER_OP_CONST || instruction->op == SHADER_OP_TRUTH;
}

/* Numbers by their bits, equal ones once. */
struct pool {
    uint32_t *bits;
    uint32_t *slots; /* 1 + index into bits; a power of two of them */
    size_t mask;
    size_t count;
};

static bool open_pool(struct pool *pool, struct base_arena *arena, size_t count)
{
    size_t slots = 16;
    while (slots < 2 * count) {
        slots *= 2;
    }
    *pool = (struct pool){
        .bits = base_arena_array(arena, count, sizeof *pool->bits),
        .slots = base_arena_array(arena, slots, sizeof *pool->slots),
        .mask = slots - 1,
    };
    return pool->bits != NULL && pool->slots != NULL;
}

static uint32_t add_number(struct pool *pool, uint32_t bits)
{
    size_t at = (bits * UINT32_C(2654435769) >> 8) & pool->mask;
    while (pool->slots[at] != 0 && pool->bits[pool->slots[at] - 1] != bits) {
        at = (at + 1) & pool->mask;
    }
    if (pool->slots[at] == 0) {
        pool->bits[pool->count] = bits;
        pool->slots[at] = (uint32_t)++pool->count;
    }
    return pool->slots[at] - 1;
}

static uint32_t bits_of(const struct shader_instruction *instruction)
{
    uint32_t bits;
    if (instruction->op == SHADER_OP_TRUTH) {
        return instruction->number != 0 ? UINT32_MAX : 0;
    }
    memcpy(&bits, &instruction->number, sizeof bits);
    return bits;
}

static bool emit_numbers(struct shader_emission *emission)
{
    const struct shader_ir *ir = emission->ir;
    struct shader_program *program = emission->program;
    size_t count = 0;
    for (size_t i = 0; i < ir->count; i++) {
        count += is_number(&ir->list[i]) ? 1 : 0;
    }
    struct pool pool;
    if (!open_pool(&pool, &emission->arena, count)) {
        return false;
    }
    for (size_t i = 0; i < ir->count; i++) {
        if (is_number(&ir->list[i])) {
            emission->place[i] = SHADER_PLACE_SCALAR | add_number(&pool, bits_of(&ir->list[i]));
        }
    }
    float *numbers = base_arena_array(&program->arena, pool.count, sizeof *numbers);
    if (numbers == NULL) {
        return false;
    }
    if (pool.count > 0) {
        memcpy(numbers, pool.bits, pool.count * sizeof *numbers);
    }
    program->numbers = numbers;
    program->number_count = pool.count;
    emission->scalars = (uint32_t)pool.count;
    return true;
}

static bool emit_uniforms(struct shader_emission *emission)
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
    return true;
}

bool shader_emit_frame(struct shader_emission *emission)
{
    const struct shader_ir *ir = emission->ir;
    if (!emit_numbers(emission) || !emit_uniforms(emission)) {
        return false;
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

bool shader_emit_is_scalar(const struct shader_instruction *instruction)
{
    return (instruction->uniform && shader_ops[instruction->op].result != SHADER_KIND_N) ||
           instruction->op == SHADER_OP_CONST || instruction->op == SHADER_OP_TRUTH ||
           instruction->op == SHADER_OP_UNIFORM;
}

bool shader_emit_is_read(const struct shader_instruction *instruction)
{
    return shader_ops[instruction->op].result == SHADER_KIND_S;
}

int shader_emit_arguments(const struct shader_instruction *instruction)
{
    return (int)strlen(shader_ops[instruction->op].arguments);
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

/* Both tables have their namesakes in one order. */
_Static_assert(SHADER_CODE_SELECT - SHADER_CODE_ADD == SHADER_OP_SELECT - SHADER_OP_ADD,
               "operations that compute");
_Static_assert(SHADER_CODE_READ3_LOD - SHADER_CODE_READ2 == SHADER_OP_READ3_LOD - SHADER_OP_READ2,
               "operations that read");

/* CHOOSE works on bits as SELECT does. */
static enum shader_code_op code_of(unsigned op)
{
    if (op >= SHADER_OP_READ2 && op <= SHADER_OP_READ3_LOD) {
        return (enum shader_code_op)(SHADER_CODE_READ2 + (op - SHADER_OP_READ2));
    }
    if (op == SHADER_OP_CHOOSE) {
        return SHADER_CODE_SELECT;
    }
    assert(op >= SHADER_OP_ADD && op <= SHADER_OP_SELECT);
    return (enum shader_code_op)(SHADER_CODE_ADD + (op - SHADER_OP_ADD));
}

static bool emit_pair(struct shader_emission *emission, struct shader_code_list *list,
                      shader_value value, shader_place to)
{
    shader_value operands[3];
    const enum shader_code_op op = shader_emit_pair(emission, value, operands);
    struct shader_code *code = shader_emit_code(emission, list, op);
    if (code == NULL) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        code->argument[i] = emission->place[operands[i]];
    }
    code->result[0] = to;
    emission->place[value] = to;
    return true;
}

bool shader_emit_value(struct shader_emission *emission, struct shader_code_list *list,
                       shader_value value, shader_place (*new_place)(struct shader_emission *))
{
    const struct shader_instruction *instruction = &emission->ir->list[value];
    if (emission->inner[value] != SHADER_NO_VALUE) {
        return emit_pair(emission, list, value, new_place(emission));
    }
    struct shader_code *code = shader_emit_code(emission, list, code_of(instruction->op));
    if (code == NULL) {
        return false;
    }
    const int count = shader_emit_arguments(instruction);
    for (int i = 0; i < count; i++) {
        code->argument[i] = emission->place[instruction->argument[i]];
        assert(code->argument[i] != SHADER_PLACE_NONE);
    }
    if (!shader_emit_is_read(instruction)) {
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

/* Components that some PART takes are marked by a place that is not none. */
static void mark_parts(struct shader_emission *emission)
{
    const struct shader_ir *ir = emission->ir;
    for (size_t i = 0; i < ir->count; i++) {
        emission->place[i] = SHADER_PLACE_NONE;
        emission->inner[i] = SHADER_NO_VALUE;
        for (int part = 0; part < 4; part++) {
            emission->parts[i][part] = SHADER_PLACE_NONE;
        }
    }
    for (size_t i = 0; i < ir->count; i++) {
        if (ir->list[i].op == SHADER_OP_PART) {
            emission->parts[ir->list[i].argument[0]][ir->list[i].index] = 0;
        }
    }
}

static bool open_emission(struct shader_emission *emission, struct shader_program *program)
{
    const size_t count = program->ir.count;
    *emission = (struct shader_emission){.program = program, .ir = &program->ir};
    struct base_arena *arena = &emission->arena;
    emission->place = base_arena_array(arena, count, sizeof *emission->place);
    emission->parts = base_arena_array(arena, count, sizeof *emission->parts);
    emission->inner = base_arena_array(arena, count, sizeof *emission->inner);
    emission->fused = base_arena_array(arena, count, sizeof *emission->fused);
    if (arena->failed) {
        return false;
    }
    mark_parts(emission);
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

static double cost_of(const struct shader_instruction *instruction, bool fused)
{
    const double cost = shader_ops[instruction->op].cost;
    if (cost == 0) {
        return 0;
    }
    return fused ? cost / 2 : cost + BEGINNING;
}

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
        tenths += weight * cost_of(instruction, emission->fused[i]);
        stats->reads += shader_emit_is_read(instruction) ? 1 : 0;
        if (instruction->op == SHADER_OP_ENDLOOP) {
            weight /= ROUNDS;
        }
    }
    stats->ms_per_megapixel = tenths * 1e-7 / SHADER_LANES * 1e6;
    stats->operations = emission->pixel.count;
    stats->frame_operations = emission->frame.count;
    stats->registers = emission->program->registers;
}

static bool emit_all(struct shader_emission *emission)
{
    struct shader_program *program = emission->program;
    if (!shader_emit_fuse(emission) || !shader_emit_frame(emission) ||
        !shader_emit_pixel(emission) || !shader_allocate_registers(emission)) {
        return false;
    }
    count_stats(emission, &program->stats);
    scale_scalars(&emission->frame);
    scale_scalars(&emission->pixel);
    program->scalars = emission->scalars;
    program->frame = keep(&program->arena, &emission->frame);
    program->frame_count = emission->frame.count;
    program->pixel = keep(&program->arena, &emission->pixel);
    program->pixel_count = emission->pixel.count;
    return program->frame != NULL && program->pixel != NULL;
}

bool shader_emit(struct shader_program *program)
{
    struct shader_emission emission;
    const bool done = open_emission(&emission, program) && emit_all(&emission);
    base_arena_free(&emission.arena);
    return done;
}
