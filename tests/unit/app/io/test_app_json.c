#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os/json.h"

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
    const struct CMUnitTest tests[] = {cmocka_unit_test(strings), cmocka_unit_test(numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
