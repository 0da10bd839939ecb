#include "base/ring.h"

#include <assert.h>
#include <stdlib.h>

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
