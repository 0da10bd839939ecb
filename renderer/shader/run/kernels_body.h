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

/* Three at once. */

BASE_INLINE simd_floats mul_mul_sum_of(simd_floats a, simd_floats b, simd_floats c, simd_floats d)
{
    return simd_add(simd_mul(a, b), simd_mul(c, d));
}

BASE_INLINE simd_floats mul_mul_dif_of(simd_floats a, simd_floats b, simd_floats c, simd_floats d)
{
    return simd_sub(simd_mul(a, b), simd_mul(c, d));
}

BASE_INLINE simd_floats mul_mul_add_of(simd_floats a, simd_floats b, simd_floats c, simd_floats d)
{
    return simd_add(mul_mul_of(a, b, c), d);
}

BASE_INLINE simd_floats add_mul_add_of(simd_floats a, simd_floats b, simd_floats c, simd_floats d)
{
    return simd_add(add_mul_of(a, b, c), d);
}

BASE_INLINE simd_floats dif_mul_add_of(simd_floats a, simd_floats b, simd_floats c, simd_floats d)
{
    return simd_add(dif_mul_of(a, b, c), d);
}

BASE_INLINE simd_floats mul_add_add_of(simd_floats a, simd_floats b, simd_floats c, simd_floats d)
{
    return simd_add(mul_add_of(a, b, c), d);
}

BASE_INLINE simd_floats mul_add_sub_of(simd_floats a, simd_floats b, simd_floats c, simd_floats d)
{
    return simd_sub(mul_add_of(a, b, c), d);
}

BASE_INLINE simd_floats mul_add_mul_of(simd_floats a, simd_floats b, simd_floats c, simd_floats d)
{
    return simd_mul(mul_add_of(a, b, c), d);
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
    KERNEL(3, CLAMP, clamp, clamp_of)                                                              \
    KERNEL(4, MUL_MUL_SUM, mul_mul_sum, mul_mul_sum_of)                                            \
    KERNEL(4, MUL_MUL_DIF, mul_mul_dif, mul_mul_dif_of)                                            \
    KERNEL(4, MUL_MUL_ADD, mul_mul_add, mul_mul_add_of)                                            \
    KERNEL(4, ADD_MUL_ADD, add_mul_add, add_mul_add_of)                                            \
    KERNEL(4, DIF_MUL_ADD, dif_mul_add, dif_mul_add_of)                                            \
    KERNEL(4, MUL_ADD_ADD, mul_add_add, mul_add_add_of)                                            \
    KERNEL(4, MUL_ADD_SUB, mul_add_sub, mul_add_sub_of)                                            \
    KERNEL(4, MUL_ADD_MUL, mul_add_mul, mul_add_mul_of)

/* The operation over lanes, once for each choice of equal arguments. loop_1 to loop_4 apply a
 * function to lanes, with the steps of the arguments. */
#define KERNEL_STEP(equal, k)          (((equal) >> (k)&1) != 0 ? 0 : SHADER_LANES)
#define KERNEL_A(equal)                a, KERNEL_STEP(equal, 0)
#define KERNEL_B(equal)                b, KERNEL_STEP(equal, 1)
#define KERNEL_C(equal)                c, KERNEL_STEP(equal, 2)
#define KERNEL_D(equal)                d, KERNEL_STEP(equal, 3)
#define KERNEL_LOOP_1(equal, function) loop_1(result, KERNEL_A(equal), count, function)
#define KERNEL_LOOP_2(equal, function)                                                             \
    loop_2(result, KERNEL_A(equal), KERNEL_B(equal), count, function)
#define KERNEL_LOOP_3(equal, function)                                                             \
    loop_3(result, KERNEL_A(equal), KERNEL_B(equal), KERNEL_C(equal), count, function)
#define KERNEL_LOOP_4(equal, function)                                                             \
    loop_4(result, KERNEL_A(equal), KERNEL_B(equal), KERNEL_C(equal), KERNEL_D(equal), count,      \
           function)
#define KERNEL_CHOICE(arguments_count, name, function, equal)                                      \
    static void name##_lanes_##equal(float *result, const float *a, const float *b,                \
                                     const float *c, const float *d, size_t count)                 \
    {                                                                                              \
        KERNEL_LOOP_##arguments_count(equal, function);                                            \
        (void)b;                                                                                   \
        (void)c;                                                                                   \
        (void)d;                                                                                   \
    }
