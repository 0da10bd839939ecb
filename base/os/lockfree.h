/* Ring of stereo samples between one writing and one reading thread: no lock, no allocation. */
#ifndef BASE_OS_LOCKFREE_H
#define BASE_OS_LOCKFREE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct base_ring {
    float *samples;  /* interleaved left, right */
    size_t capacity; /* in stereo frames; a power of two */
    atomic_size_t written;
    atomic_size_t read;
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

#endif
