/* Places on textures and sums of texels, for eight lanes; empty without AVX2. */
#ifndef RENDERER_SHADER_READ_EIGHT_H
#define RENDERER_SHADER_READ_EIGHT_H

#if defined(__AVX2__)
#include <stdbool.h>

#include "renderer/shader/math_eight.h"
#include "renderer/shader/texture.h"

/* What holds for all lanes; a constant where a loop is called, so that each kind has a loop of its
 * own. */
struct kind {
    enum shader_address address;
    bool linear;
    bool volume;
    bool colour; /* red, green and blue are wanted, alpha is not */
};

BASE_INLINE __m256i load(const uint32_t *words)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)words);
}

/* ---- places ---- */

struct axis {
    __m256 scale; /* from turns to places: 256ths of texels; whole ones if nearest */
    __m256i last; /* clamped places; else the last texel */
};

BASE_INLINE struct axis axis_of(int size, struct kind kind)
{
    const int unit = kind.linear ? 256 : 1;
    const int last = kind.linear && kind.address == SHADER_CLAMP ? (size - 1) * 256 : size - 1;
    return (struct axis){_mm256_set1_ps((float)(size * unit)), _mm256_set1_epi32(last)};
}

/* max gives its second operand where the first is NaN: c - floor(c) of what is not finite. */
BASE_INLINE __m256 turn_of(__m256 c, enum shader_address address)
{
    const __m256 zero = _mm256_setzero_ps();
    if (address == SHADER_REPEAT) {
        return _mm256_max_ps(_mm256_sub_ps(c, lane_floor(c)), zero);
    }
    const __m256 finite = _mm256_cmp_ps(_mm256_mul_ps(c, zero), zero, _CMP_EQ_OQ);
    return _mm256_min_ps(_mm256_max_ps(_mm256_and_ps(c, finite), zero), _mm256_set1_ps(1.0f));
}

BASE_INLINE __m256i place_of(__m256 c, struct axis axis, struct kind kind)
{
    const __m256 along = _mm256_mul_ps(turn_of(c, kind.address), axis.scale);
    if (!kind.linear) {
        return _mm256_min_epi32(_mm256_cvttps_epi32(along), axis.last);
    }
    const __m256i rounded = _mm256_cvttps_epi32(_mm256_add_ps(along, _mm256_set1_ps(0.5f)));
    const __m256i place = _mm256_sub_epi32(rounded, _mm256_set1_epi32(128));
    if (kind.address == SHADER_CLAMP) {
        return _mm256_min_epi32(_mm256_max_epi32(place, _mm256_setzero_si256()), axis.last);
    }
    return place;
}

/* Repeated, -1 is the last one: as a number without sign it is beyond all. */
BASE_INLINE __m256i texel_of(__m256i place, struct axis axis, struct kind kind)
{
    if (!kind.linear) {
        return place;
    }
    if (kind.address == SHADER_CLAMP) {
        return _mm256_srli_epi32(place, 8);
    }
    return _mm256_min_epu32(_mm256_srai_epi32(place, 8), axis.last);
}

/* 255 - fx for the left byte of each pair, which is its second, fx for the right one. */
BASE_INLINE __m256i weights_across(__m256i place)
{
    const __m256i spread = _mm256_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12, 0,
                                            0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
    return _mm256_xor_si256(_mm256_shuffle_epi8(place, spread), _mm256_set1_epi16(-256));
}

/* 256 - fy in the lower half of each word, fy in the upper. */
BASE_INLINE __m256i weights_down(__m256i place)
{
    const __m256i spread =
        _mm256_setr_epi8(0, -1, 0, -1, 4, -1, 4, -1, 8, -1, 8, -1, 12, -1, 12, -1, 0, -1, 0, -1, 4,
                         -1, 4, -1, 8, -1, 8, -1, 12, -1, 12, -1);
    const __m256i negated =
        _mm256_xor_si256(_mm256_shuffle_epi8(place, spread), _mm256_set1_epi32(0xFFFF));
    return _mm256_add_epi16(negated, _mm256_set1_epi32(257));
}

/* ---- texels ---- */

/* Sums of texels by weights of 8 + 8 bits. */
struct sums {
    __m256 red;
    __m256 green;
    __m256 blue;
    __m256 alpha;
};

BASE_INLINE struct sums no_sums(void)
{
    const __m256 zero = _mm256_setzero_ps();
    return (struct sums){zero, zero, zero, zero};
}

/* Which of them somebody wants. */
struct wanted {
    bool red;
    bool green;
    bool blue;
    bool alpha;
};

/* Bytes of eight pixels in pairs, the right texel's and the left one's; less 128. */
struct pairs {
    __m256i blue_red;
    __m256i green_alpha;
};

BASE_INLINE struct pairs less_128(__m256i blue_red, __m256i green_alpha)
{
    const __m256i sign = _mm256_set1_epi8(-128);
    return (struct pairs){_mm256_xor_si256(blue_red, sign), _mm256_xor_si256(green_alpha, sign)};
}

/* A gather without a mask would wait for what its register held before: `full` is one of which the
 * compiler cannot know that it has all bits. */
