#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "ui/toolkit/imui.h"
#include "../turns.h"

enum { WIDTH = 240, HEIGHT = 180, MARGIN = 16, STRIDE = WIDTH + 2 * MARGIN };
enum { CANARY = 0x12345678, SIZE = 14 };

struct fixture {
    struct ui_imui *ui;
    uint32_t pixels[STRIDE * (HEIGHT + 2 * MARGIN)]; /* the surface lies in the middle */
    struct ui_surface surface;
    struct ui_imui_input input;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    fixture->ui = ui_imui_create(SIZE, NULL);
    fixture->surface =
        (struct ui_surface){fixture->pixels + MARGIN * STRIDE + MARGIN, WIDTH, HEIGHT, STRIDE};
    for (size_t i = 0; i < sizeof fixture->pixels / sizeof fixture->pixels[0]; i++) {
        fixture->pixels[i] = CANARY;
    }
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    ui_imui_free(fixture->ui);
    free(fixture);
    return 0;
}

static void begin(struct fixture *fixture)
{
    ui_imui_begin(fixture->ui, &fixture->surface, &fixture->input);
}

/* Ends the frame; what happened once has happened, the mouse stays. */
static void end(struct fixture *fixture)
{
    ui_imui_end(fixture->ui);
    struct ui_imui_input *input = &fixture->input;
    *input = (struct ui_imui_input){.time = input->time + 0.02,
                                    .mouse_x = input->mouse_x,
                                    .mouse_y = input->mouse_y,
                                    .mouse_inside = input->mouse_inside,
                                    .mouse_down = input->mouse_down,
                                    .shift = input->shift};
}

static void move(struct fixture *fixture, int x, int y)
{
    fixture->input.mouse_inside = true;
    fixture->input.mouse_x = x;
    fixture->input.mouse_y = y;
}

static void press(struct fixture *fixture, int x, int y)
{
    move(fixture, x, y);
    fixture->input.mouse_down = true;
    fixture->input.pressed = true;
}

static void release(struct fixture *fixture)
{
    fixture->input.mouse_down = false;
    fixture->input.released = true;
}

static void type(struct fixture *fixture, const char *text)
{
    (void)snprintf(fixture->input.typed, sizeof fixture->input.typed, "%s", text);
}

static void key(struct fixture *fixture, const char *name)
{
    struct ui_imui_input *input = &fixture->input;
    (void)snprintf(input->keys[input->key_count], sizeof input->keys[0], "%s", name);
    input->key_count++;
}

static void rectangles_are_cut(void **state)
{
    (void)state;
    struct ui_rect rest = {10, 20, 100, 50};
    struct ui_rect piece = ui_cut_left(&rest, 30);
    assert_int_equal(piece.x, 10);
    assert_int_equal(piece.width, 30);
    assert_int_equal(rest.x, 40);
    assert_int_equal(rest.width, 70);
    piece = ui_cut_right(&rest, 20);
    assert_int_equal(piece.x, 90);
    piece = ui_cut_top(&rest, 10);
    assert_int_equal(piece.y, 20);
    piece = ui_cut_bottom(&rest, 1000);
    assert_int_equal(piece.y, 30);
    assert_int_equal(piece.height, 40);
    assert_int_equal(rest.height, 0);
    piece = ui_cut_left(&rest, -5);
    assert_int_equal(piece.width, 0);
    piece = ui_inset((struct ui_rect){10, 10, 20, 30}, 4);
    assert_int_equal(piece.x, 14);
    assert_int_equal(piece.y, 14);
    assert_int_equal(piece.width, 12);
    assert_int_equal(piece.height, 22);
    piece = ui_inset((struct ui_rect){10, 10, 20, 30}, 1000);
    assert_int_equal(piece.width, 0);
    assert_true(ui_id("a", 1) != ui_id("a", 2) && ui_id("a", 1) != ui_id("b", 1));
    assert_int_equal(ui_id("a", 1), ui_id("a", 1));
}

static const struct ui_rect place = {20, 20, 101, 24};

static bool button_frame(struct fixture *fixture)
{
    begin(fixture);
    const bool clicked = ui_button(fixture->ui, 1, place, "Go");
    end(fixture);
    return clicked;
}

