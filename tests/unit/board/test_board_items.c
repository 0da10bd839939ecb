/* Custom shapes and waves on the board: which pixels, what their equations see, what is cut. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board/host/host.h"
#include "board/patch/patch.h"
#include "board/step/brush.h"
#include "board/step/items.h"
#include "board/step/step.h"
#include "presets/presets.h"

enum { SIDE = BOARD_SIDE, FPS = 24, SAMPLES = BOARD_RATE / FPS, PART = 16 };

/* With bytes in front and behind that nobody may write. */
struct canvas {
    uint8_t before[32];
    uint8_t texture[BOARD_TEXTURE_BYTES];
    uint8_t behind[32];
};

static struct canvas *clean(void)
{
    struct canvas *canvas = calloc(1, sizeof *canvas);
    assert_non_null(canvas);
    return canvas;
}

static void finish(struct canvas *canvas)
{
    for (size_t i = 0; i < sizeof canvas->before; i++) {
        assert_int_equal(canvas->before[i] | canvas->behind[i], 0);
    }
    free(canvas);
}

static uint16_t pixel_at(const uint8_t *texture, int x, int y)
{
    const uint8_t *at = texture + 2 * (SIDE * y + x);
    return (uint16_t)(at[0] << 8 | at[1]);
}

static unsigned count_lit(const uint8_t *texture)
{
    unsigned lit = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        lit += (texture[2 * i] | texture[2 * i + 1]) != 0;
    }
    return lit;
}

static void test_brushes_hold_their_components(void **state)
{
    (void)state;
    for (unsigned value = 0; value < 256; value++) {
        for (unsigned alpha = 0; alpha < 256; alpha++) {
            const struct board_tint tint = {(uint8_t)value, (uint8_t)value, (uint8_t)value,
                                            (uint8_t)alpha};
            const struct board_brush over = board_brush_of_tint(tint, false, value * 7);
            const struct board_brush add = board_brush_of_tint(tint, true, value * 7);
            for (uint32_t under = 0; under < 64; under++) {
                const uint32_t color = (under >> 1) << 11 | under << 5 | under >> 1;
                const uint32_t mixed = board_brush_blended(&over, color);
                /* A component that overflowed would fall into its neighbour. */
                const uint32_t green = (mixed >> 5) & 63;
                assert_int_equal(green, ((under * over.keep) >> 6) + (over.green >> 5));
                assert_int_equal(mixed >> 11, mixed & 31);
                assert_true(mixed <= UINT16_MAX);
                assert_true(board_brush_added(&add, color) >= color);
            }
        }
    }
}

/* What is too faint for a step is one now and then. */
static void test_faint_brushes_add_up(void **state)
{
    (void)state;
    enum { TURNS = 255 };
    for (unsigned value = 0; value < 256; value += 5) {
        for (unsigned alpha = 0; alpha < 256; alpha++) {
            const struct board_tint tint = {0, (uint8_t)value, 0, (uint8_t)alpha};
            uint32_t sum = 0;
            for (uint32_t turn = 0; turn < TURNS; turn++) {
                sum += board_brush_of_tint(tint, true, turn).green >> 5;
            }
            const uint32_t wanted = value * alpha * 63 / TURNS;
            const uint32_t apart = alpha < 64 ? 1 : TURNS / 2 + 1;
            assert_in_range(sum + apart, wanted, wanted + 2 * apart);
        }
    }
}

static struct board_drawn_shape square(int32_t radius)
{
    const struct board_tint grey = {64, 64, 64, 255};
    return (struct board_drawn_shape){.x = 256 * PART,
                                      .y = 256 * PART,
                                      .radius = radius,
                                      .sides = 4,
                                      .shrink = BOARD_ONE,
                                      .additive = true,
                                      .inner = grey,
                                      .outer = grey};
}

static void test_flat_square(void **state)
{
    (void)state;
    struct canvas *canvas = clean();
    /* Half a side of 0.7071 of the radius, 3/4 of that across. */
    const struct board_drawn_shape shape = square(100 * PART);
    board_polygon(canvas->texture, &shape, 1, 0);
    assert_in_range(count_lit(canvas->texture), 106 * 141, 107 * 143);
    assert_int_equal(pixel_at(canvas->texture, 256, 256), 8 << 11 | 16 << 5 | 8);
    assert_int_equal(pixel_at(canvas->texture, 256 - 52, 256 + 69), 8 << 11 | 16 << 5 | 8);
    assert_int_equal(pixel_at(canvas->texture, 256 - 54, 256), 0);
    assert_int_equal(pixel_at(canvas->texture, 256, 256 + 72), 0);
    finish(canvas);
}

