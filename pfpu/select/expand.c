#include "pfpu/select/expand.h"

#include <math.h>

#include "base/fmath.h"
#include "pfpu/ir/arith.h"

/* ---- short names for the coprocessor's operations ---- */

static inline int32_t number(struct pfpu_builder *builder, double value)
{
    return pfpu_build_number(builder, value);
}

static inline int32_t add(struct pfpu_builder *builder, int32_t a, int32_t b)
{
    return pfpu_build2(builder, PFPU_OP_WORD_FADD, a, b);
}

static inline int32_t subtract(struct pfpu_builder *builder, int32_t a, int32_t b)
{
    return pfpu_build2(builder, PFPU_OP_WORD_FSUB, a, b);
}

static inline int32_t multiply(struct pfpu_builder *builder, int32_t a, int32_t b)
{
    return pfpu_build2(builder, PFPU_OP_WORD_FMUL, a, b);
}

static inline bool is_number(const struct pfpu_builder *builder, int32_t value, double *result)
{
    if (builder->failed || builder->ir->instructions[value].op != PFPU_OP_NUMBER) {
        return false;
    }
    *result = builder->ir->instructions[value].number;
    return true;
}

/* a + value */
static inline int32_t plus(struct pfpu_builder *builder, int32_t a, double value)
{
    return add(builder, a, number(builder, value));
}

/* value - a */
static inline int32_t from(struct pfpu_builder *builder, double value, int32_t a)
{
    return subtract(builder, number(builder, value), a);
}

/* value * a, in the order that lets the builder merge a following factor with this one. */
static inline int32_t times(struct pfpu_builder *builder, double value, int32_t a)
{
    return multiply(builder, number(builder, value), a);
}

static inline int32_t magnitude(struct pfpu_builder *builder, int32_t a)
{
    return pfpu_build1(builder, PFPU_OP_WORD_FABS, a);
}

static inline int32_t signed_by(struct pfpu_builder *builder, int32_t a, int32_t sign)
{
    return pfpu_build2(builder, PFPU_OP_WORD_TSIGN, a, sign);
}

static inline int32_t quake(struct pfpu_builder *builder, int32_t a)
{
    return pfpu_build1(builder, PFPU_OP_WORD_QUAKE, a);
}

static inline int32_t to_integer(struct pfpu_builder *builder, int32_t a)
{
    return pfpu_build1(builder, PFPU_OP_WORD_F2I, a);
}

static inline int32_t to_float(struct pfpu_builder *builder, int32_t a)
{
    return pfpu_build1(builder, PFPU_OP_WORD_I2F, a);
}

static inline int32_t above(struct pfpu_builder *builder, int32_t a, int32_t b)
{
    return pfpu_build2(builder, PFPU_OP_WORD_ABOVE, a, b);
}

static inline int32_t choose(struct pfpu_builder *builder, int32_t condition, int32_t yes,
                             int32_t no)
{
    return pfpu_build3(builder, PFPU_OP_WORD_IF, condition, yes, no);
}

int32_t pfpu_expand_trunc(struct pfpu_builder *builder, int32_t x)
{
    return to_float(builder, to_integer(builder, x));
}

int32_t pfpu_expand_floor(struct pfpu_builder *builder, int32_t x)
{
    const int32_t whole = pfpu_expand_trunc(builder, x);
    return subtract(builder, whole, above(builder, whole, x));
}

int32_t pfpu_expand_ceil(struct pfpu_builder *builder, int32_t x)
{
    const int32_t whole = pfpu_expand_trunc(builder, x);
    return add(builder, whole, above(builder, x, whole));
}

int32_t pfpu_expand_sign(struct pfpu_builder *builder, int32_t x)
{
    const int32_t zero = number(builder, 0.0);
    const int32_t there = above(builder, magnitude(builder, x), zero);
    return signed_by(builder, there, x);
}

int32_t pfpu_expand_min(struct pfpu_builder *builder, int32_t a, int32_t b)
{
    return choose(builder, above(builder, a, b), b, a);
}

int32_t pfpu_expand_max(struct pfpu_builder *builder, int32_t a, int32_t b)
{
    return choose(builder, above(builder, a, b), a, b);
}

int32_t pfpu_expand_thesis_invsqrt(struct pfpu_builder *builder, int32_t x)
{
    int32_t root = quake(builder, x);
    for (int step = 0; step < 2; step++) {
        const int32_t half = times(builder, 0.5, x);
        const int32_t square = multiply(builder, root, root);
        const int32_t rest = from(builder, 1.5, multiply(builder, half, square));
        root = multiply(builder, root, rest);
    }
    return root;
}

