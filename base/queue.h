/* Queue of items of one size between one writing and one reading thread: no lock, and no allocation
 * after base_queue_init. */
#ifndef BASE_QUEUE_H
#define BASE_QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

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

#endif
