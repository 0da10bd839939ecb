#include "base/simd.h"

#if defined(__AVX2__)
#include "base/fmath_lanes.h"

const struct base_fmath_lanes base_fmath_lanes_avx2 = {
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
#endif