static void buttons_answer_to_a_release_inside(void **state)
{
    struct fixture *fixture = *state;
    press(fixture, 30, 30);
    assert_false(button_frame(fixture));
    release(fixture);
    assert_true(button_frame(fixture));
    assert_false(button_frame(fixture));
    press(fixture, 30, 30);
    assert_false(button_frame(fixture));
    move(fixture, 30, 100);
    release(fixture);
    assert_false(button_frame(fixture));
    press(fixture, 30, 100);
    assert_false(button_frame(fixture));
    move(fixture, 30, 30);
    release(fixture);
    assert_false(button_frame(fixture));
    press(fixture, 30, 30);
    release(fixture);
    assert_true(button_frame(fixture)); /* both between two frames */
}

static void who_is_pressed_keeps_the_mouse(void **state)
{
    struct fixture *fixture = *state;
    const struct ui_rect other = {20, 60, 101, 24};
    press(fixture, 30, 30);
    begin(fixture);
    assert_true(ui_clicked(fixture->ui, place));
    assert_false(ui_button(fixture->ui, 1, place, "a"));
    assert_false(ui_clicked(fixture->ui, place));
    end(fixture);
    move(fixture, 30, 70);
    begin(fixture);
    assert_false(ui_hovers(fixture->ui, other));
    assert_false(ui_button(fixture->ui, 2, other, "b"));
    end(fixture);
    release(fixture);
    begin(fixture);
    assert_false(ui_button(fixture->ui, 2, other, "b"));
    end(fixture);
    begin(fixture);
    assert_true(ui_hovers(fixture->ui, other));
    end(fixture);
}

static void toggles_tabs_and_stars_change(void **state)
{
    struct fixture *fixture = *state;
    static const char *const names[] = {"one", "two", "three"};
    bool on = false;
    for (int i = 0; i < 2; i++) {
        press(fixture, 30, 30);
        release(fixture);
        begin(fixture);
        assert_true(ui_toggle(fixture->ui, 1, place, "Hold", &on));
        end(fixture);
        assert_int_equal(on, i == 0);
    }
    press(fixture, 21, 30);
    begin(fixture);
    assert_int_equal(ui_tabs(fixture->ui, 2, place, names, 3, 2), 0);
    end(fixture);
    release(fixture);
    begin(fixture);
    assert_int_equal(ui_tabs(fixture->ui, 2, place, names, 3, 0), 0);
    end(fixture);
    int stars = 0;
    for (int i = 0; i < 2; i++) {
        press(fixture, 22, 30);
        release(fixture);
        begin(fixture);
        assert_true(ui_stars(fixture->ui, 3, place, &stars));
        end(fixture);
        assert_int_equal(stars, 1 - i);
    }
    begin(fixture);
    assert_false(ui_stars(fixture->ui, 3, place, &stars));
    end(fixture);
}

static bool slider_frame(struct fixture *fixture, double *value)
{
    begin(fixture);
    const bool changed = ui_slider(fixture->ui, 1, place, value, -1, 1);
    end(fixture);
    return changed;
}

static void sliders_are_dragged_and_turned(void **state)
{
    struct fixture *fixture = *state;
    double value = 0.5;
    assert_false(slider_frame(fixture, &value));
    press(fixture, 70, 30);
    assert_true(slider_frame(fixture, &value));
    assert_float_equal(value, 0, 1e-9);
    assert_false(slider_frame(fixture, &value));
    move(fixture, 95, 170);
    assert_true(slider_frame(fixture, &value));
    assert_float_equal(value, 0.5, 1e-9);
    move(fixture, 1000, 30);
    assert_true(slider_frame(fixture, &value));
    assert_true(value == 1);
    move(fixture, -1000, 30);
    assert_true(slider_frame(fixture, &value));
    assert_true(value == -1);
    move(fixture, 70, 30);
    assert_true(slider_frame(fixture, &value));
    fixture->input.shift = true;
    move(fixture, 80, 30);
    assert_true(slider_frame(fixture, &value));
    assert_float_equal(value, 0.02, 1e-9);
    release(fixture);
    assert_false(slider_frame(fixture, &value));
    fixture->input.shift = false;
    fixture->input.wheel = 2;
    assert_true(slider_frame(fixture, &value));
    assert_float_equal(value, 0.06, 1e-9);
    fixture->input.shift = true;
    fixture->input.wheel = -1;
    assert_true(slider_frame(fixture, &value));
    assert_float_equal(value, 0.058, 1e-9);
}

