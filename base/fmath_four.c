#include "base/fmath_lanes.h"

#if defined(BASE_SIMD)
const struct base_fmath_lanes base_fmath_lanes_four = {
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
