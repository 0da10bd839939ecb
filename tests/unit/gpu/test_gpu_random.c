/* Random programs on the first device there is, which may be one of software, beside the plain
 * definition: straight code, parts of IFs, reads of textures with one level, with several, and of
 * none; and every kind of read by itself, at coordinates of many kinds. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../renderer/shader/test_renderer_shader_random.h"
#include "base/arena.h"
#include "gpu/proof/numbers.h"
#include "renderer/shader/run/kernels.h"

enum { PICTURE = 37, VOLUME = 8, COLOURS = 3, QUAD = 4 };

struct room {
    struct gpu_device *device; /* NULL: there is none */
    struct shader_image picture;
    struct shader_image volume;
    struct shader_texture flat; /* the picture's first level alone */
    struct shader_texture one;  /* the same of either, opaque */
    struct base_rng rng;
    float input[SHADER_INPUTS][GPU_NUMBERS];
};

static int open_room(void **state)
{
    static uint32_t texels[PICTURE * PICTURE];
    struct gpu_about about[GPU_DEVICES_MAX];
    struct room *room = calloc(1, sizeof *room);
    assert_non_null(room);
    base_rng_seed(&room->rng, 28, 1);
    for (size_t i = 0; i < PICTURE * PICTURE; i++) {
        texels[i] = base_rng_next(&room->rng);
    }
    assert_int_equal(0, shader_image_create(&room->picture, texels, PICTURE, PICTURE, PICTURE, 1));
    assert_int_equal(0, shader_image_create(&room->volume, texels, VOLUME, VOLUME, VOLUME, VOLUME));
    room->flat = room->picture.texture;
    room->flat.levels = 1;
    room->device = gpu_list(about) > 0 ? gpu_open(about[0].key) : NULL;
    *state = room;
    return 0;
}

static int close_room(void **state)
{
    struct room *room = *state;
    gpu_close(room->device);
    shader_image_free(&room->picture);
    shader_image_free(&room->volume);
    free(room);
    return 0;
}

static void fill_inputs(struct room *room)
{
    static const float odd[] = {NAN, INFINITY, -INFINITY, 1e30f, -0.0f, 1e-40f, -1e-40f};
    for (size_t k = 0; k < SHADER_INPUTS; k++) {
        const float scale = random_below(&room->rng, 2) == 0 ? 1 : 6;
        for (size_t i = 0; i < GPU_NUMBERS; i++) {
            room->input[k][i] = (float)base_rng_next(&room->rng) * 0x1p-32f * scale - 0.25f;
            if (random_below(&room->rng, 50) == 0) {
                room->input[k][i] = odd[random_below(&room->rng, sizeof odd / sizeof *odd)];
            }
        }
    }
}

static void assert_same(const struct room *room, const struct shader_ir *ir,
                        const struct shader_texture *const *textures, const float *uniforms,
                        const float *got)
{
    for (size_t quad = 0; quad < GPU_NUMBERS / QUAD; quad++) {
        const size_t first = quad / (GPU_NUMBERS_COLUMNS / 2) * 2 * GPU_NUMBERS_COLUMNS +
                             quad % (GPU_NUMBERS_COLUMNS / 2) * 2;
        struct shader_reference reference = {.uniforms = uniforms, .textures = textures};
        for (size_t k = 0; k < QUAD; k++) {
            const size_t at = first + k % 2 + k / 2 * GPU_NUMBERS_COLUMNS;
            for (int i = 0; i < SHADER_INPUTS; i++) {
                reference.input[i][k] = room->input[i][at];
            }
        }
        assert_true(shader_reference_run(ir, &reference));
        for (size_t k = 0; k < QUAD; k++) {
            const size_t at = first + k % 2 + k / 2 * GPU_NUMBERS_COLUMNS;
            for (size_t c = 0; c < COLOURS; c++) {
                const float wanted = reference.ret[c][k];
                const float has = got[at * COLOURS + c];
                if (!(isnan(wanted) && isnan(has)) && memcmp(&wanted, &has, sizeof has) != 0) {
                    fail_msg("place %zu, result %zu: %a, not %a", at, c, (double)has,
                             (double)wanted);
                }
            }
        }
    }
}

/* With the inputs that the room holds. */
static void compare(struct room *room, struct shader_ir *ir)
{
    shader_ir_finish(ir);
    assert_false(ir->failed);
    const struct shader_texture *textures[SHADER_TEXTURES_MAX] = {NULL};
    for (size_t i = 0; i < ir->binding_count; i++) {
        const char *name = ir->bindings[i].name;
        textures[i] = strcmp(name, "one") == 0    ? &room->one
                      : ir->bindings[i].volume    ? &room->volume.texture
                      : strcmp(name, "main") == 0 ? &room->flat
                                                  : &room->picture.texture;
        textures[i] = strcmp(name, "nothing") == 0 ? NULL : textures[i];
    }
    float uniforms[SHADER_SLOTS];
    for (size_t i = 0; i < SHADER_SLOTS; i++) {
        uniforms[i] = (float)((double)base_rng_next(&room->rng) * 0x1p-30 - 2);
    }
    const float *inputs[SHADER_INPUTS];
    for (int i = 0; i < SHADER_INPUTS; i++) {
        inputs[i] = room->input[i];
    }
    struct gpu_numbers *numbers = gpu_numbers_create(room->device, ir, textures);
    assert_non_null(numbers);
    const float *got = gpu_numbers_run(numbers, inputs, uniforms);
    assert_non_null(got);
    assert_same(room, ir, textures, uniforms, got);
    gpu_numbers_free(numbers);
}

