#include "base/queue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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
