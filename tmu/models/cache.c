#include "tmu/models/cache.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SEARCHED_WAYS = 8 };

/* TMU_REPLACE_PAIRS: which pair was used last, and a bit for each that says which line goes. */
enum { PAIR_USED = 1, PAIR_TOGGLE = 2 };

static unsigned log2_of(uint32_t power)
{
    unsigned bits = 0;
    while (power >> bits > 1) {
        bits++;
    }
    return bits;
}

static bool is_hashed(const struct tmu_cache *cache)
{
    return cache->ways > SEARCHED_WAYS;
}

static bool allocate(struct tmu_cache *cache)
{
    const size_t lines = cache->lines;
    cache->tags = calloc(lines, sizeof *cache->tags);
    cache->state = calloc(lines / cache->ways, sizeof *cache->state);
    bool whole = cache->tags != NULL && cache->state != NULL;
    if (cache->replacement == TMU_REPLACE_LRU && cache->ways > 1) {
        cache->newer = calloc(lines, sizeof *cache->newer);
        cache->older = calloc(lines, sizeof *cache->older);
        whole = whole && cache->newer != NULL && cache->older != NULL;
    }
    if (is_hashed(cache)) {
        cache->bucket_shift = 63 - log2_of(cache->lines);
        cache->buckets = calloc((size_t)1 << (64 - cache->bucket_shift), sizeof *cache->buckets);
        cache->chain = calloc(lines, sizeof *cache->chain);
        whole = whole && cache->buckets != NULL && cache->chain != NULL;
    }
    return whole;
}

bool tmu_cache_init(struct tmu_cache *cache, const struct tmu_cache_shape *shape)
{
    const uint32_t lines = shape->bytes / shape->line_bytes;
    const uint32_t ways = shape->ways == 0 ? lines : shape->ways;
    assert(lines > 0 && lines % ways == 0);
    *cache = (struct tmu_cache){.lines = lines,
                                .ways = ways,
                                .set_mask = lines / ways - 1,
                                .line_shift = log2_of(shape->line_bytes),
                                .replacement = shape->replacement};
    if (!allocate(cache)) {
        return false;
    }
    tmu_cache_flush(cache);
    return true;
}

void tmu_cache_free(struct tmu_cache *cache)
{
    free(cache->tags);
    free(cache->state);
    free(cache->newer);
    free(cache->older);
    free(cache->buckets);
    free(cache->chain);
    *cache = (struct tmu_cache){.lines = 0};
}

void tmu_cache_flush(struct tmu_cache *cache)
{
    const size_t lines = cache->lines;
    memset(cache->tags, 0, lines * sizeof *cache->tags);
    memset(cache->state, 0, lines / cache->ways * sizeof *cache->state);
    if (cache->older != NULL) {
        /* A ring in the order of the slots: the one behind the newest is the oldest. */
        for (uint32_t slot = 0; slot < cache->lines; slot++) {
            const uint32_t first = slot - slot % cache->ways;
            cache->older[slot] = slot == first ? first + cache->ways - 1 : slot - 1;
            cache->newer[slot] = slot + 1 == first + cache->ways ? first : slot + 1;
        }
        for (uint32_t set = 0; set <= cache->set_mask; set++) {
            cache->state[set] = (set + 1) * cache->ways - 1;
        }
    }
    if (cache->buckets != NULL) {
        memset(cache->buckets, 0xff,
               ((size_t)1 << (64 - cache->bucket_shift)) * sizeof *cache->buckets);
    }
}

static uint32_t *bucket_of(const struct tmu_cache *cache, uint64_t line)
{
    return &cache->buckets[(line * 0x9E3779B97F4A7C15u) >> cache->bucket_shift];
}

