#include "gpu/spirv/equations/real.h"

#include <assert.h>
#include <math.h>

#include "base/fmath_terms.h"

_Static_assert((int)REAL_FUNCTIONS <= (int)SPIRV_FUNCTIONS, "functions of a module");

enum { BITS = 20, BIAS = 1023 }; /* of the upper word's fraction, of an exponent */
#define SIGN         UINT32_C(0x80000000)
#define FRACTION     UINT32_C(0xfffff)
#define LEAST_NORMAL UINT32_C(0x00100000)

real real_call(struct spirv *to, enum real_function function, real (*body)(const real *arguments),
               const real *arguments, size_t count)
{
    assert(count <= REAL_ARGUMENTS);
    uint32_t *made = spirv_known(to, function);
    if (*made == 0) {
        static const enum spirv_type types[REAL_ARGUMENTS] = {SPIRV_DOUBLE, SPIRV_DOUBLE};
        struct spirv_outer outer;
        uint32_t names[REAL_ARGUMENTS];
        real inner[REAL_ARGUMENTS];
        spirv_function(to, &outer, SPIRV_DOUBLE, types, count, names);
        for (size_t i = 0; i < count; i++) {
            inner[i] = real_named(to, names[i]);
        }
        *made = spirv_function_end(to, &outer, real_name(to, body(inner)));
    }
    uint32_t operands[1 + REAL_ARGUMENTS] = {*made};
    for (size_t i = 0; i < count; i++) {
        operands[1 + i] = real_name(to, arguments[i]);
    }
    return real_named(to, spirv_make(to, SPIRV_FUNCTION_CALL, SPIRV_DOUBLE, operands, count + 1));
}

real real_power_of_two(struct spirv *to, uint32_t exponent)
{
    const uint32_t field = spirv_sum(to, exponent, spirv_word(to, BIAS));
    const uint32_t high = SPIRV_MAKE(to, SPIRV_SHIFT_LEFT, SPIRV_UINT, field, spirv_word(to, BITS));
    return real_from_words(to, (struct real_words){spirv_word(to, 0), high});
}

real real_with_sign(real a, real b)
{
    struct spirv *to = real_module(a, b);
    const struct real_words words = real_words(real_named(to, real_name(to, a)));
    const uint32_t sign = spirv_masked(to, real_high(b), SIGN);
    const uint32_t high =
        SPIRV_MAKE(to, SPIRV_BIT_OR, SPIRV_UINT, spirv_masked(to, words.high, REAL_SIZE), sign);
    return real_from_words(to, (struct real_words){words.low, high});
}

struct real_parts real_exact_sum(real a, real b)
{
    const real sum = real_plus(a, b);
    const real b_part = real_minus(sum, a);
    const real a_part = real_minus(sum, b_part);
    return (struct real_parts){sum, real_plus(real_minus(a, a_part), real_minus(b, b_part))};
}

/* ---- products without error ---- */

static struct real_parts product_of_parts(real a, real b, real a_high, real b_high)
{
    const real product = real_times(a, b);
    const real a_low = real_minus(a, a_high);
    const real b_low = real_minus(b, b_high);
    const real first = real_minus(real_times(a_high, b_high), product);
    const real cross = real_plus(real_times(a_high, b_low), real_times(a_low, b_high));
    return (struct real_parts){product,
                               real_plus(real_plus(first, cross), real_times(a_low, b_low))};
}

/* Without the last 27 bits of its fraction. */
static real upper_half(real a)
{
    const struct real_words words = real_words(a);
    const uint32_t low = spirv_masked(a.to, words.low, ~UINT32_C(0x7ffffff));
    return real_from_words(a.to, (struct real_words){low, words.high});
}

struct real_parts real_exact_product(real a, real b)
{
    return product_of_parts(a, b, upper_half(a), upper_half(b));
}

/* To the nearest number without the last 27 bits, so that the rest has no more than 26 bits and
 * the product of two has no error at all. */
static real rounded_half(real a)
{
    struct spirv *to = a.to;
    const struct real_words words = real_words(a);
    const uint32_t low = spirv_sum(to, words.low, spirv_word(to, UINT32_C(1) << 26));
    const uint32_t carries = SPIRV_MAKE(to, SPIRV_UNSIGNED_LESS, SPIRV_BOOL, low, words.low);
    const uint32_t high =
        spirv_sum(to, words.high, spirv_chosen(to, carries, spirv_word(to, 1), spirv_word(to, 0)));
    return real_from_words(to,
                           (struct real_words){spirv_masked(to, low, ~UINT32_C(0x7ffffff)), high});
}

