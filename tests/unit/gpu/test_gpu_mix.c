/* The fixed composite stage on the first device there is, which may be one of software, beside the
 * processor: any numbers and places beside the plain kernels, and what frames hold beside
 * rend_composite, at odd sizes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "gpu/mix.h"
#include "renderer/stages.h"
#include "tmu/kernels.h"

enum { BEFORE = 5, BESIDE = 3, UNTOUCHED = 0x5A5A5A5A, CHANNELS = REND_CHANNELS };

struct room {
    struct gpu_device *device; /* NULL: there is none */
    struct base_rng rng;
};

/* A canvas of the processor's, and its like on the device. */
struct scene {
    struct room *room;
    struct rend *rend;
    struct tmu_surface *picture; /* the rend's */
    size_t first[REND_SOURCES];
    size_t texels[REND_SOURCES];
    size_t pitch[REND_SOURCES];
    struct gpu_memory *pictures;
    struct gpu_memory *results;
    struct gpu_mix *mix;
    size_t stride; /* of results */
    size_t size;   /* of them, in bytes */
    uint32_t *expected;
    struct rend_device_composite_row *rows;
};

static const int sizes[][2] = {{16, 16}, {63, 17}, {64, 48}, {65, 20}, {301, 173}, {1031, 37}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static int open_room(void **state)
{
    struct gpu_about about[GPU_DEVICES_MAX];
    struct room *room = calloc(1, sizeof *room);
    assert_non_null(room);
    base_rng_seed(&room->rng, 6, 1);
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

static void open_scene(struct scene *scene, struct room *room, const int size[2])
{
    const struct rend_config config = {
        .width = size[0], .height = size[1], .mesh_x = 16, .mesh_y = 12, .fps = 30};
    const size_t height = (size_t)size[1];
    *scene = (struct scene){.room = room, .stride = (size_t)size[0] + BESIDE};
    scene->rend = rend_create(&config);
    assert_non_null(scene->rend);
    scene->picture = &scene->rend->canvas.surface[scene->rend->canvas.current];
    scene->first[REND_SOURCE_MAIN] = BEFORE;
    scene->texels[REND_SOURCE_MAIN] = scene->picture->stride * height;
    scene->pitch[REND_SOURCE_MAIN] = scene->picture->stride;
    scene->size = scene->stride * height * sizeof(uint32_t);
    scene->pictures = gpu_memory_create(room->device, (BEFORE + scene->texels[REND_SOURCE_MAIN]) *
                                                          sizeof(uint32_t));
    scene->results = gpu_memory_create(room->device, scene->size);
    scene->expected = malloc(scene->size);
    scene->rows = malloc(height * sizeof *scene->rows);
    assert_true(scene->pictures != NULL && scene->results != NULL);
    assert_true(scene->expected != NULL && scene->rows != NULL);
    const struct gpu_pictures pictures = {scene->pictures, scene->first, scene->texels,
                                          scene->pitch};
    const struct gpu_mix_size mix_size = {size[0], size[1], scene->stride};
    scene->mix = gpu_mix_create(room->device, &pictures, scene->results, &mix_size);
    assert_non_null(scene->mix);
}

static void close_scene(struct scene *scene)
{
    gpu_mix_free(scene->mix);
    gpu_memory_free(scene->results);
    gpu_memory_free(scene->pictures);
    rend_free(scene->rend);
    free(scene->expected);
    free(scene->rows);
}

static uint32_t below(struct room *room, uint32_t limit)
{
    return base_rng_next(&room->rng) % limit;
}

/* Channels are at their ends as often as between; the device's guard holds what nobody may read. */
static void paint(struct scene *scene)
{
    struct room *room = scene->room;
    struct tmu_surface *picture = scene->picture;
    uint32_t *there = gpu_memory_words(scene->pictures) + BEFORE;
    for (size_t i = 0; i < picture->stride * (size_t)picture->height; i++) {
        const uint32_t any = base_rng_next(&room->rng);
        const uint32_t ends = any >> 24 & 1 ? 0xFF00FF : 0x00FF00;
        const bool inside = i % picture->stride < (size_t)picture->width;
        picture->pixels[i] = (below(room, 2) == 0 ? ends : any) & 0xFFFFFF;
        there[i] = inside ? picture->pixels[i] : any;
    }
    tmu_surface_guard(picture);
}

/* Nothing is written beside the pixels. */
static void compare(struct scene *scene, const struct rend_device_composite *composite)
{
    struct gpu_order order;
    uint32_t *results = gpu_memory_words(scene->results);
    gpu_mix_prepare(scene->mix, composite, &order);
    assert_int_equal(order.fetched.size, 0);
    memset(results, UNTOUCHED & 255, scene->size);
    order.sent[order.sent_count++] = gpu_whole(scene->results, scene->size);
    order.fetched = gpu_whole(scene->results, scene->size);
    assert_true(gpu_kernel_run(gpu_mix_kernel(scene->mix), &order));
    assert_memory_equal(scene->expected, gpu_memory_words(scene->results), scene->size);
}

/* ---- the kernels, with any numbers that they take ---- */

static uint32_t position_below(struct room *room, int size)
{
    const uint32_t end = (uint32_t)size << TMU_POSITION_BITS;
    const uint32_t ends[] = {0, end - 1, end - TMU_TEXEL, end - TMU_TEXEL - 1, TMU_TEXEL - 1};
    enum { ENDS = sizeof ends / sizeof *ends };
    return below(room, 4) == 0 ? ends[below(room, ENDS)] : below(room, end);
}

static int32_t shade_below(struct room *room)
{
    static const int32_t ends[] = {0, 1, REND_SHADE_ONE - 1, REND_SHADE_ONE / 2};
    return below(room, 4) == 0 ? ends[below(room, 4)] : (int32_t)below(room, REND_SHADE_ONE);
}

static struct rend_device_composite any_composite(struct scene *scene, uint32_t *columns)
{
    struct room *room = scene->room;
    const int width = scene->picture->width;
    const bool echo = below(room, 3) > 0;
    struct rend_device_composite composite = {
        .filters = below(room, 16),
        .shaded = below(room, 2) == 0,
        .renewed = true,
        .columns = echo ? columns : NULL,
        .rows = scene->rows,
    };
    const int32_t most = below(room, 2) == 0 ? 8 * REND_MIX_ONE : 2 * REND_MIX_ONE;
    composite.weight[0] = (int32_t)below(room, (uint32_t)most + 1);
    composite.weight[1] = echo ? most - composite.weight[0] : 0;
    if (below(room, 4) == 0) {
        composite.weight[0] = echo ? 0 : most;
        composite.weight[1] = echo ? most : 0;
    }
    for (int x = 0; x < width; x++) {
        columns[x] = position_below(room, width);
    }
    for (int y = 0; y < scene->picture->height; y++) {
        struct rend_device_composite_row *row = &scene->rows[y];
        row->echo = position_below(room, scene->picture->height);
        for (int k = 0; k < CHANNELS; k++) {
            row->shade[k] = shade_below(room);
            row->step[k] = (shade_below(room) - row->shade[k]) / width;
        }
    }
    return composite;
}

static void mix_plainly(struct scene *scene, const struct rend_device_composite *composite)
{
    enum { WIDE = 1031 + 8 };
    const struct tmu_surface *picture = scene->picture;
    const size_t width = (size_t)picture->width;
    const struct tmu_sampler sampler = {picture->pixels, (uint32_t)picture->stride, (uint32_t)width,
                                        (uint32_t)picture->height, tmu_keep_of(255)};
    uint32_t echo[WIDE];
    uint32_t y[WIDE];
    for (size_t row = 0; row < (size_t)picture->height; row++) {
        const struct rend_device_composite_row *numbers = &composite->rows[row];
        struct rend_mix mix = {{composite->weight[0], composite->weight[1]},
                               composite->filters,
                               composite->shaded,
                               {0},
                               {0}};
        memcpy(mix.shade, numbers->shade, sizeof mix.shade);
        memcpy(mix.shade_step, numbers->step, sizeof mix.shade_step);
        if (composite->columns != NULL) {
            for (size_t i = 0; i < width; i++) {
                y[i] = numbers->echo;
            }
            tmu_kernels_plain.sample(echo, composite->columns, y, width, &sampler);
        }
        rend_mix_plain(&mix, picture->pixels + row * picture->stride,
                       composite->columns != NULL ? echo : NULL,
                       scene->expected + row * scene->stride, width);
    }
}

static void test_kernels(void **state)
{
    enum { ROUNDS = 60 };
    struct room *room = *state;
    if (room->device == NULL) {
        skip();
    }
    for (size_t i = 0; i < SIZES; i++) {
        struct scene scene;
        open_scene(&scene, room, sizes[i]);
        uint32_t *columns = malloc((size_t)sizes[i][0] * sizeof *columns);
        assert_non_null(columns);
        for (int round = 0; round < ROUNDS; round++) {
            paint(&scene);
            const struct rend_device_composite composite = any_composite(&scene, columns);
            memset(scene.expected, UNTOUCHED & 255, scene.size);
            mix_plainly(&scene, &composite);
            compare(&scene, &composite);
        }
        free(columns);
        close_scene(&scene);
    }
}

/* ---- frames ---- */

static float one_of(struct room *room, const float *values, size_t count)
{
    return values[below(room, (uint32_t)count)];
}

#define ONE_OF(room, ...)                                                                          \
    one_of(room, (const float[]){__VA_ARGS__}, sizeof(const float[]){__VA_ARGS__} / sizeof(float))

/* As equations leave values, and zooms beyond that which the processor's kernels take: a coordinate
 * is at most 10000. */
static void set_values(struct room *room, struct rend_frame *frame)
{
    struct rend_values *v = &frame->values;
    *frame = (struct rend_frame){.clock = {.time = below(room, 100000) / 60.0}};
    v->gamma = ONE_OF(room, 0, 0.3f, 1, 1, 1.98f, 2, 4.7f, 8);
    v->echo_alpha = ONE_OF(room, 0, 0, 0.001f, 0.0011f, 0.25f, 0.5f, 1, 3);
    v->echo_zoom = ONE_OF(room, 0.00006f, 0.001f, 0.03f, 0.5f, 0.99f, 1, 1.01f, 1.7f, 20, 1000,
                          INFINITY, -0.00006f, -0.4f, -1, -3.1f);
    v->echo_orient = ONE_OF(room, 0, 1, 2, 3, -1, 7.9f);
    v->wrap = ONE_OF(room, 0, 1);
    v->shader = ONE_OF(room, 0, 0, 0.1f, 0.5f, 1, 3.5f);
    v->brighten = ONE_OF(room, 0, 0, 1);
    v->darken = ONE_OF(room, 0, 0, 1);
    v->solarize = ONE_OF(room, 0, 0, 1);
    v->invert = ONE_OF(room, 0, 0, 1);
}

static void compare_frame(struct scene *scene, const struct rend_frame *frame, bool renewed)
{
    struct rend_composite found;
    memset(scene->expected, UNTOUCHED & 255, scene->size);
    rend_composite(scene->rend, frame, scene->expected, scene->stride);
    rend_find_composite(&found, scene->rend, scene->picture, frame);
    struct rend_device_composite composite = rend_hand_composite(&found, scene->rows);
    composite.renewed = renewed;
    compare(scene, &composite);
}

static void test_frames(void **state)
{
    enum { ROUNDS = 200 };
    struct room *room = *state;
    if (room->device == NULL) {
        skip();
    }
    for (size_t i = 0; i < SIZES; i++) {
        struct scene scene;
        open_scene(&scene, room, sizes[i]);
        for (int round = 0; round < ROUNDS; round++) {
            struct rend_frame frame;
            const bool renewed = round % 3 == 0;
            if (renewed) {
                paint(&scene);
            }
            set_values(room, &frame);
            compare_frame(&scene, &frame, renewed);
        }
        close_scene(&scene);
    }
}

/* Each way to turn an echo over, with both edges and each zoom. */
static void test_echoes(void **state)
{
    static const float zooms[] = {0.001f, 0.4f, 1, 1.3f, 1000, -0.7f, INFINITY};
    enum { ZOOMS = sizeof zooms / sizeof *zooms, WAYS = 8 };
    struct room *room = *state;
    if (room->device == NULL) {
        skip();
    }
    struct scene scene;
    open_scene(&scene, room, (const int[]){150, 91});
    paint(&scene);
    for (int i = 0; i < ZOOMS * WAYS; i++) {
        struct rend_frame frame = {.clock = {.time = i}};
        frame.values.gamma = 1;
        frame.values.echo_alpha = i % 2 == 0 ? 1 : 0.5f;
        frame.values.echo_zoom = zooms[i / WAYS];
        frame.values.echo_orient = (float)(i % 4);
        frame.values.wrap = i % WAYS < 4 ? 0 : 1;
        compare_frame(&scene, &frame, i == 0);
    }
    close_scene(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_echoes),
    };
    return cmocka_run_group_tests(tests, open_room, close_room);
}
