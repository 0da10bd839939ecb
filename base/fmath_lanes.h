/* The elementary functions on vectors of doubles of base/simd.h, by the steps of fmath.c in the
 * same order; empty without them. Both sides of a choice are computed and blended; what is seldom
 * (far or tiny numbers, infinities, NaN) is left to the functions of fmath.c, number by number. */
#ifndef BASE_FMATH_LANES_H
#define BASE_FMATH_LANES_H

#include "base/simd.h"

#if defined(BASE_SIMD)
#include <float.h>

#include "base/fmath.h"
#include "base/fmath_terms.h"

enum { WIDTH = SIMD_HALF_LANES };

struct parts {
    simd_doubles high;
    simd_doubles low;
};

BASE_INLINE simd_doubles all(double x)
{
    return SIMD(set1_pd)(x);
}

BASE_INLINE simd_words all_bits(int64_t bits)
{
    return simd_all_long((uint64_t)bits);
}

BASE_INLINE simd_doubles as_number(simd_words bits)
{
    return (simd_doubles)bits;
}

BASE_INLINE simd_words as_bits(simd_doubles x)
{
    return (simd_words)x;
}

/* Of masks, and of the bits of numbers. */
BASE_INLINE simd_doubles both(simd_doubles a, simd_doubles b)
{
    return as_number(as_bits(a) & as_bits(b));
}

BASE_INLINE simd_doubles either(simd_doubles a, simd_doubles b)
{
    return as_number(as_bits(a) | as_bits(b));
}

/* b where a is not set */
BASE_INLINE simd_doubles without(simd_doubles a, simd_doubles b)
{
    return as_number(simd_and_not(as_bits(a), as_bits(b)));
}

BASE_INLINE simd_doubles changed(simd_doubles x, simd_doubles sign)
{
    return as_number(as_bits(x) ^ as_bits(sign));
}

BASE_INLINE simd_doubles negated(simd_doubles x)
{
    return changed(x, all(-0.0));
}

BASE_INLINE simd_doubles magnitude(simd_doubles x)
{
    return without(all(-0.0), x);
}

BASE_INLINE simd_doubles with_sign(simd_doubles size, simd_doubles sign)
{
    return either(size, both(sign, all(-0.0)));
}

/* mask ? yes : no, by the sign bit of the mask */
BASE_INLINE simd_doubles choose(simd_doubles mask, simd_doubles yes, simd_doubles no)
{
    return SIMD(blendv_pd)(no, yes, mask);
}

BASE_INLINE simd_doubles below(simd_doubles a, simd_doubles b)
{
    return (simd_doubles)(a < b);
}

BASE_INLINE simd_doubles at_most(simd_doubles a, simd_doubles b)
{
    return (simd_doubles)(a <= b);
}

BASE_INLINE simd_doubles equal(simd_doubles a, simd_doubles b)
{
    return (simd_doubles)(a == b);
}

/* A bit for each lane that a mask has. */
enum { EVERY = (1 << WIDTH) - 1 };

BASE_INLINE int bits_of(simd_doubles mask)
{
    return SIMD(movemask_pd)(mask);
}

BASE_INLINE simd_doubles truncated(simd_doubles x)
{
    return simd_trunc_doubles(x);
}

BASE_INLINE simd_doubles upper_half(simd_doubles x)
{
    return as_number(simd_and(as_bits(x), all_bits(~INT64_C(0x7ffffff))));
}

BASE_INLINE struct parts exact_sum(simd_doubles a, simd_doubles b)
{
    const simd_doubles sum = a + b;
    const simd_doubles b_part = sum - a;
    const simd_doubles a_part = sum - b_part;
    return (struct parts){sum, (a - a_part) + (b - b_part)};
}

BASE_INLINE struct parts exact_product(simd_doubles a, simd_doubles b)
{
    const simd_doubles product = a * b;
    const simd_doubles a_high = upper_half(a);
    const simd_doubles b_high = upper_half(b);
    const simd_doubles a_low = a - a_high;
    const simd_doubles b_low = b - b_high;
    const simd_doubles error =
        ((a_high * b_high - product) + (a_high * b_low + a_low * b_high)) + a_low * b_low;
    return (struct parts){product, error};
}
/* ---- angles ---- */

