#include "base/random.h"

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
