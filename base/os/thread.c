#define _GNU_SOURCE /* sem_clockwait */

#include "base/os/thread.h"

#include <assert.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- workers ---- */

enum { THREADS_MAX = BASE_POOL_THREADS_MAX, LOOKS = 2000, CACHE_LINE = 64 };

/* A pool's state: how many workers are in the run, whether it is open, and its number, by which a
 * worker tells it from the one that it has left. */
static const uint64_t run_is_open = 1 << 16;
static const uint64_t run_number = 1 << 17;

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

/* A run is open while the caller works at it. Workers that see it in time join it; the caller
 * waits for those who did and for no others. */
struct base_pool {
    struct share shares[THREADS_MAX];
    struct worker workers[THREADS_MAX];
    size_t worker_count;
    sem_t start;            /* posted for each sleeping worker that a run wakes */
    atomic_size_t sleepers; /* workers that wait for it, or are about to */
    atomic_size_t to_wake;  /* how many of them this run has work for */
    sem_t done;             /* posted by the last worker that leaves a closed run */
    atomic_bool quit;
    base_job job;
    void *user;
    alignas(CACHE_LINE) atomic_uint_fast64_t state;
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

/* Lets the other thread of a processor's core go on. */
static void rest(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Takes one off a count; false if there is none. */
static bool take_one(atomic_size_t *count)
{
    size_t left = atomic_load(count);
    while (left > 0 && !atomic_compare_exchange_weak(count, &left, left - 1)) {
    }
    return left > 0;
}

/* To wake a thread takes some microseconds of who does it: everyone in a run wakes two. */
static void wake_two(struct base_pool *pool)
{
    for (int i = 0; i < 2 && atomic_load(&pool->sleepers) > 0 && take_one(&pool->to_wake); i++) {
        if (take_one(&pool->sleepers)) {
            (void)sem_post(&pool->start);
        }
    }
}

static bool is_new(uint64_t state, uint64_t left)
{
    return (state & run_is_open) != 0 && state / run_number != left;
}

/* Runs of one frame follow each other closely, and threads of one run end closely: to look again
 * for some microseconds is cheaper than to fall asleep and be woken. Returns when there may be a
 * run other than the one that was left. */
static void await_run(struct base_pool *pool, uint64_t left)
{
    for (int i = 0; i < LOOKS; i++) {
        if (is_new(atomic_load_explicit(&pool->state, memory_order_relaxed), left)) {
            return;
        }
        rest();
    }
    atomic_fetch_add(&pool->sleepers, 1);
    /* A run that has begun meanwhile may have seen no sleeper; if it has, it posts. */
    if (is_new(atomic_load(&pool->state), left) && take_one(&pool->sleepers)) {
        return;
    }
    while (sem_wait(&pool->start) != 0) {
    }
}

static void await_end(struct base_pool *pool)
{
    for (int i = 0; i < LOOKS; i++) {
        if (sem_trywait(&pool->done) == 0) {
            return;
        }
        rest();
    }
    while (sem_wait(&pool->done) != 0) {
    }
}

static void *worker_main(void *argument)
{
    const struct worker *worker = argument;
    struct base_pool *pool = worker->pool;
    uint64_t left = 0;
    for (;;) {
        await_run(pool, left);
        if (atomic_load(&pool->quit)) {
            return NULL;
        }
        uint64_t state = atomic_load(&pool->state);
        bool joined = false;
        while (!joined && is_new(state, left)) {
            joined = atomic_compare_exchange_weak(&pool->state, &state, state + 1);
        }
        if (joined) {
            left = state / run_number;
            wake_two(pool);
            work(pool, worker->share);
            if ((atomic_fetch_sub(&pool->state, 1) & (run_number - 1)) == 1) {
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

void base_pool_destroy(struct base_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    atomic_store(&pool->quit, true);
    for (size_t i = 0; i < pool->worker_count; i++) {
        (void)sem_post(&pool->start);
    }
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
        atomic_store_explicit(&pool->shares[i].next, count * i / shares, memory_order_relaxed);
        pool->shares[i].end = count * (i + 1) / shares;
    }
    const size_t others = count - 1;
    atomic_store_explicit(&pool->to_wake, others < shares ? others : shares - 1,
                          memory_order_relaxed);
    const uint64_t number = atomic_load(&pool->state) / run_number + 1;
    atomic_store(&pool->state, number * run_number | run_is_open);
    wake_two(pool);
    work(pool, 0);
    atomic_store_explicit(&pool->to_wake, 0, memory_order_relaxed);
    if ((atomic_fetch_and(&pool->state, ~run_is_open) & (run_is_open - 1)) != 0) {
        await_end(pool);
    }
}

size_t base_processor_count(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (size_t)count;
}

/* ---- between two threads ---- */

int base_ring_init(struct base_ring *ring, size_t capacity)
{
    assert(capacity > 0 && (capacity & (capacity - 1)) == 0);
    ring->samples = calloc(capacity, 2 * sizeof *ring->samples);
    ring->capacity = capacity;
    atomic_init(&ring->written, 0);
    atomic_init(&ring->read, 0);
    atomic_init(&ring->dropped, 0);
    return ring->samples == NULL ? -1 : 0;
}

void base_ring_free(struct base_ring *ring)
{
    free(ring->samples);
    ring->samples = NULL;
}

size_t base_ring_write(struct base_ring *ring, const float *interleaved, size_t frames)
{
    const size_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
    const size_t read = atomic_load_explicit(&ring->read, memory_order_acquire);
    const size_t room = ring->capacity - (written - read);
    const size_t count = frames < room ? frames : room;
    for (size_t i = 0; i < count; i++) {
        const size_t at = (written + i) & (ring->capacity - 1);
        ring->samples[2 * at] = interleaved[2 * i];
        ring->samples[2 * at + 1] = interleaved[2 * i + 1];
    }
    atomic_store_explicit(&ring->written, written + count, memory_order_release);
    atomic_fetch_add_explicit(&ring->dropped, frames - count, memory_order_relaxed);
    return count;
}

size_t base_ring_read(struct base_ring *ring, float *interleaved, size_t frames)
{
    const size_t read = atomic_load_explicit(&ring->read, memory_order_relaxed);
    const size_t waiting = base_ring_waiting(ring);
    const size_t count = frames < waiting ? frames : waiting;
    for (size_t i = 0; i < count; i++) {
        const size_t at = (read + i) & (ring->capacity - 1);
        interleaved[2 * i] = ring->samples[2 * at];
        interleaved[2 * i + 1] = ring->samples[2 * at + 1];
    }
    atomic_store_explicit(&ring->read, read + count, memory_order_release);
    return count;
}

void base_ring_keep(struct base_ring *ring, size_t frames)
{
    const size_t waiting = base_ring_waiting(ring);
    if (waiting > frames) {
        const size_t read = atomic_load_explicit(&ring->read, memory_order_relaxed);
        atomic_store_explicit(&ring->read, read + (waiting - frames), memory_order_release);
        atomic_fetch_add_explicit(&ring->dropped, waiting - frames, memory_order_relaxed);
    }
}

size_t base_ring_waiting(const struct base_ring *ring)
{
    const size_t written = atomic_load_explicit(&ring->written, memory_order_acquire);
    return written - atomic_load_explicit(&ring->read, memory_order_relaxed);
}

size_t base_ring_dropped(const struct base_ring *ring)
{
    return atomic_load_explicit(&ring->dropped, memory_order_relaxed);
}

int base_queue_init(struct base_queue *queue, size_t item_size, size_t capacity)
{
    assert(capacity > 0 && (capacity & (capacity - 1)) == 0);
    *queue = (struct base_queue){.item_size = item_size, .capacity = capacity};
    queue->items = calloc(capacity, item_size);
    return queue->items == NULL ? -1 : 0;
}

void base_queue_free(struct base_queue *queue)
{
    free(queue->items);
    queue->items = NULL;
}

static unsigned char *slot_of(const struct base_queue *queue, size_t index)
{
    return queue->items + (index & (queue->capacity - 1)) * queue->item_size;
}

bool base_queue_push(struct base_queue *queue, const void *item)
{
    const size_t written = atomic_load_explicit(&queue->written, memory_order_relaxed);
    if (written - atomic_load_explicit(&queue->read, memory_order_acquire) == queue->capacity) {
        return false;
    }
    memcpy(slot_of(queue, written), item, queue->item_size);
    atomic_store_explicit(&queue->written, written + 1, memory_order_release);
    return true;
}

bool base_queue_pop(struct base_queue *queue, void *item)
{
    const size_t read = atomic_load_explicit(&queue->read, memory_order_relaxed);
    if (read == atomic_load_explicit(&queue->written, memory_order_acquire)) {
        return false;
    }
    memcpy(item, slot_of(queue, read), queue->item_size);
    atomic_store_explicit(&queue->read, read + 1, memory_order_release);
    return true;
}

size_t base_queue_waiting(const struct base_queue *queue)
{
    const size_t read = atomic_load_explicit(&queue->read, memory_order_acquire);
    return atomic_load_explicit(&queue->written, memory_order_acquire) - read;
}

enum { FRESH = 4, SLOT = 3 };

void base_latest_init(struct base_latest *latest)
{
    atomic_init(&latest->middle, 1);
    latest->back = 0;
    latest->front = 2;
}

unsigned base_latest_back(const struct base_latest *latest)
{
    return latest->back;
}

void base_latest_publish(struct base_latest *latest)
{
    latest->back =
        atomic_exchange_explicit(&latest->middle, latest->back | FRESH, memory_order_acq_rel) &
        SLOT;
}

bool base_latest_take(struct base_latest *latest)
{
    if ((atomic_load_explicit(&latest->middle, memory_order_relaxed) & FRESH) == 0) {
        return false;
    }
    latest->front =
        atomic_exchange_explicit(&latest->middle, latest->front, memory_order_acq_rel) & SLOT;
    return true;
}

unsigned base_latest_front(const struct base_latest *latest)
{
    return latest->front;
}

/* ---- clocks ---- */

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
