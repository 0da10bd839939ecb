#define _DEFAULT_SOURCE /* usleep, dprintf */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#undef NDEBUG /* one of these is to fail */
#include <assert.h>

#include "base/os/print.h"
#include "base/os/quiet.h"
#include "base/text.h"

static void only_what_was_kept_is_heard(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const int before = dup(STDERR_FILENO);
    assert_int_equal(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);

    int kept = base_quiet_keep();
    const struct base_diag_sink sink = base_diag_descriptor_sink(&kept);
    const int token = base_quiet_begin();
    const int flags[2] = {fcntl(kept, F_GETFD), fcntl(token, F_GETFD)};
    (void)fprintf(stderr, "chatter\n");
    base_report(&sink, BASE_NOTE, (struct base_place){0}, NULL, "kept");
    base_report(&base_diag_stderr, BASE_NOTE, (struct base_place){0}, NULL, "lost");
    base_quiet_end(token);
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
    struct base_overheard *overheard = base_overheard_begin(&sink);
    assert_non_null(overheard);
    (void)fprintf(stderr, "Fontconfig error: no fonts\n");
    for (int i = 0; i < 3000; i++) {
        (void)fprintf(stderr, "%d\x1B[2J and more, of which there is too much\n", i);
    }
    base_overheard_end(overheard);
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
    struct base_overheard *overheard = base_overheard_begin(&sink);
    assert_non_null(overheard);
    const pid_t id = fork();
    if (id == 0) {
        (void)alarm(2 * PATIENCE);
        (void)pause();
        _exit(0);
    }
    (void)alarm(PATIENCE);
    (void)fprintf(stderr, "one\ntwo");
    base_overheard_end(overheard);
    (void)alarm(0);
    (void)kill(id, SIGKILL);
    assert_int_equal(waitpid(id, NULL, 0), id);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.items[1].what, "a library says: two");
}

/* ---- last words ---- */

static void say_and_abort(void)
{
    (void)fprintf(stderr, "the last words\n");
    abort();
}

static void say_without_end_and_abort(void)
{
    (void)fprintf(stderr, "the last words");
    abort();
}

static void fail_an_assertion(void)
{
    const char *volatile words = "";
    assert(words[0] != '\0' && "the last words");
}

static void say_and_be_killed(void)
{
    (void)fprintf(stderr, "the last words\n");
    (void)raise(SIGSEGV);
}

static void read_nowhere(void)
{
    volatile int *volatile nowhere = (volatile int *)(uintptr_t)64;
    (void)fprintf(stderr, "the last words\n");
    (void)*nowhere;
}

static void *crash_apart(void *user)
{
    (void)user;
    read_nowhere();
    return NULL;
}

static void crash_in_a_thread(void)
{
    pthread_t thread;
    assert(pthread_create(&thread, NULL, crash_apart, NULL) == 0);
    (void)pthread_join(thread, NULL);
}

/* More than is told of libraries, and more than fits into the pipe at once. */
static void say_much_and_abort(void)
{
    for (int i = 0; i < 3000; i++) {
        (void)fprintf(stderr, "line %d of those that come before the end\n", i);
        (void)usleep(i % 100 == 0 ? 1000 : 0);
    }
    (void)usleep(100000);
    say_and_abort();
}

#if defined(__SANITIZE_ADDRESS__)
static void read_behind_the_end(void)
{
    volatile char *volatile bytes = malloc(10);
    volatile int at = 10;
    (void)bytes[at];
}

static void shift_too_far(void)
{
    volatile int far = 99;
    volatile int number = 1 << far;
    (void)number;
}
#endif

/* What crashes do without cmocka, which catches them. */
static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { CRASHES = sizeof crashes / sizeof *crashes };
static struct sigaction usual[CRASHES];

static void take_forever(void *user, const struct base_diag *diag)
{
    (void)user;
    (void)diag;
    (void)pause();
}

static void print_diag(void *user, const struct base_diag *diag)
{
    (void)dprintf(*(int *)user, "%s\n", diag->what);
}

/* What is read from a process that listens, and crashes. *status: as waitpid has it. */
static void hear_crash(void (*crash)(void), bool stuck, char *text, size_t size, int *status)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t id = fork();
    if (id == 0) {
        (void)setrlimit(RLIMIT_CORE, &(const struct rlimit){0, 0});
        (void)alarm(30);
        for (size_t i = 0; i < CRASHES; i++) {
            (void)sigaction(crashes[i], &usual[i], NULL);
        }
        (void)dup2(ends[1], STDERR_FILENO);
        const struct base_diag_sink sink = {stuck ? take_forever : print_diag, &ends[1]};
        (void)base_overheard_begin(&sink);
        if (stuck) {
            (void)fprintf(stderr, "one\n");
            (void)usleep(100000);
        }
        crash();
        _exit(0);
    }
    (void)close(ends[1]);
    size_t used = 0;
    ssize_t got = 0;
    while ((got = read(ends[0], text + used, size - 1 - used)) > 0) {
        used += (size_t)got;
    }
    text[used] = '\0';
    (void)close(ends[0]);
    assert_int_equal(waitpid(id, status, 0), id);
}

static void last_words_are_heard(void **state)
{
    (void)state;
    /* A sanitizer says what it is, and ends the process in its way. */
    enum {
        ANY = -1,
#if defined(__SANITIZE_ADDRESS__)
        SEGV = ANY,
#else
        SEGV = SIGSEGV,
#endif
    };
    static const struct {
        void (*crash)(void);
        int signal;
        const char *words;
    } cases[] = {
        {say_and_abort, SIGABRT, "the last words\n"},
        {say_without_end_and_abort, SIGABRT, "the last words"},
        {fail_an_assertion, SIGABRT, "the last words"},
        {say_and_be_killed, SEGV, "the last words\n"},
        {read_nowhere, SEGV, "the last words\n"},
        {crash_in_a_thread, SEGV, "the last words\n"},
        {say_much_and_abort, SIGABRT, "the last words\n"},
#if defined(__SANITIZE_ADDRESS__)
        {read_nowhere, ANY, "AddressSanitizer"},
        {crash_in_a_thread, ANY, "AddressSanitizer"},
        {read_behind_the_end, ANY, "heap-buffer-overflow"},
        {shift_too_far, ANY, "runtime error"},
#else
        {read_nowhere, SIGSEGV, "froth crashes: SIGSEGV\n"},
#endif
    };
    static char text[1 << 20];
    for (size_t i = 0; i < 2 * (sizeof cases / sizeof *cases); i++) {
        int status = 0;
        /* Also where the thread that listens is stuck, as it is behind the lock of one that
         * crashes; the pipe has room for what is said meanwhile, if that is not too much. */
        const bool stuck = i % 2 == 1 && cases[i / 2].crash != say_much_and_abort;
        hear_crash(cases[i / 2].crash, stuck, text, sizeof text, &status);
        if (strstr(text, cases[i / 2].words) == NULL) {
            fail_msg("case %zu: '%s' does not say '%s'", i, text, cases[i / 2].words);
        }
        if (cases[i / 2].signal != ANY) {
            assert_true(WIFSIGNALED(status));
            assert_int_equal(WTERMSIG(status), cases[i / 2].signal);
        }
        assert_true(status != 0);
    }
}

int main(void)
{
    for (size_t i = 0; i < CRASHES; i++) {
        (void)sigaction(crashes[i], NULL, &usual[i]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_was_kept_is_heard), cmocka_unit_test(last_words_are_heard),
        cmocka_unit_test(what_libraries_print_becomes_messages),
        cmocka_unit_test(a_program_that_keeps_standard_error_is_not_waited_for)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
