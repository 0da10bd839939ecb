#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <string.h>

#include "ui/toolkit/text.h"

enum { WIDTH = 60, HEIGHT = 40, MARGIN = 8, STRIDE = WIDTH + 2 * MARGIN };
enum { CANARY = 0x12345678 };

/* A surface inside a larger field, all of it CANARY. */
struct canvas {
    uint32_t pixels[STRIDE * (HEIGHT + 2 * MARGIN)];
};

static struct ui_surface begin(struct canvas *canvas)
{
    for (size_t i = 0; i < sizeof canvas->pixels / sizeof canvas->pixels[0]; i++) {
        canvas->pixels[i] = CANARY;
    }
    return (struct ui_surface){canvas->pixels + MARGIN * STRIDE + MARGIN, WIDTH, HEIGHT, STRIDE};
}

/* Fails if a pixel outside the surface changed; returns how many inside did. */
static size_t changed(const struct canvas *canvas)
{
    size_t count = 0;
    for (int y = -MARGIN; y < HEIGHT + MARGIN; y++) {
        for (int x = -MARGIN; x < WIDTH + MARGIN; x++) {
            const uint32_t pixel = canvas->pixels[(y + MARGIN) * STRIDE + x + MARGIN];
            if (x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT) {
                assert_int_equal(pixel, CANARY);
            } else {
                count += pixel != CANARY;
            }
        }
    }
    return count;
}

static void drawing_stays_inside(void **state)
{
    struct ui_font *font = *state;
    if (font == NULL) {
        skip();
    }
    static const int positions[] = {INT_MIN, -100000, -31, -5, 0, 7, 39, 45, 59, 60, 61, INT_MAX};
    static const char words[] = "\xC3\x84Wjg \xE2\x80\xA6\xFF\xF0\x9F\x98\x80";
    struct canvas canvas;
    size_t total = 0;
    for (size_t i = 0; i < sizeof positions / sizeof positions[0]; i++) {
        for (size_t k = 0; k < sizeof positions / sizeof positions[0]; k++) {
            const struct ui_surface surface = begin(&canvas);
            ui_text_draw(font, &surface, positions[i], positions[k], base_span_of(words), 0xFFFFFF,
                         255);
            total += changed(&canvas);
        }
    }
    assert_true(total > 100);
}

static void alpha_and_colour_are_kept(void **state)
{
    struct ui_font *font = *state;
    if (font == NULL) {
        skip();
    }
    struct canvas canvas;
    struct ui_surface surface = begin(&canvas);
    ui_text_draw(font, &surface, 5, 30, base_span_of("M"), 0xFFFFFF, 0);
    assert_int_equal(changed(&canvas), 0);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        surface.pixels[(i / WIDTH) * STRIDE + i % WIDTH] = 0;
    }
    ui_text_draw(font, &surface, 5, 30, base_span_of("M"), 0x80FF00, 128);
    unsigned most = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const uint32_t pixel = surface.pixels[(i / WIDTH) * STRIDE + i % WIDTH];
        assert_int_equal(pixel & 0xFF0000FFu, 0);
        const unsigned green = pixel >> 8 & 255;
        const int red = (int)(pixel >> 16);
        assert_in_range(red + 1, green / 2, green / 2 + 3);
        most = green > most ? green : most;
    }
    assert_int_equal(most, 128);
}

static void widths_add_up(void **state)
{
    struct ui_font *font = *state;
    if (font == NULL) {
        skip();
    }
    const int one = ui_text_width(font, base_span_of("m"));
    assert_true(one > 0);
    assert_int_equal(ui_text_width(font, base_span_of("mmmm")), 4 * one);
    assert_int_equal(ui_text_fit(font, base_span_of("mmmm"), 3 * one + one / 2), 3);
    assert_int_equal(ui_text_fit(font, base_span_of("mmmm"), 0), 0);
    assert_int_equal(ui_text_fit(font, base_span_of("mmmm"), 100 * one), 4);
    const struct base_span umlaut = base_span_of("\xC3\x84");
    assert_int_equal(ui_text_fit(font, umlaut, ui_text_width(font, umlaut) - 1), 0);
    assert_int_equal(ui_text_fit(font, umlaut, ui_text_width(font, umlaut)), 2);
    assert_true(ui_font_ascent(font) > 0 && ui_font_ascent(font) < ui_font_line_height(font));
}

static void no_font_draws_nothing(void **state)
{
    (void)state;
    struct canvas canvas;
    const struct ui_surface surface = begin(&canvas);
    ui_text_draw(NULL, &surface, 5, 20, base_span_of("text"), 0xFFFFFF, 255);
    assert_int_equal(changed(&canvas), 0);
    assert_int_equal(ui_text_width(NULL, base_span_of("text")), 0);
    assert_int_equal(ui_text_fit(NULL, base_span_of("text"), 0), 4);
    assert_int_equal(ui_font_line_height(NULL), 0);
    ui_font_free(NULL);
}

static void backing_stays_inside_and_is_soft(void **state)
{
    (void)state;
    static const struct ui_rect rects[] = {
        {10, 10, 20, 10},           {-50, -50, 200, 200},      {50, 30, 40, 40}, {-9, -9, 5, 5},
        {INT_MIN, INT_MIN, 10, 10}, {INT_MAX - 20, 0, 20, 20}, {30, 20, 0, 0},
    };
    struct canvas canvas;
    for (size_t i = 0; i < sizeof rects / sizeof rects[0]; i++) {
        const struct ui_surface surface = begin(&canvas);
        ui_backing_draw(&surface, rects[i], 6, 255);
        (void)changed(&canvas);
    }
    const struct ui_surface surface = begin(&canvas);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        surface.pixels[(i / WIDTH) * STRIDE + i % WIDTH] = 0xFFFFFF;
    }
    ui_backing_draw(&surface, (struct ui_rect){20, 10, 20, 10}, 6, 255);
    const uint32_t *row = surface.pixels + 15 * STRIDE;
    assert_int_equal(row[30], 0);
    assert_int_equal(row[10], 0xFFFFFF);
    for (int x = 13; x < 19; x++) {
        assert_true((row[x] & 255) > (row[x + 1] & 255));
    }
    assert_int_equal(row[19], row[40]);
}

static int make_font(void **state)
{
    *state = ui_font_create(24, NULL);
    return 0;
}

static int free_font(void **state)
{
    ui_font_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawing_stays_inside),
        cmocka_unit_test(alpha_and_colour_are_kept),
        cmocka_unit_test(widths_add_up),
        cmocka_unit_test(no_font_draws_nothing),
        cmocka_unit_test(backing_stays_inside_and_is_soft),
    };
    return cmocka_run_group_tests(tests, make_font, free_font);
}
