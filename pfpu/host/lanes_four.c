#define FMATH base_fmath_lanes_four
#include "pfpu/host/lanes_body.h"

#if defined(BASE_SIMD)
const pfpu_lanes_kernel pfpu_lanes_kernels_four[PFPU_LANES_KERNELS] = {
    KERNELS(TABLE_ROW) FUNCTIONS(TABLE_ROW) TABLE_ROW(BIT_AND, ) TABLE_ROW(BIT_OR, )};
#endif
