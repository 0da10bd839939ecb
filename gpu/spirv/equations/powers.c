#include "gpu/spirv/equations/elementary.h"

#include <float.h>
#include <math.h>

/* ---- exponential and logarithm ---- */

/* Far outside the range it gives something. */
static real exp_of_parts(struct real_parts x)
{
    const double *c = base_fmath_exp;
    struct spirv *to = x.high.to;
    const real shifted =
        real_with(real_of(BASE_FMATH_ROUND), x.high, real_of(BASE_FMATH_ONE_BY_LN2));
    const real k = real_minus(shifted, real_of(BASE_FMATH_ROUND));
    const struct real_parts sum =
        real_exact_sum(real_minus(x.high, real_times(k, real_of(BASE_FMATH_LN2_1))),
                       real_minus(x.low, real_times(k, real_of(BASE_FMATH_LN2_2))));
    const real r = sum.high;
    const real r2 = real_times(r, r);
    const real r4 = real_times(r2, r2);
    const real first =
        real_with(real_constant_with(c[0], r, c[1]), r2, real_constant_with(c[2], r, c[3]));
    const real second =
        real_with(real_constant_with(c[4], r, c[5]), r2, real_constant_with(c[6], r, c[7]));
    const real third = real_with(real_constant_with(c[8], r, c[9]), r2, real_of(c[10]));
    const real tail = real_with(first, r4, real_with(second, r4, third));
    const real value = real_plus(real_of(1.0), real_plus(r, real_with(sum.low, r2, tail)));
    /* In two steps, of which the first one is exact. */
    const uint32_t exponent = real_to_signed(k);
    const uint32_t half =
        SPIRV_MAKE(to, SPIRV_SHIFT_RIGHT_SIGNED, SPIRV_UINT, exponent, spirv_word(to, 1));
    return real_times(real_times(value, real_power_of_two(to, half)),
                      real_power_of_two(to, spirv_difference(to, exponent, half)));
}

static const double exp_most = 710.0;
static const double exp_least = -746.0;

static real exp_of(const real *arguments)
{
    const real x = arguments[0];
    struct spirv *to = x.to;
    const real value = exp_of_parts((struct real_parts){x, real_of(0.0)});
    const real small = real_chosen(to, real_less(x, real_of(exp_least)), real_of(0.0), value);
    const real all = real_chosen(to, real_less(real_of(exp_most), x), real_of(INFINITY), small);
    return real_chosen(to, real_is_number(x), all, x);
}

static struct real_parts log_ratio(real m, real c)
{
    const double *t = base_fmath_log;
    const real across = real_minus(m, c);
    const struct real_parts sum = real_exact_sum(m, c);
    const real inverse = real_divide(real_of(1.0), sum.high);
    const real f = real_times(across, inverse);
    const struct real_parts back = real_exact_product(f, sum.high);
    const real left = real_minus(real_minus(across, back.high), back.low);
    const real f_low = real_times(real_minus(left, real_times(f, sum.low)), inverse);
    const real s = real_times(f, f);
    const real tail = real_times(
        s, real_with(real_of(t[0]), s,
                     real_with(real_of(t[1]), s, real_with(real_of(t[2]), s, real_of(t[3])))));
    return (struct real_parts){
        real_times(real_of(2.0), f),
        real_times(real_of(2.0), real_with(f_low, f, tail)),
    };
}