/* An angle within pi/4 either way. */
struct angle {
    struct parts rest;
    simd_words quadrant; /* the low two bits of each word */
    simd_doubles usual;  /* mask */
};

/* The error of a sum whose first part is the larger one (Dekker, 1971). */
BASE_INLINE struct parts ordered_sum(simd_doubles a, simd_doubles b)
{
    const simd_doubles sum = a + b;
    return (struct parts){sum, b - (sum - a)};
}

/* Up to pi/4 the number of turns is 0, which changes nothing. Close to a multiple of pi/2 the sums
 * are not ordered: such angles are not usual. */
BASE_INLINE struct angle reduce_angle(simd_doubles x)
{
    const simd_doubles size = magnitude(x);
    const simd_doubles shifted = x * all(BASE_FMATH_TWO_BY_PI) + all(BASE_FMATH_ROUND);
    const simd_doubles turns = shifted - all(BASE_FMATH_ROUND);
    const simd_doubles rest = x - turns * all(BASE_FMATH_HALF_PI_1);
    const struct parts sum = ordered_sum(rest, negated(turns * all(BASE_FMATH_HALF_PI_2)));
    const simd_doubles low = sum.low - turns * all(BASE_FMATH_HALF_PI_3);
    const simd_doubles ordered =
        either(at_most(size, all(BASE_FMATH_QUARTER_PI)), at_most(all(0x1p-16), magnitude(rest)));
    return (struct angle){ordered_sum(sum.high, low), as_bits(shifted),
                          both(ordered, at_most(size, all(BASE_FMATH_FAR_ANGLE)))};
}

BASE_INLINE simd_doubles is_odd(simd_words quadrant)
{
    return as_number(SIMD(slli_epi64)(quadrant, 63));
}

BASE_INLINE simd_doubles six_terms(const simd_doubles t[6], simd_doubles s, simd_doubles s2)
{
    return (t[0] + s * t[1]) + s2 * ((t[2] + s * t[3]) + s2 * (t[4] + s * t[5]));
}

/* The sine of the rest, or its cosine where the quadrant is odd, negative in the upper two: the
 * terms of both sums are chosen beforehand. */
BASE_INLINE simd_doubles sine_of(struct angle angle)
{
    const simd_doubles high = angle.rest.high;
    const simd_doubles odd = is_odd(angle.quadrant);
    simd_doubles terms[6];
    for (int i = 0; i < 6; i++) {
        terms[i] = simd_either_double(base_fmath_sine[i], base_fmath_cosine[i], angle.quadrant);
    }
    const simd_doubles s = high * high;
    const simd_doubles s2 = s * s;
    const simd_doubles half = all(0.5) * s;
    const simd_doubles start = all(1.0) - half;
    const simd_doubles lost = choose(odd, (all(1.0) - start) - half, all(0.0));
    const simd_doubles tail = choose(odd, s2, high * s) * six_terms(terms, s, s2);
    const simd_doubles small = choose(odd, high, half - all(1.0)) * angle.rest.low;
    const simd_doubles value = choose(odd, start, high) + (lost + (tail - small));
    const simd_doubles sign = is_odd(SIMD(srli_epi64)(angle.quadrant, 1));
    return changed(value, sign);
}

/* Sine and cosine of the rest. */
BASE_INLINE void sine_and_cosine_of(struct parts r, simd_doubles *sine, simd_doubles *cosine)
{
    simd_doubles sine_terms[6];
    simd_doubles cosine_terms[6];
    for (int i = 0; i < 6; i++) {
        sine_terms[i] = all(base_fmath_sine[i]);
        cosine_terms[i] = all(base_fmath_cosine[i]);
    }
    const simd_doubles s = r.high * r.high;
    const simd_doubles s2 = s * s;
    const simd_doubles half = all(0.5) * s;
    const simd_doubles start = all(1.0) - half;
    *sine = r.high + (r.high * s * six_terms(sine_terms, s, s2) + r.low * start);
    *cosine = start + (((all(1.0) - start) - half) +
                       (s2 * six_terms(cosine_terms, s, s2) - r.high * r.low));
}

