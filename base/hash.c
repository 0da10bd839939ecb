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

/* What each half byte shifts out. */
static const uint32_t halves[16] = {
    0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu, 0x76dc4190u, 0x6b6b51f4u,
    0x4db26158u, 0x5005713cu, 0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu,
    0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu,
};

uint32_t base_crc32(uint32_t crc, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ halves[crc & 15];
        crc = crc >> 4 ^ halves[crc & 15];
    }
    return ~crc;
}