/* Of a positive finite number; of others something. */
static struct real_parts log_parts(real x)
{
    enum { BITS = 20, BIAS = 1023, MOVED = 54, FRACTION = 0xfffff };
    struct spirv *to = x.to;
    const uint32_t small = real_less(x, real_of(DBL_MIN));
    const real normal = real_chosen(to, small, real_times(x, real_of(0x1p54)), x);
    const struct real_words words = real_words(normal);
    const uint32_t bias =
        spirv_chosen(to, small, spirv_word(to, BIAS + MOVED), spirv_word(to, BIAS));
    const uint32_t high =
        SPIRV_MAKE(to, SPIRV_BIT_OR, SPIRV_UINT, spirv_masked(to, words.high, FRACTION),
                   spirv_word(to, (uint32_t)BIAS << BITS));
    const real fraction = real_from_words(to, (struct real_words){words.low, high});
    const uint32_t large = real_less(real_of(0x1.6ap0), fraction);
    const real m = real_chosen(to, large, real_times(fraction, real_of(0.5)), fraction);
    const uint32_t more = spirv_chosen(to, large, spirv_word(to, 1), spirv_word(to, 0));
    const uint32_t exponent =
        spirv_sum(to, spirv_difference(to, spirv_right(to, words.high, BITS), bias), more);
    const real k = real_from_signed(to, exponent);
    const uint32_t step = real_to_signed(real_with(real_of(0.5), real_of(32.0), m));
    const struct real_parts ratio =
        log_ratio(m, real_times(real_from_signed(to, step), real_of(0x1p-5)));
    const struct real_parts c = spirv_look_up(
        to, SPIRV_TABLE_LOG, spirv_difference(to, step, spirv_word(to, BASE_FMATH_LOG_START)));
    const struct real_parts first =
        real_exact_sum(real_times(k, real_of(BASE_FMATH_LN2_1)), c.high);
    const struct real_parts second = real_exact_sum(first.high, ratio.high);
    const real low = real_with(c.low, k, real_of(BASE_FMATH_LN2_2));
    return real_exact_sum(second.high,
                          real_plus(second.low, real_plus(first.low, real_plus(low, ratio.low))));
}

static real or_log_edge(real x, real value)
{
    struct spirv *to = x.to;
    const real outside = real_chosen(to, real_equal(x, real_of(0.0)), real_of(-INFINITY),
                                     real_chosen(to, real_less(x, real_of(0.0)), real_of(NAN), x));
    const uint32_t inside =
        real_both(to, real_less(real_of(0.0), x), real_at_most(x, real_of(DBL_MAX)));
    return real_chosen(to, inside, value, outside);
}

static real log_of(const real *arguments)
{
    return or_log_edge(arguments[0], log_parts(arguments[0]).high);
}

static real log10_of(const real *arguments)
{
    const struct real_parts natural = log_parts(arguments[0]);
    const struct real_parts product =
        real_exact_product(natural.high, real_constant(natural.high.to, BASE_FMATH_LOG10E_HIGH));
    const real small = real_with(real_times(natural.high, real_of(BASE_FMATH_LOG10E_LOW)),
                                 natural.low, real_of(BASE_FMATH_LOG10E_HIGH));
    return or_log_edge(arguments[0], real_plus(product.high, real_plus(product.low, small)));
}

real spirv_exp(real a)
{
    return real_call(a.to, REAL_EXP, exp_of, &a, 1);
}

real spirv_log(real a)
{
    return real_call(a.to, REAL_LOG, log_of, &a, 1);
}

real spirv_log10(real a)
{
    return real_call(a.to, REAL_LOG10, log10_of, &a, 1);
}

/* ---- powers ---- */

static const double multiplied_max = 16.0;

/* x to the power of a whole number 0..16, a word; of others something. */
static real multiplied(real x, uint32_t times)
{
    enum { TIMES_BITS = 5 };
    struct spirv *to = x.to;
    real result = real_of(1.0);
    for (uint32_t bit = 0; bit < TIMES_BITS; bit++) {
        const uint32_t used = real_has_bit(to, times, UINT32_C(1) << bit);
        result = real_chosen(to, used, real_times(result, x), result);
        x = real_times(x, x);
    }
    return result;
}

static uint32_t is_odd(real y)
{
    const real size = real_magnitude(y);
    const real pairs = real_trunc(real_times(size, real_of(0.5)));
    return real_equal(real_minus(size, real_plus(pairs, pairs)), real_of(1.0));
}

