/* Records of any size on their way from the painter to the writer's thread: no lock, and no
 * allocation after app_set_ring_open. */
#ifndef APP_SET_RING_H
#define APP_SET_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct app_set_ring {
    unsigned char *bytes;
    size_t capacity; /* a power of two */
    atomic_size_t written;
    atomic_size_t read;
};

/* One part of a record. */
struct app_set_piece {
    const void *data;
    size_t size;
};

/* 0, or -1 without memory. */
int app_set_ring_open(struct app_set_ring *ring, size_t capacity);
void app_set_ring_close(struct app_set_ring *ring);

/* Writer of records: all pieces as one; false, and nothing is written, where there is no room. */
bool app_set_ring_put(struct app_set_ring *ring, const struct app_set_piece *pieces, size_t count);

/* Writer of records: bytes that are free. */
size_t app_set_ring_room(const struct app_set_ring *ring);

/* Reader: the size of the oldest record, 0: there is none; and takes it, into so much room. */
size_t app_set_ring_next(struct app_set_ring *ring);
void app_set_ring_take(struct app_set_ring *ring, void *record, size_t size);

#endif
