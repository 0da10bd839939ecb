#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/os/print.h"
#include "base/text.h"

struct row {
    enum base_severity severity;
    struct base_place place;
    const char *hint;
    const char *line;
};

static const struct row rows[] = {
    {BASE_ERROR, {"a.milk", 3, 7}, "try 5", "a.milk:3:7: error: 12 is too much; try 5"},
    {BASE_WARNING, {"a.milk", 3, 7}, NULL, "a.milk:3:7: warning: 12 is too much"},
    {BASE_NOTE, {"a.milk", 0, 0}, NULL, "a.milk: note: 12 is too much"},
    {BASE_DEBUG, {"a.milk", 0, 0}, NULL, "a.milk: debug: 12 is too much"},
    {BASE_ERROR, {NULL, 0, 0}, "try 5", "froth: error: 12 is too much; try 5"},
};

static void test_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct base_diag_list list = {0};
        const struct base_diag_sink sink = base_diag_list_sink(&list);
        base_report(&sink, rows[i].severity, rows[i].place, rows[i].hint, "%d is too %s", 12,
                    "much");
        assert_int_equal(list.count, 1);
        char line[256];
        assert_int_equal(base_diag_format(&list.items[0], line, sizeof line), strlen(rows[i].line));
        assert_string_equal(line, rows[i].line);
    }
}

static void test_long_texts_are_cut(void **state)
{
    (void)state;
    char text[2000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    struct base_diag_list list = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&list);
    base_report(&sink, BASE_ERROR, (struct base_place){text, 1, 1}, text, "%s", text);
    assert_int_equal(strlen(list.items[0].what), sizeof list.items[0].what - 1);
    assert_int_equal(strlen(list.items[0].hint), sizeof list.items[0].hint - 1);
    for (size_t size = 1; size < 2300; size += 11) {
        char line[2400];
        memset(line, '#', sizeof line);
        const size_t length = base_diag_format(&list.items[0], line, size);
        assert_true(length < size);
        assert_int_equal(strlen(line), length);
        assert_int_equal(line[size], '#');
    }
}

static void test_list_counts_what_it_does_not_keep(void **state)
{
    (void)state;
    struct base_diag_list list = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&list);
    for (int i = 0; i < 100; i++) {
        base_report(&sink, i % 4 == 0 ? BASE_ERROR : BASE_WARNING, (struct base_place){0}, NULL,
                    "number %d", i);
    }
    assert_int_equal(list.count, BASE_DIAG_LIST_MAX);
    assert_int_equal(list.by_severity[BASE_ERROR], 25);
    assert_int_equal(list.by_severity[BASE_WARNING], 75);
    assert_string_equal(list.items[31].what, "number 31");
}

static void test_controls_do_not_reach_the_terminal(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    const int kept = dup(STDERR_FILENO);
    assert_true(kept >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){.file = "a\33[31m\x7f\xc3\xa9"},
                "x\ny", "%s", "b\tc\r");
    (void)dup2(kept, STDERR_FILENO);
    (void)close(kept);
    char line[100] = "";
    rewind(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "a?[31m?\xc3\xa9: error: b?c?; x?y\n");
    (void)fclose(file);
}

static void test_no_sink(void **state)
{
    (void)state;
    const struct base_diag_sink nobody = {NULL, NULL};
    base_report(NULL, BASE_ERROR, (struct base_place){0}, NULL, "unheard");
    base_report(&nobody, BASE_ERROR, (struct base_place){0}, NULL, "unheard");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_long_texts_are_cut),
        cmocka_unit_test(test_list_counts_what_it_does_not_keep),
        cmocka_unit_test(test_controls_do_not_reach_the_terminal),
        cmocka_unit_test(test_no_sink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
