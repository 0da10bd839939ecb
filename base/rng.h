/* Seeded random numbers (PCG32: O'Neill, "PCG: A Family of Simple Fast Space-Efficient
 * Statistically Good Algorithms for Random Number Generation", 2014). Plain state, copyable. */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

struct base_rng {
    uint64_t state;
    uint64_t stream;
};

/* Same seed and stream: same numbers. Different streams of one seed are independent. */
void base_rng_seed(struct base_rng *rng, uint64_t seed, uint64_t stream);

uint32_t base_rng_next(struct base_rng *rng);

#endif
