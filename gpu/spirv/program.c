#include "gpu/spirv/program.h"

#include <stdlib.h>

#include "gpu/spirv/arithmetic.h"
#include "gpu/spirv/lanes.h"
#include "renderer/shader/run/kernels.h"

enum { CHANNELS = 4, COLOURS = 3, QUAD = 4 };

struct spirv_program {
    const struct shader_ir *ir;
    uint32_t *word;
    size_t count;
    enum shader_input input[SHADER_INPUTS];
    size_t inputs;
    /* Of each value whether the processor computes it, once in a frame: it is the same for all
     * pixels, and none of the pictures that the device makes is read for it. */
    bool *once;
    size_t uniforms;         /* behind the last of those */
    float (*cell)[CHANNELS]; /* of each of those: its number, of a read all four */
    uint32_t *place; /* of each of those that pixels need: its word among the numbers; 0: none */
    size_t numbers;
};

/* ---- on the device ---- */

struct maker {
    struct spirv module;
    struct spirv_program *program;
    const struct spirv_purpose *purpose;
    struct spirv_quad quad;
    uint32_t *name;    /* of each value; 0: not made yet */
    uint32_t at[QUAD]; /* the pixels' places in an input, then in the result */
    uint32_t plane;
};

static uint32_t part_of(struct maker *maker, enum spirv_type type, uint32_t whole, uint32_t index)
{
    return SPIRV_MAKE(&maker->module, SPIRV_COMPOSITE_EXTRACT, type, whole, index);
}

/* Where the quad's pixels lie. */
static void place_quad(struct maker *maker)
{
    struct spirv *module = &maker->module;
    const uint32_t where = spirv_load(module, SPIRV_VECTOR, module->invocation);
    const uint32_t two = spirv_word(&maker->module, 2);
    const uint32_t x = spirv_product(&maker->module, part_of(maker, SPIRV_UINT, where, 0), two);
    const uint32_t y = spirv_product(&maker->module, part_of(maker, SPIRV_UINT, where, 1), two);
    maker->quad = (struct spirv_quad){module, maker->purpose->stage, x, y, {0, 0}};
    const uint32_t pitch =
        spirv_read(module, SPIRV_BUFFER_NUMBERS, spirv_word(&maker->module, SPIRV_NUMBER_PITCH));
    maker->plane =
        spirv_read(module, SPIRV_BUFFER_NUMBERS, spirv_word(&maker->module, SPIRV_NUMBER_PLANE));
    const uint32_t one = spirv_word(&maker->module, 1);
    maker->at[0] = spirv_sum(&maker->module, spirv_product(&maker->module, y, pitch), x);
    maker->at[1] = spirv_sum(&maker->module, maker->at[0], one);
    maker->at[2] = spirv_sum(&maker->module, maker->at[0], pitch);
    maker->at[3] = spirv_sum(&maker->module, maker->at[2], one);
}

static uint32_t as_float(struct maker *maker, uint32_t word)
{
    return SPIRV_MAKE(&maker->module, SPIRV_BITCAST, SPIRV_FLOAT, word);
}

static uint32_t input_of(struct maker *maker, unsigned index)
{
    struct spirv_program *program = maker->program;
    size_t k = 0;
    while (k < program->inputs && program->input[k] != index) {
        k++;
    }
    if (k == program->inputs) {
        program->input[program->inputs++] = index;
    }
    const uint32_t base =
        spirv_product(&maker->module, maker->plane, spirv_word(&maker->module, (uint32_t)k));
    uint32_t lane[QUAD];
    for (int i = 0; i < QUAD; i++) {
        lane[i] = as_float(maker, spirv_read(&maker->module, SPIRV_BUFFER_INPUTS,
                                             spirv_sum(&maker->module, base, maker->at[i])));
    }
    return spirv_make(&maker->module, SPIRV_COMPOSITE_CONSTRUCT, SPIRV_FLOATS, lane, QUAD);
}

