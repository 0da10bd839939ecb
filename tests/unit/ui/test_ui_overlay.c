#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/overlay.h"
#include "ui/window.h"
#include "../turns.h"

/* Counts what the thread of the test allocates, since Pango looks for fonts in another one; the
 * sanitizers have such functions of their own. */
static _Thread_local size_t allocations;
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);

void *malloc(size_t size)
{
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    allocations++;
    return __libc_calloc(count, size);
}
#endif

enum { WIDTH = 640, HEIGHT = 360, GREY = 0x909090 };

struct area {
    int left, top, right, bottom; /* of what changed; right and bottom are outside */
    size_t count;
};

struct fixture {
    struct ui_overlay *overlay;
    uint32_t *pixels;
    struct ui_line *name;
};

static void show_name(struct fixture *fixture, const char *name, double now)
{
    struct ui_line *before = fixture->name;
    fixture->name = ui_overlay_name(fixture->overlay, name);
    ui_overlay_set_name(fixture->overlay, fixture->name);
    ui_overlay_show_name(fixture->overlay, now);
    ui_line_free(before);
}

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    fixture->overlay = ui_overlay_create(WIDTH, HEIGHT, NULL);
    struct ui_bindings *bindings = ui_bindings_load("milkdrop", NULL);
    ui_overlay_set_bindings(fixture->overlay, bindings, NULL);
    ui_bindings_free(bindings);
    fixture->pixels = calloc(WIDTH * HEIGHT, sizeof(uint32_t));
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    ui_line_free(fixture->name);
    ui_overlay_free(fixture->overlay);
    free(fixture->pixels);
    free(fixture);
    return 0;
}

static struct area draw(const struct fixture *fixture, double now)
{
    for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
        fixture->pixels[i] = GREY;
    }
    const struct ui_surface surface = {fixture->pixels, WIDTH, HEIGHT, WIDTH};
    ui_overlay_draw(fixture->overlay, &surface, now);
    struct area area = {WIDTH, HEIGHT, 0, 0, 0};
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        if (fixture->pixels[i] != GREY) {
            const int x = i % WIDTH;
            const int y = i / WIDTH;
            area.left = x < area.left ? x : area.left;
            area.top = y < area.top ? y : area.top;
            area.right = x + 1 > area.right ? x + 1 : area.right;
            area.bottom = y + 1 > area.bottom ? y + 1 : area.bottom;
            area.count++;
        }
    }
    return area;
}

static void skip_without_font(void)
{
    struct ui_font *font = ui_font_create(12, NULL);
    ui_font_free(font);
    if (font == NULL) {
        SKIP("no font is installed");
    }
}

static void fade_holds_then_falls(void **state)
{
    (void)state;
    static const struct {
        double age;
        unsigned alpha;
    } cases[] = {{0, 255}, {1, 255},  {3, 255}, {3.5, 128},    {4, 0},
                 {100, 0}, {-0.1, 0}, {NAN, 0}, {INFINITY, 0}, {-INFINITY, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(ui_overlay_fade(cases[i].age), cases[i].alpha);
    }
    unsigned before = 255;
    for (int i = 0; i <= 100; i++) {
        const unsigned alpha = ui_overlay_fade(3 + i / 100.0);
        assert_true(alpha <= before);
        before = alpha;
    }
}

static void nothing_is_drawn_at_first(void **state)
{
    assert_int_equal(draw(*state, 0).count, 0);
    assert_int_equal(draw(*state, 100).count, 0);
}

static void name_comes_and_goes(void **state)
{
    struct fixture *fixture = *state;
    skip_without_font();
    show_name(fixture, "Name of a preset", 10);
    assert_int_equal(draw(fixture, 11).count, 0);
    ui_overlay_set_names(fixture->overlay, UI_NAMES_AT_FIRST);
    const struct area area = draw(fixture, 11);
    assert_true(area.count > 500);
    assert_true(area.top > HEIGHT * 3 / 4);
    assert_true(area.right < WIDTH * 3 / 4);
    assert_true(draw(fixture, 13.5).count > 500);
    assert_int_equal(draw(fixture, 14).count, 0);
    ui_overlay_set_names(fixture->overlay, UI_NAMES_ALWAYS);
    assert_int_equal(draw(fixture, 1000).count, area.count);
    ui_overlay_set_names(fixture->overlay, UI_NAMES_NEVER);
    assert_int_equal(draw(fixture, 11).count, 0);
}

static void name_reads_over_white(void **state)
{
    struct fixture *fixture = *state;
    skip_without_font();
    ui_overlay_set_names(fixture->overlay, UI_NAMES_AT_FIRST);
    show_name(fixture, "MMMM", 0);
    for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
        fixture->pixels[i] = 0xFFFFFF;
    }
    const struct ui_surface surface = {fixture->pixels, WIDTH, HEIGHT, WIDTH};
    ui_overlay_draw(fixture->overlay, &surface, 1);
    size_t dark = 0;
    size_t light = 0;
    for (int y = HEIGHT * 3 / 4; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH / 4; x++) {
            const uint32_t red = fixture->pixels[y * WIDTH + x] >> 16;
            dark += red < 100;
            light += red > 240;
        }
    }
    assert_true(dark > 300);
    assert_true(light > 100);
}

