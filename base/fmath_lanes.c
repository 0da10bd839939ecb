#include "base/fmath_lanes.h"

#include "base/fmath.h"

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
#if defined(__x86_64__)
    if (level >= BASE_CPU_AVX2) {
        return &base_fmath_lanes_avx2;
    }
#endif
    (void)level;
    return &base_fmath_lanes_plain;
}
