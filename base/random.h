/* Hashes of data and random numbers, the same on every machine; neither is for security. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* A 64-bit hash for numbers that reach pixels, and for tables. */

enum { BASE_HASH_START = 0 };

/* Continues `hash` (BASE_HASH_START at first) over size bytes. Cutting the data differently gives
 * another hash. */
uint64_t base_hash(uint64_t hash, const void *data, size_t size);

/* CRC-32 as in zlib and PNG: polynomial EDB88320, reflected. */

enum { BASE_CRC32_START = 0 };

/* Continues `crc` (BASE_CRC32_START at first) over size bytes; cutting the data differently changes
 * nothing. */
uint32_t base_crc32(uint32_t crc, const void *data, size_t size);

/* Seeded random numbers (PCG32: O'Neill, "PCG: A Family of Simple Fast Space-Efficient
 * Statistically Good Algorithms for Random Number Generation", 2014). Plain state, copyable. */

struct base_rng {
    uint64_t state;
    uint64_t stream;
};

/* Same seed and stream: same numbers. Different streams of one seed are independent. */
void base_rng_seed(struct base_rng *rng, uint64_t seed, uint64_t stream);

uint32_t base_rng_next(struct base_rng *rng);

/* The Mersenne Twister MT19937 (Matsumoto and Nishimura, "Mersenne Twister: A 623-dimensionally
 * equidistributed uniform pseudorandom number generator", 1998): the numbers that `rand` in
 * equations is made of (spec/milk-expressions.md section 6). Plain state, copyable. Everything
 * else takes base_rng. */

enum { BASE_TWISTER_WORDS = 624 };

struct base_twister {
    uint32_t words[BASE_TWISTER_WORDS];
    size_t next; /* word to be given next; BASE_TWISTER_WORDS: all are used up */
};

void base_twister_seed(struct base_twister *twister, uint32_t seed);

/* Now and then renews all words, which costs about a microsecond. */
uint32_t base_twister_next(struct base_twister *twister);

#endif
