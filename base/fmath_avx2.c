/* The elementary functions on four doubles at a time; empty without AVX2. */

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

#if defined(__x86_64__)
#include "base/fmath.h"

#include <float.h>

#include "base/fmath_terms.h"

/* Four numbers at a time, by the steps of fmath.c in the same order. Both sides of a choice are
 * computed and blended; what is seldom (far or tiny numbers, infinities, NaN) is left to the
 * functions of fmath.c, number by number. */

/* ---- angles ---- */

/* An angle within pi/4 either way. */
struct angle {
    struct parts rest;
    __m256i quadrant; /* the low two bits of each word */
    __m256d usual;    /* mask */
};

/* The error of a sum whose first part is the larger one (Dekker, 1971). */
INLINE struct parts ordered_sum(__m256d a, __m256d b)
{
    const __m256d sum = a + b;
    return (struct parts){sum, b - (sum - a)};
}

/* Up to pi/4 the number of turns is 0, which changes nothing. Close to a multiple of pi/2 the sums
 * are not ordered: such angles are not usual. */
INLINE struct angle reduce_angle(__m256d x)
{
    const __m256d size = magnitude(x);
    const __m256d shifted = x * all(BASE_FMATH_TWO_BY_PI) + all(BASE_FMATH_ROUND);
    const __m256d turns = shifted - all(BASE_FMATH_ROUND);
    const __m256d rest = x - turns * all(BASE_FMATH_HALF_PI_1);
    const struct parts sum = ordered_sum(rest, negated(turns * all(BASE_FMATH_HALF_PI_2)));
    const __m256d low = sum.low - turns * all(BASE_FMATH_HALF_PI_3);
    const __m256d ordered = _mm256_or_pd(at_most(size, all(BASE_FMATH_QUARTER_PI)),
                                         at_most(all(0x1p-16), magnitude(rest)));
    return (struct angle){ordered_sum(sum.high, low), as_bits(shifted),
                          _mm256_and_pd(ordered, at_most(size, all(BASE_FMATH_FAR_ANGLE)))};
}

INLINE __m256d is_odd(__m256i quadrant)
{
    return as_number(_mm256_slli_epi64(quadrant, 63));
}

INLINE __m256d six_terms(const __m256d t[6], __m256d s, __m256d s2)
{
    return (t[0] + s * t[1]) + s2 * ((t[2] + s * t[3]) + s2 * (t[4] + s * t[5]));
}

/* The sine of the rest, or its cosine where the quadrant is odd, negative in the upper two: the
 * terms of both sums are chosen beforehand. */
INLINE __m256d sine_of(struct angle angle)
{
    const __m256d high = angle.rest.high;
    const __m256d odd = is_odd(angle.quadrant);
    __m256d terms[6];
    for (int i = 0; i < 6; i++) {
        const __m256d both = _mm256_setr_pd(base_fmath_sine[i], base_fmath_cosine[i],
                                            base_fmath_sine[i], base_fmath_cosine[i]);
        terms[i] = _mm256_permutevar_pd(both, _mm256_slli_epi64(angle.quadrant, 1));
    }
    const __m256d s = high * high;
    const __m256d s2 = s * s;
    const __m256d half = all(0.5) * s;
    const __m256d start = all(1.0) - half;
    const __m256d lost = choose(odd, (all(1.0) - start) - half, _mm256_setzero_pd());
    const __m256d tail = choose(odd, s2, high * s) * six_terms(terms, s, s2);
    const __m256d small = choose(odd, high, half - all(1.0)) * angle.rest.low;
    const __m256d value = choose(odd, start, high) + (lost + (tail - small));
    const __m256d sign = is_odd(_mm256_srli_epi64(angle.quadrant, 1));
    return _mm256_xor_pd(value, sign);
}

/* Sine and cosine of the rest. */
INLINE void sine_and_cosine_of(struct parts r, __m256d *sine, __m256d *cosine)
{
    __m256d sine_terms[6];
    __m256d cosine_terms[6];
    for (int i = 0; i < 6; i++) {
        sine_terms[i] = all(base_fmath_sine[i]);
        cosine_terms[i] = all(base_fmath_cosine[i]);
    }
    const __m256d s = r.high * r.high;
    const __m256d s2 = s * s;
    const __m256d half = all(0.5) * s;
    const __m256d start = all(1.0) - half;
    *sine = r.high + (r.high * s * six_terms(sine_terms, s, s2) + r.low * start);
    *cosine = start + (((all(1.0) - start) - half) +
                       (s2 * six_terms(cosine_terms, s, s2) - r.high * r.low));
}

