/* The definition of what a program computes, and that the passes do not change it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "renderer/shader/ir/ir.h"
#include "renderer/shader/run/kernels.h"
#include "test_renderer_shader_random.h"

enum { PICTURE = 16, VOLUME = 4 };

struct room {
    struct base_arena arena;
    struct shader_ir ir;
    struct shader_image picture;
    struct shader_image volume;
    struct base_rng rng;
    float uniforms[SHADER_SLOTS];
    const struct shader_texture *textures[SHADER_TEXTURES_MAX];
    struct shader_reference run;
};

static int open_room(void **state)
{
    static uint32_t texels[PICTURE * PICTURE];
    struct room *room = calloc(1, sizeof *room);
    assert_non_null(room);
    base_rng_seed(&room->rng, 3, 14);
    for (size_t k = 0; k < PICTURE * PICTURE; k++) {
        texels[k] = base_rng_next(&room->rng);
    }
    assert_int_equal(0, shader_image_create(&room->picture, texels, PICTURE, PICTURE, PICTURE, 1));
    assert_int_equal(0, shader_image_create(&room->volume, texels, VOLUME, VOLUME, VOLUME, VOLUME));
    shader_ir_init(&room->ir, &room->arena);
    room->run = (struct shader_reference){.uniforms = room->uniforms, .textures = room->textures};
    *state = room;
    return 0;
}

static int close_room(void **state)
{
    struct room *room = *state;
    shader_image_free(&room->picture);
    shader_image_free(&room->volume);
    base_arena_free(&room->arena);
    free(room);
    return 0;
}

static void set_input(struct room *room, enum shader_input input, float a, float b, float c,
                      float d)
{
    const float quad[4] = {a, b, c, d};
    memcpy(room->run.input[input], quad, sizeof quad);
}

static void expect(struct room *room, size_t k, float a, float b, float c, float d)
{
    const float quad[4] = {a, b, c, d};
    for (size_t lane = 0; lane < 4; lane++) {
        if (room->run.ret[k][lane] != quad[lane]) {
            fail_msg("result %zu, pixel %zu: %.9g, not %.9g", k, lane,
                     (double)room->run.ret[k][lane], (double)quad[lane]);
        }
    }
}

static void check_rules(const struct shader_ir *ir)
{
    const char *wrong = shader_ir_verify(ir);
    if (wrong != NULL) {
        fail_msg("%s", wrong);
    }
}

/* Runs the list as it is, then what the passes make of it, with the same expectation. */
static void run(struct room *room)
{
    check_rules(&room->ir);
    assert_true(shader_reference_run(&room->ir, &room->run));
}

static shader_value input(struct room *room, enum shader_input which)
{
    return shader_ir_indexed(&room->ir, SHADER_OP_INPUT, which);
}

static shader_value number(struct room *room, float value)
{
    return shader_ir_number(&room->ir, value);
}

static shader_value binary(struct room *room, enum shader_op op, shader_value a, shader_value b)
{
    return shader_ir_binary(&room->ir, op, a, b);
}

static void computes_per_pixel(void **state)
{
    struct room *room = *state;
    set_input(room, SHADER_INPUT_U, 1, -2, 3.5f, 0);
    const shader_value u = input(room, SHADER_INPUT_U);
    const shader_value time = shader_ir_indexed(&room->ir, SHADER_OP_UNIFORM, SHADER_SLOT_time);
    room->uniforms[SHADER_SLOT_time] = 10;
    room->ir.ret[0] = binary(room, SHADER_OP_ADD, u, time);
    room->ir.ret[1] = shader_ir_unary(&room->ir, SHADER_OP_FLOOR, u);
    room->ir.ret[2] = shader_ir_select(&room->ir, binary(room, SHADER_OP_LT, u, number(room, 0.5f)),
                                       number(room, 7), u);
    for (int pass = 0; pass < 2; pass++) {
        run(room);
        expect(room, 0, 11, 8, 13.5f, 10);
        expect(room, 1, 1, -2, 3, 0);
        expect(room, 2, 1, 7, 3.5f, 7);
        shader_ir_finish(&room->ir);
    }
}