int32_t pfpu_expand_thesis_sqrt(struct pfpu_builder *builder, int32_t x)
{
    return multiply(builder, x, pfpu_expand_thesis_invsqrt(builder, x));
}

int32_t pfpu_expand_thesis_divide(struct pfpu_builder *builder, int32_t a, int32_t b)
{
    const int32_t dividend = signed_by(builder, a, b);
    const int32_t root = pfpu_expand_thesis_invsqrt(builder, magnitude(builder, b));
    return multiply(builder, dividend, multiply(builder, root, root));
}

/* QUAKE of the square is 1 / |x| within 3.4 %. */
static int32_t first_reciprocal(struct pfpu_builder *builder, int32_t x)
{
    return quake(builder, multiply(builder, x, x));
}

/* r * p(x * r) with p(t) near 1 / t: three terms. */
static int32_t refine_coarsely(struct pfpu_builder *builder, int32_t r, int32_t x)
{
    const int32_t t = multiply(builder, x, r);
    const int32_t m = from(builder, 1.5004385, t);
    return multiply(builder, r, plus(builder, multiply(builder, m, m), 0.74956236));
}

/* The same with four terms. The last constant is high enough that truncation never shows. */
static int32_t refine(struct pfpu_builder *builder, int32_t r, int32_t x)
{
    const int32_t t = multiply(builder, x, r);
    const int32_t m = from(builder, 2.00058538, t);
    const int32_t rest = from(builder, 2.00000072, multiply(builder, t, m));
    return multiply(builder, multiply(builder, r, m), rest);
}

int32_t pfpu_expand_reciprocal(struct pfpu_builder *builder, int32_t x)
{
    return refine(builder, signed_by(builder, first_reciprocal(builder, x), x), x);
}

int32_t pfpu_expand_coarse_reciprocal(struct pfpu_builder *builder, int32_t x)
{
    return refine_coarsely(builder, signed_by(builder, first_reciprocal(builder, x), x), x);
}

int32_t pfpu_expand_divide(struct pfpu_builder *builder, int32_t a, int32_t b)
{
    double divisor = 0;
    if (is_number(builder, b, &divisor) && divisor != 0) {
        return times(builder, 1 / divisor, a);
    }
    return multiply(builder, a, pfpu_expand_reciprocal(builder, b));
}

/* start * p(z) with z = x * y * y near 1, y = QUAKE(x), where p(z) is 1 / sqrt(z) but for the
 * factor root_scale; start is y or x * y. */
static const double root_scale = 0.29541793;

static int32_t refine_root(struct pfpu_builder *builder, int32_t start, int32_t z)
{
    const int32_t linear = from(builder, 2.56934099, z);
    const int32_t m = plus(builder, z, -0.85208779);
    const int32_t quadratic = plus(builder, multiply(builder, m, m), 2.1350997);
    return multiply(builder, multiply(builder, start, linear), quadratic);
}

int32_t pfpu_expand_scaled_invsqrt(struct pfpu_builder *builder, int32_t x, double *scale)
{
    const int32_t y = quake(builder, x);
    const int32_t z = multiply(builder, multiply(builder, x, y), y);
    *scale = root_scale;
    return refine_root(builder, y, z);
}

int32_t pfpu_expand_scaled_sqrt(struct pfpu_builder *builder, int32_t x, double *scale)
{
    const int32_t y = quake(builder, x);
    const int32_t s = multiply(builder, x, y);
    *scale = root_scale;
    return refine_root(builder, s, multiply(builder, s, y));
}

int32_t pfpu_expand_invsqrt(struct pfpu_builder *builder, int32_t x)
{
    double scale = 1;
    const int32_t value = pfpu_expand_scaled_invsqrt(builder, x, &scale);
    return times(builder, scale, value);
}

int32_t pfpu_expand_sqrt(struct pfpu_builder *builder, int32_t x)
{
    double scale = 1;
    const int32_t value = pfpu_expand_scaled_sqrt(builder, x, &scale);
    return times(builder, scale, value);
}

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
    /* As pfpu_expand_coarse_reciprocal, for what is above 0. */
    const int32_t below = plus(builder, power, 1.0);
    return refine_coarsely(builder, first_reciprocal(builder, below), below);
}

static const double steps_per_radian = 8192.0 / (2.0 * BASE_PI);

