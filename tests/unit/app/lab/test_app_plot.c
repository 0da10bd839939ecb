#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/lab/plot.h"

enum { WIDTH = 600, HEIGHT = 400, MARGIN = 8, STRIDE = WIDTH + 2 * MARGIN };
enum { CANARY = 0x12345678, PAPER = 0xFFFFFF };

static const double sizes[] = {2048, 4096, 8192, 16384};
static const char *const names[] = {"2K", "4K", "8K", "16K"};

static struct app_plot plot_of(const struct app_plot_line *lines, size_t count)
{
    return (struct app_plot){
        .title = "rotozoom",
        .x_title = "cache",
        .y_title = "hit rate, %",
        .x = sizes,
        .x_names = names,
        .columns = sizeof sizes / sizeof *sizes,
        .lines = lines,
        .line_count = count,
        .y_max = 100,
    };
}

static void the_axis_holds_every_value_in_a_few_steps(void **state)
{
    static const struct {
        double lowest;
        double low;
        double step;
    } cases[] = {
        {73.06, 70, 5}, {0, 0, 10},        {99.27, 99.2, 0.1}, {100, 99.9, 0.01},   {50, 50, 5},
        {95, 95, 0.5},  {98.9, 98.8, 0.2}, {-3, -20, 20},      {99.99, 99.9, 0.01},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double values[] = {NAN, 100, cases[i].lowest, 100};
        const struct app_plot_line line = {"a", values};
        const struct app_plot plot = plot_of(&line, 1);
        const struct app_plot_axis axis = app_plot_axis_of(&plot);
        assert_true(fabs(axis.low - cases[i].low) < 1e-6);
        assert_true(fabs(axis.step - cases[i].step) < 1e-9);
    }
}

struct canvas {
    uint32_t pixels[STRIDE * (HEIGHT + 2 * MARGIN)];
};

static struct ui_surface begin(struct canvas *canvas)
{
    for (size_t i = 0; i < sizeof canvas->pixels / sizeof *canvas->pixels; i++) {
        canvas->pixels[i] = CANARY;
    }
    return (struct ui_surface){canvas->pixels + MARGIN * STRIDE + MARGIN, WIDTH, HEIGHT, STRIDE};
}

static void nothing_outside_changed(const struct canvas *canvas)
{
    for (int y = -MARGIN; y < HEIGHT + MARGIN; y++) {
        for (int x = -MARGIN; x < WIDTH + MARGIN; x++) {
            if (x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT) {
                assert_int_equal(canvas->pixels[(y + MARGIN) * STRIDE + x + MARGIN], CANARY);
            }
        }
    }
}

/* Pixels of exactly this colour in a part of the surface. */
static size_t count(const struct ui_surface *surface, struct ui_rect rect, uint32_t colour)
{
    size_t found = 0;
    for (int y = rect.y; y < rect.y + rect.height; y++) {
        for (int x = rect.x; x < rect.x + rect.width; x++) {
            found += surface->pixels[(size_t)y * surface->stride + (size_t)x] == colour;
        }
    }
    return found;
}

static void marks_cover_their_size(void **state)
{
    (void)state;
    struct canvas *canvas = malloc(sizeof *canvas);
    assert_non_null(canvas);
    for (int mark = 0; mark < APP_PLOT_MARKS; mark++) {
        const struct ui_surface surface = begin(canvas);
        app_plot_mark(&surface, (struct app_plot_point){50, 60}, (enum app_plot_mark)mark, 0xFF);
        const size_t inside = count(&surface, (struct ui_rect){40, 50, 20, 20}, 0xFF);
        assert_in_range(inside, 40, 110);
        assert_int_equal(count(&surface, (struct ui_rect){0, 0, WIDTH, HEIGHT}, 0xFF), inside);
        assert_int_equal(surface.pixels[60 * STRIDE + 50], 0xFF);
        nothing_outside_changed(canvas);
    }
    free(canvas);
}

