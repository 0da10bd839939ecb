#if defined(__x86_64__)
#include "renderer/span.h"

#include <immintrin.h>

static inline __m256 clamp255(__m256 x)
{
    return _mm256_min_ps(_mm256_max_ps(x, _mm256_setzero_ps()), _mm256_set1_ps(255.0f));
}

static inline __m256 value_at(const struct rend_span *span, int k, __m256 at)
{
    const __m256 moved = _mm256_mul_ps(at, _mm256_set1_ps(span->step[k]));
    return clamp255(_mm256_add_ps(_mm256_set1_ps(span->start[k]), moved));
}

static inline __m256 channel_of(__m256i pixels, int k)
{
    const __m256i byte = _mm256_and_si256(_mm256_srli_epi32(pixels, 8 * k), _mm256_set1_epi32(255));
    return _mm256_cvtepi32_ps(byte);
}

static inline __m256i load(const uint32_t *words)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)words);
}

static inline __m256i blended(const struct rend_span *span, __m256 at, __m256i dst,
                              const uint32_t *texels)
{
    const __m256 per_255 = _mm256_set1_ps(1.0f / 255.0f);
    const __m256 alpha = _mm256_mul_ps(value_at(span, REND_SPAN_ALPHA, at), per_255);
    const __m256 rest = _mm256_sub_ps(_mm256_set1_ps(1.0f), alpha);
    const __m256 kept = _mm256_max_ps(_mm256_set1_ps(span->keep), rest);
    __m256i result = _mm256_setzero_si256();
    for (int k = 0; k < REND_SPAN_ALPHA; k++) {
        __m256 colour = value_at(span, k, at);
        if (texels != NULL) {
            colour = _mm256_mul_ps(colour, _mm256_mul_ps(channel_of(load(texels), k), per_255));
        }
        const __m256 sum =
            _mm256_add_ps(_mm256_mul_ps(channel_of(dst, k), kept), _mm256_mul_ps(colour, alpha));
        const __m256 rounded =
            _mm256_add_ps(_mm256_min_ps(sum, _mm256_set1_ps(255.0f)), _mm256_set1_ps(0.5f));
        result = _mm256_or_si256(result, _mm256_slli_epi32(_mm256_cvttps_epi32(rounded), 8 * k));
    }
    return result;
}

void rend_span_avx2(const struct rend_span *span, const uint32_t *texels, uint32_t *pixels,
                    size_t count)
{
    __m256 at = _mm256_setr_ps(0, 1, 2, 3, 4, 5, 6, 7);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const __m256i result =
            blended(span, at, load(pixels + i), texels == NULL ? NULL : texels + i);
        _mm256_storeu_si256((__m256i *)(void *)(pixels + i), result);
        at = _mm256_add_ps(at, _mm256_set1_ps(8.0f));
    }
    if (i < count) {
        uint32_t last[8] = {0};
        uint32_t last_texels[8] = {0};
        for (size_t k = 0; k < count - i; k++) {
            last[k] = pixels[i + k];
            last_texels[k] = texels == NULL ? 0 : texels[i + k];
        }
        const __m256i result = blended(span, at, load(last), texels == NULL ? NULL : last_texels);
        _mm256_storeu_si256((__m256i *)(void *)last, result);
        for (size_t k = 0; k < count - i; k++) {
            pixels[i + k] = last[k];
        }
    }
}
#else
typedef int rend_span_avx2_not_for_this_machine;
#endif
