#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/io/process.h"
#include "base/os/print.h"
#include "base/text.h"

static void only_what_was_kept_is_heard(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const int before = dup(STDERR_FILENO);
    assert_int_equal(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);

    int kept = app_quiet_keep();
    const struct base_diag_sink sink = base_diag_descriptor_sink(&kept);
    const int token = app_quiet_begin();
    const int flags[2] = {fcntl(kept, F_GETFD), fcntl(token, F_GETFD)};
    (void)fprintf(stderr, "chatter\n");
    base_report(&sink, BASE_NOTE, (struct base_place){0}, NULL, "kept");
    base_report(&base_diag_stderr, BASE_NOTE, (struct base_place){0}, NULL, "lost");
    app_quiet_end(token);
    base_report(&base_diag_stderr, BASE_NOTE, (struct base_place){0}, NULL, "back");

    (void)dup2(before, STDERR_FILENO);
    (void)close(before);
    (void)close(kept);
    (void)close(ends[1]);
    char text[200] = "";
    assert_true(read(ends[0], text, sizeof text - 1) > 0);
    (void)close(ends[0]);
    assert_string_equal(text, "froth: note: kept\nfroth: note: back\n");
    assert_true((flags[0] & FD_CLOEXEC) != 0 && (flags[1] & FD_CLOEXEC) != 0);
}

static void what_libraries_print_becomes_messages(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const int before = dup(STDERR_FILENO);
    assert_int_equal(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);
    struct base_diag_list list = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&list);
    struct app_overheard *overheard = app_overheard_begin(&sink);
    assert_non_null(overheard);
    (void)fprintf(stderr, "Fontconfig error: no fonts\n");
    for (int i = 0; i < 3000; i++) {
        (void)fprintf(stderr, "%d\x1B[2J and more, of which there is too much\n", i);
    }
    app_overheard_end(overheard);
    (void)fprintf(stderr, "after");
    (void)dup2(before, STDERR_FILENO);
    (void)close(before);
    (void)close(ends[1]);
    char text[200] = "";
    assert_int_equal(read(ends[0], text, sizeof text - 1), 5);
    (void)close(ends[0]);
    assert_string_equal(text, "after");
    assert_int_equal(list.count, 20);
    assert_int_equal(list.by_severity[BASE_NOTE], 20);
    assert_string_equal(list.items[0].what, "a library says: Fontconfig error: no fonts");
    assert_non_null(strstr(list.items[19].hint, "not shown"));
}

/* As a server of sound or messages may, which a library has started. */
static void a_program_that_keeps_standard_error_is_not_waited_for(void **state)
{
    (void)state;
    enum { PATIENCE = 30 };
    struct base_diag_list list = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&list);
    struct app_overheard *overheard = app_overheard_begin(&sink);
    assert_non_null(overheard);
    const pid_t id = fork();
    if (id == 0) {
        (void)alarm(2 * PATIENCE);
        (void)pause();
        _exit(0);
    }
    (void)alarm(PATIENCE);
    (void)fprintf(stderr, "one\ntwo");
    app_overheard_end(overheard);
    (void)alarm(0);
    (void)kill(id, SIGKILL);
    assert_int_equal(waitpid(id, NULL, 0), id);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.items[1].what, "a library says: two");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_was_kept_is_heard),
        cmocka_unit_test(what_libraries_print_becomes_messages),
        cmocka_unit_test(a_program_that_keeps_standard_error_is_not_waited_for)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
