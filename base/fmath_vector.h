/* Four doubles at a time, for fmath_lanes_avx2.c; empty without AVX2. */
#ifndef BASE_FMATH_VECTOR_H
#define BASE_FMATH_VECTOR_H

#if defined(__AVX2__)
#include <immintrin.h>

#define INLINE static inline __attribute__((always_inline))

enum { WIDTH = 4 };

struct parts {
    __m256d high;
    __m256d low;
};

INLINE __m256d all(double x)
{
    return _mm256_set1_pd(x);
}

INLINE __m256i all_bits(long long bits)
{
    return _mm256_set1_epi64x(bits);
}

INLINE __m256d as_number(__m256i bits)
{
    return _mm256_castsi256_pd(bits);
}

INLINE __m256i as_bits(__m256d x)
{
    return _mm256_castpd_si256(x);
}

INLINE __m256d negated(__m256d x)
{
    return _mm256_xor_pd(x, all(-0.0));
}

INLINE __m256d magnitude(__m256d x)
{
    return _mm256_andnot_pd(all(-0.0), x);
}

INLINE __m256d with_sign(__m256d size, __m256d sign)
{
    return _mm256_or_pd(size, _mm256_and_pd(sign, all(-0.0)));
}

/* mask ? yes : no, by the sign bit of the mask */
INLINE __m256d choose(__m256d mask, __m256d yes, __m256d no)
{
    return _mm256_blendv_pd(no, yes, mask);
}

INLINE __m256d below(__m256d a, __m256d b)
{
    return _mm256_cmp_pd(a, b, _CMP_LT_OQ);
}

INLINE __m256d at_most(__m256d a, __m256d b)
{
    return _mm256_cmp_pd(a, b, _CMP_LE_OQ);
}

INLINE __m256d truncated(__m256d x)
{
    return _mm256_round_pd(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}

INLINE __m256d upper_half(__m256d x)
{
    return as_number(_mm256_and_si256(as_bits(x), all_bits(~0x7ffffffLL)));
}

INLINE struct parts exact_sum(__m256d a, __m256d b)
{
    const __m256d sum = a + b;
    const __m256d b_part = sum - a;
    const __m256d a_part = sum - b_part;
    return (struct parts){sum, (a - a_part) + (b - b_part)};
}

INLINE struct parts exact_product(__m256d a, __m256d b)
{
    const __m256d product = a * b;
    const __m256d a_high = upper_half(a);
    const __m256d b_high = upper_half(b);
    const __m256d a_low = a - a_high;
    const __m256d b_low = b - b_high;
    const __m256d error =
        ((a_high * b_high - product) + (a_high * b_low + a_low * b_high)) + a_low * b_low;
    return (struct parts){product, error};
}
#endif

#endif