/* Sums the whole numbers below u; pixels leave one after the other, carries change at once. */
static void loops_per_pixel(void **state)
{
    struct room *room = *state;
    struct shader_ir *ir = &room->ir;
    set_input(room, SHADER_INPUT_U, 0, 1, 4, 6);
    set_input(room, SHADER_INPUT_V, 1, 1, 1, -1);
    const shader_value u = input(room, SHADER_INPUT_U);
    const shader_value entered =
        binary(room, SHADER_OP_LT, number(room, 0), input(room, SHADER_INPUT_V));
    const shader_value zero = number(room, 0);
    const shader_value minus = number(room, -1);
    shader_ir_loop(ir, entered);
    const shader_value k = shader_ir_carry(ir, zero);
    const shader_value sum = shader_ir_carry(ir, zero);
    const shader_value before = shader_ir_carry(ir, minus);
    shader_ir_while(ir, binary(room, SHADER_OP_LT, k, u));
    shader_ir_carry_next(ir, sum, binary(room, SHADER_OP_ADD, sum, k));
    shader_ir_carry_next(ir, before, k);
    shader_ir_carry_next(ir, k, binary(room, SHADER_OP_ADD, k, number(room, 1)));
    shader_ir_endloop(ir);
    ir->ret[0] = sum;
    ir->ret[1] = before;
    ir->ret[2] = k;
    for (int pass = 0; pass < 2; pass++) {
        run(room);
        expect(room, 0, 0, 0, 6, 0);
        expect(room, 1, -1, 0, 3, -1);
        expect(room, 2, 0, 1, 4, 0);
        shader_ir_finish(ir);
    }
}

static void budget_ends_loops(void **state)
{
    struct room *room = *state;
    struct shader_ir *ir = &room->ir;
    set_input(room, SHADER_INPUT_U, 1, 1, 0, 1);
    const shader_value u = input(room, SHADER_INPUT_U);
    const shader_value zero = number(room, 0);
    shader_ir_loop(ir, shader_ir_truth(ir, true));
    const shader_value k = shader_ir_carry(ir, zero);
    shader_ir_while(ir, binary(room, SHADER_OP_LT, number(room, 0), u));
    shader_ir_carry_next(ir, k, binary(room, SHADER_OP_ADD, k, number(room, 1)));
    shader_ir_endloop(ir);
    ir->ret[0] = k;
    check_rules(ir);
    assert_false(shader_reference_run(ir, &room->run));
    assert_true(room->run.ret[0][0] > 1000);
    assert_true(room->run.ret[0][2] == 0);
}

static void bind_textures(struct room *room)
{
    for (size_t k = 0; k < room->ir.binding_count; k++) {
        room->textures[k] =
            room->ir.bindings[k].volume ? &room->volume.texture : &room->picture.texture;
        if (strcmp(room->ir.bindings[k].name, "nothing") == 0) {
            room->textures[k] = NULL;
        }
    }
}

/* The four pixels are a quad of their own: each reads its texel. */
static void reads_quads(void **state)
{
    struct room *room = *state;
    struct shader_ir *ir = &room->ir;
    unsigned fetch;
    unsigned binding;
    const struct shader_sampler nearest = {.linear = false, .address = SHADER_REPEAT};
    assert_true(shader_ir_fetch(ir, "picture", false, nearest, &fetch));
    assert_true(shader_ir_binding(ir, "picture", false, &binding));
    set_input(room, SHADER_INPUT_U, 0.5f / PICTURE, 1.5f / PICTURE, 0.5f / PICTURE, 1.5f / PICTURE);
    set_input(room, SHADER_INPUT_V, 0.5f / PICTURE, 0.5f / PICTURE, 1.5f / PICTURE, 1.5f / PICTURE);
    const shader_value at[2] = {input(room, SHADER_INPUT_U), input(room, SHADER_INPUT_V)};
    const shader_value read = shader_ir_read(ir, SHADER_OP_READ2, fetch, at);
    ir->ret[0] = shader_ir_part(ir, read, 0);
    ir->ret[1] = shader_ir_part(ir, read, 2);
    ir->ret[2] = shader_ir_indexed(ir, SHADER_OP_UNIFORM, SHADER_SLOTS + 4 * binding + 2);
    bind_textures(room);
    run(room);
    const struct shader_level *level = &room->picture.texture.level[0];
    for (size_t k = 0; k < 4; k++) {
        const uint32_t texel = level->texels[k % 2 + k / 2 * level->pitch];
        assert_float_equal(room->run.ret[0][k], (float)(texel >> 16 & 255) / 255, 1e-6);
        assert_float_equal(room->run.ret[1][k], (float)(texel & 255) / 255, 1e-6);
    }
    expect(room, 2, 1.0f / PICTURE, 1.0f / PICTURE, 1.0f / PICTURE, 1.0f / PICTURE);
}

/* A condition that differs within the quad takes both sides, one that does not leaves one out;
 * either way each pixel has its own. */
