#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ui/toolkit/text.h"
#include "../turns.h"

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
        SKIP("no font is installed");
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
        SKIP("no font is installed");
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
        SKIP("no font is installed");
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

/* What a text looks like, white on black; some room on every side of it. */
struct picture {
    uint32_t pixels[400 * 80];
};

static size_t draw_picture(const struct ui_font *font, struct picture *picture, const char *text)
{
    const struct ui_surface surface = {picture->pixels, 400, 80, 400};
    memset(picture, 0, sizeof *picture);
    ui_text_draw(font, &surface, 60, 50, base_span_of(text), 0xFFFFFF, 255);
    size_t count = 0;
    for (size_t i = 0; i < sizeof picture->pixels / sizeof *picture->pixels; i++) {
        count += picture->pixels[i] != 0;
    }
    return count;
}

/* The package fonts-unifont has a glyph for each of these, and so for every character. */
static void every_script_has_glyphs(void **state)
{
    static const char *const names[] = {
        "Привет мир", "Ωμέγα φως",   "مرحبا بالعالم", "שלום עולם", "日本語の夢",
        "星空漫步",   "한국어 노래", "สวัสดีชาวโลก",    "नमस्ते",      "😀🎵",
    };
    const struct ui_font *font = *state;
    if (font == NULL) {
        SKIP("no font is installed");
    }
    static struct picture whole, one, stand_in;
    (void)draw_picture(font, &stand_in, "\xEF\xBF\xBD");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_true(draw_picture(font, &whole, names[i]) > 100);
        for (struct base_span rest = base_span_of(names[i]); rest.size > 0;) {
            char text[8] = {0};
            const char *start = rest.data;
            (void)base_utf8_next(&rest);
            memcpy(text, start, (size_t)(rest.data - start));
            (void)draw_picture(font, &one, text);
            assert_memory_not_equal(one.pixels, stand_in.pixels, sizeof one.pixels);
        }
    }
    /* no font has what was never assigned */
    (void)draw_picture(font, &one, "\xF0\xBF\xBF\xB0");
    assert_memory_equal(one.pixels, stand_in.pixels, sizeof one.pixels);
    (void)draw_picture(font, &one, "\xF1\x9F\xBF\xB0");
    assert_memory_equal(one.pixels, stand_in.pixels, sizeof one.pixels);
}

static void letters_join_and_run_from_right_to_left(void **state)
{
    const struct ui_font *font = *state;
    if (font == NULL) {
        SKIP("no font is installed");
    }
    static struct picture first, second;
    const char *three = "\xD8\xA8\xD8\xA8\xD8\xA8"; /* the letter beh */
    const int one = ui_text_width(font, base_span_of("\xD8\xA8"));
    assert_true(ui_text_width(font, base_span_of(three)) < 3 * one);
    const struct base_span arabic = base_span_of("مرحبا");
    const int width = ui_text_width(font, arabic);
    assert_int_equal(ui_text_x(font, arabic, 0), width);
    assert_int_equal(ui_text_x(font, arabic, arabic.size), 0);
    for (size_t at = 0; at < arabic.size; at += 2) {
        const int x = ui_text_x(font, arabic, at);
        assert_true(x > ui_text_x(font, arabic, at + 2));
        assert_int_equal(ui_text_at(font, arabic, x), at);
    }
    /* what is written first stands on the right: adding a letter changes the left side only */
    (void)draw_picture(font, &first, "د");
    (void)draw_picture(font, &second, "دج");
    const int more =
        ui_text_width(font, base_span_of("دج")) - ui_text_width(font, base_span_of("د"));
    assert_true(more > 0);
    for (int y = 0; y < 80; y++) {
        for (int x = 62; x < 80; x++) {
            assert_int_equal(first.pixels[y * 400 + x], second.pixels[y * 400 + x + more]);
        }
    }
    const struct base_span mixed = base_span_of("ab شكرا cd");
    assert_int_equal(ui_text_x(font, mixed, 0), 0);
    assert_int_equal(ui_text_x(font, mixed, mixed.size), ui_text_width(font, mixed));
    for (size_t at = 0; at <= 2; at++) {
        assert_int_equal(ui_text_at(font, mixed, ui_text_x(font, mixed, at)), at);
    }
}

