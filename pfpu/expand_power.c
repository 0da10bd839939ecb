#include <math.h>

#include "base/fmath.h"
#include "pfpu/expand.h"
#include "pfpu/expand_ops.h"

enum { WHOLE_EXPONENT_MAX = 16, SIGMOID_MAX = 60 };

static const double octave = 8388608.0;           /* steps of 2^-23 in an octave */
static const double aligner = 8388608.0 * octave; /* its last bit is worth an octave */
static const double ln2 = 0.69314718055994530942;
static const double log10_2 = 0.30102999566398119521;
static const double exp2_scale = 0.00798999341; /* times 2^-92, four octaves */
static const double exp2_zero = 127.0;          /* exponent of 1 */

/* The binary logarithm in steps of 2^-23. A word as an integer is 2^23 * (exponent + fraction): the
 * logarithm but for the bend in it. */
static int32_t log2_steps(struct pfpu_builder *builder, int32_t x)
{
    const int32_t word = to_float(builder, x);
    const int32_t aligned = plus(builder, word, aligner);
    const int32_t whole = subtract(builder, aligned, number(builder, aligner));
    const int32_t f = subtract(builder, word, whole);
    const int32_t m = plus(builder, f, -1.99998375 * octave);
    const int32_t a = times(builder, -0.0777564745 / (octave * octave * octave), f);
    const int32_t b = plus(builder, multiply(builder, f, a), -0.359198081 / octave);
    const int32_t bend = multiply(builder, b, multiply(builder, m, m));
    return plus(builder, add(builder, whole, bend), (1.436895 - exp2_zero) * octave);
}

/* Twice t, or 0 below 0: without a condition, of which the machine has but one register. */
static int32_t twice_positive(struct pfpu_builder *builder, int32_t t)
{
    return add(builder, t, magnitude(builder, t));
}

/* 2^(t / octave - bias) for t >= 0. The aligner leaves the whole part in the bits that F2I keeps,
 * shifted to the exponent's place; the polynomial is 2^f but for the factor exp2_scale,
 * so large that no product can fall below the range. */
static int32_t exp2_biased(struct pfpu_builder *builder, int32_t t)
{
    const int32_t aligned = plus(builder, t, aligner);
    const int32_t power = to_integer(builder, aligned);
    const int32_t whole = subtract(builder, aligned, number(builder, aligner));
    const int32_t f = subtract(builder, t, whole);
    const int32_t a = plus(builder, f, 3.3447385 * octave);
    const int32_t square = multiply(builder, a, a);
    const int32_t rest = subtract(builder, square, times(builder, 5.61694305 * octave, f));
    return multiply(builder, multiply(builder, power, rest), square);
}

/* In steps of 2^-23. */
static double bias(void)
{
    return (exp2_zero - 92 + base_log(exp2_scale) / ln2) * octave;
}

/* 2^(factor * x) */
static int32_t exp2_of(struct pfpu_builder *builder, double factor, int32_t x)
{
    const int32_t half = times(builder, 0.5 * factor * octave, x);
    return exp2_biased(builder, twice_positive(builder, plus(builder, half, 0.5 * bias())));
}

int32_t pfpu_expand_exp(struct pfpu_builder *builder, int32_t x)
{
    return exp2_of(builder, 1 / ln2, x);
}

int32_t pfpu_expand_log(struct pfpu_builder *builder, int32_t x)
{
    return times(builder, ln2 / octave, log2_steps(builder, x));
}

int32_t pfpu_expand_log10(struct pfpu_builder *builder, int32_t x)
{
    return times(builder, log10_2 / octave, log2_steps(builder, x));
}

static int32_t whole_power(struct pfpu_builder *builder, int32_t base, int exponent)
{
    int32_t value = PFPU_NO_VALUE;
    for (int left = exponent; left > 0; left /= 2) {
        if (left % 2 != 0) {
            value = value == PFPU_NO_VALUE ? base : multiply(builder, value, base);
        }
        if (left > 1) {
            base = multiply(builder, base, base);
        }
    }
    return value == PFPU_NO_VALUE ? number(builder, 1.0) : value;
}

/* A power that is made of products and at most one root, or PFPU_NO_VALUE. */
static int32_t short_power(struct pfpu_builder *builder, int32_t base, double exponent)
{
    const double size = fabs(exponent);
    const double whole = floor(size);
    if (!(size <= WHOLE_EXPONENT_MAX) || (size != whole && size != whole + 0.5)) {
        return PFPU_NO_VALUE;
    }
    if (size == whole) {
        const int32_t value = whole_power(builder, base, (int)whole);
        return exponent < 0 ? pfpu_expand_reciprocal(builder, value) : value;
    }
    const int32_t root =
        exponent < 0 ? pfpu_expand_invsqrt(builder, base) : pfpu_expand_sqrt(builder, base);
    if (whole == 0) {
        return root;
    }
    const int32_t value = whole_power(builder, base, (int)whole);
    return multiply(builder, root, exponent < 0 ? pfpu_expand_reciprocal(builder, value) : value);
}

int32_t pfpu_expand_pow(struct pfpu_builder *builder, int32_t base, int32_t exponent)
{
    double known = 0;
    if (is_number(builder, exponent, &known)) {
        const int32_t value = short_power(builder, base, known);
        if (value != PFPU_NO_VALUE) {
            return value;
        }
    } else if (is_number(builder, base, &known) && known > 0) {
        return exp2_of(builder, base_log(known) / ln2, exponent);
    }
    const int32_t power = multiply(builder, exponent, log2_steps(builder, base));
    const int32_t biased = plus(builder, power, bias());
    return exp2_biased(builder, pfpu_expand_max(builder, biased, number(builder, 0.0)));
}

/* 1 / (1 + 2^t), t held below what the reciprocal can square. */
int32_t pfpu_expand_sigmoid(struct pfpu_builder *builder, int32_t x, int32_t c)
{
    const int32_t half = multiply(builder, x, times(builder, -0.5 / ln2 * octave, c));
    const int32_t biased = plus(builder, half, 0.5 * bias());
    const double most = 0.5 * (bias() + SIGMOID_MAX * octave);
    const int32_t held = pfpu_expand_min(builder, biased, number(builder, most));
    const int32_t power = exp2_biased(builder, twice_positive(builder, held));
    return pfpu_expand_positive_coarse_reciprocal(builder, plus(builder, power, 1.0));
}
