#include "base/fmath.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/fmath_terms.h"

_Static_assert(FLT_EVAL_METHOD == 0, "doubles must be computed as doubles, without extra bits");

static const struct base_fmath_parts half_pi = {0.5 * BASE_FMATH_PI_HIGH, 0.5 * BASE_FMATH_PI_LOW};
static const struct base_fmath_parts whole_pi = {BASE_FMATH_PI_HIGH, BASE_FMATH_PI_LOW};

static uint64_t bits_of(double x)
{
    uint64_t bits = 0;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double from_bits(uint64_t bits)
{
    double x = 0.0;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* 2^exponent, exponent in -1022..1023. */
static double power_of_two(int exponent)
{
    return from_bits((uint64_t)(exponent + 1023) << 52);
}

/* x without the last 27 bits of its fraction: products of two such numbers are exact. */
static double upper_half(double x)
{
    return from_bits(bits_of(x) & ~(uint64_t)0x7ffffff);
}

/* a + b without error (Knuth, "The Art of Computer Programming" volume 2, 4.2.2). */
static struct base_fmath_parts exact_sum(double a, double b)
{
    const double sum = a + b;
    const double b_part = sum - a;
    const double a_part = sum - b_part;
    return (struct base_fmath_parts){sum, (a - a_part) + (b - b_part)};
}

/* a * b without error but for underflow (Dekker, 1971). */
static struct base_fmath_parts exact_product(double a, double b)
{
    const double product = a * b;
    const double a_high = upper_half(a);
    const double b_high = upper_half(b);
    const double a_low = a - a_high;
    const double b_low = b - b_high;
    const double error =
        ((a_high * b_high - product) + (a_high * b_low + a_low * b_high)) + a_low * b_low;
    return (struct base_fmath_parts){product, error};
}

/* The angle less quadrant * pi/2, within pi/4 either way. x is finite. */
static struct base_fmath_parts reduce_angle(double x, unsigned *quadrant)
{
    if (fabs(x) > BASE_FMATH_FAR_ANGLE) {
        x = fmod(x, 2.0 * BASE_FMATH_PI_HIGH);
    }
    if (fabs(x) <= BASE_FMATH_QUARTER_PI) {
        *quadrant = 0;
        return (struct base_fmath_parts){x, 0.0};
    }
    const double turns = (x * BASE_FMATH_TWO_BY_PI + BASE_FMATH_ROUND) - BASE_FMATH_ROUND;
    *quadrant = (unsigned)(int)turns & 3;
    const double rest = x - turns * BASE_FMATH_HALF_PI_1;
    const struct base_fmath_parts sum = exact_sum(rest, -(turns * BASE_FMATH_HALF_PI_2));
    const double low = sum.low - turns * BASE_FMATH_HALF_PI_3;
    return exact_sum(sum.high, low);
}

static double sine_of(struct base_fmath_parts r)
{
    const double s = r.high * r.high;
    const double s2 = s * s;
    const double tail = (base_fmath_sine[0] + s * base_fmath_sine[1]) +
                        s2 * ((base_fmath_sine[2] + s * base_fmath_sine[3]) +
                              s2 * (base_fmath_sine[4] + s * base_fmath_sine[5]));
    return r.high + (r.high * s * tail + r.low * (1.0 - 0.5 * s));
}

static double cosine_of(struct base_fmath_parts r)
{
    const double s = r.high * r.high;
    const double s2 = s * s;
    const double tail = (base_fmath_cosine[0] + s * base_fmath_cosine[1]) +
                        s2 * ((base_fmath_cosine[2] + s * base_fmath_cosine[3]) +
                              s2 * (base_fmath_cosine[4] + s * base_fmath_cosine[5]));
    const double half = 0.5 * s;
    const double start = 1.0 - half;
    return start + (((1.0 - start) - half) + (s2 * tail - r.high * r.low));
}

/* sin(x + turn * pi/2) */
static double sine_turned(double x, unsigned turn)
{
    unsigned quadrant = 0;
    const struct base_fmath_parts r = reduce_angle(x, &quadrant);
    quadrant += turn;
    const double value = (quadrant & 1) != 0 ? cosine_of(r) : sine_of(r);
    return (quadrant & 2) != 0 ? -value : value;
}

double base_sin(double x)
{
    if (fabs(x) < 0x1p-27) {
        return x; /* keeps the sign of zero */
    }
    return isfinite(x) ? sine_turned(x, 0) : x - x;
}

double base_cos(double x)
{
    return isfinite(x) ? sine_turned(x, 1) : x - x;
}

double base_tan(double x)
{
    if (fabs(x) < 0x1p-27 || !isfinite(x)) {
        return isfinite(x) ? x : x - x;
    }
    unsigned quadrant = 0;
    const struct base_fmath_parts r = reduce_angle(x, &quadrant);
    const double sine = sine_of(r);
    const double cosine = cosine_of(r);
    return (quadrant & 1) != 0 ? -cosine / sine : sine / cosine;
}

/* atan(rise / run) for 0 <= rise <= run, both far from overflow and underflow: the nearest eighth c
 * of the slope from the table, and the rest by atan a - atan c = atan((a - c) / (1 + a * c)). */
static struct base_fmath_parts flat_angle(double rise, double run)
{
    const int step = (int)(8.0 * (rise / run) + 0.5);
    const double c = 0.125 * (double)step;
    const double run_high = upper_half(run);
    const double across = (rise - c * run_high) - c * (run - run_high);
    const double t = across / (run + c * rise);
    const double s = t * t;
    const double s2 = s * s;
    const double tail =
        (base_fmath_atan[0] + s * base_fmath_atan[1]) +
        s2 * ((base_fmath_atan[2] + s * base_fmath_atan[3]) + s2 * base_fmath_atan[4]);
    const struct base_fmath_parts sum = exact_sum(base_fmath_atan_table[step].high, t);
    return (struct base_fmath_parts){sum.high,
                                     sum.low + (base_fmath_atan_table[step].low + t * s * tail)};
}

static struct base_fmath_parts difference(struct base_fmath_parts a, struct base_fmath_parts b)
{
    const struct base_fmath_parts sum = exact_sum(a.high, -b.high);
    return (struct base_fmath_parts){sum.high, sum.low + (a.low - b.low)};
}

/* The angle of a point in the first quadrant; not both are zero. */
static struct base_fmath_parts steep_angle(double rise, double run)
{
    const double larger = rise > run ? rise : run;
    if (larger > 0x1p500 || larger < 0x1p-500) {
        const double factor = larger > 1.0 ? 0x1p-540 : 0x1p540;
        rise *= factor;
        run *= factor;
    }
    return rise > run ? difference(half_pi, flat_angle(run, rise)) : flat_angle(rise, run);
}

double base_atan(double x)
{
    if (isnan(x) || fabs(x) < 0x1p-28) {
        return x;
    }
    if (fabs(x) > 0x1p60) {
        return copysign(half_pi.high, x);
    }
    const struct base_fmath_parts angle = steep_angle(fabs(x), 1.0);
    return copysign(angle.high + angle.low, x);
}

/* The angle of any point but the origin, 0..pi, of which rise is at or above 0. */
static double half_plane_angle(double rise, double run)
{
    struct base_fmath_parts angle = steep_angle(rise, fabs(run));
    if (signbit(run)) {
        angle = difference(whole_pi, angle);
    }
    return angle.high + angle.low;
}

double base_atan2(double y, double x)
{
    if (isnan(x) || isnan(y)) {
        return x + y;
    }
    if (isinf(x) || isinf(y)) {
        x = copysign(isinf(x) ? 1.0 : 0.0, x);
        y = copysign(isinf(y) ? 1.0 : 0.0, y);
    }
    if (x == 0.0 && y == 0.0) {
        return copysign(signbit(x) ? whole_pi.high : 0.0, y);
    }
    return copysign(half_plane_angle(fabs(y), x), y);
}

double base_asin(double x)
{
    if (!(fabs(x) <= 1.0)) {
        return NAN;
    }
    if (fabs(x) < 0x1p-28) {
        return x;
    }
    const struct base_fmath_parts angle = steep_angle(fabs(x), sqrt((1.0 - x) * (1.0 + x)));
    return copysign(angle.high + angle.low, x);
}

double base_acos(double x)
{
    if (!(fabs(x) <= 1.0)) {
        return NAN;
    }
    return half_plane_angle(sqrt((1.0 - x) * (1.0 + x)), x);
}

/* exp of a sum within -750..720: 2^k * exp(r) with |r| <= ln(2)/2. */
static double exp_of(struct base_fmath_parts x)
{
    const double k = (x.high * BASE_FMATH_ONE_BY_LN2 + BASE_FMATH_ROUND) - BASE_FMATH_ROUND;
    const struct base_fmath_parts sum =
        exact_sum(x.high - k * BASE_FMATH_LN2_1, x.low - k * BASE_FMATH_LN2_2);
    const double r = sum.high;
    const double r2 = r * r;
    const double r4 = r2 * r2;
    const double tail =
        ((base_fmath_exp[0] + r * base_fmath_exp[1]) +
         r2 * (base_fmath_exp[2] + r * base_fmath_exp[3])) +
        r4 * (((base_fmath_exp[4] + r * base_fmath_exp[5]) +
               r2 * (base_fmath_exp[6] + r * base_fmath_exp[7])) +
              r4 * ((base_fmath_exp[8] + r * base_fmath_exp[9]) + r2 * base_fmath_exp[10]));
    /* value * 2^k, rounded once. */
    const double value = 1.0 + (r + (sum.low + r2 * tail));
    const int exponent = (int)k;
    if (exponent >= -1021 && exponent <= 1023) {
        return value * power_of_two(exponent);
    }
    const int half = exponent / 2;
    return value * power_of_two(half) * power_of_two(exponent - half);
}

double base_exp(double x)
{
    if (isnan(x)) {
        return x;
    }
    if (x > 710.0) {
        return INFINITY;
    }
    if (x < -746.0) {
        return 0.0;
    }
    return exp_of((struct base_fmath_parts){x, 0.0});
}

/* 2 * atanh(f) for f = (m - c) / (m + c): the logarithm of m / c, to about 65 bits. */
static struct base_fmath_parts log_ratio(double m, double c)
{
    const double across = m - c; /* exact: both are within a factor of two, c has few bits */
    const struct base_fmath_parts sum = exact_sum(m, c);
    const double inverse = 1.0 / sum.high;
    const double f = across * inverse;
    const struct base_fmath_parts back = exact_product(f, sum.high);
    const double f_low = (((across - back.high) - back.low) - f * sum.low) * inverse;
    const double s = f * f;
    const double tail =
        s * (base_fmath_log[0] +
             s * (base_fmath_log[1] + s * (base_fmath_log[2] + s * base_fmath_log[3])));
    return (struct base_fmath_parts){2.0 * f, 2.0 * (f_low + f * tail)};
}

/* The logarithm of a positive finite number, to about 65 bits: x = 2^k * m with m about 0.707 to
 * 1.414, c the thirty-second nearest to m; log x = k * log 2 + log c + log(m / c). */
static struct base_fmath_parts log_of(double x)
{
    int k = 0;
    if (x < DBL_MIN) {
        x *= 0x1p54;
        k = -54;
    }
    const uint64_t bits = bits_of(x);
    k += (int)(bits >> 52) - 1023;
    double m = from_bits((bits & 0xfffffffffffffu) | 0x3ff0000000000000u);
    if (m > 0x1.6ap0) {
        m *= 0.5;
        k++;
    }
    const int step = (int)(32.0 * m + 0.5);
    const struct base_fmath_parts ratio = log_ratio(m, (double)step * 0x1p-5);
    const struct base_fmath_parts c = base_fmath_log_table[step - BASE_FMATH_LOG_START];
    const struct base_fmath_parts first = exact_sum((double)k * BASE_FMATH_LN2_1, c.high);
    const struct base_fmath_parts second = exact_sum(first.high, ratio.high);
    const double low = (double)k * BASE_FMATH_LN2_2 + c.low;
    return exact_sum(second.high, second.low + (first.low + (low + ratio.low)));
}

/* What a logarithm of a number outside 0 < x < infinity is. */
static double log_edge(double x)
{
    if (x == 0.0) {
        return -INFINITY;
    }
    return x < 0.0 ? NAN : x;
}

double base_log(double x)
{
    if (!(x > 0.0 && x <= DBL_MAX)) {
        return log_edge(x);
    }
    return log_of(x).high;
}

double base_log10(double x)
{
    if (!(x > 0.0 && x <= DBL_MAX)) {
        return log_edge(x);
    }
    static const struct base_fmath_parts factor = {BASE_FMATH_LOG10E_HIGH, BASE_FMATH_LOG10E_LOW};
    const struct base_fmath_parts natural = log_of(x);
    const struct base_fmath_parts product = exact_product(natural.high, factor.high);
    return product.high + (product.low + (natural.high * factor.low + natural.low * factor.high));
}

static bool is_whole(double y)
{
    return y == trunc(y);
}

static bool is_odd(double y)
{
    return fmod(fabs(y), 2.0) == 1.0;
}

/* Whole exponents this far are done by multiplying, which is faster. The general way errs by less
 * than half a unit before its last rounding, so it gives exact powers too where there are any. */
static const double multiplied_max = 16.0;

static double multiplied(double x, unsigned times)
{
    double result = 1.0;
    for (; times > 0; times >>= 1) {
        if ((times & 1) != 0) {
            result *= x;
        }
        x *= x;
    }
    return result;
}

/* x is zero or infinite, or y is infinite; neither is NaN. */
static double pow_edge(double x, double y)
{
    const double size = fabs(x);
    if (isinf(y)) {
        if (size == 1.0) {
            return 1.0;
        }
        return (size > 1.0) == (y > 0.0) ? INFINITY : 0.0;
    }
    const double result = (size == 0.0) == (y < 0.0) ? INFINITY : 0.0;
    return signbit(x) && is_odd(y) ? -result : result;
}

double base_pow(double x, double y)
{
    if (is_whole(y) && fabs(y) <= multiplied_max) {
        const double power = multiplied(x, (unsigned)fabs(y));
        if (y >= 0.0) {
            return power;
        }
        /* Near the ends of the range the power may have lost bits that its inverse has. */
        if (fabs(power) > 0x1p-1000 && fabs(power) < 0x1p1000) {
            return 1.0 / power;
        }
    }
    if (x == 1.0) {
        return 1.0;
    }
    if (isnan(x) || isnan(y)) {
        return x + y;
    }
    if (x == 0.0 || isinf(x) || isinf(y)) {
        return pow_edge(x, y);
    }
    if (x < 0.0 && !is_whole(y)) {
        return NAN;
    }
    const struct base_fmath_parts log_x = log_of(fabs(x));
    const double about = y * log_x.high;
    double size = about > 710.0 ? INFINITY : 0.0;
    if (about >= -746.0 && about <= 710.0) {
        struct base_fmath_parts product = exact_product(y, log_x.high);
        product.low += y * log_x.low;
        size = exp_of(product);
    }
    return x < 0.0 && is_odd(y) ? -size : size;
}

#define UNARY(name)                                                                                \
    static void name##_lanes(double *dst, const double *x, size_t count)                           \
    {                                                                                              \
        for (size_t i = 0; i < count; i++) {                                                       \
            dst[i] = base_##name(x[i]);                                                            \
        }                                                                                          \
    }

#define BINARY(name)                                                                               \
    static void name##_lanes(double *dst, const double *a, const double *b, size_t count)          \
    {                                                                                              \
        for (size_t i = 0; i < count; i++) {                                                       \
            dst[i] = base_##name(a[i], b[i]);                                                      \
        }                                                                                          \
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
BINARY(atan2)
BINARY(pow)

const struct base_fmath_lanes base_fmath_lanes_plain = {
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

const struct base_fmath_lanes *base_fmath_lanes_for(enum base_cpu_level level)
{
    static const struct base_fmath_lanes *const tables[BASE_CPU_LEVEL_COUNT] =
        BASE_CPU_LEVELS(&base_fmath_lanes_plain, &base_fmath_lanes_four, &base_fmath_lanes_avx2,
                        &base_fmath_lanes_avx2);
    return tables[level];
}
