/* A worker pool for tiles of one job. Thin layer over POSIX threads. */
#ifndef BASE_OS_THREAD_H
#define BASE_OS_THREAD_H

#include <stddef.h>

struct base_pool;

/* A job is called once for each index in 0..count-1, in any order, on any thread. Jobs share no
 * writable data, so results do not depend on the number of threads. */
typedef void (*base_job)(void *user, size_t index);

/* threads: 1..64, the calling thread included; 1 starts none. NULL if threads cannot be started. */
struct base_pool *base_pool_create(size_t threads);
void base_pool_destroy(struct base_pool *pool); /* NULL is fine */

size_t base_pool_threads(const struct base_pool *pool); /* 1 for NULL */

/* Runs the job for all indices and returns when all are done. The caller works too. Neither
 * allocates, locks nor formats. A NULL pool runs everything in the calling thread. One run at a
 * time. */
void base_pool_run(struct base_pool *pool, base_job job, void *user, size_t count);

/* Number of processors online, at least 1. */
size_t base_processor_count(void);

#endif
