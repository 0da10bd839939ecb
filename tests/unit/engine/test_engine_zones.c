/* A picture averaged to fixtures. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "engine/light/zones.h"

static void the_mean_is_of_light(void **state)
{
    (void)state;
    struct engine_zones_curve curve;
    engine_zones_curve(&curve);
    assert_int_equal(curve.linear[0], 0);
    assert_int_equal(curve.linear[255], 65535);
    assert_int_equal(curve.linear[188], 32957); /* the byte of half the light */
    /* Black and white in turns are half the light, and not the byte between. */
    static const uint32_t pixels[2][4] = {{0, 0xffffff, 0, 0xffffff}, {0xffffff, 0, 0xffffff, 0}};
    const struct engine_zone all = {0, 0, 65536, 65536, 1, 1};
    struct engine_light light;
    engine_zones_average(&all, &curve, pixels[0], 4, 4, 2, &light);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(light.rgb[i], 32768);
    }
}

/* A picture of 7x5 whose pixel (x, y) has red 30x and green 40y: each pixel is in one cell only. */
static void cells_lie_row_by_row(void **state)
{
    (void)state;
    struct engine_zones_curve curve;
    engine_zones_curve(&curve);
    uint32_t pixels[5 * 8];
    for (uint32_t y = 0; y < 5; y++) {
        for (uint32_t x = 0; x < 8; x++) {
            pixels[8 * y + x] = x == 7 ? 0xffffff : (30 * x) << 16 | (40 * y) << 8;
        }
    }
    const struct engine_zone each = {0, 0, 65536, 65536, 7, 5};
    struct engine_light cells[35];
    engine_zones_average(&each, &curve, pixels, 8, 7, 5, cells);
    for (uint32_t i = 0; i < 35; i++) {
        assert_int_equal(cells[i].rgb[0], curve.linear[30 * (i % 7)]);
        assert_int_equal(cells[i].rgb[1], curve.linear[40 * (i / 7)]);
        assert_int_equal(cells[i].rgb[2], 0);
    }
    /* The right half of the lower half, and more cells than pixels. */
    const struct engine_zone part = {32768, 32768, 65536, 65536, 1, 1};
    engine_zones_average(&part, &curve, pixels, 8, 7, 5, cells);
    const int red = curve.linear[90] + curve.linear[120] + curve.linear[150] + curve.linear[180];
    assert_int_equal(cells[0].rgb[0], (red + 2) / 4);
    const struct engine_zone many = {0, 0, 65536, 65536, 35, 1};
    engine_zones_average(&many, &curve, pixels, 8, 7, 5, cells);
    for (uint32_t i = 0; i < 35; i++) {
        assert_int_equal(cells[i].rgb[0], curve.linear[30 * (i / 5)]);
    }
}

static void the_edges_are_within_the_picture(void **state)
{
    (void)state;
    struct engine_zones_curve curve;
    engine_zones_curve(&curve);
    uint32_t *pixels = calloc(3 * 2, sizeof *pixels);
    pixels[5] = 0xffffff;
    const struct engine_zone corner = {65535, 65535, 65536, 65536, 4, 4};
    struct engine_light cells[16];
    engine_zones_average(&corner, &curve, pixels, 3, 3, 2, cells);
    for (int i = 0; i < 16; i++) {
        assert_int_equal(cells[i].rgb[2], 65535);
    }
    free(pixels);
}

static void fixtures_have_their_orders(void **state)
{
    (void)state;
    const struct engine_light light = {{65535, 32768, 16384}};
    uint8_t got[16];
    static const struct {
        const char *order;
        size_t size;
        uint8_t levels[6];
        uint32_t dim;
    } rows[] = {
        {"rgb", 3, {255, 128, 64}, 65536},
        {"grb", 3, {128, 255, 64}, 65536},
        {"rgbw", 4, {191, 64, 0, 64}, 65536},
        {"d", 1, {150}, 65536},
        {"frgb0", 5, {255, 255, 128, 64, 0}, 65536},
        {"G", 2, {0x80, 0x00}, 65536},
        {"RD", 4, {0xff, 0xff, 0x96, 0x97}, 65536},
        {"rgb", 3, {128, 64, 32}, 32768},
        {"frw", 3, {255, 0, 0}, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(engine_zones_order(rows[i].order), rows[i].size);
        engine_zones_fixture(got, rows[i].order, &light, rows[i].dim);
        assert_memory_equal(got, rows[i].levels, rows[i].size);
    }
    assert_int_equal(engine_zones_order(""), 0);
    assert_int_equal(engine_zones_order("rgx"), 0);
    assert_int_equal(engine_zones_order("rrrrrrrrrrrrrrrrr"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mean_is_of_light),
        cmocka_unit_test(cells_lie_row_by_row),
        cmocka_unit_test(the_edges_are_within_the_picture),
        cmocka_unit_test(fixtures_have_their_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
