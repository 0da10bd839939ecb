#define _GNU_SOURCE /* sem_clockwait */

#include "base/os/clock.h"

#include <time.h>

static double seconds_of(clockid_t clock)
{
    struct timespec time = {0};
    (void)clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

double base_clock_seconds(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double base_clock_busy(void)
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

static struct timespec timespec_of(double seconds)
{
    struct timespec time = {.tv_sec = (time_t)seconds};
    time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
    return time;
}

void base_clock_sleep_until(double seconds)
{
    const struct timespec until = timespec_of(seconds);
    (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

void base_clock_wait(sem_t *semaphore, double seconds)
{
    const struct timespec until = timespec_of(base_clock_seconds() + seconds);
    (void)sem_clockwait(semaphore, CLOCK_MONOTONIC, &until);
}

void base_clock_condition_init(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(condition, &attributes);
    (void)pthread_condattr_destroy(&attributes);
}

bool base_clock_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, double seconds)
{
    const struct timespec until = timespec_of(seconds);
    return pthread_cond_timedwait(condition, mutex, &until) == 0;
}
