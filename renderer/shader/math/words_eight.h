/* Whole numbers in eight words, beside lanes_eight.h; empty without AVX2. */
#ifndef RENDERER_SHADER_MATH_WORDS_EIGHT_H
#define RENDERER_SHADER_MATH_WORDS_EIGHT_H

#if defined(__AVX2__)
#include <stdbool.h>

#include "renderer/shader/math/lanes_eight.h"
#include "renderer/shader/math/words_twos.h"

/* The processor's operation, of vectors as wide as these. */
#define VECTOR(operation) _mm256_##operation

BASE_INLINE __m256i words_load(const uint32_t *words)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)words);
}

BASE_INLINE __m256i words_in_order(void)
{
    return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
}

/* The same bytes for every four words. */
BASE_INLINE __m256i words_of_bytes(__m128i bytes)
{
    return _mm256_broadcastsi128_si256(bytes);
}

BASE_INLINE uint32_t words_first(__m256i words)
{
    return (uint32_t)_mm_cvtsi128_si32(_mm256_castsi256_si128(words));
}

BASE_INLINE __m256i words_all_first(__m256i words)
{
    return _mm256_broadcastd_epi32(_mm256_castsi256_si128(words));
}

BASE_INLINE bool words_all_zero(__m256i words)
{
    return _mm256_testz_si256(words, words) != 0;
}

BASE_INLINE __m256i words_equal(__m256i a, __m256i b)
{
    return _mm256_cmpeq_epi32(a, b);
}

/* The lower halves of a, the upper ones of b. */
BASE_INLINE __m256i words_joined(__m256i a, __m256i b)
{
    return _mm256_blend_epi16(a, b, 0xAA);
}

/* The smallest of eight numbers of 0..65535. */
BASE_INLINE int words_smallest(__m256i numbers)
{
    const __m128i words =
        _mm_packus_epi32(_mm256_castsi256_si128(numbers), _mm256_extracti128_si256(numbers, 1));
    return _mm_extract_epi16(_mm_minpos_epu16(words), 0);
}

BASE_INLINE int words_largest(__m256i numbers)
{
    return INT16_MAX - words_smallest(_mm256_sub_epi32(_mm256_set1_epi32(INT16_MAX), numbers));
}

/* The mask of a gather. A gather without one waits for what its register held before; the compiler
 * cannot know that this mask has all bits set, and so keeps it. */
typedef __m256i words_mask;

BASE_INLINE words_mask words_positive(__m256i words)
{
    return _mm256_cmpgt_epi32(words, _mm256_setzero_si256());
}

BASE_INLINE __m256i words_gathered(const uint32_t *from, __m256i at, words_mask mask)
{
    return _mm256_mask_i32gather_epi32(_mm256_setzero_si256(), (const int *)(const void *)from, at,
                                       mask, sizeof *from);
}

BASE_INLINE __m256i words_twos(const uint32_t *from, const uint32_t at[LANE_COUNT])
{
    return words_four_twos(from, at);
}

BASE_INLINE void words_store(uint32_t *to, __m256i words)
{
    _mm256_storeu_si256((__m256i *)(void *)to, words);
}
#endif

#endif