static void parts_per_pixel(void **state)
{
    struct room *room = *state;
    struct shader_ir *ir = &room->ir;
    const shader_value u = input(room, SHADER_INPUT_U);
    const shader_value condition = binary(room, SHADER_OP_LT, u, number(room, 2));
    shader_ir_if(ir, condition);
    const shader_value first = shader_ir_unary(ir, SHADER_OP_SIN, u);
    shader_ir_else(ir);
    const shader_value second = shader_ir_unary(ir, SHADER_OP_EXP2, u);
    shader_ir_endif(ir);
    ir->ret[0] = shader_ir_select(ir, condition, first, second);
    static const float quads[3][4] = {{0, 1, 0, 1}, {3, 4, 5, 6}, {0, 3, 4, 1}};
    for (int pass = 0; pass < 2; pass++) {
        for (size_t q = 0; q < 3; q++) {
            const float *x = quads[q];
            set_input(room, SHADER_INPUT_U, x[0], x[1], x[2], x[3]);
            run(room);
            for (size_t k = 0; k < 4; k++) {
                const float wanted = x[k] < 2 ? sinf(x[k]) : exp2f(x[k]);
                assert_float_equal(room->run.ret[0][k], wanted, 1e-4);
            }
        }
        shader_ir_finish(ir);
    }
}

/* The makers' folds keep what an operation computes: each value is made by a maker, and beside it
 * computed from what its operands were computed to. */

enum { SHADOWS = 60 };
struct shadow {
    shader_value value;
    float lane[4];
};

struct shadows {
    struct room *room;
    struct shadow list[2][SHADOWS]; /* floats, truths */
    uint32_t count[2];
};

static const struct shadow *pick(struct shadows *shadows, char kind)
{
    const size_t which = kind == 'B';
    return &shadows->list[which][random_below(&shadows->room->rng, shadows->count[which])];
}

static void keep(struct shadows *shadows, const struct shadow *made)
{
    const size_t which = shader_ir_kind(&shadows->room->ir, made->value) == SHADER_KIND_B;
    shadows->list[which][shadows->count[which]++] = *made;
}

static void keep_leaves(struct shadows *shadows)
{
    static const float numbers[] = {0, 1, -1, 0.5f, 2, -4, 3};
    struct room *room = shadows->room;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        const float x = numbers[k];
        keep(shadows, &(struct shadow){number(room, x), {x, x, x, x}});
    }
    for (unsigned k = 0; k < 4; k++) {
        struct shadow made = {.value = input(room, k)};
        for (size_t lane = 0; lane < 4; lane++) {
            made.lane[lane] = room->run.input[k][lane] =
                (float)((double)base_rng_next(&room->rng) * 0x1p-30 - 2);
        }
        keep(shadows, &made);
    }
    keep(shadows, &(struct shadow){shader_ir_truth(&room->ir, true), {1, 1, 1, 1}});
    keep(shadows, &(struct shadow){shader_ir_truth(&room->ir, false), {0, 0, 0, 0}});
}

static void shadow_one(struct shadows *shadows)
{
    /* All that keeps numbers finite and does not tell 0 from -0. */
    static const enum shader_op ops[] = {
        SHADER_OP_ADD,    SHADER_OP_SUB,   SHADER_OP_MUL,  SHADER_OP_DIV,    SHADER_OP_MIN,
        SHADER_OP_MAX,    SHADER_OP_NEG,   SHADER_OP_ABS,  SHADER_OP_FLOOR,  SHADER_OP_CEIL,
        SHADER_OP_TRUNC,  SHADER_OP_ROUND, SHADER_OP_FRAC, SHADER_OP_SQRT,   SHADER_OP_SIN,
        SHADER_OP_COS,    SHADER_OP_LT,    SHADER_OP_LE,   SHADER_OP_EQ,     SHADER_OP_NE,
        SHADER_OP_AND,    SHADER_OP_OR,    SHADER_OP_NOT,  SHADER_OP_SELECT, SHADER_OP_CHOOSE,
        SHADER_OP_SELECT, SHADER_OP_NEG,   SHADER_OP_ABS,
    };
    struct shader_ir *ir = &shadows->room->ir;
    const enum shader_op op = ops[random_below(&shadows->room->rng, sizeof ops / sizeof *ops)];
    const struct shadow *operand[3] = {NULL, NULL, NULL};
    const size_t arity = shader_op_arity(op);
    for (size_t k = 0; k < arity; k++) {
        operand[k] = pick(shadows, shader_ops[op].arguments[k]);
    }
    if (op == SHADER_OP_DIV) {
        operand[1] = &shadows->list[0][4 + random_below(&shadows->room->rng, 3)];
    }
    struct shadow made;
    for (size_t lane = 0; lane < 4; lane++) {
        float numbers[3] = {0, 0, 0};
        for (size_t k = 0; k < arity; k++) {
            numbers[k] = operand[k]->lane[lane];
        }
        made.lane[lane] = shader_op_compute(op, numbers);
        if (!(fabsf(made.lane[lane]) < 1e9f)) {
            return;
        }
    }
    made.value = arity == 1   ? shader_ir_unary(ir, op, operand[0]->value)
                 : arity == 2 ? shader_ir_binary(ir, op, operand[0]->value, operand[1]->value)
                              : shader_ir_select(ir, operand[0]->value, operand[1]->value,
                                                 operand[2]->value);
    keep(shadows, &made);
}

