/* The operations of the executor in the operations of base/simd_one.h, or of base/simd.h where that
 * is included before, and the list of all of them. */
#ifndef RENDERER_SHADER_RUN_KERNELS_BODY_H
#define RENDERER_SHADER_RUN_KERNELS_BODY_H

#include "renderer/shader/math/terms.h"

BASE_INLINE simd_floats copy_of(simd_floats a)
{
    return a;
}

BASE_INLINE simd_floats frac_of(simd_floats a)
{
    return simd_sub(a, simd_floor(a));
}

/* Truths among numbers. */

BASE_INLINE simd_floats lt_of(simd_floats a, simd_floats b)
{
    return simd_as_number(simd_lt(a, b));
}

BASE_INLINE simd_floats le_of(simd_floats a, simd_floats b)
{
    return simd_as_number(simd_le(a, b));
}

BASE_INLINE simd_floats eq_of(simd_floats a, simd_floats b)
{
    return simd_as_number(simd_eq(a, b));
}

BASE_INLINE simd_floats ne_of(simd_floats a, simd_floats b)
{
    return simd_as_number(simd_ne(a, b));
}

BASE_INLINE simd_floats and_of(simd_floats a, simd_floats b)
{
    return simd_as_number(simd_and(simd_as_word(a), simd_as_word(b)));
}

BASE_INLINE simd_floats or_of(simd_floats a, simd_floats b)
{
    return simd_as_number(simd_or(simd_as_word(a), simd_as_word(b)));
}

BASE_INLINE simd_floats not_of(simd_floats a)
{
    return simd_as_number(simd_xor(simd_as_word(a), simd_all_words(UINT32_MAX)));
}

BASE_INLINE simd_floats select_of(simd_floats a, simd_floats b, simd_floats c)
{
    return simd_select(simd_as_word(a), b, c);
}

/* Two at once. */

BASE_INLINE simd_floats mul_add_of(simd_floats a, simd_floats b, simd_floats c)
{
    return simd_add(simd_mul(a, b), c);
}

BASE_INLINE simd_floats mul_sub_of(simd_floats a, simd_floats b, simd_floats c)
{
    return simd_sub(simd_mul(a, b), c);
}

BASE_INLINE simd_floats sub_mul_of(simd_floats a, simd_floats b, simd_floats c)
{
    return simd_sub(c, simd_mul(a, b));
}

BASE_INLINE simd_floats mul_mul_of(simd_floats a, simd_floats b, simd_floats c)
{
    return simd_mul(simd_mul(a, b), c);
}

BASE_INLINE simd_floats add_add_of(simd_floats a, simd_floats b, simd_floats c)
{
    return simd_add(simd_add(a, b), c);
}

BASE_INLINE simd_floats add_mul_of(simd_floats a, simd_floats b, simd_floats c)
{
    return simd_mul(simd_add(a, b), c);
}

BASE_INLINE simd_floats dif_mul_of(simd_floats a, simd_floats b, simd_floats c)
{
    return simd_mul(simd_sub(a, b), c);
}

BASE_INLINE simd_floats clamp_of(simd_floats a, simd_floats b, simd_floats c)
{
    return simd_min(simd_max(a, b), c);
}

/* KERNEL(arguments, SHADER_CODE_, name, function) of all operations. */
#define KERNELS(KERNEL)                                                                            \
    KERNEL(1, COPY, copy, copy_of)                                                                 \
    KERNEL(2, ADD, add, simd_add)                                                                  \
    KERNEL(2, SUB, sub, simd_sub)                                                                  \
    KERNEL(2, MUL, mul, simd_mul)                                                                  \
    KERNEL(2, DIV, div, lane_divide)                                                               \
    KERNEL(2, FMOD, fmod, lane_fmod)                                                               \
    KERNEL(2, MIN, min, simd_min)                                                                  \
    KERNEL(2, MAX, max, simd_max)                                                                  \
    KERNEL(1, NEG, neg, lane_neg)                                                                  \
    KERNEL(1, ABS, abs, lane_abs)                                                                  \
    KERNEL(1, FLOOR, floor, simd_floor)                                                            \
    KERNEL(1, CEIL, ceil, simd_ceil)                                                               \
    KERNEL(1, TRUNC, trunc, simd_trunc)                                                            \
    KERNEL(1, ROUND, round, simd_round)                                                            \
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

