#include "base/thread.h"

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS_MAX = 64, OPEN = 1 << 16, LOOKS = 4000 };

/* A run is open while the caller works at it. Workers that wake up in time join it; the caller
 * waits for those who did, and for nobody else. */
struct base_pool {
    pthread_t workers[THREADS_MAX];
    size_t worker_count;
    sem_t start; /* posted for each worker of a run; one that comes too late finds it closed */
    sem_t done;  /* posted by the last worker that leaves a closed run */
    atomic_uint state; /* OPEN, and how many workers are in the run */
    atomic_bool quit;
    base_job job;
    void *user;
    size_t count;
    atomic_size_t next;
};

static void work(struct base_pool *pool)
{
    const base_job job = pool->job;
    void *user = pool->user;
    const size_t count = pool->count;
    for (;;) {
        const size_t index = atomic_fetch_add(&pool->next, 1);
        if (index >= count) {
            return;
        }
        job(user, index);
    }
}

static bool join(struct base_pool *pool)
{
    unsigned state = atomic_load(&pool->state);
    while ((state & OPEN) != 0) {
        if (atomic_compare_exchange_weak(&pool->state, &state, state + 1)) {
            return true;
        }
    }
    return false;
}

static void leave(struct base_pool *pool)
{
    if (atomic_fetch_sub(&pool->state, 1) == 1) {
        (void)sem_post(&pool->done);
    }
}

static void wait_for(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0) {
    }
}

/* Runs of one frame follow each other closely: to look again for some microseconds is cheaper than
 * to fall asleep and be woken. */
static void wait_for_run(struct base_pool *pool)
{
    for (int i = 0; i < LOOKS; i++) {
        if (sem_trywait(&pool->start) == 0) {
            return;
        }
    }
    wait_for(&pool->start);
}

static void *worker_main(void *argument)
{
    struct base_pool *pool = argument;
    for (;;) {
        wait_for_run(pool);
        if (atomic_load(&pool->quit)) {
            return NULL;
        }
        if (join(pool)) {
            work(pool);
            leave(pool);
        }
    }
}

struct base_pool *base_pool_create(size_t threads)
{
    assert(threads >= 1 && threads <= THREADS_MAX);
    struct base_pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL) {
        return NULL;
    }
    (void)sem_init(&pool->start, 0, 0);
    (void)sem_init(&pool->done, 0, 0);
    while (pool->worker_count + 1 < threads) {
        if (pthread_create(&pool->workers[pool->worker_count], NULL, worker_main, pool) != 0) {
            base_pool_destroy(pool);
            return NULL;
        }
        pool->worker_count++;
    }
    return pool;
}

static void wake_workers(struct base_pool *pool)
{
    for (size_t i = 0; i < pool->worker_count; i++) {
        (void)sem_post(&pool->start);
    }
}

void base_pool_destroy(struct base_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    atomic_store(&pool->quit, true);
    wake_workers(pool);
    for (size_t i = 0; i < pool->worker_count; i++) {
        (void)pthread_join(pool->workers[i], NULL);
    }
    (void)sem_destroy(&pool->done);
    (void)sem_destroy(&pool->start);
    free(pool);
}

size_t base_pool_threads(const struct base_pool *pool)
{
    return pool == NULL ? 1 : pool->worker_count + 1;
}

void base_pool_run(struct base_pool *pool, base_job job, void *user, size_t count)
{
    if (pool == NULL || pool->worker_count == 0 || count < 2) {
        for (size_t i = 0; i < count; i++) {
            job(user, i);
        }
        return;
    }
    pool->job = job;
    pool->user = user;
    pool->count = count;
    atomic_store(&pool->next, 0);
    atomic_store(&pool->state, OPEN);
    wake_workers(pool);
    work(pool);
    if (atomic_fetch_and(&pool->state, ~(unsigned)OPEN) != OPEN) {
        wait_for(&pool->done);
    }
}

size_t base_processor_count(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (size_t)count;
}