/* ---- results that may have to be computed one by one ---- */

struct result {
    simd_doubles value;
    simd_doubles usual; /* mask */
};

BASE_INLINE struct result sin_of(simd_doubles x)
{
    const struct angle angle = reduce_angle(x);
    const simd_doubles tiny = below(magnitude(x), all(0x1p-27));
    return (struct result){choose(tiny, x, sine_of(angle)), angle.usual};
}

BASE_INLINE struct result cos_of(simd_doubles x)
{
    struct angle angle = reduce_angle(x);
    angle.quadrant = SIMD(add_epi64)(angle.quadrant, all_bits(1));
    return (struct result){sine_of(angle), angle.usual};
}

BASE_INLINE struct result tan_of(simd_doubles x)
{
    const struct angle angle = reduce_angle(x);
    const simd_doubles odd = is_odd(angle.quadrant);
    const simd_doubles tiny = below(magnitude(x), all(0x1p-27));
    simd_doubles sine;
    simd_doubles cosine;
    sine_and_cosine_of(angle.rest, &sine, &cosine);
    const simd_doubles value = choose(odd, negated(cosine), sine) / choose(odd, sine, cosine);
    return (struct result){choose(tiny, x, value), angle.usual};
}

/* ---- inverse functions of angles ---- */

BASE_INLINE struct parts flat_angle(simd_doubles rise, simd_doubles run)
{
    /* The bound matters only for lanes that are not used: it keeps them inside the table. */
    const simd_half_words step = SIMD_HALF(min_epu32)(
        SIMD(cvttpd_epi32)(all(8.0) * (rise / run) + all(0.5)), SIMD_HALF(set1_epi32)(8));
    const simd_doubles c = all(0.125) * SIMD(cvtepi32_pd)(step);
    const simd_doubles run_high = upper_half(run);
    const simd_doubles across = (rise - c * run_high) - c * (run - run_high);
    const simd_doubles t = across / (run + c * rise);
    const simd_doubles s = t * t;
    const simd_doubles s2 = s * s;
    const simd_doubles tail = (all(base_fmath_atan[0]) + s * all(base_fmath_atan[1])) +
                              s2 * ((all(base_fmath_atan[2]) + s * all(base_fmath_atan[3])) +
                                    s2 * all(base_fmath_atan[4]));
    const simd_half_words place = SIMD_HALF(slli_epi32)(step, 1);
    const simd_doubles high = simd_gather_doubles(&base_fmath_atan_table[0].high, place);
    const simd_doubles low = simd_gather_doubles(&base_fmath_atan_table[0].low, place);
    const struct parts sum = exact_sum(high, t);
    return (struct parts){sum.high, sum.low + (low + t * s * tail)};
}

BASE_INLINE struct parts difference(simd_doubles high, simd_doubles low, struct parts b)
{
    const struct parts sum = exact_sum(high, negated(b.high));
    return (struct parts){sum.high, sum.low + (low - b.low)};
}

BASE_INLINE struct parts choose_parts(simd_doubles mask, struct parts yes, struct parts no)
{
    return (struct parts){choose(mask, yes.high, no.high), choose(mask, yes.low, no.low)};
}

/* The larger of the two is within 2^-500..2^500. */
BASE_INLINE struct parts steep_angle(simd_doubles rise, simd_doubles run)
{
    const simd_doubles steep = below(run, rise);
    const struct parts flat = flat_angle(choose(steep, run, rise), choose(steep, rise, run));
    const struct parts rest =
        difference(all(0.5 * BASE_FMATH_PI_HIGH), all(0.5 * BASE_FMATH_PI_LOW), flat);
    return choose_parts(steep, rest, flat);
}

BASE_INLINE simd_doubles half_plane_angle(simd_doubles rise, simd_doubles run)
{
    const struct parts right = steep_angle(rise, magnitude(run));
    const struct parts left = difference(all(BASE_FMATH_PI_HIGH), all(BASE_FMATH_PI_LOW), right);
    const struct parts angle = choose_parts(run, left, right);
    return angle.high + angle.low;
}

