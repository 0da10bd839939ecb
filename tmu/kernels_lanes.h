/* Texels for many pixels at a time, as tmu_sample_row of kernels.h says: sixteen where the file is
 * compiled for AVX-512, eight for AVX2; empty otherwise. */
#ifndef TMU_KERNELS_LANES_H
#define TMU_KERNELS_LANES_H

#if defined(__AVX2__)
#include "base/simd.h"
#include "tmu/kernels.h"

/* A mask of 64-bit lanes. */
#if defined(__AVX512BW__)
typedef __mmask8 lanes_full;
#else
typedef __m256i lanes_full;
#endif

/* How far down the texture it pays to ask for texels early. */
enum { ROWS_AHEAD = 8 };

/* What the loop over a row keeps in registers. */
struct source {
    const uint32_t *upper; /* row 0 */
    const uint32_t *lower; /* row 1 */
    uintptr_t ahead;       /* row ROWS_AHEAD, which need not exist */
    simd_words pitch;      /* texels from a position's row and column */
    lanes_full full;       /* all bits, unknown to the compiler: gathers keep their zeroed target */
    simd_words keep;
};

#if defined(__AVX512BW__)
static inline lanes_full full_mask(simd_words pitch)
{
    return (lanes_full)_mm512_cmpgt_epi32_mask(pitch, _mm512_setzero_si512());
}

/* Two neighbouring texels of half as many pixels as there are lanes. A gather without a mask would
 * wait for what its register held before. */
static inline simd_words gather(const uint32_t *pixels, simd_half_words offset, lanes_full full)
{
    return _mm512_mask_i32gather_epi64(_mm512_setzero_si512(), full, offset,
                                       (const long long *)(const void *)pixels, sizeof *pixels);
}

/* The first two of every four lanes, then the last two of every four. */
static inline simd_words group(simd_words lanes)
{
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), lanes);
}

static inline simd_half_words low_half(simd_words lanes)
{
    return _mm512_castsi512_si256(lanes);
}

static inline simd_half_words high_half(simd_words lanes)
{
    return _mm512_extracti64x4_epi64(lanes, 1);
}

static inline uint32_t first_lane(simd_half_words lanes)
{
    return (uint32_t)_mm256_cvtsi256_si32(lanes);
}

/* Lanes of `rest` pixels, a multiple of 8. */
static inline simd_words load_rest(const uint32_t *from, size_t rest)
{
    return _mm512_maskz_loadu_epi32(rest < SIMD_LANES ? 0xFF : 0xFFFF, from);
}

static inline void store_rest(uint32_t *to, simd_words lanes, size_t rest)
{
    _mm512_mask_storeu_epi32(to, rest < SIMD_LANES ? 0xFF : 0xFFFF, lanes);
}
#else
static inline lanes_full full_mask(simd_words pitch)
{
    return _mm256_cmpgt_epi32(pitch, _mm256_setzero_si256());
}

static inline simd_words gather(const uint32_t *pixels, simd_half_words offset, lanes_full full)
{
    return _mm256_mask_i32gather_epi64(_mm256_setzero_si256(),
                                       (const long long *)(const void *)pixels, offset, full,
                                       sizeof *pixels);
}

static inline simd_words group(simd_words lanes)
{
    return _mm256_permute4x64_epi64(lanes, 0xD8);
}

static inline simd_half_words low_half(simd_words lanes)
{
    return _mm256_castsi256_si128(lanes);
}

static inline simd_half_words high_half(simd_words lanes)
{
    return _mm256_extracti128_si256(lanes, 1);
}

static inline uint32_t first_lane(simd_half_words lanes)
{
    return (uint32_t)_mm_cvtsi128_si32(lanes);
}

