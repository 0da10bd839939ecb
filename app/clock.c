#include "app/clock.h"

#include <time.h>

static double seconds_of(clockid_t clock)
{
    struct timespec time = {0};
    (void)clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

double app_clock_seconds(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double app_clock_busy(void)
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}
