#include "base/os/thread.h"

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS_MAX = 64, OPEN = 1 << 16, LOOKS = 4000, CACHE_LINE = 64 };

/* A part of a run's indices. Each thread begins with its own, which keeps what it touches in its
 * cache from run to run, and then helps with the others. */
struct share {
    alignas(CACHE_LINE) atomic_size_t next;
    size_t end;
};

struct worker {
    struct base_pool *pool;
    pthread_t thread;
    size_t share;
};

/* A run is open while the caller works at it. Workers that wake up in time join it; the caller
 * waits for those who did and for no others. */
struct base_pool {
    struct share shares[THREADS_MAX];
    struct worker workers[THREADS_MAX];
    size_t worker_count;
    sem_t start; /* posted for each worker of a run; one that comes too late finds it closed */
    sem_t done;  /* posted by the last worker that leaves a closed run */
    atomic_uint state; /* OPEN, and how many workers are in the run */
    atomic_bool quit;
    base_job job;
    void *user;
};

static void work(struct base_pool *pool, size_t own)
{
    const base_job job = pool->job;
    void *user = pool->user;
    const size_t shares = pool->worker_count + 1;
    for (size_t i = 0; i < shares; i++) {
        struct share *share = &pool->shares[(own + i) % shares];
        const size_t end = share->end;
        for (size_t at = atomic_fetch_add(&share->next, 1); at < end;
             at = atomic_fetch_add(&share->next, 1)) {
            job(user, at);
        }
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

/* Runs of one frame follow each other closely, and threads of one run end closely: to look again
 * for some microseconds is cheaper than to fall asleep and be woken. */
static void wait_soon(sem_t *semaphore)
{
    for (int i = 0; i < LOOKS; i++) {
        if (sem_trywait(semaphore) == 0) {
            return;
        }
    }
    while (sem_wait(semaphore) != 0) {
    }
}

static void *worker_main(void *argument)
{
    const struct worker *worker = argument;
    struct base_pool *pool = worker->pool;
    for (;;) {
        wait_soon(&pool->start);
        if (atomic_load(&pool->quit)) {
            return NULL;
        }
        if (join(pool)) {
            work(pool, worker->share);
            if (atomic_fetch_sub(&pool->state, 1) == 1) {
                (void)sem_post(&pool->done);
            }
        }
    }
}

struct base_pool *base_pool_create(size_t threads)
{
    assert(threads >= 1 && threads <= THREADS_MAX);
    struct base_pool *pool = aligned_alloc(alignof(struct base_pool), sizeof *pool);
    if (pool == NULL) {
        return NULL;
    }
    memset(pool, 0, sizeof *pool);
    (void)sem_init(&pool->start, 0, 0);
    (void)sem_init(&pool->done, 0, 0);
    while (pool->worker_count + 1 < threads) {
        struct worker *worker = &pool->workers[pool->worker_count];
        *worker = (struct worker){.pool = pool, .share = pool->worker_count + 1};
        if (pthread_create(&worker->thread, NULL, worker_main, worker) != 0) {
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
        (void)pthread_join(pool->workers[i].thread, NULL);
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
    const size_t shares = pool->worker_count + 1;
    for (size_t i = 0; i < shares; i++) {
        atomic_store(&pool->shares[i].next, count * i / shares);
        pool->shares[i].end = count * (i + 1) / shares;
    }
    atomic_store(&pool->state, OPEN);
    wake_workers(pool);
    work(pool, 0);
    if (atomic_fetch_and(&pool->state, ~(unsigned)OPEN) != OPEN) {
        wait_soon(&pool->done);
    }
}

size_t base_processor_count(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (size_t)count;
}