static real pow_edge(real x, real y)
{
    struct spirv *to = x.to;
    const real size = real_magnitude(x);
    const real infinity = real_of(INFINITY);
    const real zero = real_of(0.0);
    const uint32_t above = real_less(real_of(1.0), size);
    const uint32_t upwards = real_less(zero, y);
    const uint32_t grows = real_either(to, real_both(to, above, upwards),
                                       real_not(to, real_either(to, above, upwards)));
    const real far = real_chosen(to, real_equal(size, real_of(1.0)), real_of(1.0),
                                 real_chosen(to, grows, infinity, zero));
    const uint32_t from_zero = real_equal(size, zero);
    const uint32_t downwards = real_less(y, zero);
    const uint32_t infinite = real_either(to, real_both(to, from_zero, downwards),
                                          real_not(to, real_either(to, from_zero, downwards)));
    const real result = real_chosen(to, infinite, infinity, zero);
    const uint32_t negative = real_both(to, real_signed(x), is_odd(y));
    const real end = real_chosen(to, negative, real_negated(result), result);
    return real_chosen(to, real_equal(real_magnitude(y), infinity), far, end);
}

static real general_power(real x, real y)
{
    struct spirv *to = x.to;
    const struct real_parts log_x = log_parts(real_magnitude(x));
    const real about = real_times(y, log_x.high);
    struct real_parts product = real_exact_product(y, log_x.high);
    product.low = real_with(product.low, y, log_x.low);
    const uint32_t inside = real_both(to, real_at_most(real_of(exp_least), about),
                                      real_at_most(about, real_of(exp_most)));
    const real outside =
        real_chosen(to, real_less(real_of(exp_most), about), real_of(INFINITY), real_of(0.0));
    const real size = real_chosen(to, inside, exp_of_parts(product), outside);
    const uint32_t negative = real_both(to, real_less(x, real_of(0.0)), is_odd(y));
    return real_chosen(to, negative, real_negated(size), size);
}

/* All but what multiplying gives. */
static real other_power(real x, real y)
{
    struct spirv *to = x.to;
    const real infinity = real_of(INFINITY);
    const uint32_t whole = real_equal(y, real_trunc(y));
    const uint32_t broken = real_both(to, real_less(x, real_of(0.0)), real_not(to, whole));
    real result = real_chosen(to, broken, real_of(NAN), general_power(x, y));
    const uint32_t infinite = real_either(to, real_equal(real_magnitude(x), infinity),
                                          real_equal(real_magnitude(y), infinity));
    const uint32_t edge = real_either(to, real_equal(x, real_of(0.0)), infinite);
    result = real_chosen(to, edge, pow_edge(x, y), result);
    const uint32_t nan = real_not(to, real_both(to, real_is_number(x), real_is_number(y)));
    result = real_chosen(to, nan, real_of(NAN), result);
    return real_chosen(to, real_equal(x, real_of(1.0)), real_of(1.0), result);
}

static real pow_of(const real *arguments)
{
    const real x = arguments[0];
    const real y = arguments[1];
    struct spirv *to = x.to;
    const real size = real_magnitude(y);
    const uint32_t small =
        real_both(to, real_equal(y, real_trunc(y)), real_at_most(size, real_of(multiplied_max)));
    const real power = multiplied(x, real_to_unsigned(real_chosen(to, small, size, real_of(0.0))));
    const real power_size = real_magnitude(power);
    const uint32_t inverts = real_both(to, real_less(real_of(0x1p-1000), power_size),
                                       real_less(power_size, real_of(0x1p1000)));
    const uint32_t positive = real_at_most(real_of(0.0), y);
    const uint32_t done = real_both(to, small, real_either(to, positive, inverts));
    const uint32_t variable = spirv_variable(to, SPIRV_DOUBLE);
    spirv_store(to, variable,
                real_chosen(to, positive, power, real_divide(real_of(1.0), power)).name);
    const struct spirv_part rest = spirv_begin_part(to, real_not(to, done));
    spirv_store(to, variable, other_power(x, y).name);
    spirv_end_part(to, rest);
    return real_named(to, spirv_load(to, SPIRV_DOUBLE, variable));
}

real spirv_pow(struct spirv *module, real x, real y)
{
    const real arguments[] = {x, y};
    return real_call(module, REAL_POW, pow_of, arguments, 2);
}