static void strokes_have_their_width_and_are_cut(void **state)
{
    (void)state;
    struct canvas *canvas = malloc(sizeof *canvas);
    assert_non_null(canvas);
    const struct ui_surface surface = begin(canvas);
    app_plot_stroke(&surface, (struct app_plot_point){-100, 20}, (struct app_plot_point){900, 20},
                    4, 0xAA);
    for (int x = 0; x < WIDTH; x += 7) {
        for (int y = 10; y < 30; y++) {
            const uint32_t expected = y >= 18 && y < 22 ? 0xAA : CANARY;
            assert_int_equal(surface.pixels[y * STRIDE + x], expected);
        }
    }
    app_plot_stroke(&surface, (struct app_plot_point){-50, 500}, (struct app_plot_point){700, -90},
                    30, 0xBB);
    app_plot_mark(&surface, (struct app_plot_point){0, 0}, APP_PLOT_DISC, 0xCC);
    app_plot_mark(&surface, (struct app_plot_point){WIDTH, HEIGHT}, APP_PLOT_CROSS, 0xCC);
    app_plot_mark(&surface, (struct app_plot_point){-1e6, 1e6}, APP_PLOT_SQUARE, 0xCC);
    nothing_outside_changed(canvas);
    free(canvas);
}

static void every_line_has_its_points_and_its_name(void **state)
{
    static const uint32_t colours[] = {0x0072B2, 0xD55E00, 0x009E73};
    static const double values[][4] = {{73, 83, 94, 96}, {NAN, 90, NAN, 92}, {75, NAN, NAN, NAN}};
    struct app_plot_line lines[3];
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        lines[i] = (struct app_plot_line){"name", values[i]};
    }
    struct canvas *canvas = malloc(sizeof *canvas);
    struct canvas *again = malloc(sizeof *again);
    assert_non_null(canvas);
    assert_non_null(again);
    const struct ui_surface surface = begin(canvas);
    const struct app_plot plot = plot_of(lines, 3);
    app_plot_draw(&plot, &surface, NULL);
    nothing_outside_changed(canvas);
    const struct ui_rect field = {70, 86, 330, 244};
    const struct ui_rect legend = {400, 86, 200, 244};
    for (size_t i = 0; i < 3; i++) {
        assert_true(count(&surface, field, colours[i]) > 30);
        assert_true(count(&surface, legend, colours[i]) > 30);
    }
    /* A line with one point has no strokes. */
    assert_true(count(&surface, field, colours[2]) < 100);
    assert_true(count(&surface, field, colours[0]) > 500);
    const struct ui_surface other = begin(again);
    app_plot_draw(&plot, &other, NULL);
    assert_memory_equal(canvas->pixels, again->pixels, sizeof canvas->pixels);
    free(canvas);
    free(again);
}

static void surfaces_of_any_size_are_survived(void **state)
{
    static const double values[] = {73, 83, 94, 96};
    const struct app_plot_line line = {"a", values};
    struct app_plot plot = plot_of(&line, 1);
    uint32_t pixels[40 * 30];
    (void)state;
    for (int width = 1; width <= 40; width += 13) {
        for (int height = 1; height <= 30; height += 7) {
            const struct ui_surface surface = {pixels, width, height, (size_t)width};
            app_plot_draw(&plot, &surface, NULL);
        }
    }
    plot.columns = 1;
    const struct ui_surface surface = {pixels, 40, 30, 40};
    app_plot_draw(&plot, &surface, NULL);
    plot.line_count = 0;
    app_plot_draw(&plot, &surface, NULL);
}

static void it_is_written_as_png(void **state)
{
    static const double values[] = {73.06, 82.94, 93.73, 95.74};
    const struct app_plot_line line = {"milkymist", values};
    const struct app_plot plot = plot_of(&line, 1);
    char folder[] = "/tmp/froth-plot-XXXXXX";
    char path[64];
    unsigned char head[24] = {0};
    (void)state;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/plot.png", folder);
    assert_int_equal(app_plot_write(&plot, path, NULL), 0);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(head, 1, sizeof head, file), sizeof head);
    (void)fclose(file);
    assert_memory_equal(head, "\x89PNG\r\n\x1A\n", 8);
    assert_int_equal(head[18] << 8 | head[19], APP_PLOT_WIDTH);
    assert_int_equal(head[22] << 8 | head[23], APP_PLOT_HEIGHT);
    assert_int_equal(remove(path), 0);
    assert_int_equal(remove(folder), 0);

    struct base_diag_list diags = {.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&diags);
    assert_int_equal(app_plot_write(&plot, "/proc/nowhere/plot.png", &sink), -1);
    assert_true(diags.by_severity[BASE_ERROR] == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_axis_holds_every_value_in_a_few_steps),
        cmocka_unit_test(marks_cover_their_size),
        cmocka_unit_test(strokes_have_their_width_and_are_cut),
        cmocka_unit_test(every_line_has_its_points_and_its_name),
        cmocka_unit_test(surfaces_of_any_size_are_survived),
        cmocka_unit_test(it_is_written_as_png),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
