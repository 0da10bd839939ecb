#include "base/simd.h"

#if defined(__AVX2__)
#define FMATH base_fmath_lanes_avx2
#include "pfpu/host/lanes_body.h"

const pfpu_lanes_kernel pfpu_lanes_kernels_avx2[PFPU_LANES_KERNELS] = {
    KERNELS(TABLE_ROW) FUNCTIONS(TABLE_ROW) TABLE_ROW(BIT_AND, ) TABLE_ROW(BIT_OR, )};
#endif
