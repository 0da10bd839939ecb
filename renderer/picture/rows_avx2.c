#include "renderer/picture/rows.h"

#if defined(__x86_64__)

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

static inline struct weights mix_weights(__m256i weight, const struct weights *shades, bool shaded)
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
        struct weights sum = parts(picture + i, mix_weights(first_weight, &shade, shaded));
        if (echo != NULL) {
            const struct weights more = parts(echo + i, mix_weights(second_weight, &shade, shaded));
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

#if defined(__x86_64__)
#include <immintrin.h>

enum { LANES = 8 };

/* A NaN gives the second operand of max and min. */
static inline __m256i levels_of(const float *values)
{
    const __m256 positive = _mm256_max_ps(_mm256_load_ps(values), _mm256_setzero_ps());
    const __m256 clamped = _mm256_min_ps(positive, _mm256_set1_ps(1));
    return _mm256_cvttps_epi32(
        _mm256_add_ps(_mm256_mul_ps(clamped, _mm256_set1_ps(255)), _mm256_set1_ps(0.5f)));
}

static void pack(uint32_t *pixels, const float *const ret[3], size_t count)
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
    rend_shade_kernels_plain.pack(pixels + i, rest, count - i);
}

/* Lines of eight triangles. */
struct lines {
    __m256 from;
    __m256 slope;
};

static inline struct lines lines_anywhere(const struct rend_cell_row *row, __m256i at)
{
    return (struct lines){_mm256_i32gather_ps(row->from, at, 4),
                          _mm256_i32gather_ps(row->slope, at, 4)};
}

/* Neighbours are mostly in few triangles, whose lines are loaded as they lie: faster than gathers.
 * None behind the last one is touched. */
static inline struct lines lines_of(const struct rend_cell_row *row, __m256i at)
{
    const int first = _mm256_extract_epi32(at, 0);
    const int last = _mm256_extract_epi32(at, LANES - 1);
    const __m256i places = _mm256_sub_epi32(at, _mm256_set1_epi32(first));
    const __m256i beyond = _mm256_cmpgt_epi32(places, _mm256_set1_epi32(last - first));
    const __m256i before = _mm256_cmpgt_epi32(_mm256_setzero_si256(), places);
    if (last - first > LANES - 1 ||
        !_mm256_testz_si256(_mm256_or_si256(beyond, before), _mm256_set1_epi32(-1))) {
        return lines_anywhere(row, at);
    }
    const __m256i order = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i there = _mm256_cmpgt_epi32(_mm256_set1_epi32(last - first + 1), order);
    return (struct lines){
        _mm256_permutevar8x32_ps(_mm256_maskload_ps(row->from + first, there), places),
        _mm256_permutevar8x32_ps(_mm256_maskload_ps(row->slope + first, there), places)};
}

static void lerp(float *out, const struct rend_cell_row *row, const int32_t *cell,
                 const float *within, size_t count)
{
    const __m256 turn = _mm256_set1_ps(row->turn);
    for (size_t i = 0; i < count; i += LANES) {
        const __m256 way = _mm256_loadu_ps(within + i);
        const __m256i cells = _mm256_loadu_si256((const __m256i *)(const void *)(cell + i));
        const __m256i right = _mm256_castps_si256(_mm256_cmp_ps(way, turn, _CMP_GT_OQ));
        const struct lines lines =
            lines_of(row, _mm256_sub_epi32(_mm256_slli_epi32(cells, 1), right));
        _mm256_storeu_ps(out + i, _mm256_add_ps(lines.from, _mm256_mul_ps(lines.slope, way)));
    }
}

const struct rend_shade_kernels rend_shade_kernels_avx2 = {pack, lerp};
#else
typedef int rend_shade_kernels_avx2_not_for_this_machine;
#endif

#if defined(__x86_64__)
#include "renderer/picture/transition.h"

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
static __m256i cross_weights(const struct rend_weights *weights, __m256i when)
{
    const __m256i moved = _mm256_add_epi32(when, _mm256_set1_epi32(weights->offset));
    const __m256i moment = _mm256_min_epi32(_mm256_max_epi32(moved, _mm256_setzero_si256()),
                                            _mm256_set1_epi32(weights->limit));
    const __m256i weight =
        _mm256_srli_epi32(_mm256_mullo_epi32(moment, _mm256_set1_epi32(weights->scale)), 16);
    return _mm256_or_si256(weight, _mm256_slli_epi32(weight, 16));
}

/* Two channels of eight pixels, one in each 16 bits; the result stands in the upper bytes. */
static __m256i lerp_bytes(__m256i a, __m256i b, __m256i weight)
{
    const __m256i rest = _mm256_sub_epi16(_mm256_set1_epi16(256), weight);
    const __m256i sum =
        _mm256_add_epi16(_mm256_mullo_epi16(a, rest), _mm256_mullo_epi16(b, weight));
    return _mm256_add_epi16(sum, _mm256_set1_epi16(128));
}

static __m256i blend8(__m256i a, __m256i b, __m256i weight)
{
    const __m256i bytes = _mm256_set1_epi16(255);
    const __m256i outer =
        lerp_bytes(_mm256_and_si256(a, bytes), _mm256_and_si256(b, bytes), weight);
    const __m256i inner = lerp_bytes(_mm256_and_si256(_mm256_srli_epi32(a, 8), bytes),
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
        const __m256i pixels = blend8(a, b, cross_weights(weights, moments));
        _mm256_storeu_si256((__m256i *)(void *)(out + i), pixels);
    }
    rend_cross_plain(out + i, old_row + i, new_row + i, when != NULL ? when + i : NULL, count - i,
                     weights);
}
#else
typedef int rend_transition_avx2_not_for_this_machine;
#endif
