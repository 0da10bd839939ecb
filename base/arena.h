/* Bump allocator: everything of one lifetime is freed in one call. Not for
 * several threads at once. Running out of memory, or over the limit, yields
 * NULL and sets `failed`; what was allocated before stays valid, so that a
 * loader can go on to its end and look at the flag once. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct base_arena_chunk;

struct base_arena {
    struct base_arena_chunk *newest;
    size_t used;  /* bytes handed out */
    size_t limit; /* refuse beyond this many bytes; 0: no limit */
    bool failed;
};

/* An arena may also simply be zero-initialised. */
void base_arena_init(struct base_arena *arena, size_t limit);

/* Zeroed memory, aligned for any type. size 0 gives a valid pointer. */
void *base_arena_alloc(struct base_arena *arena, size_t size);

/* count * size with overflow check. */
void *base_arena_array(struct base_arena *arena, size_t count, size_t size);

/* The same, not zeroed: for arrays that are written before they are read. */
void *base_arena_room(struct base_arena *arena, size_t count, size_t size);

/* A copy of `size` bytes with a NUL after them. */
char *base_arena_text(struct base_arena *arena, const char *data, size_t size);

/* Grows an array to hold at least `wanted` elements by copying; what is added is zeroed, *capacity
 * is updated. Returns the array (old or new), NULL on failure (the old one stays valid). */
void *base_arena_grow(struct base_arena *arena, void *array, size_t *capacity, size_t wanted,
                      size_t size);

/* The same; what is added is not zeroed. */
void *base_arena_grow_room(struct base_arena *arena, void *array, size_t *capacity, size_t wanted,
                           size_t size);

/* A state of an arena, to go back to: everything that was allocated after the mark is given up with
 * one call, and its memory used again. */
struct base_arena_mark {
    struct base_arena_chunk *newest;
    size_t chunk_used;
    size_t used;
};

struct base_arena_mark base_arena_mark(const struct base_arena *arena);

/* Goes back to the mark. Since it was made the arena must not have been freed, nor taken back to an
 * earlier one. `failed` stays as it is. */
void base_arena_rewind(struct base_arena *arena, struct base_arena_mark mark);

/* Frees everything; the arena is empty and usable again. */
void base_arena_free(struct base_arena *arena);

#endif
