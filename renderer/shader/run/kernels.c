#include "renderer/shader/run/kernels.h"
#include "renderer/shader/run/kernels_body.h"

BASE_INLINE void each_1(float *result, const struct shader_lanes *arguments, size_t count,
                        float (*function)(float a))
{
    const float *a = arguments[0].at;
    for (size_t at = 0; at < count; at += SHADER_LANES) {
        for (size_t lane = 0; lane < SHADER_LANES; lane++) {
            result[at + lane] = function(a[lane]);
        }
        a += arguments[0].step;
    }
}

BASE_INLINE void each_2(float *result, const struct shader_lanes *arguments, size_t count,
                        float (*function)(float a, float b))
{
    const float *a = arguments[0].at;
    const float *b = arguments[1].at;
    for (size_t at = 0; at < count; at += SHADER_LANES) {
        for (size_t lane = 0; lane < SHADER_LANES; lane++) {
            result[at + lane] = function(a[lane], b[lane]);
        }
        a += arguments[0].step;
        b += arguments[1].step;
    }
}

BASE_INLINE void each_3(float *result, const struct shader_lanes *arguments, size_t count,
                        float (*function)(float a, float b, float c))
{
    const float *a = arguments[0].at;
    const float *b = arguments[1].at;
    const float *c = arguments[2].at;
    for (size_t at = 0; at < count; at += SHADER_LANES) {
        for (size_t lane = 0; lane < SHADER_LANES; lane++) {
            result[at + lane] = function(a[lane], b[lane], c[lane]);
        }
        a += arguments[0].step;
        b += arguments[1].step;
        c += arguments[2].step;
    }
}

KERNELS(KERNEL_FUNCTION)

/* Whether some lane has this word. */
static bool holds(const struct shader_lanes *truth, size_t count, uint32_t word)
{
    const float *at = truth->at;
    for (size_t done = 0; done < count; done += SHADER_LANES) {
        for (size_t lane = 0; lane < SHADER_LANES; lane++) {
            if (simd_as_word(at[lane]) == word) {
                return true;
            }
        }
        at += truth->step;
    }
    return false;
}

static bool any(const struct shader_lanes *truth, size_t count)
{
    return holds(truth, count, UINT32_MAX);
}

static bool all(const struct shader_lanes *truth, size_t count)
{
    return !holds(truth, count, 0);
}

const struct shader_kernels shader_kernels_plain = {
    .compute = {KERNELS(KERNEL_ROW)}, .any = any, .all = all};

const struct shader_kernels *shader_kernels_for(enum base_cpu_level level)
{
#if defined(__x86_64__)
    if (level >= BASE_CPU_AVX512) {
        return &shader_kernels_avx512;
    }
    if (level >= BASE_CPU_AVX2) {
        return &shader_kernels_avx2;
    }
#endif
    (void)level;
    return &shader_kernels_plain;
}
