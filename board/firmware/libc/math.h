/* What of <math.h> the firmware has: functions whose result is exact or correctly rounded. */
#ifndef BOARD_FIRMWARE_LIBC_MATH_H
#define BOARD_FIRMWARE_LIBC_MATH_H

#define NAN      (__builtin_nanf(""))
#define INFINITY (__builtin_inff())
#define HUGE_VAL (__builtin_inf())

#define isnan(x)       __builtin_isnan(x)
#define isinf(x)       __builtin_isinf_sign(x)
#define isfinite(x)    __builtin_isfinite(x)
#define signbit(x)     __builtin_signbit(x)
#define fabs(x)        __builtin_fabs(x)
#define fabsf(x)       __builtin_fabsf(x)
#define copysign(x, y) __builtin_copysign(x, y)

double trunc(double x);
double floor(double x);
double ceil(double x);
double round(double x);
double fmin(double x, double y);
double fmax(double x, double y);
double ldexp(double x, int exponent);
double fmod(double x, double y);
double sqrt(double x);

#endif