BASE_INLINE struct result atan_of(simd_doubles x)
{
    const simd_doubles size = magnitude(x);
    const struct parts angle = steep_angle(size, all(1.0));
    const simd_doubles value = with_sign(angle.high + angle.low, x);
    return (struct result){choose(below(size, all(0x1p-28)), x, value), at_most(size, all(0x1p60))};
}

BASE_INLINE simd_doubles other_side(simd_doubles x)
{
    return SIMD(sqrt_pd)((all(1.0) - x) * (all(1.0) + x));
}

BASE_INLINE struct result asin_of(simd_doubles x)
{
    const simd_doubles size = magnitude(x);
    const struct parts angle = steep_angle(size, other_side(x));
    const simd_doubles value = with_sign(angle.high + angle.low, x);
    return (struct result){choose(below(size, all(0x1p-28)), x, value), at_most(size, all(1.0))};
}

BASE_INLINE struct result acos_of(simd_doubles x)
{
    return (struct result){half_plane_angle(other_side(x), x), at_most(magnitude(x), all(1.0))};
}

BASE_INLINE struct result atan2_of(simd_doubles y, simd_doubles x)
{
    const simd_doubles larger = SIMD(max_pd)(magnitude(y), magnitude(x));
    const simd_doubles ordered = both(equal(y, y), equal(x, x));
    const simd_doubles ordinary =
        both(at_most(all(0x1p-500), larger), at_most(larger, all(0x1p500)));
    return (struct result){with_sign(half_plane_angle(magnitude(y), x), y),
                           both(ordered, ordinary)};
}

/* ---- exponential and logarithm ---- */

enum { EXP_USUAL_MAX = 700 };

BASE_INLINE simd_doubles exp_of_parts(struct parts x)
{
    const simd_doubles shifted = x.high * all(BASE_FMATH_ONE_BY_LN2) + all(BASE_FMATH_ROUND);
    const simd_doubles k = shifted - all(BASE_FMATH_ROUND);
    const struct parts sum =
        exact_sum(x.high - k * all(BASE_FMATH_LN2_1), x.low - k * all(BASE_FMATH_LN2_2));
    const simd_doubles r = sum.high;
    const simd_doubles r2 = r * r;
    const simd_doubles r4 = r2 * r2;
    const double *c = base_fmath_exp;
    const simd_doubles tail =
        ((all(c[0]) + r * all(c[1])) + r2 * (all(c[2]) + r * all(c[3]))) +
        r4 * (((all(c[4]) + r * all(c[5])) + r2 * (all(c[6]) + r * all(c[7]))) +
              r4 * ((all(c[8]) + r * all(c[9])) + r2 * all(c[10])));
    const simd_words exponent = SIMD(add_epi64)(as_bits(shifted), all_bits(1023));
    return (all(1.0) + (r + (sum.low + r2 * tail))) * as_number(SIMD(slli_epi64)(exponent, 52));
}

BASE_INLINE simd_doubles exp_is_usual(simd_doubles x)
{
    return at_most(magnitude(x), all(EXP_USUAL_MAX));
}

BASE_INLINE struct result exp_of(simd_doubles x)
{
    return (struct result){exp_of_parts((struct parts){x, all(0.0)}), exp_is_usual(x)};
}

BASE_INLINE struct parts log_ratio(simd_doubles m, simd_doubles c)
{
    const simd_doubles across = m - c;
    const struct parts sum = exact_sum(m, c);
    const simd_doubles inverse = all(1.0) / sum.high;
    const simd_doubles f = across * inverse;
    const struct parts back = exact_product(f, sum.high);
    const simd_doubles f_low = (((across - back.high) - back.low) - f * sum.low) * inverse;
    const simd_doubles s = f * f;
    const simd_doubles tail =
        s *
        (all(base_fmath_log[0]) +
         s * (all(base_fmath_log[1]) + s * (all(base_fmath_log[2]) + s * all(base_fmath_log[3]))));
    return (struct parts){all(2.0) * f, all(2.0) * (f_low + f * tail)};
}

