/* Words from places of their own, for words_eight.h and words_sixteen.h; empty without AVX2. */
#ifndef RENDERER_SHADER_MATH_WORDS_TWOS_H
#define RENDERER_SHADER_MATH_WORDS_TWOS_H

#if defined(__AVX2__)
#include <immintrin.h>
#include <stdint.h>

#include "base/cpu.h"

/* Two places, and at each a word and the one after it. Two loads are faster than a gather. */
BASE_INLINE __m128i words_two_twos(const uint32_t *from, const uint32_t at[2])
{
    const __m128i first = _mm_loadl_epi64((const __m128i *)(const void *)(from + at[0]));
    const __m128 both =
        _mm_loadh_pi(_mm_castsi128_ps(first), (const __m64 *)(const void *)(from + at[1]));
    return _mm_castps_si128(both);
}

/* The same for the four places at[0], at[1], at[4] and at[5]. */
BASE_INLINE __m256i words_four_twos(const uint32_t *from, const uint32_t at[6])
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(words_two_twos(from, at)),
                                   words_two_twos(from, at + 4), 1);
}
#endif

#endif
