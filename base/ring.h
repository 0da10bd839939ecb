/* Ring of stereo samples between one writing and one reading thread: no lock, no allocation. */
#ifndef BASE_RING_H
#define BASE_RING_H

#include <stdatomic.h>
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

#endif
