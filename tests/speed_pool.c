/* What a run of a pool costs besides its jobs: speed_pool [THREADS...]
 * For each number of threads, runs of as many equal jobs one after the other: the time of a run
 * less that of a job, in microseconds: right after the last one, after the caller worked alone for
 * as long as it hears music, both while the workers still look for work, and after a pause in which
 * they fall asleep. */
#include <stdio.h>
#include <stdlib.h>

#include "base/os/thread.h"

enum { RUNS = 2000, WORK = 8000 };

static const double hearing = 20e-6;
static const double sleeping = 1e-3;

struct cell {
    _Alignas(64) volatile unsigned number;
};

static struct cell cells[BASE_POOL_THREADS_MAX];

static void work(void *user, size_t index)
{
    (void)user;
    unsigned number = cells[index].number;
    for (int i = 0; i < WORK; i++) {
        number = number * 1664525 + 1013904223;
        __asm__ volatile("" : "+r"(number));
    }
    cells[index].number = number;
}

static int compare_numbers(const void *a, const void *b)
{
    const double left = *(const double *)a;
    const double right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Microseconds of the median run. */
static double time_runs(struct base_pool *pool, size_t jobs, double pause)
{
    static double took[RUNS];
    const int runs = pause > hearing ? RUNS / 8 : RUNS;
    for (int i = 0; i < runs; i++) {
        const double until = base_clock_seconds() + pause;
        if (pause > hearing) {
            base_clock_sleep_until(until);
        }
        while (base_clock_seconds() < until) {
        }
        const double begun = base_clock_seconds();
        base_pool_run(pool, work, NULL, jobs);
        took[i] = 1e6 * (base_clock_seconds() - begun);
    }
    qsort(took, (size_t)runs, sizeof *took, compare_numbers);
    return took[runs / 2];
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {"", "2", "4", "8", "16", NULL};
    const char *const *threads = argc > 1 ? (const char *const *)argv : usual;
    printf("%8s %8s %8s %8s %8s\n", "threads", "job us", "at once", "soon", "asleep");
    while (*++threads != NULL) {
        const size_t count = strtoul(*threads, NULL, 10);
        if (count < 1 || count > BASE_POOL_THREADS_MAX) {
            (void)fprintf(stderr, "usage: speed_pool [THREADS...]\n");
            return 2;
        }
        struct base_pool *pool = base_pool_create(count);
        if (pool == NULL) {
            return 1;
        }
        const double job = time_runs(NULL, 1, 0);
        const double at_once = time_runs(pool, count, 0) - job;
        const double soon = time_runs(pool, count, hearing) - job;
        const double asleep = time_runs(pool, count, sleeping) - job;
        printf("%8zu %8.2f %8.2f %8.2f %8.2f\n", count, job, at_once, soon, asleep);
        base_pool_destroy(pool);
    }
    return 0;
}
