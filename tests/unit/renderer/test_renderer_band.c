/* What is drawn in bands of rows, by any number of threads, is what is drawn whole. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "renderer/draw/draw.h"
#include "renderer/renderer.h"
#include "../turns.h"
#include "test_renderer_polygons.h"
#include "presets/presets.h"

/* ---- what is drawn ---- */

enum { WIDTH = 150, HEIGHT = 90, STRIDE = WIDTH + 8, BANDS = 9, POINTS = 40 };

static struct rend_canvas canvas_of(uint32_t *pixels, enum base_cpu_level cpu)
{
    return (struct rend_canvas){.pixels = pixels,
                                .stride = STRIDE,
                                .width = WIDTH,
                                .height = HEIGHT,
                                .bottom = HEIGHT,
                                .cpu = cpu};
}

static float place(struct base_rng *rng, float size)
{
    const float part = (float)(base_rng_next(rng) >> 8) / 16777216.0f;
    const uint32_t kind = base_rng_next(rng) % 8;
    return kind == 0  ? (part - 0.5f) * 40 * size
           : kind < 3 ? floorf(part * size) + 0.5f
                      : part * size;
}

static struct rend_colour random_colour(struct base_rng *rng)
{
    const uint32_t word = base_rng_next(rng);
    return (struct rend_colour){(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                                (uint8_t)(word >> 24 | (word >> 16 & 1 ? 255 : 0))};
}

/* A strip of lines or dots, and a polygon. */
struct scene {
    struct rend_point points[POINTS];
    struct rend_colour colours[POINTS];
    struct rend_pen pen;
    struct made_polygon made;
};

static void make_scene(struct scene *scene, struct base_rng *rng, const struct tmu_surface *texture)
{
    const uint32_t kind = base_rng_next(rng);
    for (int i = 0; i < POINTS; i++) {
        scene->points[i] = (struct rend_point){place(rng, WIDTH), place(rng, HEIGHT)};
        scene->colours[i] = (kind & 1) != 0 && i > 0 ? scene->colours[0] : random_colour(rng);
    }
    const enum rend_blend blend = (kind & 2) != 0 ? REND_BLEND_ALPHA : REND_BLEND_ADDITIVE;
    scene->pen = (struct rend_pen){blend, (kind & 12) == 0, 3, (kind & 16) != 0};
    const double radius = base_rng_next(rng) % 9000 / ((kind & 256) != 0 ? 50.0 : 300.0);
    make_polygon(&scene->made, 3 + (int)(base_rng_next(rng) % ((kind & 64) != 0 ? 98 : 5)),
                 scene->points[0], radius, radius, 0);
    struct rend_polygon *polygon = &scene->made.polygon;
    polygon->inner = random_colour(rng);
    polygon->outer = (kind & 128) != 0 ? polygon->inner : random_colour(rng);
    polygon->blend = blend;
    polygon->texture = (kind & 32) != 0 ? texture : NULL;
}

static void draw_scene(const struct rend_canvas *canvas, const struct scene *scene)
{
    rend_draw_polygon(canvas, &scene->made.polygon, NULL);
    struct rend_reach parts[(POINTS + REND_PART - 1) / REND_PART];
    struct rend_strip strip = {scene->points, scene->colours, parts, POINTS, scene->pen, 0};
    rend_find_parts(parts, scene->points, POINTS);
    strip.cost = rend_strip_cost(canvas, &strip);
    const struct rend_strips strips = rend_pay_strips(canvas, &strip, 1);
    rend_draw_strips(canvas, &strips);
}

static void test_bands_are_the_whole(void **state)
{
    (void)state;
    static uint32_t whole[STRIDE * HEIGHT];
    static uint32_t parts[STRIDE * HEIGHT];
    static struct scene scene;
    struct base_rng rng;
    base_rng_seed(&rng, 95, 0);
    struct tmu_surface texture = random_texture(&rng);
    assert_non_null(texture.pixels);
    for (int round = 0; round < TURNS(4000); round++) {
        const enum base_cpu_level cpu = (enum base_cpu_level)(round % ((int)base_cpu_best() + 1));
        make_scene(&scene, &rng, &texture);
        for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
            whole[i] = (uint32_t)round * 0x10305 & 0xFFFFFF;
        }
        memcpy(parts, whole, sizeof parts);
        const struct rend_canvas canvas = canvas_of(whole, cpu);
        draw_scene(&canvas, &scene);
        const struct rend_canvas other = canvas_of(parts, cpu);
        const size_t count = 1 + base_rng_next(&rng) % BANDS;
        for (size_t i = count; i > 0; i--) {
            const struct rend_canvas band = rend_row_band(&other, i - 1, count);
            draw_scene(&band, &scene);
        }
        assert_memory_equal(whole, parts, sizeof whole);
    }
    tmu_surface_free(&texture);
}