/* ---- results that may have to be computed one by one ---- */

struct result {
    __m256d value;
    __m256d usual; /* mask */
};

INLINE struct result sin_of(__m256d x)
{
    const struct angle angle = reduce_angle(x);
    const __m256d tiny = below(magnitude(x), all(0x1p-27));
    return (struct result){choose(tiny, x, sine_of(angle)), angle.usual};
}

INLINE struct result cos_of(__m256d x)
{
    struct angle angle = reduce_angle(x);
    angle.quadrant = _mm256_add_epi64(angle.quadrant, all_bits(1));
    return (struct result){sine_of(angle), angle.usual};
}

INLINE struct result tan_of(__m256d x)
{
    const struct angle angle = reduce_angle(x);
    const __m256d odd = is_odd(angle.quadrant);
    const __m256d tiny = below(magnitude(x), all(0x1p-27));
    __m256d sine;
    __m256d cosine;
    sine_and_cosine_of(angle.rest, &sine, &cosine);
    const __m256d value = choose(odd, negated(cosine), sine) / choose(odd, sine, cosine);
    return (struct result){choose(tiny, x, value), angle.usual};
}

/* ---- inverse functions of angles ---- */

INLINE struct parts flat_angle(__m256d rise, __m256d run)
{
    /* The bound matters only for lanes that are not used: it keeps them inside the table. */
    const __m128i step =
        _mm_min_epu32(_mm256_cvttpd_epi32(all(8.0) * (rise / run) + all(0.5)), _mm_set1_epi32(8));
    const __m256d c = all(0.125) * _mm256_cvtepi32_pd(step);
    const __m256d run_high = upper_half(run);
    const __m256d across = (rise - c * run_high) - c * (run - run_high);
    const __m256d t = across / (run + c * rise);
    const __m256d s = t * t;
    const __m256d s2 = s * s;
    const __m256d tail = (all(base_fmath_atan[0]) + s * all(base_fmath_atan[1])) +
                         s2 * ((all(base_fmath_atan[2]) + s * all(base_fmath_atan[3])) +
                               s2 * all(base_fmath_atan[4]));
    const __m128i place = _mm_slli_epi32(step, 1);
    const __m256d high = _mm256_i32gather_pd(&base_fmath_atan_table[0].high, place, 8);
    const __m256d low = _mm256_i32gather_pd(&base_fmath_atan_table[0].low, place, 8);
    const struct parts sum = exact_sum(high, t);
    return (struct parts){sum.high, sum.low + (low + t * s * tail)};
}

INLINE struct parts difference(__m256d high, __m256d low, struct parts b)
{
    const struct parts sum = exact_sum(high, negated(b.high));
    return (struct parts){sum.high, sum.low + (low - b.low)};
}

INLINE struct parts choose_parts(__m256d mask, struct parts yes, struct parts no)
{
    return (struct parts){choose(mask, yes.high, no.high), choose(mask, yes.low, no.low)};
}

/* The larger of the two is within 2^-500..2^500. */
INLINE struct parts steep_angle(__m256d rise, __m256d run)
{
    const __m256d steep = below(run, rise);
    const struct parts flat = flat_angle(choose(steep, run, rise), choose(steep, rise, run));
    const struct parts rest =
        difference(all(0.5 * BASE_FMATH_PI_HIGH), all(0.5 * BASE_FMATH_PI_LOW), flat);
    return choose_parts(steep, rest, flat);
}

INLINE __m256d half_plane_angle(__m256d rise, __m256d run)
{
    const struct parts right = steep_angle(rise, magnitude(run));
    const struct parts left = difference(all(BASE_FMATH_PI_HIGH), all(BASE_FMATH_PI_LOW), right);
    const struct parts angle = choose_parts(run, left, right);
    return angle.high + angle.low;
}

INLINE struct result atan_of(__m256d x)
{
    const __m256d size = magnitude(x);
    const struct parts angle = steep_angle(size, all(1.0));
    const __m256d value = with_sign(angle.high + angle.low, x);
    return (struct result){choose(below(size, all(0x1p-28)), x, value), at_most(size, all(0x1p60))};
}

