/* What span_eight.h has, for sixteen pixels; empty without AVX-512. */
#ifndef RENDERER_DRAW_SPAN_SIXTEEN_H
#define RENDERER_DRAW_SPAN_SIXTEEN_H

#if defined(__AVX512F__)
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"
#include "renderer/draw/span.h"

enum { LANES = 16, HALF_LANES = 8 };

#define VECTOR(operation) _mm512_##operation
#define BITS(operation)   _mm512_##operation##_si512
#define HALF(operation)   _mm256_##operation

typedef __m512 floats;
typedef __m512d doubles;
typedef __m512i words;
typedef __m256i half_words;
typedef __mmask16 lanes;

BASE_INLINE words words_load(const uint32_t *at)
{
    return _mm512_loadu_si512(at);
}

BASE_INLINE void words_store(uint32_t *at, words value)
{
    _mm512_storeu_si512(at, value);
}

BASE_INLINE doubles doubles_in_order(void)
{
    return _mm512_setr_pd(0, 1, 2, 3, 4, 5, 6, 7);
}

BASE_INLINE words words_in_order(void)
{
    return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

BASE_INLINE words words_of_four(__m128i four)
{
    return _mm512_broadcast_i32x4(four);
}

/* The lower half of each word from the one, the upper from the other. */
BASE_INLINE words lower_upper(words lower, words upper)
{
    return _mm512_mask_blend_epi16(0xAAAAAAAA, lower, upper);
}

/* In how many lanes the one is greater. */
BASE_INLINE size_t greater_lanes(floats one, floats other)
{
    return (size_t)__builtin_popcount(_mm512_cmp_ps_mask(one, other, _CMP_GT_OQ));
}

BASE_INLINE lanes lanes_below(size_t count)
{
    const uint32_t bits = count < LANES ? (1U << count) - 1 : UINT16_MAX;
    return (lanes)bits;
}

BASE_INLINE lanes lanes_between(int first, int end)
{
    const uint32_t below_end = end < LANES ? (1U << end) - 1 : UINT16_MAX;
    return (lanes)(below_end & UINT32_MAX << (first > 0 ? first : 0));
}

/* By tables of three bits: value and mask, or others. */
BASE_INLINE words words_masked(words value, int mask, int others)
{
    return _mm512_ternarylogic_epi32(value, _mm512_set1_epi16((short)mask),
                                     _mm512_set1_epi16((short)others), 0xEA);
}

BASE_INLINE words words_chosen(int mask, words value, words other)
{
    return _mm512_ternarylogic_epi32(value, _mm512_set1_epi32(mask), other, 0xEA);
}

BASE_INLINE words words_load_some(const uint32_t *at, lanes some)
{
    return _mm512_maskz_loadu_epi32(some, at);
}

BASE_INLINE void words_store_some(uint32_t *at, lanes some, words value)
{
    _mm512_mask_storeu_epi32(at, some, value);
}

struct some_runs {
    half_words first;
    half_words end;
};

BASE_INLINE struct some_runs runs_load(const struct rend_run *runs, size_t count)
{
    const lanes both = lanes_below(2 * count);
    const __m512i all = words_load_some((const uint32_t *)(const void *)runs, both);
    return (struct some_runs){_mm512_cvtepi64_epi32(all),
                              _mm512_cvtepi64_epi32(_mm512_srli_epi64(all, 32))};
}

BASE_INLINE words runs_words(const struct some_runs *some)
{
    return _mm512_or_si512(_mm512_cvtepu32_epi64(some->first),
                           _mm512_slli_epi64(_mm512_cvtepu32_epi64(some->end), 32));
}
#endif

#endif
