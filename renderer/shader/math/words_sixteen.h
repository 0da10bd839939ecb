/* What words_eight.h has, for sixteen words; empty without AVX-512. */
#ifndef RENDERER_SHADER_MATH_WORDS_SIXTEEN_H
#define RENDERER_SHADER_MATH_WORDS_SIXTEEN_H

#if defined(__AVX512F__)
#include <stdbool.h>

#include "renderer/shader/math/lanes_sixteen.h"
#include "renderer/shader/math/words_twos.h"

#define VECTOR(operation) _mm512_##operation

BASE_INLINE __m512i words_load(const uint32_t *words)
{
    return _mm512_loadu_si512(words);
}

BASE_INLINE __m512i words_in_order(void)
{
    return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

BASE_INLINE __m512i words_of_bytes(__m128i bytes)
{
    return _mm512_broadcast_i32x4(bytes);
}

BASE_INLINE uint32_t words_first(__m512i words)
{
    return (uint32_t)_mm512_cvtsi512_si32(words);
}

BASE_INLINE uint32_t words_last(__m512i words)
{
    return (uint32_t)_mm_extract_epi32(_mm512_extracti32x4_epi32(words, 3), 3);
}

BASE_INLINE __m512i words_all_first(__m512i words)
{
    return _mm512_broadcastd_epi32(_mm512_castsi512_si128(words));
}

BASE_INLINE bool words_all_zero(__m512i words)
{
    return _mm512_test_epi32_mask(words, words) == 0;
}

BASE_INLINE __m512i words_equal(__m512i a, __m512i b)
{
    return _mm512_movm_epi32(_mm512_cmpeq_epi32_mask(a, b));
}

BASE_INLINE __m512i words_joined(__m512i a, __m512i b)
{
    return _mm512_mask_blend_epi16(0xAAAAAAAA, a, b);
}

BASE_INLINE int words_smallest(__m512i numbers)
{
    return _mm512_reduce_min_epi32(numbers);
}

BASE_INLINE int words_largest(__m512i numbers)
{
    return _mm512_reduce_max_epi32(numbers);
}

typedef __mmask16 words_mask;

BASE_INLINE words_mask words_positive(__m512i words)
{
    return _mm512_cmpgt_epi32_mask(words, _mm512_setzero_si512());
}

BASE_INLINE __m512i words_gathered(const uint32_t *from, __m512i at, words_mask mask)
{
    return _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), mask, at, from, sizeof *from);
}

BASE_INLINE __m512i words_twos(const uint32_t *from, const uint32_t at[LANE_COUNT])
{
    const __m256i low = words_four_twos(from, at);
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), words_four_twos(from, at + 8), 1);
}

BASE_INLINE void words_store(uint32_t *to, __m512i words)
{
    _mm512_storeu_si512(to, words);
}
#endif

#endif
