#if defined(__x86_64__)
#include "renderer/mix.h"

#include <immintrin.h>

static inline __m256i divide255(__m256i x)
{
    const __m256i t = _mm256_add_epi16(x, _mm256_set1_epi16(128));
    return _mm256_srli_epi16(_mm256_add_epi16(t, _mm256_srli_epi16(t, 8)), 8);
}

static __m256i filtered(__m256i x, unsigned filters)
{
    const __m256i full = _mm256_set1_epi16(255);
    x = _mm256_min_epi16(x, full);
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

/* Eight pixels are worked on as two quads, 0 1 4 5 and 2 3 6 7, because that is what unpacking and
 * packing bytes inside 128-bit halves gives. Shades are Q30, of two pixels: blue green red 0,
 * twice.
 */
struct shades {
    __m256i even; /* pixels 0 and 4 */
    __m256i odd;  /* 1 and 5 */
    __m256i near; /* from the first quad to the second */
    __m256i far;  /* from there to the first of the next eight */
};

static __m256i shades_at(const int32_t *at, const int32_t *step, int32_t low, int32_t high)
{
    return _mm256_setr_epi32(at[0] + low * step[0], at[1] + low * step[1], at[2] + low * step[2], 0,
                             at[0] + high * step[0], at[1] + high * step[1], at[2] + high * step[2],
                             0);
}

static struct shades shades_of(const struct rend_mix *mix)
{
    const int32_t none[3] = {0, 0, 0};
    return (struct shades){
        shades_at(mix->shade, mix->shade_step, 0, 4), shades_at(mix->shade, mix->shade_step, 1, 5),
        shades_at(none, mix->shade_step, 2, 2), shades_at(none, mix->shade_step, 6, 6)};
}

/* Q15 shades of a quad. */
static inline __m256i next_shades(struct shades *shades, __m256i step)
{
    const __m256i packed =
        _mm256_packs_epi32(_mm256_srai_epi32(shades->even, 15), _mm256_srai_epi32(shades->odd, 15));
    shades->even = _mm256_add_epi32(shades->even, step);
    shades->odd = _mm256_add_epi32(shades->odd, step);
    return packed;
}

/* What a layer adds, in eighths; channels stand in the upper bytes. */
static inline __m256i part(__m256i channels, __m256i weight)
{
    return _mm256_mulhrs_epi16(_mm256_srli_epi16(channels, 1), weight);
}

static inline __m256i rounded(__m256i eighths)
{
    return _mm256_srli_epi16(_mm256_add_epi16(eighths, _mm256_set1_epi16(4)), 3);
}

static inline __m256i load(const uint32_t *pixels)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)pixels);
}

/* Weights of the first and the second quad. */
struct weights {
    __m256i first;
    __m256i second;
};

static inline struct weights weights_of(__m256i weight, const struct weights *shades, bool shaded)
{
    if (!shaded) {
        return (struct weights){weight, weight};
    }
    return (struct weights){_mm256_mulhrs_epi16(weight, shades->first),
                            _mm256_mulhrs_epi16(weight, shades->second)};
}

static inline struct weights parts(const uint32_t *pixels, struct weights weights)
{
    const __m256i eight = load(pixels);
    const __m256i zero = _mm256_setzero_si256();
    return (struct weights){part(_mm256_unpacklo_epi8(zero, eight), weights.first),
                            part(_mm256_unpackhi_epi8(zero, eight), weights.second)};
}

static void mix_rest(const struct rend_mix *mix, const uint32_t *picture, const uint32_t *echo,
                     uint32_t *out, size_t done, size_t count)
{
    struct rend_mix rest = *mix;
    for (int k = 0; k < 3; k++) {
        rest.shade[k] += (int32_t)done * mix->shade_step[k];
    }
    rend_mix_plain(&rest, picture + done, echo == NULL ? NULL : echo + done, out + done,
                   count - done);
}

void rend_mix_avx2(const struct rend_mix *mix, const uint32_t *picture, const uint32_t *echo,
                   uint32_t *out, size_t count)
{
    const unsigned filters = mix->filters;
    const bool shaded = mix->shaded;
    const __m256i first_weight = _mm256_set1_epi16((short)mix->weight[0]);
    const __m256i second_weight = _mm256_set1_epi16((short)mix->weight[1]);
    struct shades shades = shades_of(mix);
    struct weights shade = {first_weight, first_weight};
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        if (shaded) {
            shade.first = next_shades(&shades, shades.near);
            shade.second = next_shades(&shades, shades.far);
        }
        struct weights sum = parts(picture + i, weights_of(first_weight, &shade, shaded));
        if (echo != NULL) {
            const struct weights more = parts(echo + i, weights_of(second_weight, &shade, shaded));
            sum.first = _mm256_add_epi16(sum.first, more.first);
            sum.second = _mm256_add_epi16(sum.second, more.second);
        }
        sum = (struct weights){rounded(sum.first), rounded(sum.second)};
        if (filters != 0) {
            sum = (struct weights){filtered(sum.first, filters), filtered(sum.second, filters)};
        }
        const __m256i bytes = _mm256_packus_epi16(sum.first, sum.second);
        _mm256_storeu_si256((__m256i *)(void *)(out + i),
                            _mm256_and_si256(bytes, _mm256_set1_epi32(0x00FFFFFF)));
    }
    if (i < count) {
        mix_rest(mix, picture, echo, out, i, count);
    }
}
#else
typedef int rend_mix_avx2_not_for_this_machine;
#endif
