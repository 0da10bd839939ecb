/* The operations over sixteen lanes. */
#include "base/simd.h"

#if defined(__AVX512BW__)
#include "renderer/shader/run/kernels.h"
#include "renderer/shader/run/kernels_loops.h"

const struct shader_kernels shader_kernels_avx512 = {
    .compute = {KERNELS(KERNEL_ROW)}, .any = any_lane, .all = all_lanes};
#endif