INLINE __m256d other_side(__m256d x)
{
    return _mm256_sqrt_pd((all(1.0) - x) * (all(1.0) + x));
}

INLINE struct result asin_of(__m256d x)
{
    const __m256d size = magnitude(x);
    const struct parts angle = steep_angle(size, other_side(x));
    const __m256d value = with_sign(angle.high + angle.low, x);
    return (struct result){choose(below(size, all(0x1p-28)), x, value), at_most(size, all(1.0))};
}

INLINE struct result acos_of(__m256d x)
{
    return (struct result){half_plane_angle(other_side(x), x), at_most(magnitude(x), all(1.0))};
}

INLINE struct result atan2_of(__m256d y, __m256d x)
{
    const __m256d larger = _mm256_max_pd(magnitude(y), magnitude(x));
    const __m256d ordered = _mm256_cmp_pd(y, x, _CMP_ORD_Q);
    const __m256d ordinary =
        _mm256_and_pd(at_most(all(0x1p-500), larger), at_most(larger, all(0x1p500)));
    return (struct result){with_sign(half_plane_angle(magnitude(y), x), y),
                           _mm256_and_pd(ordered, ordinary)};
}

/* ---- exponential and logarithm ---- */

enum { EXP_USUAL_MAX = 700 };

INLINE __m256d exp_of_parts(struct parts x)
{
    const __m256d shifted = x.high * all(BASE_FMATH_ONE_BY_LN2) + all(BASE_FMATH_ROUND);
    const __m256d k = shifted - all(BASE_FMATH_ROUND);
    const struct parts sum =
        exact_sum(x.high - k * all(BASE_FMATH_LN2_1), x.low - k * all(BASE_FMATH_LN2_2));
    const __m256d r = sum.high;
    const __m256d r2 = r * r;
    const __m256d r4 = r2 * r2;
    const double *c = base_fmath_exp;
    const __m256d tail = ((all(c[0]) + r * all(c[1])) + r2 * (all(c[2]) + r * all(c[3]))) +
                         r4 * (((all(c[4]) + r * all(c[5])) + r2 * (all(c[6]) + r * all(c[7]))) +
                               r4 * ((all(c[8]) + r * all(c[9])) + r2 * all(c[10])));
    const __m256i exponent = _mm256_add_epi64(as_bits(shifted), all_bits(1023));
    return (all(1.0) + (r + (sum.low + r2 * tail))) * as_number(_mm256_slli_epi64(exponent, 52));
}

INLINE __m256d exp_is_usual(__m256d x)
{
    return at_most(magnitude(x), all(EXP_USUAL_MAX));
}

INLINE struct result exp_of(__m256d x)
{
    return (struct result){exp_of_parts((struct parts){x, _mm256_setzero_pd()}), exp_is_usual(x)};
}

INLINE struct parts log_ratio(__m256d m, __m256d c)
{
    const __m256d across = m - c;
    const struct parts sum = exact_sum(m, c);
    const __m256d inverse = all(1.0) / sum.high;
    const __m256d f = across * inverse;
    const struct parts back = exact_product(f, sum.high);
    const __m256d f_low = (((across - back.high) - back.low) - f * sum.low) * inverse;
    const __m256d s = f * f;
    const __m256d tail =
        s *
        (all(base_fmath_log[0]) +
         s * (all(base_fmath_log[1]) + s * (all(base_fmath_log[2]) + s * all(base_fmath_log[3]))));
    return (struct parts){all(2.0) * f, all(2.0) * (f_low + f * tail)};
}

/* The fraction of a normal number, 1 to 2, and its exponent. */
INLINE __m256d split(__m256d x, __m256d *exponent)
{
    const __m256i two_52 = as_bits(all(0x1p52));
    const __m256i biased = _mm256_or_si256(_mm256_srli_epi64(as_bits(x), 52), two_52);
    *exponent = as_number(biased) - all(0x1p52 + 1023.0);
    const __m256i fraction = _mm256_and_si256(as_bits(x), all_bits(0xfffffffffffffLL));
    return as_number(_mm256_or_si256(fraction, as_bits(all(1.0))));
}

