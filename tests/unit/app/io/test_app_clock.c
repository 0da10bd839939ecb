#define _GNU_SOURCE /* syscall */

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/os/thread.h"

/* What a thread has had of a processor, as this test says: what the system charges to one that
 * sleeps on a busy machine is the system's business. */
static const struct timespec had = {5, 250000000};

/* The last sleep that was asked for. */
static struct {
    int count;
    clockid_t clock;
    int flags;
    double until;
} asleep;

/* The time of day is a day ahead, as if the clock were set back while something waits. */
int clock_gettime(clockid_t id, struct timespec *time)
{
    if (id == CLOCK_THREAD_CPUTIME_ID) {
        *time = had;
        return 0;
    }
    const long status = syscall(SYS_clock_gettime, id, time);
    if (id == CLOCK_REALTIME) {
        time->tv_sec += 24 * 60 * 60;
    }
    return (int)status;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
    asleep.count++;
    asleep.clock = clock;
    asleep.flags = flags;
    asleep.until = (double)time->tv_sec + (double)time->tv_nsec * 1e-9;
    return (int)syscall(SYS_clock_nanosleep, clock, flags, time, left);
}

static void time_goes_on(void **state)
{
    (void)state;
    const double before = base_clock_seconds();
    base_clock_sleep_until(before + 0.25);
    assert_true(base_clock_seconds() - before >= 0.25);
    assert_int_equal(asleep.count, 1);
    assert_int_equal(asleep.clock, CLOCK_MONOTONIC);
    assert_int_equal(asleep.flags, TIMER_ABSTIME);
    assert_true(fabs(asleep.until - (before + 0.25)) < 1e-6);
}

static void a_thread_is_charged_for_what_it_had(void **state)
{
    (void)state;
    assert_true(fabs(base_clock_busy() - 5.25) < 1e-9);
}

static void a_semaphore_is_waited_for_no_longer_than_said(void **state)
{
    (void)state;
    sem_t semaphore;
    assert_int_equal(sem_init(&semaphore, 0, 1), 0);
    const double before = base_clock_seconds();
    base_clock_wait(&semaphore, 1000);
    assert_true(base_clock_seconds() - before < 10);
    base_clock_wait(&semaphore, 0.95);
    const double waited = base_clock_seconds() - before;
    assert_true(waited >= 0.95 && waited < 60);
    assert_int_equal(sem_destroy(&semaphore), 0);
}

static void a_condition_is_waited_for_no_longer_than_said(void **state)
{
    (void)state;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition;
    base_clock_condition_init(&condition);
    assert_int_equal(pthread_mutex_lock(&mutex), 0);
    const double before = base_clock_seconds();
    while (base_clock_wait_until(&condition, &mutex, before + 0.05)) {
    }
    const double waited = base_clock_seconds() - before;
    assert_true(waited >= 0.05 && waited < 60);
    assert_int_equal(pthread_mutex_unlock(&mutex), 0);
    assert_int_equal(pthread_cond_destroy(&condition), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_goes_on),
        cmocka_unit_test(a_thread_is_charged_for_what_it_had),
        cmocka_unit_test(a_semaphore_is_waited_for_no_longer_than_said),
        cmocka_unit_test(a_condition_is_waited_for_no_longer_than_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
