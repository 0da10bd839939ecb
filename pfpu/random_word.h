/* Words for trials of programs for the coprocessor. */
#ifndef PFPU_RANDOM_WORD_H
#define PFPU_RANDOM_WORD_H

#include "base/rng.h"
#include "pfpu/alu.h"

/* Floats that equations have, integers, rare ones, and any word at all. */
static inline uint32_t pfpu_random_word(struct base_rng *rng)
{
    const uint32_t bits = base_rng_next(rng);
    switch (base_rng_next(rng) % 8) {
    case 0:
        return bits;
    case 1:
        return 0;
    case 2:
        return pfpu_word_of_number((double)(int32_t)bits);
    case 3:
        return bits % 16384;
    case 4:
        return pfpu_word_of_number((double)(int32_t)bits * 0x1p-60);
    default:
        return pfpu_word_of_number((double)(int32_t)bits * 0x1p-29);
    }
}

#endif
