/* The arithmetic of the operations in ops.def, shared by the executor and constant folding so that
 * both give the same bits. Every function is total: NaN, infinities and huge numbers included. */
#ifndef PFPU_IR_ARITH_H
#define PFPU_IR_ARITH_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/fmath.h"

/* spec/milk-expressions.md section 5: the threshold of truth and equality. */
#define PFPU_CLOSE 0.00001

static inline double pfpu_number_of(bool condition)
{
    return condition ? 1.0 : 0.0;
}

/* What an assignment stores: 0 for an infinity, NaN or denormal; also turns -0 into 0. Without a
 * branch, because it stands behind most instructions. */
static inline double pfpu_filtered(double x)
{
    uint64_t bits = 0;
    memcpy(&bits, &x, sizeof bits);
    const uint64_t exponent = (bits >> 52) & 0x7ff;
    bits &= -(uint64_t)(exponent - 1 < 0x7fe);
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline bool pfpu_true(double x)
{
    return fabs(x) >= PFPU_CLOSE;
}

static inline double pfpu_equal(double a, double b)
{
    return pfpu_number_of(!(fabs(a - b) >= PFPU_CLOSE));
}

static inline double pfpu_not_equal(double a, double b)
{
    return pfpu_number_of(fabs(a - b) >= PFPU_CLOSE);
}

/* With NaN: below and above are 1, below_equal and above_equal 0. */
static inline double pfpu_below(double a, double b)
{
    return pfpu_number_of(!(a >= b));
}

static inline double pfpu_above(double a, double b)
{
    return pfpu_number_of(!(a <= b));
}

static inline double pfpu_below_equal(double a, double b)
{
    return pfpu_number_of(a <= b);
}

static inline double pfpu_above_equal(double a, double b)
{
    return pfpu_number_of(a >= b);
}

static inline double pfpu_band(double a, double b)
{
    return pfpu_number_of(fabs(a) > PFPU_CLOSE && fabs(b) > PFPU_CLOSE);
}

static inline double pfpu_bor(double a, double b)
{
    return pfpu_number_of(fabs(a) > PFPU_CLOSE || fabs(b) > PFPU_CLOSE);
}

static inline double pfpu_sign(double x)
{
    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0;
}

/* a, negative where exactly one of the two is (spec/pfpu.md section 3, TSIGN). A NaN has no sign,
 * for machines and compilers differ in the one that they give it. */
static inline double pfpu_take_sign(double a, double b)
{
    return signbit(b) && !isnan(b) ? -a : a;
}

/* A first guess at 1 / sqrt(a), from the bits of a as a float (spec/pfpu.md section 3, QUAKE). */
static inline double pfpu_quake(double a)
{
    const float x = (float)fmin(fabs(a), (double)FLT_MAX);
    uint32_t bits = 0;
    float guess = 0;
    memcpy(&bits, &x, sizeof bits);
    bits = 0x5f3759df - (bits >> 1);
    memcpy(&guess, &bits, sizeof guess);
    return (double)guess;
}

/* Truncates toward zero and clamps; NaN is 0. */
static inline int64_t pfpu_integer(double x)
{
    if (!(fabs(x) < 9223372036854775808.0)) {
        return x > 0.0 ? INT64_MAX : x < 0.0 ? INT64_MIN : 0;
    }
    return (int64_t)x;
}

static inline uint32_t pfpu_magnitude(double x)
{
    const double size = fabs(x);
    if (!(size < 4294967296.0)) {
        return size > 0.0 ? UINT32_MAX : 0;
    }
    return (uint32_t)size;
}

static inline double pfpu_modulo(double a, double b)
{
    const uint32_t divisor = pfpu_magnitude(b);
    return divisor == 0 ? 0.0 : (double)(pfpu_magnitude(a) % divisor);
}

static inline double pfpu_bit_and(double a, double b)
{
    return (double)(pfpu_integer(a) & pfpu_integer(b));
}

static inline double pfpu_bit_or(double a, double b)
{
    return (double)(pfpu_integer(a) | pfpu_integer(b));
}

/* spec/milk-expressions.md section 6: 32 random bits to a number of [0, max(1, floor(n))], both
 * ends included. */
static inline double pfpu_random(uint32_t bits, double n)
{
    const double whole = floor(n);
    const double most = whole >= 1.0 ? whole : 1.0;
    return (double)bits * most / 4294967295.0;
}

enum { PFPU_LOOP_MAX = 1048576 }; /* turns of one loop or while */

/* Turns of a loop: 0 .. PFPU_LOOP_MAX. */
static inline double pfpu_loop_count(double n)
{
    if (!(n >= 1.0)) {
        return 0.0;
    }
    return n >= PFPU_LOOP_MAX ? (double)PFPU_LOOP_MAX : floor(n);
}

#endif
