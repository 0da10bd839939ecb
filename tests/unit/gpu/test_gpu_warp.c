/* The warp on the first device there is, which may be one of software, beside the plain kernels:
 * odd sizes, meshes coarser and finer than pixels, coordinates up to the ends of what is allowed,
 * both addresses, any decay; and meshes that are the processor's. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "../tmu/test_tmu_surface.h"
#include "gpu/warp.h"

enum { FIRST = 5, BEYOND = 3, FRAMES = 6 };

/* What stands where no texel of the texture is, and where nothing is drawn. */
static const uint32_t canary = 0xFF5A5A5A;

struct room {
    struct gpu_device *device; /* NULL: there is none */
    struct base_rng rng;
};

/* A size with all that draws it. */
struct stand {
    struct room *room;
    struct gpu_warp_size size;
    struct gpu_memory *pictures;
    struct gpu_memory *results;
    struct gpu_warp *warp;
    struct tmu_surface texture;
    struct tmu_surface expected;
    struct tmu_vertex *vertices;
    size_t texels;
};

static int open_room(void **state)
{
    struct gpu_about about[GPU_DEVICES_MAX];
    struct room *room = calloc(1, sizeof *room);
    assert_non_null(room);
    base_rng_seed(&room->rng, 7, 3);
    room->device = gpu_list(about) > 0 ? gpu_open(about[0].key) : NULL;
    *state = room;
    return 0;
}

static int close_room(void **state)
{
    struct room *room = *state;
    gpu_close(room->device);
    free(room);
    return 0;
}

static size_t vertices_of(const struct stand *stand)
{
    return ((size_t)stand->size.mesh_x + 1) * ((size_t)stand->size.mesh_y + 1);
}

static size_t result_words(const struct stand *stand)
{
    return stand->size.pitch * (size_t)stand->size.height;
}

static struct stand open_stand(struct room *room, int width, int height, int mesh_x, int mesh_y)
{
    struct stand stand = {.room = room,
                          .size = {width, height, (size_t)width + BEYOND, mesh_x, mesh_y}};
    stand.texture = random_surface(width, height, &room->rng);
    stand.expected = tmu_surface_create(width, height);
    stand.vertices = calloc(vertices_of(&stand), sizeof *stand.vertices);
    stand.texels = stand.texture.stride * ((size_t)height + 1);
    assert_non_null(stand.expected.pixels);
    assert_non_null(stand.vertices);
    const size_t first[REND_SOURCES] = {[REND_SOURCE_MAIN] = FIRST};
    const size_t texels[REND_SOURCES] = {[REND_SOURCE_MAIN] = stand.texels};
    const size_t pitch[REND_SOURCES] = {[REND_SOURCE_MAIN] = stand.texture.stride};
    stand.pictures = gpu_memory_create(room->device, (FIRST + stand.texels) * sizeof(uint32_t));
    stand.results = gpu_memory_create(room->device, result_words(&stand) * sizeof(uint32_t));
    assert_non_null(stand.pictures);
    assert_non_null(stand.results);
    const struct gpu_pictures pictures = {stand.pictures, first, texels, pitch};
    stand.warp = gpu_warp_create(room->device, &pictures, stand.results, &stand.size);
    assert_non_null(stand.warp);
    return stand;
}

static void close_stand(struct stand *stand)
{
    gpu_warp_free(stand->warp);
    gpu_memory_free(stand->pictures);
    gpu_memory_free(stand->results);
    tmu_surface_free(&stand->texture);
    tmu_surface_free(&stand->expected);
    free(stand->vertices);
}

/* Without its guard: that is the canary. */
static void put_texture(const struct stand *stand)
{
    uint32_t *words = gpu_memory_words(stand->pictures);
    const struct tmu_surface *texture = &stand->texture;
    for (size_t i = 0; i < FIRST + stand->texels; i++) {
        words[i] = canary;
    }
    for (size_t y = 0; y < (size_t)texture->height; y++) {
        memcpy(words + FIRST + y * texture->stride, texture->pixels + y * texture->stride,
               (size_t)texture->width * sizeof *words);
    }
}