/* What is left of `all` without a * b, which is close to it: `half` is rounded_half of b. */
static real rest_of(real all, real a, real b, real half)
{
    const struct real_parts product = product_of_parts(a, b, rounded_half(a), half);
    return real_minus(real_minus(all, product.high), product.low);
}

/* ---- numbers taken apart ---- */

/* mantissa * 2^exponent, the mantissa from 1 to below 2. */
struct apart {
    real mantissa;
    uint32_t exponent; /* a word of two's complement */
};

/* Of a finite number above 0; of others something. */
static struct apart apart(real a)
{
    enum { MOVED = 54 };
    struct spirv *to = a.to;
    const uint32_t small =
        SPIRV_MAKE(to, SPIRV_UNSIGNED_LESS, SPIRV_BOOL, real_high(a), spirv_word(to, LEAST_NORMAL));
    const real normal = real_chosen(to, small, real_times(a, real_of(0x1p54)), a);
    const struct real_words words = real_words(normal);
    const uint32_t high =
        SPIRV_MAKE(to, SPIRV_BIT_OR, SPIRV_UINT, spirv_masked(to, words.high, FRACTION),
                   spirv_word(to, (uint32_t)BIAS << BITS));
    const uint32_t bias =
        spirv_chosen(to, small, spirv_word(to, BIAS + MOVED), spirv_word(to, BIAS));
    return (struct apart){
        real_from_words(to, (struct real_words){words.low, high}),
        spirv_difference(to, spirv_right(to, words.high, BITS), bias),
    };
}

/* a * 2^exponent, for a 0 or from 1 to 4; beyond FAR it is the same as there. */
static real scaled(real a, uint32_t exponent)
{
    enum { FAR = 1100 };
    struct spirv *to = a.to;
    const uint32_t above = SPIRV_EXTEND(to, SPIRV_EXTENDED_SIGNED_MAX, SPIRV_UINT, exponent,
                                        spirv_word(to, (uint32_t)-FAR));
    const uint32_t within =
        SPIRV_EXTEND(to, SPIRV_EXTENDED_SIGNED_MIN, SPIRV_UINT, above, spirv_word(to, FAR));
    const uint32_t half =
        SPIRV_MAKE(to, SPIRV_SHIFT_RIGHT_SIGNED, SPIRV_UINT, within, spirv_word(to, 1));
    const uint32_t other = spirv_difference(to, within, half);
    return real_times(real_times(a, real_power_of_two(to, half)), real_power_of_two(to, other));
}

/* ---- quotients ---- */

/* Below 1 unit in the last place wrong, and mostly right. b, from 1 to 2, has `half`. The estimate
 * has 21 bits, by what the standard says of floats of 32 bits; each step doubles them. */
static real near_quotient(real a, real b, real half)
{
    struct spirv *to = a.to;
    const uint32_t one = spirv_number(to, SPIRV_FLOAT, 1.0f);
    const uint32_t estimate = SPIRV_MAKE(to, SPIRV_FLOAT_DIV, SPIRV_FLOAT, one, real_to_float(b));
    real inverse = real_from_float(to, estimate);
    for (int i = 0; i < 2; i++) {
        const real error = real_minus(real_of(1.0), real_times(b, inverse));
        inverse = real_plus(inverse, real_times(inverse, error));
    }
    const real quotient = real_times(a, inverse);
    return real_plus(quotient, real_times(rest_of(a, quotient, b, half), inverse));
}

/* How many bits a result of this exponent lacks: denormal numbers do. */
static uint32_t lacking(struct spirv *to, uint32_t exponent)
{
    enum { LEAST = -1022, ALL = 54 };
    const uint32_t lacks = spirv_difference(to, spirv_word(to, (uint32_t)LEAST), exponent);
    const uint32_t some =
        SPIRV_EXTEND(to, SPIRV_EXTENDED_SIGNED_MAX, SPIRV_UINT, lacks, spirv_word(to, 0));
    return spirv_least(to, some, spirv_word(to, ALL));
}

/* Of finite numbers above 0. A near one is rounded to as many bits as the result has; what the
 * dividend has over tells by its size whether the neighbour is nearer. It is never just between
 * two, but for a denormal one, which then was exact. */
