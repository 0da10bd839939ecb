#include "base/fmath.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

_Static_assert(FLT_EVAL_METHOD == 0, "doubles must be computed as doubles, without extra bits");

/* Polynomial coefficients are Chebyshev fits of the function's series remainder on the reduced
 * interval; tables and constants that come in two parts add up to about 106 bits. */

/* An unevaluated sum: low is at most half a unit in the last place of high. */
struct parts {
    double high;
    double low;
};

/* Adding and taking away 1.5 * 2^52 rounds |x| < 2^51 to a whole number. */
static const double round_magic = 0x1.8p52;

static const struct parts half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
static const struct parts whole_pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

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
static struct parts exact_sum(double a, double b)
{
    const double sum = a + b;
    const double b_part = sum - a;
    const double a_part = sum - b_part;
    return (struct parts){sum, (a - a_part) + (b - b_part)};
}

/* a * b without error but for underflow (Dekker, 1971). */
static struct parts exact_product(double a, double b)
{
    const double product = a * b;
    const double a_high = upper_half(a);
    const double b_high = upper_half(b);
    const double a_low = a - a_high;
    const double b_low = b - b_high;
    const double error =
        ((a_high * b_high - product) + (a_high * b_low + a_low * b_high)) + a_low * b_low;
    return (struct parts){product, error};
}

/* The angle less quadrant * pi/2, within pi/4 either way. x is finite. */
static struct parts reduce_angle(double x, unsigned *quadrant)
{
    if (fabs(x) > 1e5) {
        x = fmod(x, 0x1.921fb54442d18p+2);
    }
    if (fabs(x) <= 0x1.921fb54442d18p-1) {
        *quadrant = 0;
        return (struct parts){x, 0.0};
    }
    /* pi/2 in pieces of 33, 33 and 53 bits: the first two products are exact for 17-bit turns. */
    const double turns = (x * 0x1.45f306dc9c883p-1 + round_magic) - round_magic;
    *quadrant = (unsigned)(int)turns & 3;
    const double rest = x - turns * 0x1.921fb54400000p+0;
    const struct parts sum = exact_sum(rest, -(turns * 0x1.0b4611a600000p-34));
    const double low = sum.low - turns * 0x1.3198a2e037073p-69;
    return exact_sum(sum.high, low);
}

static double sine_of(struct parts r)
{
    const double s = r.high * r.high;
    const double s2 = s * s;
    const double tail = (-0x1.5555555555555p-3 + s * 0x1.1111111110babp-7) +
                        s2 * ((-0x1.a01a019e820aep-13 + s * 0x1.71de37946ed6dp-19) +
                              s2 * (-0x1.ae6008d114485p-26 + s * 0x1.5e0a4fc16be59p-33));
    return r.high + (r.high * s * tail + r.low * (1.0 - 0.5 * s));
}

static double cosine_of(struct parts r)
{
    const double s = r.high * r.high;
    const double s2 = s * s;
    const double tail = (0x1.5555555555555p-5 + s * -0x1.6c16c16c16963p-10) +
                        s2 * ((0x1.a01a019f4ddfdp-16 + s * -0x1.27e4fa16cc2d1p-22) +
                              s2 * (0x1.1eeb67d026ec6p-29 + s * -0x1.907cd8ff5ede7p-37));
    const double half = 0.5 * s;
    const double start = 1.0 - half;
    return start + (((1.0 - start) - half) + (s2 * tail - r.high * r.low));
}

/* sin(x + turn * pi/2) */
static double sine_turned(double x, unsigned turn)
{
    unsigned quadrant = 0;
    const struct parts r = reduce_angle(x, &quadrant);
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
    const struct parts r = reduce_angle(x, &quadrant);
    const double sine = sine_of(r);
    const double cosine = cosine_of(r);
    return (quadrant & 1) != 0 ? -cosine / sine : sine / cosine;
}

/* atan(i / 8) */
static const struct parts atan_table[9] = {
    {0x0.0p+0, 0x0.0p+0},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};