uint32_t tmu_cache_find(const struct tmu_cache *cache, uint64_t line)
{
    if (is_hashed(cache)) {
        uint32_t slot = *bucket_of(cache, line);
        while (slot != TMU_CACHE_NONE && cache->tags[slot] != line + 1) {
            slot = cache->chain[slot];
        }
        return slot;
    }
    const uint32_t first = ((uint32_t)line & cache->set_mask) * cache->ways;
    for (uint32_t slot = first; slot < first + cache->ways; slot++) {
        if (cache->tags[slot] == line + 1) {
            return slot;
        }
    }
    return TMU_CACHE_NONE;
}

static void unhash(struct tmu_cache *cache, uint32_t slot)
{
    if (!is_hashed(cache) || cache->tags[slot] == 0) {
        return;
    }
    uint32_t *link = bucket_of(cache, cache->tags[slot] - 1);
    while (*link != slot) {
        link = &cache->chain[*link];
    }
    *link = cache->chain[slot];
}

static void unlink_slot(struct tmu_cache *cache, uint32_t slot)
{
    cache->newer[cache->older[slot]] = cache->newer[slot];
    cache->older[cache->newer[slot]] = cache->older[slot];
}

/* Between the newest and the oldest slot: the ring's end and its beginning. */
static void link_slot(struct tmu_cache *cache, uint32_t slot, uint32_t newest)
{
    const uint32_t oldest = cache->newer[newest];
    cache->older[slot] = newest;
    cache->newer[slot] = oldest;
    cache->newer[newest] = slot;
    cache->older[oldest] = slot;
}

void tmu_cache_touch(struct tmu_cache *cache, uint32_t slot)
{
    if (cache->ways == 1) {
        return;
    }
    uint32_t *state = &cache->state[slot / cache->ways];
    if (cache->replacement == TMU_REPLACE_PAIRS) {
        *state = (*state & ~(uint32_t)PAIR_USED) | (slot % 4 / 2);
    } else if (cache->replacement == TMU_REPLACE_LRU && *state != slot) {
        unlink_slot(cache, slot);
        link_slot(cache, slot, *state);
        *state = slot;
    }
}

static uint32_t choose_victim(struct tmu_cache *cache, uint32_t set)
{
    uint32_t *state = &cache->state[set];
    if (cache->ways == 1) {
        return set;
    }
    if (cache->replacement == TMU_REPLACE_LRU) {
        return cache->newer[*state];
    }
    if (cache->replacement == TMU_REPLACE_PAIRS) {
        /* The pair that was not used last gives its lines one after the other. */
        const uint32_t pair = (*state & PAIR_USED) ^ 1;
        const uint32_t toggle = (uint32_t)PAIR_TOGGLE << pair;
        const uint32_t way = pair * 2 + ((*state & toggle) != 0);
        *state ^= toggle;
        return set * cache->ways + way;
    }
    const uint32_t way = *state;
    *state = way + 1 == cache->ways ? 0 : way + 1;
    return set * cache->ways + way;
}

uint32_t tmu_cache_replace(struct tmu_cache *cache, uint64_t line)
{
    const uint32_t slot = choose_victim(cache, (uint32_t)line & cache->set_mask);
    unhash(cache, slot);
    cache->tags[slot] = line + 1;
    if (is_hashed(cache)) {
        uint32_t *bucket = bucket_of(cache, line);
        cache->chain[slot] = *bucket;
        *bucket = slot;
    }
    tmu_cache_touch(cache, slot);
    return slot;
}

void tmu_cache_drop(struct tmu_cache *cache, uint64_t line)
{
    const uint32_t slot = tmu_cache_find(cache, line);
    if (slot == TMU_CACHE_NONE) {
        return;
    }
    unhash(cache, slot);
    cache->tags[slot] = 0;
    if (cache->older != NULL) {
        /* An empty slot is the first to be filled again. */
        uint32_t *newest = &cache->state[slot / cache->ways];
        if (*newest == slot) {
            *newest = cache->older[slot];
        } else if (cache->newer[*newest] != slot) {
            unlink_slot(cache, slot);
            link_slot(cache, slot, *newest);
        }
    }
}
