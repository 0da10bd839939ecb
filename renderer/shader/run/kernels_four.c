/* The operations over four lanes. */
#include "base/simd.h"

#if defined(BASE_SIMD)
#include "renderer/shader/run/kernels.h"
#include "renderer/shader/run/kernels_loops.h"

const struct shader_kernels shader_kernels_four = {
    .compute = {KERNELS(KERNEL_ROW)}, .any = any_lane, .all = all_lanes};
#endif