static void sliders_bear_any_number(void **state)
{
    struct fixture *fixture = *state;
    const double numbers[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 0};
    for (int i = 0; i < 6 * 6 * 6; i++) {
        double value = numbers[i % 6];
        press(fixture, 70, 30);
        release(fixture);
        begin(fixture);
        (void)ui_slider(fixture->ui, 1, place, &value, numbers[i / 6 % 6], numbers[i / 36]);
        end(fixture);
    }
}

struct text {
    char bytes[12];
    bool changed;
};

static void field_frame(struct fixture *fixture, struct text *text)
{
    begin(fixture);
    text->changed = ui_field(fixture->ui, 5, place, text->bytes, sizeof text->bytes, "Search");
    end(fixture);
}

static void press_key(struct fixture *fixture, struct text *text, const char *name)
{
    key(fixture, name);
    field_frame(fixture, text);
}

static void fields_take_text(void **state)
{
    struct fixture *fixture = *state;
    struct text text = {.bytes = ""};
    type(fixture, "no");
    field_frame(fixture, &text);
    assert_string_equal(text.bytes, "");
    assert_false(ui_imui_wants_keys(fixture->ui));
    press(fixture, 30, 30);
    field_frame(fixture, &text);
    assert_true(ui_imui_wants_keys(fixture->ui));
    release(fixture);
    type(fixture, "a\xC3\xA4\xE2\x82\xAC\x07\xFF"
                  "b");
    field_frame(fixture, &text);
    assert_true(text.changed);
    assert_string_equal(text.bytes, "a\xC3\xA4\xE2\x82\xAC"
                                    "b");
    type(fixture, "\xE2\x82\xAC"
                  "123");
    field_frame(fixture, &text);
    assert_string_equal(text.bytes, "a\xC3\xA4\xE2\x82\xAC"
                                    "b\xE2\x82\xAC"
                                    "1");
    type(fixture, "2");
    field_frame(fixture, &text);
    assert_false(text.changed);
    press_key(fixture, &text, "Backspace");
    press_key(fixture, &text, "Backspace");
    assert_true(text.changed);
    assert_string_equal(text.bytes, "a\xC3\xA4\xE2\x82\xAC"
                                    "b");
    press_key(fixture, &text, "Left");
    assert_false(text.changed);
    press_key(fixture, &text, "Left");
    press_key(fixture, &text, "Delete");
    assert_string_equal(text.bytes, "a\xC3\xA4"
                                    "b");
    press_key(fixture, &text, "Home");
    press_key(fixture, &text, "Backspace");
    assert_false(text.changed);
    press_key(fixture, &text, "Right");
    press_key(fixture, &text, "Delete");
    assert_string_equal(text.bytes, "ab");
    press_key(fixture, &text, "End");
    press_key(fixture, &text, "Delete");
    assert_false(text.changed);
    type(fixture, "c");
    field_frame(fixture, &text);
    assert_string_equal(text.bytes, "abc");
    press_key(fixture, &text, "Ctrl+A");
    type(fixture, "x");
    field_frame(fixture, &text);
    assert_string_equal(text.bytes, "x");
    press_key(fixture, &text, "Ctrl+U");
    assert_true(text.changed);
    assert_string_equal(text.bytes, "");
    press_key(fixture, &text, "Enter");
    assert_false(text.changed);
    assert_false(ui_imui_wants_keys(fixture->ui));
    type(fixture, "no");
    field_frame(fixture, &text);
    assert_string_equal(text.bytes, "");
}

static void the_mouse_places_the_cursor(void **state)
{
    struct fixture *fixture = *state;
    if (ui_imui_font(fixture->ui) == NULL) {
        SKIP("no font is installed");
    }
    struct text text = {.bytes = "mmmm"};
    const int one = ui_text_width(ui_imui_font(fixture->ui), base_span_of("m"));
    press(fixture, place.x + ui_imui_gap(fixture->ui) + 2 * one + 1, 30);
    type(fixture, "x");
    field_frame(fixture, &text);
    assert_string_equal(text.bytes, "mmxmm");
    release(fixture);
    field_frame(fixture, &text);
    press(fixture, place.x + place.width - 1, 30);
    type(fixture, "y");
    field_frame(fixture, &text);
    assert_string_equal(text.bytes, "mmxmmy");
    press(fixture, 30, 30);
    fixture->input.double_click = true;
    type(fixture, "z");
    field_frame(fixture, &text);
    assert_string_equal(text.bytes, "z");
}