static void assert_same(const struct stand *stand, enum tmu_address address, unsigned decay)
{
    const uint32_t *got = gpu_memory_words(stand->results);
    const size_t width = (size_t)stand->size.width;
    for (size_t i = 0; i < result_words(stand); i++) {
        const size_t x = i % stand->size.pitch;
        const size_t y = i / stand->size.pitch;
        const uint32_t wanted =
            x < width ? stand->expected.pixels[y * stand->expected.stride + x] : canary;
        if (got[i] != wanted) {
            fail_msg("%d x %d, mesh %d x %d, address %d, decay %u: %zu, %zu is %08x, not %08x",
                     stand->size.width, stand->size.height, stand->size.mesh_x, stand->size.mesh_y,
                     (int)address, decay, x, y, got[i], wanted);
        }
    }
}

static struct tmu_mesh mesh_of(const struct stand *stand)
{
    return (struct tmu_mesh){stand->vertices, stand->size.mesh_x, stand->size.mesh_y};
}

static void compare(struct stand *stand, enum tmu_address address, unsigned decay)
{
    const struct tmu_mesh mesh = mesh_of(stand);
    const size_t bytes = result_words(stand) * sizeof(uint32_t);
    uint32_t *results = gpu_memory_words(stand->results);
    struct gpu_order order;
    for (size_t i = 0; i < result_words(stand); i++) {
        results[i] = canary;
    }
    fill_random(&stand->texture, &stand->room->rng);
    put_texture(stand);
    struct gpu_kernel *kernel = gpu_warp_prepare(stand->warp, &mesh, address, decay, &order);
    assert_non_null(kernel);
    order.sent[order.sent_count++] =
        gpu_whole(stand->pictures, (FIRST + stand->texels) * sizeof(uint32_t));
    order.sent[order.sent_count++] = gpu_whole(stand->results, bytes);
    order.fetched = gpu_whole(stand->results, bytes);
    assert_true(gpu_kernel_run(kernel, &order));
    tmu_warp(tmu_kernels_for(BASE_CPU_PLAIN), NULL, &stand->expected, &stand->texture, &mesh,
             address, decay, NULL);
    assert_same(stand, address, decay);
}

static float random_between(struct base_rng *rng, double least, double most)
{
    return (float)(least + (most - least) * base_rng_next(rng) / 4294967296.0);
}

/* As frames have them: moved, turned or scaled a little, and some corners somewhere else. */
static void set_tame(struct stand *stand, double wobble)
{
    struct base_rng *rng = &stand->room->rng;
    struct tmu_vertex *vertex = stand->vertices;
    const double scale = random_between(rng, 0.3, 1.7);
    const double turn = random_between(rng, -0.5, 0.5);
    const double moved = random_between(rng, -1, 1);
    for (int j = 0; j <= stand->size.mesh_y; j++) {
        for (int i = 0; i <= stand->size.mesh_x; i++, vertex++) {
            const double u = (double)i / stand->size.mesh_x;
            const double v = 1 - (double)j / stand->size.mesh_y;
            vertex->u = (float)(u * scale + v * turn + moved + wobble * random_between(rng, -1, 1));
            vertex->v = (float)(v * scale - u * turn + wobble * random_between(rng, -1, 1));
        }
    }
}

static void set_wild(struct stand *stand, double reach_u, double reach_v)
{
    struct base_rng *rng = &stand->room->rng;
    for (size_t i = 0; i < vertices_of(stand); i++) {
        struct tmu_vertex *vertex = &stand->vertices[i];
        const bool ends = base_rng_next(rng) % 8 == 0;
        vertex->u = random_between(rng, -reach_u, reach_u);
        vertex->v = random_between(rng, -reach_v, reach_v);
        if (ends) {
            vertex->u = (float)(vertex->u < 0 ? -reach_u : reach_u);
            vertex->v = (float)(vertex->v < 0 ? -reach_v : reach_v);
        }
    }
}

