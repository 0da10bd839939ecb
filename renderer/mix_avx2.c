#if defined(__x86_64__)
#include "renderer/mix.h"

#include <immintrin.h>

/* Channels of four pixels as 16-bit values, in the order that unpacking bytes gives. */
struct shades {
    __m256i now; /* Q30, two pixels: blue green red 0, twice */
    __m256i two; /* step of two pixels */
};

static __m256i divide255(__m256i x)
{
    const __m256i t = _mm256_add_epi16(x, _mm256_set1_epi16(128));
    return _mm256_srli_epi16(_mm256_add_epi16(t, _mm256_srli_epi16(t, 8)), 8);
}

static __m256i filtered(__m256i x, unsigned filters)
{
    const __m256i full = _mm256_set1_epi16(255);
    if (filters & REND_FILTER_BRIGHTEN) {
        const __m256i rest = _mm256_sub_epi16(full, x);
        x = _mm256_sub_epi16(full, divide255(_mm256_mullo_epi16(rest, rest)));
    }
    if (filters & REND_FILTER_DARKEN) {
        x = divide255(_mm256_mullo_epi16(x, x));
    }
    if (filters & REND_FILTER_SOLARIZE) {
        const __m256i product = _mm256_mullo_epi16(x, _mm256_sub_epi16(full, x));
        x = divide255(_mm256_add_epi16(product, product));
    }
    if (filters & REND_FILTER_INVERT) {
        x = _mm256_sub_epi16(full, x);
    }
    return x;
}

static struct shades shades_of(const struct rend_mix *mix)
{
    const int32_t *s = mix->shade;
    const int32_t *d = mix->shade_step;
    return (struct shades){
        _mm256_setr_epi32(s[0], s[1], s[2], 0, s[0] + d[0], s[1] + d[1], s[2] + d[2], 0),
        _mm256_setr_epi32(2 * d[0], 2 * d[1], 2 * d[2], 0, 2 * d[0], 2 * d[1], 2 * d[2], 0)};
}

/* Q15 shades of the next four pixels, pixel 0 1 in the lower and 2 3 in the upper half. */
static __m256i next_shades(struct shades *shades)
{
    const __m256i first = _mm256_srai_epi32(shades->now, 15);
    const __m256i second = _mm256_srai_epi32(_mm256_add_epi32(shades->now, shades->two), 15);
    shades->now = _mm256_add_epi32(shades->now, _mm256_slli_epi32(shades->two, 1));
    const __m256i packed = _mm256_packs_epi32(first, second); /* 0 2 | 1 3 */
    return _mm256_permute4x64_epi64(packed, 0xD8);            /* 0 1 | 2 3 */
}

static __m256i mixed(__m256i a, __m256i b, __m256i wa, __m256i wb)
{
    const __m256i half = _mm256_set1_epi32(REND_MIX_ONE / 2);
    const __m256i low =
        _mm256_madd_epi16(_mm256_unpacklo_epi16(a, b), _mm256_unpacklo_epi16(wa, wb));
    const __m256i high =
        _mm256_madd_epi16(_mm256_unpackhi_epi16(a, b), _mm256_unpackhi_epi16(wa, wb));
    const __m256i sums =
        _mm256_packs_epi32(_mm256_srli_epi32(_mm256_add_epi32(low, half), REND_MIX_BITS),
                           _mm256_srli_epi32(_mm256_add_epi32(high, half), REND_MIX_BITS));
    return _mm256_min_epi16(sums, _mm256_set1_epi16(255));
}

static __m256i mix4(const struct rend_mix *mix, struct shades *shades, __m256i a, __m256i b)
{
    __m256i wa = _mm256_set1_epi16((short)mix->weight[0]);
    __m256i wb = _mm256_set1_epi16((short)mix->weight[1]);
    if (mix->shaded) {
        const __m256i shade = next_shades(shades);
        wa = _mm256_mulhrs_epi16(wa, shade);
        wb = _mm256_mulhrs_epi16(wb, shade);
    }
    return filtered(mixed(a, b, wa, wb), mix->filters);
}

static __m256i widened(const uint32_t *pixels)
{
    return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)pixels));
}

void rend_mix_avx2(const struct rend_mix *mix, const uint32_t *picture, const uint32_t *echo,
                   uint32_t *out, size_t count)
{
    struct shades shades = shades_of(mix);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const __m256i zero = _mm256_setzero_si256();
        const __m256i low =
            mix4(mix, &shades, widened(picture + i), echo == NULL ? zero : widened(echo + i));
        const __m256i high = mix4(mix, &shades, widened(picture + i + 4),
                                  echo == NULL ? zero : widened(echo + i + 4));
        const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packus_epi16(low, high), 0xD8);
        _mm256_storeu_si256((__m256i *)(void *)(out + i),
                            _mm256_and_si256(bytes, _mm256_set1_epi32(0x00FFFFFF)));
    }
    if (i < count) {
        struct rend_mix rest = *mix;
        for (int k = 0; k < 3; k++) {
            rest.shade[k] += (int32_t)i * mix->shade_step[k];
        }
        rend_mix_plain(&rest, picture + i, echo == NULL ? NULL : echo + i, out + i, count - i);
    }
}
#else
typedef int rend_mix_avx2_not_for_this_machine;
#endif
