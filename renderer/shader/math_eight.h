/* What math_one.h has, for eight numbers; empty without AVX2. */
#ifndef RENDERER_SHADER_MATH_EIGHT_H
#define RENDERER_SHADER_MATH_EIGHT_H

#if defined(__AVX2__)
#include <immintrin.h>
#include <stdint.h>

#include "base/inline.h"

#define LANE_NUMBER __m256
#define LANE_WORD   __m256i

enum { LANE_COUNT = 8 };

BASE_INLINE __m256 lane_load(const float *numbers)
{
    return _mm256_loadu_ps(numbers);
}

BASE_INLINE void lane_store(float *numbers, __m256 a)
{
    _mm256_storeu_ps(numbers, a);
}

/* Of eight equal numbers. */
BASE_INLINE __m256 lane_load_equal(const float *numbers)
{
    return _mm256_loadu_ps(numbers);
}

/* The first eight lanes. */
BASE_INLINE __m256 lane_load_eight(const float *numbers)
{
    return _mm256_loadu_ps(numbers);
}

BASE_INLINE void lane_store_eight(float *numbers, __m256 a)
{
    _mm256_storeu_ps(numbers, a);
}

BASE_INLINE __m256 lane_all(float x)
{
    return _mm256_set1_ps(x);
}

BASE_INLINE __m256i lane_all_words(uint32_t word)
{
    return _mm256_set1_epi32((int)word);
}

BASE_INLINE __m256i lane_as_word(__m256 x)
{
    return _mm256_castps_si256(x);
}

BASE_INLINE __m256 lane_as_number(__m256i word)
{
    return _mm256_castsi256_ps(word);
}

BASE_INLINE __m256 lane_add(__m256 a, __m256 b)
{
    return _mm256_add_ps(a, b);
}

BASE_INLINE __m256 lane_sub(__m256 a, __m256 b)
{
    return _mm256_sub_ps(a, b);
}

BASE_INLINE __m256 lane_mul(__m256 a, __m256 b)
{
    return _mm256_mul_ps(a, b);
}

BASE_INLINE __m256 lane_div(__m256 a, __m256 b)
{
    return _mm256_div_ps(a, b);
}

/* The processor gives its second operand where one is NaN or both are equal. */
BASE_INLINE __m256 lane_min(__m256 a, __m256 b)
{
    return _mm256_min_ps(b, a);
}

BASE_INLINE __m256 lane_max(__m256 a, __m256 b)
{
    return _mm256_max_ps(b, a);
}

BASE_INLINE __m256 lane_floor(__m256 a)
{
    return _mm256_round_ps(a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}

BASE_INLINE __m256 lane_ceil(__m256 a)
{
    return _mm256_round_ps(a, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
}

BASE_INLINE __m256 lane_trunc(__m256 a)
{
    return _mm256_round_ps(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}

BASE_INLINE __m256 lane_round(__m256 a)
{
    return _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

BASE_INLINE __m256 lane_root(__m256 a)
{
    return _mm256_sqrt_ps(a);
}

BASE_INLINE __m256i lane_lt(__m256 a, __m256 b)
{
    return lane_as_word(_mm256_cmp_ps(a, b, _CMP_LT_OQ));
}

BASE_INLINE __m256i lane_le(__m256 a, __m256 b)
{
    return lane_as_word(_mm256_cmp_ps(a, b, _CMP_LE_OQ));
}

BASE_INLINE __m256i lane_eq(__m256 a, __m256 b)
{
    return lane_as_word(_mm256_cmp_ps(a, b, _CMP_EQ_OQ));
}

BASE_INLINE __m256i lane_ne(__m256 a, __m256 b)
{
    return lane_as_word(_mm256_cmp_ps(a, b, _CMP_NEQ_OQ));
}

BASE_INLINE __m256i lane_and(__m256i a, __m256i b)
{
    return _mm256_and_si256(a, b);
}

BASE_INLINE __m256i lane_or(__m256i a, __m256i b)
{
    return _mm256_or_si256(a, b);
}

BASE_INLINE __m256i lane_xor(__m256i a, __m256i b)
{
    return _mm256_xor_si256(a, b);
}

BASE_INLINE __m256i lane_and_not(__m256i a, __m256i b)
{
    return _mm256_andnot_si256(a, b);
}

BASE_INLINE __m256 lane_choose(__m256i truth, __m256 yes, __m256 no)
{
    return _mm256_blendv_ps(no, yes, lane_as_number(truth));
}

BASE_INLINE __m256i lane_plus(__m256i a, __m256i b)
{
    return _mm256_add_epi32(a, b);
}

BASE_INLINE __m256i lane_left(__m256i a, int bits)
{
    return _mm256_slli_epi32(a, bits);
}

BASE_INLINE __m256i lane_right_signed(__m256i a, int bits)
{
    return _mm256_srai_epi32(a, bits);
}

BASE_INLINE __m256 lane_signed_whole(__m256i a)
{
    return _mm256_cvtepi32_ps(a);
}
#endif

#endif
