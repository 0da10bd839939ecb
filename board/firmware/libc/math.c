/* round, ldexp and the work of fmod and sqrt are newlib's (tools/lm32). These are quicker than
 * those there, or give the zero that the host gives. */
#include <math.h>
#include <stdint.h>

enum { BIAS = 1023, MANTISSA = 52, EXPONENT_ALL = 2047 };

double trunc(double x)
{
    union {
        double number;
        uint64_t bits;
    } both = {.number = x};
    const int whole = (int)(both.bits >> MANTISSA & EXPONENT_ALL) - BIAS;
    if (whole < 0) {
        both.bits &= (uint64_t)1 << 63;
    } else if (whole < MANTISSA) {
        both.bits &= ~((((uint64_t)1 << MANTISSA) - 1) >> whole);
    }
    return both.number;
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

double fmin(double x, double y)
{
    return isnan(x) || y < x || (y == x && signbit(y) != 0) ? y : x;
}

double fmax(double x, double y)
{
    return isnan(x) || y > x || (y == x && signbit(x) != 0) ? y : x;
}

/* newlib's; what is no number comes with other bits, and words of the coprocessor keep these. */
double newlib_fmod(double x, double y);
double newlib_sqrt(double x);

double fmod(double x, double y)
{
    return isfinite(x) && !isnan(y) && y != 0.0 ? newlib_fmod(x, y) : NAN;
}

double sqrt(double x)
{
    return x < 0.0 ? NAN : newlib_sqrt(x);
}
