/* What math_one.h has, for sixteen numbers; empty without AVX-512. */
#ifndef RENDERER_SHADER_MATH_SIXTEEN_H
#define RENDERER_SHADER_MATH_SIXTEEN_H

#if defined(__AVX512F__)
#include <immintrin.h>
#include <stdint.h>

#include "base/inline.h"

#define LANE_NUMBER __m512
#define LANE_WORD   __m512i

enum { LANE_COUNT = 16 };

BASE_INLINE __m512 lane_load(const float *numbers)
{
    return _mm512_loadu_ps(numbers);
}

BASE_INLINE void lane_store(float *numbers, __m512 a)
{
    _mm512_storeu_ps(numbers, a);
}

/* Of eight equal numbers. */
BASE_INLINE __m512 lane_load_equal(const float *numbers)
{
    return _mm512_set1_ps(numbers[0]);
}

/* The first eight lanes; the others are like them. */
BASE_INLINE __m512 lane_load_eight(const float *numbers)
{
    return _mm512_broadcast_f32x8(_mm256_loadu_ps(numbers));
}

BASE_INLINE void lane_store_eight(float *numbers, __m512 a)
{
    _mm512_mask_storeu_ps(numbers, 0xFF, a);
}

BASE_INLINE __m512 lane_all(float x)
{
    return _mm512_set1_ps(x);
}

BASE_INLINE __m512i lane_all_words(uint32_t word)
{
    return _mm512_set1_epi32((int)word);
}

BASE_INLINE __m512i lane_as_word(__m512 x)
{
    return _mm512_castps_si512(x);
}

BASE_INLINE __m512 lane_as_number(__m512i word)
{
    return _mm512_castsi512_ps(word);
}

BASE_INLINE __m512 lane_add(__m512 a, __m512 b)
{
    return _mm512_add_ps(a, b);
}

BASE_INLINE __m512 lane_sub(__m512 a, __m512 b)
{
    return _mm512_sub_ps(a, b);
}

BASE_INLINE __m512 lane_mul(__m512 a, __m512 b)
{
    return _mm512_mul_ps(a, b);
}

BASE_INLINE __m512 lane_div(__m512 a, __m512 b)
{
    return _mm512_div_ps(a, b);
}

/* The processor gives its second operand where one is NaN or both are equal. */
BASE_INLINE __m512 lane_min(__m512 a, __m512 b)
{
    return _mm512_min_ps(b, a);
}

BASE_INLINE __m512 lane_max(__m512 a, __m512 b)
{
    return _mm512_max_ps(b, a);
}

BASE_INLINE __m512 lane_floor(__m512 a)
{
    return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}

BASE_INLINE __m512 lane_ceil(__m512 a)
{
    return _mm512_roundscale_ps(a, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
}

BASE_INLINE __m512 lane_trunc(__m512 a)
{
    return _mm512_roundscale_ps(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}

BASE_INLINE __m512 lane_round(__m512 a)
{
    return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

BASE_INLINE __m512 lane_root(__m512 a)
{
    return _mm512_sqrt_ps(a);
}

BASE_INLINE __m512i lane_lt(__m512 a, __m512 b)
{
    return _mm512_movm_epi32(_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ));
}

BASE_INLINE __m512i lane_le(__m512 a, __m512 b)
{
    return _mm512_movm_epi32(_mm512_cmp_ps_mask(a, b, _CMP_LE_OQ));
}

BASE_INLINE __m512i lane_eq(__m512 a, __m512 b)
{
    return _mm512_movm_epi32(_mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ));
}

BASE_INLINE __m512i lane_ne(__m512 a, __m512 b)
{
    return _mm512_movm_epi32(_mm512_cmp_ps_mask(a, b, _CMP_NEQ_OQ));
}

BASE_INLINE __m512i lane_and(__m512i a, __m512i b)
{
    return _mm512_and_si512(a, b);
}

BASE_INLINE __m512i lane_or(__m512i a, __m512i b)
{
    return _mm512_or_si512(a, b);
}

BASE_INLINE __m512i lane_xor(__m512i a, __m512i b)
{
    return _mm512_xor_si512(a, b);
}

BASE_INLINE __m512i lane_and_not(__m512i a, __m512i b)
{
    return _mm512_andnot_si512(a, b);
}

/* Bit for bit: truths have all bits set or none. As a table: a ? b : c. */
#define LANE_CHOICE 0xCA
BASE_INLINE __m512 lane_choose(__m512i truth, __m512 yes, __m512 no)
{
    return lane_as_number(
        _mm512_ternarylogic_epi32(truth, lane_as_word(yes), lane_as_word(no), LANE_CHOICE));
}

BASE_INLINE __m512i lane_plus(__m512i a, __m512i b)
{
    return _mm512_add_epi32(a, b);
}

BASE_INLINE __m512i lane_left(__m512i a, int bits)
{
    return _mm512_slli_epi32(a, (unsigned)bits);
}

BASE_INLINE __m512i lane_right_signed(__m512i a, int bits)
{
    return _mm512_srai_epi32(a, (unsigned)bits);
}

BASE_INLINE __m512 lane_signed_whole(__m512i a)
{
    return _mm512_cvtepi32_ps(a);
}
#endif

#endif
