/* The operations of the executor in the operations of lanes_one.h, or of lanes_eight.h where that
 * is included before, and the list of all of them. */
#ifndef RENDERER_SHADER_RUN_KERNELS_BODY_H
#define RENDERER_SHADER_RUN_KERNELS_BODY_H

#include "renderer/shader/math/terms.h"

BASE_INLINE LANE_NUMBER copy_of(LANE_NUMBER a)
{
    return a;
}

BASE_INLINE LANE_NUMBER frac_of(LANE_NUMBER a)
{
    return lane_sub(a, lane_floor(a));
}

/* Truths among numbers. */

BASE_INLINE LANE_NUMBER lt_of(LANE_NUMBER a, LANE_NUMBER b)
{
    return lane_as_number(lane_lt(a, b));
}

BASE_INLINE LANE_NUMBER le_of(LANE_NUMBER a, LANE_NUMBER b)
{
    return lane_as_number(lane_le(a, b));
}

BASE_INLINE LANE_NUMBER eq_of(LANE_NUMBER a, LANE_NUMBER b)
{
    return lane_as_number(lane_eq(a, b));
}

BASE_INLINE LANE_NUMBER ne_of(LANE_NUMBER a, LANE_NUMBER b)
{
    return lane_as_number(lane_ne(a, b));
}

BASE_INLINE LANE_NUMBER and_of(LANE_NUMBER a, LANE_NUMBER b)
{
    return lane_as_number(lane_and(lane_as_word(a), lane_as_word(b)));
}

BASE_INLINE LANE_NUMBER or_of(LANE_NUMBER a, LANE_NUMBER b)
{
    return lane_as_number(lane_or(lane_as_word(a), lane_as_word(b)));
}

BASE_INLINE LANE_NUMBER not_of(LANE_NUMBER a)
{
    return lane_as_number(lane_xor(lane_as_word(a), lane_all_words(UINT32_MAX)));
}

BASE_INLINE LANE_NUMBER select_of(LANE_NUMBER a, LANE_NUMBER b, LANE_NUMBER c)
{
    return lane_select(lane_as_word(a), b, c);
}

/* Two at once. */

BASE_INLINE LANE_NUMBER mul_add_of(LANE_NUMBER a, LANE_NUMBER b, LANE_NUMBER c)
{
    return lane_add(lane_mul(a, b), c);
}

BASE_INLINE LANE_NUMBER mul_sub_of(LANE_NUMBER a, LANE_NUMBER b, LANE_NUMBER c)
{
    return lane_sub(lane_mul(a, b), c);
}

BASE_INLINE LANE_NUMBER sub_mul_of(LANE_NUMBER a, LANE_NUMBER b, LANE_NUMBER c)
{
    return lane_sub(c, lane_mul(a, b));
}

BASE_INLINE LANE_NUMBER mul_mul_of(LANE_NUMBER a, LANE_NUMBER b, LANE_NUMBER c)
{
    return lane_mul(lane_mul(a, b), c);
}

BASE_INLINE LANE_NUMBER add_add_of(LANE_NUMBER a, LANE_NUMBER b, LANE_NUMBER c)
{
    return lane_add(lane_add(a, b), c);
}

BASE_INLINE LANE_NUMBER add_mul_of(LANE_NUMBER a, LANE_NUMBER b, LANE_NUMBER c)
{
    return lane_mul(lane_add(a, b), c);
}

BASE_INLINE LANE_NUMBER dif_mul_of(LANE_NUMBER a, LANE_NUMBER b, LANE_NUMBER c)
{
    return lane_mul(lane_sub(a, b), c);
}

BASE_INLINE LANE_NUMBER clamp_of(LANE_NUMBER a, LANE_NUMBER b, LANE_NUMBER c)
{
    return lane_min(lane_max(a, b), c);
}

/* KERNEL(arguments, SHADER_CODE_, name, function) of all operations. */
#define KERNELS(KERNEL)                                                                            \
    KERNEL(1, COPY, copy, copy_of)                                                                 \
    KERNEL(2, ADD, add, lane_add)                                                                  \
    KERNEL(2, SUB, sub, lane_sub)                                                                  \
    KERNEL(2, MUL, mul, lane_mul)                                                                  \
    KERNEL(2, DIV, div, lane_divide)                                                               \
    KERNEL(2, FMOD, fmod, lane_fmod)                                                               \
    KERNEL(2, MIN, min, lane_min)                                                                  \
    KERNEL(2, MAX, max, lane_max)                                                                  \
    KERNEL(1, NEG, neg, lane_neg)                                                                  \
    KERNEL(1, ABS, abs, lane_abs)                                                                  \
    KERNEL(1, FLOOR, floor, lane_floor)                                                            \
    KERNEL(1, CEIL, ceil, lane_ceil)                                                               \
    KERNEL(1, TRUNC, trunc, lane_trunc)                                                            \
    KERNEL(1, ROUND, round, lane_round)                                                            \
    KERNEL(1, FRAC, frac, frac_of)                                                                 \
    KERNEL(1, SQRT, sqrt, lane_sqrt)                                                               \
    KERNEL(1, RSQRT, rsqrt, lane_rsqrt)                                                            \
    KERNEL(1, SIN, sin, lane_sin)                                                                  \
    KERNEL(1, COS, cos, lane_cos)                                                                  \
    KERNEL(1, EXP2, exp2, lane_exp2)                                                               \
    KERNEL(1, LOG2, log2, lane_log2)                                                               \
    KERNEL(2, ATAN2, atan2, lane_atan2)                                                            \
    KERNEL(1, ASIN, asin, lane_asin)                                                               \
    KERNEL(1, ACOS, acos, lane_acos)                                                               \
    KERNEL(2, LT, lt, lt_of)                                                                       \
    KERNEL(2, LE, le, le_of)                                                                       \
    KERNEL(2, EQ, eq, eq_of)                                                                       \
    KERNEL(2, NE, ne, ne_of)                                                                       \
    KERNEL(2, AND, and, and_of)                                                                    \
    KERNEL(2, OR, or, or_of)                                                                       \
    KERNEL(1, NOT, not, not_of)                                                                    \
    KERNEL(3, SELECT, select, select_of)                                                           \
    KERNEL(3, MUL_ADD, mul_add, mul_add_of)                                                        \
    KERNEL(3, MUL_SUB, mul_sub, mul_sub_of)                                                        \
    KERNEL(3, SUB_MUL, sub_mul, sub_mul_of)                                                        \
    KERNEL(3, MUL_MUL, mul_mul, mul_mul_of)                                                        \
    KERNEL(3, ADD_ADD, add_add, add_add_of)                                                        \
    KERNEL(3, ADD_MUL, add_mul, add_mul_of)                                                        \
    KERNEL(3, DIF_MUL, dif_mul, dif_mul_of)                                                        \
    KERNEL(3, CLAMP, clamp, clamp_of)

/* The operation over lanes; each_1, each_2 and each_3 apply a function to them. */
#define KERNEL_FUNCTION(arguments_count, NAME, name, function)                                     \
    static void name##_lanes(float *result, const struct shader_lanes *arguments, size_t count)    \
    {                                                                                              \
        each_##arguments_count(result, arguments, count, function);                                \
    }

/* Its place in the table. */
#define KERNEL_ROW(arguments_count, NAME, name, function) [SHADER_CODE_##NAME] = name##_lanes,

#endif