/* The fraction of a normal number, 1 to 2, and its exponent. */
BASE_INLINE simd_doubles split(simd_doubles x, simd_doubles *exponent)
{
    const simd_words two_52 = as_bits(all(0x1p52));
    const simd_words biased = simd_or(SIMD(srli_epi64)(as_bits(x), 52), two_52);
    *exponent = as_number(biased) - all(0x1p52 + 1023.0);
    const simd_words fraction = simd_and(as_bits(x), all_bits(INT64_C(0xfffffffffffff)));
    return as_number(simd_or(fraction, as_bits(all(1.0))));
}

BASE_INLINE struct parts log_parts(simd_doubles x)
{
    simd_doubles k;
    simd_doubles m = split(x, &k);
    const simd_doubles large = below(all(0x1.6ap0), m);
    m = choose(large, m * all(0.5), m);
    k = k + both(large, all(1.0));
    const simd_half_words step = SIMD(cvttpd_epi32)(all(32.0) * m + all(0.5));
    const struct parts ratio = log_ratio(m, SIMD(cvtepi32_pd)(step) * all(0x1p-5));
    const simd_half_words place = SIMD_HALF(slli_epi32)(
        SIMD_HALF(sub_epi32)(step, SIMD_HALF(set1_epi32)(BASE_FMATH_LOG_START)), 1);
    const simd_doubles c_high = simd_gather_doubles(&base_fmath_log_table[0].high, place);
    const simd_doubles c_low = simd_gather_doubles(&base_fmath_log_table[0].low, place);
    const struct parts first = exact_sum(k * all(BASE_FMATH_LN2_1), c_high);
    const struct parts second = exact_sum(first.high, ratio.high);
    const simd_doubles low = k * all(BASE_FMATH_LN2_2) + c_low;
    return exact_sum(second.high, second.low + (first.low + (low + ratio.low)));
}

BASE_INLINE simd_doubles is_normal(simd_doubles x)
{
    return both(at_most(all(DBL_MIN), x), at_most(x, all(DBL_MAX)));
}

BASE_INLINE struct result log_of(simd_doubles x)
{
    return (struct result){log_parts(x).high, is_normal(x)};
}

BASE_INLINE struct result log10_of(simd_doubles x)
{
    const struct parts natural = log_parts(x);
    const struct parts product = exact_product(natural.high, all(BASE_FMATH_LOG10E_HIGH));
    const simd_doubles value =
        product.high + (product.low + (natural.high * all(BASE_FMATH_LOG10E_LOW) +
                                       natural.low * all(BASE_FMATH_LOG10E_HIGH)));
    return (struct result){value, is_normal(x)};
}

/* ---- powers ---- */

/* x to the power of a whole number 0..16; where a bit of it is not set, times 1. */
BASE_INLINE simd_doubles multiplied(simd_doubles x, simd_doubles times)
{
    const simd_words count = SIMD(cvtepi32_epi64)(SIMD(cvttpd_epi32)(times));
    simd_doubles result = all(1.0);
    for (int bit = 0; bit < 5; bit++) {
        const simd_doubles used = as_number(SIMD(slli_epi64)(count, 63 - bit));
        result = result * choose(used, x, all(1.0));
        x = x * x;
    }
    return result;
}

/* By multiplying, where base_pow does so. */
BASE_INLINE struct result small_power(simd_doubles x, simd_doubles y, simd_doubles whole)
{
    const simd_doubles size = magnitude(y);
    const simd_doubles small = both(whole, at_most(size, all(16.0)));
    const simd_doubles power = multiplied(x, both(small, size));
    const simd_doubles power_size = magnitude(power);
    const simd_doubles negative = below(y, all(0.0));
    const simd_doubles inverts =
        both(below(all(0x1p-1000), power_size), below(power_size, all(0x1p1000)));
    return (struct result){choose(negative, all(1.0) / power, power),
                           without(without(inverts, negative), small)};
}

/* The last logarithm: bases are often the same for many exponents. */
struct logarithm {
    simd_doubles x;
    struct parts value;
};

BASE_INLINE struct parts remembered_log(struct logarithm *last, simd_doubles x)
{
    if (bits_of(equal(x, last->x)) != EVERY) {
        *last = (struct logarithm){x, log_parts(x)};
    }
    return last->value;
}