static void compare_all(struct room *room, int width, int height, int mesh_x, int mesh_y)
{
    static const unsigned decays[FRAMES] = {255, 0, 1, 249, 128, 254};
    static const double reaches[FRAMES] = {0.5, 1.5, 3, 20, 500, 1e4};
    enum { NEAR = 29990 }; /* texels */
    struct stand stand = open_stand(room, width, height, mesh_x, mesh_y);
    for (int i = 0; i < FRAMES; i++) {
        set_tame(&stand, i % 3 * 0.05);
        compare(&stand, TMU_WRAP, decays[i]);
        compare(&stand, TMU_CLAMP, base_rng_next(&room->rng) % 256);
        set_wild(&stand, reaches[i], reaches[i]);
        compare(&stand, TMU_WRAP, base_rng_next(&room->rng) % 256);
        set_wild(&stand, fmin(reaches[i], (double)NEAR / width),
                 fmin(reaches[i], (double)NEAR / height));
        compare(&stand, TMU_CLAMP, decays[i]);
    }
    close_stand(&stand);
}

static void test_sizes(void **state)
{
    static const int sizes[][4] = {{1, 1, 1, 1},      {2, 3, 1, 2},     {3, 2, 5, 4},
                                   {63, 5, 2, 2},     {64, 64, 48, 36}, {65, 33, 7, 5},
                                   {130, 40, 192, 9}, {10, 11, 48, 36}, {301, 173, 16, 12},
                                   {257, 3, 256, 1},  {320, 9, 1, 144}, {200, 150, 192, 144}};
    struct room *room = *state;
    if (room->device == NULL) {
        skip();
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        compare_all(room, sizes[i][0], sizes[i][1], sizes[i][2], sizes[i][3]);
    }
}

/* As many rows in a cell, and as many columns, as there can be. */
static void test_largest(void **state)
{
    struct room *room = *state;
    if (room->device == NULL) {
        skip();
    }
    compare_all(room, TMU_SIZE_MAX, 2, 1, 1);
    compare_all(room, 3, TMU_SIZE_MAX, 1, 1);
    compare_all(room, 3, TMU_SIZE_MAX, 2, 3);
}

/* A frame of usual size whose mesh is at rest, so that the picture stays as it is. */
static void test_still(void **state)
{
    struct room *room = *state;
    if (room->device == NULL) {
        skip();
    }
    struct stand stand = open_stand(room, 1280, 720, 48, 36);
    struct tmu_vertex *vertex = stand.vertices;
    for (int j = 0; j <= 36; j++) {
        for (int i = 0; i <= 48; i++, vertex++) {
            *vertex = (struct tmu_vertex){(float)i / 48, 1 - (float)j / 36};
        }
    }
    compare(&stand, TMU_WRAP, 255);
    assert_memory_equal(stand.expected.pixels, stand.texture.pixels, 1280 * sizeof(uint32_t));
    compare(&stand, TMU_CLAMP, 240);
    close_stand(&stand);
}

/* Where only doubles can say where a pixel reads, the processor is asked; the next frame is the
 * device's again. */
static void test_far(void **state)
{
    struct room *room = *state;
    struct gpu_order order;
    if (room->device == NULL) {
        skip();
    }
    struct stand stand = open_stand(room, 120, 80, 6, 4);
    const struct tmu_mesh mesh = mesh_of(&stand);
    set_tame(&stand, 0);
    stand.vertices[17].v = 400;
    assert_null(gpu_warp_prepare(stand.warp, &mesh, TMU_CLAMP, 255, &order));
    compare(&stand, TMU_WRAP, 255);
    stand.vertices[17].v = 370;
    compare(&stand, TMU_CLAMP, 255);
    close_stand(&stand);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_largest),
        cmocka_unit_test(test_still),
        cmocka_unit_test(test_far),
    };
    return cmocka_run_group_tests(tests, open_room, close_room);
}
