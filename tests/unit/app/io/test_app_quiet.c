#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/io/process.h"
#include "base/diag.h"
#include "base/os/logger.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_what_was_kept_is_heard)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
