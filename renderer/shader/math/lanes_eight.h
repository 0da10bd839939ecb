/* What lanes_one.h has, for eight numbers; empty without AVX2. */
#ifndef RENDERER_SHADER_MATH_LANES_EIGHT_H
#define RENDERER_SHADER_MATH_LANES_EIGHT_H

#if defined(__AVX2__)
#include <immintrin.h>
#include <stdint.h>

#include "base/cpu.h"

#define LANE_NUMBER __m256
#define LANE_WORD   __m256i

enum { LANE_COUNT = 8 };

#define LANE_OP(op)                _mm256_##op
#define LANE_SI(op)                _mm256_##op##_si256
#define LANE_FROM_WORD             _mm256_castsi256_ps
#define LANE_ROUNDED               _mm256_round_ps
#define LANE_COMPARED(a, b, which) _mm256_castps_si256(_mm256_cmp_ps(a, b, which))
#define LANE_BITS(bits)            (bits)

#include "renderer/shader/math/lanes_wide.h"

/* A vector of one number, which stands eight times at `numbers`. */
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

BASE_INLINE __m256 lane_select(__m256i truth, __m256 yes, __m256 no)
{
    return _mm256_blendv_ps(no, yes, lane_as_number(truth));
}
#endif

#endif
