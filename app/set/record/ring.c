#include "app/set/record/ring.h"

#include <stdlib.h>
#include <string.h>

int app_set_ring_open(struct app_set_ring *ring, size_t capacity)
{
    ring->bytes = malloc(capacity);
    ring->capacity = capacity;
    atomic_init(&ring->written, 0);
    atomic_init(&ring->read, 0);
    return ring->bytes != NULL ? 0 : -1;
}

void app_set_ring_close(struct app_set_ring *ring)
{
    free(ring->bytes);
    ring->bytes = NULL;
}

static void write_at(struct app_set_ring *ring, size_t at, const void *data, size_t size)
{
    const size_t place = at & (ring->capacity - 1);
    const size_t first = size < ring->capacity - place ? size : ring->capacity - place;
    if (size > 0) {
        memcpy(ring->bytes + place, data, first);
        memcpy(ring->bytes, (const unsigned char *)data + first, size - first);
    }
}

static void read_at(const struct app_set_ring *ring, size_t at, void *data, size_t size)
{
    const size_t place = at & (ring->capacity - 1);
    const size_t first = size < ring->capacity - place ? size : ring->capacity - place;
    memcpy(data, ring->bytes + place, first);
    memcpy((unsigned char *)data + first, ring->bytes, size - first);
}

bool app_set_ring_put(struct app_set_ring *ring, const struct app_set_piece *pieces, size_t count)
{
    const size_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
    const size_t used = written - atomic_load_explicit(&ring->read, memory_order_acquire);
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        size += pieces[i].size;
    }
    if (size > ring->capacity - used || ring->capacity - used - size < sizeof size) {
        return false;
    }
    size_t at = written;
    write_at(ring, at, &size, sizeof size);
    at += sizeof size;
    for (size_t i = 0; i < count; i++) {
        write_at(ring, at, pieces[i].data, pieces[i].size);
        at += pieces[i].size;
    }
    atomic_store_explicit(&ring->written, at, memory_order_release);
    return true;
}

size_t app_set_ring_room(const struct app_set_ring *ring)
{
    return ring->capacity - (atomic_load_explicit(&ring->written, memory_order_relaxed) -
                             atomic_load_explicit(&ring->read, memory_order_acquire));
}

size_t app_set_ring_next(struct app_set_ring *ring)
{
    const size_t read = atomic_load_explicit(&ring->read, memory_order_relaxed);
    size_t size = 0;
    if (atomic_load_explicit(&ring->written, memory_order_acquire) != read) {
        read_at(ring, read, &size, sizeof size);
    }
    return size;
}

void app_set_ring_take(struct app_set_ring *ring, void *record, size_t size)
{
    const size_t read = atomic_load_explicit(&ring->read, memory_order_relaxed);
    read_at(ring, read + sizeof size, record, size);
    atomic_store_explicit(&ring->read, read + sizeof size + size, memory_order_release);
}