/* Every row belongs to one band, also where there are fewer rows than bands. */
static void test_bands_divide_rows(void **state)
{
    (void)state;
    for (int height = 0; height < 40; height++) {
        const struct rend_canvas canvas = {.height = height, .bottom = height};
        int next = 0;
        for (size_t i = 0; i < 16; i++) {
            const struct rend_canvas band = rend_row_band(&canvas, i, 16);
            assert_int_equal(band.top, next);
            assert_true(band.bottom >= band.top);
            next = band.bottom;
        }
        assert_int_equal(next, height);
    }
}

/* ---- whole presets ---- */

enum { WIDE = 320, HIGH = 240, FRAMES = 4 / EACH(2) };

static struct rend_patch *patch_of(const char *text)
{
    struct preset preset;
    assert_int_equal(preset_read(&preset, "bands", text, strlen(text), NULL), 0);
    struct rend_patch *patch = rend_patch_create(&preset, NULL, NULL);
    preset_free(&preset);
    assert_non_null(patch);
    return patch;
}

/* Returns what happened in all frames; the last is in `pixels`. */
static unsigned play(struct rend_patch *patch, size_t threads, uint32_t *pixels)
{
    static const float silence[2 * 735];
    struct base_pool *pool = base_pool_create(threads);
    const struct rend_config config = {.width = WIDE,
                                       .height = HIGH,
                                       .mesh_x = 8,
                                       .mesh_y = 6,
                                       .fps = 60,
                                       .cpu = base_cpu_best(),
                                       .pool = pool};
    struct rend *rend = rend_create(&config);
    unsigned events = 0;
    assert_non_null(pool);
    assert_non_null(rend);
    assert_int_equal(rend_load(rend, patch, 60.0, NULL), 0);
    for (uint64_t i = 0; i < FRAMES; i++) {
        const struct rend_input input = {.frame = i + 1,
                                         .time = (double)i / 60.0,
                                         .fps = 60.0,
                                         .audio = silence,
                                         .audio_frames = 735};
        events |= rend_step(rend, &input, pixels, WIDE);
    }
    rend_free(rend);
    base_pool_destroy(pool);
    return events;
}

static void assert_threads_alike(const char *text, unsigned events)
{
    static uint32_t expected[WIDE * HIGH];
    static uint32_t got[WIDE * HIGH];
    struct rend_patch *patch = patch_of(text);
    assert_int_equal(play(patch, 1, expected), events);
    for (size_t threads = 2; threads < 6; threads += EACH(3)) {
        memset(got, 0, sizeof got);
        assert_int_equal(play(patch, threads, got), events);
        assert_memory_equal(expected, got, sizeof got);
    }
    rend_patch_free(patch);
}

/* Shapes that hide others, that are seen through, of texture, with thick outlines; thick lines. */
static void test_threads_paint_alike(void **state)
{
    (void)state;
    assert_threads_alike(
        "[preset00]\nfDecay=0.9\nnWaveMode=6\nbWaveThick=1\nfWaveAlpha=1\n"
        "shapecode_0_enabled=1\nshapecode_0_num_inst=60\nshapecode_0_sides=7\n"
        "shapecode_0_a=1\nshapecode_0_a2=1\nshapecode_0_border_a=0\n"
        "shape_0_per_frame1=x=rand(100)*0.01;y=rand(100)*0.01;rad=0.3;r2=instance*0.01;\n"
        "shapecode_1_enabled=1\nshapecode_1_num_inst=60\nshapecode_1_sides=30\n"
        "shapecode_1_a=0.7\nshapecode_1_a2=0.1\nshapecode_1_border_a=0.5\n"
        "shapecode_1_thickOutline=1\nshapecode_1_textured=1\n"
        "shape_1_per_frame1=x=rand(100)*0.01;y=rand(100)*0.01;rad=rand(50)*0.01;ang=instance;\n"
        "wavecode_0_enabled=1\nwavecode_0_samples=512\nwavecode_0_bDrawThick=1\n"
        "wave_0_per_point1=x=rand(100)*0.01;y=rand(100)*0.01;r=sample;b=1-sample;\n",
        0);
}

/* What is too much is left out at the same place. */
static void test_threads_stop_alike(void **state)
{
    (void)state;
    assert_threads_alike("[preset00]\nfWaveAlpha=0\n"
                         "shapecode_0_enabled=1\nshapecode_0_num_inst=1024\nshapecode_0_sides=100\n"
                         "shapecode_0_textured=1\nshapecode_0_a=0.5\nshapecode_0_a2=0.2\n"
                         "shape_0_per_frame1=rad=1.5;ang=instance;\n",
                         REND_EVENT_FILL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bands_are_the_whole),
        cmocka_unit_test(test_bands_divide_rows),
        cmocka_unit_test(test_threads_paint_alike),
        cmocka_unit_test(test_threads_stop_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
