#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app/check/supervise.h"

static void write_text(int out, const char *text)
{
    const size_t size = strlen(text);
    if (write(out, text, size) != (ssize_t)size) {
        _exit(99);
    }
}

static void say_hello(int out)
{
    write_text(out, "hello");
}

static void exit_3(int out)
{
    write_text(out, "half");
    _exit(3);
}

static void crash(int out)
{
    write_text(out, "before");
    (void)signal(SIGSEGV, SIG_DFL);
    (void)raise(SIGSEGV);
}

static void hang(int out)
{
    write_text(out, "stuck");
    for (;;) {
        (void)pause();
    }
}

static void spin(int out)
{
    (void)out;
    for (volatile unsigned turn = 0;; turn++) {
    }
}

static void ignore_and_hang(int out)
{
    (void)close(out);
    for (int number = 1; number < 32; number++) {
        if (number != SIGKILL && number != SIGSTOP) {
            (void)signal(number, SIG_IGN);
        }
    }
    for (;;) {
        (void)pause();
    }
}

static void write_much(int out)
{
    char block[4096];
    memset(block, 'x', sizeof block);
    for (int i = 0; i < 1000; i++) {
        if (write(out, block, sizeof block) != (ssize_t)sizeof block) {
            _exit(98);
        }
    }
}

static void write_endlessly(int out)
{
    for (;;) {
        write_much(out);
    }
}

static void leave_a_child(int out)
{
    if (fork() == 0) {
        (void)sleep(2);
        _exit(0);
    }
    write_text(out, "parent");
}

static void print(int out)
{
    (void)printf("this goes nowhere\n");
    (void)fflush(stdout);
    write_text(out, "printed");
}

static const struct {
    void (*body)(int out);
    enum app_supervise_how how;
    int code;
    const char *data; /* NULL: not looked at */
    size_t size;
} cases[] = {
    {say_hello, APP_SUPERVISE_EXITED, 0, "hello", 5},
    {exit_3, APP_SUPERVISE_EXITED, 3, "half", 4},
    {crash, APP_SUPERVISE_SIGNALLED, SIGSEGV, "before", 6},
    {hang, APP_SUPERVISE_TIMED_OUT, SIGKILL, "stuck", 5},
    {spin, APP_SUPERVISE_TIMED_OUT, SIGKILL, "", 0},
    {ignore_and_hang, APP_SUPERVISE_TIMED_OUT, SIGKILL, "", 0},
    {write_much, APP_SUPERVISE_EXITED, 0, NULL, APP_SUPERVISE_OUTPUT_MAX},
    {write_endlessly, APP_SUPERVISE_TIMED_OUT, SIGKILL, NULL, APP_SUPERVISE_OUTPUT_MAX},
    {leave_a_child, APP_SUPERVISE_EXITED, 0, "parent", 6},
    {print, APP_SUPERVISE_EXITED, 0, "printed", 7},
    {say_hello, APP_SUPERVISE_EXITED, 0, "hello", 5},
};
enum { CASES = sizeof cases / sizeof cases[0] };

struct outcome {
    int times[CASES];
    int ended;
};

static void run_case(void *user, size_t index, int out)
{
    (void)user;
    cases[index].body(out);
}

static void case_ended(void *user, size_t index, const struct app_supervise_end *end)
{
    struct outcome *outcome = user;
    outcome->times[index]++;
    outcome->ended++;
    assert_int_equal(end->how, cases[index].how);
    assert_int_equal(end->code, cases[index].code);
    assert_int_equal(end->size, cases[index].size);
    if (cases[index].data != NULL && end->size > 0) {
        assert_memory_equal(end->data, cases[index].data, cases[index].size);
    }
}

static double seconds(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void check_all(size_t at_once, double most_seconds)
{
    struct outcome outcome = {.ended = 0};
    const struct app_supervise_plan plan = {
        .count = CASES,
        .at_once = at_once,
        .time_limit = 2,
        .user = &outcome,
        .body = run_case,
        .ended = case_ended,
    };
    const double start = seconds();
    assert_int_equal(app_supervise(&plan), 0);
    assert_true(seconds() - start < most_seconds);
    assert_int_equal(outcome.ended, CASES);
    for (size_t i = 0; i < CASES; i++) {
        assert_int_equal(outcome.times[i], 1);
    }
}

static void every_end_is_a_row(void **state)
{
    (void)state;
    check_all(2, 60);
    check_all(APP_SUPERVISE_JOBS_MAX, 60);
}

static void nothing_to_do(void **state)
{
    (void)state;
    const struct app_supervise_plan plan = {.count = 0, .at_once = 1, .time_limit = 1};
    assert_int_equal(app_supervise(&plan), 0);
}

static void count_end(void *user, size_t index, const struct app_supervise_end *end)
{
    int *count = user;
    (void)index;
    *count += end->how == APP_SUPERVISE_EXITED && end->code == 0;
}

static void quiet_body(void *user, size_t index, int out)
{
    (void)user;
    (void)index;
    (void)out;
}

static void many_jobs_leave_nothing_open(void **state)
{
    (void)state;
    const int before = dup(0);
    assert_true(before >= 0);
    (void)close(before);
    int count = 0;
    const struct app_supervise_plan plan = {
        .count = 200,
        .at_once = 8,
        .time_limit = 30,
        .user = &count,
        .body = quiet_body,
        .ended = count_end,
    };
    assert_int_equal(app_supervise(&plan), 0);
    assert_int_equal(count, 200);
    const int after = dup(0);
    assert_int_equal(after, before);
    (void)close(after);
}

static bool stop_after_the_first(void *user)
{
    return *(int *)user > 0;
}

static void hang_but_the_first(void *user, size_t index, int out)
{
    (void)user;
    if (index > 0) {
        hang(out);
    }
}

static void stopping_leaves_no_job(void **state)
{
    (void)state;
    int count = 0;
    const struct app_supervise_plan plan = {
        .count = 9,
        .at_once = 3,
        .time_limit = 60,
        .user = &count,
        .body = hang_but_the_first,
        .ended = count_end,
        .stop = stop_after_the_first,
    };
    const double start = seconds();
    assert_int_equal(app_supervise(&plan), 0);
    assert_true(seconds() - start < 20);
    assert_int_equal(count, 1);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void ends_are_seen_where_they_are_ignored(void **state)
{
    (void)state;
    (void)signal(SIGCHLD, SIG_IGN);
    int count = 0;
    const struct app_supervise_plan plan = {
        .count = 3,
        .at_once = 2,
        .time_limit = 30,
        .user = &count,
        .body = quiet_body,
        .ended = count_end,
    };
    assert_int_equal(app_supervise(&plan), 0);
    assert_int_equal(count, 3);
    assert_true(signal(SIGCHLD, SIG_DFL) == SIG_IGN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_end_is_a_row),
        cmocka_unit_test(nothing_to_do),
        cmocka_unit_test(many_jobs_leave_nothing_open),
        cmocka_unit_test(stopping_leaves_no_job),
        cmocka_unit_test(ends_are_seen_where_they_are_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
