#include "renderer/shader/emit.h"

#include <assert.h>
#include <string.h>

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
        !shader_emit_pixel(emission) || !shader_emit_registers(emission)) {
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
