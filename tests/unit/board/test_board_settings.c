#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "board/storage/settings.h"

static bool set(struct board_settings *settings, enum board_setting setting, const char *value)
{
    return board_settings_set(settings, setting, base_span_of(value));
}

static void test_rows(void **state)
{
    struct board_settings settings;
    (void)state;
    board_settings_init(&settings);
    for (int i = 0; i < BOARD_SETTINGS; i++) {
        const struct board_setting_row *row = &board_setting_rows[i];
        char value[BOARD_SETTING_VALUE];
        board_settings_value(&settings, (enum board_setting)i, value, sizeof value);
        assert_true(set(&settings, (enum board_setting)i, value));
        assert_int_equal(board_setting_find(base_span_of(row->key)), i);
        assert_true(row->room <= BOARD_SETTING_VALUE);
        if (row->kind == BOARD_SETTING_IS_CHOICE) {
            int32_t bars = 0;
            for (const char *at = row->words; *at != '\0'; at++) {
                bars += *at == '|';
            }
            assert_int_equal(bars, row->most);
        } else if (row->kind == BOARD_SETTING_IS_NUMBER) {
            assert_true(row->step > 0 && (row->most - row->least) % row->step == 0);
        }
    }
    assert_int_equal(board_setting_find(base_span_of("no")), BOARD_SETTINGS);
}

static void test_ranges(void **state)
{
    struct board_settings settings;
    (void)state;
    board_settings_init(&settings);
    assert_true(set(&settings, BOARD_SETTING_gain, "3"));
    assert_int_equal(settings.gain, 3);
    assert_false(set(&settings, BOARD_SETTING_gain, "16"));
    assert_false(set(&settings, BOARD_SETTING_gain, "-1"));
    assert_false(set(&settings, BOARD_SETTING_gain, ""));
    assert_false(set(&settings, BOARD_SETTING_gain, "99999999999"));
    assert_false(set(&settings, BOARD_SETTING_fps, "25"));
    assert_false(set(&settings, BOARD_SETTING_order, "r"));
    assert_false(set(&settings, BOARD_SETTING_order, ""));
    assert_true(set(&settings, BOARD_SETTING_order, "random"));
    assert_int_equal(settings.order, 1);
    assert_false(set(&settings, BOARD_SETTING_patch, "a\tb"));
    assert_false(set(&settings, BOARD_SETTING_network, "123456789012345678901234"));
    assert_true(set(&settings, BOARD_SETTING_network, "123456789012345"));
    assert_int_equal(settings.gain, 3);
}

static void test_steps(void **state)
{
    struct board_settings settings;
    (void)state;
    board_settings_init(&settings);
    board_settings_step(&settings, BOARD_SETTING_gain, 1);
    assert_int_equal(settings.gain, 15);
    board_settings_step(&settings, BOARD_SETTING_gain, -4);
    assert_int_equal(settings.gain, 11);
    board_settings_step(&settings, BOARD_SETTING_gain, INT32_MIN);
    assert_int_equal(settings.gain, 0);
    board_settings_step(&settings, BOARD_SETTING_order, 3);
    assert_int_equal(settings.order, 1);
    board_settings_step(&settings, BOARD_SETTING_order, -3);
    assert_int_equal(settings.order, 0);
    board_settings_step(&settings, BOARD_SETTING_patch, 1);
    assert_string_equal(settings.patch, "");
}

static void test_text(void **state)
{
    char text[BOARD_SETTINGS_TEXT];
    struct board_settings settings;
    struct board_settings again;
    (void)state;
    board_settings_init(&settings);
    assert_true(set(&settings, BOARD_SETTING_patch, "Tidal = Glass"));
    settings.next_beats = 64;
    const size_t size = board_settings_write(&settings, text, sizeof text);
    board_settings_init(&again);
    assert_true(board_settings_read(&again, "FROTH.CFG", (struct base_span){text, size}, NULL));
    assert_memory_equal(&settings, &again, sizeof again);
}

static void test_messages(void **state)
{
    static const char text[] = "froth settings 2\r\n"
                               "# by hand\r\n"
                               "  gain=7 \r\n"
                               "gain=70\r\n"
                               "later=1\n"
                               "\n"
                               "patch";
    struct base_diag_list list = {.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&list);
    struct board_settings settings;
    (void)state;
    board_settings_init(&settings);
    assert_true(board_settings_read(&settings, "FROTH.CFG", base_span_of(text), &sink));
    assert_int_equal(settings.gain, 7);
    assert_int_equal(list.count, 3);
    assert_string_equal(list.items[0].place.file, "FROTH.CFG");
    assert_int_equal(list.items[0].place.line, 4);
    assert_string_equal(list.items[0].what, "gain cannot be '70'");
    assert_int_equal(list.items[1].place.line, 5);
    assert_string_equal(list.items[1].what, "'later' is no setting");
    assert_int_equal(list.items[2].place.line, 7);
    assert_false(board_settings_read(&settings, "FROTH.CFG", base_span_of("gain=3\n"), &sink));
    assert_false(board_settings_read(&settings, "FROTH.CFG", base_span_of(""), &sink));
    assert_false(
        board_settings_read(&settings, "FROTH.CFG", base_span_of("froth settings 0"), &sink));
    assert_int_equal(settings.gain, 7);
}

/* Whatever the text is, values stay within their ranges. */
static void test_any_text(void **state)
{
    struct base_rng rng;
    (void)state;
    base_rng_seed(&rng, 22, 0);
    for (int turn = 0; turn < 20000; turn++) {
        char text[BOARD_SETTINGS_TEXT];
        char again[BOARD_SETTINGS_TEXT];
        struct board_settings settings;
        struct board_settings copy;
        board_settings_init(&settings);
        const size_t size = board_settings_write(&settings, text, sizeof text);
        for (uint32_t i = base_rng_next(&rng) % 20; i > 0; i--) {
            text[base_rng_next(&rng) % size] = (char)base_rng_next(&rng);
        }
        (void)board_settings_read(&settings, "", (struct base_span){text, size}, NULL);
        (void)board_settings_write(&settings, again, sizeof again);
        copy = settings;
        assert_true(board_settings_read(&copy, "", base_span_of(again), NULL));
        for (int i = 0; i < BOARD_SETTINGS; i++) {
            char value[BOARD_SETTING_VALUE];
            board_settings_value(&settings, (enum board_setting)i, value, sizeof value);
            assert_true(set(&settings, (enum board_setting)i, value));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),     cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_steps),    cmocka_unit_test(test_text),
        cmocka_unit_test(test_messages), cmocka_unit_test(test_any_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
