/* The tags of a cache: which lines it holds and which one goes. No data, no time. */
#ifndef TMU_MODELS_CACHE_H
#define TMU_MODELS_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "tmu/models/arch.h"

#define TMU_CACHE_NONE UINT32_MAX

struct tmu_cache_shape {
    uint32_t bytes;
    uint32_t line_bytes; /* a power of two */
    uint32_t ways;       /* 0: fully associative; sets are a power of two */
    enum tmu_arch_cache_replacement replacement;
};

struct tmu_cache {
    uint32_t lines;
    uint32_t ways;
    uint32_t set_mask;
    unsigned line_shift;
    enum tmu_arch_cache_replacement replacement;
    uint64_t *tags;  /* of each slot: line + 1; 0: empty */
    uint32_t *state; /* of each set: lru: the newest slot; pairs: bits; round robin: next way */
    uint32_t *newer; /* lru: a ring through the slots of each set */
    uint32_t *older;
    uint32_t *buckets; /* many ways: slots by line */
    uint32_t *chain;
    unsigned bucket_shift;
};

/* False without memory; tmu_cache_free is then still due. */
bool tmu_cache_init(struct tmu_cache *cache, const struct tmu_cache_shape *shape);
void tmu_cache_free(struct tmu_cache *cache);

/* Empties the cache, as it is after tmu_cache_init. */
void tmu_cache_flush(struct tmu_cache *cache);

static inline uint64_t tmu_cache_line(const struct tmu_cache *cache, uint64_t address)
{
    return address >> cache->line_shift;
}

/* The slot of a line, or TMU_CACHE_NONE. Changes nothing. */
uint32_t tmu_cache_find(const struct tmu_cache *cache, uint64_t line);

/* Notes that the slot has been used. */
void tmu_cache_touch(struct tmu_cache *cache, uint32_t slot);

/* Puts a line that is not there into the place of another; it counts as used. Returns its slot. */
uint32_t tmu_cache_replace(struct tmu_cache *cache, uint64_t line);

/* Takes a line out, which need not be there; with lru its slot is the next to be filled. */
void tmu_cache_drop(struct tmu_cache *cache, uint64_t line);

#endif
