/* What the terms of terms.h and the operations of kernels_body.h are made of, for one number:
 * single IEEE operations and operations on the bits of a number. A truth is a word with all bits
 * set or clear. lanes_eight.h has the same for eight numbers. */
#ifndef RENDERER_SHADER_MATH_LANES_ONE_H
#define RENDERER_SHADER_MATH_LANES_ONE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/cpu.h"

#define LANE_NUMBER float
#define LANE_WORD   uint32_t

BASE_INLINE float lane_all(float x)
{
    return x;
}

BASE_INLINE uint32_t lane_all_words(uint32_t word)
{
    return word;
}

BASE_INLINE uint32_t lane_as_word(float x)
{
    uint32_t word = 0;
    memcpy(&word, &x, sizeof word);
    return word;
}

BASE_INLINE float lane_as_number(uint32_t word)
{
    float x = 0.0f;
    memcpy(&x, &word, sizeof x);
    return x;
}

BASE_INLINE float lane_add(float a, float b)
{
    return a + b;
}

BASE_INLINE float lane_sub(float a, float b)
{
    return a - b;
}

BASE_INLINE float lane_mul(float a, float b)
{
    return a * b;
}

BASE_INLINE float lane_div(float a, float b)
{
    return a / b;
}

/* a where one is NaN or both are equal, as lane_max. */
BASE_INLINE float lane_min(float a, float b)
{
    return b < a ? b : a;
}

BASE_INLINE float lane_max(float a, float b)
{
    return a < b ? b : a;
}

BASE_INLINE float lane_floor(float a)
{
    return floorf(a);
}

BASE_INLINE float lane_ceil(float a)
{
    return ceilf(a);
}

BASE_INLINE float lane_trunc(float a)
{
    return truncf(a);
}

BASE_INLINE float lane_round(float a)
{
    return rintf(a);
}

/* The square root of a number whose sign bit is clear. */
BASE_INLINE float lane_root(float a)
{
    return sqrtf(a);
}

/* Comparisons are false where one is NaN. */
BASE_INLINE uint32_t lane_lt(float a, float b)
{
    return a < b ? UINT32_MAX : 0;
}

BASE_INLINE uint32_t lane_le(float a, float b)
{
    return a <= b ? UINT32_MAX : 0;
}

BASE_INLINE uint32_t lane_eq(float a, float b)
{
    return a == b ? UINT32_MAX : 0;
}

BASE_INLINE uint32_t lane_ne(float a, float b)
{
    return lane_lt(a, b) | lane_lt(b, a);
}

BASE_INLINE uint32_t lane_and(uint32_t a, uint32_t b)
{
    return a & b;
}

BASE_INLINE uint32_t lane_or(uint32_t a, uint32_t b)
{
    return a | b;
}

BASE_INLINE uint32_t lane_xor(uint32_t a, uint32_t b)
{
    return a ^ b;
}

/* The bits of b that a has not. */
BASE_INLINE uint32_t lane_and_not(uint32_t a, uint32_t b)
{
    return ~a & b;
}

BASE_INLINE float lane_select(uint32_t truth, float yes, float no)
{
    return lane_as_number((truth & lane_as_word(yes)) | (~truth & lane_as_word(no)));
}

BASE_INLINE uint32_t lane_plus(uint32_t a, uint32_t b)
{
    return a + b;
}

BASE_INLINE uint32_t lane_left(uint32_t a, int bits)
{
    return a << bits;
}

/* Copies of the uppermost bit come in. */
BASE_INLINE uint32_t lane_right_signed(uint32_t a, int bits)
{
    const uint32_t sign = UINT32_C(0x80000000);
    return ((a ^ sign) >> bits) - (sign >> bits);
}

/* The number that a word of two's complement stands for; its size is below 2^24. */
BASE_INLINE float lane_signed_whole(uint32_t a)
{
    return (float)((int)(a + UINT32_C(0x1000000)) - 0x1000000);
}

#endif
