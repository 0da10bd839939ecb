#include "renderer/shade_pack.h"

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

void rend_shade_pack_avx2(uint32_t *pixels, const float *const ret[3], size_t count)
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
    rend_shade_pack_plain(pixels + i, rest, count - i);
}
#else
typedef int rend_shade_pack_avx2_not_for_this_machine;
#endif