/* atan(rise / run) for 0 <= rise <= run, both far from overflow and underflow: the nearest eighth c
 * of the slope from the table, and the rest by atan a - atan c = atan((a - c) / (1 + a * c)). */
static struct parts flat_angle(double rise, double run)
{
    const int step = (int)(8.0 * (rise / run) + 0.5);
    const double c = 0.125 * (double)step;
    const double run_high = upper_half(run);
    const double across = (rise - c * run_high) - c * (run - run_high);
    const double t = across / (run + c * rise);
    const double s = t * t;
    const double s2 = s * s;
    const double tail =
        (-0x1.5555555555552p-2 + s * 0x1.9999999988486p-3) +
        s2 * ((-0x1.2492489e50477p-3 + s * 0x1.c71998d62e3b8p-4) + s2 * -0x1.7134960f805adp-4);
    const struct parts sum = exact_sum(atan_table[step].high, t);
    return (struct parts){sum.high, sum.low + (atan_table[step].low + t * s * tail)};
}

static struct parts difference(struct parts a, struct parts b)
{
    const struct parts sum = exact_sum(a.high, -b.high);
    return (struct parts){sum.high, sum.low + (a.low - b.low)};
}

/* The angle of a point in the first quadrant; not both are zero. */
static struct parts steep_angle(double rise, double run)
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
    const struct parts angle = steep_angle(fabs(x), 1.0);
    return copysign(angle.high + angle.low, x);
}

/* The angle of any point but the origin, 0..pi, of which rise is at or above 0. */
static double half_plane_angle(double rise, double run)
{
    struct parts angle = steep_angle(rise, fabs(run));
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
    const struct parts angle = steep_angle(fabs(x), sqrt((1.0 - x) * (1.0 + x)));
    return copysign(angle.high + angle.low, x);
}

double base_acos(double x)
{
    if (!(fabs(x) <= 1.0)) {
        return NAN;
    }
    return half_plane_angle(sqrt((1.0 - x) * (1.0 + x)), x);
}

/* value * 2^exponent, rounded once: value is near 1, exponent within -1100..1100. */
static double scale(double value, int exponent)
{
    if (exponent >= -1021 && exponent <= 1023) {
        return value * power_of_two(exponent);
    }
    const int half = exponent / 2;
    return value * power_of_two(half) * power_of_two(exponent - half);
}

/* exp of a sum within -750..720: 2^k * exp(r) with |r| <= ln(2)/2. */
static double exp_of(struct parts x)
{
    const double k = (x.high * 0x1.71547652b82fep+0 + round_magic) - round_magic;
    /* The first piece of ln(2) has 41 bits, so that its product with k is exact. */
    const struct parts sum =
        exact_sum(x.high - k * 0x1.62e42fefa3000p-1, x.low - k * 0x1.3de6af278ece6p-42);
    const double r = sum.high;
    const double r2 = r * r;
    const double r4 = r2 * r2;
    const double tail = ((0x1.0p-1 + r * 0x1.5555555555557p-3) +
                         r2 * (0x1.5555555555556p-5 + r * 0x1.11111111100d3p-7)) +
                        r4 * (((0x1.6c16c16c162cfp-10 + r * 0x1.a01a01abeccc3p-13) +
                               r2 * (0x1.a01a01a6db488p-16 + r * 0x1.71de02225a2f3p-19)) +
                              r4 * ((0x1.27e4db5bb725ap-22 + r * 0x1.af4e092e1705bp-26) +
                                    r2 * 0x1.1f7315649f2d7p-29));
    return scale(1.0 + (r + (sum.low + r2 * tail)), (int)k);
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
    return exp_of((struct parts){x, 0.0});
}

enum { LOG_TABLE_START = 22 };