INLINE struct parts log_parts(__m256d x)
{
    __m256d k;
    __m256d m = split(x, &k);
    const __m256d large = below(all(0x1.6ap0), m);
    m = choose(large, m * all(0.5), m);
    k = k + _mm256_and_pd(large, all(1.0));
    const __m128i step = _mm256_cvttpd_epi32(all(32.0) * m + all(0.5));
    const struct parts ratio = log_ratio(m, _mm256_cvtepi32_pd(step) * all(0x1p-5));
    const __m128i place =
        _mm_slli_epi32(_mm_sub_epi32(step, _mm_set1_epi32(BASE_FMATH_LOG_START)), 1);
    const __m256d c_high = _mm256_i32gather_pd(&base_fmath_log_table[0].high, place, 8);
    const __m256d c_low = _mm256_i32gather_pd(&base_fmath_log_table[0].low, place, 8);
    const struct parts first = exact_sum(k * all(BASE_FMATH_LN2_1), c_high);
    const struct parts second = exact_sum(first.high, ratio.high);
    const __m256d low = k * all(BASE_FMATH_LN2_2) + c_low;
    return exact_sum(second.high, second.low + (first.low + (low + ratio.low)));
}

INLINE __m256d is_normal(__m256d x)
{
    return _mm256_and_pd(at_most(all(DBL_MIN), x), at_most(x, all(DBL_MAX)));
}

INLINE struct result log_of(__m256d x)
{
    return (struct result){log_parts(x).high, is_normal(x)};
}

INLINE struct result log10_of(__m256d x)
{
    const struct parts natural = log_parts(x);
    const struct parts product = exact_product(natural.high, all(BASE_FMATH_LOG10E_HIGH));
    const __m256d value =
        product.high + (product.low + (natural.high * all(BASE_FMATH_LOG10E_LOW) +
                                       natural.low * all(BASE_FMATH_LOG10E_HIGH)));
    return (struct result){value, is_normal(x)};
}

/* ---- powers ---- */

/* x to the power of a whole number 0..16; where a bit of it is not set, times 1. */
INLINE __m256d multiplied(__m256d x, __m256d times)
{
    const __m256i count = _mm256_cvtepi32_epi64(_mm256_cvttpd_epi32(times));
    __m256d result = all(1.0);
    for (int bit = 0; bit < 5; bit++) {
        const __m256d used = as_number(_mm256_slli_epi64(count, 63 - bit));
        result = result * choose(used, x, all(1.0));
        x = x * x;
    }
    return result;
}

/* By multiplying, where base_pow does so. */
INLINE struct result small_power(__m256d x, __m256d y, __m256d whole)
{
    const __m256d size = magnitude(y);
    const __m256d small = _mm256_and_pd(whole, at_most(size, all(16.0)));
    const __m256d power = multiplied(x, _mm256_and_pd(small, size));
    const __m256d power_size = magnitude(power);
    const __m256d negative = below(y, _mm256_setzero_pd());
    const __m256d inverts =
        _mm256_and_pd(below(all(0x1p-1000), power_size), below(power_size, all(0x1p1000)));
    return (struct result){choose(negative, all(1.0) / power, power),
                           _mm256_andnot_pd(_mm256_andnot_pd(inverts, negative), small)};
}

/* The last logarithm: bases are often the same for many exponents. */
struct logarithm {
    __m256d x;
    struct parts value;
};

INLINE struct parts remembered_log(struct logarithm *last, __m256d x)
{
    if (_mm256_movemask_pd(_mm256_cmp_pd(x, last->x, _CMP_EQ_OQ)) != 0xf) {
        *last = (struct logarithm){x, log_parts(x)};
    }
    return last->value;
}

/* Of positive numbers in general; negative ones with a fraction in the exponent give NaN. */
INLINE struct result general_power(__m256d x, __m256d y, __m256d whole, struct logarithm *last)
{
    const __m256d normal = is_normal(x);
    const struct parts log_x = remembered_log(last, choose(normal, x, all(1.0)));
    const __m256d about = y * log_x.high;
    struct parts product = exact_product(y, log_x.high);
    product.low = product.low + y * log_x.low;
    const __m256d usual = _mm256_and_pd(normal, exp_is_usual(about));
    const __m256d finite =
        _mm256_and_pd(at_most(magnitude(x), all(DBL_MAX)), at_most(magnitude(y), all(DBL_MAX)));
    const __m256d broken = _mm256_and_pd(_mm256_and_pd(finite, below(x, _mm256_setzero_pd())),
                                         _mm256_andnot_pd(whole, all(-0.0)));
    const __m256d value = choose(broken, all(__builtin_nan("")), exp_of_parts(product));
    return (struct result){value, _mm256_or_pd(usual, broken)};
}