static real finite_quotient(real a, real b)
{
    struct spirv *to = a.to;
    const struct apart above = apart(a);
    const struct apart below = apart(b);
    const uint32_t smaller = real_below(above.mantissa, below.mantissa);
    const real dividend =
        real_chosen(to, smaller, real_plus(above.mantissa, above.mantissa), above.mantissa);
    const uint32_t exponent =
        spirv_difference(to, spirv_difference(to, above.exponent, below.exponent),
                         spirv_chosen(to, smaller, spirv_word(to, 1), spirv_word(to, 0)));
    const real half = rounded_half(below.mantissa);
    const real near = near_quotient(dividend, below.mantissa, half);
    const uint32_t lacks = lacking(to, exponent);
    const uint32_t whole =
        SPIRV_MAKE(to, SPIRV_INTEGER_EQUAL, SPIRV_BOOL, lacks, spirv_word(to, 0));
    const real power = real_power_of_two(to, lacks);
    const real rounded = real_chosen(to, whole, near, real_minus(real_plus(near, power), power));
    const real unit = real_times(power, real_of(0x1p-52));
    const real rest = rest_of(dividend, rounded, below.mantissa, half);
    const real limit = real_times(below.mantissa, real_times(unit, real_of(0.5)));
    const real up = real_chosen(to, real_below(limit, rest), unit, real_of(0.0));
    const real change =
        real_chosen(to, real_below(rest, real_negated(limit)), real_negated(unit), up);
    return scaled(real_plus(rounded, change), exponent);
}

static uint32_t is_zero(real a)
{
    struct spirv *to = a.to;
    const struct real_words words = real_words(a);
    const uint32_t size = spirv_masked(to, words.high, REAL_SIZE);
    return SPIRV_MAKE(to, SPIRV_INTEGER_EQUAL, SPIRV_BOOL,
                      SPIRV_MAKE(to, SPIRV_BIT_OR, SPIRV_UINT, words.low, size), spirv_word(to, 0));
}

static real divide(const real *arguments)
{
    const real a = arguments[0];
    const real b = arguments[1];
    struct spirv *to = a.to;
    const uint32_t sign = spirv_masked(
        to, SPIRV_MAKE(to, SPIRV_BIT_XOR, SPIRV_UINT, real_high(a), real_high(b)), SIGN);
    const real above = real_magnitude(a);
    const real below = real_magnitude(b);
    const uint32_t above_zero = is_zero(a);
    const uint32_t below_zero = is_zero(b);
    const uint32_t above_infinite = real_equal(above, real_of(INFINITY));
    const uint32_t below_infinite = real_equal(below, real_of(INFINITY));
    const uint32_t numbers = real_both(to, real_is_number(a), real_is_number(b));
    const uint32_t neither = real_either(to, real_both(to, above_zero, below_zero),
                                         real_both(to, above_infinite, below_infinite));
    const uint32_t good = real_both(to, numbers, real_not(to, neither));
    const real large = real_chosen(to, real_either(to, above_infinite, below_zero),
                                   real_of(INFINITY), real_of(0.0));
    const real odd = real_chosen(to, good, large, real_of(NAN));
    const uint32_t usual = real_both(to, real_both(to, real_is_finite(a), real_is_finite(b)),
                                     real_not(to, real_either(to, above_zero, below_zero)));
    const real result = real_chosen(to, usual, finite_quotient(above, below), odd);
    const struct real_words words = real_words(result);
    const uint32_t high = SPIRV_MAKE(to, SPIRV_BIT_OR, SPIRV_UINT, words.high, sign);
    return real_from_words(to, (struct real_words){words.low, high});
}

real real_divide(real a, real b)
{
    const real arguments[] = {a, b};
    return real_call(real_module(a, b), REAL_DIVIDE, divide, arguments, 2);
}

/* ---- roots ---- */

/* Of 1 to below 4. The first estimate has 20 bits; what the number has over the root's square tells
 * whether the neighbour is nearer, and it is never just between two. */
