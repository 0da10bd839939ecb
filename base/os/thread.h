/* Threads: workers for one job, what passes between two threads without a lock, clocks to wait by,
 * and the signals that ask a job to stop. Thin layers over POSIX and C11 atomics. */
#ifndef BASE_OS_THREAD_H
#define BASE_OS_THREAD_H

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* 1 where a sanitizer watches memory or threads, which needs more memory than a program has. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BASE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define BASE_SANITIZED 1
#endif
#endif
#ifndef BASE_SANITIZED
#define BASE_SANITIZED 0
#endif

/* A worker pool for tiles of one job. */

struct base_pool;

enum { BASE_POOL_THREADS_MAX = 64 };

/* A job is called once for each index in 0..count-1, in any order, on any thread. Jobs share no
 * writable data, so results do not depend on the number of threads. */
typedef void (*base_job)(void *user, size_t index);

/* threads: 1..BASE_POOL_THREADS_MAX, the calling thread included; 1 starts none. NULL if threads
 * cannot be started. */
struct base_pool *base_pool_create(size_t threads);
void base_pool_destroy(struct base_pool *pool); /* NULL is fine */

size_t base_pool_threads(const struct base_pool *pool); /* 1 for NULL */

/* Runs the job for all indices and returns when all are done. The caller works too. Neither
 * allocates, locks nor formats. A NULL pool runs everything in the calling thread. One run at a
 * time. */
void base_pool_run(struct base_pool *pool, base_job job, void *user, size_t count);

/* Work of one thread that can be done while others are at the jobs of a run: the two share no
 * writable data. */
struct base_beside {
    void (*work)(void *user);
    void *user;
};

struct base_run_beside {
    const struct base_beside *beside;
    base_job job;
    void *user;
};

static inline void base_job_beside(void *user, size_t index)
{
    const struct base_run_beside *run = user;
    if (index == 0) {
        run->beside->work(run->beside->user);
    } else {
        run->job(run->user, index - 1);
    }
}

/* The same, and that work besides, once: as the first of the jobs. beside NULL: none. */
static inline void base_pool_run_beside(struct base_pool *pool, const struct base_beside *beside,
                                        base_job job, void *user, size_t count)
{
    struct base_run_beside run = {beside, job, user};
    if (beside == NULL) {
        base_pool_run(pool, job, user, count);
    } else {
        base_pool_run(pool, base_job_beside, &run, count + 1);
    }
}

/* Number of processors online, at least 1. */
size_t base_processor_count(void);

/* Ring of stereo samples between one writing and one reading thread: no lock, no allocation. */

struct base_ring {
    float *samples;  /* interleaved left, right */
    size_t capacity; /* in stereo frames; a power of two */
    atomic_size_t written;
    atomic_size_t read;
    atomic_size_t dropped;
};

/* capacity: stereo frames, a power of two. Returns 0, or -1 if there is no memory. */
int base_ring_init(struct base_ring *ring, size_t capacity);
void base_ring_free(struct base_ring *ring);

/* Writer's thread. Takes what fits, drops the rest; returns the number of frames taken. */
size_t base_ring_write(struct base_ring *ring, const float *interleaved, size_t frames);

/* Reader's thread. Returns the number of frames copied, at most `frames`. */
size_t base_ring_read(struct base_ring *ring, float *interleaved, size_t frames);

/* Reader's thread: drops the oldest frames until at most `frames` are waiting. */
void base_ring_keep(struct base_ring *ring, size_t frames);

/* Reader's thread: frames waiting. */
size_t base_ring_waiting(const struct base_ring *ring);

/* Frames that came and were dropped, by both threads. */
size_t base_ring_dropped(const struct base_ring *ring);

/* Queue of items of one size between one writing and one reading thread: no lock, and no allocation
 * after base_queue_init. */

struct base_queue {
    unsigned char *items;
    size_t item_size;
    size_t capacity; /* a power of two */
    atomic_size_t written;
    atomic_size_t read;
};

/* capacity: a power of two. Returns 0, or -1 without memory. */
int base_queue_init(struct base_queue *queue, size_t item_size, size_t capacity);
void base_queue_free(struct base_queue *queue);

/* Writer's thread: copies the item; false, and nothing happens, if the queue is full. */
bool base_queue_push(struct base_queue *queue, const void *item);

/* Reader's thread: copies the oldest item and takes it away; false if there is none. */
bool base_queue_pop(struct base_queue *queue, void *item);

/* Either thread: items that wait. */
size_t base_queue_waiting(const struct base_queue *queue);

/* Hands the latest of something from one writing to one reading thread by three slots that the
 * caller owns: neither ever waits, and what the reader misses is lost. */

enum { BASE_LATEST_SLOTS = 3 };

struct base_latest {
    atomic_uint middle; /* slot between the two, and whether it is fresh */
    unsigned back;
    unsigned front;
};

void base_latest_init(struct base_latest *latest);

/* Writer's thread: the slot to be filled, and handing it over. */
unsigned base_latest_back(const struct base_latest *latest);
void base_latest_publish(struct base_latest *latest);

/* Reader's thread: whether there is a newer one, which then is the front; and the front. Before the
 * first it is a slot that has not been filled. */
bool base_latest_take(struct base_latest *latest);
unsigned base_latest_front(const struct base_latest *latest);

/* Monotonic clocks and waiting by them: setting the time of day changes nothing. Any thread. */

/* Seconds since some moment in the past; never goes back. */
double base_clock_seconds(void);

/* Seconds for which the calling thread has had a processor. */
double base_clock_busy(void);

/* Sleeps until base_clock_seconds has reached a time. */
void base_clock_sleep_until(double seconds);

/* Takes one off the semaphore, or gives up after so many seconds, 0..1e6. */
void base_clock_wait(sem_t *semaphore, double seconds);

/* A condition for base_clock_wait_until. */
void base_clock_condition_init(pthread_cond_t *condition);

/* Waits as pthread_cond_wait does, at most until base_clock_seconds has reached a time.
 * Returns whether that time is still to come. */
bool base_clock_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, double seconds);

/* Signals during a long job. Only one job at a time may use this: a handler knows no owner, so the
 * flag behind it is the one piece of state that belongs to the process. */

struct base_stop {
    struct sigaction interrupt; /* what was set before */
    struct sigaction terminate;
    struct sigaction hangup;
    struct sigaction pipe;
    struct sigaction child;
};

/* From now on the first Ctrl-C, termination or hangup (unless hangups were ignored) only asks to
 * stop, and a second one ends the process; a closed pipe is an error of its writer, and the end of
 * a child can be waited for. */
void base_stop_begin(struct base_stop *stop);

/* After base_stop_begin: a second one only asks to stop at once, and a third one ends the process.
 * A closed terminal may hang up twice: that is one. */
void base_stop_in_two_steps(void);

/* Puts everything back. */
void base_stop_end(const struct base_stop *stop);

/* Whether a signal has asked to stop since the last base_stop_begin; false before the first. Long
 * jobs ask this now and then. */
bool base_stop_wanted(void);

/* Whether a second signal has asked to stop at once: what was begun is not to be completed. Only
 * after base_stop_in_two_steps. */
bool base_stop_insisted(void);

#endif