INLINE struct result pow_of(__m256d x, __m256d y, struct logarithm *last)
{
    const __m256d whole = _mm256_cmp_pd(y, truncated(y), _CMP_EQ_OQ);
    struct result result = {_mm256_setzero_pd(), _mm256_setzero_pd()};
    if (_mm256_movemask_pd(whole) != 0) {
        result = small_power(x, y, whole);
    }
    if (_mm256_movemask_pd(result.usual) != 0xf) {
        const struct result general = general_power(x, y, whole, last);
        result.value = choose(result.usual, result.value, general.value);
        result.usual = _mm256_or_pd(result.usual, general.usual);
    }
    return result;
}

/* ---- over arrays ---- */

INLINE void store(double *dst, __m256d value)
{
    _mm256_storeu_pd(dst, value);
}

/* What is not usual is computed one by one. */
INLINE void store_unary(double *dst, __m256d x, struct result result, double (*single)(double x))
{
    const int mask = _mm256_movemask_pd(result.usual);
    store(dst, result.value);
    if (mask != 0xf) {
        double arguments[WIDTH];
        store(arguments, x);
        for (int i = 0; i < WIDTH; i++) {
            if ((mask >> i & 1) == 0) {
                dst[i] = single(arguments[i]);
            }
        }
    }
}

INLINE void store_binary(double *dst, __m256d a, __m256d b, struct result result,
                         double (*single)(double a, double b))
{
    const int mask = _mm256_movemask_pd(result.usual);
    store(dst, result.value);
    if (mask != 0xf) {
        double first[WIDTH];
        double second[WIDTH];
        store(first, a);
        store(second, b);
        for (int i = 0; i < WIDTH; i++) {
            if ((mask >> i & 1) == 0) {
                dst[i] = single(first[i], second[i]);
            }
        }
    }
}

#define UNARY(name)                                                                                \
    static void name##_lanes(double *dst, const double *x, size_t count)                           \
    {                                                                                              \
        size_t i = 0;                                                                              \
        for (; i + WIDTH <= count; i += WIDTH) {                                                   \
            const __m256d v = _mm256_loadu_pd(x + i);                                              \
            store_unary(dst + i, v, name##_of(v), base_##name);                                    \
        }                                                                                          \
        for (; i < count; i++) {                                                                   \
            dst[i] = base_##name(x[i]);                                                            \
        }                                                                                          \
    }

static void atan2_lanes(double *dst, const double *a, const double *b, size_t count)
{
    size_t i = 0;
    for (; i + WIDTH <= count; i += WIDTH) {
        const __m256d y = _mm256_loadu_pd(a + i);
        const __m256d x = _mm256_loadu_pd(b + i);
        store_binary(dst + i, y, x, atan2_of(y, x), base_atan2);
    }
    for (; i < count; i++) {
        dst[i] = base_atan2(a[i], b[i]);
    }
}

static void pow_lanes(double *dst, const double *a, const double *b, size_t count)
{
    const __m256d zero = _mm256_setzero_pd();
    struct logarithm last = {all(1.0), {zero, zero}};
    size_t i = 0;
    for (; i + WIDTH <= count; i += WIDTH) {
        const __m256d x = _mm256_loadu_pd(a + i);
        const __m256d y = _mm256_loadu_pd(b + i);
        store_binary(dst + i, x, y, pow_of(x, y, &last), base_pow);
    }
    for (; i < count; i++) {
        dst[i] = base_pow(a[i], b[i]);
    }
}

UNARY(sin)
UNARY(cos)
UNARY(tan)
UNARY(asin)
UNARY(acos)
UNARY(atan)
UNARY(exp)
UNARY(log)
UNARY(log10)

const struct base_fmath_lanes base_fmath_lanes_avx2 = {
    .sin = sin_lanes,
    .cos = cos_lanes,
    .tan = tan_lanes,
    .asin = asin_lanes,
    .acos = acos_lanes,
    .atan = atan_lanes,
    .exp = exp_lanes,
    .log = log_lanes,
    .log10 = log10_lanes,
    .atan2 = atan2_lanes,
    .pow = pow_lanes,
};
#endif
