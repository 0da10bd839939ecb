#if defined(__x86_64__)
#include "tmu/kernels.h"

#include <immintrin.h>

enum { SHIFT = TMU_TURN_BITS - TMU_FRACTION_BITS, ONE = 1 << TMU_FRACTION_BITS };

/* Eight texel positions with 8 fraction bits from eight coordinates in 0..2^31-1. */
static inline __m256i scale(__m256i turns, __m256i size)
{
    const __m256i half = _mm256_set1_epi64x(1 << (SHIFT - 1));
    const __m256i even = _mm256_add_epi64(_mm256_mul_epu32(turns, size), half);
    const __m256i odd =
        _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(turns, 32), size), half);
    return _mm256_blend_epi32(_mm256_srli_epi64(even, SHIFT),
                              _mm256_slli_epi64(_mm256_srli_epi64(odd, SHIFT), 32), 0xAA);
}

static inline __m256i position_wrap(__m256i turns, uint32_t size)
{
    return scale(_mm256_and_si256(turns, _mm256_set1_epi32(TMU_TURN - 1)),
                 _mm256_set1_epi32((int)size));
}

static inline __m256i position_clamp(__m256i turns, uint32_t size)
{
    const __m256i from_zero = _mm256_max_epi32(turns, _mm256_setzero_si256());
    const __m256i position = scale(from_zero, _mm256_set1_epi32((int)size));
    return _mm256_min_epi32(position, _mm256_set1_epi32((int)((size - 1) * ONE)));
}

static inline __m256i weights(__m256i position)
{
    const __m256i fraction = _mm256_and_si256(position, _mm256_set1_epi32(ONE - 1));
    return _mm256_or_si256(_mm256_slli_epi32(fraction, 16),
                           _mm256_sub_epi32(_mm256_set1_epi32(ONE), fraction));
}

/* Two neighbouring texels of two pixels, one pixel per 128-bit half, widened to 16 bits. */
static inline __m256i fetch(const uint32_t *first, const uint32_t *second)
{
    const __m128i pair = _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(const void *)first),
                                            _mm_loadl_epi64((const __m128i *)(const void *)second));
    return _mm256_cvtepu8_epi16(pair);
}

/* The texels of pixels number 2n and 2n+1 of eight, as in kernels_sse41.c, one per 128-bit half. */
static inline __m256i texels(const uint32_t *first, const uint32_t *second, uint32_t stride,
                             __m256i weight_x, __m256i weight_y)
{
    const __m256i upper = fetch(first, second);
    const __m256i lower = fetch(first + stride, second + stride);
    const __m256i left = _mm256_madd_epi16(_mm256_unpacklo_epi16(upper, lower), weight_y);
    const __m256i right = _mm256_madd_epi16(_mm256_unpackhi_epi16(upper, lower), weight_y);
    const __m256i offset = _mm256_set1_epi16(-32768);
    const __m256i packed = _mm256_xor_si256(_mm256_packus_epi32(left, right), offset);
    const __m256i pairs = _mm256_unpacklo_epi16(packed, _mm256_srli_si256(packed, 8));
    const __m256i sum = _mm256_madd_epi16(pairs, weight_x);
    return _mm256_srli_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(32768 * 256 + 32768)), 16);
}

static inline __m256i decayed(__m256i channels, __m256i decay)
{
    const __m256i t = _mm256_add_epi16(_mm256_mullo_epi16(channels, decay), _mm256_set1_epi16(128));
    return _mm256_srli_epi16(_mm256_add_epi16(t, _mm256_srli_epi16(t, 8)), 8);
}

static inline __m256i spread(__m256i words, int first)
{
    const __m256i index =
        _mm256_setr_epi32(first, first, first, first, first + 1, first + 1, first + 1, first + 1);
    return _mm256_permutevar8x32_epi32(words, index);
}

static inline void sample8(uint32_t *dst, __m256i x, __m256i y, const struct tmu_sampler *sampler)
{
    const __m256i offset =
        _mm256_add_epi32(_mm256_mullo_epi32(_mm256_srli_epi32(y, TMU_FRACTION_BITS),
                                            _mm256_set1_epi32((int)sampler->stride)),
                         _mm256_srli_epi32(x, TMU_FRACTION_BITS));
    uint32_t at[8];
    _mm256_storeu_si256((__m256i *)(void *)at, offset);
    const __m256i wx = weights(x);
    const __m256i wy = weights(y);
    const uint32_t *pixels = sampler->pixels;
    const uint32_t stride = sampler->stride;
    const __m256i a = texels(pixels + at[0], pixels + at[1], stride, spread(wx, 0), spread(wy, 0));
    const __m256i b = texels(pixels + at[2], pixels + at[3], stride, spread(wx, 2), spread(wy, 2));
    const __m256i c = texels(pixels + at[4], pixels + at[5], stride, spread(wx, 4), spread(wy, 4));
    const __m256i d = texels(pixels + at[6], pixels + at[7], stride, spread(wx, 6), spread(wy, 6));
    const __m256i decay = _mm256_set1_epi16((short)sampler->decay);
    const __m256i bytes = _mm256_packus_epi16(decayed(_mm256_packus_epi32(a, b), decay),
                                              decayed(_mm256_packus_epi32(c, d), decay));
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    const __m256i result = _mm256_permutevar8x32_epi32(bytes, order);
    _mm256_storeu_si256((__m256i *)(void *)dst,
                        _mm256_and_si256(result, _mm256_set1_epi32(0x00FFFFFF)));
}

static inline __m256i load(const int32_t *coordinates)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)coordinates);
}

static void wrap_avx2(uint32_t *dst, const int32_t *u, const int32_t *v, size_t count,
                      const struct tmu_sampler *sampler)
{
    for (size_t i = 0; i < count; i += 8) {
        sample8(dst + i, position_wrap(load(u + i), sampler->width),
                position_wrap(load(v + i), sampler->height), sampler);
    }
}

static void clamp_avx2(uint32_t *dst, const int32_t *u, const int32_t *v, size_t count,
                       const struct tmu_sampler *sampler)
{
    for (size_t i = 0; i < count; i += 8) {
        sample8(dst + i, position_clamp(load(u + i), sampler->width),
                position_clamp(load(v + i), sampler->height), sampler);
    }
}

const struct tmu_kernels tmu_kernels_avx2 = {wrap_avx2, clamp_avx2};
#else
typedef int tmu_kernels_avx2_not_for_this_machine;
#endif
