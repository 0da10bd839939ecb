#if defined(__x86_64__)
#include "renderer/transition.h"

#include <immintrin.h>

static __m256i light_of(__m256i pixels)
{
    const __m256i low = _mm256_set1_epi32(255);
    const __m256i red = _mm256_and_si256(_mm256_srli_epi32(pixels, 16), low);
    const __m256i green = _mm256_and_si256(_mm256_srli_epi32(pixels, 8), low);
    const __m256i blue = _mm256_and_si256(pixels, low);
    const __m256i sum = _mm256_add_epi32(_mm256_mullo_epi16(red, _mm256_set1_epi32(77)),
                                         _mm256_mullo_epi16(green, _mm256_set1_epi32(150)));
    return _mm256_add_epi32(sum, _mm256_mullo_epi16(blue, _mm256_set1_epi32(29)));
}

/* Weights of eight pixels, each in both halves of its 32 bits. */
static __m256i weights_of(const struct rend_weights *weights, __m256i when)
{
    const __m256i moved = _mm256_add_epi32(when, _mm256_set1_epi32(weights->offset));
    const __m256i moment = _mm256_min_epi32(_mm256_max_epi32(moved, _mm256_setzero_si256()),
                                            _mm256_set1_epi32(weights->limit));
    const __m256i weight =
        _mm256_srli_epi32(_mm256_mullo_epi32(moment, _mm256_set1_epi32(weights->scale)), 16);
    return _mm256_or_si256(weight, _mm256_slli_epi32(weight, 16));
}

/* Two channels of eight pixels, one in each 16 bits; the result stands in the upper bytes. */
static __m256i blended(__m256i a, __m256i b, __m256i weight)
{
    const __m256i rest = _mm256_sub_epi16(_mm256_set1_epi16(256), weight);
    const __m256i sum =
        _mm256_add_epi16(_mm256_mullo_epi16(a, rest), _mm256_mullo_epi16(b, weight));
    return _mm256_add_epi16(sum, _mm256_set1_epi16(128));
}

static __m256i blend8(__m256i a, __m256i b, __m256i weight)
{
    const __m256i bytes = _mm256_set1_epi16(255);
    const __m256i outer = blended(_mm256_and_si256(a, bytes), _mm256_and_si256(b, bytes), weight);
    const __m256i inner = blended(_mm256_and_si256(_mm256_srli_epi32(a, 8), bytes),
                                  _mm256_and_si256(_mm256_srli_epi32(b, 8), bytes), weight);
    return _mm256_or_si256(_mm256_srli_epi16(outer, 8),
                           _mm256_and_si256(inner, _mm256_set1_epi32(0xFF00)));
}

void rend_cross_avx2(uint32_t *out, const uint32_t *old_row, const uint32_t *new_row,
                     const uint16_t *when, size_t count, const struct rend_weights *weights)
{
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)(old_row + i));
        const __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(new_row + i));
        const __m256i moments =
            when == NULL
                ? light_of(a)
                : _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)(when + i)));
        const __m256i pixels = blend8(a, b, weights_of(weights, moments));
        _mm256_storeu_si256((__m256i *)(void *)(out + i), pixels);
    }
    rend_cross_plain(out + i, old_row + i, new_row + i, when != NULL ? when + i : NULL, count - i,
                     weights);
}
#else
typedef int rend_transition_avx2_not_for_this_machine;
#endif