static void texts_changed_by_others_are_borne(void **state)
{
    struct fixture *fixture = *state;
    struct text text = {.bytes = "0123456789"};
    press(fixture, 100, 30);
    field_frame(fixture, &text);
    press_key(fixture, &text, "End");
    press_key(fixture, &text, "Left");
    static const char *const others[] = {"", "\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC",
                                         "\xFF\xFE\x80\xE2", "ab"};
    static const char *const names[] = {"Left", "Backspace", "Right", "Delete", "Home", "End"};
    for (size_t i = 0; i < 4 * 6; i++) {
        (void)snprintf(text.bytes, sizeof text.bytes, "%s", others[i / 6]);
        press_key(fixture, &text, names[i % 6]);
        type(fixture, "\xC3\xA4");
        field_frame(fixture, &text);
        assert_true(strlen(text.bytes) < sizeof text.bytes);
    }
    memset(text.bytes, 'q', sizeof text.bytes);
    field_frame(fixture, &text);
    assert_int_equal(text.bytes[sizeof text.bytes - 1], 0);
}

static void fields_frame(struct fixture *fixture, char texts[3][8], bool middle)
{
    begin(fixture);
    for (int i = 0; i < 3; i++) {
        if (i != 1 || middle) {
            const struct ui_rect rect = {20, 20 + 40 * i, 100, 24};
            (void)ui_field(fixture->ui, 10 + (uint32_t)i, rect, texts[i], 8, NULL);
        }
    }
    end(fixture);
}

static void tab_moves_the_focus(void **state)
{
    struct fixture *fixture = *state;
    char texts[3][8] = {"", "", ""};
    static const char *const moves[] = {"Tab", "Tab", "Tab", "Shift+Tab", "Shift+Tab"};
    static const int fields[] = {1, 2, 0, 2, 1};
    fields_frame(fixture, texts, true);
    key(fixture, "Tab");
    fields_frame(fixture, texts, true);
    assert_false(ui_imui_wants_keys(fixture->ui));
    ui_imui_focus(fixture->ui, 10);
    for (int i = 0; i < 5; i++) {
        fields_frame(fixture, texts, true);
        key(fixture, moves[i]);
        fields_frame(fixture, texts, true);
        type(fixture, "x");
        (void)strcpy(texts[fields[i]], "was"); /* is taken whole, and gives way */
        fields_frame(fixture, texts, true);
        assert_string_equal(texts[fields[i]], "x");
    }
    fields_frame(fixture, texts, false); /* the field with the keyboard is gone */
    assert_false(ui_imui_wants_keys(fixture->ui));
    ui_imui_focus(fixture->ui, 12);
    fields_frame(fixture, texts, true);
    press(fixture, 200, 170);
    fields_frame(fixture, texts, true);
    assert_false(ui_imui_wants_keys(fixture->ui));
    ui_imui_focus(fixture->ui, 12);
    key(fixture, "Escape");
    fields_frame(fixture, texts, true);
    assert_false(ui_imui_wants_keys(fixture->ui));
}

static struct ui_rows rows_frame(struct fixture *fixture, size_t count, size_t wanted,
                                 struct ui_scroll *scroll)
{
    begin(fixture);
    const struct ui_rows rows = ui_rows_begin(fixture->ui, 7, (struct ui_rect){10, 10, 200, 100},
                                              count, 20, wanted, scroll);
    end(fixture);
    return rows;
}

static void rows_scroll(void **state)
{
    struct fixture *fixture = *state;
    struct ui_scroll scroll = {0};
    struct ui_rows rows = rows_frame(fixture, 100, 0, &scroll);
    assert_int_equal(rows.first, 0);
    assert_int_equal(rows.end, 5);
    assert_int_equal(rows.y, 10);
    move(fixture, 50, 50);
    (void)rows_frame(fixture, 100, 0, &scroll);
    fixture->input.wheel = -1.5;
    rows = rows_frame(fixture, 100, 0, &scroll);
    assert_int_equal(rows.first, 4);
    assert_int_equal(rows.end, 10);
    assert_int_equal(rows.y, 0);
    assert_int_equal(ui_rows_rect(&rows, 6, 20).y, 40);
    assert_int_equal(ui_rows_rect(&rows, 3, 20).y, -20);
    fixture->input.wheel = -1e9;
    rows = rows_frame(fixture, 100, 0, &scroll);
    assert_int_equal(rows.first, 95);
    assert_int_equal(rows.end, 100);
    rows = rows_frame(fixture, 100, 50, &scroll);
    assert_int_equal(rows.first, 50);
    rows = rows_frame(fixture, 100, 60, &scroll);
    assert_int_equal(rows.end, 61);
    fixture->input.wheel = 1;
    rows = rows_frame(fixture, 100, 60, &scroll);
    assert_int_equal(rows.first, 53); /* 60 is out of sight, but was not moved there */
    rows = rows_frame(fixture, 3, 60, &scroll);
    assert_int_equal(rows.first, 0);
    assert_int_equal(rows.end, 3);
    rows = rows_frame(fixture, 0, 60, &scroll);
    assert_int_equal(rows.end, 0);
}