/* Triangles share no pixel and leave none out between them: each is added to once. */
static void test_triangles_meet(void **state)
{
    (void)state;
    for (int sides = 3; sides <= BOARD_SHAPE_SIDES_MAX; sides += 7) {
        struct canvas *canvas = clean();
        struct canvas *whole = clean();
        struct board_drawn_shape shape = square(90 * PART + sides);
        shape.sides = (uint8_t)sides;
        shape.angle = (uint32_t)sides * 100;
        board_polygon(whole->texture, &shape, 1, 0);
        shape.inner.red = 65; /* another colour, the same bits: drawn in triangles */
        board_polygon(canvas->texture, &shape, 1, 0);
        assert_memory_equal(canvas->texture, whole->texture, sizeof whole->texture);
        finish(canvas);
        finish(whole);
    }
}

static void test_gradient(void **state)
{
    (void)state;
    struct canvas *canvas = clean();
    struct board_drawn_shape shape = square(120 * PART);
    shape.sides = 40;
    shape.additive = false;
    shape.inner = (struct board_tint){255, 0, 0, 255};
    shape.outer = (struct board_tint){0, 0, 255, 255};
    board_polygon(canvas->texture, &shape, 1, 0);
    assert_int_equal(pixel_at(canvas->texture, 256, 256) & 0xf800, 31 << 11);
    unsigned red = 31;
    for (int y = 256; y < 256 + 118; y++) {
        const unsigned here = pixel_at(canvas->texture, 256, y) >> 11;
        assert_true(here <= red);
        assert_in_range(here + (pixel_at(canvas->texture, 256, y) & 31), 29, 33);
        red = here;
    }
    assert_int_equal(red, 0);
    assert_in_range(pixel_at(canvas->texture, 256, 256 + 60) >> 11, 13, 18);
    finish(canvas);
}

static void test_wild_shapes(void **state)
{
    (void)state;
    static const int32_t wild[] = {-2048 * PART, -5000, -1, 0, 7, 4096, 8191, 2048 * PART};
    enum { WILD = sizeof wild / sizeof *wild };
    struct canvas *canvas = clean();
    for (unsigned i = 0; i < WILD * WILD * WILD; i++) {
        struct board_drawn_shape shape = square(abs(wild[i % WILD]));
        shape.x = wild[i / WILD % WILD];
        shape.y = wild[i / WILD / WILD];
        shape.sides = (uint8_t)(3 + i % 98);
        shape.angle = i * 777;
        shape.inner.alpha = (uint8_t)(i % 3 == 0 ? 255 : 0);
        board_polygon(canvas->texture, &shape, 1u << i % 5, i);
    }
    finish(canvas);
}

static void test_thinned_rows(void **state)
{
    (void)state;
    struct canvas *canvas = clean();
    struct board_drawn_shape shape = square(100 * PART);
    struct canvas *whole = clean();
    board_polygon(whole->texture, &shape, 1, 0);
    shape.inner.red = 65;
    for (uint32_t frame = 0; frame < 4; frame++) {
        board_polygon(canvas->texture, &shape, 4, frame);
        assert_in_range(count_lit(canvas->texture) / (frame + 1), 34 * 106, 37 * 107);
    }
    assert_memory_equal(canvas->texture, whole->texture, sizeof whole->texture);
    finish(canvas);
    finish(whole);
}

/* ---- whole frames ---- */

struct bench {
    struct preset preset;
    struct board_loaded *loaded;
    struct board_host *host;
    struct board *board;
    int16_t samples[2 * SAMPLES];
    struct board_input input;
};

#define DARK                                                                                       \
    "[preset00]\nzoom=1\nrot=0\nwarp=0\nfDecay=0\nfWaveAlpha=0\nob_size=0\nib_size=0\nmv_a=0\n"

static struct bench *start(const char *text)
{
    struct bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    assert_int_equal(preset_read(&bench->preset, "test.milk", text, strlen(text), NULL), 0);
    bench->loaded = board_patch_create(NULL, &bench->preset, FPS, 0, NULL);
    bench->host = board_host_create(base_cpu_best());
    bench->board = calloc(1, sizeof *bench->board);
    assert_non_null(bench->loaded);
    assert_non_null(bench->host);
    assert_non_null(bench->board);
    bench->input = (struct board_input){.samples = bench->samples, .sample_count = SAMPLES};
    assert_int_equal(board_host_take(bench->host, bench->loaded), 0);
    board_init(bench->board, board_host_units(bench->host), FPS);
    assert_true(board_load(bench->board, &bench->loaded->patch));
    return bench;
}