#define KERNEL_CHOICES_1(count, name, function)                                                    \
    KERNEL_CHOICE(count, name, function, 0)                                                        \
    KERNEL_CHOICE(count, name, function, 1)
#define KERNEL_CHOICES_2(count, name, function)                                                    \
    KERNEL_CHOICES_1(count, name, function)                                                        \
    KERNEL_CHOICE(count, name, function, 2)                                                        \
    KERNEL_CHOICE(count, name, function, 3)
#define KERNEL_CHOICES_3(count, name, function)                                                    \
    KERNEL_CHOICES_2(count, name, function)                                                        \
    KERNEL_CHOICE(count, name, function, 4)                                                        \
    KERNEL_CHOICE(count, name, function, 5)                                                        \
    KERNEL_CHOICE(count, name, function, 6)                                                        \
    KERNEL_CHOICE(count, name, function, 7)
#define KERNEL_CHOICES_4(count, name, function)                                                    \
    KERNEL_CHOICES_3(count, name, function)                                                        \
    KERNEL_CHOICE(count, name, function, 8)                                                        \
    KERNEL_CHOICE(count, name, function, 9)                                                        \
    KERNEL_CHOICE(count, name, function, 10)                                                       \
    KERNEL_CHOICE(count, name, function, 11)                                                       \
    KERNEL_CHOICE(count, name, function, 12)                                                       \
    KERNEL_CHOICE(count, name, function, 13)                                                       \
    KERNEL_CHOICE(count, name, function, 14)                                                       \
    KERNEL_CHOICE(count, name, function, 15)
#define KERNEL_FUNCTION(arguments_count, NAME, name, function)                                     \
    KERNEL_CHOICES_##arguments_count(arguments_count, name, function)

/* Its places in the table: choices beyond the arguments count as those without. */
#define KERNEL_TWO(lanes)   lanes##0, lanes##1
#define KERNEL_FOUR(lanes)  KERNEL_TWO(lanes), lanes##2, lanes##3
#define KERNEL_EIGHT(lanes) KERNEL_FOUR(lanes), lanes##4, lanes##5, lanes##6, lanes##7
#define KERNEL_ROW_1(lanes)                                                                        \
    {                                                                                              \
        KERNEL_TWO(lanes), KERNEL_TWO(lanes), KERNEL_TWO(lanes), KERNEL_TWO(lanes),                \
            KERNEL_TWO(lanes), KERNEL_TWO(lanes), KERNEL_TWO(lanes), KERNEL_TWO(lanes)             \
    }
#define KERNEL_ROW_2(lanes)                                                                        \
    {                                                                                              \
        KERNEL_FOUR(lanes), KERNEL_FOUR(lanes), KERNEL_FOUR(lanes), KERNEL_FOUR(lanes)             \
    }
#define KERNEL_ROW_3(lanes)                                                                        \
    {                                                                                              \
        KERNEL_EIGHT(lanes), KERNEL_EIGHT(lanes)                                                   \
    }
#define KERNEL_ROW_4(lanes)                                                                        \
    {                                                                                              \
        KERNEL_EIGHT(lanes), lanes##8, lanes##9, lanes##10, lanes##11, lanes##12, lanes##13,       \
            lanes##14, lanes##15                                                                   \
    }
#define KERNEL_ROW(arguments_count, NAME, name, function)                                          \
    [SHADER_CODE_##NAME] = KERNEL_ROW_##arguments_count(name##_lanes_),

#endif
