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

/* What makes an address mode: coordinates below `least` become `least`, then only the bits of
 * `mask` count, and no position goes beyond `last`. */
struct addressing {
    int32_t least;
    int32_t mask;
    int32_t last_x;
    int32_t last_y;
};

static inline __m256i position(__m256i turns, uint32_t size, const struct addressing *mode,
                               int32_t last)
{
    const __m256i bounded = _mm256_and_si256(
        _mm256_max_epi32(turns, _mm256_set1_epi32(mode->least)), _mm256_set1_epi32(mode->mask));
    return _mm256_min_epi32(scale(bounded, _mm256_set1_epi32((int)size)), _mm256_set1_epi32(last));
}

/* Eight pixels are worked on as two quads, 0 1 4 5 and 2 3 6 7, because that is what unpacking
 * inside 128-bit halves gives. Here a 32-bit word of each pixel is doubled to fill 64 bits. */
struct quads {
    __m256i first;
    __m256i second;
};

static inline struct quads doubled(__m256i words)
{
    return (struct quads){_mm256_unpacklo_epi32(words, words), _mm256_unpackhi_epi32(words, words)};
}

/* Two neighbouring texels of four pixels, 64 bits each. */
static inline __m256i fetch(const uint32_t *pixels, __m128i offset)
{
    return _mm256_i32gather_epi64((const long long *)(const void *)pixels, offset, 4);
}

/* Vertical step on two channels of both texels: at most 65280, which 16 bits without sign hold. */
static inline __m256i between(__m256i upper, __m256i lower, __m256i fraction)
{
    const __m256i moved = _mm256_mullo_epi16(_mm256_sub_epi16(lower, upper), fraction);
    return _mm256_add_epi16(_mm256_slli_epi16(upper, 8), moved);
}

/* Horizontal step: pairs of left and right texel; an offset of 32768 carries them through the
 * signed multiplication. Leaves a rounded channel in each 32 bits. */
static inline __m256i across(__m256i texels, __m256i weights)
{
    const __m256i order = _mm256_setr_epi8(0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15, 0,
                                           1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15);
    const __m256i pairs =
        _mm256_xor_si256(_mm256_shuffle_epi8(texels, order), _mm256_set1_epi16(-32768));
    const __m256i sum = _mm256_madd_epi16(pairs, weights);
    return _mm256_srli_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(32768 * 256 + 32768)), 16);
}

/* Four pixels as 16-bit channels. */
static inline __m256i quad(const struct tmu_sampler *sampler, __m128i offset, __m256i weights_x,
                           __m256i fraction_y)
{
    const __m256i upper = fetch(sampler->pixels, offset);
    const __m256i lower = fetch(sampler->pixels + sampler->stride, offset);
    const __m256i low = _mm256_set1_epi16(255);
    const __m256i even =
        between(_mm256_and_si256(upper, low), _mm256_and_si256(lower, low), fraction_y);
    const __m256i odd =
        between(_mm256_srli_epi16(upper, 8), _mm256_srli_epi16(lower, 8), fraction_y);
    return _mm256_or_si256(across(even, weights_x), _mm256_slli_epi32(across(odd, weights_x), 16));
}

static inline __m256i decayed(__m256i channels, __m256i decay)
{
    const __m256i t = _mm256_add_epi16(_mm256_mullo_epi16(channels, decay), _mm256_set1_epi16(128));
    return _mm256_srli_epi16(_mm256_add_epi16(t, _mm256_srli_epi16(t, 8)), 8);
}

static inline void sample8(uint32_t *dst, __m256i x, __m256i y, const struct tmu_sampler *sampler)
{
    const __m256i low = _mm256_set1_epi32(ONE - 1);
    const __m256i fx = _mm256_and_si256(x, low);
    const __m256i fy = _mm256_and_si256(y, low);
    const __m256i offset =
        _mm256_add_epi32(_mm256_mullo_epi32(_mm256_srli_epi32(y, TMU_FRACTION_BITS),
                                            _mm256_set1_epi32((int)sampler->stride)),
                         _mm256_srli_epi32(x, TMU_FRACTION_BITS));
    const __m256i grouped =
        _mm256_permutevar8x32_epi32(offset, _mm256_setr_epi32(0, 1, 4, 5, 2, 3, 6, 7));
    const struct quads weights_x = doubled(
        _mm256_or_si256(_mm256_slli_epi32(fx, 16), _mm256_sub_epi32(_mm256_set1_epi32(ONE), fx)));
    const struct quads fraction_y = doubled(_mm256_or_si256(fy, _mm256_slli_epi32(fy, 16)));
    const __m256i decay = _mm256_set1_epi16((short)sampler->decay);
    const __m256i first =
        quad(sampler, _mm256_castsi256_si128(grouped), weights_x.first, fraction_y.first);
    const __m256i second =
        quad(sampler, _mm256_extracti128_si256(grouped, 1), weights_x.second, fraction_y.second);
    const __m256i bytes = _mm256_packus_epi16(decayed(first, decay), decayed(second, decay));
    _mm256_storeu_si256((__m256i *)(void *)dst,
                        _mm256_and_si256(bytes, _mm256_set1_epi32(0x00FFFFFF)));
}

static inline __m256i load(const int32_t *coordinates)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)coordinates);
}

/* One loop for both address modes, so that it is compiled once with everything in registers. */
static void sample_row(uint32_t *dst, const int32_t *u, const int32_t *v, size_t count,
                       const struct tmu_sampler *sampler, const struct addressing *mode)
{
    for (size_t i = 0; i < count; i += 8) {
        sample8(dst + i, position(load(u + i), sampler->width, mode, mode->last_x),
                position(load(v + i), sampler->height, mode, mode->last_y), sampler);
    }
}

static void wrap_avx2(uint32_t *dst, const int32_t *u, const int32_t *v, size_t count,
                      const struct tmu_sampler *sampler)
{
    const struct addressing mode = {INT32_MIN, TMU_TURN - 1, INT32_MAX, INT32_MAX};
    sample_row(dst, u, v, count, sampler, &mode);
}

static void clamp_avx2(uint32_t *dst, const int32_t *u, const int32_t *v, size_t count,
                       const struct tmu_sampler *sampler)
{
    const struct addressing mode = {0, INT32_MAX, (int32_t)(sampler->width - 1) * ONE,
                                    (int32_t)(sampler->height - 1) * ONE};
    sample_row(dst, u, v, count, sampler, &mode);
}

static void ramp_avx2(int32_t *out, uint32_t start, uint32_t step, size_t count)
{
    const __m256i index = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i eight = _mm256_set1_epi32((int)(8 * step));
    __m256i value = _mm256_add_epi32(_mm256_set1_epi32((int)start),
                                     _mm256_mullo_epi32(index, _mm256_set1_epi32((int)step)));
    for (size_t i = 0; i < count; i += 8) {
        _mm256_storeu_si256((__m256i *)(void *)(out + i), value);
        value = _mm256_add_epi32(value, eight);
    }
}

const struct tmu_kernels tmu_kernels_avx2 = {wrap_avx2, clamp_avx2, ramp_avx2};
#else
typedef int tmu_kernels_avx2_not_for_this_machine;
#endif
