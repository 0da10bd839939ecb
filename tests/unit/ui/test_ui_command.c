#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "ui/command.h"

static struct base_diag_list messages;

static int parse(struct engine_call *call, struct base_span words)
{
    messages = (struct base_diag_list){.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    return ui_call_parse(call, words, (struct base_place){"keys.yaml", 3, 10}, &sink);
}

static void every_row_is_complete(void **state)
{
    (void)state;
    for (int i = UI_COMMAND_NONE + 1; i < UI_COMMAND_COUNT; i++) {
        const struct ui_command_row *row = &ui_command_rows[i];
        assert_true(row->name[0] != '\0');
        assert_true(row->help[0] != '\0');
        assert_null(strpbrk(row->name, " =\t"));
        assert_true(row->group < UI_GROUP_COUNT && row->argument < ENGINE_ARGUMENT_COUNT);
        assert_int_equal(ui_command_by_name(base_span_of(row->name)), i);
        assert_int_equal(engine_adjust_of((unsigned)i) != NULL,
                         i >= ENGINE_COMMAND_ADJUST_FIRST && i < ENGINE_COMMAND_COUNT);
    }
    for (int i = 0; i < UI_GROUP_COUNT; i++) {
        assert_non_null(ui_command_group_names[i]);
    }
    for (int i = 0; i < ENGINE_ARGUMENT_COUNT; i++) {
        assert_non_null(engine_argument_names[i]);
    }
    assert_int_equal(ui_command_by_name(base_span_of("QUIT")), UI_COMMAND_QUIT);
    assert_int_equal(ui_command_by_name(base_span_of("")), UI_COMMAND_NONE);
}

static void a_command_adjusts_the_key_of_its_row(void **state)
{
    (void)state;
    static const struct {
        enum ui_command command;
        const char *name;
        const char *key;
    } rows[] = {
#define ENGINE_ADJUST(id, name, key, ...) {UI_COMMAND_ADJUST_##id, name, key},
#include "engine/adjust.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct engine_adjust_row *row = engine_adjust_of(rows[i].command);
        assert_non_null(row);
        assert_string_equal(row->key, rows[i].key);
        assert_string_equal(ui_command_rows[rows[i].command].name, rows[i].name);
    }
    assert_int_equal(ENGINE_COMMAND_ADJUST_FIRST, rows[0].command);
    assert_null(engine_adjust_of(ENGINE_COMMAND_ADJUST_FIRST - 1));
    assert_null(engine_adjust_of(UI_COMMAND_COUNT));
}

static void calls_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        struct engine_call call;
    } cases[] = {
        {"quit", {.command = UI_COMMAND_QUIT}},
        {"  Quit\t ", {.command = UI_COMMAND_QUIT}},
        {"next", {.command = UI_COMMAND_NEXT, .number = 1}},
        {"next -2", {.command = UI_COMMAND_NEXT, .number = -2}},
        {"rate =3", {.command = UI_COMMAND_RATE, .absolute = true, .number = 3}},
        {"zoom =-.5e1", {.command = UI_COMMAND_ADJUST_ZOOM, .absolute = true, .number = -5}},
        {"zoom +1000000", {.command = UI_COMMAND_ADJUST_ZOOM, .number = 1000000}},
        {"lock", {.command = UI_COMMAND_LOCK, .to = ENGINE_SWITCH_OTHER}},
        {"lock ON", {.command = UI_COMMAND_LOCK, .to = ENGINE_SWITCH_ON}},
        {"lock off", {.command = UI_COMMAND_LOCK, .to = ENGINE_SWITCH_OFF}},
        {"advance 7.25", {.command = UI_COMMAND_ADVANCE, .number = 7.25}},
        {"set  fDecay 0.95 ", {.command = UI_COMMAND_SET, .text = "fDecay 0.95"}},
        {"load a b.milk", {.command = UI_COMMAND_LOAD, .text = "a b.milk"}},
        {"save", {.command = UI_COMMAND_SAVE}},
        {"save mine", {.command = UI_COMMAND_SAVE, .text = "mine"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct engine_call call;
        assert_int_equal(parse(&call, base_span_of(cases[i].words)), 0);
        assert_int_equal(messages.count, 0);
        assert_int_equal(call.command, cases[i].call.command);
        assert_int_equal(call.to, cases[i].call.to);
        assert_int_equal(call.absolute, cases[i].call.absolute);
        assert_true(call.number == cases[i].call.number);
        assert_string_equal(call.text, cases[i].call.text);
    }
}

static void wrong_calls_are_explained(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        uint32_t column;
        const char *what;
        const char *hint;
    } cases[] = {
        {"nxt", 10, "unknown command 'nxt'", "did you mean next?"},
        {"  blackuot on", 12, "unknown command 'blackuot'", "did you mean blackout?"},
        {"", 10, "unknown command ''", "froth help commands"},
        {"=", 10, "unknown command '='", "froth help commands"},
        {"quit now", 15, "quit cannot take 'now'", "no argument"},
        {"lock  maybe", 16, "lock cannot take 'maybe'", "on, off or nothing"},
        {"next two", 15, "next cannot take 'two'", "a number behind ="},
        {"next =", 15, "next cannot take '='", "a number behind ="},
        {"next 1 2", 15, "next cannot take '1 2'", "a number"},
        {"next nan", 15, "next cannot take 'nan'", "a number"},
        {"next 0x10", 15, "next cannot take '0x10'", "a number"},
        {"next 1e7", 15, "next cannot take '1e7'", "a number"},
        {"next 1e999", 15, "next cannot take '1e999'", "a number"},
        {"advance", 17, "advance cannot take ''", "it takes a number"},
        {"advance =3", 18, "advance cannot take '=3'", "it takes a number"},
        {"load ", 14, "load cannot take ''", "it takes a text"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct engine_call call;
        assert_int_equal(parse(&call, base_span_of(cases[i].words)), -1);
        assert_int_equal(messages.count, 1);
        assert_string_equal(messages.items[0].what, cases[i].what);
        assert_non_null(strstr(messages.items[0].hint, cases[i].hint));
        assert_int_equal(messages.items[0].place.line, 3);
        assert_int_equal(messages.items[0].place.column, cases[i].column);
    }
}

static void texts_have_a_length(void **state)
{
    (void)state;
    static char words[5 + ENGINE_CALL_TEXT + 1] = "load ";
    struct engine_call call;
    memset(words + 5, 'x', ENGINE_CALL_TEXT);
    assert_int_equal(parse(&call, (struct base_span){words, 5 + ENGINE_CALL_TEXT - 1}), 0);
    assert_int_equal(strlen(call.text), ENGINE_CALL_TEXT - 1);
    assert_int_equal(parse(&call, (struct base_span){words, 5 + ENGINE_CALL_TEXT}), -1);
    assert_int_equal(parse(&call, (struct base_span){"load a\0b", 8}), -1);
    assert_int_equal(parse(&call, (struct base_span){NULL, 0}), -1);
}

static void adjusted_values_stay_in_range(void **state)
{
    (void)state;
    static const double values[] = {0, 1, -1, 0.5, 100, 1e300, -1e300, 3.7};
    static const double steps[] = {0, 1, -1, 2, 0.5, 1000, -1000, 1e300, -1e300};
    for (unsigned i = ENGINE_COMMAND_ADJUST_FIRST; i < ENGINE_COMMAND_COUNT; i++) {
        const struct engine_adjust_row *row = engine_adjust_of(i);
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
                const double after = engine_adjust_value(row, values[v], steps[s]);
                assert_true(after >= row->low && after <= row->high);
            }
        }
        assert_true(isnan(engine_adjust_value(row, (double)NAN, 1)));
        assert_true(engine_adjust_value(row, 1, (double)INFINITY) == 1);
    }
}

