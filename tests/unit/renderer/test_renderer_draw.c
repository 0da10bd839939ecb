/* Lines and frames: which pixels are drawn, each once, none outside. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/fmath.h"
#include "base/random.h"
#include "renderer/stages.h"
#include "tmu/tmu.h"

enum { WIDTH = 64, HEIGHT = 48, MARGIN = 4, STRIDE = WIDTH + 2 * MARGIN };

struct picture {
    uint32_t words[(HEIGHT + 2 * MARGIN) * STRIDE];
    struct rend_canvas canvas;
};

static const uint32_t guard = 0x00C0FFEE;

static void clear(struct picture *picture)
{
    for (size_t i = 0; i < sizeof picture->words / sizeof *picture->words; i++) {
        picture->words[i] = guard;
    }
    picture->canvas = (struct rend_canvas){.pixels = picture->words + MARGIN * STRIDE + MARGIN,
                                           .stride = STRIDE,
                                           .width = WIDTH,
                                           .height = HEIGHT,
                                           .bottom = HEIGHT,
                                           .cpu = base_cpu_best()};
    for (size_t y = 0; y < HEIGHT; y++) {
        memset(picture->canvas.pixels + y * STRIDE, 0, WIDTH * sizeof(uint32_t));
    }
}

static uint32_t pixel(const struct picture *picture, int x, int y)
{
    return picture->canvas.pixels[y * STRIDE + x];
}

static int lit(const struct picture *picture)
{
    int count = 0;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            count += pixel(picture, x, y) != 0;
        }
    }
    return count;
}

static void assert_guard_whole(const struct picture *picture)
{
    for (int y = -MARGIN; y < HEIGHT + MARGIN; y++) {
        for (int x = -MARGIN; x < WIDTH + MARGIN; x++) {
            if (x < 0 || x >= WIDTH || y < 0 || y >= HEIGHT) {
                assert_int_equal(picture->canvas.pixels[y * STRIDE + x], guard);
            }
        }
    }
}

static void line(struct picture *picture, float x0, float y0, float x1, float y1)
{
    const struct rend_colour one = {1, 1, 1, 255};
    rend_draw_line(&picture->canvas, (struct rend_point){x0, y0}, (struct rend_point){x1, y1}, one,
                   one, REND_BLEND_ADDITIVE);
}

static void test_line_pixels(void **state)
{
    (void)state;
    static const struct {
        float x0, y0, x1, y1;
        int count;
        int x, y; /* one pixel that must be lit */
    } cases[] = {
        {0, 10.5f, 64, 10.5f, 64, 63, 10},
        {10.5f, 0, 10.5f, 48, 48, 10, 47},
        {64, 10.5f, 0, 10.5f, 64, 0, 10},
        {0, 0, 48, 48, 48, 20, 20},
        {10, 10, 10, 10, 0, 0, 0},
        {10.4f, 10.4f, 11.4f, 10.4f, 1, 10, 10},
        {-1e9f, 20.5f, 1e9f, 20.5f, 64, 32, 20},
        {-100, -100, 100, 100, 48, 5, 5},
        {-50, 5, -10, 5, 0, 0, 0},
        {5, 70, 60, 90, 0, 0, 0},
    };
    static struct picture picture;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        clear(&picture);
        line(&picture, cases[i].x0, cases[i].y0, cases[i].x1, cases[i].y1);
        assert_int_equal(lit(&picture), cases[i].count);
        if (cases[i].count > 0) {
            assert_int_equal(pixel(&picture, cases[i].x, cases[i].y), 0x010101);
        }
        assert_guard_whole(&picture);
    }
}

/* In a strip no joint is drawn twice, in whichever direction it goes on. */
static void test_strip_joints_once(void **state)
{
    (void)state;
    static struct picture picture;
    clear(&picture);
    struct rend_point points[64];
    struct rend_colour colours[64];
    for (size_t i = 0; i < 64; i++) {
        points[i] = (struct rend_point){(float)i, 20.3f + 0.2f * (float)(i % 3)};
        colours[i] = (struct rend_colour){1, 1, 1, 255};
    }
    struct rend_strip strip = {points, colours, NULL, 64, {.blend = REND_BLEND_ADDITIVE}, 0};
    strip.cost = rend_strip_cost(&picture.canvas, &strip);
    const struct rend_strips strips = rend_pay_strips(&picture.canvas, &strip, 1);
    rend_draw_strips(&picture.canvas, &strips);
    for (int x = 0; x < 63; x++) {
        assert_int_equal(pixel(&picture, x, 20), 0x010101);
    }
    assert_int_equal(lit(&picture), 63);
}

static void test_nothing_from_bad_positions(void **state)
{
    (void)state;
    static struct picture picture;
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    clear(&picture);
    const struct rend_colour white = {255, 255, 255, 255};
    for (size_t i = 0; i < 3; i++) {
        line(&picture, bad[i], 1, 5, 5);
        line(&picture, 1, 1, 5, bad[i]);
        rend_draw_dot(&picture.canvas, (struct rend_point){bad[i], 3}, 2, white, REND_BLEND_ALPHA);
        rend_draw_frame(&picture.canvas, 1, bad[i], white);
    }
    assert_int_equal(lit(&picture), 0);
    assert_guard_whole(&picture);
}

