/* Vectors of eight pixels, for span_shade.h; empty without AVX2. */
#ifndef RENDERER_DRAW_SPAN_EIGHT_H
#define RENDERER_DRAW_SPAN_EIGHT_H

#if defined(__AVX2__)
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"
#include "renderer/draw/span.h"

enum { LANES = 8, HALF_LANES = 4 };

/* The processor's operations, of vectors as wide as these and half as wide; BITS are those that do
 * not look at lanes. */
#define VECTOR(operation) _mm256_##operation
#define BITS(operation)   _mm256_##operation##_si256
#define HALF(operation)   _mm_##operation

typedef __m256 floats;
typedef __m256d doubles; /* HALF_LANES of them */
typedef __m256i words;
typedef __m128i half_words;

/* Some of the lanes. */
typedef __m256i lanes;

BASE_INLINE words words_load(const uint32_t *at)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)at);
}

BASE_INLINE void words_store(uint32_t *at, words value)
{
    _mm256_storeu_si256((__m256i *)(void *)at, value);
}

BASE_INLINE words words_in_order(void)
{
    return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
}

BASE_INLINE doubles doubles_in_order(void)
{
    return _mm256_setr_pd(0, 1, 2, 3);
}

BASE_INLINE words words_of_four(__m128i four)
{
    return _mm256_broadcastsi128_si256(four);
}

/* The lower half of each word from the one, the upper from the other. */
BASE_INLINE words lower_upper(words lower, words upper)
{
    return _mm256_blend_epi16(lower, upper, 0xAA);
}

/* In how many lanes the one is greater. */
BASE_INLINE size_t greater_lanes(floats one, floats other)
{
    const int bits = _mm256_movemask_ps(_mm256_cmp_ps(one, other, _CMP_GT_OQ));
    return (size_t)__builtin_popcount((unsigned)bits);
}

BASE_INLINE lanes lanes_below(size_t count)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count), words_in_order());
}

BASE_INLINE lanes lanes_between(int first, int end)
{
    return _mm256_and_si256(_mm256_cmpgt_epi32(_mm256_set1_epi32(end), words_in_order()),
                            _mm256_cmpgt_epi32(words_in_order(), _mm256_set1_epi32(first - 1)));
}

/* Of 16-bit numbers, those bits of the mask, and others. */
BASE_INLINE words words_masked(words value, int mask, int others)
{
    const words some = _mm256_and_si256(value, _mm256_set1_epi16((short)mask));
    return others == 0 ? some : _mm256_or_si256(some, _mm256_set1_epi16((short)others));
}

/* Of each word the bits of the mask, which the other does not have, and the other's. */
BASE_INLINE words words_chosen(int mask, words value, words other)
{
    return _mm256_or_si256(_mm256_and_si256(value, _mm256_set1_epi32(mask)), other);
}

BASE_INLINE words words_load_some(const uint32_t *at, lanes some)
{
    return _mm256_maskload_epi32((const int *)(const void *)at, some);
}

BASE_INLINE void words_store_some(uint32_t *at, lanes some, words value)
{
    _mm256_maskstore_epi32((int *)(void *)at, some, value);
}

/* HALF_LANES runs. */
struct some_runs {
    half_words first;
    half_words end;
};

/* {0, 0} beyond count. */
BASE_INLINE struct some_runs runs_load(const struct rend_run *runs, size_t count)
{
    const lanes both = lanes_below(2 * count);
    const __m256 all =
        _mm256_castsi256_ps(words_load_some((const uint32_t *)(const void *)runs, both));
    const __m128 low = _mm256_castps256_ps128(all);
    const __m128 high = _mm256_extractf128_ps(all, 1);
    return (struct some_runs){_mm_castps_si128(_mm_shuffle_ps(low, high, 0x88)),
                              _mm_castps_si128(_mm_shuffle_ps(low, high, 0xDD))};
}

BASE_INLINE words runs_words(const struct some_runs *some)
{
    return _mm256_set_m128i(_mm_unpackhi_epi32(some->first, some->end),
                            _mm_unpacklo_epi32(some->first, some->end));
}

#endif

#endif
