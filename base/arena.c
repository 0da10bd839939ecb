#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Each chunk is larger than the one before: a large arena takes few of them. */
enum { CHUNK_MIN = 64 * 1024, CHUNK_MAX = 1024 * 1024 };

struct base_arena_chunk {
    struct base_arena_chunk *older;
    size_t size;
    size_t used;
    alignas(max_align_t) unsigned char data[];
};

void base_arena_init(struct base_arena *arena, size_t limit)
{
    *arena = (struct base_arena){.limit = limit};
}

static void *fail(struct base_arena *arena)
{
    arena->failed = true;
    return NULL;
}

/* Memory that holds anything. */
static void *take(struct base_arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2) {
        return fail(arena);
    }
    const size_t step = alignof(max_align_t);
    const size_t rounded = (size + step - 1) / step * step;
    if (arena->limit != 0 && rounded > arena->limit - arena->used) {
        return fail(arena);
    }
    struct base_arena_chunk *chunk = arena->newest;
    if (chunk == NULL || rounded > chunk->size - chunk->used) {
        size_t room = chunk == NULL ? CHUNK_MIN : 2 * chunk->size;
        room = room < CHUNK_MAX ? room : CHUNK_MAX;
        room = rounded > room ? rounded : room;
        chunk = malloc(sizeof *chunk + room);
        if (chunk == NULL) {
            return fail(arena);
        }
        chunk->older = arena->newest;
        chunk->size = room;
        chunk->used = 0;
        arena->newest = chunk;
    }
    void *memory = chunk->data + chunk->used;
    chunk->used += rounded;
    arena->used += rounded;
    return memory;
}

void *base_arena_alloc(struct base_arena *arena, size_t size)
{
    void *memory = take(arena, size);
    return memory != NULL ? memset(memory, 0, size) : NULL;
}

void *base_arena_room(struct base_arena *arena, size_t count, size_t size)
{
    return size != 0 && count > SIZE_MAX / size ? fail(arena) : take(arena, count * size);
}

void *base_arena_array(struct base_arena *arena, size_t count, size_t size)
{
    void *memory = base_arena_room(arena, count, size);
    return memory != NULL ? memset(memory, 0, count * size) : NULL;
}

char *base_arena_text(struct base_arena *arena, const char *data, size_t size)
{
    char *copy = size < SIZE_MAX ? take(arena, size + 1) : fail(arena);
    if (copy != NULL) {
        copy[size] = '\0';
        if (size > 0) {
            memcpy(copy, data, size);
        }
    }
    return copy;
}

void *base_arena_grow_room(struct base_arena *arena, void *array, size_t *capacity, size_t wanted,
                           size_t size)
{
    if (wanted <= *capacity) {
        return array;
    }
    size_t room = *capacity < 8 ? 8 : *capacity * 2;
    if (room < wanted) {
        room = wanted;
    }
    /* The newest thing of the newest chunk can grow where it is. */
    struct base_arena_chunk *chunk = arena->newest;
    if (*capacity > 0 && size > 0 && room <= SIZE_MAX / 2 / size && chunk != NULL) {
        const size_t step = alignof(max_align_t);
        const size_t old = *capacity * size;
        const size_t more = ((room - *capacity) * size + step - 1) / step * step;
        if (old % step == 0 && old <= chunk->used && array == chunk->data + (chunk->used - old) &&
            more <= chunk->size - chunk->used &&
            (arena->limit == 0 || more <= arena->limit - arena->used)) {
            chunk->used += more;
            arena->used += more;
            *capacity = room;
            return array;
        }
    }
    void *larger = base_arena_room(arena, room, size);
    if (larger == NULL) {
        return NULL;
    }
    if (*capacity > 0) {
        memcpy(larger, array, *capacity * size);
    }
    *capacity = room;
    return larger;
}

void *base_arena_grow(struct base_arena *arena, void *array, size_t *capacity, size_t wanted,
                      size_t size)
{
    const size_t used = *capacity;
    unsigned char *grown = base_arena_grow_room(arena, array, capacity, wanted, size);
    if (grown != NULL && *capacity > used) {
        memset(grown + used * size, 0, (*capacity - used) * size);
    }
    return grown;
}

struct base_arena_mark base_arena_mark(const struct base_arena *arena)
{
    const size_t chunk_used = arena->newest == NULL ? 0 : arena->newest->used;
    return (struct base_arena_mark){arena->newest, chunk_used, arena->used};
}

void base_arena_rewind(struct base_arena *arena, struct base_arena_mark mark)
{
    while (arena->newest != mark.newest) {
        struct base_arena_chunk *older = arena->newest->older;
        free(arena->newest);
        arena->newest = older;
    }
    if (mark.newest != NULL) {
        mark.newest->used = mark.chunk_used;
    }
    arena->used = mark.used;
}

void base_arena_free(struct base_arena *arena)
{
    struct base_arena_chunk *chunk = arena->newest;
    while (chunk != NULL) {
        struct base_arena_chunk *older = chunk->older;
        free(chunk);
        chunk = older;
    }
    base_arena_init(arena, arena->limit);
}