static void stop(struct bench *bench)
{
    board_patch_free(bench->loaded);
    board_host_free(bench->host);
    preset_free(&bench->preset);
    free(bench->board);
    free(bench);
}

static const uint8_t *texture_of(const struct bench *bench)
{
    return board_host_units(bench->host)->memory + bench->board->canvas.front * BOARD_TEXTURE_BYTES;
}

static const struct board_items *step(struct bench *bench)
{
    board_step(bench->board, &bench->input);
    return &bench->board->items;
}

static void test_shape_equations(void **state)
{
    (void)state;
    struct bench *bench =
        start(DARK "per_frame_init_1=q1=0.25;q2=5;\nper_frame_1=q2=q2+1;\n"
                   "shapecode_0_enabled=1\nshapecode_0_sides=5\nshapecode_0_num_inst=3\n"
                   "shapecode_0_rad=0.125\nshapecode_0_a=1\nshapecode_0_border_a=0\n"
                   "shape_0_init1=t1=7;own=2;\n"
                   "shape_0_per_frame1=x=q1*(instance+1); y=0.25; r=t1/7; g=(q2-5); own=own+1;\n"
                   "shape_0_per_frame2=t1=0; sides=own; additive=instance; q1=9;\n");
    for (uint32_t frame = 0; frame < 2; frame++) {
        const struct board_items *items = step(bench);
        assert_int_equal(items->shape_count, 3);
        for (uint32_t i = 0; i < 3; i++) {
            const struct board_drawn_shape *shape = &items->shapes[i];
            assert_int_equal(shape->x, 128 * PART * (int32_t)(i + 1));
            assert_int_equal(shape->y, 384 * PART);
            assert_int_equal(shape->radius, 32 * PART);
            assert_int_equal(shape->inner.red, 255); /* t1 begins each time as it was left */
            assert_int_equal(shape->inner.green, 255);
            assert_int_equal(shape->sides, 3 + i + 3 * frame); /* own goes on */
            assert_int_equal(shape->additive, i > 0);
        }
    }
    assert_int_not_equal(pixel_at(texture_of(bench), 128, 384), 0);
    assert_int_equal(pixel_at(texture_of(bench), 128, 128), 0);
    stop(bench);
}

static void test_wave_equations(void **state)
{
    (void)state;
    struct bench *bench =
        start(DARK "fWaveScale=1\nper_frame_1=q1=0.5;\n"
                   "wavecode_0_enabled=1\nwavecode_0_samples=100\nwavecode_0_smoothing=0\n"
                   "wavecode_0_scaling=1\nwavecode_0_bUseDots=1\nwavecode_0_r=0\nwavecode_0_g=1\n"
                   "wavecode_0_b=0\nwave_0_init1=t2=0.125;\n"
                   "wave_0_per_frame1=samples=samples/2; q2=0.25; b=1;\n"
                   "wave_0_per_point1=n=n+1; x=sample*q1; y=q2+t2+value1*0.5; g=n/50;\n");
    for (size_t i = 0; i < SAMPLES; i++) {
        bench->samples[2 * i] = 128 * 125; /* value1: 0.25 */
    }
    const struct board_items *items = step(bench);
    assert_int_equal(items->wave_count, 1);
    assert_int_equal(items->waves[0].count, 50);
    assert_true(items->waves[0].dots);
    for (int i = 0; i < 50; i++) {
        const struct board_drawn_point *point = &items->points[i];
        assert_in_range(point->x - 256 * i / 49 + 2, 0, 3);
        /* y = 0.5 is the middle */
        assert_in_range(point->y - 256 + 1, 0, 2);
        assert_int_equal(point->tint.red, 0);
        assert_int_equal(point->tint.blue, 255);
        assert_in_range(point->tint.green, 255 * (i + 1) / 50 - 1, 255 * (i + 1) / 50);
    }
    assert_in_range(count_lit(texture_of(bench)), 49, 50);
    stop(bench);
}