static void painter_does_not_allocate(void **state)
{
    struct fixture *fixture = *state;
    skip_without_font();
    static const char *const names[4] = {"plain", "Привет", "日本語", "مرحبا"};
    const struct ui_surface surface = {fixture->pixels, WIDTH, HEIGHT, WIDTH};
    for (int i = 0; i < 4; i++) {
        const size_t at_first = allocations;
        struct ui_line *line = ui_overlay_name(fixture->overlay, names[i]);
        const size_t before = allocations;
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
        assert_true(before > at_first);
#else
        assert_int_equal(before, at_first);
#endif
        ui_overlay_set_name(fixture->overlay, line);
        ui_overlay_show_name(fixture->overlay, i);
        ui_overlay_set_fps(fixture->overlay, 59.9);
        ui_overlay_set_meter(fixture->overlay, &(struct rend_heard){.bpm = 120 + i});
        ui_overlay_set_help(fixture->overlay, i % 2 != 0);
        ui_overlay_draw(fixture->overlay, &surface, i);
        assert_int_equal(allocations, before);
        ui_overlay_set_name(fixture->overlay, NULL);
        ui_line_free(line);
    }
}

static void long_and_broken_names_are_cut(void **state)
{
    struct fixture *fixture = *state;
    ui_overlay_set_names(fixture->overlay, UI_NAMES_AT_FIRST);
    skip_without_font();
    char name[2000];
    static const char fillers[] = {'m', 'i', '\xC3', '\xFF', ' ', '\n'};
    for (size_t i = 0; i < sizeof fillers; i++) {
        memset(name, fillers[i], sizeof name - 1);
        name[sizeof name - 1] = '\0';
        show_name(fixture, name, 0);
        assert_true(draw(fixture, 0).right <= WIDTH);
    }
    memset(name, 'm', sizeof name - 1);
    show_name(fixture, name, 0);
    const struct area area = draw(fixture, 0);
    assert_true(area.right > WIDTH * 3 / 4);
    show_name(fixture, "", 0);
    assert_int_equal(draw(fixture, 0).count, 0);
}

static void help_and_fps_have_their_places(void **state)
{
    const struct fixture *fixture = *state;
    skip_without_font();
    ui_overlay_set_fps(fixture->overlay, 59.94);
    struct area area = draw(fixture, 50);
    assert_true(area.count > 0 && area.bottom < HEIGHT / 4 && area.left > WIDTH / 2);
    ui_overlay_set_fps(fixture->overlay, -1);
    assert_int_equal(draw(fixture, 50).count, 0);
    ui_overlay_set_help(fixture->overlay, true);
    area = draw(fixture, 50);
    assert_true(area.count > WIDTH * HEIGHT / 8);
    assert_true(area.left > 0 && area.top > 0 && area.right < WIDTH && area.bottom < HEIGHT);
    ui_overlay_set_help(fixture->overlay, false);
    assert_int_equal(draw(fixture, 50).count, 0);
}