static real near_root(real a)
{
    struct spirv *to = a.to;
    const uint32_t estimate =
        SPIRV_EXTEND(to, SPIRV_EXTENDED_ROOT_INVERSE, SPIRV_FLOAT, real_to_float(a));
    real inverse = real_from_float(to, estimate);
    for (int i = 0; i < 2; i++) {
        const real half = real_times(inverse, real_of(0.5));
        const real error = real_minus(real_of(1.0), real_times(real_times(a, inverse), inverse));
        inverse = real_plus(inverse, real_times(half, error));
    }
    const real first = real_times(a, inverse);
    const real rest = rest_of(a, first, first, rounded_half(first));
    const real root = real_plus(first, real_times(rest, real_times(inverse, real_of(0.5))));
    const real over = rest_of(a, root, root, rounded_half(root));
    const real limit = real_times(root, real_of(0x1p-52));
    const real up = real_chosen(to, real_below(limit, over), real_of(0x1p-52), real_of(0.0));
    const real change =
        real_chosen(to, real_not(to, real_below(real_negated(limit), over)), real_of(-0x1p-52), up);
    return real_plus(root, change);
}

static real root(const real *arguments)
{
    const real a = arguments[0];
    struct spirv *to = a.to;
    const struct apart parts = apart(a);
    const uint32_t odd = SPIRV_MAKE(to, SPIRV_INTEGER_NOT_EQUAL, SPIRV_BOOL,
                                    spirv_masked(to, parts.exponent, 1), spirv_word(to, 0));
    const real even =
        real_chosen(to, odd, real_plus(parts.mantissa, parts.mantissa), parts.mantissa);
    const uint32_t exponent =
        SPIRV_MAKE(to, SPIRV_SHIFT_RIGHT_SIGNED, SPIRV_UINT, parts.exponent, spirv_word(to, 1));
    const real usual = real_times(near_root(even), real_power_of_two(to, exponent));
    const real positive = real_chosen(to, real_not(to, real_is_finite(a)), a, usual);
    const real negative = real_chosen(to, real_signed(a), real_of(NAN), positive);
    return real_chosen(to, is_zero(a), a, negative);
}

real real_root(real a)
{
    return real_call(a.to, REAL_ROOT, root, &a, 1);
}

/* ---- far angles ---- */

/* Digit by digit: the mantissa is brought to where 2 pi has its own, 4 to below 8; each doubling
 * and each difference is exact. */
static real far_angle(const real *arguments)
{
    enum { EXPONENT = 2 };
    const real a = arguments[0];
    const real turn = real_of(2.0 * BASE_FMATH_PI_HIGH);
    struct spirv *to = a.to;
    const uint32_t rest = spirv_variable(to, SPIRV_DOUBLE);
    const uint32_t left = spirv_variable(to, SPIRV_UINT);
    const uint32_t head = spirv_name(to);
    const uint32_t test = spirv_name(to);
    const uint32_t body = spirv_name(to);
    const uint32_t next = spirv_name(to);
    const uint32_t behind = spirv_name(to);
    const struct apart parts = apart(real_magnitude(a));
    const real first = real_times(parts.mantissa, real_of(1 << EXPONENT));
    spirv_store(
        to, rest,
        real_chosen(to, real_not(to, real_below(first, turn)), real_minus(first, turn), first)
            .name);
    /* Of numbers that are not finite, no more steps than of others. */
    spirv_store(to, left, spirv_difference(to, parts.exponent, spirv_word(to, EXPONENT)));
    spirv_branch(to, head);
    spirv_label(to, head);
    SPIRV_PUT(to, SPIRV_LOOP_MERGE, behind, next, 0);
    spirv_branch(to, test);
    spirv_label(to, test);
    const uint32_t steps = spirv_load(to, SPIRV_UINT, left);
    const uint32_t more =
        SPIRV_MAKE(to, SPIRV_SIGNED_GREATER, SPIRV_BOOL, steps, spirv_word(to, 0));
    SPIRV_PUT(to, SPIRV_BRANCH_CONDITIONAL, more, body, behind);
    spirv_label(to, body);
    const real one = real_named(to, spirv_load(to, SPIRV_DOUBLE, rest));
    const real two = real_plus(one, one);
    spirv_store(
        to, rest,
        real_chosen(to, real_not(to, real_below(two, turn)), real_minus(two, turn), two).name);
    spirv_store(to, left, spirv_difference(to, steps, spirv_word(to, 1)));
    spirv_branch(to, next);
    spirv_label(to, next);
    spirv_branch(to, head);
    spirv_label(to, behind);
    return real_with_sign(real_named(to, spirv_load(to, SPIRV_DOUBLE, rest)), a);
}

real real_far_angle(real a)
{
    return real_call(a.to, REAL_FAR_ANGLE, far_angle, &a, 1);
}
