#include "base/random.h"

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

uint32_t base_rng_next(struct base_rng *rng)
{
    const uint64_t old = rng->state;
    rng->state = old * 6364136223846793005u + rng->stream;
    const uint32_t mixed = (uint32_t)(((old >> 18) ^ old) >> 27);
    const uint32_t turn = (uint32_t)(old >> 59);
    return (mixed >> turn) | (mixed << ((32 - turn) & 31));
}

void base_rng_seed(struct base_rng *rng, uint64_t seed, uint64_t stream)
{
    rng->state = 0;
    rng->stream = (stream << 1) | 1;
    (void)base_rng_next(rng);
    rng->state += seed;
    (void)base_rng_next(rng);
}

enum { WORDS = BASE_TWISTER_WORDS, MIDDLE = 397 };

void base_twister_seed(struct base_twister *twister, uint32_t seed)
{
    uint32_t word = seed;
    for (uint32_t i = 0; i < WORDS; i++) {
        twister->words[i] = word;
        word = 1812433253u * (word ^ (word >> 30)) + i + 1;
    }
    twister->next = WORDS;
}

uint32_t base_twister_next(struct base_twister *twister)
{
    if (twister->next >= WORDS) {
        uint32_t *words = twister->words;
        for (size_t i = 0; i < WORDS; i++) {
            const uint32_t joined =
                (words[i] & 0x80000000u) | (words[(i + 1) % WORDS] & 0x7fffffffu);
            const uint32_t twist = (joined & 1) != 0 ? 0x9908b0dfu : 0;
            words[i] = words[(i + MIDDLE) % WORDS] ^ (joined >> 1) ^ twist;
        }
        twister->next = 0;
    }
    uint32_t word = twister->words[twister->next++];
    word ^= word >> 11;
    word ^= (word << 7) & 0x9d2c5680u;
    word ^= (word << 15) & 0xefc60000u;
    return word ^ (word >> 18);
}