static void lines_are_cut_with_dots(void **state)
{
    static const char *const texts[] = {"Latin only, of some length", "Длинное имя с точками",
                                        "اسم طويل جدا لا يتسع له المكان",
                                        "長い名前は途中で切られる", "\xE2\x96\xB6 звезда"};
    const struct ui_font *font = *state;
    if (font == NULL) {
        SKIP("no font is installed");
    }
    static struct picture cut, whole;
    const struct ui_surface surface = {cut.pixels, 400, 80, 400};
    const int dots = ui_text_width(font, base_span_of("\xE2\x80\xA6"));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct base_span text = base_span_of(texts[i]);
        const int width = ui_text_width(font, text);
        assert_true(width > 4 * dots);
        for (int limit = -5; limit <= width + 5; limit += 3) {
            struct ui_line *line = ui_line_create(font, text, limit);
            assert_non_null(line);
            assert_true(ui_line_width(line) <= limit || limit < 60);
            assert_true(limit < width || ui_line_width(line) == width);
            memset(&cut, 0, sizeof cut);
            ui_line_draw(line, &surface, 60, 50, 0xFFFFFF, 255);
            (void)draw_picture(font, &whole, texts[i]);
            assert_int_equal(memcmp(&cut, &whole, sizeof cut) == 0, limit >= width);
            ui_line_free(line);
        }
        size_t before = 0;
        for (int limit = 0; limit <= width; limit++) {
            const size_t fits = ui_text_fit(font, text, limit);
            assert_true(fits >= before && fits <= text.size);
            assert_true(fits == text.size || ((unsigned char)texts[i][fits] & 0xC0) != 0x80);
            before = fits;
        }
        assert_int_equal(before, text.size);
    }
    struct ui_line *nothing = ui_line_create(font, base_span_of(""), 10);
    assert_int_equal(ui_line_width(nothing), 0);
    ui_line_draw(nothing, &surface, 0, 0, 0, 255);
    ui_line_free(nothing);
    ui_line_free(NULL);
}

static void hostile_text_is_safe(void **state)
{
    static const char *const parts[] = {"\xE2\x80\xAE",
                                        "\xE2\x81\xA6",
                                        "\xCC\x81",
                                        "\xF0\x9F\x98\x80",
                                        "\xE2\x80\x8D",
                                        "\xFF",
                                        "\xC3",
                                        "\n",
                                        "\xE2\x80\xA8",
                                        "日",
                                        "م",
                                        "\xEF\xB7\xBA",
                                        "ก็็็",
                                        "\xED\xA0\x80",
                                        "a"};
    enum { PARTS = sizeof parts / sizeof *parts, LONG = 200000 };
    const struct ui_font *font = *state;
    if (font == NULL) {
        SKIP("no font is installed");
    }
    struct canvas canvas;
    char *text = malloc(LONG + 8);
    assert_non_null(text);
    unsigned random = 1;
    for (size_t round = 0; round < 120; round++) {
        size_t size = 0;
        while (size < round % 90) {
            random = random * 1664525 + 1013904223;
            const char *part = round < PARTS ? parts[round] : parts[(random >> 16) % PARTS];
            size += (size_t)sprintf(text + size, "%s", part);
        }
        const struct base_span span = {text, size};
        const struct ui_surface surface = begin(&canvas);
        const int width = ui_text_width(font, span);
        assert_true(width >= 0);
        ui_text_draw(font, &surface, (int)(random % 80) - 10, 30, span, 0xFFFFFF, 255);
        (void)changed(&canvas);
        assert_int_equal(ui_text_fit(font, span, INT_MAX), size);
        for (size_t at = 0; at <= size; at++) {
            const int x = ui_text_x(font, span, at);
            assert_true(x >= 0 && x <= width);
            assert_true(ui_text_at(font, span, x) <= size);
        }
        assert_true(ui_text_at(font, span, INT_MIN) <= size);
        assert_true(ui_text_at(font, span, INT_MAX) <= size);
    }
    for (size_t i = 0; i < PARTS; i++) {
        size_t size = 0;
        while (size < LONG - 8) {
            size += (size_t)sprintf(text + size, "%s", parts[i]);
        }
        const struct base_span span = {text, size};
        const struct ui_surface surface = begin(&canvas);
        ui_text_draw(font, &surface, 3, 20, span, 0xFFFFFF, 255);
        (void)changed(&canvas);
        struct ui_line *line = ui_line_create(font, span, 50);
        ui_line_draw(line, &surface, 3, 20, 0xFFFFFF, 255);
        (void)changed(&canvas);
        assert_true(ui_line_width(line) <= 50);
        ui_line_free(line);
        assert_true(ui_text_fit(font, span, 1000) <= size);
    }
    free(text);
}

