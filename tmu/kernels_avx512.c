#if defined(__x86_64__)
#include "tmu/kernels.h"

#include <immintrin.h>

/* As kernels_avx2.c does it, sixteen pixels at a time. */

enum { PIXELS = 16, EIGHT = 0xFF, ALL = 0xFFFF };

/* How far down the texture it pays to ask for texels early. */
enum { ROWS_AHEAD = 8 };

struct source {
    const uint32_t *upper; /* row 0 */
    const uint32_t *lower; /* row 1 */
    uintptr_t ahead;       /* row ROWS_AHEAD, which need not exist */
    __m512i pitch;         /* texels from a position's row and column */
    __m512i keep;
};

static struct source source_of(const struct tmu_sampler *sampler)
{
    const uintptr_t row = sampler->stride * sizeof *sampler->pixels;
    return (struct source){
        .upper = sampler->pixels,
        .lower = sampler->pixels + sampler->stride,
        .ahead = (uintptr_t)sampler->pixels + ROWS_AHEAD * row,
        .pitch = _mm512_set1_epi32((int)(sampler->stride << 16 | 1)),
        .keep = _mm512_set1_epi16((short)sampler->keep),
    };
}

/* Two neighbouring texels of eight pixels each; their bytes in pairs of left and right, less 128.
 */
static inline __m512i fetch(const uint32_t *pixels, __m256i offset)
{
    const __m512i pairs =
        _mm512_broadcast_i32x4(_mm_setr_epi8(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15));
    const __m512i texels =
        _mm512_mask_i32gather_epi64(_mm512_setzero_si512(), EIGHT, offset,
                                    (const long long *)(const void *)pixels, sizeof *pixels);
    return _mm512_xor_si512(_mm512_shuffle_epi8(texels, pairs), _mm512_set1_epi8(-128));
}

/* Eight pixels as 16-bit channels. across: 255 - fx and fx in turn; fy in every byte. */
static inline __m512i eight(const struct source *source, __m256i offset, __m512i across, __m512i fy)
{
    const __m512i upper = _mm512_maddubs_epi16(across, fetch(source->upper, offset));
    const __m512i lower = _mm512_maddubs_epi16(across, fetch(source->lower, offset));
    const __m512i down = _mm512_srli_epi16(fy, 1);
    const __m512i stay = _mm512_xor_si512(down, _mm512_set1_epi16(32767));
    const __m512i sum =
        _mm512_add_epi16(_mm512_mulhrs_epi16(upper, stay), _mm512_mulhrs_epi16(lower, down));
    const __m512i texel = _mm512_mulhi_epu16(_mm512_xor_si512(sum, _mm512_set1_epi16(-32768)),
                                             _mm512_set1_epi16(257));
    return _mm512_mulhrs_epi16(texel, source->keep);
}

/* The fraction byte of pixels 0 1 4 5 8 9 12 13, eight times each; of the others if `word` is 2. */
static inline __m512i fractions(__m512i positions, int word)
{
    const __m128i first = _mm_setr_epi8(1, 1, 1, 1, 1, 1, 1, 1, 5, 5, 5, 5, 5, 5, 5, 5);
    return _mm512_shuffle_epi8(
        positions, _mm512_broadcast_i32x4(_mm_add_epi8(first, _mm_set1_epi8((char)(4 * word)))));
}

static inline __m512i across_of(__m512i x, int word)
{
    return _mm512_xor_si512(fractions(x, word), _mm512_set1_epi16(255));
}

/* Sixteen pixels are worked on as two halves, 0 1 4 5 8 9 12 13 and the others, because that is
 * what packing inside 128-bit quarters puts in order. */
static void sample_avx512(uint32_t *dst, const uint32_t *x, const uint32_t *y, size_t count,
                          const struct tmu_sampler *sampler)
{
    const struct source source = source_of(sampler);
    const __m512i halves = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    for (size_t i = 0; i < count; i += PIXELS) {
        const __mmask16 some = count - i > PIXELS / 2 ? ALL : EIGHT;
        const __m512i px = _mm512_maskz_loadu_epi32(some, x + i);
        const __m512i py = _mm512_maskz_loadu_epi32(some, y + i);
        const __m512i texels =
            _mm512_mask_blend_epi16(0xAAAAAAAA, _mm512_srli_epi32(px, TMU_POSITION_BITS), py);
        const __m512i offsets = _mm512_madd_epi16(texels, source.pitch);
        const __m512i grouped = _mm512_permutexvar_epi64(halves, offsets);
        const __m256i low = _mm512_castsi512_si256(grouped);
        const __m256i high = _mm512_extracti64x4_epi64(grouped, 1);
        const uint32_t offset = (uint32_t)_mm256_cvtsi256_si32(low);
        _mm_prefetch((const char *)(source.ahead + offset * sizeof *source.upper), _MM_HINT_T0);
        const __m512i first = eight(&source, low, across_of(px, 0), fractions(py, 0));
        const __m512i second = eight(&source, high, across_of(px, 2), fractions(py, 2));
        _mm512_mask_storeu_epi32(dst + i, some, _mm512_packus_epi16(first, second));
    }
}

/* Cells of a mesh are too narrow for wider vectors. */
const struct tmu_kernels tmu_kernels_avx512 = {
    .ramps =
        {[TMU_WRAP] = tmu_wrap_avx2, [TMU_CLAMP] = tmu_clamp_avx2, [TMU_MIRROR] = tmu_mirror_avx2},
    .sample = sample_avx512,
};
#else
typedef int tmu_kernels_avx512_not_for_this_machine;
#endif
