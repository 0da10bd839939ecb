#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ui/editor/editor.h"
#include "ui/editor/model.h"

static struct ui_editor *editor_of(const char *text)
{
    struct ui_editor *editor = ui_editor_create();
    assert_non_null(editor);
    assert_int_equal(ui_editor_load(editor, base_span_of(text)), 0);
    return editor;
}

/* Presses keys, divided by blanks; 'text' is typed. */
static void press(struct ui_editor *editor, const char *keys)
{
    char copy[256];
    (void)snprintf(copy, sizeof copy, "%s", keys);
    char *rest = copy;
    for (char *key = strtok_r(copy, " ", &rest); key != NULL; key = strtok_r(NULL, " ", &rest)) {
        if (key[0] == '\'') {
            ui_editor_type(editor, (struct base_span){key + 1, strcspn(key + 1, "'")});
        } else {
            assert_true(ui_editor_key(editor, key));
        }
    }
}

static void assert_text(struct ui_editor *editor, const char *text)
{
    assert_string_equal(ui_editor_text(editor).data, text);
    assert_int_equal(ui_editor_text(editor).size, strlen(text));
}

static void assert_cursor(const struct ui_editor *editor, size_t line, size_t column)
{
    size_t at[2];
    ui_editor_cursor(editor, &at[0], &at[1]);
    assert_int_equal(at[0], line);
    assert_int_equal(at[1], column);
}

