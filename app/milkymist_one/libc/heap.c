#include "app/milkymist_one/libc/heap.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 16 };

/* Blocks lie side by side; each begins with this. */
struct block {
    size_t size; /* with this head; a multiple of STEP; 0 behind the last */
    bool used;
    unsigned char unused[STEP - sizeof(size_t) - sizeof(bool)];
};

_Static_assert(sizeof(struct block) == STEP, "what is given out is aligned");

/* malloc has no other way to know. */
static struct block *first;

void board_heap_begin(void *memory, size_t size)
{
    const uintptr_t begin = ((uintptr_t)memory + STEP - 1) / STEP * STEP;
    const uintptr_t end = ((uintptr_t)memory + size) / STEP * STEP;
    first = (struct block *)begin;
    *first = (struct block){.size = end - begin - STEP};
    *(struct block *)(end - STEP) = (struct block){.used = true};
}

static struct block *after(struct block *block)
{
    return (struct block *)(void *)((unsigned char *)block + block->size);
}

static void join(struct block *block)
{
    for (struct block *next = after(block); !next->used; next = after(block)) {
        block->size += next->size;
    }
}

static void cut(struct block *block, size_t size)
{
    if (block->size - size < 2 * STEP) {
        return;
    }
    const size_t rest = block->size - size;
    block->size = size;
    *after(block) = (struct block){.size = rest};
}

void *malloc(size_t size)
{
    if (first == NULL || size > SIZE_MAX / 2) {
        return NULL;
    }
    const size_t wanted = (size + STEP - 1) / STEP * STEP + STEP;
    for (struct block *block = first; block->size != 0; block = after(block)) {
        if (block->used) {
            continue;
        }
        join(block);
        if (block->size >= wanted) {
            cut(block, wanted);
            block->used = true;
            return block + 1;
        }
    }
    return NULL;
}

void free(void *memory)
{
    if (memory != NULL) {
        ((struct block *)memory)[-1].used = false;
    }
}

void *calloc(size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size) {
        return NULL;
    }
    void *memory = malloc(count * size);
    if (memory != NULL) {
        memset(memory, 0, count * size);
    }
    return memory;
}

void *realloc(void *memory, size_t size)
{
    if (memory == NULL) {
        return malloc(size);
    }
    const size_t had = ((struct block *)memory)[-1].size - STEP;
    if (size <= had) {
        return memory;
    }
    void *larger = malloc(size);
    if (larger != NULL) {
        memcpy(larger, memory, had);
        free(memory);
    }
    return larger;
}
