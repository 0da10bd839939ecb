/* The operations over sixteen lanes. */
#if defined(__x86_64__)
#include "base/simd.h"

#include "renderer/shader/run/kernels.h"
#include "renderer/shader/run/kernels_loops.h"

const struct shader_kernels shader_kernels_avx512 = {
    .compute = {KERNELS(KERNEL_ROW)}, .any = shader_any_avx2, .all = shader_all_avx2};
#endif