static void test_frame_pixels(void **state)
{
    (void)state;
    static const struct {
        float outer, inner;
        int count;
    } cases[] = {
        {1, 1, 0},
        {1, 0.5f, WIDTH * HEIGHT - 32 * 24},
        {0.5f, 0.25f, 32 * 24 - 16 * 12},
        {1, -3, WIDTH * HEIGHT},
        {1.2f, 1.1f, 0},
        {0.25f, 0.5f, 32 * 24 - 16 * 12},
        {1, 0, WIDTH * HEIGHT},
    };
    static struct picture picture;
    const struct rend_colour colour = {1, 2, 3, 255};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        clear(&picture);
        rend_draw_frame(&picture.canvas, cases[i].outer, cases[i].inner, colour);
        assert_int_equal(lit(&picture), cases[i].count);
        assert_guard_whole(&picture);
    }
}

/* Between even numbers of pixels lies no pixel's centre, between odd ones does. */
static void test_frame_without_hole(void **state)
{
    (void)state;
    static struct picture picture;
    const struct rend_colour colour = {1, 2, 3, 255};
    for (int odd = 0; odd < 4; odd++) {
        const int width = WIDTH - (odd & 1);
        const int height = HEIGHT - (odd >> 1);
        for (float inner = 0; inner > -2; inner -= 0.5f) {
            clear(&picture);
            picture.canvas.width = width;
            picture.canvas.height = height;
            rend_draw_frame(&picture.canvas, 1, inner, colour);
            assert_int_equal(lit(&picture), width * height);
        }
    }
}

static void test_fill_limit(void **state)
{
    (void)state;
    static struct picture picture;
    clear(&picture);
    enum { LINES = 10 };
    int64_t left = LINES * (REND_LINE_COST + REND_LINE_PIXEL_COST * WIDTH);
    picture.canvas.fill_left = &left;
    for (int i = 0; i < 100; i++) {
        line(&picture, 0, 10.5f, WIDTH, 10.5f);
    }
    assert_true(left < 0);
    assert_int_equal(pixel(&picture, 5, 10) & 255, LINES);
}

