/* The functions of fmath.h over arrays, the same bits at every level of the processor (whether a
 * NaN is negative is left open). */
#ifndef BASE_FMATH_LANES_H
#define BASE_FMATH_LANES_H

#include <stddef.h>

#include "base/cpu.h"

/* dst[i] = f(x[i]) for i in 0..count-1; dst may be x. */
typedef void (*base_lanes_unary)(double *dst, const double *x, size_t count);

/* dst[i] = f(a[i], b[i]); dst may be a or b. */
typedef void (*base_lanes_binary)(double *dst, const double *a, const double *b, size_t count);

struct base_fmath_lanes {
    base_lanes_unary sin;
    base_lanes_unary cos;
    base_lanes_unary tan;
    base_lanes_unary asin;
    base_lanes_unary acos;
    base_lanes_unary atan;
    base_lanes_unary exp;
    base_lanes_unary log;
    base_lanes_unary log10;
    base_lanes_binary atan2; /* a: y, b: x */
    base_lanes_binary pow;
};

extern const struct base_fmath_lanes base_fmath_lanes_plain;
extern const struct base_fmath_lanes base_fmath_lanes_avx2;

/* The best table for a level. */
const struct base_fmath_lanes *base_fmath_lanes_for(enum base_cpu_level level);

#endif