static inline simd_words load_rest(const uint32_t *from, size_t rest)
{
    (void)rest;
    return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

static inline void store_rest(uint32_t *to, simd_words lanes, size_t rest)
{
    (void)rest;
    _mm256_storeu_si256((__m256i *)(void *)to, lanes);
}
#endif

static inline struct source source_of(const struct tmu_sampler *sampler)
{
    const uintptr_t row = sampler->stride * sizeof *sampler->pixels;
    const simd_words pitch = SIMD(set1_epi32)((int)(sampler->stride << 16 | 1));
    return (struct source){
        .upper = sampler->pixels,
        .lower = sampler->pixels + sampler->stride,
        .ahead = (uintptr_t)sampler->pixels + ROWS_AHEAD * row,
        .pitch = pitch,
        .full = full_mask(pitch),
        .keep = SIMD(set1_epi16)((short)sampler->keep),
    };
}

/* The bytes of two neighbouring texels in pairs of left and right, less 128. */
static inline simd_words fetch(const uint32_t *pixels, simd_half_words offset, lanes_full full)
{
    const simd_words pairs =
        simd_every_four(_mm_setr_epi8(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15));
    return simd_xor(SIMD(shuffle_epi8)(gather(pixels, offset, full), pairs), SIMD(set1_epi8)(-128));
}

/* Half as many pixels as there are lanes, as 16-bit channels. across: 255 - fx and fx in turn; fy
 * in every byte. */
static inline simd_words half_row(struct source source, simd_half_words offset, simd_words across,
                                  simd_words fy)
{
    const simd_words upper = SIMD(maddubs_epi16)(across, fetch(source.upper, offset, source.full));
    const simd_words lower = SIMD(maddubs_epi16)(across, fetch(source.lower, offset, source.full));
    const simd_words down = SIMD(srli_epi16)(fy, 1);
    const simd_words stay = simd_xor(down, SIMD(set1_epi16)(32767));
    const simd_words sum =
        SIMD(add_epi16)(SIMD(mulhrs_epi16)(upper, stay), SIMD(mulhrs_epi16)(lower, down));
    const simd_words texel =
        SIMD(mulhi_epu16)(simd_xor(sum, SIMD(set1_epi16)(-32768)), SIMD(set1_epi16)(257));
    return SIMD(mulhrs_epi16)(texel, source.keep);
}

/* Of every four pixels the fraction bytes of the first two, eight times each; of the last two if
 * `word` is 2. */
static inline simd_words fractions(simd_words positions, int word)
{
    const __m128i first = _mm_setr_epi8(1, 1, 1, 1, 1, 1, 1, 1, 5, 5, 5, 5, 5, 5, 5, 5);
    return SIMD(shuffle_epi8)(
        positions, simd_every_four(_mm_add_epi8(first, _mm_set1_epi8((char)(4 * word)))));
}

static inline simd_words across_of(simd_words x, int word)
{
    return simd_xor(fractions(x, word), SIMD(set1_epi16)(255));
}

/* Draws one vector of pixels, or `rest` of them. They are worked on in two halves, of every four
 * the first two and the last two, because that is what packing inside 128-bit quarters puts in
 * order.
 */
BASE_INLINE void sample_vector(const struct source *source, uint32_t *dst, const uint32_t *x,
                               const uint32_t *y, size_t rest, bool ahead)
{
    const simd_words px = load_rest(x, rest);
    const simd_words py = load_rest(y, rest);
    const simd_words texels = simd_lower_upper(SIMD(srli_epi32)(px, TMU_POSITION_BITS), py);
    const simd_words offsets = group(SIMD(madd_epi16)(texels, source->pitch));
    const simd_half_words low = low_half(offsets);
    const simd_half_words high = high_half(offsets);
    if (ahead) {
        _mm_prefetch((const char *)(source->ahead + first_lane(low) * sizeof *source->upper),
                     _MM_HINT_T0);
    }
    const simd_words first = half_row(*source, low, across_of(px, 0), fractions(py, 0));
    const simd_words second = half_row(*source, high, across_of(px, 2), fractions(py, 2));
    store_rest(dst, SIMD(packus_epi16)(first, second), rest);
}

static inline void sample_lanes(uint32_t *dst, const uint32_t *x, const uint32_t *y, size_t count,
                                const struct tmu_sampler *sampler)
{
    const size_t step = 16; /* texels are asked for early once in so many */
    const struct source source = source_of(sampler);
    size_t i = 0;
    for (; i + step <= count; i += step) {
        sample_vector(&source, dst + i, x + i, y + i, SIMD_LANES, true);
        if (SIMD_LANES < step) {
            const size_t k = i + SIMD_LANES;
            sample_vector(&source, dst + k, x + k, y + k, SIMD_LANES, false);
        }
    }
    for (; i < count; i += SIMD_LANES) {
        sample_vector(&source, dst + i, x + i, y + i, (count - i + 7) / 8 * 8, i % step == 0);
    }
}
#endif

#endif