static void test_wave_without_equations_is_the_sound(void **state)
{
    (void)state;
    struct bench *bench = start(DARK "fWaveScale=1\nwavecode_1_enabled=1\nwavecode_1_samples=64\n"
                                     "wavecode_1_smoothing=0\nwavecode_1_scaling=0.5\n");
    for (size_t i = 0; i < SAMPLES; i++) {
        bench->samples[2 * i] = 128 * 125;
        bench->samples[2 * i + 1] = -128 * 125;
    }
    const struct board_items *items = step(bench);
    assert_int_equal(items->point_count, 64);
    /* value1 0.125, value2 -0.125; a step in y is 4/3 of one in x */
    assert_in_range(items->points[9].x, 256 + 63, 256 + 64);
    assert_in_range(items->points[9].y, 256 + 84, 256 + 86);
    stop(bench);
}

/* What the coprocessor cannot do is done by the CPU, with the same meaning. */
static void test_equations_on_the_cpu(void **state)
{
    (void)state;
    struct bench *bench = start(
        DARK
        "per_frame_1=q1=0.25;\nshapecode_0_enabled=1\nshapecode_0_a=1\nshapecode_0_num_inst=2\n"
        "shape_0_per_frame1=megabuf(3)=megabuf(3)+0.125; x=megabuf(3)+q1; y=instance/2;\n"
        "wavecode_0_enabled=1\nwavecode_0_samples=8\nwavecode_0_bUseDots=1\n"
        "wave_0_per_point1=gmegabuf(0)=gmegabuf(0)+1; x=gmegabuf(0)/16; y=q1+0.25;\n");
    const struct board_items *items = step(bench);
    assert_true(bench->loaded->patch.shapes[0].program.on_cpu);
    assert_true(bench->loaded->patch.waves[0].point.on_cpu);
    assert_false(bench->loaded->patch.waves[0].frame.on_cpu);
    assert_int_equal(items->shapes[0].x, 192 * PART);
    assert_int_equal(items->shapes[1].x, 256 * PART);
    assert_int_equal(items->shapes[1].y, 256 * PART);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(items->points[i].x, 32 * (i + 1));
        assert_int_equal(items->points[i].y, 256);
    }
    stop(bench);
}

static void test_loops_count(void **state)
{
    (void)state;
    struct bench *bench = start(DARK "shapecode_0_enabled=1\nshapecode_0_num_inst=100\n"
                                     "shape_0_per_frame1=n=0; while(n=n+1; below(n,900));\n");
    const struct board_items *items = step(bench);
    assert_in_range(items->shape_count, 1, 20);
    assert_int_equal(items->shape_count + items->shapes_cut, 100);
    stop(bench);
}

static void test_what_is_too_much_is_cut(void **state)
{
    (void)state;
    struct bench *bench =
        start(DARK "shapecode_0_enabled=1\nshapecode_0_a=1\nshapecode_0_num_inst=1024\n"
                   "shapecode_0_rad=2\nshapecode_0_sides=100\n"
                   "shape_0_per_frame1=x=0.5+0.4*sin(instance);\n"
                   "wavecode_0_enabled=1\nwavecode_0_samples=512\n"
                   "wave_0_per_point1=x=0.5+0.4*sin(sample*1000); y=0.5+0.4*cos(sample*777);\n");
    const struct board_items *items = step(bench);
    assert_true(items->shape_count > 0 && items->shape_count + items->shapes_cut == 1024);
    const int32_t first = items->shapes[0].x;
    assert_true(step(bench)->shapes[0].x != first); /* it is the turn of others */
    assert_int_equal(items->thin, BOARD_THIN_MAX);
    assert_int_equal(items->point_count + items->points_cut, 512);
    stop(bench);
    bench = start(DARK "shapecode_0_enabled=1\nshapecode_0_a=1\n"
                       "wavecode_0_enabled=1\nwavecode_0_samples=256\n"
                       "wave_0_per_point1=x=sample;\n");
    items = step(bench);
    assert_int_equal(items->shapes_cut + items->points_cut, 0);
    assert_int_equal(items->thin, 1);
    stop(bench);
}

/* Where each instance has its turn, all come to be drawn in the end. */
static void test_instances_take_turns(void **state)
{
    (void)state;
    struct bench *bench =
        start(DARK "shapecode_0_enabled=1\nshapecode_0_a=1\nshapecode_0_num_inst=200\n"
                   "shape_0_per_frame1=gmegabuf(0)=1; x=instance/200;\n");
    bool seen[200] = {false};
    unsigned count = 0;
    for (int frame = 0; frame < 150; frame++) {
        const struct board_items *items = step(bench);
        for (uint32_t i = 0; i < items->shape_count; i++) {
            const int32_t instance = (items->shapes[i].x * 200 + 4096) / (512 * PART);
            count += seen[instance] ? 0 : 1;
            seen[instance] = true;
        }
    }
    assert_in_range(count, 195, 200);
    stop(bench);
}

