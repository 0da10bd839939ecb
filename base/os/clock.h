/* Monotonic clocks and waiting by them: setting the time of day changes nothing. Any thread. */
#ifndef BASE_OS_CLOCK_H
#define BASE_OS_CLOCK_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>

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

#endif
