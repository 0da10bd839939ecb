#include "base/hash.h"

static uint64_t word_at(const unsigned char *bytes, size_t count)
{
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++) {
        word |= (uint64_t)bytes[i] << (8 * i);
    }
    return word;
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

uint64_t base_hash(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    hash = mix(hash, size);
    for (; size >= 8; size -= 8, bytes += 8) {
        hash = mix(hash, word_at(bytes, 8));
    }
    hash = mix(hash, word_at(bytes, size));
    return mix(hash, hash >> 32);
}
