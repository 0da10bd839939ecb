#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "base/os/thread.h"

enum { JOBS = 1000 };

struct work {
    atomic_int calls[JOBS];
};

static void count_call(void *user, size_t index)
{
    struct work *work = user;
    (void)atomic_fetch_add(&work->calls[index], 1);
}

static void check_runs(struct base_pool *pool)
{
    static const size_t counts[] = {0, 1, 2, 3, 64, JOBS};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (int round = 0; round < 20; round++) {
            struct work work;
            for (size_t j = 0; j < JOBS; j++) {
                atomic_init(&work.calls[j], 0);
            }
            base_pool_run(pool, count_call, &work, counts[i]);
            for (size_t j = 0; j < JOBS; j++) {
                assert_int_equal(atomic_load(&work.calls[j]), j < counts[i] ? 1 : 0);
            }
        }
    }
}

static void test_each_index_once(void **state)
{
    (void)state;
    static const size_t threads[] = {1, 2, 3, 8, 64};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        struct base_pool *pool = base_pool_create(threads[i]);
        assert_non_null(pool);
        assert_int_equal(base_pool_threads(pool), threads[i]);
        check_runs(pool);
        base_pool_destroy(pool);
    }
}

static void count_slowly(void *user, size_t index)
{
    const struct timespec pause = {0, 300000};
    (void)nanosleep(&pause, NULL);
    count_call(user, index);
}

/* A run is over when its last job is, also behind a run that was too short for the workers. */
static void test_waits_for_slow_jobs(void **state)
{
    (void)state;
    static struct work work[2];
    struct base_pool *pool = base_pool_create(4);
    assert_non_null(pool);
    for (int round = 1; round <= 200; round++) {
        base_pool_run(pool, count_call, &work[0], 2);
        base_pool_run(pool, count_slowly, &work[1], 6);
        for (size_t j = 0; j < 6; j++) {
            assert_int_equal(atomic_load(&work[0].calls[j]), j < 2 ? round : 0);
            assert_int_equal(atomic_load(&work[1].calls[j]), round);
        }
    }
    base_pool_destroy(pool);
}

/* Who is awake wakes two others, until all are: each job waits for all of them. */
static void meet(void *user, size_t index)
{
    struct work *work = user;
    const struct timespec pause = {0, 100000};
    (void)atomic_fetch_add(&work->calls[0], 1);
    for (int i = 0; i < 300000 && atomic_load(&work->calls[0]) < atomic_load(&work->calls[1]);
         i++) {
        (void)nanosleep(&pause, NULL);
    }
    count_call(user, index + 2);
}

static void test_all_are_woken(void **state)
{
    (void)state;
    static const size_t threads[] = {2, 3, 8, 20};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        struct base_pool *pool = base_pool_create(threads[i]);
        assert_non_null(pool);
        for (int round = 0; round < 100; round++) {
            /* Some are asleep by then, some about to be, some awake. */
            const struct timespec pause = {0, round % 5 * 25000};
            static struct work work;
            (void)nanosleep(&pause, NULL);
            atomic_store(&work.calls[0], 0);
            atomic_store(&work.calls[1], (int)threads[i]);
            base_pool_run(pool, meet, &work, threads[i]);
            assert_int_equal(atomic_load(&work.calls[0]), threads[i]);
        }
        base_pool_destroy(pool);
    }
}

static void count_beside(void *user)
{
    count_call(user, JOBS - 1);
}

static void test_work_beside(void **state)
{
    (void)state;
    static const size_t threads[] = {1, 2, 8};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        struct base_pool *pool = base_pool_create(threads[i]);
        for (int round = 0; round < 20; round++) {
            static struct work work;
            const struct base_beside beside = {count_beside, &work};
            memset(&work, 0, sizeof work);
            base_pool_run_beside(pool, &beside, count_call, &work, 0);
            base_pool_run_beside(pool, &beside, count_call, &work, 30);
            base_pool_run_beside(pool, NULL, count_call, &work, 30);
            for (size_t j = 0; j < JOBS; j++) {
                assert_int_equal(atomic_load(&work.calls[j]), j < 30 || j == JOBS - 1 ? 2 : 0);
            }
        }
        base_pool_destroy(pool);
    }
}

static void test_no_pool(void **state)
{
    (void)state;
    assert_int_equal(base_pool_threads(NULL), 1);
    check_runs(NULL);
    base_pool_destroy(NULL);
}

static void test_unused_pool(void **state)
{
    (void)state;
    base_pool_destroy(base_pool_create(4));
    assert_true(base_processor_count() >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_index_once), cmocka_unit_test(test_waits_for_slow_jobs),
        cmocka_unit_test(test_all_are_woken),   cmocka_unit_test(test_work_beside),
        cmocka_unit_test(test_no_pool),         cmocka_unit_test(test_unused_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