static void the_scroll_bar_is_dragged(void **state)
{
    struct fixture *fixture = *state;
    struct ui_scroll scroll = {0};
    press(fixture, 206, 12);
    (void)rows_frame(fixture, 100, 0, &scroll);
    assert_true(scroll.at == 0);
    move(fixture, 0, 1000);
    (void)rows_frame(fixture, 100, 0, &scroll);
    assert_true(scroll.at == 1900);
    move(fixture, 0, 12);
    (void)rows_frame(fixture, 100, 0, &scroll);
    assert_true(scroll.at == 0);
}

static void a_turning_wheel_stays_with_its_list(void **state)
{
    struct fixture *fixture = *state;
    struct ui_scroll scroll = {0};
    double value = 0;
    const struct ui_rect list = {10, 10, 200, 100};
    move(fixture, 50, 30);
    for (int i = 0; i < 40; i++) {
        fixture->input.wheel = i < 3 ? -1 : i == 39 ? 1 : 0;
        begin(fixture);
        (void)ui_rows_begin(fixture->ui, 7, list, 100, 20, 0, &scroll);
        if (i > 0) { /* it came under the mouse while the list moved */
            (void)ui_slider(fixture->ui, 8, place, &value, 0, 1);
        }
        end(fixture);
    }
    assert_true(scroll.at == 180);
    assert_float_equal(value, 0.01, 1e-9); /* after a rest the slider has it */
}

static void clipped_widgets_are_not_clicked(void **state)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < 2; i++) {
        press(fixture, i == 0 ? 30 : 60, 30);
        release(fixture);
        begin(fixture);
        ui_clip_begin(fixture->ui, (struct ui_rect){50, 0, 100, 100});
        ui_clip_begin(fixture->ui, (struct ui_rect){0, 0, 70, 100});
        assert_int_equal(ui_clicked(fixture->ui, place), i == 1);
        assert_int_equal(ui_button(fixture->ui, 1, place, "Go"), i == 1);
        ui_clip_end(fixture->ui);
        ui_clip_end(fixture->ui);
        end(fixture);
    }
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            const bool inside = x >= 50 && x < 70 && y >= 20 && y < 44;
            const bool drawn = fixture->surface.pixels[y * STRIDE + x] != CANARY;
            assert_true(inside == drawn);
        }
    }
}

static void pictures_are_scaled(void **state)
{
    struct fixture *fixture = *state;
    uint32_t texels[] = {0x000000, 0xFF0000, 0x00FF00, 0x0000FF};
    const struct ui_surface picture = {texels, 2, 2, 2};
    const struct ui_surface *surface = &fixture->surface;
    ui_picture(surface, (struct ui_rect){10, 10, 4, 6}, &picture);
    for (int y = 0; y < 6; y++) {
        for (int x = 0; x < 4; x++) {
            assert_int_equal(surface->pixels[(10 + y) * STRIDE + 10 + x],
                             texels[y / 3 * 2 + x / 2]);
        }
    }
    ui_picture(surface, (struct ui_rect){50, 10, 1, 1}, &picture);
    assert_int_equal(surface->pixels[10 * STRIDE + 50], 0x404040);
    ui_picture(surface, (struct ui_rect){60, 10, 2, 1}, &picture);
    assert_int_equal(surface->pixels[10 * STRIDE + 60], 0x008000);
    assert_int_equal(surface->pixels[10 * STRIDE + 61], 0x800080);
}