/* Of positive numbers in general; negative ones with a fraction in the exponent give NaN. */
BASE_INLINE struct result general_power(simd_doubles x, simd_doubles y, simd_doubles whole,
                                        struct logarithm *last)
{
    const simd_doubles normal = is_normal(x);
    const struct parts log_x = remembered_log(last, choose(normal, x, all(1.0)));
    const simd_doubles about = y * log_x.high;
    struct parts product = exact_product(y, log_x.high);
    product.low = product.low + y * log_x.low;
    const simd_doubles usual = both(normal, exp_is_usual(about));
    const simd_doubles finite =
        both(at_most(magnitude(x), all(DBL_MAX)), at_most(magnitude(y), all(DBL_MAX)));
    const simd_doubles broken = both(both(finite, below(x, all(0.0))), without(whole, all(-0.0)));
    const simd_doubles value = choose(broken, all(__builtin_nan("")), exp_of_parts(product));
    return (struct result){value, either(usual, broken)};
}

BASE_INLINE struct result pow_of(simd_doubles x, simd_doubles y, struct logarithm *last)
{
    const simd_doubles whole = equal(y, truncated(y));
    struct result result = {all(0.0), all(0.0)};
    if (bits_of(whole) != 0) {
        result = small_power(x, y, whole);
    }
    if (bits_of(result.usual) != EVERY) {
        const struct result general = general_power(x, y, whole, last);
        result.value = choose(result.usual, result.value, general.value);
        result.usual = either(result.usual, general.usual);
    }
    return result;
}

/* ---- over arrays ---- */

BASE_INLINE void store(double *dst, simd_doubles value)
{
    SIMD(storeu_pd)(dst, value);
}

/* What is not usual is computed one by one. */
BASE_INLINE void store_unary(double *dst, simd_doubles x, struct result result,
                             double (*single)(double x))
{
    const int mask = bits_of(result.usual);
    store(dst, result.value);
    if (mask != EVERY) {
        double arguments[WIDTH];
        store(arguments, x);
        for (int i = 0; i < WIDTH; i++) {
            if ((mask >> i & 1) == 0) {
                dst[i] = single(arguments[i]);
            }
        }
    }
}

BASE_INLINE void store_binary(double *dst, simd_doubles a, simd_doubles b, struct result result,
                              double (*single)(double a, double b))
{
    const int mask = bits_of(result.usual);
    store(dst, result.value);
    if (mask != EVERY) {
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

#define FMATH_UNARY(name)                                                                          \
    static void name##_lanes(double *dst, const double *x, size_t count)                           \
    {                                                                                              \
        size_t i = 0;                                                                              \
        for (; i + WIDTH <= count; i += WIDTH) {                                                   \
            const simd_doubles v = SIMD(loadu_pd)(x + i);                                          \
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
        const simd_doubles y = SIMD(loadu_pd)(a + i);
        const simd_doubles x = SIMD(loadu_pd)(b + i);
        store_binary(dst + i, y, x, atan2_of(y, x), base_atan2);
    }
    for (; i < count; i++) {
        dst[i] = base_atan2(a[i], b[i]);
    }
}

static void pow_lanes(double *dst, const double *a, const double *b, size_t count)
{
    const simd_doubles zero = all(0.0);
    struct logarithm last = {all(1.0), {zero, zero}};
    size_t i = 0;
    for (; i + WIDTH <= count; i += WIDTH) {
        const simd_doubles x = SIMD(loadu_pd)(a + i);
        const simd_doubles y = SIMD(loadu_pd)(b + i);
        store_binary(dst + i, x, y, pow_of(x, y, &last), base_pow);
    }
    for (; i < count; i++) {
        dst[i] = base_pow(a[i], b[i]);
    }
}

FMATH_UNARY(sin)
FMATH_UNARY(cos)
FMATH_UNARY(tan)
FMATH_UNARY(asin)
FMATH_UNARY(acos)
FMATH_UNARY(atan)
FMATH_UNARY(exp)
FMATH_UNARY(log)
FMATH_UNARY(log10)

#endif

#endif