BASE_INLINE __m256i gather_pairs(const uint32_t *texels, __m128i at, __m256i full)
{
    const __m256i order = _mm256_setr_epi8(4, 0, 6, 2, 5, 1, 7, 3, 12, 8, 14, 10, 13, 9, 15, 11, 4,
                                           0, 6, 2, 5, 1, 7, 3, 12, 8, 14, 10, 13, 9, 15, 11);
    const __m256i found = _mm256_mask_i32gather_epi64(
        _mm256_setzero_si256(), (const long long *)(const void *)texels, at, full, sizeof *texels);
    return _mm256_shuffle_epi8(found, order);
}

/* grouped: pixels 0 1 4 5 2 3 6 7, so that what works inside 128-bit halves puts them in order. */
BASE_INLINE struct pairs gathered(const uint32_t *texels, __m256i grouped, __m256i full)
{
    const __m256 a =
        _mm256_castsi256_ps(gather_pairs(texels, _mm256_castsi256_si128(grouped), full));
    const __m256 b =
        _mm256_castsi256_ps(gather_pairs(texels, _mm256_extracti128_si256(grouped, 1), full));
    return less_128(_mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88)),
                    _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xDD)));
}

/* Nine texels in a row. */
BASE_INLINE struct pairs neighbours(const uint32_t *texels)
{
    const __m256i even = _mm256_set1_epi16(255);
    const __m256i left = load(texels);
    const __m256i right = load(texels + 1);
    const __m256i blue_red =
        _mm256_or_si256(_mm256_and_si256(right, even), _mm256_slli_epi16(left, 8));
    const __m256i green_alpha =
        _mm256_or_si256(_mm256_srli_epi16(right, 8), _mm256_andnot_si256(even, left));
    return less_128(blue_red, green_alpha);
}

/* Two channels of eight pixels, less 32768. */
BASE_INLINE __m256i blended_across(__m256i pairs, __m256i weights)
{
    return _mm256_add_epi16(_mm256_maddubs_epi16(weights, pairs), _mm256_srai_epi16(pairs, 8));
}

BASE_INLINE __m256 blended_down(__m256i rows, __m256i weights)
{
    const __m256i sum = _mm256_madd_epi16(rows, weights);
    return _mm256_cvtepi32_ps(_mm256_add_epi32(sum, _mm256_set1_epi32(32768 * 256)));
}

/* The channels in the lower and in the upper halves of words. */
BASE_INLINE __m256 lower(__m256i top, __m256i bottom, __m256i weights)
{
    return blended_down(_mm256_blend_epi16(top, _mm256_slli_epi32(bottom, 16), 0xAA), weights);
}

BASE_INLINE __m256 upper(__m256i top, __m256i bottom, __m256i weights)
{
    return blended_down(_mm256_blend_epi16(_mm256_srli_epi32(top, 16), bottom, 0xAA), weights);
}

struct weights {
    __m256i across;
    __m256i down;
};

BASE_INLINE struct sums blended(struct pairs top, struct pairs bottom, struct weights weights,
                                struct wanted wanted)
{
    struct sums sums = no_sums();
    if (wanted.blue || wanted.red) {
        const __m256i above = blended_across(top.blue_red, weights.across);
        const __m256i below = blended_across(bottom.blue_red, weights.across);
        sums.blue = wanted.blue ? lower(above, below, weights.down) : sums.blue;
        sums.red = wanted.red ? upper(above, below, weights.down) : sums.red;
    }
    if (wanted.green || wanted.alpha) {
        const __m256i above = blended_across(top.green_alpha, weights.across);
        const __m256i below = blended_across(bottom.green_alpha, weights.across);
        sums.green = wanted.green ? lower(above, below, weights.down) : sums.green;
        sums.alpha = wanted.alpha ? upper(above, below, weights.down) : sums.alpha;
    }
    return sums;
}

BASE_INLINE __m256 third_byte(__m256i words)
{
    return _mm256_cvtepi32_ps(_mm256_and_si256(words, _mm256_set1_epi32(255 << 16)));
}

/* The texels themselves. */
BASE_INLINE struct sums exact(__m256i texels)
{
    return (struct sums){
        third_byte(texels),
        third_byte(_mm256_slli_epi32(texels, 8)),
        third_byte(_mm256_slli_epi32(texels, 16)),
        third_byte(_mm256_srli_epi32(texels, 8)),
    };
}

BASE_INLINE __m256 mixed(__m256 a, __m256 b, __m256 weight)
{
    return _mm256_add_ps(a, _mm256_mul_ps(_mm256_sub_ps(b, a), weight));
}

BASE_INLINE struct sums mixed_sums(struct sums a, struct sums b, __m256 weight)
{
    return (struct sums){mixed(a.red, b.red, weight), mixed(a.green, b.green, weight),
                         mixed(a.blue, b.blue, weight), mixed(a.alpha, b.alpha, weight)};
}

BASE_INLINE struct sums chosen_sums(__m256i truth, struct sums yes, struct sums no)
{
    return (struct sums){
        lane_choose(truth, yes.red, no.red), lane_choose(truth, yes.green, no.green),
        lane_choose(truth, yes.blue, no.blue), lane_choose(truth, yes.alpha, no.alpha)};
}
#endif

#endif