static void fills_mix(void **state)
{
    struct fixture *fixture = *state;
    const struct ui_surface *surface = &fixture->surface;
    ui_fill(surface, (struct ui_rect){0, 0, WIDTH, HEIGHT}, 0x204060, 255);
    assert_int_equal(surface->pixels[(HEIGHT - 1) * STRIDE + WIDTH - 1], 0x204060);
    ui_fill(surface, (struct ui_rect){5, 5, 1, 1}, 0xFFFFFF, 0);
    assert_int_equal(surface->pixels[5 * STRIDE + 5], 0x204060);
    ui_fill(surface, (struct ui_rect){5, 5, 1, 1}, 0xFF00FF, 51);
    assert_int_equal(surface->pixels[5 * STRIDE + 5], 0x4D3380);
    ui_line(surface, 10, 10, 20, 10, 0xFFFFFF, 255);
    assert_int_equal(surface->pixels[10 * STRIDE + 10], 0xFFFFFF);
    assert_int_equal(surface->pixels[10 * STRIDE + 20], 0xFFFFFF);
    assert_int_equal(surface->pixels[10 * STRIDE + 21], 0x204060);
    ui_line(surface, 30, 40, 30, 10, 0xFFFFFF, 255);
    assert_int_equal(surface->pixels[10 * STRIDE + 30], 0xFFFFFF);
    assert_int_equal(surface->pixels[40 * STRIDE + 30], 0xFFFFFF);
    ui_frame_round(surface, (struct ui_rect){50, 50, 10, 10}, 0, 2, 0xFFFFFF);
    assert_int_equal(surface->pixels[51 * STRIDE + 51], 0xFFFFFF);
    assert_int_equal(surface->pixels[52 * STRIDE + 52], 0x204060);
    assert_int_equal(surface->pixels[58 * STRIDE + 52], 0xFFFFFF);
}

static int random_edge(struct base_rng *random)
{
    static const int edges[] = {INT_MIN, INT_MIN + 1, -1000000, INT_MAX - 1, INT_MAX, 1000000, 0};
    const uint32_t choice = base_rng_next(random) % 16;
    return choice < 7 ? edges[choice] : (int)(base_rng_next(random) % 400) - 100;
}

static struct ui_rect random_rect(struct base_rng *random)
{
    return (struct ui_rect){random_edge(random), random_edge(random), random_edge(random),
                            random_edge(random)};
}

static const char hostile[] =
    "\t\x01\xFF\xC3\xF0\x9F\x98\x80 %s%n\\ \xE2\x80\xAE text \xE2\x98\x85";

static void draw_anything(struct fixture *fixture, struct base_rng *random, struct ui_rect rect)
{
    struct ui_imui *ui = fixture->ui;
    static const char *const names[] = {hostile, "", "b"};
    float values[40];
    for (size_t i = 0; i < 40; i++) {
        values[i] = i % 7 == 0 ? NAN : i % 5 == 0 ? INFINITY : (float)i - 20;
    }
    char text[40];
    bool on = true;
    double number = 1;
    int stars = random_edge(random);
    struct ui_scroll scroll = {(double)random_edge(random), 0};
    (void)snprintf(text, sizeof text, "%s", hostile);
    ui_label(ui, rect, hostile, UI_TONE_TEXT, UI_ALIGN_CENTRE);
    (void)ui_words(ui, rect, 1 + (int)(base_rng_next(random) % 30), hostile, UI_TONE_TEXT);
    (void)ui_button(ui, 1, rect, hostile);
    (void)ui_toggle(ui, 2, rect, hostile, &on);
    (void)ui_tabs(ui, 3, rect, names, 3, 1);
    (void)ui_slider(ui, 20, rect, &number, 0, 2);
    (void)ui_field(ui, 21, rect, text, sizeof text, hostile);
    (void)ui_stars(ui, 22, rect, &stars);
    ui_bar(ui, rect, 0.4, 0.9, 0xFFFFFF);
    ui_curve(ui, rect, values, 1 + base_rng_next(random) % 40, -20, 20, 0xFFFFFF);
    const struct ui_rows rows =
        ui_rows_begin(ui, 23, rect, base_rng_next(random) % 3 == 0 ? SIZE_MAX : 9,
                      random_edge(random), 5, &scroll);
    ui_text_draw(ui_imui_font(ui), &rows.surface, 0, 10, base_span_of(hostile), 0xFFFFFF, 255);
    ui_row_ground(ui, ui_rows_rect(&rows, rows.end, 20), true);
}