static void meter_shows_levels_and_tempo(void **state)
{
    const struct fixture *fixture = *state;
    skip_without_font();
    struct rend_heard heard = {.level = {0.5, 1, 1.5}, .level_att = {1, 1, 1}};
    ui_overlay_set_meter(fixture->overlay, &heard);
    const struct area area = draw(fixture, 50);
    assert_true(area.count > 0 && area.bottom < HEIGHT / 2 && area.right < WIDTH / 2);
    const size_t bytes = WIDTH * HEIGHT * sizeof(uint32_t);
    uint32_t *before = malloc(bytes);
    assert_non_null(before);
    static const struct rend_heard others[] = {
        {.level = {1.5, 1, 1.5}, .level_att = {1, 1, 1}},
        {.level = {0.5, 1, 1.5}, .level_att = {1, 2, 1}},
        {.level = {0.5, 1, 1.5}, .level_att = {1, 1, 1}, .beat_phase = 0.9, .bpm = 120},
        {.level = {0.5, 1, 1.5}, .level_att = {1, 1, 1}, .beat_phase = 0.1, .bpm = 120},
        {.level = {0.5, 1, 1.5}, .level_att = {1, 1, 1}, .beat_phase = 0.1, .bpm = 121},
        {.level = {1e300, -1, (double)NAN}, .level_att = {(double)NAN, -1e300, 1e300}},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        memcpy(before, fixture->pixels, bytes);
        ui_overlay_set_meter(fixture->overlay, &others[i]);
        (void)draw(fixture, 50);
        assert_memory_not_equal(before, fixture->pixels, bytes);
    }
    free(before);
    ui_overlay_set_meter(fixture->overlay, NULL);
    assert_int_equal(draw(fixture, 50).count, 0);
}

static void smallest_picture_is_safe(void **state)
{
    (void)state;
    uint32_t pixels[16 * 16] = {0};
    struct ui_overlay *overlay = ui_overlay_create(16, 16, NULL);
    assert_non_null(overlay);
    struct ui_bindings *bindings = ui_bindings_load("projectm", NULL);
    ui_overlay_set_bindings(overlay, bindings, NULL);
    ui_bindings_free(bindings);
    struct ui_line *name = ui_overlay_name(overlay, "name");
    ui_overlay_set_name(overlay, name);
    ui_overlay_show_name(overlay, 0);
    ui_overlay_set_fps(overlay, 1e9);
    ui_overlay_set_help(overlay, true);
    ui_overlay_set_meter(overlay, &(struct rend_heard){.level = {1, 2, 3}, .bpm = 90});
    const struct ui_surface surface = {pixels, 16, 16, 16};
    ui_overlay_draw(overlay, &surface, 0);
    ui_line_free(name);
    ui_overlay_free(overlay);
}

static void letterbox_keeps_the_aspect(void **state)
{
    (void)state;
    static const struct {
        int picture[2];
        int window[2];
        struct ui_rect rect;
    } cases[] = {
        {{1280, 720}, {1280, 720}, {0, 0, 1280, 720}},
        {{1280, 720}, {640, 360}, {0, 0, 640, 360}},
        {{1280, 720}, {1280, 1024}, {0, 152, 1280, 720}},
        {{1280, 720}, {3440, 1440}, {440, 0, 2560, 1440}},
        {{640, 480}, {1920, 1080}, {240, 0, 1440, 1080}},
        {{8192, 16}, {100, 100}, {0, 49, 100, 1}},
        {{16, 8192}, {1, 1}, {0, 0, 1, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct ui_rect rect = ui_window_letterbox(cases[i].picture[0], cases[i].picture[1],
                                                        cases[i].window[0], cases[i].window[1]);
        assert_memory_equal(&rect, &cases[i].rect, sizeof rect);
    }
}

static void text_is_as_large_as_the_display_asks_for(void **state)
{
    (void)state;
    static const struct {
        double per_point;
        double desktop;
        double dots;
        int width;
        double scale;
    } cases[] = {
        {1, 0, 0, 0, 1},       {1, 0, 96, 1920, 1},      {1, 0, 192, 3840, 2},
        {1, 0, 305, 1920, 1},  {1, 144, 192, 3840, 1.5}, {2, 144, 192, 3840, 2},
        {1.25, 0, 0, 0, 1.25}, {1, 960, 0, 0, 4},        {1, 0, 55, 1920, 1},
        {1, 48, 0, 0, 0.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(ui_window_scale(cases[i].per_point, cases[i].desktop, cases[i].dots,
                                    cases[i].width) == cases[i].scale);
    }
}

int main(void)
{
#define WITH_OVERLAY(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fade_holds_then_falls),
        WITH_OVERLAY(nothing_is_drawn_at_first),
        WITH_OVERLAY(name_comes_and_goes),
        WITH_OVERLAY(name_reads_over_white),
        WITH_OVERLAY(painter_does_not_allocate),
        WITH_OVERLAY(long_and_broken_names_are_cut),
        WITH_OVERLAY(help_and_fps_have_their_places),
        WITH_OVERLAY(meter_shows_levels_and_tempo),
        cmocka_unit_test(smallest_picture_is_safe),
        cmocka_unit_test(letterbox_keeps_the_aspect),
        cmocka_unit_test(text_is_as_large_as_the_display_asks_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
