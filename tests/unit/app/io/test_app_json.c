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

#include "base/os/print.h"

static void check_string(const char *text, const char *expected)
{
    char *written = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&written, &size);
    assert_non_null(out);
    base_json_string(out, text);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(written, expected);
    free(written);
}

static void strings(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *json;
    } cases[] = {
        {NULL, "null"},
        {"", "\"\""},
        {"plain text", "\"plain text\""},
        {"a\"b\\c", "\"a\\\"b\\\\c\""},
        {"tab\tline\nreturn\r", "\"tab\\tline\\nreturn\\u000d\""},
        {"\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\""},
        {"\xC2\x80 \xC2\x9B \xC2\x9F\xC2\xA0", "\"\\u0080 \\u009b \\u009f\xC2\xA0\""},
        {"caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8E\xB5",
         "\"caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8E\xB5\""},
        {"latin1 \xE9.milk", "\"latin1 \xEF\xBF\xBD.milk\""},
        {"\xC3", "\"\xEF\xBF\xBD\""},
        {"\xF0\x9F\x8E", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {"overlong \xC0\xAF", "\"overlong \xEF\xBF\xBD\xEF\xBF\xBD\""},
        {"overlong \xE0\x80\x80", "\"overlong \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {"surrogate \xED\xA0\x80", "\"surrogate \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {"beyond \xF4\x90\x80\x80", "\"beyond \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {"last \xF4\x8F\xBF\xBF", "\"last \xF4\x8F\xBF\xBF\""},
        {"\xFE\xFF", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_string(cases[i].text, cases[i].json);
    }
}

/* Texts for a terminal: what is expected has no control character of either kind. */
static const struct {
    const char *text;
    const char *plain;
} plain_cases[] = {
    {"caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8E\xB5", "caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8E\xB5"},
    {"\x1B[2J\x7F\x07\n", "?[2J???"},
    {"\xC2\x9B"
     "2J \xC2\x80\xC2\x9F\xC2\xA0",
     "?2J ??\xC2\xA0"},
    {"\x9B"
     "2J\x80\x9F",
     "?2J??"},
    {"latin1 \xE9.milk\xC2", "latin1 \xE9.milk\xC2"},
    {"overlong \xE0\x82\x9B \xC0\x9B", "overlong \xE0?? \xC0?"},
    {"\xEF\xBF\xBD", "\xEF\xBF\xBD"},
};

static void texts_for_a_terminal(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof plain_cases / sizeof *plain_cases; i++) {
        char *written = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&written, &size);
        assert_non_null(out);
        base_plain(out, plain_cases[i].text);
        assert_int_equal(fclose(out), 0);
        assert_string_equal(written, plain_cases[i].plain);
        free(written);
    }
    static const struct {
        const char *text;
        const char *cell; /* of four columns */
    } cells[] = {
        {"\x9B\x9B", "??  "}, {"\xC2\x9Bhello", "?hel"}, {"\xE2\x82\xAC", "\xE2\x82\xAC   "}};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        char *written = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&written, &size);
        assert_non_null(out);
        base_plain_cell(out, cells[i].text, 4);
        assert_int_equal(fclose(out), 0);
        assert_string_equal(written, cells[i].cell);
        free(written);
    }
}

static void messages_for_a_terminal(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof plain_cases / sizeof *plain_cases; i++) {
        int ends[2];
        char text[400] = "";
        char expected[400];
        assert_int_equal(pipe(ends), 0);
        const struct base_diag_sink sink = base_diag_descriptor_sink(&ends[1]);
        base_report(&sink, BASE_ERROR, (struct base_place){plain_cases[i].text, 1, 2},
                    plain_cases[i].text, "%s", plain_cases[i].text);
        const char *plain = plain_cases[i].plain;
        (void)snprintf(expected, sizeof expected, "%s:1:2: error: %s; %s\n", plain, plain, plain);
        assert_true(read(ends[0], text, sizeof text - 1) > 0);
        (void)close(ends[0]);
        (void)close(ends[1]);
        assert_string_equal(text, expected);
    }
}

static void numbers(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *json;
    } cases[] = {
        {0, "0.000"},
        {-0.0, "0.000"},
        {1.5, "1.500"},
        {0.0004, "0.000"},
        {0.0006, "0.001"},
        {-2.25, "-2.250"},
        {-0.0001, "0.000"},
        {999.9999, "1000.000"},
        {1e300, "1000000000000.000"},
        {INFINITY, "1000000000000.000"},
        {-INFINITY, "-1000000000000.000"},
        {NAN, "null"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *written = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&written, &size);
        assert_non_null(out);
        base_json_number(out, cases[i].value);
        base_json_bool(out, i == 0);
        assert_int_equal(fclose(out), 0);
        const size_t length = strlen(cases[i].json);
        assert_memory_equal(written, cases[i].json, length);
        assert_string_equal(written + length, i == 0 ? "true" : "false");
        free(written);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings), cmocka_unit_test(texts_for_a_terminal),
        cmocka_unit_test(messages_for_a_terminal), cmocka_unit_test(numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
