/* The Mersenne Twister MT19937 (Matsumoto and Nishimura, "Mersenne Twister: A 623-dimensionally
 * equidistributed uniform pseudorandom number generator", 1998): the numbers that `rand` in
 * equations is made of (spec/milk-expressions.md section 6). Plain state, copyable. For everything
 * else: rng.h. */
#ifndef BASE_TWISTER_H
#define BASE_TWISTER_H

#include <stddef.h>
#include <stdint.h>

enum { BASE_TWISTER_WORDS = 624 };

struct base_twister {
    uint32_t words[BASE_TWISTER_WORDS];
    size_t next; /* word to be given next; BASE_TWISTER_WORDS: all are used up */
};

void base_twister_seed(struct base_twister *twister, uint32_t seed);

/* Now and then renews all words, which costs about a microsecond. */
uint32_t base_twister_next(struct base_twister *twister);

#endif
