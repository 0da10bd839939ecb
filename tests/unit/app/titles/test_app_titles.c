#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "app/titles/players.h"

static void addresses_of_files_are_paths(void **state)
{
    static const struct {
        const char *address;
        const char *path; /* NULL: none */
    } cases[] = {
        {"file:///tmp/cover.jpg", "/tmp/cover.jpg"},
        {"file://localhost/tmp/cover.jpg", "/tmp/cover.jpg"},
        {"file:///M%C3%BCsik/a%20b%2Ejpg", "/M\xC3\xBCsik/a b.jpg"},
        {"file:///", "/"},
        {"file://", NULL},
        {"file://elsewhere/cover.jpg", NULL},
        {"file:///a%", NULL},
        {"file:///a%2", NULL},
        {"file:///a%zz", NULL},
        {"file:///a%00b", NULL},
        {"https://example.org/cover.jpg", NULL},
        {"data:image/png;base64,AAAA", NULL},
        {"/tmp/cover.jpg", NULL},
        {"", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[64];
        assert_int_equal(app_players_path_of(cases[i].address, path, sizeof path),
                         cases[i].path != NULL);
        if (cases[i].path != NULL) {
            assert_string_equal(path, cases[i].path);
        }
    }
}

static void long_ones_do_not_fit(void **state)
{
    char path[8];
    (void)state;
    assert_true(app_players_path_of("file:///123456", path, sizeof path));
    assert_string_equal(path, "/123456");
    assert_false(app_players_path_of("file:///1234567", path, sizeof path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_of_files_are_paths),
        cmocka_unit_test(long_ones_do_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