/* A number of the frame, for all four pixels. */
static uint32_t number_of(struct maker *maker, size_t place, enum shader_kind kind)
{
    struct spirv *module = &maker->module;
    const uint32_t word =
        spirv_read(module, SPIRV_BUFFER_NUMBERS, spirv_word(&maker->module, (uint32_t)place));
    if (kind == SHADER_KIND_B) {
        const uint32_t truth = SPIRV_MAKE(module, SPIRV_INTEGER_NOT_EQUAL, SPIRV_BOOL, word,
                                          spirv_word(&maker->module, 0));
        return SPIRV_MAKE(module, SPIRV_COMPOSITE_CONSTRUCT, SPIRV_BOOLS, truth, truth, truth,
                          truth);
    }
    const uint32_t number = as_float(maker, word);
    return SPIRV_MAKE(module, SPIRV_COMPOSITE_CONSTRUCT, SPIRV_FLOATS, number, number, number,
                      number);
}

static uint32_t value_of(struct maker *maker, shader_value value);

/* A value that is the same for all pixels: a constant, or a number that the frame brings. */
static uint32_t uniform_of(struct maker *maker, shader_value value)
{
    const struct shader_instruction *instruction = &maker->program->ir->list[value];
    /* Drivers leave out a sum with a constant 0, which may make 0 of -0. */
    if (instruction->op == SHADER_OP_CONST && instruction->number != 0.0f) {
        return spirv_number(&maker->module, SPIRV_FLOATS, instruction->number);
    }
    if (instruction->op == SHADER_OP_TRUTH) {
        return spirv_constant(&maker->module, SPIRV_BOOLS, instruction->number != 0.0f);
    }
    uint32_t *place = &maker->program->place[value];
    if (*place == 0) {
        *place = (uint32_t)maker->program->numbers++;
    }
    return number_of(maker, *place, shader_ops[instruction->op].result);
}

static uint32_t computed(struct maker *maker, const struct shader_instruction *instruction)
{
    const enum shader_op op = instruction->op;
    if (op == SHADER_OP_INPUT) {
        const enum shader_input input = (enum shader_input)instruction->index;
        return maker->purpose->places ? spirv_place_input(&maker->quad, input)
                                      : input_of(maker, input);
    }
    const size_t arity = shader_op_arity(op);
    uint32_t argument[SHADER_ARGUMENTS] = {0};
    for (size_t k = 0; k < arity; k++) {
        argument[k] = value_of(maker, instruction->argument[k]);
    }
    if (op == SHADER_OP_PART) {
        return part_of(maker, SPIRV_FLOATS, argument[0], instruction->index);
    }
    if (shader_op_reads(op)) {
        const struct shader_fetch *fetch = &maker->program->ir->fetches[instruction->index];
        return spirv_read_texture(&maker->module, op, fetch, maker->purpose->sources, argument);
    }
    return spirv_compute(&maker->module, op, argument);
}

/* Operands are made before what uses them: this goes one step deep. */
static uint32_t value_of(struct maker *maker, shader_value value)
{
    if (maker->name[value] == 0) {
        const struct shader_instruction *instruction = &maker->program->ir->list[value];
        maker->name[value] =
            maker->program->once[value] ? uniform_of(maker, value) : computed(maker, instruction);
    }
    return maker->name[value];
}

/* As renderer/picture/rows.c makes a channel of a number. */
static simd_words level_of(simd_floats value)
{
    const simd_floats clamped = lane_within_one(value, LANE_NOT_FINITE);
    return lane_cut(simd_add(simd_mul(clamped, simd_all(255.0f)), simd_all(0.5f)));
}

static void store_word(struct maker *maker, uint32_t index, uint32_t word)
{
    SPIRV_PUT(&maker->module, SPIRV_STORE, spirv_place(&maker->module, SPIRV_BUFFER_RESULTS, index),
              word);
}

static void store_pixels(struct maker *maker, const uint32_t ret[COLOURS])
{
    struct spirv *module = &maker->module;
    const simd_words red = level_of((simd_floats){module, ret[0]});
    const simd_words green = level_of((simd_floats){module, ret[1]});
    const simd_words blue = level_of((simd_floats){module, ret[2]});
    const simd_words pixels = simd_or(simd_or(simd_left(red, 16), simd_left(green, 8)), blue);
    for (uint32_t i = 0; i < QUAD; i++) {
        store_word(maker, maker->at[i], part_of(maker, SPIRV_UINT, pixels.name, i));
    }
}

