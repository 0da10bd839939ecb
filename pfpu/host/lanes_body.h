/* The operations over vectors of doubles of base/simd.h; empty without them. FMATH is the table of
 * elementary functions of the level. */
#ifndef PFPU_HOST_LANES_BODY_H
#define PFPU_HOST_LANES_BODY_H

#include "base/simd.h"

#if defined(BASE_SIMD)
#include <float.h>

#include "base/fmath.h"
#include "pfpu/host/lanes_code.h"
#include "pfpu/ir/arith.h"

/* The operations of arith.h on a vector of numbers. */

static inline simd_doubles all(double x)
{
    return SIMD(set1_pd)(x);
}

/* Of masks, and of the bits of numbers. */
static inline simd_doubles both(simd_doubles a, simd_doubles b)
{
    return (simd_doubles)((simd_words)a & (simd_words)b);
}

static inline simd_doubles either(simd_doubles a, simd_doubles b)
{
    return (simd_doubles)((simd_words)a | (simd_words)b);
}

static inline simd_doubles changed(simd_doubles x, simd_doubles sign)
{
    return (simd_doubles)((simd_words)x ^ (simd_words)sign);
}

/* b where a is not set */
static inline simd_doubles without(simd_doubles a, simd_doubles b)
{
    return (simd_doubles)simd_and_not((simd_words)a, (simd_words)b);
}

static inline simd_doubles magnitude(simd_doubles x)
{
    return without(all(-0.0), x);
}

/* Exponents 1..0x7fe are told by one comparison of the bits, moved to the end of the range. */
static inline simd_doubles filtered(simd_doubles x)
{
    const simd_words doubled = SIMD(slli_epi64)((simd_words)x, 1);
    const simd_words end = simd_all_long((uint64_t)(INT64_MAX - (INT64_C(1) << 53) + 1));
    const simd_long offset = (simd_long)SIMD(add_epi64)(doubled, end);
    return both(x, (simd_doubles)(offset < INT64_MAX - (INT64_C(1) << 54) + 1));
}

/* 1 where the mask is set, else 0 */
static inline simd_doubles number_of(simd_doubles mask)
{
    return both(mask, all(1.0));
}

/* 0 where the mask is set, else 1 */
static inline simd_doubles number_of_not(simd_doubles mask)
{
    return without(mask, all(1.0));
}

static inline simd_doubles is_true(simd_doubles x)
{
    return (simd_doubles)(magnitude(x) >= all(PFPU_CLOSE));
}

static inline simd_doubles is_above_close(simd_doubles x)
{
    return (simd_doubles)(magnitude(x) > all(PFPU_CLOSE));
}

/* Not for NaN. */
static inline simd_doubles is_unequal(simd_doubles a, simd_doubles b)
{
    return (simd_doubles)(magnitude(a - b) >= all(PFPU_CLOSE));
}

static inline simd_doubles select(simd_doubles condition, simd_doubles yes, simd_doubles no)
{
    return SIMD(blendv_pd)(no, yes, is_true(condition));
}

static inline simd_doubles sign(simd_doubles x)
{
    return either(both((simd_doubles)(x > all(0.0)), all(1.0)),
                  both((simd_doubles)(x < all(0.0)), all(-1.0)));
}

static inline simd_doubles take_sign(simd_doubles a, simd_doubles b)
{
    return changed(a, both((simd_doubles)(b == b), both(b, all(-0.0))));
}

static inline simd_doubles truncated(simd_doubles x)
{
    return simd_trunc_doubles(x);
}

/* As pfpu_magnitude; NaN is 0. */
static inline simd_doubles whole_magnitude(simd_doubles x)
{
    const simd_doubles size = magnitude(x);
    return both((simd_doubles)(x == x), truncated(SIMD(min_pd)(all(4294967295.0), size)));
}

