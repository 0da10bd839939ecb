/* Code and its executor: what a program computes over tiles is what its definition computes quad
 * by quad, at every level of the processor, bit for bit. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "renderer/shader/code/code.h"
#include "renderer/shader/native/native.h"
#include "renderer/shader/run/kernels.h"
#include "renderer/shader/shader.h"
#include "test_renderer_shader_random.h"

enum { PICTURE = 32, VOLUME = 8, GUARD = 64, CANARY = 0xA5 };

struct room {
    struct shader_image picture;
    struct shader_image volume;
    struct base_rng rng;
};

static int open_room(void **state)
{
    static uint32_t texels[PICTURE * PICTURE];
    struct room *room = calloc(1, sizeof *room);
    assert_non_null(room);
    base_rng_seed(&room->rng, 20, 6);
    for (size_t i = 0; i < PICTURE * PICTURE; i++) {
        texels[i] = base_rng_next(&room->rng);
    }
    assert_int_equal(0, shader_image_create(&room->picture, texels, PICTURE, PICTURE, PICTURE, 1));
    assert_int_equal(0, shader_image_create(&room->volume, texels, VOLUME, VOLUME, VOLUME, VOLUME));
    *state = room;
    return 0;
}

static int close_room(void **state)
{
    struct room *room = *state;
    shader_image_free(&room->picture);
    shader_image_free(&room->volume);
    free(room);
    return 0;
}

/* Memory with bytes around it that nobody may write. */
static unsigned char *guarded_alloc(size_t size)
{
    unsigned char *memory = aligned_alloc(64, size + 2 * GUARD);
    assert_non_null(memory);
    memset(memory, CANARY, size + 2 * GUARD);
    return memory + GUARD;
}

static void guarded_free(unsigned char *memory, size_t size)
{
    for (size_t i = 0; i < GUARD; i++) {
        assert_int_equal(CANARY, memory[size + i]);
        assert_int_equal(CANARY, memory[i - GUARD]);
    }
    free(memory - GUARD);
}

struct tile {
    float input[SHADER_INPUTS][SHADER_TILE];
    float ret[3][SHADER_TILE];
    bool whole;
};

static void open_program(struct shader_program *program)
{
    *program = (struct shader_program){.stage = SHADER_WARP};
    shader_ir_init(&program->ir, &program->arena);
}

static void close_program(struct shader_program *program)
{
    shader_native_free(program);
    base_arena_free(&program->arena);
}

static void finish_program(struct shader_program *program)
{
    shader_ir_finish(&program->ir);
    assert_false(program->ir.failed);
    const char *wrong = shader_ir_verify(&program->ir);
    if (wrong != NULL) {
        fail_msg("%s", wrong);
    }
    assert_true(shader_emit(program));
}

/* One texture of each kind stays unbound. */
static void bind_textures(const struct room *room, const struct shader_program *program,
                          const struct shader_texture **textures)
{
    const struct shader_binding *bindings;
    const size_t count = shader_bindings(program, &bindings);
    for (size_t i = 0; i < count; i++) {
        textures[i] = bindings[i].volume ? &room->volume.texture : &room->picture.texture;
        if (strcmp(bindings[i].name, "nothing") == 0) {
            textures[i] = NULL;
        }
    }
}

static void fill_frame(struct room *room, struct shader_frame *frame)
{
    for (size_t i = 0; i < SHADER_SLOTS; i++) {
        frame->uniforms[i] = (float)((double)base_rng_next(&room->rng) * 0x1p-30 - 2);
    }
    bind_textures(room, frame->program, frame->textures);
}

static void fill_tile(struct base_rng *rng, struct tile *tile)
{
    static const float odd[] = {NAN, INFINITY, -INFINITY, 1e30f, -0.0f, 1e-40f};
    for (size_t k = 0; k < SHADER_INPUTS; k++) {
        const float scale = random_below(rng, 2) == 0 ? 1 : 6;
        for (size_t i = 0; i < SHADER_TILE; i++) {
            tile->input[k][i] = (float)base_rng_next(rng) * 0x1p-32f * scale - 0.25f;
            if (random_below(rng, 200) == 0) {
                tile->input[k][i] = odd[random_below(rng, sizeof odd / sizeof *odd)];
            }
        }
    }
}