/* log(i / 32) for i from LOG_TABLE_START */
static const struct parts log_table[] = {
    {-0x1.7fafa3bd8151cp-2, 0x1.219024acd3b77p-58},
    {-0x1.522ae0738a3d8p-2, 0x1.8f7e9b38a6979p-57},
    {-0x1.269621134db92p-2, -0x1.e0efadd9db02bp-56},
    {-0x1.f991c6cb3b379p-3, -0x1.f665066f980a2p-57},
    {-0x1.a93ed3c8ad9e3p-3, -0x1.bcafa9de97203p-57},
    {-0x1.5bf406b543db2p-3, 0x1.1f5b44c0df7e7p-61},
    {-0x1.1178e8227e47cp-3, 0x1.0e63a5f01c691p-58},
    {-0x1.9335e5d594989p-4, 0x1.478a85704ccb7p-58},
    {-0x1.08598b59e3a07p-4, 0x1.dd7009902bf32p-58},
    {-0x1.0415d89e74444p-5, -0x1.c05cf1d753622p-59},
    {0x0.0p+0, 0x0.0p+0},
    {0x1.f829b0e783300p-6, 0x1.33e3f04f1ef23p-60},
    {0x1.f0a30c01162a6p-5, 0x1.85f325c5bbacdp-59},
    {0x1.6f0d28ae56b4cp-4, -0x1.906d99184b992p-58},
    {0x1.e27076e2af2e6p-4, -0x1.61578001e0162p-60},
    {0x1.29552f81ff523p-3, 0x1.301771c407dbfp-57},
    {0x1.5ff3070a793d4p-3, -0x1.bc60efafc6f6ep-58},
    {0x1.9525a9cf456b4p-3, 0x1.d904c1d4e2e26p-57},
    {0x1.c8ff7c79a9a22p-3, -0x1.4f689f8434012p-57},
    {0x1.fb9186d5e3e2bp-3, -0x1.caaae64f21acbp-57},
    {0x1.1675cababa60ep-2, 0x1.ce63eab883717p-61},
    {0x1.2e8e2bae11d31p-2, -0x1.8f4cdb95ebdf9p-56},
    {0x1.4618bc21c5ec2p-2, 0x1.f42decdeccf1dp-56},
    {0x1.5d1bdbf5809cap-2, 0x1.4236383dc7fe1p-56},
};

/* 2 * atanh(f) for f = (m - c) / (m + c): the logarithm of m / c, to about 65 bits. */
static struct parts log_ratio(double m, double c)
{
    const double across = m - c; /* exact: both are within a factor of two, c has few bits */
    const struct parts sum = exact_sum(m, c);
    const double inverse = 1.0 / sum.high;
    const double f = across * inverse;
    const struct parts back = exact_product(f, sum.high);
    const double f_low = (((across - back.high) - back.low) - f * sum.low) * inverse;
    const double s = f * f;
    const double tail =
        s * (0x1.5555555555555p-2 +
             s * (0x1.9999999999a86p-3 + s * (0x1.24924905d5fafp-3 + s * 0x1.c72f5b606fd90p-4)));
    return (struct parts){2.0 * f, 2.0 * (f_low + f * tail)};
}

/* The logarithm of a positive finite number, to about 65 bits: x = 2^k * m with m about 0.707 to
 * 1.414, c the thirty-second nearest to m; log x = k * log 2 + log c + log(m / c). */
static struct parts log_of(double x)
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
    const struct parts ratio = log_ratio(m, (double)step * 0x1p-5);
    const struct parts c = log_table[step - LOG_TABLE_START];
    const struct parts first = exact_sum((double)k * 0x1.62e42fefa3000p-1, c.high);
    const struct parts second = exact_sum(first.high, ratio.high);
    const double low = (double)k * 0x1.3de6af278ece6p-42 + c.low;
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
    static const struct parts factor = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
    const struct parts natural = log_of(x);
    const struct parts product = exact_product(natural.high, factor.high);
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

/* x positive, both finite. */
static double pow_positive(double x, double y)
{
    const struct parts log_x = log_of(x);
    const double about = y * log_x.high;
    if (about > 710.0) {
        return INFINITY;
    }
    if (about < -746.0) {
        return 0.0;
    }
    struct parts product = exact_product(y, log_x.high);
    product.low += y * log_x.low;
    return exp_of(product);
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
    const double size = pow_positive(fabs(x), y);
    return x < 0.0 && is_odd(y) ? -size : size;
}