/* rand is no reason to leave the coprocessor. */
static void test_random_numbers(void **state)
{
    (void)state;
    struct bench *bench =
        start(DARK "wavecode_0_enabled=1\nwavecode_0_samples=100\nwavecode_0_bUseDots=1\n"
                   "wave_0_per_point1=x=rand(1); y=rand(1.9); r=rand(3)*0.25;\n");
    const struct board_items *items = step(bench);
    assert_false(bench->loaded->patch.waves[0].point.on_cpu);
    int64_t sum[2] = {0, 0};
    int32_t low = BOARD_SIDE;
    int32_t high = 0;
    unsigned red = 0;
    for (uint32_t i = 0; i < items->point_count; i++) {
        const struct board_drawn_point point = items->points[i];
        assert_in_range(point.x, 0, BOARD_SIDE);
        low = point.x < low ? point.x : low;
        high = point.x > high ? point.x : high;
        sum[0] += point.x;
        sum[1] += point.y;
        red = point.tint.red > red ? point.tint.red : red;
        assert_true(i == 0 || point.x != items->points[i - 1].x ||
                    point.y != items->points[i - 1].y);
    }
    assert_int_equal(items->point_count, 100);
    assert_true(low < 50 && high > 462 && red > 150 && red < 192);
    assert_in_range(sum[0] / 100, 200, 312);
    assert_in_range(sum[1] / 100, 200, 312);
    const int32_t first = items->points[0].x;
    assert_true(step(bench)->points[0].x != first);
    stop(bench);
}

static void test_a_wave_of_one_place_is_a_dot(void **state)
{
    (void)state;
    struct bench *bench = start(DARK "wavecode_0_enabled=1\nwavecode_0_samples=100\n"
                                     "wave_0_per_point1=x=0.5; y=0.5;\n");
    (void)step(bench);
    assert_int_equal(count_lit(texture_of(bench)), 1);
    stop(bench);
}

/* A textured shape shows the picture before, by the texture mapper. */
static void test_textured_shape(void **state)
{
    (void)state;
    struct bench *bench =
        start("[preset00]\nzoom=1\nrot=0\nwarp=0\nfDecay=0\nfWaveAlpha=0\nib_size=0\nmv_a=0\n"
              "ob_size=0.5\nob_r=1\nob_a=1\nshapecode_0_enabled=1\nshapecode_0_textured=1\n"
              "shapecode_0_sides=4\nshapecode_0_rad=0.5\nshapecode_0_a=1\nshapecode_0_a2=1\n"
              "shapecode_0_r=1\nshapecode_0_g=1\nshapecode_0_b=1\nshapecode_0_r2=1\n"
              "shapecode_0_g2=1\nshapecode_0_b2=1\nshapecode_0_border_a=0\n"
              "shapecode_0_tex_zoom=0.7071\n"
              "per_frame_1=ob_a=below(frame,2);\n");
    (void)step(bench);
    assert_int_equal(pixel_at(texture_of(bench), 2, 256), 31 << 11);
    assert_int_equal(pixel_at(texture_of(bench), 256, 256), 0);
    (void)step(bench);
    /* Half a side: 0.5 * 0.7071 * 256, 3/4 of that across. */
    assert_int_equal(pixel_at(texture_of(bench), 2, 256), 0);
    assert_in_range(pixel_at(texture_of(bench), 256, 256 - 89) >> 11, 28, 31);
    assert_int_equal(pixel_at(texture_of(bench), 256, 256 - 93), 0);
    assert_int_equal(pixel_at(texture_of(bench), 256, 256), 0);
    stop(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_brushes_hold_their_components),
        cmocka_unit_test(test_faint_brushes_add_up),
        cmocka_unit_test(test_flat_square),
        cmocka_unit_test(test_triangles_meet),
        cmocka_unit_test(test_gradient),
        cmocka_unit_test(test_wild_shapes),
        cmocka_unit_test(test_thinned_rows),
        cmocka_unit_test(test_shape_equations),
        cmocka_unit_test(test_wave_equations),
        cmocka_unit_test(test_wave_without_equations_is_the_sound),
        cmocka_unit_test(test_equations_on_the_cpu),
        cmocka_unit_test(test_loops_count),
        cmocka_unit_test(test_what_is_too_much_is_cut),
        cmocka_unit_test(test_instances_take_turns),
        cmocka_unit_test(test_random_numbers),
        cmocka_unit_test(test_a_wave_of_one_place_is_a_dot),
        cmocka_unit_test(test_textured_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
