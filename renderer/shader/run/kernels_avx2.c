/* The operations over eight lanes. */
#if defined(__x86_64__)
#include "base/simd.h"

#include "renderer/shader/run/kernels.h"
#include "renderer/shader/run/kernels_loops.h"

bool shader_any_avx2(const struct shader_lanes *truth, size_t count)
{
    const float *at = truth->at;
    __m256 some = _mm256_load_ps(at);
    for (size_t done = SHADER_LANES; done < count; done += SHADER_LANES) {
        at += truth->step;
        some = _mm256_or_ps(some, _mm256_load_ps(at));
    }
    return _mm256_movemask_ps(some) != 0;
}

bool shader_all_avx2(const struct shader_lanes *truth, size_t count)
{
    const float *at = truth->at;
    __m256 every = _mm256_load_ps(at);
    for (size_t done = SHADER_LANES; done < count; done += SHADER_LANES) {
        at += truth->step;
        every = _mm256_and_ps(every, _mm256_load_ps(at));
    }
    return _mm256_movemask_ps(every) == 0xff;
}

const struct shader_kernels shader_kernels_avx2 = {
    .compute = {KERNELS(KERNEL_ROW)}, .any = shader_any_avx2, .all = shader_all_avx2};
#endif
