/* A program that is made while others run holds none of them up, though the driver that the
 * processor plays makes its code only when it runs first. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "../renderer/shader/test_renderer_shader_random.h"
#include "base/arena.h"
#include "base/os/thread.h"
#include "gpu/proof/numbers.h"

enum { PICTURE = 16 };

struct room {
    struct gpu_device *device; /* of software; NULL: there is none */
    char cache[64];            /* where the driver keeps its code: nothing of other tests */
    struct shader_image picture;
    struct base_rng rng;
    struct base_arena arena;
};

static int open_room(void **state)
{
    static const uint32_t texels[PICTURE * PICTURE];
    struct gpu_about about[GPU_DEVICES_MAX];
    struct room *room = calloc(1, sizeof *room);
    assert_non_null(room);
    (void)snprintf(room->cache, sizeof room->cache, "/tmp/froth-aside-XXXXXX");
    assert_non_null(mkdtemp(room->cache));
    assert_int_equal(0, setenv("MESA_SHADER_CACHE_DIR", room->cache, 1));
    assert_int_equal(0, unsetenv("MESA_SHADER_CACHE_DISABLE"));
    base_rng_seed(&room->rng, 28, 2);
    assert_int_equal(0, shader_image_create(&room->picture, texels, PICTURE, PICTURE, PICTURE, 1));
    const size_t count = gpu_list(about);
    for (size_t i = 0; i < count && room->device == NULL; i++) {
        room->device = about[i].software ? gpu_open(about[i].key) : NULL;
    }
    *state = room;
    return 0;
}

static int close_room(void **state)
{
    struct room *room = *state;
    char command[128];
    gpu_close(room->device);
    shader_image_free(&room->picture);
    base_arena_free(&room->arena);
    (void)snprintf(command, sizeof command, "rm -rf '%s'", room->cache);
    free(room);
    return system(command);
}

/* A random program of about that size, and what it reads. */
struct program {
    struct gpu_device *device;
    struct shader_ir ir;
    const struct shader_texture *textures[SHADER_TEXTURES_MAX];
    struct gpu_numbers *numbers;
    double seconds; /* that it took to make and to run first */
    atomic_bool made;
};

static void prepare(struct room *room, struct program *program, uint32_t operations)
{
    *program = (struct program){.device = room->device};
    shader_ir_init(&program->ir, &room->arena);
    random_program(&program->ir, &room->rng,
                   &(struct random_shape){.operations = operations, .reads = 30});
    shader_ir_finish(&program->ir);
    assert_false(program->ir.failed);
    for (size_t i = 0; i < program->ir.binding_count; i++) {
        program->textures[i] = program->ir.bindings[i].volume ? NULL : &room->picture.texture;
    }
}

static bool run(const struct program *program)
{
    static const float zeros[GPU_NUMBERS];
    static const float uniforms[SHADER_SLOTS];
    const float *inputs[SHADER_INPUTS];
    for (int i = 0; i < SHADER_INPUTS; i++) {
        inputs[i] = zeros;
    }
    return gpu_numbers_run(program->numbers, inputs, uniforms) != NULL;
}

static void *make(void *user)
{
    struct program *program = user;
    const double begun = base_clock_seconds();
    program->numbers = gpu_numbers_create(program->device, &program->ir, program->textures);
    if (program->numbers != NULL && !run(program)) {
        gpu_numbers_free(program->numbers);
        program->numbers = NULL;
    }
    program->seconds = base_clock_seconds() - begun;
    atomic_store(&program->made, true);
    return NULL;
}

/* The longest run of a program that goes on while another one is made, as a share of the time that
 * this takes. */
static double share_held(struct room *room, const struct program *shown)
{
    struct program next;
    pthread_t thread;
    double longest = 0;
    prepare(room, &next, 40);
    assert_int_equal(0, pthread_create(&thread, NULL, make, &next));
    while (!atomic_load(&next.made)) {
        const double begun = base_clock_seconds();
        assert_true(run(shown));
        const double took = base_clock_seconds() - begun;
        longest = took > longest ? took : longest;
    }
    assert_int_equal(0, pthread_join(thread, NULL));
    assert_non_null(next.numbers);
    gpu_numbers_free(next.numbers);
    return longest / next.seconds;
}

/* On a busy machine anything may be held once. */
static void test_nothing_is_held(void **state)
{
    enum { TRIES = 20 };
    struct room *room = *state;
    struct program shown;
    double least = 1;
    if (room->device == NULL) {
        skip();
    }
    prepare(room, &shown, 1);
    make(&shown);
    assert_non_null(shown.numbers);
    assert_true(run(&shown));
    for (int i = 0; i < TRIES && least > 0.25; i++) {
        const double share = share_held(room, &shown);
        print_message("longest run: %.2f of the time that the other took to be made\n", share);
        least = share < least ? share : least;
    }
    gpu_numbers_free(shown.numbers);
    assert_true(least <= 0.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing_is_held)};
    return cmocka_run_group_tests(tests, open_room, close_room);
}