static void keys_do_what_their_help_says(void **state)
{
    (void)state;
    static const struct {
        const char *before;
        const char *keys;
        const char *after;
        size_t line;
        size_t column;
    } cases[] = {
        {"abc", "Right Right Left", "abc", 1, 2},
        {"a\nb", "Right Right", "a\nb", 2, 1},
        {"a\r\nb", "Right Right Left", "a\r\nb", 1, 2},
        {"abcd\n\nabcd", "End Down Down", "abcd\n\nabcd", 3, 5},
        {"abcd\nab\nabcd", "End Down Left Down", "abcd\nab\nabcd", 3, 2},
        {"ab\ncd", "End Up", "ab\ncd", 1, 1},
        {"ab\ncd", "Down Down", "ab\ncd", 2, 3},
        {"\tab\nabcdef", "Right Down", "\tab\nabcdef", 2, 5},
        {"zoom = sin(x);", "Ctrl+Right Ctrl+Right Ctrl+Right", "zoom = sin(x);", 1, 11},
        {"zoom = sin(x);", "End Ctrl+Left Ctrl+Left", "zoom = sin(x);", 1, 12},
        {"a\nb", "Down Ctrl+Left", "a\nb", 1, 2},
        {"ab\ncd", "Ctrl+End Home", "ab\ncd", 2, 1},
        {"ab\ncd", "Ctrl+End Ctrl+Home", "ab\ncd", 1, 1},
        {"1\n2\n3", "PageDown", "1\n2\n3", 3, 1},
        {"1\n2\n3", "PageDown PageUp", "1\n2\n3", 1, 1},
        {"  ab", "End Enter 'c'", "  ab\n  c", 2, 4},
        {"  ab", "Right Enter", " \n  ab", 2, 2},
        {"a\r\nb", "Enter", "\r\na\r\nb", 2, 1},
        {"per_frame_12=a", "End Enter 'b'", "per_frame_12=a\nper_frame_=b", 2, 13},
        {"warp_3=`a", "End Enter 'b'", "warp_3=`a\nwarp_=`b", 2, 9},
        {"wave_0_per_point7=ab", "End Left Enter", "wave_0_per_point7=a\nwave_0_per_point=b", 2,
         18},
        {"per_frame_=a\nper_frame_=", "Ctrl+End Enter", "per_frame_=a\n", 2, 1},
        {"per_frame_1=a", "Enter", "\nper_frame_1=a", 2, 1},
        {"ab", "Right Tab", "a    b", 1, 6},
        {"ab", "Right Backspace", "b", 1, 1},
        {"a\r\nb", "Down Backspace", "ab", 1, 2},
        {"ab", "Delete", "b", 1, 1},
        {"gr\xC3\xBC\xC3\x9F", "End Backspace", "gr\xC3\xBC", 1, 4},
        {"per_frame = x", "End Ctrl+Backspace Ctrl+Backspace", "per_frame ", 1, 11},
        {"abc", "Ctrl+A 'x'", "x", 1, 2},
        {"abc", "Shift+Right Ctrl+C Ctrl+V Ctrl+V", "aabc", 1, 3},
        {"abc", "Shift+End Ctrl+X", "", 1, 1},
        {"abc", "Shift+End Ctrl+X Ctrl+V Ctrl+V", "abcabc", 1, 7},
        {"ab cd", "Ctrl+Shift+Right Delete", "cd", 1, 1},
        {"a\nb", "Shift+Down Backspace", "b", 1, 1},
        {"a\nb", "'x' Ctrl+Z", "a\nb", 1, 1},
        {"a\nb", "'x' Ctrl+Z Ctrl+Y", "xa\nb", 1, 2},
        {"a\nb", "'x' Ctrl+Z Ctrl+Shift+Z", "xa\nb", 1, 2},
        {"ab\nc", "Right Ctrl+D", "ab\nab\nc", 2, 2},
        {"ab", "End Ctrl+D", "ab\nab", 2, 3},
        {"ab\r\ncd", "Down Ctrl+D", "ab\r\ncd\r\ncd", 3, 1},
        {"a\nb\nc", "Down Alt+Up", "b\na\nc", 1, 1},
        {"a\nb\nc", "Alt+Down Alt+Down", "b\nc\na", 3, 1},
        {"a\nb\nc", "Alt+Up", "a\nb\nc", 1, 1},
        {"a\nb\nc", "Shift+Down Shift+Down Alt+Down", "c\na\nb", 3, 2},
        {"zoom=1\nrot=2", "Ctrl+/", "// zoom=1\nrot=2", 1, 4},
        {"// zoom=1", "Ctrl+/", "zoom=1", 1, 1},
        {"//zoom=1", "Ctrl+/", "zoom=1", 1, 1},
        {"a\n\nb", "Ctrl+A Ctrl+/", "// a\n\n// b", 3, 5},
        {"// a\nb", "Ctrl+A Ctrl+/", "// // a\n// b", 2, 5},
        {"// a\n// b", "Ctrl+A Ctrl+/", "a\nb", 2, 2},
        {"per_frame_1=x = 1;", "Ctrl+/", "per_frame_1=// x = 1;", 1, 1},
        {"per_frame_1=// x = 1;", "End Ctrl+/", "per_frame_1=x = 1;", 1, 19},
        {"warp_2=`ret = 1;", "Ctrl+/", "warp_2=`// ret = 1;", 1, 1},
        {"abc", "Shift+Right Shift+Right Left", "abc", 1, 1},
        {"abc", "Shift+Right Shift+Right Right", "abc", 1, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ui_editor *editor = editor_of(cases[i].before);
        press(editor, cases[i].keys);
        assert_text(editor, cases[i].after);
        assert_cursor(editor, cases[i].line, cases[i].column);
        ui_editor_free(editor);
    }
}

static void other_keys_are_left_alone(void **state)
{
    (void)state;
    struct ui_editor *editor = editor_of("abc");
    static const char *const keys[] = {"F1", "Escape", "Ctrl+S",       "Shift+Tab",       "A",
                                       "",   "Shift+", "Ctrl+Shift+C", "Shift+Shift+Left"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        assert_false(ui_editor_key(editor, keys[i]));
    }
    char longest[1000];
    memset(longest, 'x', sizeof longest);
    memcpy(longest, "Shift+", 6);
    longest[sizeof longest - 1] = '\0';
    assert_false(ui_editor_key(editor, longest));
    assert_text(editor, "abc");
    for (size_t i = 0; i < UI_EDITOR_ACTION_ROWS; i++) {
        assert_true(strlen(ui_editor_action_rows[i].help) > 0);
    }
    ui_editor_free(editor);
}

static void typing_is_undone_by_words(void **state)
{
    (void)state;
    struct ui_editor *editor = editor_of("");
    const char *text = "zoom = 1.02;";
    for (size_t i = 0; text[i] != '\0'; i++) {
        ui_editor_type(editor, (struct base_span){text + i, 1});
    }
    assert_text(editor, text);
    assert_true(ui_editor_undo(editor));
    assert_text(editor, "zoom = ");
    assert_true(ui_editor_undo(editor));
    assert_text(editor, "zoom ");
    assert_true(ui_editor_undo(editor));
    assert_text(editor, "");
    assert_false(ui_editor_undo(editor));
    assert_true(ui_editor_redo(editor) && ui_editor_redo(editor));
    press(editor, "Backspace Backspace Backspace");
    assert_text(editor, "zoom");
    assert_false(ui_editor_redo(editor));
    assert_true(ui_editor_undo(editor));
    assert_text(editor, "zoom = ");
    press(editor, "Home Delete Delete Right Delete");
    assert_text(editor, "o = ");
    assert_true(ui_editor_undo(editor));
    assert_text(editor, "om = ");
    assert_true(ui_editor_undo(editor));
    assert_text(editor, "zoom = ");
    ui_editor_free(editor);
}

static void undo_puts_the_selection_back(void **state)
{
    (void)state;
    struct ui_editor *editor = editor_of("abcdef");
    press(editor, "Right Shift+Right Shift+Right 'x' 'y'");
    assert_text(editor, "axydef");
    press(editor, "Ctrl+Z");
    assert_text(editor, "abcdef");
    assert_int_equal(ui_editor_from(editor), 1);
    assert_int_equal(ui_editor_to(editor), 3);
    ui_editor_free(editor);
}

static void undo_is_bounded(void **state)
{
    (void)state;
    struct ui_editor *editor = editor_of("");
    for (int i = 0; i < 3 * UI_EDITOR_UNDO_STEPS; i++) {
        press(editor, i % 2 == 0 ? "'x'" : "Ctrl+A");
        assert_true(editor->undo.count <= UI_EDITOR_UNDO_STEPS);
    }
    char *large = malloc(UI_EDITOR_MAX);
    for (int i = 0; i < 20; i++) {
        memset(large, 'a' + i, UI_EDITOR_MAX);
        assert_int_equal(ui_editor_replace(editor, (struct base_span){large, UI_EDITOR_MAX}), 0);
        assert_true(editor->undo.bytes <= UI_EDITOR_UNDO_BYTES);
    }
    assert_true(editor->undo.count >= 4);
    while (ui_editor_undo(editor)) {
    }
    while (ui_editor_redo(editor)) {
    }
    assert_memory_equal(ui_editor_text(editor).data, large, UI_EDITOR_MAX);
    free(large);
    ui_editor_free(editor);
}

static void line_ends_are_kept(void **state)
{
    (void)state;
    static const char *const texts[] = {"a\r\nb\r\n", "a\nb\n", "a\rb\r", "a\r\nb\nc\rd",
                                        "\n\r\n\r"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct ui_editor *editor = editor_of(texts[i]);
        press(editor, "Ctrl+End 'x' Backspace Up Down");
        assert_text(editor, texts[i]);
        ui_editor_free(editor);
    }
    struct ui_editor *editor = editor_of("a\r\n");
    ui_editor_type(editor, base_span_of("1\n2\r\n3\r"));
    assert_text(editor, "1\r\n2\r\n3\r\na\r\n");
    press(editor, "Ctrl+A Delete 'x' Enter");
    assert_text(editor, "x\r\n");
    ui_editor_free(editor);
}

static void load_and_replace(void **state)
{
    (void)state;
    struct ui_editor *editor = editor_of("one\ntwo\nthree\n");
    const uint64_t loaded = ui_editor_revision(editor);
    ui_editor_go(editor, 3, 4);
    assert_int_equal(ui_editor_revision(editor), loaded);
    assert_int_equal(ui_editor_replace(editor, base_span_of("one\ntwo\nthree\n")), 0);
    assert_int_equal(ui_editor_revision(editor), loaded);
    assert_int_equal(ui_editor_replace(editor, base_span_of("zero\none\n2\nthree\n")), 0);
    assert_true(ui_editor_revision(editor) > loaded);
    assert_cursor(editor, 4, 4);
    press(editor, "Ctrl+Z");
    assert_text(editor, "one\ntwo\nthree\n");
    assert_cursor(editor, 3, 4);
    assert_int_equal(ui_editor_replace(editor, base_span_of("")), 0);
    assert_cursor(editor, 1, 1);
    /* A part of its own text. */
    press(editor, "Ctrl+Z");
    const struct base_span own = ui_editor_text(editor);
    assert_int_equal(ui_editor_replace(editor, (struct base_span){own.data + 4, 4}), 0);
    assert_text(editor, "two\n");
    char *large = calloc(UI_EDITOR_MAX + 1, 1);
    const struct base_span too_long = {large, UI_EDITOR_MAX + 1};
    assert_int_equal(ui_editor_replace(editor, too_long), -1);
    assert_int_equal(ui_editor_load(editor, too_long), -1);
    assert_int_equal(ui_editor_set_clipboard(editor, too_long), -1);
    assert_text(editor, "two\n");
    assert_int_equal(ui_editor_load(editor, (struct base_span){large, UI_EDITOR_MAX}), 0);
    press(editor, "'x'");
    assert_int_equal(ui_editor_text(editor).size, UI_EDITOR_MAX);
    assert_false(ui_editor_undo(editor));
    free(large);
    ui_editor_free(editor);
}

static void find_goes_around(void **state)
{
    (void)state;
    struct ui_editor *editor = editor_of("Zoom\nzoom rot\nZOOM");
    static const size_t lines[] = {1, 2, 3, 1};
    for (size_t i = 0; i < 4; i++) {
        assert_true(ui_editor_find(editor, base_span_of("zoom")));
        assert_cursor(editor, lines[i], 5);
        assert_int_equal(ui_editor_to(editor) - ui_editor_from(editor), 4);
    }
    assert_true(ui_editor_find(editor, base_span_of("m\nz")));
    assert_cursor(editor, 2, 2);
    assert_false(ui_editor_find(editor, base_span_of("warp")));
    assert_false(ui_editor_find(editor, base_span_of("")));
    assert_int_equal(ui_editor_load(editor, base_span_of("\xC3\xBC")), 0);
    assert_false(ui_editor_find(editor, base_span_of("\xBC")));
    ui_editor_free(editor);
}

static void messages_go_with_their_lines(void **state)
{
    (void)state;
    struct ui_editor *editor = editor_of("a\nb\nc\n");
    struct base_diag messages[UI_EDITOR_MESSAGES + 8] = {
        {BASE_WARNING, {"x", 2, 1}, "first", ""},
        {BASE_ERROR, {"x", 2, 1}, "second", ""},
        {BASE_ERROR, {"x", 99, 1}, "behind", ""},
    };
    ui_editor_set_messages(editor, messages, 3);
    assert_string_equal(ui_editor_message_at(editor, 1)->what, "second");
    assert_string_equal(ui_editor_message_at(editor, 3)->what, "behind");
    assert_null(ui_editor_message_at(editor, 0));
    press(editor, "Enter 'x'");
    assert_string_equal(ui_editor_message_at(editor, 2)->what, "second");
    press(editor, "Down Home Enter");
    assert_string_equal(ui_editor_message_at(editor, 3)->what, "second");
    press(editor, "'x' End Enter");
    assert_string_equal(ui_editor_message_at(editor, 3)->what, "second");
    press(editor, "Ctrl+Z Ctrl+Z Ctrl+Z Ctrl+Z Ctrl+Z");
    assert_string_equal(ui_editor_message_at(editor, 1)->what, "second");
    ui_editor_set_messages(editor, messages, UI_EDITOR_MESSAGES + 8);
    assert_int_equal(editor->message_count, UI_EDITOR_MESSAGES);
    ui_editor_set_messages(editor, NULL, 0);
    assert_null(ui_editor_message_at(editor, 1));
    ui_editor_free(editor);
}

static void hostile_bytes_stay(void **state)
{
    (void)state;
    char bytes[256 * 3];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (char)(i * 167 + i / 256);
    }
    const struct base_span text = {bytes, sizeof bytes};
    struct ui_editor *editor = ui_editor_create();
    assert_int_equal(ui_editor_load(editor, text), 0);
    size_t rights = 0;
    while (editor->state.cursor < sizeof bytes) {
        press(editor, "Right 'x' Backspace");
        rights++;
    }
    assert_true(rights > sizeof bytes / 2);
    press(editor, "Ctrl+A Ctrl+C Delete Ctrl+V");
    while (ui_editor_undo(editor)) {
    }
    assert_true(base_span_equal(ui_editor_text(editor), text));
    ui_editor_free(editor);
}

