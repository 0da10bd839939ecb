#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { BIAS = 1023, MANTISSA = 52, EXPONENT_ALL = 2047 };

static uint64_t bits_of(double x)
{
    const union {
        double number;
        uint64_t bits;
    } both = {.number = x};
    return both.bits;
}

static double number_of(uint64_t bits)
{
    const union {
        uint64_t bits;
        double number;
    } both = {.bits = bits};
    return both.number;
}

static int exponent_of(uint64_t bits)
{
    return (int)(bits >> MANTISSA & EXPONENT_ALL);
}

/* size = mantissa * 2^exponent, both with their hidden bit made plain. x is finite and not 0. */
static uint64_t taken_apart(double x, int *exponent)
{
    const uint64_t bits = bits_of(x);
    uint64_t mantissa = bits & (((uint64_t)1 << MANTISSA) - 1);
    *exponent = exponent_of(bits);
    if (*exponent == 0) {
        *exponent = 1;
    } else {
        mantissa |= (uint64_t)1 << MANTISSA;
    }
    while (mantissa >> MANTISSA == 0) {
        mantissa <<= 1;
        --*exponent;
    }
    *exponent -= BIAS + MANTISSA;
    return mantissa;
}

double trunc(double x)
{
    const uint64_t bits = bits_of(x);
    const int whole = exponent_of(bits) - BIAS;
    if (whole >= MANTISSA) {
        return x;
    }
    const uint64_t sign = bits & (uint64_t)1 << 63;
    if (whole < 0) {
        return number_of(sign);
    }
    return number_of(bits & ~((((uint64_t)1 << MANTISSA) - 1) >> whole));
}

double floor(double x)
{
    const double whole = trunc(x);
    return whole > x ? whole - 1.0 : whole;
}

double ceil(double x)
{
    const double whole = trunc(x);
    return whole < x ? copysign(whole + 1.0, x) : whole;
}

double round(double x)
{
    const double whole = trunc(x);
    return fabs(x - whole) >= 0.5 ? whole + copysign(1.0, x) : whole;
}

double fmin(double x, double y)
{
    return isnan(x) || y < x || (y == x && signbit(y) != 0) ? y : x;
}

double fmax(double x, double y)
{
    return isnan(x) || y > x || (y == x && signbit(x) != 0) ? y : x;
}

/* mantissa * 2^exponent, ties to even; the mantissa has a bit in place 52 and none above 62. */
static double put_together(bool negative, uint64_t mantissa, int exponent)
{
    int biased = exponent + BIAS + MANTISSA;
    const uint64_t sign = (uint64_t)negative << 63;
    if (biased >= EXPONENT_ALL) {
        return number_of(sign | (uint64_t)EXPONENT_ALL << MANTISSA);
    }
    if (biased >= 1) {
        return number_of(sign + ((uint64_t)biased << MANTISSA) +
                         (mantissa & (((uint64_t)1 << MANTISSA) - 1)));
    }
    const int shift = 1 - biased;
    if (shift > MANTISSA + 1) {
        return number_of(sign);
    }
    const uint64_t kept = mantissa >> shift;
    const uint64_t lost = mantissa & (((uint64_t)1 << shift) - 1);
    const uint64_t half = (uint64_t)1 << (shift - 1);
    return number_of(sign | (kept + (lost > half || (lost == half && (kept & 1) != 0) ? 1 : 0)));
}

double ldexp(double x, int exponent)
{
    if (x == 0.0 || !isfinite(x)) {
        return x;
    }
    int own = 0;
    const uint64_t mantissa = taken_apart(x, &own);
    const int limited = exponent < -5000 ? -5000 : exponent > 5000 ? 5000 : exponent;
    return put_together(signbit(x) != 0, mantissa, own + limited);
}

double fmod(double x, double y)
{
    if (isnan(x) || isnan(y) || isinf(x) || y == 0.0) {
        return NAN;
    }
    if (fabs(x) < fabs(y) || x == 0.0) {
        return x;
    }
    int exponent = 0;
    int other = 0;
    uint64_t rest = taken_apart(x, &exponent);
    const uint64_t divisor = taken_apart(y, &other);
    for (; exponent > other; exponent--) {
        rest = (rest >= divisor ? rest - divisor : rest) << 1;
    }
    rest = rest >= divisor ? rest - divisor : rest;
    if (rest == 0) {
        return copysign(0.0, x);
    }
    while (rest >> MANTISSA == 0) {
        rest <<= 1;
        exponent--;
    }
    return put_together(signbit(x) != 0, rest, exponent);
}

/* Bit by bit: 53 bits of the root, one more to round by, and whether anything is left. */
double sqrt(double x)
{
    if (isnan(x) || x == 0.0 || (isinf(x) && x > 0.0)) {
        return x;
    }
    if (x < 0.0) {
        return NAN;
    }
    int exponent = 0;
    uint64_t mantissa = taken_apart(x, &exponent);
    if ((exponent & 1) != 0) {
        mantissa <<= 1;
        exponent--;
    }
    uint64_t root = 0;
    uint64_t rest = 0;
    for (int place = 54; place > -54; place -= 2) {
        const uint64_t pair = place >= 2 ? mantissa >> (place - 2) & 3 : 0;
        rest = rest << 2 | pair;
        const uint64_t trial = root << 2 | 1;
        root <<= 1;
        if (rest >= trial) {
            rest -= trial;
            root |= 1;
        }
    }
    const bool up = (root & 1) != 0 && (rest != 0 || (root & 2) != 0);
    const uint64_t rounded = (root >> 1) + (up ? 1 : 0);
    return put_together(false, rounded, exponent / 2 - 26);
}
