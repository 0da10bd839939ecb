#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/text.h"

static void distances(void **state)
{
    static const struct {
        const char *a;
        const char *b;
        size_t distance;
    } cases[] = {
        {"", "", 0},
        {"a", "", 1},
        {"", "abc", 3},
        {"kitten", "sitting", 3},
        {"--size", "--seize", 1},
        {"ab", "ba", 1},
        {"lenght", "length", 1},
        {"abc", "ca", 3},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(base_distance(cases[i].a, cases[i].b), cases[i].distance);
    }
    char text[101];
    memset(text, 'x', sizeof text);
    text[100] = '\0';
    assert_true(base_distance(text, text + 1) > 31);
    assert_true(base_distance("", text) > 31);
}

static void the_closest_is_kept(void **state)
{
    static const char *const names[] = {"zoom", "boom", "room", "cut"};
    static const struct {
        const char *word;
        const char *hint;
    } cases[] = {
        {"zom", "did you mean zoom?"},
        {"rom", "did you mean room?"},
        {"bloom", "did you mean boom?"},
        {"cutting", "none"},
        {"c", "did you mean cut?"},
        {"", "none"},
        {"xyz", "none"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct base_closest closest = {0};
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
            base_closest_try(&closest, cases[i].word, names[k]);
        }
        char hint[40];
        base_closest_hint(&closest, "none", hint, sizeof hint);
        assert_string_equal(hint, cases[i].hint);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances),
        cmocka_unit_test(the_closest_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