/* The quotient's rounding never reaches the next whole number, and its product with b is exact. */
static inline simd_doubles modulo(simd_doubles a, simd_doubles b)
{
    const simd_doubles x = whole_magnitude(a);
    const simd_doubles y = whole_magnitude(b);
    const simd_doubles rest = x - truncated(x / y) * y;
    return both(rest, (simd_doubles)(y > all(0.0)));
}

static inline simd_doubles quake(simd_doubles a)
{
    const simd_half_words x = simd_floats_of(SIMD(min_pd)(magnitude(a), all((double)FLT_MAX)));
    return simd_doubles_of(
        SIMD_HALF(sub_epi32)(SIMD_HALF(set1_epi32)(0x5f3759df), SIMD_HALF(srli_epi32)(x, 1)));
}

#define LOOP(value)                                                                                \
    const double *at_a = operands[0].at;                                                           \
    const double *at_b = operands[1].at;                                                           \
    const double *at_c = operands[2].at;                                                           \
    const size_t step_a = operands[0].step * PFPU_LANES_WIDTH;                                     \
    const size_t step_b = operands[1].step * PFPU_LANES_WIDTH;                                     \
    const size_t step_c = operands[2].step * PFPU_LANES_WIDTH;                                     \
    for (size_t i = 0; i < count; i += PFPU_LANES_WIDTH) {                                         \
        for (size_t k = 0; k < PFPU_LANES_WIDTH; k += SIMD_HALF_LANES) {                           \
            const simd_doubles a = SIMD(loadu_pd)(at_a + k);                                       \
            const simd_doubles b = SIMD(loadu_pd)(at_b + k);                                       \
            const simd_doubles c = SIMD(loadu_pd)(at_c + k);                                       \
            (void)a, (void)b, (void)c;                                                             \
            SIMD(storeu_pd)(dst + i + k, value);                                                   \
        }                                                                                          \
        at_a += step_a;                                                                            \
        at_b += step_b;                                                                            \
        at_c += step_c;                                                                            \
    }

#define KERNEL(name, value)                                                                        \
    static void name(double *dst, const struct pfpu_lanes_operand operands[3], size_t count)       \
    {                                                                                              \
        LOOP(value)                                                                                \
    }                                                                                              \
    static void filtered_##name(double *dst, const struct pfpu_lanes_operand operands[3],          \
                                size_t count)                                                      \
    {                                                                                              \
        LOOP(filtered(value))                                                                      \
    }

#define KERNELS(ROW)                                                                               \
    ROW(COPY, a)                                                                                   \
    ROW(FILTER, filtered(a))                                                                       \
    ROW(ADD, a + b)                                                                                \
    ROW(SUB, a - b)                                                                                \
    ROW(MUL, a *b)                                                                                 \
    ROW(DIV, a / b)                                                                                \
    ROW(NEG, changed(a, all(-0.0)))                                                                \
    ROW(MUL_ADD, a *b + c)                                                                         \
    ROW(MUL_SUB, a *b - c)                                                                         \
    ROW(SUB_MUL, c - a * b)                                                                        \
    ROW(MOD, modulo(a, b))                                                                         \
    ROW(EQUAL, number_of_not(is_unequal(a, b)))                                                    \
    ROW(NOT_EQUAL, number_of(is_unequal(a, b)))                                                    \
    ROW(BELOW, number_of_not((simd_doubles)(a >= b)))                                              \
    ROW(ABOVE, number_of_not((simd_doubles)(a <= b)))                                              \
    ROW(BELOW_EQUAL, number_of((simd_doubles)(a <= b)))                                            \
    ROW(ABOVE_EQUAL, number_of((simd_doubles)(a >= b)))                                            \
    ROW(TRUTH, number_of(is_true(a)))                                                              \
    ROW(NOT, number_of_not(is_true(a)))                                                            \
    ROW(AND, number_of(both(is_true(a), is_true(b))))                                              \
    ROW(OR, number_of(either(is_true(a), is_true(b))))                                             \
    ROW(BAND, number_of(both(is_above_close(a), is_above_close(b))))                               \
    ROW(BOR, number_of(either(is_above_close(a), is_above_close(b))))                              \
    ROW(SELECT, select(a, b, c))                                                                   \
    ROW(MIN, SIMD(min_pd)(a, b))                                                                   \
    ROW(MAX, SIMD(max_pd)(a, b))                                                                   \
    ROW(ABS, magnitude(a))                                                                         \
    ROW(SIGN, sign(a))                                                                             \
    ROW(FLOOR, SIMD(floor_pd)(a))                                                                  \
    ROW(INT, SIMD(floor_pd)(a))                                                                    \
    ROW(TRUNC, truncated(a))                                                                       \
    ROW(TO_FLOAT, a)                                                                               \
    ROW(TAKE_SIGN, take_sign(a, b))                                                                \
    ROW(QUAKE, quake(a))                                                                           \
    ROW(CEIL, SIMD(ceil_pd)(a))                                                                    \
    ROW(SQR, a *a)                                                                                 \
    ROW(SQRT, SIMD(sqrt_pd)(magnitude(a)))                                                         \
    ROW(INVSQRT, all(1.0) / SIMD(sqrt_pd)(a))