/* Radians to the integer angle of the tables. */
static int32_t table_angle(struct pfpu_builder *builder, int32_t x)
{
    return to_integer(builder, times(builder, steps_per_radian, x));
}

int32_t pfpu_expand_sin(struct pfpu_builder *builder, int32_t x)
{
    return pfpu_build1(builder, PFPU_OP_WORD_SIN, table_angle(builder, x));
}

int32_t pfpu_expand_cos(struct pfpu_builder *builder, int32_t x)
{
    return pfpu_build1(builder, PFPU_OP_WORD_COS, table_angle(builder, x));
}

int32_t pfpu_expand_tan(struct pfpu_builder *builder, int32_t x)
{
    const int32_t cosine = pfpu_expand_cos(builder, x);
    const int32_t inverse = pfpu_expand_coarse_reciprocal(builder, cosine);
    return multiply(builder, pfpu_expand_sin(builder, x), inverse);
}

/* The angle's arcsine is of m * 0.37521 / sqrt(2), |m| <= 1 / 0.37521; the value lacks the factor
 * arcsine_scale. */
static const double arcsine_scale = 5.69203386e-05 * 0.375209675 * 0.70710678118654752440;

/* With the vector turned into the first quadrant, its angle from the diagonal has the sine
 * difference / sqrt(2 * square). The angle lacks the factor arcsine_scale. */
static int32_t from_diagonal(struct pfpu_builder *builder, int32_t difference, int32_t square)
{
    const int32_t y = quake(builder, square);
    const int32_t z = multiply(builder, multiply(builder, square, y), y);
    const int32_t start = multiply(builder, difference, y);
    /* Near 1 / sqrt(z) but for a factor of 0.37521, |z - 1| < 0.07. */
    const int32_t inner = from(builder, 3.33550883, z);
    const int32_t inverse = from(builder, 5.00068778, multiply(builder, z, inner));
    const int32_t m = multiply(builder, start, inverse);
    const int32_t u = multiply(builder, m, m);
    const int32_t a = plus(builder, multiply(builder, u, u), 225.763932);
    return multiply(builder, m, plus(builder, multiply(builder, u, a), 17552.4147));
}

int32_t pfpu_expand_scaled_atan2(struct pfpu_builder *builder, int32_t y, int32_t x, double *scale)
{
    const int32_t y_square = multiply(builder, y, y);
    const int32_t square = add(builder, multiply(builder, x, x), y_square);
    const int32_t y_size = magnitude(builder, y);
    const int32_t difference = subtract(builder, magnitude(builder, x), y_size);
    const int32_t angle = from_diagonal(builder, difference, square);
    const int32_t below = plus(builder, angle, BASE_PI / 4 / arcsine_scale);
    const int32_t half_turn =
        from(builder, BASE_PI / 2 / arcsine_scale, signed_by(builder, below, x));
    *scale = arcsine_scale;
    return signed_by(builder, half_turn, y);
}

int32_t pfpu_expand_atan2(struct pfpu_builder *builder, int32_t y, int32_t x)
{
    double scale = 1;
    const int32_t value = pfpu_expand_scaled_atan2(builder, y, x, &scale);
    return times(builder, scale, value);
}

int32_t pfpu_expand_atan(struct pfpu_builder *builder, int32_t x)
{
    const int32_t square = plus(builder, multiply(builder, x, x), 1.0);
    const int32_t difference = plus(builder, magnitude(builder, x), -1.0);
    const int32_t angle = from_diagonal(builder, difference, square);
    const int32_t positive = plus(builder, angle, BASE_PI / 4 / arcsine_scale);
    return times(builder, arcsine_scale, signed_by(builder, positive, x));
}

/* acos(|x|) is sqrt(1 - |x|) times a cubic. The root is taken of |x| - 1, which never has another
 * sign: 1 - 1 is no zero here. So z and the value have the wrong sign; the value lacks the factor
 * arccosine_scale. */
static const double arccosine_scale = 0.375209675 * 0.0208777588;

static int32_t scaled_asin(struct pfpu_builder *builder, int32_t x)
{
    /* The negative arccosine of the magnitude, but for a factor. */
    const int32_t size = magnitude(builder, x);
    const int32_t rest = subtract(builder, size, number(builder, 1.0));
    const int32_t y = quake(builder, rest);
    const int32_t s = multiply(builder, rest, y);
    const int32_t z = multiply(builder, s, y);
    const int32_t m = plus(builder, z, 3.33550883);
    const int32_t root = multiply(builder, s, plus(builder, multiply(builder, z, m), 5.00068778));
    const int32_t linear = from(builder, 4.81236253, size);
    const int32_t product = multiply(builder, size, plus(builder, size, 1.12997902));
    const int32_t quadratic = plus(builder, product, 15.633892);
    const int32_t negative = multiply(builder, multiply(builder, root, linear), quadratic);
    return signed_by(builder, plus(builder, negative, BASE_PI / 2 / arccosine_scale), x);
}