static void check_shadows(struct shadows *shadows)
{
    struct room *room = shadows->room;
    for (uint32_t k = 0; k < shadows->count[0]; k++) {
        const struct shadow *shadow = &shadows->list[0][k];
        room->ir.ret[0] = shadow->value;
        run(room);
        expect(room, 0, shadow->lane[0], shadow->lane[1], shadow->lane[2], shadow->lane[3]);
    }
    /* Truths show as numbers; through makers that may know more by now. */
    for (uint32_t k = 0; k < shadows->count[1]; k++) {
        const struct shadow *shadow = &shadows->list[1][k];
        room->ir.ret[0] =
            shader_ir_select(&room->ir, shadow->value, number(room, 1), number(room, 0));
        run(room);
        expect(room, 0, shadow->lane[0], shadow->lane[1], shadow->lane[2], shadow->lane[3]);
    }
}

static void folds_keep_results(void **state)
{
    struct room *room = *state;
    for (int k = 0; k < 400; k++) {
        base_arena_free(&room->arena);
        shader_ir_init(&room->ir, &room->arena);
        struct shadows shadows = {.room = room};
        keep_leaves(&shadows);
        for (int n = 0; n < 60 && shadows.count[0] < SHADOWS && shadows.count[1] < SHADOWS; n++) {
            shadow_one(&shadows);
        }
        check_shadows(&shadows);
    }
}

/* The passes keep what a program computes. */

static void fill_inputs(struct room *room)
{
    for (size_t k = 0; k < SHADER_INPUTS; k++) {
        const float scale = random_below(&room->rng, 2) == 0 ? 1 : 6;
        for (size_t lane = 0; lane < 4; lane++) {
            room->run.input[k][lane] = (float)base_rng_next(&room->rng) * 0x1p-32f * scale - 0.25f;
        }
    }
    for (size_t k = 0; k < SHADER_SLOTS; k++) {
        room->uniforms[k] = (float)((double)base_rng_next(&room->rng) * 0x1p-30 - 2);
    }
}

enum { QUADS = 6 };

static void try_program(struct room *room, const struct random_shape *shape)
{
    static struct shader_reference before[QUADS];
    static float uniforms[QUADS][SHADER_SLOTS];
    random_program(&room->ir, &room->rng, shape);
    bind_textures(room);
    for (size_t q = 0; q < QUADS; q++) {
        fill_inputs(room);
        run(room);
        before[q] = room->run;
        memcpy(uniforms[q], room->uniforms, sizeof room->uniforms);
    }
    shader_ir_finish(&room->ir);
    bind_textures(room);
    for (size_t q = 0; q < QUADS; q++) {
        memcpy(room->uniforms, uniforms[q], sizeof room->uniforms);
        memcpy(room->run.input, before[q].input, sizeof room->run.input);
        run(room);
        for (size_t k = 0; k < 3; k++) {
            const float *quad = before[q].ret[k];
            assert_true(isfinite(quad[0]));
            expect(room, k, quad[0], quad[1], quad[2], quad[3]);
        }
    }
}

static void try_shape(struct room *room, const struct random_shape *shape, int programs)
{
    for (int k = 0; k < programs; k++) {
        base_arena_free(&room->arena);
        shader_ir_init(&room->ir, &room->arena);
        try_program(room, shape);
    }
}

static void passes_keep_straight_code(void **state)
{
    try_shape(*state, &(struct random_shape){.operations = 20, .tame = true}, 300);
    try_shape(*state, &(struct random_shape){.operations = 200, .reads = 5, .tame = true}, 30);
}

static void passes_keep_parts(void **state)
{
    try_shape(*state, &(struct random_shape){.operations = 12, .parts = 30, .tame = true}, 300);
    try_shape(*state,
              &(struct random_shape){.operations = 40, .parts = 15, .reads = 10, .tame = true}, 60);
}

static void passes_keep_loops(void **state)
{
    try_shape(*state, &(struct random_shape){.operations = 8, .loops = 25, .tame = true}, 300);
    try_shape(*state,
              &(struct random_shape){
                  .operations = 14, .loops = 12, .parts = 15, .reads = 6, .tame = true},
              200);
}

int main(void)
{
#define ROOM_TEST(test) cmocka_unit_test_setup_teardown(test, open_room, close_room)
    const struct CMUnitTest tests[] = {
        ROOM_TEST(computes_per_pixel),        ROOM_TEST(loops_per_pixel),
        ROOM_TEST(budget_ends_loops),         ROOM_TEST(reads_quads),
        ROOM_TEST(parts_per_pixel),           ROOM_TEST(folds_keep_results),
        ROOM_TEST(passes_keep_straight_code), ROOM_TEST(passes_keep_parts),
        ROOM_TEST(passes_keep_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
