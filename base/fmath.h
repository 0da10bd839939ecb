/* Elementary functions with the same bits on every machine: made of IEEE basic operations only, in
 * a fixed order, never of the C library's versions, whose last bits differ between systems.
 * Wherever a picture depends on one of these functions, it is called from here.
 * (sqrt, fabs, floor, ceil, trunc, fmod are exact by IEEE 754 and come from the C library.) */
#ifndef BASE_FMATH_H
#define BASE_FMATH_H

#include <stddef.h>

#include "base/cpu.h"

#define BASE_PI 3.14159265358979323846

/* Error bounds in units in the last place hold over the whole range unless said otherwise.
 * NaN in gives NaN out; infinities as in C. */
double base_sin(double x);  /* <= 2 ulp for |x| <= 1e5; beyond, reduced by fmod with 2*pi rounded */
double base_cos(double x);  /* as base_sin */
double base_tan(double x);  /* <= 4 ulp for |x| <= 1e5 */
double base_asin(double x); /* <= 3 ulp; NaN outside [-1,1] */
double base_acos(double x); /* <= 3 ulp; NaN outside [-1,1] */
double base_atan(double x); /* <= 2 ulp */
double base_atan2(double y, double x); /* <= 2 ulp; C semantics, signed zeros included */
double base_exp(double x);             /* <= 1 ulp */
double base_log(double x);             /* <= 1 ulp; -inf at 0, NaN below */
double base_log10(double x);           /* as base_log */

/* C semantics (negative base with whole exponent, zeros, infinities). Whole exponents up to 64 in
 * magnitude are exact where repeated multiplication is. <= 1 ulp, but |y| + 1 ulp for whole
 * exponents up to 16 in magnitude. */
double base_pow(double x, double y);

/* The functions above over arrays, the same bits at every level of the processor (whether a
 * NaN is negative is left open). */

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
extern const struct base_fmath_lanes base_fmath_lanes_four;
extern const struct base_fmath_lanes base_fmath_lanes_avx2;

/* The best table for a level. */
const struct base_fmath_lanes *base_fmath_lanes_for(enum base_cpu_level level);

#endif