int32_t pfpu_expand_asin(struct pfpu_builder *builder, int32_t x)
{
    return times(builder, arccosine_scale, scaled_asin(builder, x));
}

int32_t pfpu_expand_acos(struct pfpu_builder *builder, int32_t x)
{
    const int32_t value = from(builder, BASE_PI / 2 / arccosine_scale, scaled_asin(builder, x));
    return times(builder, arccosine_scale, value);
}

/* So high that the truncated quotient of a multiple is never one too small. */
static const double raise_inverse = 1.0000005;

static int32_t remainder_of(struct pfpu_builder *builder, int32_t dividend, int32_t divisor,
                            int32_t inverse)
{
    const int32_t quotient = pfpu_expand_trunc(builder, multiply(builder, dividend, inverse));
    return subtract(builder, dividend, multiply(builder, divisor, quotient));
}

int32_t pfpu_expand_modulo(struct pfpu_builder *builder, int32_t a, int32_t b)
{
    const int32_t dividend = pfpu_expand_trunc(builder, magnitude(builder, a));
    double known = 0;
    if (is_number(builder, b, &known)) {
        const double whole = trunc(fabs(known));
        if (whole == 0) {
            return number(builder, 0.0);
        }
        const int32_t inverse = number(builder, raise_inverse / whole);
        return remainder_of(builder, dividend, number(builder, whole), inverse);
    }
    const int32_t divisor = pfpu_expand_trunc(builder, magnitude(builder, b));
    /* By 0, or less than 1, nothing is left. */
    const int32_t large = above(builder, divisor, number(builder, 0.5));
    const int32_t inverse = refine(builder, first_reciprocal(builder, divisor), divisor);
    return multiply(builder, remainder_of(builder, dividend, divisor, inverse), large);
}

int32_t pfpu_expand_rest(struct pfpu_builder *builder, int32_t a, int32_t b)
{
    double known = 0;
    const int32_t inverse = is_number(builder, b, &known) && known != 0
                                ? number(builder, raise_inverse / known)
                                : pfpu_expand_reciprocal(builder, b);
    return remainder_of(builder, a, b, inverse);
}

const struct pfpu_expansion pfpu_expansions[PFPU_EXPANSION_COUNT] = {
    {PFPU_OP_DIV, 2, 10, NULL, pfpu_expand_divide},
    {PFPU_OP_MOD, 2, 21, NULL, pfpu_expand_modulo},
    {PFPU_OP_REST, 2, 14, NULL, pfpu_expand_rest},
    {PFPU_OP_POW, 2, 26, NULL, pfpu_expand_pow},
    {PFPU_OP_INT, 1, 2, pfpu_expand_trunc, NULL},
    {PFPU_OP_FLOOR, 1, 4, pfpu_expand_floor, NULL},
    {PFPU_OP_CEIL, 1, 4, pfpu_expand_ceil, NULL},
    {PFPU_OP_SIGN, 1, 3, pfpu_expand_sign, NULL},
    {PFPU_OP_MIN, 2, 2, NULL, pfpu_expand_min},
    {PFPU_OP_MAX, 2, 2, NULL, pfpu_expand_max},
    {PFPU_OP_SQRT, 1, 10, pfpu_expand_sqrt, NULL},
    {PFPU_OP_INVSQRT, 1, 10, pfpu_expand_invsqrt, NULL},
    {PFPU_OP_SIN, 1, 3, pfpu_expand_sin, NULL},
    {PFPU_OP_COS, 1, 3, pfpu_expand_cos, NULL},
    {PFPU_OP_TAN, 1, 13, pfpu_expand_tan, NULL},
    {PFPU_OP_ASIN, 1, 18, pfpu_expand_asin, NULL},
    {PFPU_OP_ACOS, 1, 19, pfpu_expand_acos, NULL},
    {PFPU_OP_ATAN, 1, 21, pfpu_expand_atan, NULL},
    {PFPU_OP_ATAN2, 2, 25, NULL, pfpu_expand_atan2},
    {PFPU_OP_EXP, 1, 14, pfpu_expand_exp, NULL},
    {PFPU_OP_LOG, 1, 13, pfpu_expand_log, NULL},
    {PFPU_OP_LOG10, 1, 13, pfpu_expand_log10, NULL},
    {PFPU_OP_SIGMOID, 2, 25, NULL, pfpu_expand_sigmoid},
};

