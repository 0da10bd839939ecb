#include "renderer/shade_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

enum { LANES = 8 };

/* A NaN gives the second operand of max and min. */
static inline __m256i levels_of(const float *values)
{
    const __m256 positive = _mm256_max_ps(_mm256_load_ps(values), _mm256_setzero_ps());
    const __m256 limited = _mm256_min_ps(positive, _mm256_set1_ps(1));
    return _mm256_cvttps_epi32(
        _mm256_add_ps(_mm256_mul_ps(limited, _mm256_set1_ps(255)), _mm256_set1_ps(0.5f)));
}

static void pack(uint32_t *pixels, const float *const ret[3], size_t count)
{
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        const __m256i red = _mm256_slli_epi32(levels_of(ret[0] + i), 16);
        const __m256i green = _mm256_slli_epi32(levels_of(ret[1] + i), 8);
        const __m256i blue = levels_of(ret[2] + i);
        _mm256_storeu_si256((__m256i *)(void *)(pixels + i),
                            _mm256_or_si256(_mm256_or_si256(red, green), blue));
    }
    const float *const rest[3] = {ret[0] + i, ret[1] + i, ret[2] + i};
    rend_shade_kernels_plain.pack(pixels + i, rest, count - i);
}

static void between(float *out, const float *edge, const int32_t *cell, const float *within,
                    size_t count)
{
    for (size_t i = 0; i < count; i += LANES) {
        const __m256i at = _mm256_loadu_si256((const __m256i *)(const void *)(cell + i));
        const __m256 left = _mm256_i32gather_ps(edge, at, 4);
        const __m256 right = _mm256_i32gather_ps(edge + 1, at, 4);
        const __m256 way = _mm256_mul_ps(_mm256_sub_ps(right, left), _mm256_loadu_ps(within + i));
        _mm256_storeu_ps(out + i, _mm256_add_ps(left, way));
    }
}

const struct rend_shade_kernels rend_shade_kernels_avx2 = {pack, between};
#else
typedef int rend_shade_kernels_avx2_not_for_this_machine;
#endif