static void test_low_bits(void **state)
{
    (void)state;
    static const struct {
        float value;
        int expected;
    } cases[] = {{0, 0},      {1, 255},    {0.5f, 127}, {1.5f, 126}, {-0.1f, 231},
                 {12.4f, 90}, {2.25f, 61}, {NAN, 0},    {1e30f, 0},  {-INFINITY, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(rend_low_bits(cases[i].value), cases[i].expected);
    }
}

static void test_smooth_strip(void **state)
{
    (void)state;
    const struct rend_point points[3] = {{0, 0}, {10, 0}, {20, 10}};
    const struct rend_colour colours[3] = {{1, 0, 0, 0}, {2, 0, 0, 0}, {3, 0, 0, 0}};
    struct rend_point out[6];
    struct rend_colour out_colours[6];
    assert_int_equal(rend_smooth_strip(points, colours, 3, out, out_colours), 5);
    assert_float_equal(out[1].x, (-0.15 * 0 + 1.15 * 0 + 1.15 * 10 - 0.15 * 20) / 2, 1e-5);
    assert_float_equal(out[3].y, (-0.15 * 0 + 1.15 * 0 + 1.15 * 10 - 0.15 * 10) / 2, 1e-5);
    assert_int_equal(out_colours[1].r, 1);
    assert_int_equal(out_colours[3].r, 2);
    assert_float_equal(out[4].x, 20, 0);
}

/* A level line stays where it is, to the bit: wherever it lies, it keeps its row of pixels. */
static void test_smooth_strip_keeps_level_lines(void **state)
{
    (void)state;
    for (int y = -2000; y <= 2000; y++) {
        const float level = (float)y * 0.25f;
        const struct rend_point points[4] = {{0, level}, {1, level}, {2, level}, {3, level}};
        const struct rend_colour colours[4] = {{0, 0, 0, 0}};
        struct rend_point out[8];
        struct rend_colour out_colours[8];
        const size_t count = rend_smooth_strip(points, colours, 4, out, out_colours);
        for (size_t i = 0; i < count; i++) {
            assert_true(out[i].y == level);
        }
    }
}

static struct rend_colour random_colour(struct base_rng *rng)
{
    const uint32_t bits = base_rng_next(rng);
    return (struct rend_colour){(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16),
                                (uint8_t)(bits >> 24)};
}

static float random_place(struct base_rng *rng, float size)
{
    const float part = (float)(base_rng_next(rng) >> 8) / 16777216.0f;
    switch (base_rng_next(rng) % 4) {
    case 0:
        return floorf(part * size) + 0.5f;
    case 1:
        return (part - 0.5f) * 40 * size;
    default:
        return part * size;
    }
}

static uint32_t divide255(uint32_t x)
{
    return (2 * x + 255) / 510;
}

static void put(uint32_t *pixel, const double rgba[4], enum rend_blend blend)
{
    const uint32_t a = (uint32_t)(rgba[3] + 0.5);
    uint32_t result = 0;
    for (unsigned k = 0; k < 3; k++) {
        const uint32_t src = (uint32_t)(rgba[2 - k] + 0.5);
        const uint32_t dst = *pixel >> (8 * k) & 255;
        const uint32_t sum = blend == REND_BLEND_ADDITIVE ? dst + divide255(src * a)
                                                          : divide255(src * a + dst * (255 - a));
        result |= (sum > 255 ? 255 : sum) << (8 * k);
    }
    *pixel = result;
}

/* Pixel by pixel over the whole axis, each looked at by itself. */
static void draw_line_slowly(const struct rend_canvas *canvas, struct rend_point from,
                             struct rend_point to, const double c0[4], const double c1[4],
                             enum rend_blend blend)
{
    const double dx = (double)to.x - (double)from.x;
    const double dy = (double)to.y - (double)from.y;
    const bool steep = fabs(dy) > fabs(dx);
    const double start = steep ? (double)from.y : (double)from.x;
    const double length = steep ? dy : dx;
    for (int major = 0; major < (steep ? canvas->height : canvas->width); major++) {
        const double along = major + 0.5 - start;
        const double end = start + length;
        const bool on = length < 0 ? major + 0.5 > end && major + 0.5 <= start
                                   : major + 0.5 >= start && major + 0.5 < end;
        const double minor =
            floor((steep ? (double)from.x : (double)from.y) + along * ((steep ? dx : dy) / length));
        if (on && minor >= 0 && minor < (steep ? canvas->width : canvas->height)) {
            const double t = fmin(fmax(along / length, 0), 1);
            double rgba[4];
            for (int k = 0; k < 4; k++) {
                rgba[k] = c0[k] + (c1[k] - c0[k]) * t;
            }
            const size_t x = (size_t)(steep ? minor : major);
            const size_t y = (size_t)(steep ? major : minor);
            put(canvas->pixels + y * canvas->stride + x, rgba, blend);
        }
    }
}

/* Channel by channel; then takes over what was got. */
static void assert_within(struct picture *expected, const struct picture *got, int levels)
{
    for (size_t i = 0; i < sizeof got->words / sizeof *got->words; i++) {
        for (unsigned shift = 0; shift < 32; shift += 8) {
            const int a = (int)(expected->words[i] >> shift & 255);
            const int b = (int)(got->words[i] >> shift & 255);
            assert_true(a - b <= levels && b - a <= levels);
        }
    }
    memcpy(expected->words, got->words, sizeof got->words);
}

/* Colours that change are rounded here before they are blended, and there after it. */
static void test_lines_as_defined(void **state)
{
    (void)state;
    static struct picture expected;
    static struct picture got;
    static struct picture plain;
    struct base_rng rng;
    base_rng_seed(&rng, 71, 0);
    clear(&expected);
    clear(&got);
    clear(&plain);
    plain.canvas.cpu = BASE_CPU_PLAIN;
    for (int round = 0; round < 20000; round++) {
        const struct rend_point from = {random_place(&rng, WIDTH), random_place(&rng, HEIGHT)};
        struct rend_point to = {random_place(&rng, WIDTH), random_place(&rng, HEIGHT)};
        to.x = round % 7 == 0 ? from.x : to.x;
        to.y = round % 11 == 0 ? from.y : to.y;
        const struct rend_colour c = random_colour(&rng);
        const struct rend_colour d = round % 3 == 0 ? random_colour(&rng) : c;
        const double c0[4] = {c.r, c.g, c.b, c.a};
        const double c1[4] = {d.r, d.g, d.b, d.a};
        const enum rend_blend blend = round % 8 == 0 ? REND_BLEND_ADDITIVE : REND_BLEND_ALPHA;
        draw_line_slowly(&expected.canvas, from, to, c0, c1, blend);
        rend_draw_line(&got.canvas, from, to, c, d, blend);
        rend_draw_line(&plain.canvas, from, to, c, d, blend);
        assert_within(&expected, &got, memcmp(&c, &d, sizeof c) == 0 ? 0 : 2);
        assert_memory_equal(expected.words, plain.words, sizeof got.words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line_pixels),
        cmocka_unit_test(test_lines_as_defined),
        cmocka_unit_test(test_strip_joints_once),
        cmocka_unit_test(test_nothing_from_bad_positions),
        cmocka_unit_test(test_frame_pixels),
        cmocka_unit_test(test_frame_without_hole),
        cmocka_unit_test(test_fill_limit),
        cmocka_unit_test(test_low_bits),
        cmocka_unit_test(test_smooth_strip),
        cmocka_unit_test(test_smooth_strip_keeps_level_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