static void values_are_adjusted(void **state)
{
    (void)state;
    static const struct {
        enum ui_command command;
        double value;
        double steps;
        double after;
    } cases[] = {
        {UI_COMMAND_ADJUST_ZOOM, 1, 1, 1.01},    {UI_COMMAND_ADJUST_ZOOM, 1.01, -1, 1},
        {UI_COMMAND_ADJUST_ROTATE, 0, -2, -.02}, {UI_COMMAND_ADJUST_DECAY, 0.995, 1, 1},
        {UI_COMMAND_ADJUST_WAVE, 7, 1, 0},       {UI_COMMAND_ADJUST_WAVE, 0, -1, 7},
        {UI_COMMAND_ADJUST_WAVE, 3, 17, 4},      {UI_COMMAND_ADJUST_ECHO_FLIP, 2, -7, 3},
        {UI_COMMAND_ADJUST_WAVE, 2.9, 0, 2},     {UI_COMMAND_ADJUST_WARP, -5, 0, 0.01},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double after =
            engine_adjust_value(engine_adjust_of(cases[i].command), cases[i].value, cases[i].steps);
        assert_true(fabs(after - cases[i].after) < 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_complete),
        cmocka_unit_test(calls_are_read),
        cmocka_unit_test(a_command_adjusts_the_key_of_its_row),
        cmocka_unit_test(wrong_calls_are_explained),
        cmocka_unit_test(texts_have_a_length),
        cmocka_unit_test(adjusted_values_stay_in_range),
        cmocka_unit_test(values_are_adjusted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