static void store_numbers(struct maker *maker, const uint32_t ret[COLOURS])
{
    struct spirv *module = &maker->module;
    for (uint32_t i = 0; i < QUAD; i++) {
        const uint32_t first =
            spirv_product(&maker->module, maker->at[i], spirv_word(&maker->module, COLOURS));
        for (uint32_t k = 0; k < COLOURS; k++) {
            const uint32_t number = part_of(maker, SPIRV_FLOAT, ret[k], i);
            store_word(maker, spirv_sum(&maker->module, first, spirv_word(&maker->module, k)),
                       SPIRV_MAKE(module, SPIRV_BITCAST, SPIRV_UINT, number));
        }
    }
}

static void make_main(struct maker *maker)
{
    struct spirv_program *program = maker->program;
    const struct shader_ir *ir = program->ir;
    struct spirv_outer outer;
    spirv_function(&maker->module, &outer, SPIRV_VOID, NULL, 0, NULL);
    place_quad(maker);
    /* Both sides of an IF are computed: its markers are a hint (ir.h). */
    for (size_t v = 0; v < ir->count; v++) {
        if (!program->once[v] && !shader_op_marks(ir->list[v].op)) {
            (void)value_of(maker, (shader_value)v);
        }
    }
    const uint32_t ret[COLOURS] = {value_of(maker, ir->ret[0]), value_of(maker, ir->ret[1]),
                                   value_of(maker, ir->ret[2])};
    if (maker->purpose->result == SPIRV_PIXELS) {
        store_pixels(maker, ret);
    } else {
        store_numbers(maker, ret);
    }
    const uint32_t main = spirv_function_end(&maker->module, &outer, 0);
    program->word =
        spirv_end(&maker->module, main, SPIRV_GROUP, maker->purpose->controls, &program->count);
}

static bool is_once(const struct spirv_program *program, const struct spirv_purpose *purpose,
                    const struct shader_instruction *instruction)
{
    const enum shader_op op = instruction->op;
    bool once = instruction->uniform;
    if (once && shader_op_reads(op)) {
        const unsigned binding = program->ir->fetches[instruction->index].binding;
        once = purpose->sources[binding].texels != SPIRV_BUFFER_PICTURES;
    }
    for (size_t k = 0; once && k < shader_op_arity(op); k++) {
        once = program->once[instruction->argument[k]];
    }
    return once;
}

struct spirv_program *spirv_program_create(const struct shader_ir *ir,
                                           const struct spirv_purpose *purpose)
{
    if (ir->count == 0 || ir->count > SPIRV_LENGTH_MAX) {
        return NULL;
    }
    for (size_t v = 0; v < ir->count; v++) {
        if (ir->list[v].op == SHADER_OP_LOOP) {
            return NULL;
        }
    }
    struct spirv_program *program = calloc(1, sizeof *program);
    struct maker maker = {
        .program = program, .purpose = purpose, .name = calloc(ir->count, sizeof *maker.name)};
    if (program != NULL && maker.name != NULL) {
        program->ir = ir;
        program->once = calloc(ir->count, sizeof *program->once);
        for (size_t v = 0; program->once != NULL && v < ir->count; v++) {
            program->once[v] = is_once(program, purpose, &ir->list[v]);
            program->uniforms = program->once[v] ? v + 1 : program->uniforms;
        }
        program->numbers = SPIRV_NUMBER_FIRST;
        program->place = calloc(program->uniforms + 1, sizeof *program->place);
        program->cell = calloc(program->uniforms + 1, sizeof *program->cell);
        if (program->once != NULL && program->place != NULL && program->cell != NULL) {
            spirv_begin(&maker.module);
            maker.module.mends_comparisons = !purpose->controls.keep_denormals;
            make_main(&maker);
            spirv_free(&maker.module);
        }
    }
    free(maker.name);
    if (program != NULL && program->word == NULL) {
        spirv_program_free(program);
        program = NULL;
    }
    return program;
}

void spirv_program_free(struct spirv_program *program)
{
    if (program != NULL) {
        free(program->word);
        free(program->once);
        free(program->place);
        free(program->cell);
        free(program);
    }
}

