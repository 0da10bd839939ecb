#if defined(__x86_64__)
#include "tmu/kernels.h"

#include <smmintrin.h>

enum { SHIFT = TMU_TURN_BITS - TMU_FRACTION_BITS, ONE = 1 << TMU_FRACTION_BITS };

/* Four texel positions with 8 fraction bits from four coordinates in 0..2^31-1. */
static inline __m128i scale(__m128i turns, __m128i size)
{
    const __m128i half = _mm_set1_epi64x(1 << (SHIFT - 1));
    const __m128i even = _mm_add_epi64(_mm_mul_epu32(turns, size), half);
    const __m128i odd = _mm_add_epi64(_mm_mul_epu32(_mm_srli_epi64(turns, 32), size), half);
    return _mm_blend_epi16(_mm_srli_epi64(even, SHIFT),
                           _mm_slli_epi64(_mm_srli_epi64(odd, SHIFT), 32), 0xCC);
}

static inline __m128i position_wrap(__m128i turns, uint32_t size)
{
    return scale(_mm_and_si128(turns, _mm_set1_epi32(TMU_TURN - 1)), _mm_set1_epi32((int)size));
}

static inline __m128i position_clamp(__m128i turns, uint32_t size)
{
    const __m128i from_zero = _mm_max_epi32(turns, _mm_setzero_si128());
    const __m128i position = scale(from_zero, _mm_set1_epi32((int)size));
    return _mm_min_epi32(position, _mm_set1_epi32((int)((size - 1) * ONE)));
}

/* (256 - fraction) in the low half, fraction in the high half of each word: a pair of weights. */
static inline __m128i weights(__m128i position)
{
    const __m128i fraction = _mm_and_si128(position, _mm_set1_epi32(ONE - 1));
    return _mm_or_si128(_mm_slli_epi32(fraction, 16), _mm_sub_epi32(_mm_set1_epi32(ONE), fraction));
}

/* One texel as four 32-bit channels. The vertical step leaves at most 65280 per channel, which is
 * carried through the signed multiplication by an offset of 32768. */
static inline __m128i texel(const uint32_t *top, uint32_t stride, __m128i weight_x,
                            __m128i weight_y)
{
    const __m128i upper = _mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *)(const void *)top));
    const __m128i lower =
        _mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *)(const void *)(top + stride)));
    const __m128i left = _mm_madd_epi16(_mm_unpacklo_epi16(upper, lower), weight_y);
    const __m128i right = _mm_madd_epi16(_mm_unpackhi_epi16(upper, lower), weight_y);
    const __m128i offset = _mm_set1_epi16(-32768);
    const __m128i packed = _mm_xor_si128(_mm_packus_epi32(left, right), offset);
    const __m128i pairs = _mm_unpacklo_epi16(packed, _mm_srli_si128(packed, 8));
    const __m128i sum = _mm_madd_epi16(pairs, weight_x);
    return _mm_srli_epi32(_mm_add_epi32(sum, _mm_set1_epi32(32768 * 256 + 32768)), 16);
}

static inline __m128i decayed(__m128i channels, __m128i decay)
{
    const __m128i t = _mm_add_epi16(_mm_mullo_epi16(channels, decay), _mm_set1_epi16(128));
    return _mm_srli_epi16(_mm_add_epi16(t, _mm_srli_epi16(t, 8)), 8);
}

static inline void sample4(uint32_t *dst, __m128i x, __m128i y, const struct tmu_sampler *sampler)
{
    const __m128i offset = _mm_add_epi32(
        _mm_mullo_epi32(_mm_srli_epi32(y, TMU_FRACTION_BITS), _mm_set1_epi32((int)sampler->stride)),
        _mm_srli_epi32(x, TMU_FRACTION_BITS));
    uint32_t at[4];
    _mm_storeu_si128((__m128i *)(void *)at, offset);
    const __m128i wx = weights(x);
    const __m128i wy = weights(y);
    const uint32_t *pixels = sampler->pixels;
    const uint32_t stride = sampler->stride;
    const __m128i a =
        texel(pixels + at[0], stride, _mm_shuffle_epi32(wx, 0x00), _mm_shuffle_epi32(wy, 0x00));
    const __m128i b =
        texel(pixels + at[1], stride, _mm_shuffle_epi32(wx, 0x55), _mm_shuffle_epi32(wy, 0x55));
    const __m128i c =
        texel(pixels + at[2], stride, _mm_shuffle_epi32(wx, 0xAA), _mm_shuffle_epi32(wy, 0xAA));
    const __m128i d =
        texel(pixels + at[3], stride, _mm_shuffle_epi32(wx, 0xFF), _mm_shuffle_epi32(wy, 0xFF));
    const __m128i decay = _mm_set1_epi16((short)sampler->decay);
    const __m128i result = _mm_packus_epi16(decayed(_mm_packus_epi32(a, b), decay),
                                            decayed(_mm_packus_epi32(c, d), decay));
    _mm_storeu_si128((__m128i *)(void *)dst, _mm_and_si128(result, _mm_set1_epi32(0x00FFFFFF)));
}

static inline __m128i load(const int32_t *coordinates)
{
    return _mm_loadu_si128((const __m128i *)(const void *)coordinates);
}

static void wrap_sse41(uint32_t *dst, const int32_t *u, const int32_t *v, size_t count,
                       const struct tmu_sampler *sampler)
{
    for (size_t i = 0; i < count; i += 4) {
        sample4(dst + i, position_wrap(load(u + i), sampler->width),
                position_wrap(load(v + i), sampler->height), sampler);
    }
}

static void clamp_sse41(uint32_t *dst, const int32_t *u, const int32_t *v, size_t count,
                        const struct tmu_sampler *sampler)
{
    for (size_t i = 0; i < count; i += 4) {
        sample4(dst + i, position_clamp(load(u + i), sampler->width),
                position_clamp(load(v + i), sampler->height), sampler);
    }
}

static void ramp_sse41(int32_t *out, uint32_t start, uint32_t step, size_t count)
{
    const __m128i index = _mm_setr_epi32(0, 1, 2, 3);
    const __m128i four = _mm_set1_epi32((int)(4 * step));
    __m128i value = _mm_add_epi32(_mm_set1_epi32((int)start),
                                  _mm_mullo_epi32(index, _mm_set1_epi32((int)step)));
    for (size_t i = 0; i < count; i += 4) {
        _mm_storeu_si128((__m128i *)(void *)(out + i), value);
        value = _mm_add_epi32(value, four);
    }
}

const struct tmu_kernels tmu_kernels_sse41 = {wrap_sse41, clamp_sse41, ramp_sse41};
#else
typedef int tmu_kernels_sse41_not_for_this_machine;
#endif