static void places_are_brought_into_the_text(void **state)
{
    (void)state;
    struct ui_editor *editor = editor_of("ab\ncd");
    static const size_t cases[][4] = {
        {0, 0, 1, 1}, {2, 2, 2, 2}, {1, 99, 1, 3}, {99, 1, 2, 1}, {SIZE_MAX, SIZE_MAX, 2, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ui_editor_go(editor, cases[i][0], cases[i][1]);
        assert_cursor(editor, cases[i][2], cases[i][3]);
    }
    ui_editor_free(editor);
}

/* A letter for each byte of the line. */
static void words_of(const char *line, char *letters)
{
    static const char names[] = "phkcnfe";
    struct ui_editor_tokens words = ui_editor_tokens_of(base_span_of(line));
    struct ui_editor_token word;
    size_t at = 0;
    while (ui_editor_tokens_next(&words, &word)) {
        assert_int_equal(word.first, at);
        assert_true(word.end > word.first);
        memset(letters + at, names[word.kind], word.end - at);
        at = word.end;
    }
    assert_int_equal(at, strlen(line));
    letters[at] = '\0';
}

static void words_are_set_apart(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"[preset00]", "hhhhhhhhhh"},
        {"// by x=1", "ccccccccc"},
        {"fRating=4.0", "kkkkkkkknnn"},
        {"zoom=-1e-3", "kkkkknnnnn"},
        {"name=4 x", "kkkkkppp"},
        {"hello", "ppppp"},
        {"per_frame_1=q1=sin(.5*t1)//x", "kkkkkkkkkkkkeeefffenneeeeccc"},
        {"wave_0_per_point12=if (x,1e-2,a2)", "kkkkkkkkkkkkkkkkkkkffeeeennnneeee"},
        {"warp_1=`float3 r=0x1F /*c*/;", "kkkkkkkkeeeeeeeeennnneccccce"},
        {"comp_2=` /* a", "kkkkkkkkecccc"},
        {"per_pixel_1=", "kkkkkkkkkkkk"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char letters[128];
        words_of(cases[i][0], letters);
        assert_string_equal(letters, cases[i][1]);
    }
}

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The bound is loose, for a busy machine and for sanitizers; a quadratic edit would miss it by far.
 * Printed is what it took. */