static void draw_plainly(struct fixture *fixture, struct base_rng *random, struct ui_rect rect)
{
    const struct ui_surface *surface = &fixture->surface;
    uint32_t texels[15 * 9] = {0};
    const struct ui_surface picture = {texels, 15, 9, 15};
    ui_fill(surface, rect, 0xFFFFFF, 100);
    ui_fill_round(surface, rect, random_edge(random), 0xFFFFFF, 255);
    ui_frame_round(surface, rect, random_edge(random), random_edge(random), 0xFFFFFF);
    ui_line(surface, rect.x, rect.y, rect.width, rect.height, 0xFFFFFF, 255);
    ui_picture(surface, rect, &picture);
}

static void nothing_is_drawn_outside(void **state)
{
    struct fixture *fixture = *state;
    struct base_rng random;
    base_rng_seed(&random, 4711, 0);
    static const char *const names[] = {"Tab", "Left", "Delete", "Ctrl+A", "Backspace"};
    for (int i = 0; i < 600; i++) {
        fixture->input.mouse_inside = true;
        fixture->input.mouse_x = random_edge(&random);
        fixture->input.mouse_y = random_edge(&random);
        fixture->input.pressed = i % 3 == 0;
        fixture->input.mouse_down = i % 3 < 2;
        fixture->input.released = i % 3 == 2;
        fixture->input.wheel = i % 11 == 0 ? NAN : (double)random_edge(&random);
        memset(fixture->input.typed, i % 13 == 0 ? 'W' : 0, sizeof fixture->input.typed);
        key(fixture, names[i % 5]);
        const struct ui_rect rect = random_rect(&random);
        begin(fixture);
        ui_clip_begin(fixture->ui,
                      i % 2 == 0 ? (struct ui_rect){0, 0, WIDTH, HEIGHT} : random_rect(&random));
        draw_anything(fixture, &random, rect);
        ui_clip_end(fixture->ui);
        draw_plainly(fixture, &random, rect);
        end(fixture);
    }
    for (int y = -MARGIN; y < HEIGHT + MARGIN; y++) {
        for (int x = -MARGIN; x < WIDTH + MARGIN; x++) {
            if (x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT) {
                assert_int_equal(fixture->pixels[(y + MARGIN) * STRIDE + x + MARGIN], CANARY);
            }
        }
    }
}

static void sizes_follow_the_text(void **state)
{
    struct fixture *fixture = *state;
    const int row = ui_imui_row(fixture->ui);
    const int gap = ui_imui_gap(fixture->ui);
    assert_true(row > SIZE && gap > 0);
    assert_int_equal(ui_imui_resize(fixture->ui, 2 * SIZE, NULL), 0);
    assert_in_range(ui_imui_row(fixture->ui), 2 * row - 3, 2 * row + 3);
    assert_int_equal(ui_imui_gap(fixture->ui), 2 * gap);
    assert_int_equal(ui_imui_resize(fixture->ui, INT_MAX, NULL), 0);
    assert_int_equal(ui_imui_resize(fixture->ui, INT_MIN, NULL), 0);
    struct text text = {.bytes = "abc"};
    field_frame(fixture, &text);
}

static bool is_drawn(const struct fixture *fixture)
{
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            if (fixture->surface.pixels[y * STRIDE + x] != CANARY) {
                return true;
            }
        }
    }
    return false;
}

static void text_is_left_out_where_a_line_does_not_fit(void **state)
{
    struct fixture *fixture = *state;
    struct ui_imui *ui = fixture->ui;
    if (ui_imui_font(ui) == NULL) {
        SKIP("no font is installed");
    }
    const int line = ui_font_line_height(ui_imui_font(ui));
    for (int height = 0; height <= line; height++) {
        begin(fixture);
        ui_label(ui, (struct ui_rect){20, 20, 200, height}, "words", UI_TONE_TEXT, UI_ALIGN_LEFT);
        end(fixture);
        assert_int_equal(is_drawn(fixture), height == line);
    }
}

/* As far right as a press in this row chooses the last tab. */
static void tabs_move_together_in_a_narrow_row(void **state)
{
    struct fixture *fixture = *state;
    struct ui_imui *ui = fixture->ui;
    static const char *const names[] = {"i", "wide words", "i"};
    if (ui_imui_font(ui) == NULL) {
        SKIP("no font is installed");
    }
    const int texts = ui_text_width(ui_imui_font(ui), base_span_of("iwide wordsi"));
    const int margin = ui_imui_gap(ui) / 2; /* of each */
    const struct ui_rect row = {20, 20, texts + 3 * margin, 30};
    press(fixture, 20 + row.width - 2, 30);
    begin(fixture);
    assert_int_equal(ui_tabs(ui, 2, row, names, 3, 0), 2);
    end(fixture);
    release(fixture);
    begin(fixture);
    end(fixture);
    press(fixture, 20 + row.width / 2, 30);
    begin(fixture);
    assert_int_equal(ui_tabs(ui, 2, row, names, 3, 0), 1);
    end(fixture);
}