/* The places of the pixels are a grid (shader.h). */
static void place_pixels(struct tile *tile, enum shader_stage stage)
{
    float *u = tile->input[stage == SHADER_COMP ? SHADER_INPUT_U : SHADER_INPUT_U_ORIG];
    float *v = tile->input[stage == SHADER_COMP ? SHADER_INPUT_V : SHADER_INPUT_V_ORIG];
    for (size_t i = 0; i < SHADER_TILE; i++) {
        u[i] = u[i % SHADER_TILE_COLUMNS];
        v[i] = v[i / SHADER_TILE_COLUMNS * SHADER_TILE_COLUMNS];
    }
}

static void run_level(const struct shader_frame *given, enum base_cpu_level level,
                      struct tile *numbers)
{
    struct shader_frame frame = *given;
    const size_t constants_size = shader_constants_size(frame.program);
    const size_t scratch_size = shader_scratch_size(frame.program);
    unsigned char *constants = guarded_alloc(constants_size);
    unsigned char *scratch = guarded_alloc(scratch_size);
    frame.cpu = level;
    frame.constants = (float *)(void *)constants;
    shader_prepare(&frame);
    struct shader_tile tile = shader_tile(&frame, scratch);
    for (size_t i = 0; i < SHADER_INPUTS; i++) {
        assert_int_equal(tile.input[i] != NULL, shader_reads_input(frame.program, i));
        if (tile.input[i] != NULL) {
            memcpy(tile.input[i], numbers->input[i], sizeof numbers->input[i]);
        }
    }
    numbers->whole = shader_run(&frame, scratch, &tile);
    for (int i = 0; i < 3; i++) {
        memcpy(numbers->ret[i], tile.ret[i], sizeof numbers->ret[i]);
    }
    guarded_free(constants, constants_size);
    guarded_free(scratch, scratch_size);
}

static void run_reference(const struct shader_frame *frame, struct tile *numbers)
{
    numbers->whole = true;
    for (size_t first = 0; first < SHADER_TILE_COLUMNS; first += 2) {
        const size_t lanes[] = {first, first + 1, first + SHADER_TILE_COLUMNS,
                                first + SHADER_TILE_COLUMNS + 1};
        struct shader_reference reference = {.uniforms = frame->uniforms,
                                             .textures = frame->textures};
        for (int k = 0; k < 4; k++) {
            for (size_t i = 0; i < SHADER_INPUTS; i++) {
                reference.input[i][k] = numbers->input[i][lanes[k]];
            }
        }
        numbers->whole &= shader_reference_run(&frame->program->ir, &reference);
        for (int k = 0; k < 4; k++) {
            for (int i = 0; i < 3; i++) {
                numbers->ret[i][lanes[k]] = reference.ret[i][k];
            }
        }
    }
}