/* More texts than are kept, each drawn again when it was forgotten. */
static void what_is_forgotten_looks_the_same(void **state)
{
    struct ui_font *font = *state;
    if (font == NULL) {
        SKIP("no font is installed");
    }
    static struct picture first, again;
    (void)draw_picture(font, &first, "Привет 0");
    for (int i = 1; i < 3000; i++) {
        char text[40];
        (void)snprintf(text, sizeof text, "Привет %d", i);
        assert_true(ui_text_width(font, base_span_of(text)) > 0);
    }
    (void)draw_picture(font, &again, "Привет 0");
    assert_memory_equal(first.pixels, again.pixels, sizeof first.pixels);
}

static void characters_take_cells(void **state)
{
    (void)state;
    assert_int_equal(ui_text_cells('a'), 1);
    assert_int_equal(ui_text_cells(0xE9), 1);
    assert_int_equal(ui_text_cells(0x416), 1);
    assert_int_equal(ui_text_cells(0x301), 0);
    assert_int_equal(ui_text_cells(0x200D), 0);
    assert_int_equal(ui_text_cells(0x65E5), 2);
    assert_int_equal(ui_text_cells(0xAC00), 2);
    assert_int_equal(ui_text_cells(0x1F600), 2);
    assert_int_equal(ui_text_cells(0xFFFD), 1);
}

static int messages;

static void count_message(void *user, const struct base_diag *diag)
{
    (void)user;
    messages += diag->severity == BASE_WARNING && diag->hint[0] != '\0';
}

/* In a process of its own, before any font was sought. */
static int try_without_fonts(void)
{
    char path[] = "/tmp/froth-fonts-XXXXXX";
    const int file = mkstemp(path);
    static const char empty[] = "<fontconfig></fontconfig>";
    if (file < 0 || write(file, empty, sizeof empty - 1) < 0) {
        return 2;
    }
    (void)close(file);
    (void)setenv("FONTCONFIG_FILE", path, 1);
    const struct base_diag_sink sink = {count_message, NULL};
    const struct ui_font *font = ui_font_create(20, &sink);
    (void)unlink(path);
    return font == NULL && messages == 1 ? 0 : 1;
}

static int without_fonts;

static void no_fonts_at_all_are_said(void **state)
{
    (void)state;
    assert_int_equal(without_fonts, 0);
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
    const pid_t child = fork();
    if (child == 0) {
        _exit(try_without_fonts());
    }
    (void)waitpid(child, &without_fonts, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawing_stays_inside),
        cmocka_unit_test(alpha_and_colour_are_kept),
        cmocka_unit_test(widths_add_up),
        cmocka_unit_test(no_font_draws_nothing),
        cmocka_unit_test(backing_stays_inside_and_is_soft),
        cmocka_unit_test(every_script_has_glyphs),
        cmocka_unit_test(letters_join_and_run_from_right_to_left),
        cmocka_unit_test(lines_are_cut_with_dots),
        cmocka_unit_test(hostile_text_is_safe),
        cmocka_unit_test(what_is_forgotten_looks_the_same),
        cmocka_unit_test(characters_take_cells),
        cmocka_unit_test(no_fonts_at_all_are_said),
    };
    return cmocka_run_group_tests(tests, make_font, free_font);
}