const uint32_t *spirv_program_words(const struct spirv_program *program, size_t *count)
{
    *count = program->count;
    return program->word;
}

size_t spirv_program_numbers(const struct spirv_program *program)
{
    return program->numbers;
}

size_t spirv_program_inputs(const struct spirv_program *program, const enum shader_input **inputs)
{
    *inputs = program->input;
    return program->inputs;
}

/* ---- on the processor ---- */

/* A texture that is not there has no size. */
static float size_of(const struct shader_texture *texture, unsigned part)
{
    if (texture == NULL) {
        return 0.0f;
    }
    const float size = (float)(part % 2 == 0 ? texture->level[0].width : texture->level[0].height);
    return part < 2 ? size : 1.0f / size;
}

static void read_once(const struct spirv_program *program,
                      const struct shader_instruction *instruction,
                      const struct shader_texture *const *textures, float result[CHANNELS])
{
    _Alignas(32) float given[SHADER_ARGUMENTS][SHADER_LANES];
    _Alignas(32) float found[CHANNELS][SHADER_LANES];
    const struct shader_fetch *fetch = &program->ir->fetches[instruction->index];
    const enum shader_op op = instruction->op;
    const size_t arity = shader_op_arity(op);
    struct shader_lanes argument[SHADER_ARGUMENTS] = {{NULL, 0}};
    for (size_t k = 0; k < arity; k++) {
        for (int lane = 0; lane < SHADER_LANES; lane++) {
            given[k][lane] = program->cell[instruction->argument[k]][0];
        }
        argument[k] = (struct shader_lanes){given[k], SHADER_LANES};
    }
    struct shader_read read = {.texture = textures[fetch->binding],
                               .sampler = fetch->sampler,
                               .volume = op >= SHADER_OP_READ3,
                               .count = SHADER_LANES,
                               .u = argument[0],
                               .v = argument[1]};
    read.w = read.volume ? argument[2] : read.w;
    if (op == SHADER_OP_READ2_BIAS || op == SHADER_OP_READ3_BIAS) {
        read.bias = argument[arity - 1];
    } else if (op == SHADER_OP_READ2_LOD || op == SHADER_OP_READ3_LOD) {
        read.detail = argument[arity - 1];
    }
    for (int k = 0; k < CHANNELS; k++) {
        read.result[k] = found[k];
    }
    shader_read_plain.read(&read);
    for (int k = 0; k < CHANNELS; k++) {
        result[k] = found[k][0];
    }
}

static void compute_once(const struct spirv_program *program,
                         const struct shader_instruction *instruction, const float *uniforms,
                         const struct shader_texture *const *textures, float result[CHANNELS])
{
    const enum shader_op op = instruction->op;
    const unsigned index = instruction->index;
    if (op == SHADER_OP_CONST || op == SHADER_OP_TRUTH) {
        result[0] = instruction->number;
    } else if (op == SHADER_OP_UNIFORM) {
        result[0] = index < SHADER_SLOTS
                        ? uniforms[index]
                        : size_of(textures[(index - SHADER_SLOTS) / 4], (index - SHADER_SLOTS) % 4);
    } else if (op == SHADER_OP_PART) {
        result[0] = program->cell[instruction->argument[0]][index];
    } else if (shader_op_reads(op)) {
        read_once(program, instruction, textures, result);
    } else {
        float argument[SHADER_ARGUMENTS] = {0.0f};
        for (size_t k = 0; k < shader_op_arity(op); k++) {
            argument[k] = program->cell[instruction->argument[k]][0];
        }
        result[0] = shader_op_compute(op, argument);
    }
}

void spirv_program_fill(struct spirv_program *program, const float *uniforms,
                        const struct shader_texture *const *textures, uint32_t *numbers)
{
    for (size_t v = 0; v < program->uniforms; v++) {
        const struct shader_instruction *instruction = &program->ir->list[v];
        if (program->once[v]) {
            compute_once(program, instruction, uniforms, textures, program->cell[v]);
        }
        if (program->place[v] != 0) {
            /* A truth is 0 or 1, of which only the first has no bits. */
            memcpy(numbers + program->place[v], program->cell[v], sizeof *numbers);
        }
    }
}
