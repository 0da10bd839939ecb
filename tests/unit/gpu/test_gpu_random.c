/* Random programs on the first device there is, which may be one of software, beside the plain
 * definition: straight code, parts of IFs, reads of textures with one level, with several, and of
 * none. */
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

static void compare(struct room *room, const struct random_shape *shape)
{
    struct base_arena arena = {.newest = NULL};
    struct shader_ir ir;
    shader_ir_init(&ir, &arena);
    random_program(&ir, &room->rng, shape);
    shader_ir_finish(&ir);
    assert_false(ir.failed);
    const struct shader_texture *textures[SHADER_TEXTURES_MAX] = {NULL};
    for (size_t i = 0; i < ir.binding_count; i++) {
        const char *name = ir.bindings[i].name;
        textures[i] = ir.bindings[i].volume       ? &room->volume.texture
                      : strcmp(name, "main") == 0 ? &room->flat
                                                  : &room->picture.texture;
        textures[i] = strcmp(name, "nothing") == 0 ? NULL : textures[i];
    }
    float uniforms[SHADER_SLOTS];
    for (size_t i = 0; i < SHADER_SLOTS; i++) {
        uniforms[i] = (float)((double)base_rng_next(&room->rng) * 0x1p-30 - 2);
    }
    fill_inputs(room);
    const float *inputs[SHADER_INPUTS];
    for (int i = 0; i < SHADER_INPUTS; i++) {
        inputs[i] = room->input[i];
    }
    struct gpu_numbers *numbers = gpu_numbers_create(room->device, &ir, textures);
    assert_non_null(numbers);
    const float *got = gpu_numbers_run(numbers, inputs, uniforms);
    assert_non_null(got);
    assert_same(room, &ir, textures, uniforms, got);
    gpu_numbers_free(numbers);
    base_arena_free(&arena);
}

static void try_shape(struct room *room, const struct random_shape *shape, int programs)
{
    if (room->device == NULL) {
        skip();
    }
    for (int i = 0; i < programs; i++) {
        compare(room, shape);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight),
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_parts),
    };
    return cmocka_run_group_tests(tests, open_room, close_room);
}
