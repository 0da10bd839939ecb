#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/os/late.h"

typedef double (*function)(double);

static void a_library_that_is_there_is_loaded_once(void **state)
{
    (void)state;
    function cosine = (function)base_late_unloaded;
    const struct base_late_call calls[] = {{"cos", &cosine}};
    struct base_late late = {"libm.so.6", "", calls, 1, false};
    assert_null(base_late_load(&late));
    assert_true(cosine(0) == 1);
    cosine = NULL;
    assert_null(base_late_load(&late));
    assert_null(cosine);
}

static void one_that_is_missing_is_named_with_its_package(void **state)
{
    (void)state;
    function cosine = NULL;
    const struct base_late_call calls[] = {{"cos", &cosine}};
    struct base_late late = {"libnowhere.so.3", "libnowhere3", calls, 1, false};
    for (int i = 0; i < 2; i++) {
        assert_string_equal(base_late_load(&late), "libnowhere.so.3 cannot be loaded "
                                                   "(Debian: apt install libnowhere3)");
    }
    late.package = "";
    assert_string_equal(base_late_load(&late), "libnowhere.so.3 cannot be loaded");
    assert_null(cosine);
}

static void one_that_lacks_a_function_is_another_version(void **state)
{
    (void)state;
    function cosine = NULL;
    function strange = NULL;
    const struct base_late_call calls[] = {{"cos", &cosine}, {"no_such_function", &strange}};
    struct base_late late = {"libm.so.6", "", calls, 2, false};
    assert_string_equal(base_late_load(&late), "libm.so.6 is of another version");
    late.call_count = 1;
    assert_null(base_late_load(&late));
    assert_true(cosine(0) == 1);
}

static void a_call_before_that_ends_the_program(void **state)
{
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        (void)close(STDERR_FILENO);
        (void)signal(SIGABRT, SIG_DFL);
        base_late_unloaded();
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_library_that_is_there_is_loaded_once),
        cmocka_unit_test(one_that_is_missing_is_named_with_its_package),
        cmocka_unit_test(one_that_lacks_a_function_is_another_version),
        cmocka_unit_test(a_call_before_that_ends_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
