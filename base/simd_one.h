/* The operations of base/simd.h that formulas are written on, for one number, so that one text is
 * compiled for plain C and for vectors, with the same bits: single IEEE operations and operations
 * on the bits of a number. A truth is a word with all bits set or clear. Excludes base/simd.h. */
#ifndef BASE_SIMD_ONE_H
#define BASE_SIMD_ONE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/cpu.h"

typedef float simd_floats;
typedef uint32_t simd_words;

BASE_INLINE float simd_all(float x)
{
    return x;
}

BASE_INLINE uint32_t simd_all_words(uint32_t word)
{
    return word;
}

BASE_INLINE uint32_t simd_as_word(float x)
{
    uint32_t word = 0;
    memcpy(&word, &x, sizeof word);
    return word;
}

BASE_INLINE float simd_as_number(uint32_t word)
{
    float x = 0.0f;
    memcpy(&x, &word, sizeof x);
    return x;
}

BASE_INLINE float simd_add(float a, float b)
{
    return a + b;
}

BASE_INLINE float simd_sub(float a, float b)
{
    return a - b;
}

BASE_INLINE float simd_mul(float a, float b)
{
    return a * b;
}

BASE_INLINE float simd_div(float a, float b)
{
    return a / b;
}

/* a where one is NaN or both are equal, as simd_max. */
BASE_INLINE float simd_min(float a, float b)
{
    return b < a ? b : a;
}

BASE_INLINE float simd_max(float a, float b)
{
    return a < b ? b : a;
}

BASE_INLINE float simd_floor(float a)
{
    return floorf(a);
}

BASE_INLINE float simd_ceil(float a)
{
    return ceilf(a);
}

BASE_INLINE float simd_trunc(float a)
{
    return truncf(a);
}

BASE_INLINE float simd_round(float a)
{
    return rintf(a);
}

/* The square root of a number whose sign bit is clear. */
BASE_INLINE float simd_root(float a)
{
    return sqrtf(a);
}

/* Comparisons are false where one is NaN. */
BASE_INLINE uint32_t simd_lt(float a, float b)
{
    return a < b ? UINT32_MAX : 0;
}

BASE_INLINE uint32_t simd_le(float a, float b)
{
    return a <= b ? UINT32_MAX : 0;
}

BASE_INLINE uint32_t simd_eq(float a, float b)
{
    return a == b ? UINT32_MAX : 0;
}

BASE_INLINE uint32_t simd_ne(float a, float b)
{
    return simd_lt(a, b) | simd_lt(b, a);
}

BASE_INLINE uint32_t simd_and(uint32_t a, uint32_t b)
{
    return a & b;
}

BASE_INLINE uint32_t simd_or(uint32_t a, uint32_t b)
{
    return a | b;
}

BASE_INLINE uint32_t simd_xor(uint32_t a, uint32_t b)
{
    return a ^ b;
}

/* The bits of b that a has not. */
BASE_INLINE uint32_t simd_and_not(uint32_t a, uint32_t b)
{
    return ~a & b;
}

BASE_INLINE float simd_select(uint32_t truth, float yes, float no)
{
    return simd_as_number((truth & simd_as_word(yes)) | (~truth & simd_as_word(no)));
}

BASE_INLINE uint32_t simd_plus(uint32_t a, uint32_t b)
{
    return a + b;
}

BASE_INLINE uint32_t simd_left(uint32_t a, int bits)
{
    return a << bits;
}

/* Copies of the uppermost bit come in. */
BASE_INLINE uint32_t simd_right_signed(uint32_t a, int bits)
{
    const uint32_t sign = UINT32_C(0x80000000);
    return ((a ^ sign) >> bits) - (sign >> bits);
}

/* The number that a word of two's complement stands for; its size is below 2^24. */
BASE_INLINE float simd_signed_whole(uint32_t a)
{
    return (float)((int)(a + UINT32_C(0x1000000)) - 0x1000000);
}

#endif