/* The operation over lanes, once for each choice of equal arguments. loop_1, loop_2 and loop_3
 * apply a function to lanes, with the steps of the arguments. */
#define KERNEL_STEP(equal, k) (((equal) >> (k)&1) != 0 ? 0 : SHADER_LANES)
#define KERNEL_LOOP_1(equal, function)                                                             \
    loop_1(result, a, KERNEL_STEP(equal, 0), count, function);                                     \
    (void)b;                                                                                       \
    (void)c
#define KERNEL_LOOP_2(equal, function)                                                             \
    loop_2(result, a, KERNEL_STEP(equal, 0), b, KERNEL_STEP(equal, 1), count, function);           \
    (void)c
#define KERNEL_LOOP_3(equal, function)                                                             \
    loop_3(result, a, KERNEL_STEP(equal, 0), b, KERNEL_STEP(equal, 1), c, KERNEL_STEP(equal, 2),   \
           count, function)
#define KERNEL_CHOICE(arguments_count, name, function, equal)                                      \
    static void name##_lanes_##equal(float *result, const float *a, const float *b,                \
                                     const float *c, size_t count)                                 \
    {                                                                                              \
        KERNEL_LOOP_##arguments_count(equal, function);                                            \
    }
#define KERNEL_CHOICES_1(name, function)                                                           \
    KERNEL_CHOICE(1, name, function, 0)                                                            \
    KERNEL_CHOICE(1, name, function, 1)
#define KERNEL_CHOICES_2(name, function)                                                           \
    KERNEL_CHOICE(2, name, function, 0)                                                            \
    KERNEL_CHOICE(2, name, function, 1)                                                            \
    KERNEL_CHOICE(2, name, function, 2)                                                            \
    KERNEL_CHOICE(2, name, function, 3)
#define KERNEL_CHOICES_3(name, function)                                                           \
    KERNEL_CHOICE(3, name, function, 0)                                                            \
    KERNEL_CHOICE(3, name, function, 1)                                                            \
    KERNEL_CHOICE(3, name, function, 2)                                                            \
    KERNEL_CHOICE(3, name, function, 3)                                                            \
    KERNEL_CHOICE(3, name, function, 4)                                                            \
    KERNEL_CHOICE(3, name, function, 5)                                                            \
    KERNEL_CHOICE(3, name, function, 6)                                                            \
    KERNEL_CHOICE(3, name, function, 7)
#define KERNEL_FUNCTION(arguments_count, NAME, name, function)                                     \
    KERNEL_CHOICES_##arguments_count(name, function)

/* Its places in the table. */
#define KERNEL_ROW_1(lanes)                                                                        \
    {                                                                                              \
        lanes##0, lanes##1, lanes##0, lanes##1, lanes##0, lanes##1, lanes##0, lanes##1             \
    }
#define KERNEL_ROW_2(lanes)                                                                        \
    {                                                                                              \
        lanes##0, lanes##1, lanes##2, lanes##3, lanes##0, lanes##1, lanes##2, lanes##3             \
    }
#define KERNEL_ROW_3(lanes)                                                                        \
    {                                                                                              \
        lanes##0, lanes##1, lanes##2, lanes##3, lanes##4, lanes##5, lanes##6, lanes##7             \
    }
#define KERNEL_ROW(arguments_count, NAME, name, function)                                          \
    [SHADER_CODE_##NAME] = KERNEL_ROW_##arguments_count(name##_lanes_),

#endif
