#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "ui/editor/editor.h"
#include "ui/editor/model.h"
#include "../turns.h"

enum { WIDTH = 640, HEIGHT = 400, ID = 7, BORDER = 16, EMPTY = 0x123456 };

struct fixture {
    struct ui_imui *ui;
    struct ui_editor *editor;
    uint32_t *pixels;
    struct ui_imui_input input;
    struct ui_rect rect;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    fixture->ui = ui_imui_create(14, NULL);
    fixture->editor = ui_editor_create();
    fixture->pixels = calloc(WIDTH * HEIGHT, sizeof(uint32_t));
    fixture->rect = (struct ui_rect){BORDER, BORDER, WIDTH - 2 * BORDER, HEIGHT - 2 * BORDER};
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    ui_imui_free(fixture->ui);
    ui_editor_free(fixture->editor);
    free(fixture->pixels);
    free(fixture);
    return 0;
}

static bool draw(struct fixture *fixture)
{
    for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
        fixture->pixels[i] = EMPTY;
    }
    const struct ui_surface surface = {fixture->pixels, WIDTH, HEIGHT, WIDTH};
    fixture->input.time += 0.02;
    ui_imui_begin(fixture->ui, &surface, &fixture->input);
    const bool changed = ui_editor_draw(fixture->ui, ID, fixture->rect, fixture->editor);
    ui_imui_end(fixture->ui);
    const double time = fixture->input.time;
    const bool down = fixture->input.mouse_down;
    const int x = fixture->input.mouse_x;
    const int y = fixture->input.mouse_y;
    fixture->input = (struct ui_imui_input){
        .time = time, .mouse_down = down, .mouse_inside = true, .mouse_x = x, .mouse_y = y};
    return changed;
}

static void load(struct fixture *fixture, const char *text)
{
    assert_int_equal(ui_editor_load(fixture->editor, base_span_of(text)), 0);
}

static bool press_key(struct fixture *fixture, const char *key)
{
    fixture->input.key_count = 1;
    (void)snprintf(fixture->input.keys[0], sizeof fixture->input.keys[0], "%s", key);
    return draw(fixture);
}

/* Sizes as the editor has them; the text begins behind five columns of margin. */
static int cell(const struct fixture *fixture)
{
    const int width = ui_text_width(ui_imui_mono(fixture->ui), base_span_of("0"));
    return width > 0 ? width : 1;
}

static int row_height(const struct fixture *fixture)
{
    const int height = ui_font_line_height(ui_imui_mono(fixture->ui));
    return height > 0 ? height + height / 6 : 1;
}

static void point_at(struct fixture *fixture, int row, int column)
{
    fixture->input.mouse_inside = true;
    fixture->input.mouse_x = BORDER + (5 + column) * cell(fixture);
    fixture->input.mouse_y = BORDER + row * row_height(fixture) + row_height(fixture) / 2;
}

static void mouse_down(struct fixture *fixture, int row, int column)
{
    point_at(fixture, row, column);
    fixture->input.pressed = true;
    fixture->input.mouse_down = true;
    (void)draw(fixture);
}

static void mouse_up(struct fixture *fixture)
{
    fixture->input.mouse_down = false;
    fixture->input.released = true;
    (void)draw(fixture);
}

static void assert_cursor(const struct fixture *fixture, size_t line, size_t column)
{
    size_t at[2];
    ui_editor_cursor(fixture->editor, &at[0], &at[1]);
    assert_int_equal(at[0], line);
    assert_int_equal(at[1], column);
}

static void skip_without_font(const struct fixture *fixture)
{
    if (ui_imui_font(fixture->ui) == NULL) {
        SKIP("no font is installed");
    }
}

