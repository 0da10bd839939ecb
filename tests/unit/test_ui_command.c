#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "ui/command.h"

static void every_row_is_complete(void **state)
{
    (void)state;
    for (int i = UI_COMMAND_NONE + 1; i < UI_COMMAND_COUNT; i++) {
        const struct ui_command_row *row = &ui_command_rows[i];
        assert_true(row->name[0] != '\0');
        assert_true(row->help[0] != '\0');
        assert_true(row->keys[0] != '\0' && row->keys[0] != ' ');
        assert_int_equal(ui_command_by_name(base_span_of(row->name)), i);
    }
}

static void every_key_belongs_to_one_command(void **state)
{
    (void)state;
    size_t count = 0;
    for (int i = UI_COMMAND_NONE + 1; i < UI_COMMAND_COUNT; i++) {
        struct base_span keys = base_span_of(ui_command_rows[i].keys);
        struct base_span key = ui_command_next_key(&keys);
        for (; key.size > 0; key = ui_command_next_key(&keys)) {
            assert_int_equal(ui_command_by_key(key), i);
            for (int other = i + 1; other < UI_COMMAND_COUNT; other++) {
                struct base_span others = base_span_of(ui_command_rows[other].keys);
                struct base_span one = ui_command_next_key(&others);
                for (; one.size > 0; one = ui_command_next_key(&others)) {
                    assert_false(base_span_equal_nocase(key, one));
                }
            }
            count++;
        }
    }
    assert_true(count >= UI_COMMAND_COUNT - 1);
}

static void keys_find_their_commands(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        enum ui_command command;
    } cases[] = {
        {"Space", UI_COMMAND_NEXT},
        {"N", UI_COMMAND_NEXT},
        {"n", UI_COMMAND_NEXT},
        {"Right", UI_COMMAND_NEXT},
        {"Backspace", UI_COMMAND_PREVIOUS},
        {"P", UI_COMMAND_PREVIOUS},
        {"Left", UI_COMMAND_PREVIOUS},
        {"R", UI_COMMAND_RANDOM},
        {"L", UI_COMMAND_LOCK},
        {"ScrollLock", UI_COMMAND_LOCK},
        {"F", UI_COMMAND_FULLSCREEN},
        {"F11", UI_COMMAND_FULLSCREEN},
        {"Alt+Enter", UI_COMMAND_FULLSCREEN},
        {"F1", UI_COMMAND_HELP},
        {"F4", UI_COMMAND_NAME},
        {"F5", UI_COMMAND_FPS},
        {"Escape", UI_COMMAND_QUIT},
        {"Q", UI_COMMAND_QUIT},
        {"Enter", UI_COMMAND_NONE},
        {"Ctrl+Q", UI_COMMAND_NONE},
        {"Alt+F4", UI_COMMAND_NONE},
        {"F2", UI_COMMAND_NONE},
        {"", UI_COMMAND_NONE},
        {" ", UI_COMMAND_NONE},
        {"Space N", UI_COMMAND_NONE},
        {"Spac", UI_COMMAND_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(ui_command_by_key(base_span_of(cases[i].key)), cases[i].command);
    }
}

static void names_find_their_commands(void **state)
{
    (void)state;
    assert_int_equal(ui_command_by_name(base_span_of("QUIT")), UI_COMMAND_QUIT);
    assert_int_equal(ui_command_by_name(base_span_of("")), UI_COMMAND_NONE);
    assert_int_equal(ui_command_by_name(base_span_of("nothing")), UI_COMMAND_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_complete),
        cmocka_unit_test(every_key_belongs_to_one_command),
        cmocka_unit_test(keys_find_their_commands),
        cmocka_unit_test(names_find_their_commands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