static void words_take_rows(void **state)
{
    struct fixture *fixture = *state;
    struct ui_imui *ui = fixture->ui;
    if (ui_imui_font(ui) == NULL) {
        SKIP("no font is installed");
    }
    const int word = ui_text_width(ui_imui_font(ui), base_span_of("words "));
    const struct {
        const char *text;
        int width;
        int height;
        int rows;
    } cases[] = {
        {"words", word, 100, 1},
        {"words words", word, 100, 2},
        {"words   words words", word, 100, 3},
        {"words words words", 2 * word, 100, 2},
        {"wordswords", word, 100, 2}, /* too long for a row: broken where it must be */
        {"words words words", word, 25, 2},
        {"words words words", word, 9, 0},
        {"words", 0, 100, 1},
        {"", word, 100, 0},
    };
    begin(fixture);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct ui_rect rect = {0, 0, cases[i].width, cases[i].height};
        assert_int_equal(ui_words(ui, rect, 10, cases[i].text, UI_TONE_TEXT), 10 * cases[i].rows);
    }
    end(fixture);
}

static void marks_and_fixed_widths(void **state)
{
    struct fixture *fixture = *state;
    const struct ui_font *mono = ui_imui_mono(fixture->ui);
    if (mono == NULL) {
        SKIP("no font is installed");
    }
    const int one = ui_text_width(mono, base_span_of("i"));
    assert_true(one > 0);
    assert_int_equal(ui_text_width(mono, base_span_of("mW\xE2\x98\x85\xE2\x96\xB6")), 4 * one);
}

/* One pixel changes the hash of the one part that it lies in; the parts are the surface. */
static void a_pixel_changes_one_tile(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {7, 300}, {333, 97}, {640, 360}};
    static uint32_t pixels[640 * 370];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct ui_surface surface = {pixels, sizes[i][0], sizes[i][1],
                                           (size_t)sizes[i][0] + 5};
        struct ui_tiles before;
        struct ui_tiles after;
        int64_t area = 0;
        ui_tiles_of(&before, &surface);
        pixels[(size_t)(surface.height / 2) * surface.stride + (size_t)surface.width / 2] ^= 1;
        pixels[surface.stride - 1] ^= 1; /* beside the surface */
        ui_tiles_of(&after, &surface);
        int changed = 0;
        for (int tile = 0; tile < UI_TILES; tile++) {
            const struct ui_rect rect = ui_tile_rect(&surface, tile);
            const bool has =
                surface.width / 2 >= rect.x && surface.width / 2 < rect.x + rect.width &&
                surface.height / 2 >= rect.y && surface.height / 2 < rect.y + rect.height;
            assert_int_equal(before.hashes[tile] != after.hashes[tile], has);
            changed += has;
            area += (int64_t)rect.width * rect.height;
        }
        assert_int_equal(changed, 1);
        assert_int_equal(area, (int64_t)surface.width * surface.height);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pixel_changes_one_tile),
        cmocka_unit_test(rectangles_are_cut),
        TEST(buttons_answer_to_a_release_inside),
        TEST(who_is_pressed_keeps_the_mouse),
        TEST(toggles_tabs_and_stars_change),
        TEST(sliders_are_dragged_and_turned),
        TEST(sliders_bear_any_number),
        TEST(fields_take_text),
        TEST(the_mouse_places_the_cursor),
        TEST(texts_changed_by_others_are_borne),
        TEST(tab_moves_the_focus),
        TEST(rows_scroll),
        TEST(the_scroll_bar_is_dragged),
        TEST(a_turning_wheel_stays_with_its_list),
        TEST(clipped_widgets_are_not_clicked),
        TEST(pictures_are_scaled),
        TEST(fills_mix),
        TEST(nothing_is_drawn_outside),
        TEST(sizes_follow_the_text),
        TEST(text_is_left_out_where_a_line_does_not_fit),
        TEST(tabs_move_together_in_a_narrow_row),
        TEST(words_take_rows),
        TEST(marks_and_fixed_widths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
