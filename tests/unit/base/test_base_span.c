#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"

struct row {
    const char *a;
    const char *b;
    bool equal;
    bool equal_nocase;
};

static const struct row rows[] = {
    {"", "", true, true},           {"a", "a", true, true},          {"a", "A", false, true},
    {"Zoom", "zOOM", false, true},  {"zoom", "zoo", false, false},   {"zoo", "zoom", false, false},
    {"a", "", false, false},        {"[", "{", false, false},        {"@", "`", false, false},
    {"\xc4", "\xe4", false, false}, {"per_1", "PER_1", false, true},
};

static void test_equal(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct base_span a = base_span_of(rows[i].a);
        const struct base_span b = base_span_of(rows[i].b);
        assert_int_equal(base_span_equal(a, b), rows[i].equal);
        assert_int_equal(base_span_equal_nocase(a, b), rows[i].equal_nocase);
        assert_int_equal(base_span_equal_nocase(b, a), rows[i].equal_nocase);
    }
}

static void test_bytes_behind_do_not_count(void **state)
{
    (void)state;
    const struct base_span a = {"abX", 2};
    const struct base_span b = {"abY", 2};
    const struct base_span nothing = {NULL, 0};
    assert_true(base_span_equal(a, b));
    assert_true(base_span_equal_nocase(a, b));
    assert_true(base_span_equal(nothing, base_span_of("")));
    assert_true(base_span_equal_nocase(nothing, nothing));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal),
        cmocka_unit_test(test_bytes_behind_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