const struct pfpu_expansion *pfpu_expansion_of(enum pfpu_op op)
{
    for (size_t i = 0; i < PFPU_EXPANSION_COUNT; i++) {
        if (pfpu_expansions[i].op == op) {
            return &pfpu_expansions[i];
        }
    }
    return NULL;
}

int32_t pfpu_expand(struct pfpu_builder *builder, const struct pfpu_expansion *expansion,
                    const int32_t *arguments)
{
    return expansion->arity == 1 ? expansion->one(builder, arguments[0])
                                 : expansion->two(builder, arguments[0], arguments[1]);
}

/* ---- instruction selection ---- */

static const struct pfpu_instruction *made(const struct pfpu_builder *builder, int32_t value)
{
    return &builder->ir->instructions[value];
}

bool pfpu_select_is_positive(const struct pfpu_builder *builder, int32_t value)
{
    return (builder->facts[value] & PFPU_FACT_POSITIVE) != 0;
}

static bool is_boolean(const struct pfpu_builder *builder, int32_t value)
{
    return (builder->facts[value] & PFPU_FACT_BOOLEAN) != 0;
}

static int32_t positive(struct pfpu_builder *builder, int32_t value)
{
    return builder->failed || pfpu_select_is_positive(builder, value) ? value
                                                                      : magnitude(builder, value);
}

int32_t pfpu_select_condition(struct pfpu_builder *builder, int32_t value)
{
    if (builder->failed || is_boolean(builder, value)) {
        return value;
    }
    const int32_t close = number(builder, PFPU_CLOSE);
    return above(builder, positive(builder, value), close);
}

/* The boolean that a NOT was made of, or PFPU_NO_VALUE. */
static int32_t opposite_of(const struct pfpu_builder *builder, int32_t value)
{
    const struct pfpu_instruction *row = made(builder, value);
    if (row->op != PFPU_OP_WORD_EQUAL) {
        return PFPU_NO_VALUE;
    }
    for (int k = 0; k < 2; k++) {
        const struct pfpu_instruction *zero = made(builder, row->arguments[k]);
        if (zero->op == PFPU_OP_NUMBER && zero->number == 0 &&
            is_boolean(builder, row->arguments[1 - k])) {
            return row->arguments[1 - k];
        }
    }
    return PFPU_NO_VALUE;
}

static int32_t choose_select(struct pfpu_builder *builder, int32_t condition, int32_t yes,
                             int32_t no)
{
    if (builder->failed) {
        return 0;
    }
    const struct pfpu_instruction *row = made(builder, condition);
    if (row->op == PFPU_OP_NUMBER) {
        return fabs(row->number) >= PFPU_CLOSE ? yes : no;
    }
    if (yes == no) {
        return yes;
    }
    const int32_t opposite = opposite_of(builder, condition);
    if (opposite != PFPU_NO_VALUE) {
        return choose_select(builder, opposite, no, yes);
    }
    return choose(builder, pfpu_select_condition(builder, condition), yes, no);
}

int32_t pfpu_select_not(struct pfpu_builder *builder, int32_t value)
{
    const int32_t opposite = builder->failed ? PFPU_NO_VALUE : opposite_of(builder, value);
    if (opposite != PFPU_NO_VALUE) {
        return opposite;
    }
    const int32_t zero = number(builder, 0.0);
    return pfpu_build2(builder, PFPU_OP_WORD_EQUAL, pfpu_select_condition(builder, value), zero);
}

int32_t pfpu_select_negative(struct pfpu_builder *builder, int32_t value)
{
    double known = 0;
    if (is_number(builder, value, &known)) {
        return number(builder, 0.0 - known);
    }
    return signed_by(builder, value, number(builder, -1.0));
}

int32_t pfpu_select_close(struct pfpu_builder *builder, int32_t difference, double size,
                          double scale)
{
    const double nothing = ldexp(fabs(size), -29);
    const double limit = nothing > PFPU_CLOSE ? nothing : PFPU_CLOSE;
    const int32_t distance = magnitude(builder, difference);
    return above(builder, number(builder, limit * scale), distance);
}

static int32_t close_to(struct pfpu_builder *builder, int32_t a, int32_t b)
{
    double size = 0;
    if (!is_number(builder, b, &size)) {
        (void)is_number(builder, a, &size);
    }
    return pfpu_select_close(builder, subtract(builder, a, b), size, 1.0);
}

