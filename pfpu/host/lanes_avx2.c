

#if defined(__x86_64__)
#include "pfpu/host/lanes_code.h"

#include <float.h>
#include <immintrin.h>
#include <string.h>

#include "base/fmath.h"
#include "pfpu/ir/arith.h"

/* The operations of arith.h on four numbers. */

static inline __m256d all(double x)
{
    return _mm256_set1_pd(x);
}

static inline __m256d magnitude(__m256d x)
{
    return _mm256_andnot_pd(all(-0.0), x);
}

/* Exponents 1..0x7fe are told by one comparison of the bits, moved to the end of the range. */
static inline __m256d filtered(__m256d x)
{
    const __m256i doubled = _mm256_slli_epi64(_mm256_castpd_si256(x), 1);
    const __m256i offset =
        _mm256_add_epi64(doubled, _mm256_set1_epi64x(INT64_MAX - (INT64_C(1) << 53) + 1));
    const __m256i beyond = _mm256_set1_epi64x(INT64_MAX - (INT64_C(1) << 54) + 1);
    return _mm256_and_pd(x, _mm256_castsi256_pd(_mm256_cmpgt_epi64(beyond, offset)));
}

/* 1 where the mask is set, else 0 */
static inline __m256d number_of(__m256d mask)
{
    return _mm256_and_pd(mask, all(1.0));
}

static inline __m256d is_true(__m256d x)
{
    return _mm256_cmp_pd(magnitude(x), all(PFPU_CLOSE), _CMP_GE_OQ);
}

static inline __m256d is_above_close(__m256d x)
{
    return _mm256_cmp_pd(magnitude(x), all(PFPU_CLOSE), _CMP_GT_OQ);
}

/* Also for NaN. */
static inline __m256d is_equal(__m256d a, __m256d b)
{
    return _mm256_cmp_pd(magnitude(_mm256_sub_pd(a, b)), all(PFPU_CLOSE), _CMP_NGE_UQ);
}

static inline __m256d select(__m256d condition, __m256d yes, __m256d no)
{
    return _mm256_blendv_pd(no, yes, is_true(condition));
}

static inline __m256d sign(__m256d x)
{
    const __m256d above = _mm256_cmp_pd(x, _mm256_setzero_pd(), _CMP_GT_OQ);
    const __m256d below = _mm256_cmp_pd(x, _mm256_setzero_pd(), _CMP_LT_OQ);
    return _mm256_or_pd(_mm256_and_pd(above, all(1.0)), _mm256_and_pd(below, all(-1.0)));
}

static inline __m256d take_sign(__m256d a, __m256d b)
{
    const __m256d number = _mm256_cmp_pd(b, b, _CMP_ORD_Q);
    return _mm256_xor_pd(a, _mm256_and_pd(number, _mm256_and_pd(b, all(-0.0))));
}

