#include "base/thread.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS_MAX = 64 };

struct base_pool {
    pthread_t workers[THREADS_MAX];
    size_t worker_count;
    pthread_mutex_t lock;
    pthread_cond_t start;
    pthread_cond_t done;
    base_job job;
    void *user;
    size_t count;
    size_t round; /* raised for each run, so that a worker joins each run once */
    size_t busy;
    bool quit;
    atomic_size_t next;
};

static void work(struct base_pool *pool, base_job job, void *user, size_t count)
{
    for (;;) {
        const size_t index = atomic_fetch_add(&pool->next, 1);
        if (index >= count) {
            return;
        }
        job(user, index);
    }
}

static void *worker_main(void *argument)
{
    struct base_pool *pool = argument;
    size_t seen = 0;
    (void)pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (!pool->quit && pool->round == seen) {
            (void)pthread_cond_wait(&pool->start, &pool->lock);
        }
        if (pool->quit) {
            break;
        }
        seen = pool->round;
        const base_job job = pool->job;
        void *user = pool->user;
        const size_t count = pool->count;
        (void)pthread_mutex_unlock(&pool->lock);
        work(pool, job, user, count);
        (void)pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0) {
            (void)pthread_cond_signal(&pool->done);
        }
    }
    (void)pthread_mutex_unlock(&pool->lock);
    return NULL;
}

struct base_pool *base_pool_create(size_t threads)
{
    assert(threads >= 1 && threads <= THREADS_MAX);
    struct base_pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL) {
        return NULL;
    }
    (void)pthread_mutex_init(&pool->lock, NULL);
    (void)pthread_cond_init(&pool->start, NULL);
    (void)pthread_cond_init(&pool->done, NULL);
    while (pool->worker_count + 1 < threads) {
        if (pthread_create(&pool->workers[pool->worker_count], NULL, worker_main, pool) != 0) {
            base_pool_destroy(pool);
            return NULL;
        }
        pool->worker_count++;
    }
    return pool;
}

void base_pool_destroy(struct base_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    (void)pthread_cond_broadcast(&pool->start);
    (void)pthread_mutex_unlock(&pool->lock);
    for (size_t i = 0; i < pool->worker_count; i++) {
        (void)pthread_join(pool->workers[i], NULL);
    }
    (void)pthread_cond_destroy(&pool->done);
    (void)pthread_cond_destroy(&pool->start);
    (void)pthread_mutex_destroy(&pool->lock);
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
    (void)pthread_mutex_lock(&pool->lock);
    pool->job = job;
    pool->user = user;
    pool->count = count;
    atomic_store(&pool->next, 0);
    pool->busy = pool->worker_count;
    pool->round++;
    (void)pthread_cond_broadcast(&pool->start);
    (void)pthread_mutex_unlock(&pool->lock);
    work(pool, job, user, count);
    (void)pthread_mutex_lock(&pool->lock);
    while (pool->busy > 0) {
        (void)pthread_cond_wait(&pool->done, &pool->lock);
    }
    (void)pthread_mutex_unlock(&pool->lock);
}

size_t base_processor_count(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (size_t)count;
}