static bool same_number(float a, float b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static void assert_same(const struct shader_program *program, const struct tile *wanted,
                        const struct tile *got, const char *level)
{
    assert_int_equal(wanted->whole, got->whole);
    for (int i = 0; i < 3; i++) {
        for (size_t k = 0; k < SHADER_TILE; k++) {
            if (!same_number(wanted->ret[i][k], got->ret[i][k])) {
                struct base_arena arena = {.newest = NULL};
                const char *dump = shader_dump(program, &arena);
                print_error("%s\n", dump == NULL ? "" : dump);
                base_arena_free(&arena);
                fail_msg("%s: ret %d lane %zu: %a, not %a", level, i, k, (double)got->ret[i][k],
                         (double)wanted->ret[i][k]);
            }
        }
    }
}

/* With kernels alone, then with machine code. */
static void compare_levels(struct room *room, struct shader_program *program)
{
    static struct tile wanted;
    static struct tile got;
    struct shader_frame frame = {.program = program};
    fill_frame(room, &frame);
    fill_tile(&room->rng, &wanted);
    place_pixels(&wanted, program->stage);
    got = wanted;
    run_reference(&frame, &wanted);
    for (int level = 0; level <= (int)base_cpu_best(); level++) {
        run_level(&frame, (enum base_cpu_level)level, &got);
        assert_same(program, &wanted, &got, base_cpu_level_name((enum base_cpu_level)level));
    }
    shader_native_make(program);
    for (int level = BASE_CPU_AVX2; level <= (int)base_cpu_best(); level++) {
        run_level(&frame, (enum base_cpu_level)level, &got);
        assert_same(program, &wanted, &got, base_cpu_level_name((enum base_cpu_level)level));
    }
}

static void try_shape(struct room *room, const struct random_shape *shape, int programs)
{
    for (int i = 0; i < programs; i++) {
        struct shader_program program;
        open_program(&program);
        random_program(&program.ir, &room->rng, shape);
        finish_program(&program);
        compare_levels(room, &program);
        close_program(&program);
    }
}

static void test_straight(void **state)
{
    try_shape(*state, &(struct random_shape){.operations = 12}, 200);
    try_shape(*state, &(struct random_shape){.operations = 60}, 100);
    try_shape(*state, &(struct random_shape){.operations = 400}, 20);
}

static void test_reads(void **state)
{
    try_shape(*state, &(struct random_shape){.operations = 30, .reads = 20}, 150);
    try_shape(*state, &(struct random_shape){.operations = 200, .reads = 5}, 20);
}

static void test_parts(void **state)
{
    try_shape(*state, &(struct random_shape){.operations = 12, .parts = 30}, 200);
    try_shape(*state, &(struct random_shape){.operations = 25, .parts = 10, .reads = 10}, 100);
}

static void test_loops(void **state)
{
    try_shape(*state, &(struct random_shape){.operations = 8, .loops = 25}, 200);
    try_shape(*state,
              &(struct random_shape){.operations = 12, .loops = 12, .parts = 12, .reads = 6}, 150);
}

static shader_value input(struct shader_ir *ir, enum shader_input which)
{
    return shader_ir_indexed(ir, SHADER_OP_INPUT, which);
}

static size_t count_code(const struct shader_program *program, enum shader_code_op op)
{
    size_t count = 0;
    for (size_t i = 0; i < program->pixel_count; i++) {
        count += program->pixel[i].op == op ? 1 : 0;
    }
    return count;
}

/* More numbers than the processor has registers are asked for in turn, twice. */
static void test_many_numbers(void **state)
{
    enum { NUMBERS = 80 };
    struct shader_program program;
    open_program(&program);
    struct shader_ir *ir = &program.ir;
    shader_value number[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) {
        const shader_value factor = shader_ir_number(ir, 1 + (float)i);
        const shader_value c = input(ir, i % 2 == 0 ? SHADER_INPUT_RAD : SHADER_INPUT_ANG);
        number[i] = shader_ir_binary(ir, SHADER_OP_DIV, c, factor);
    }
    for (int part = 0; part < 3; part++) {
        shader_value sum = number[part];
        for (int i = 0; i < NUMBERS; i++) {
            const int at = part == 1 ? NUMBERS - 1 - i : i;
            const enum shader_op op = i % 3 == 0 ? SHADER_OP_MAX : SHADER_OP_SUB;
            sum = shader_ir_binary(ir, op, number[at], sum);
        }
        ir->ret[part] = sum;
    }
    finish_program(&program);
    compare_levels(*state, &program);
    for (int level = BASE_CPU_AVX2; level <= (int)base_cpu_best(); level++) {
        assert_non_null(program.native[level].run);
    }
    close_program(&program);
}

static void test_pairs(void **state)
{
    enum { NONE = SHADER_OP_COUNT };
    static const struct {
        unsigned outer;
        unsigned left; /* operation of the outer one's operands, or NONE */
        unsigned right;
        enum shader_code_op pair;
        size_t count; /* of all instructions */
    } rows[] = {
        {SHADER_OP_ADD, SHADER_OP_MUL, NONE, SHADER_CODE_MUL_ADD, 1},
        {SHADER_OP_ADD, NONE, SHADER_OP_MUL, SHADER_CODE_MUL_ADD, 1},
        {SHADER_OP_ADD, SHADER_OP_MUL, SHADER_OP_MUL, SHADER_CODE_MUL_MUL_SUM, 1},
        {SHADER_OP_SUB, SHADER_OP_MUL, SHADER_OP_MUL, SHADER_CODE_MUL_MUL_DIF, 1},
        {SHADER_OP_SUB, SHADER_OP_MUL, NONE, SHADER_CODE_MUL_SUB, 1},
        {SHADER_OP_SUB, NONE, SHADER_OP_MUL, SHADER_CODE_SUB_MUL, 1},
        {SHADER_OP_MUL, SHADER_OP_MUL, NONE, SHADER_CODE_MUL_MUL, 1},
        {SHADER_OP_MUL, SHADER_OP_ADD, NONE, SHADER_CODE_ADD_MUL, 1},
        {SHADER_OP_MUL, NONE, SHADER_OP_SUB, SHADER_CODE_DIF_MUL, 1},
        {SHADER_OP_ADD, SHADER_OP_ADD, NONE, SHADER_CODE_ADD_ADD, 1},
        {SHADER_OP_MIN, SHADER_OP_MAX, NONE, SHADER_CODE_CLAMP, 1},
        {SHADER_OP_MIN, NONE, SHADER_OP_MAX, SHADER_CODE_CLAMP, 2},
        {SHADER_OP_MAX, SHADER_OP_MIN, NONE, SHADER_CODE_MAX, 2},
        {SHADER_OP_DIV, SHADER_OP_MUL, NONE, SHADER_CODE_DIV, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct shader_program program;
        open_program(&program);
        struct shader_ir *ir = &program.ir;
        shader_value sides[2] = {input(ir, SHADER_INPUT_U), input(ir, SHADER_INPUT_V)};
        if (rows[i].left != NONE) {
            sides[0] = shader_ir_binary(ir, (enum shader_op)rows[i].left, sides[0],
                                        input(ir, SHADER_INPUT_RAD));
        }
        if (rows[i].right != NONE) {
            sides[1] = shader_ir_binary(ir, (enum shader_op)rows[i].right, sides[1],
                                        input(ir, SHADER_INPUT_ANG));
        }
        ir->ret[0] = shader_ir_binary(ir, (enum shader_op)rows[i].outer, sides[0], sides[1]);
        ir->ret[1] = ir->ret[2] = ir->ret[0];
        finish_program(&program);
        const bool later = rows[i].outer == SHADER_OP_MIN && rows[i].left == NONE;
        assert_int_equal(later ? 0 : 1, count_code(&program, rows[i].pair));
        assert_int_equal(rows[i].count, program.pixel_count);
        compare_levels(*state, &program);
        close_program(&program);
    }
}

/* ((u first rad) second ang) third v, or reversed v third that. */
static void test_triples(void **state)
{
    static const struct {
        enum shader_op first;
        enum shader_op second;
        enum shader_op third;
        bool reversed;
        enum shader_code_op triple;
        size_t count; /* of all instructions */
    } rows[] = {
        {SHADER_OP_MUL, SHADER_OP_MUL, SHADER_OP_ADD, false, SHADER_CODE_MUL_MUL_ADD, 1},
        {SHADER_OP_MUL, SHADER_OP_MUL, SHADER_OP_ADD, true, SHADER_CODE_MUL_MUL_ADD, 1},
        {SHADER_OP_ADD, SHADER_OP_MUL, SHADER_OP_ADD, false, SHADER_CODE_ADD_MUL_ADD, 1},
        {SHADER_OP_SUB, SHADER_OP_MUL, SHADER_OP_ADD, true, SHADER_CODE_DIF_MUL_ADD, 1},
        {SHADER_OP_MUL, SHADER_OP_ADD, SHADER_OP_ADD, false, SHADER_CODE_MUL_ADD_ADD, 1},
        {SHADER_OP_MUL, SHADER_OP_ADD, SHADER_OP_SUB, false, SHADER_CODE_MUL_ADD_SUB, 1},
        {SHADER_OP_MUL, SHADER_OP_ADD, SHADER_OP_SUB, true, SHADER_CODE_MUL_ADD, 2},
        {SHADER_OP_MUL, SHADER_OP_ADD, SHADER_OP_MUL, true, SHADER_CODE_MUL_ADD_MUL, 1},
        {SHADER_OP_MUL, SHADER_OP_MUL, SHADER_OP_SUB, false, SHADER_CODE_MUL_MUL, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct shader_program program;
        open_program(&program);
        struct shader_ir *ir = &program.ir;
        const shader_value v = input(ir, SHADER_INPUT_V);
        const shader_value first = shader_ir_binary(ir, rows[i].first, input(ir, SHADER_INPUT_U),
                                                    input(ir, SHADER_INPUT_RAD));
        const shader_value second =
            shader_ir_binary(ir, rows[i].second, first, input(ir, SHADER_INPUT_ANG));
        ir->ret[0] = shader_ir_binary(ir, rows[i].third, rows[i].reversed ? v : second,
                                      rows[i].reversed ? second : v);
        ir->ret[1] = ir->ret[2] = ir->ret[0];
        finish_program(&program);
        assert_int_equal(1, count_code(&program, rows[i].triple));
        assert_int_equal(rows[i].count, program.pixel_count);
        compare_levels(*state, &program);
        close_program(&program);
    }
}

/* A value with two users is not computed twice. */
static void test_pair_used_twice(void **state)
{
    struct shader_program program;
    open_program(&program);
    struct shader_ir *ir = &program.ir;
    const shader_value product =
        shader_ir_binary(ir, SHADER_OP_MUL, input(ir, SHADER_INPUT_U), input(ir, SHADER_INPUT_V));
    ir->ret[0] = shader_ir_binary(ir, SHADER_OP_ADD, product, input(ir, SHADER_INPUT_RAD));
    ir->ret[1] = shader_ir_binary(ir, SHADER_OP_ADD, product, input(ir, SHADER_INPUT_ANG));
    ir->ret[2] = input(ir, SHADER_INPUT_U);
    finish_program(&program);
    assert_int_equal(3, program.pixel_count);
    assert_int_equal(0, count_code(&program, SHADER_CODE_MUL_ADD));
    compare_levels(*state, &program);
    close_program(&program);
}

/* What is the same for all pixels is computed once, and copied where it is the result. */
static void test_frame_program(void **state)
{
    struct shader_program program;
    open_program(&program);
    struct shader_ir *ir = &program.ir;
    const shader_value time = shader_ir_indexed(ir, SHADER_OP_UNIFORM, SHADER_SLOT_time);
    const shader_value wave = shader_ir_unary(ir, SHADER_OP_SIN, time);
    unsigned fetch = 0;
    assert_true(
        shader_ir_fetch(ir, "noise_lq", false, (struct shader_sampler){.linear = true}, &fetch));
    const shader_value read =
        shader_ir_read(ir, SHADER_OP_READ2, fetch, (const shader_value[]){wave, time});
    ir->ret[0] = wave;
    ir->ret[1] = shader_ir_part(ir, read, 1);
    ir->ret[2] = shader_ir_number(ir, 0.5f);
    finish_program(&program);
    assert_int_equal(2, program.frame_count);
    assert_int_equal(3, program.pixel_count);
    assert_int_equal(3, count_code(&program, SHADER_CODE_COPY));
    assert_int_equal(2, shader_stats(&program).frame_operations);
    compare_levels(*state, &program);
    close_program(&program);
}

static void test_sizes(void **state)
{
    struct room *room = *state;
    static const float wanted[] = {PICTURE, PICTURE, 1.0f / PICTURE};
    struct shader_program program;
    open_program(&program);
    unsigned binding = 0;
    assert_true(shader_ir_binding(&program.ir, "main", false, &binding));
    for (unsigned i = 0; i < 3; i++) {
        program.ir.ret[i] =
            shader_ir_indexed(&program.ir, SHADER_OP_UNIFORM, SHADER_SLOTS + 4 * binding + i);
    }
    finish_program(&program);
    struct tile tile;
    struct shader_frame frame = {.program = &program};
    fill_frame(room, &frame);
    run_level(&frame, BASE_CPU_PLAIN, &tile);
    for (int i = 0; i < 3; i++) {
        assert_true(same_number(wanted[i], tile.ret[i][SHADER_TILE - 1]));
    }
    assert_int_equal(0, shader_blur_levels(&program));
    close_program(&program);
}

/* Three carries that go round in a ring and one that follows them. */
static void test_ring(void **state)
{
    struct shader_program program;
    open_program(&program);
    struct shader_ir *ir = &program.ir;
    const shader_value one = shader_ir_number(ir, 1);
    const shader_value end = shader_ir_binary(
        ir, SHADER_OP_MIN,
        shader_ir_binary(ir, SHADER_OP_MUL, input(ir, SHADER_INPUT_U), shader_ir_number(ir, 9)),
        shader_ir_number(ir, 20));
    shader_value starts[4];
    shader_value carries[4];
    for (unsigned i = 0; i < 4; i++) {
        starts[i] = input(ir, SHADER_INPUT_V + i);
    }
    shader_ir_loop(ir, shader_ir_truth(ir, true));
    const shader_value round = shader_ir_carry(ir, shader_ir_number(ir, 0));
    for (unsigned i = 0; i < 4; i++) {
        carries[i] = shader_ir_carry(ir, starts[i]);
    }
    shader_ir_while(ir, shader_ir_binary(ir, SHADER_OP_LT, round, end));
    for (unsigned i = 0; i < 4; i++) {
        shader_ir_carry_next(ir, carries[i], carries[i < 3 ? (i + 1) % 3 : 0]);
    }
    shader_ir_carry_next(ir, round, shader_ir_binary(ir, SHADER_OP_ADD, round, one));
    shader_ir_endloop(ir);
    ir->ret[0] = shader_ir_binary(ir, SHADER_OP_SUB, carries[0], carries[1]);
    ir->ret[1] = shader_ir_binary(ir, SHADER_OP_MUL, carries[1], carries[3]);
    ir->ret[2] = carries[2];
    finish_program(&program);
    assert_int_equal(1, count_code(&program, SHADER_CODE_ROUND_END));
    assert_int_equal(5, count_code(&program, SHADER_CODE_SELECT));
    for (int i = 0; i < 20; i++) {
        compare_levels(*state, &program);
    }
    close_program(&program);
}

static void test_endless_loop_ends(void **state)
{
    struct shader_program program;
    open_program(&program);
    struct shader_ir *ir = &program.ir;
    const shader_value start = input(ir, SHADER_INPUT_U);
    const shader_value forever = shader_ir_binary(ir, SHADER_OP_LT, shader_ir_number(ir, -1e9f),
                                                  shader_ir_unary(ir, SHADER_OP_SIN, start));
    shader_ir_loop(ir, shader_ir_truth(ir, true));
    const shader_value sum = shader_ir_carry(ir, start);
    shader_ir_while(ir, forever);
    shader_ir_carry_next(ir, sum,
                         shader_ir_binary(ir, SHADER_OP_MUL, sum, shader_ir_number(ir, 0.99f)));
    shader_ir_endloop(ir);
    ir->ret[0] = ir->ret[1] = ir->ret[2] = sum;
    finish_program(&program);
    if (count_code(&program, SHADER_CODE_ROUND_END) == 0) {
        fail_msg("the loop is gone");
    }
    struct tile tile;
    struct shader_frame frame = {.program = &program};
    fill_frame(*state, &frame);
    memset(&tile, 0, sizeof tile);
    run_level(&frame, base_cpu_best(), &tile);
    assert_false(tile.whole);
    close_program(&program);
}

/* A part whose values are all the same for all pixels has nothing left to be jumped over. The
 * passes would take such parts away before. */
static void test_empty_parts(void **state)
{
    for (int filled = 0; filled < 4; filled++) {
        struct shader_program program;
        open_program(&program);
        struct shader_ir *ir = &program.ir;
        const shader_value u = input(ir, SHADER_INPUT_U);
        const shader_value truth = shader_ir_binary(ir, SHADER_OP_LT, u, input(ir, SHADER_INPUT_V));
        shader_value sides[2];
        shader_ir_if(ir, truth);
        sides[0] = shader_ir_number(ir, 3.5f);
        if ((filled & 1) != 0) {
            sides[0] = shader_ir_binary(ir, SHADER_OP_ADD, u, sides[0]);
        }
        shader_ir_else(ir);
        sides[1] = shader_ir_number(ir, 4.5f);
        if ((filled & 2) != 0) {
            sides[1] = shader_ir_binary(ir, SHADER_OP_DIV, u, sides[1]);
        }
        shader_ir_endif(ir);
        ir->ret[0] = shader_ir_select(ir, truth, sides[0], sides[1]);
        ir->ret[1] = ir->ret[2] = ir->ret[0];
        assert_null(shader_ir_verify(ir));
        assert_true(shader_emit(&program));
        assert_int_equal(filled & 1, count_code(&program, SHADER_CODE_JUMP_NONE));
        assert_int_equal(filled >> 1, count_code(&program, SHADER_CODE_JUMP_ALL));
        assert_int_equal(2 + 2 * (filled & 1) + 2 * (filled >> 1), program.pixel_count);
        for (int i = 0; i < 5; i++) {
            compare_levels(*state, &program);
        }
        close_program(&program);
    }
}

/* What is computed before a loop stays there, even where it would pair with its only user. */
static void test_pair_across_loop(void **state)
{
    struct shader_program program;
    open_program(&program);
    struct shader_ir *ir = &program.ir;
    const shader_value start = input(ir, SHADER_INPUT_U);
    const shader_value product =
        shader_ir_binary(ir, SHADER_OP_MUL, start, input(ir, SHADER_INPUT_V));
    shader_ir_loop(ir, shader_ir_truth(ir, true));
    const shader_value round = shader_ir_carry(ir, shader_ir_number(ir, 0));
    const shader_value sum = shader_ir_carry(ir, start);
    const shader_value end = shader_ir_number(ir, 7);
    shader_ir_while(ir, shader_ir_binary(ir, SHADER_OP_LT, round, end));
    shader_ir_carry_next(ir, sum, shader_ir_binary(ir, SHADER_OP_ADD, sum, product));
    shader_ir_carry_next(ir, round,
                         shader_ir_binary(ir, SHADER_OP_ADD, round, shader_ir_number(ir, 1)));
    shader_ir_endloop(ir);
    ir->ret[0] = ir->ret[1] = ir->ret[2] = sum;
    finish_program(&program);
    assert_int_equal(1, count_code(&program, SHADER_CODE_ROUND_END));
    assert_int_equal(1, count_code(&program, SHADER_CODE_MUL));
    assert_int_equal(0, count_code(&program, SHADER_CODE_MUL_ADD));
    compare_levels(*state, &program);
    close_program(&program);
}

/* Many values are alive at once only where they must be. */
static void test_registers_are_used_again(void **state)
{
    struct shader_program program;
    open_program(&program);
    struct shader_ir *ir = &program.ir;
    shader_value value = input(ir, SHADER_INPUT_U);
    for (int i = 0; i < 300; i++) {
        value = shader_ir_unary(ir, i % 2 == 0 ? SHADER_OP_SIN : SHADER_OP_EXP2, value);
    }
    ir->ret[0] = ir->ret[1] = ir->ret[2] = value;
    finish_program(&program);
    assert_int_equal(300, program.pixel_count);
    assert_int_equal(1, program.registers);
    compare_levels(*state, &program);
    close_program(&program);
}

static struct shader_program *compile(const char *text, struct base_diag_list *list)
{
    *list = (struct base_diag_list){.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(list);
    const struct base_source_line line = {base_span_of(text), 7, 9};
    const struct base_source source = {"tiny.milk", &line, 1};
    return shader_compile(SHADER_COMP, &source, &sink);
}

static void test_compile(void **state)
{
    struct base_diag_list list;
    struct shader_program *program =
        compile("shader_body { ret = GetBlur2(uv) + tex2D(sampler_noise_lq, uv * q1) * "
                "texsize_noise_lq.z; }",
                &list);
    assert_non_null(program);
    assert_int_equal(0, list.by_severity[BASE_ERROR]);
    const struct shader_stats stats = shader_stats(program);
    assert_int_equal(2, stats.reads);
    assert_int_equal(0, stats.loops);
    assert_true(stats.ms_per_megapixel > 0);
    assert_int_equal(2, shader_blur_levels(program));
    const struct shader_binding *bindings;
    assert_int_equal(2, shader_bindings(program, &bindings));
    assert_true(shader_reads_input(program, SHADER_INPUT_U));
    assert_false(shader_reads_input(program, SHADER_INPUT_RAD));
    assert_int_equal(0, shader_scratch_size(program) % 64);
    assert_int_equal(0, shader_constants_size(program) % 64);
    for (int i = 0; i < 5; i++) {
        compare_levels(*state, program);
    }
    shader_free(program);
}

static void test_compile_refuses(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "ret = 1;", "shader_body { ret = nobody; }",
                                        "shader_body { ret = }"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct base_diag_list list;
        assert_null(compile(texts[i], &list));
        assert_true(list.by_severity[BASE_ERROR] > 0);
    }
    shader_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight),
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_many_numbers),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_triples),
        cmocka_unit_test(test_pair_used_twice),
        cmocka_unit_test(test_frame_program),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_ring),
        cmocka_unit_test(test_endless_loop_ends),
        cmocka_unit_test(test_empty_parts),
        cmocka_unit_test(test_pair_across_loop),
        cmocka_unit_test(test_registers_are_used_again),
        cmocka_unit_test(test_compile),
        cmocka_unit_test(test_compile_refuses),
    };
    return cmocka_run_group_tests(tests, open_room, close_room);
}