static inline __m256d truncated(__m256d x)
{
    return _mm256_round_pd(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}

/* As pfpu_magnitude; NaN is 0. */
static inline __m256d whole_magnitude(__m256d x)
{
    const __m256d size = magnitude(x);
    const __m256d number = _mm256_cmp_pd(x, x, _CMP_ORD_Q);
    return _mm256_and_pd(number, truncated(_mm256_min_pd(all(4294967295.0), size)));
}

/* The quotient's rounding never reaches the next whole number, and its product with b is exact. */
static inline __m256d modulo(__m256d a, __m256d b)
{
    const __m256d x = whole_magnitude(a);
    const __m256d y = whole_magnitude(b);
    const __m256d times = truncated(_mm256_div_pd(x, y));
    const __m256d rest = _mm256_sub_pd(x, _mm256_mul_pd(times, y));
    return _mm256_and_pd(rest, _mm256_cmp_pd(y, _mm256_setzero_pd(), _CMP_NEQ_OQ));
}

static inline __m256d quake(__m256d a)
{
    const __m128 x = _mm256_cvtpd_ps(_mm256_min_pd(magnitude(a), all((double)FLT_MAX)));
    const __m128i guess =
        _mm_sub_epi32(_mm_set1_epi32(0x5f3759df), _mm_srli_epi32(_mm_castps_si128(x), 1));
    return _mm256_cvtps_pd(_mm_castsi128_ps(guess));
}

#define LOOP(value)                                                                                \
    const double *at_a = operands[0].at;                                                           \
    const double *at_b = operands[1].at;                                                           \
    const double *at_c = operands[2].at;                                                           \
    const size_t step_a = operands[0].step * PFPU_LANES_WIDTH;                                     \
    const size_t step_b = operands[1].step * PFPU_LANES_WIDTH;                                     \
    const size_t step_c = operands[2].step * PFPU_LANES_WIDTH;                                     \
    for (size_t i = 0; i < count; i += PFPU_LANES_WIDTH) {                                         \
        const __m256d a = _mm256_loadu_pd(at_a);                                                   \
        const __m256d b = _mm256_loadu_pd(at_b);                                                   \
        const __m256d c = _mm256_loadu_pd(at_c);                                                   \
        (void)a, (void)b, (void)c;                                                                 \
        _mm256_storeu_pd(dst + i, value);                                                          \
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
    ROW(ADD, _mm256_add_pd(a, b))                                                                  \
    ROW(SUB, _mm256_sub_pd(a, b))                                                                  \
    ROW(MUL, _mm256_mul_pd(a, b))                                                                  \
    ROW(DIV, _mm256_div_pd(a, b))                                                                  \
    ROW(NEG, _mm256_xor_pd(a, all(-0.0)))                                                          \
    ROW(MUL_ADD, _mm256_add_pd(_mm256_mul_pd(a, b), c))                                            \
    ROW(MUL_SUB, _mm256_sub_pd(_mm256_mul_pd(a, b), c))                                            \
    ROW(SUB_MUL, _mm256_sub_pd(c, _mm256_mul_pd(a, b)))                                            \
    ROW(MOD, modulo(a, b))                                                                         \
    ROW(EQUAL, number_of(is_equal(a, b)))                                                          \
    ROW(NOT_EQUAL, _mm256_andnot_pd(is_equal(a, b), all(1.0)))                                     \
    ROW(BELOW, number_of(_mm256_cmp_pd(a, b, _CMP_NGE_UQ)))                                        \
    ROW(ABOVE, number_of(_mm256_cmp_pd(a, b, _CMP_NLE_UQ)))                                        \
    ROW(BELOW_EQUAL, number_of(_mm256_cmp_pd(a, b, _CMP_LE_OQ)))                                   \
    ROW(ABOVE_EQUAL, number_of(_mm256_cmp_pd(a, b, _CMP_GE_OQ)))                                   \
    ROW(TRUTH, number_of(is_true(a)))                                                              \
    ROW(NOT, _mm256_andnot_pd(is_true(a), all(1.0)))                                               \
    ROW(AND, number_of(_mm256_and_pd(is_true(a), is_true(b))))                                     \
    ROW(OR, number_of(_mm256_or_pd(is_true(a), is_true(b))))                                       \
    ROW(BAND, number_of(_mm256_and_pd(is_above_close(a), is_above_close(b))))                      \
    ROW(BOR, number_of(_mm256_or_pd(is_above_close(a), is_above_close(b))))                        \
    ROW(SELECT, select(a, b, c))                                                                   \
    ROW(MIN, _mm256_min_pd(a, b))                                                                  \
    ROW(MAX, _mm256_max_pd(a, b))                                                                  \
    ROW(ABS, magnitude(a))                                                                         \
    ROW(SIGN, sign(a))                                                                             \
    ROW(FLOOR, _mm256_floor_pd(a))                                                                 \
    ROW(INT, _mm256_floor_pd(a))                                                                   \
    ROW(TRUNC, truncated(a))                                                                       \
    ROW(TO_FLOAT, a)                                                                               \
    ROW(TAKE_SIGN, take_sign(a, b))                                                                \
    ROW(QUAKE, quake(a))                                                                           \
    ROW(CEIL, _mm256_ceil_pd(a))                                                                   \
    ROW(SQR, _mm256_mul_pd(a, a))                                                                  \
    ROW(SQRT, _mm256_sqrt_pd(magnitude(a)))                                                        \
    ROW(INVSQRT, _mm256_div_pd(all(1.0), _mm256_sqrt_pd(a)))

KERNELS(KERNEL)

/* ---- operations on bits ---- */

/* Whole numbers below 2^51 in the low bits: adding 1.5 * 2^52 puts them there. */
static inline __m256i moved_by(void)
{
    return _mm256_castpd_si256(all(0x1.8p52));
}

static inline __m256i integer(__m256d x)
{
    const __m256d moved = _mm256_add_pd(truncated(x), all(0x1.8p52));
    return _mm256_sub_epi64(_mm256_castpd_si256(moved), moved_by());
}

static inline __m256d number_of_integer(__m256i x)
{
    return _mm256_sub_pd(_mm256_castsi256_pd(_mm256_add_epi64(x, moved_by())), all(0x1.8p52));
}

static inline bool are_small(__m256d a, __m256d b)
{
    const __m256d limit = all(0x1p51);
    const __m256d small = _mm256_and_pd(_mm256_cmp_pd(magnitude(a), limit, _CMP_LT_OQ),
                                        _mm256_cmp_pd(magnitude(b), limit, _CMP_LT_OQ));
    return _mm256_movemask_pd(small) == 0xf;
}

static __m256d one_by_one(__m256d a, __m256d b, double (*operation)(double a, double b))
{
    double left[PFPU_LANES_WIDTH];
    double right[PFPU_LANES_WIDTH];
    _mm256_storeu_pd(left, a);
    _mm256_storeu_pd(right, b);
    for (int i = 0; i < PFPU_LANES_WIDTH; i++) {
        left[i] = operation(left[i], right[i]);
    }
    return _mm256_loadu_pd(left);
}

static inline __m256d bit_and(__m256d a, __m256d b)
{
    return are_small(a, b) ? number_of_integer(_mm256_and_si256(integer(a), integer(b)))
                           : one_by_one(a, b, pfpu_bit_and);
}

static inline __m256d bit_or(__m256d a, __m256d b)
{
    return are_small(a, b) ? number_of_integer(_mm256_or_si256(integer(a), integer(b)))
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
    base_fmath_lanes_avx2.sin(dst, dst, count);
}

static void table_cos(double *dst, const struct pfpu_lanes_operand *a, size_t count)
{
    times(dst, a, BASE_PI / 4096.0, count);
    base_fmath_lanes_avx2.cos(dst, dst, count);
}

static void sigmoid(double *dst, const struct pfpu_lanes_operand operands[3], size_t count)
{
    MUL(dst, operands, count);
    for (size_t i = 0; i < count; i += PFPU_LANES_WIDTH) {
        _mm256_storeu_pd(dst + i, _mm256_xor_pd(_mm256_loadu_pd(dst + i), all(-0.0)));
    }
    base_fmath_lanes_avx2.exp(dst, dst, count);
    for (size_t i = 0; i < count; i += PFPU_LANES_WIDTH) {
        const __m256d below = _mm256_add_pd(all(1.0), _mm256_loadu_pd(dst + i));
        _mm256_storeu_pd(dst + i, _mm256_div_pd(all(1.0), below));
    }
}

#define UNARY(function)  run_unary(dst, operands, count, base_fmath_lanes_avx2.function)
#define BINARY(function) run_binary(dst, operands, count, base_fmath_lanes_avx2.function)

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

const pfpu_lanes_kernel pfpu_lanes_kernels_avx2[PFPU_LANES_KERNELS] = {
    KERNELS(TABLE_ROW) FUNCTIONS(TABLE_ROW) TABLE_ROW(BIT_AND, ) TABLE_ROW(BIT_OR, )};
#endif
