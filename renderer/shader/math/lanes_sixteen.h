/* What lanes_one.h has, for sixteen numbers; empty without AVX-512. */
#ifndef RENDERER_SHADER_MATH_LANES_SIXTEEN_H
#define RENDERER_SHADER_MATH_LANES_SIXTEEN_H

#if defined(__AVX512F__)
#include <immintrin.h>
#include <stdint.h>

#include "base/cpu.h"

#define LANE_NUMBER __m512
#define LANE_WORD   __m512i

enum { LANE_COUNT = 16 };

#define LANE_OP(op)                _mm512_##op
#define LANE_SI(op)                _mm512_##op##_si512
#define LANE_FROM_WORD             _mm512_castsi512_ps
#define LANE_ROUNDED               _mm512_roundscale_ps
#define LANE_COMPARED(a, b, which) _mm512_movm_epi32(_mm512_cmp_ps_mask(a, b, which))
#define LANE_BITS(bits)            (unsigned)(bits)

#include "renderer/shader/math/lanes_wide.h"

/* A vector of one number, which stands eight times at `numbers`. */
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

/* Bit for bit: truths have all bits set or none. As a table: a ? b : c. */
#define LANE_CHOICE 0xCA
BASE_INLINE __m512 lane_select(__m512i truth, __m512 yes, __m512 no)
{
    return lane_as_number(
        _mm512_ternarylogic_epi32(truth, lane_as_word(yes), lane_as_word(no), LANE_CHOICE));
}
#endif

#endif