static void edits_of_large_texts_are_quick(void **state)
{
    (void)state;
    enum { LINES = 20000, EDITS = 200 };
    char *text = malloc(UI_EDITOR_MAX + 64);
    size_t size = 0;
    for (int i = 0; i < LINES; i++) {
        size +=
            (size_t)snprintf(text + size, 64, "per_frame_%d=zoom = zoom + 0.01*sin(time);\n", i);
    }
    assert_true(size <= UI_EDITOR_MAX - 1000);
    struct ui_editor *editor = ui_editor_create();
    assert_int_equal(ui_editor_load(editor, (struct base_span){text, size}), 0);
    const double start = seconds();
    for (int i = 0; i < EDITS; i++) {
        press(editor, i % 2 == 0 ? "'x'" : "Enter");
    }
    const double each = (seconds() - start) / EDITS;
    printf("an edit at the front of %zu bytes: %.3f ms\n", size, each * 1e3);
    assert_true(each < 0.02);
    free(text);
    ui_editor_free(editor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_do_what_their_help_says),
        cmocka_unit_test(other_keys_are_left_alone),
        cmocka_unit_test(typing_is_undone_by_words),
        cmocka_unit_test(undo_puts_the_selection_back),
        cmocka_unit_test(undo_is_bounded),
        cmocka_unit_test(line_ends_are_kept),
        cmocka_unit_test(load_and_replace),
        cmocka_unit_test(find_goes_around),
        cmocka_unit_test(messages_go_with_their_lines),
        cmocka_unit_test(hostile_bytes_stay),
        cmocka_unit_test(places_are_brought_into_the_text),
        cmocka_unit_test(words_are_set_apart),
        cmocka_unit_test(edits_of_large_texts_are_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