static void try_shape(struct room *room, const struct random_shape *shape, int programs)
{
    if (room->device == NULL) {
        skip();
    }
    for (int i = 0; i < programs; i++) {
        struct base_arena arena = {.newest = NULL};
        struct shader_ir ir;
        shader_ir_init(&ir, &arena);
        random_program(&ir, &room->rng, shape);
        fill_inputs(room);
        compare(room, &ir);
        base_arena_free(&arena);
    }
}

static void test_straight(void **state)
{
    try_shape(*state, &(struct random_shape){.operations = 12}, 24);
    try_shape(*state, &(struct random_shape){.operations = 100}, 6);
}

static void test_reads(void **state)
{
    try_shape(*state, &(struct random_shape){.operations = 16, .reads = 30}, 24);
}

static void test_parts(void **state)
{
    try_shape(*state, &(struct random_shape){.operations = 8, .parts = 30, .reads = 10}, 12);
}

/* ---- kinds of reads ---- */

/* Where rounding, turning or clamping decides: about places of texels and halves between them, of
 * small pictures, and at what is no number in between. */
static float edge_of(struct room *room)
{
    static const float odd[] = {NAN,    INFINITY, -INFINITY, 1e30f,   -1e30f,  -0.0f,
                                1e-40f, -1e-40f,  0x1p-126f, -1e-30f, 0x1p23f, -0x1p31f};
    static const float sizes[] = {PICTURE, VOLUME, 2 * PICTURE, 2 * VOLUME, 512 * PICTURE};
    const uint32_t kind = random_below(&room->rng, 32);
    if (kind < sizeof odd / sizeof *odd) {
        return odd[kind];
    }
    const float size = sizes[random_below(&room->rng, sizeof sizes / sizeof *sizes)];
    float at = ((float)random_below(&room->rng, 4 * (uint32_t)size) - 2 * size) / size;
    for (uint32_t i = random_below(&room->rng, 3); i > 0; i--) {
        at = nextafterf(at, kind % 2 == 0 ? 9.0f : -9.0f);
    }
    return at;
}

/* Quads of any numbers, of edges, and of steps that are as long as some level's texels. */
static void fill_quads(struct room *room)
{
    enum { ROW = GPU_NUMBERS_COLUMNS };
    for (size_t k = 0; k < SHADER_INPUTS; k++) {
        for (size_t quad = 0; quad < GPU_NUMBERS / QUAD; quad++) {
            const float first = edge_of(room);
            const float step = 0x1p-8f / (float)(1 << random_below(&room->rng, 8));
            const uint32_t kind = random_below(&room->rng, 4);
            for (size_t i = 0; i < QUAD; i++) {
                const size_t at =
                    quad / (ROW / 2) * 2 * ROW + quad % (ROW / 2) * 2 + i % 2 + i / 2 * ROW;
                const uint32_t bits = base_rng_next(&room->rng);
                float *number = &room->input[k][at];
                *number = kind == 1 ? edge_of(room) : first + step * (float)(bits % 100);
                if (kind == 0) {
                    memcpy(number, &bits, sizeof bits);
                }
            }
        }
    }
}

/* Alpha takes the place of red where coordinates are clamped. */
static void compare_read(struct room *room, enum shader_op op, struct shader_sampler sampler,
                         const char *name)
{
    struct base_arena arena = {.newest = NULL};
    struct shader_ir ir;
    unsigned fetch = 0;
    shader_value arguments[SHADER_ARGUMENTS];
    shader_ir_init(&ir, &arena);
    assert_true(shader_ir_fetch(&ir, name, op >= SHADER_OP_READ3, sampler, &fetch));
    for (unsigned i = 0; i < SHADER_ARGUMENTS; i++) {
        arguments[i] = shader_ir_indexed(&ir, SHADER_OP_INPUT, i);
    }
    const shader_value read = shader_ir_read(&ir, op, fetch, arguments);
    for (unsigned i = 0; i < COLOURS; i++) {
        ir.ret[i] = shader_ir_part(&ir, read, i + (sampler.address == SHADER_CLAMP ? 1 : 0));
    }
    fill_quads(room);
    compare(room, &ir);
    base_arena_free(&arena);
}

static void test_kinds(void **state)
{
    static const char *const names[2][3] = {{"main", "one", "noise_lq"}, {"one", "noisevol_lq"}};
    struct room *room = *state;
    if (room->device == NULL) {
        skip();
    }
    for (unsigned i = 0; i < 6 * 4 * 3; i++) {
        const enum shader_op op = SHADER_OP_READ2 + i / 12;
        const struct shader_sampler sampler = {i % 2 == 0,
                                               i / 2 % 2 == 0 ? SHADER_REPEAT : SHADER_CLAMP};
        const char *name = names[op >= SHADER_OP_READ3][i / 4 % 3];
        if (name != NULL) {
            room->one = op >= SHADER_OP_READ3 ? room->volume.texture : room->picture.texture;
            room->one.levels = 1;
            room->one.opaque = true;
            compare_read(room, op, sampler, name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight),
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_kinds),
    };
    return cmocka_run_group_tests(tests, open_room, close_room);
}