KERNELS(KERNEL)

/* ---- operations on bits ---- */

/* Whole numbers below 2^51 in the low bits: adding 1.5 * 2^52 puts them there. */
static inline simd_long moved_by(void)
{
    return (simd_long)all(0x1.8p52);
}

static inline simd_long integer(simd_doubles x)
{
    return (simd_long)(truncated(x) + all(0x1.8p52)) - moved_by();
}

static inline simd_doubles number_of_integer(simd_long x)
{
    return (simd_doubles)(x + moved_by()) - all(0x1.8p52);
}

static inline bool are_small(simd_doubles a, simd_doubles b)
{
    const simd_doubles limit = all(0x1p51);
    const simd_doubles small =
        both((simd_doubles)(magnitude(a) < limit), (simd_doubles)(magnitude(b) < limit));
    return SIMD(movemask_pd)(small) == (1 << SIMD_HALF_LANES) - 1;
}

static simd_doubles one_by_one(simd_doubles a, simd_doubles b,
                               double (*operation)(double a, double b))
{
    double left[SIMD_HALF_LANES];
    double right[SIMD_HALF_LANES];
    SIMD(storeu_pd)(left, a);
    SIMD(storeu_pd)(right, b);
    for (int i = 0; i < SIMD_HALF_LANES; i++) {
        left[i] = operation(left[i], right[i]);
    }
    return SIMD(loadu_pd)(left);
}

static inline simd_doubles bit_and(simd_doubles a, simd_doubles b)
{
    return are_small(a, b) ? number_of_integer(integer(a) & integer(b))
                           : one_by_one(a, b, pfpu_bit_and);
}

static inline simd_doubles bit_or(simd_doubles a, simd_doubles b)
{
    return are_small(a, b) ? number_of_integer(integer(a) | integer(b))
                           : one_by_one(a, b, pfpu_bit_or);
}

KERNEL(BIT_AND, bit_and(a, b))
KERNEL(BIT_OR, bit_or(a, b))

/* ---- elementary functions ---- */

enum { CHUNK = 64 };

/* The operand's numbers from `start` on as an array. */
static const double *array_of(const struct pfpu_lanes_operand *operand, size_t start, size_t count,
                              double buffer[CHUNK])
{
    if (operand->step == 1) {
        return operand->at + start;
    }
    for (size_t i = 0; i < count; i++) {
        buffer[i] = operand->at[0];
    }
    return buffer;
}

static void run_unary(double *dst, const struct pfpu_lanes_operand *a, size_t count,
                      base_lanes_unary function)
{
    double buffer[CHUNK];
    for (size_t start = 0; start < count; start += CHUNK) {
        const size_t part = count - start < CHUNK ? count - start : CHUNK;
        function(dst + start, array_of(a, start, part, buffer), part);
    }
}

