#include "base/rng.h"

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