static int32_t from_table(struct pfpu_builder *builder, enum pfpu_op op, const int32_t *arguments)
{
    const struct pfpu_expansion *expansion = pfpu_expansion_of(op);
    return expansion != NULL ? pfpu_expand(builder, expansion, arguments) : PFPU_NO_VALUE;
}

/* What takes several operations, or none. */
static int32_t choose_several(struct pfpu_builder *builder, enum pfpu_op op,
                              const int32_t arguments[3])
{
    const int32_t a = arguments[0];
    const int32_t b = arguments[1];
    switch (op) {
    case PFPU_OP_COPY:
    case PFPU_OP_FILTER:
        return a;
    case PFPU_OP_SQR:
        return multiply(builder, a, a);
    case PFPU_OP_DIV:
        return builder->plain ? pfpu_expand_thesis_divide(builder, a, b)
                              : from_table(builder, op, arguments);
    case PFPU_OP_NEG:
        return pfpu_select_negative(builder, a);
    case PFPU_OP_ABS:
        return positive(builder, a);
    case PFPU_OP_SQRT:
        return builder->plain ? pfpu_expand_thesis_sqrt(builder, positive(builder, a))
                              : from_table(builder, op, (int32_t[3]){positive(builder, a)});
    case PFPU_OP_INVSQRT:
        return builder->plain ? pfpu_expand_thesis_invsqrt(builder, a)
                              : from_table(builder, op, arguments);
    case PFPU_OP_ABOVE:
        return above(builder, a, b);
    case PFPU_OP_BELOW:
        return above(builder, b, a);
    case PFPU_OP_ABOVE_EQUAL:
        return pfpu_select_not(builder, above(builder, b, a));
    case PFPU_OP_BELOW_EQUAL:
        return pfpu_select_not(builder, above(builder, a, b));
    case PFPU_OP_EQUAL:
        return close_to(builder, a, b);
    case PFPU_OP_SAME:
        return pfpu_build2(builder, PFPU_OP_WORD_EQUAL, a, b);
    case PFPU_OP_NOT_EQUAL:
        return pfpu_select_not(builder, close_to(builder, a, b));
    case PFPU_OP_TRUTH:
        return pfpu_select_condition(builder, a);
    case PFPU_OP_NOT:
        return pfpu_select_not(builder, a);
    case PFPU_OP_AND:
    case PFPU_OP_BAND: {
        const int32_t second = pfpu_select_condition(builder, b);
        return choose_select(builder, a, second, number(builder, 0.0));
    }
    case PFPU_OP_OR:
    case PFPU_OP_BOR: {
        const int32_t second = pfpu_select_condition(builder, b);
        return choose_select(builder, a, number(builder, 1.0), second);
    }
    case PFPU_OP_SELECT:
        return choose_select(builder, a, b, arguments[2]);
    default:
        return from_table(builder, op, arguments);
    }
}

int32_t pfpu_select_operation(struct pfpu_builder *builder, enum pfpu_op op,
                              const int32_t arguments[3])
{
    /* The coprocessor's own operation that does just that, or PFPU_OP_WORD_NOP. */
    static const enum pfpu_op words[PFPU_OP_COUNT] = {
        [PFPU_OP_ADD] = PFPU_OP_WORD_FADD,      [PFPU_OP_SUB] = PFPU_OP_WORD_FSUB,
        [PFPU_OP_MUL] = PFPU_OP_WORD_FMUL,      [PFPU_OP_TABLE_SIN] = PFPU_OP_WORD_SIN,
        [PFPU_OP_TABLE_COS] = PFPU_OP_WORD_COS, [PFPU_OP_TRUNC] = PFPU_OP_WORD_F2I,
        [PFPU_OP_TO_FLOAT] = PFPU_OP_WORD_I2F,  [PFPU_OP_TAKE_SIGN] = PFPU_OP_WORD_TSIGN,
        [PFPU_OP_QUAKE] = PFPU_OP_WORD_QUAKE,
    };
    const enum pfpu_op word = words[op] != 0 ? words[op] : PFPU_OP_WORD_NOP;
    if (word != PFPU_OP_WORD_NOP) {
        return pfpu_ops[word].arity == 1 ? pfpu_build1(builder, word, arguments[0])
                                         : pfpu_build2(builder, word, arguments[0], arguments[1]);
    }
    return choose_several(builder, op, arguments);
}