static void run_binary(double *dst, const struct pfpu_lanes_operand operands[3], size_t count,
                       base_lanes_binary function)
{
    double left[CHUNK];
    double right[CHUNK];
    for (size_t start = 0; start < count; start += CHUNK) {
        const size_t part = count - start < CHUNK ? count - start : CHUNK;
        const double *a = array_of(&operands[0], start, part, left);
        const double *b = array_of(&operands[1], start, part, right);
        function(dst + start, a, b, part);
    }
}

static void filter(double *dst, size_t count)
{
    const struct pfpu_lanes_operand same[3] = {{dst, 1}, {dst, 1}, {dst, 1}};
    FILTER(dst, same, count);
}

static void times(double *dst, const struct pfpu_lanes_operand *a, double factor, size_t count)
{
    const double factors[PFPU_LANES_WIDTH] = {factor, factor, factor, factor};
    const struct pfpu_lanes_operand both[3] = {*a, {factors, 0}, *a};
    MUL(dst, both, count);
}

#define FUNCTION(name, run)                                                                        \
    static void name(double *dst, const struct pfpu_lanes_operand operands[3], size_t count)       \
    {                                                                                              \
        run;                                                                                       \
    }                                                                                              \
    static void filtered_##name(double *dst, const struct pfpu_lanes_operand operands[3],          \
                                size_t count)                                                      \
    {                                                                                              \
        run;                                                                                       \
        filter(dst, count);                                                                        \
    }

static void table_sin(double *dst, const struct pfpu_lanes_operand *a, size_t count)
{
    times(dst, a, BASE_PI / 4096.0, count);
    FMATH.sin(dst, dst, count);
}

static void table_cos(double *dst, const struct pfpu_lanes_operand *a, size_t count)
{
    times(dst, a, BASE_PI / 4096.0, count);
    FMATH.cos(dst, dst, count);
}

static void sigmoid(double *dst, const struct pfpu_lanes_operand operands[3], size_t count)
{
    MUL(dst, operands, count);
    for (size_t i = 0; i < count; i += SIMD_HALF_LANES) {
        SIMD(storeu_pd)(dst + i, changed(SIMD(loadu_pd)(dst + i), all(-0.0)));
    }
    FMATH.exp(dst, dst, count);
    for (size_t i = 0; i < count; i += SIMD_HALF_LANES) {
        SIMD(storeu_pd)(dst + i, all(1.0) / (all(1.0) + SIMD(loadu_pd)(dst + i)));
    }
}

#define UNARY(function)  run_unary(dst, operands, count, FMATH.function)
#define BINARY(function) run_binary(dst, operands, count, FMATH.function)

#define FUNCTIONS(ROW)                                                                             \
    ROW(SIN, UNARY(sin))                                                                           \
    ROW(COS, UNARY(cos))                                                                           \
    ROW(TAN, UNARY(tan))                                                                           \
    ROW(ASIN, UNARY(asin))                                                                         \
    ROW(ACOS, UNARY(acos))                                                                         \
    ROW(ATAN, UNARY(atan))                                                                         \
    ROW(EXP, UNARY(exp))                                                                           \
    ROW(LOG, UNARY(log))                                                                           \
    ROW(LOG10, UNARY(log10))                                                                       \
    ROW(ATAN2, BINARY(atan2))                                                                      \
    ROW(POW, BINARY(pow))                                                                          \
    ROW(TABLE_SIN, table_sin(dst, operands, count))                                                \
    ROW(TABLE_COS, table_cos(dst, operands, count))                                                \
    ROW(SIGMOID, sigmoid(dst, operands, count))

FUNCTIONS(FUNCTION)

#define TABLE_ROW(name, value)                                                                     \
    [2 * PFPU_OP_##name] = name, [2 * PFPU_OP_##name + 1] = filtered_##name,
#endif

#endif
