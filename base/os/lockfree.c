#include "base/os/lockfree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int base_ring_init(struct base_ring *ring, size_t capacity)
{
    assert(capacity > 0 && (capacity & (capacity - 1)) == 0);
    ring->samples = calloc(capacity, 2 * sizeof *ring->samples);
    ring->capacity = capacity;
    atomic_init(&ring->written, 0);
    atomic_init(&ring->read, 0);
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
    }
}

size_t base_ring_waiting(const struct base_ring *ring)
{
    const size_t written = atomic_load_explicit(&ring->written, memory_order_acquire);
    return written - atomic_load_explicit(&ring->read, memory_order_relaxed);
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