static void wide_characters_take_two_columns(void **state)
{
    struct fixture *fixture = *state;
    skip_without_font(fixture);
    load(fixture, "日本語x\ne\xCC\x81y");
    static const struct {
        int row;
        int column;
        size_t points; /* before the cursor */
    } cases[] = {{0, 0, 0}, {0, 2, 1}, {0, 4, 2}, {0, 6, 3},
                 {0, 7, 4}, {1, 0, 0}, {1, 1, 2}, {1, 2, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mouse_down(fixture, cases[i].row, cases[i].column);
        mouse_up(fixture);
        assert_cursor(fixture, (size_t)cases[i].row + 1, cases[i].points + 1);
    }
}

static void keys_come_with_the_keyboard_only(void **state)
{
    struct fixture *fixture = *state;
    load(fixture, "ab");
    assert_false(press_key(fixture, "Delete"));
    ui_imui_focus(fixture->ui, ID);
    assert_true(press_key(fixture, "Delete"));
    (void)snprintf(fixture->input.typed, sizeof fixture->input.typed, "\xC3\xBC");
    assert_true(draw(fixture));
    assert_string_equal(ui_editor_text(fixture->editor).data, "\xC3\xBC"
                                                              "b");
    assert_false(press_key(fixture, "Right"));
    assert_true(press_key(fixture, "Tab"));
    assert_true(ui_imui_wants_keys(fixture->ui));
    (void)press_key(fixture, "Escape");
    assert_false(ui_imui_wants_keys(fixture->ui));
    assert_false(press_key(fixture, "Backspace"));
}

static void the_mouse_selects(void **state)
{
    struct fixture *fixture = *state;
    skip_without_font(fixture);
    load(fixture, "zoom = 1;\nper_frame_1=wave\nend");
    mouse_down(fixture, 1, 3);
    assert_cursor(fixture, 2, 4);
    assert_true(ui_imui_wants_keys(fixture->ui));
    point_at(fixture, 2, 99);
    (void)draw(fixture);
    assert_cursor(fixture, 3, 4);
    assert_int_equal(ui_editor_to(fixture->editor) - ui_editor_from(fixture->editor), 17);
    mouse_up(fixture);
    point_at(fixture, 0, 0);
    (void)draw(fixture);
    assert_cursor(fixture, 3, 4);
    fixture->input.double_click = true;
    mouse_down(fixture, 1, 5);
    assert_int_equal(ui_editor_from(fixture->editor), 10);
    assert_int_equal(ui_editor_to(fixture->editor), 21);
    mouse_up(fixture);
    fixture->input.shift = true;
    mouse_down(fixture, 0, 1);
    assert_int_equal(ui_editor_from(fixture->editor), 1);
    assert_int_equal(ui_editor_to(fixture->editor), 10);
    mouse_up(fixture);
}

static void many_lines(struct fixture *fixture)
{
    char text[4096];
    size_t size = 0;
    for (int i = 0; i < 200; i++) {
        size += (size_t)snprintf(text + size, sizeof text - size, "line %d\n", i + 1);
    }
    load(fixture, text);
}

static void wheel_and_cursor_scroll(void **state)
{
    struct fixture *fixture = *state;
    skip_without_font(fixture);
    many_lines(fixture);
    (void)draw(fixture);
    point_at(fixture, 2, 2);
    (void)draw(fixture);
    fixture->input.wheel = -3;
    (void)draw(fixture);
    const double scrolled = fixture->editor->view.scroll.at;
    assert_true(scrolled >= row_height(fixture));
    assert_cursor(fixture, 1, 1);
    (void)draw(fixture);
    assert_true(fixture->editor->view.scroll.at == scrolled);
    ui_imui_focus(fixture->ui, ID);
    (void)press_key(fixture, "Right");
    assert_true(fixture->editor->view.scroll.at == 0);
    (void)press_key(fixture, "PageDown");
    assert_cursor(fixture, fixture->editor->view.page + 1, 2);
    (void)press_key(fixture, "Ctrl+End");
    const double end = fixture->editor->view.scroll.at;
    assert_true(end > 100 * row_height(fixture));
    /* A replacement leaves what is seen where it is. */
    (void)press_key(fixture, "Ctrl+Home");
    fixture->input.wheel = -9;
    (void)draw(fixture);
    const double before = fixture->editor->view.scroll.at;
    assert_true(before > 0);
    assert_int_equal(ui_editor_replace(fixture->editor,
                                       (struct base_span){
                                           ui_editor_text(fixture->editor).data,
                                           ui_editor_text(fixture->editor).size - 1,
                                       }),
                     0);
    (void)draw(fixture);
    assert_true(fixture->editor->view.scroll.at == before);
}

static void long_lines_scroll_sideways(void **state)
{
    struct fixture *fixture = *state;
    skip_without_font(fixture);
    char text[1001];
    memset(text, 'x', 1000);
    text[1000] = '\0';
    load(fixture, text);
    ui_imui_focus(fixture->ui, ID);
    (void)press_key(fixture, "End");
    assert_in_range(fixture->editor->view.left, 850, 999);
    mouse_down(fixture, 0, 0);
    assert_cursor(fixture, 1, fixture->editor->view.left + 1);
    mouse_up(fixture);
    (void)press_key(fixture, "Home");
    assert_int_equal(fixture->editor->view.left, 0);
}

static void the_strip_leads_to_messages(void **state)
{
    struct fixture *fixture = *state;
    skip_without_font(fixture);
    many_lines(fixture);
    const struct base_diag messages[] = {{BASE_ERROR, {NULL, 150, 3}, "what", "hint"},
                                         {BASE_WARNING, {NULL, 20, 0}, "other", ""},
                                         {BASE_NOTE, {NULL, 999, 9}, "behind", ""}};
    ui_editor_set_messages(fixture->editor, messages, 3);
    static const size_t places[][2] = {{20, 1}, {150, 3}, {201, 1}, {20, 1}};
    for (size_t i = 0; i < 4; i++) {
        fixture->input.mouse_inside = true;
        fixture->input.mouse_x = WIDTH / 2;
        fixture->input.mouse_y = HEIGHT - BORDER - 4;
        fixture->input.pressed = true;
        fixture->input.mouse_down = true;
        (void)draw(fixture);
        assert_cursor(fixture, places[i][0], places[i][1]);
        mouse_up(fixture);
    }
}

/* Whatever it holds and wherever it is put, it draws inside its rectangle and the surface. */
static void it_stays_inside(void **state)
{
    struct fixture *fixture = *state;
    struct base_rng rng;
    base_rng_seed(&rng, 3, 0);
    char text[3000];
    for (int round = 0; round < 60; round++) {
        for (size_t i = 0; i < sizeof text; i++) {
            static const char likely[] = "per_frame_1=sin(x)\n\t \xC3\xA4\xE2\r`/";
            const uint32_t random = base_rng_next(&rng);
            text[i] = random % 4 == 0 ? (char)(random >> 8) : likely[(random >> 8) % 28];
        }
        const size_t size = round % 2 == 0 ? sizeof text : (size_t)round * 10;
        assert_int_equal(ui_editor_load(fixture->editor, (struct base_span){text, size}), 0);
        struct base_diag messages[UI_EDITOR_MESSAGES];
        for (size_t i = 0; i < UI_EDITOR_MESSAGES; i++) {
            messages[i] = (struct base_diag){(enum base_severity)(i % 3),
                                             {NULL, base_rng_next(&rng) % 200, (uint32_t)i * 5},
                                             "\xFF what",
                                             "hint"};
        }
        messages[0].place.line = UINT32_MAX;
        messages[1].place.column = UINT32_MAX;
        ui_editor_set_messages(fixture->editor, messages, UI_EDITOR_MESSAGES);
        ui_editor_go(fixture->editor, base_rng_next(&rng) % 300, base_rng_next(&rng) % 300);
        (void)ui_editor_key(fixture->editor, "Ctrl+Shift+Home");
        fixture->rect.width = (int)(base_rng_next(&rng) % (WIDTH - BORDER));
        fixture->rect.height = (int)(base_rng_next(&rng) % (HEIGHT - BORDER));
        ui_imui_focus(fixture->ui, ID);
        fixture->input.pressed = round % 3 == 0;
        fixture->input.mouse_down = round % 3 != 2;
        fixture->input.mouse_inside = true;
        fixture->input.mouse_x = (int)(base_rng_next(&rng) % (3 * WIDTH)) - WIDTH;
        fixture->input.mouse_y = (int)(base_rng_next(&rng) % (3 * HEIGHT)) - HEIGHT;
        (void)draw(fixture);
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            const int x = i % WIDTH - fixture->rect.x;
            const int y = i / WIDTH - fixture->rect.y;
            const bool inside =
                x >= 0 && y >= 0 && x < fixture->rect.width && y < fixture->rect.height;
            if (!inside && fixture->pixels[i] != EMPTY) {
                fail_msg("round %d: outside at %d, %d of %d x %d", round, x, y, fixture->rect.width,
                         fixture->rect.height);
            }
        }
    }
    fixture->rect = (struct ui_rect){-100000, -50, 200000, 100};
    (void)draw(fixture);
    fixture->rect = (struct ui_rect){WIDTH, HEIGHT, -5, -5};
    (void)draw(fixture);
}

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Loose bounds, for sanitizers; printed is what it took. */
static void one_long_line_is_quick(void **state)
{
    struct fixture *fixture = *state;
    static const char *const pieces[] = {"per_frame_1=sin(x)+", "\xC3\xA4\t\xFF(", "/*", " a"};
    for (size_t piece = 0; piece < sizeof pieces / sizeof pieces[0]; piece++) {
        char *text = malloc(UI_EDITOR_MAX);
        for (size_t i = 0; i < UI_EDITOR_MAX; i++) {
            text[i] = pieces[piece][i % strlen(pieces[piece])];
        }
        memcpy(text, "per_frame_1=", 12);
        assert_int_equal(ui_editor_load(fixture->editor, (struct base_span){text, UI_EDITOR_MAX}),
                         0);
        ui_imui_focus(fixture->ui, ID);
        double frames[2];
        (void)press_key(fixture, "End");
        for (int i = 0; i < 2; i++) {
            const double start = seconds();
            (void)draw(fixture);
            frames[i] = seconds() - start;
            (void)press_key(fixture, "Home");
        }
        printf("frame at the end, at the start of a line of 1 MB: %.2f ms, %.2f ms\n",
               frames[0] * 1e3, frames[1] * 1e3);
        assert_true(frames[0] < 0.5 && frames[1] < 0.5);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(keys_come_with_the_keyboard_only, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wide_characters_take_two_columns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_mouse_selects, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wheel_and_cursor_scroll, set_up, tear_down),
        cmocka_unit_test_setup_teardown(long_lines_scroll_sideways, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_strip_leads_to_messages, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_stays_inside, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_long_line_is_quick, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
