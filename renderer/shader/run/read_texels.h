/* Places on textures and sums of texels, for as many lanes as base/simd.h has,
 * which is included before; empty without AVX2. */
#ifndef RENDERER_SHADER_RUN_READ_TEXELS_H
#define RENDERER_SHADER_RUN_READ_TEXELS_H

#if defined(__AVX2__)
#include <assert.h>
#include <stdbool.h>

#include "renderer/shader/texture/texture.h"

/* What holds for all lanes; a constant where a loop is called, so that each kind has a loop of its
 * own. */
struct kind {
    enum shader_address address;
    bool linear;
    bool volume;
    bool colour; /* red, green and blue are wanted, alpha is not */
};

/* ---- places ---- */

struct axis {
    simd_floats scale; /* from turns to places: 256ths of texels; whole ones if nearest */
    simd_words last;   /* clamped places; else the last texel */
};

BASE_INLINE struct axis axis_of(int size, struct kind kind)
{
    const int unit = kind.linear ? 256 : 1;
    const int last = kind.linear && kind.address == SHADER_CLAMP ? (size - 1) * 256 : size - 1;
    return (struct axis){simd_all((float)(size * unit)), SIMD(set1_epi32)(last)};
}

/* max gives its second operand where the first is NaN: c - floor(c) of what is not finite. */
BASE_INLINE simd_floats turn_of(simd_floats c, enum shader_address address)
{
    const simd_floats zero = simd_all(0.0f);
    if (address == SHADER_REPEAT) {
        return SIMD(max_ps)(simd_sub(c, simd_floor(c)), zero);
    }
    const simd_words finite = simd_eq(simd_mul(c, zero), zero);
    const simd_floats kept = simd_as_number(simd_and(finite, simd_as_word(c)));
    return SIMD(min_ps)(SIMD(max_ps)(kept, zero), simd_all(1.0f));
}

BASE_INLINE simd_words place_of(simd_floats c, struct axis axis, struct kind kind)
{
    const simd_floats along = simd_mul(turn_of(c, kind.address), axis.scale);
    if (!kind.linear) {
        return SIMD(min_epi32)(SIMD(cvttps_epi32)(along), axis.last);
    }
    const simd_words rounded = SIMD(cvttps_epi32)(simd_add(along, simd_all(0.5f)));
    const simd_words place = SIMD(sub_epi32)(rounded, SIMD(set1_epi32)(128));
    if (kind.address == SHADER_CLAMP) {
        return SIMD(min_epi32)(SIMD(max_epi32)(place, simd_all_words(0)), axis.last);
    }
    return place;
}

/* Repeated, -1 is the last one: as a number without sign it is beyond all. */
BASE_INLINE simd_words texel_of(simd_words place, struct axis axis, struct kind kind)
{
    if (!kind.linear) {
        return place;
    }
    if (kind.address == SHADER_CLAMP) {
        return SIMD(srli_epi32)(place, 8);
    }
    return SIMD(min_epu32)(SIMD(srai_epi32)(place, 8), axis.last);
}

/* 255 - fx for the left byte of each pair, which is its second, fx for the right one. */
BASE_INLINE simd_words weights_across(simd_words place)
{
    const simd_words spread =
        simd_every_four(_mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12));
    return simd_xor(SIMD(shuffle_epi8)(place, spread), SIMD(set1_epi16)(-256));
}

/* 256 - fy in the lower half of each word, fy in the upper. */
BASE_INLINE simd_words weights_down(simd_words place)
{
    const simd_words spread =
        simd_every_four(_mm_setr_epi8(0, -1, 0, -1, 4, -1, 4, -1, 8, -1, 8, -1, 12, -1, 12, -1));
    const simd_words negated =
        simd_xor(SIMD(shuffle_epi8)(place, spread), SIMD(set1_epi32)(0xFFFF));
    return SIMD(add_epi16)(negated, SIMD(set1_epi32)(257));
}

/* ---- texels ---- */

/* Sums of texels by weights of 8 + 8 bits. */
struct sums {
    simd_floats red;
    simd_floats green;
    simd_floats blue;
    simd_floats alpha;
};

BASE_INLINE struct sums no_sums(void)
{
    const simd_floats zero = simd_all(0.0f);
    return (struct sums){zero, zero, zero, zero};
}

/* Which of them somebody wants. */
struct wanted {
    bool red;
    bool green;
    bool blue;
    bool alpha;
};

/* Bytes of pixels in pairs, the right texel's and the left one's; less 128. */
struct pairs {
    simd_words blue_red;
    simd_words green_alpha;
};

BASE_INLINE struct pairs less_128(simd_words blue_red, simd_words green_alpha)
{
    const simd_words sign = SIMD(set1_epi8)(-128);
    return (struct pairs){simd_xor(blue_red, sign), simd_xor(green_alpha, sign)};
}

/* Texels and those to their right. */
BASE_INLINE struct pairs pairs_of(simd_words left, simd_words right)
{
    const simd_words even = SIMD(set1_epi16)(255);
    const simd_words blue_red = simd_or(simd_and(right, even), SIMD(slli_epi16)(left, 8));
    const simd_words green_alpha = simd_or(SIMD(srli_epi16)(right, 8), simd_and_not(even, left));
    return less_128(blue_red, green_alpha);
}

/* One texel more than there are lanes, in a row. */
BASE_INLINE struct pairs neighbours(const uint32_t *texels)
{
    return pairs_of(simd_load_words(texels), simd_load_words(texels + 1));
}

BASE_INLINE simd_floats gathered_half(const uint32_t *texels, const uint32_t *at)
{
    const simd_words order =
        simd_every_four(_mm_setr_epi8(4, 0, 6, 2, 5, 1, 7, 3, 12, 8, 14, 10, 13, 9, 15, 11));
    return simd_as_number(SIMD(shuffle_epi8)(simd_twos(texels, at), order));
}

BASE_INLINE struct pairs gathered(const uint32_t *texels, const uint32_t at[SIMD_LANES])
{
    const simd_floats a = gathered_half(texels, at);
    const simd_floats b = gathered_half(texels, at + 2);
    return less_128(simd_as_word(SIMD(shuffle_ps)(a, b, 0x88)),
                    simd_as_word(SIMD(shuffle_ps)(a, b, 0xDD)));
}

/* The texels of both rows that a bilinear read needs. */
struct rows {
    struct pairs top;
    struct pairs bottom;
};

/* ---- levels ---- */

struct grid {
    const uint32_t *texels;
    size_t pitch;
    size_t count; /* of texels, those beyond the edges too */
    struct axis x;
    struct axis y;
    struct axis z;
    simd_words row;   /* pitch */
    simd_words slice; /* texels from one to the next */
    simd_words last_slice;
    simd_lanes full;
};

BASE_INLINE struct grid grid_of(const struct shader_level *level, struct kind kind)
{
    assert(level->pitch <= INT16_MAX);
    const simd_words row = SIMD(set1_epi32)((int)level->pitch);
    return (struct grid){
        .texels = level->texels,
        .pitch = level->pitch,
        .count = (size_t)(level->depth - 1) * level->slice + (size_t)level->height * level->pitch +
                 (size_t)level->width + 1,
        .x = axis_of(level->width, kind),
        .y = axis_of(level->height, kind),
        .z = axis_of(level->depth, kind),
        .row = row,
        .slice = SIMD(set1_epi32)((int)level->slice),
        .last_slice = SIMD(set1_epi32)(level->depth - 1),
        .full = simd_positive(row),
    };
}

BASE_INLINE struct rows gathered_rows(const struct grid *grid, simd_words at)
{
    uint32_t places[SIMD_LANES];
    simd_store_words(places, at);
    return (struct rows){gathered(grid->texels, places),
                         gathered(grid->texels + grid->pitch, places)};
}

/* ---- sums ---- */

/* Two channels of pixels, less 32768. */
BASE_INLINE simd_words blended_across(simd_words pairs, simd_words weights)
{
    return SIMD(add_epi16)(SIMD(maddubs_epi16)(weights, pairs), SIMD(srai_epi16)(pairs, 8));
}

BASE_INLINE simd_floats blended_down(simd_words rows, simd_words weights)
{
    const simd_words sum = SIMD(madd_epi16)(rows, weights);
    return simd_signed_whole(simd_plus(sum, SIMD(set1_epi32)(32768 * 256)));
}

/* The channels in the lower and in the upper halves of words. */
BASE_INLINE simd_floats lower(simd_words top, simd_words bottom, simd_words weights)
{
    return blended_down(simd_lower_upper(top, SIMD(slli_epi32)(bottom, 16)), weights);
}

BASE_INLINE simd_floats upper(simd_words top, simd_words bottom, simd_words weights)
{
    return blended_down(simd_lower_upper(SIMD(srli_epi32)(top, 16), bottom), weights);
}

struct weights {
    simd_words across;
    simd_words down;
};

BASE_INLINE struct sums blended(struct pairs top, struct pairs bottom, struct weights weights,
                                struct wanted wanted)
{
    struct sums sums = no_sums();
    if (wanted.blue || wanted.red) {
        const simd_words above = blended_across(top.blue_red, weights.across);
        const simd_words below = blended_across(bottom.blue_red, weights.across);
        sums.blue = wanted.blue ? lower(above, below, weights.down) : sums.blue;
        sums.red = wanted.red ? upper(above, below, weights.down) : sums.red;
    }
    if (wanted.green || wanted.alpha) {
        const simd_words above = blended_across(top.green_alpha, weights.across);
        const simd_words below = blended_across(bottom.green_alpha, weights.across);
        sums.green = wanted.green ? lower(above, below, weights.down) : sums.green;
        sums.alpha = wanted.alpha ? upper(above, below, weights.down) : sums.alpha;
    }
    return sums;
}

BASE_INLINE simd_floats third_byte(simd_words words)
{
    return simd_signed_whole(simd_and(words, SIMD(set1_epi32)(255 << 16)));
}

/* The texels themselves. */
BASE_INLINE struct sums exact(simd_words texels)
{
    return (struct sums){
        third_byte(texels),
        third_byte(SIMD(slli_epi32)(texels, 8)),
        third_byte(SIMD(slli_epi32)(texels, 16)),
        third_byte(SIMD(srli_epi32)(texels, 8)),
    };
}

BASE_INLINE simd_floats lerp(simd_floats a, simd_floats b, simd_floats weight)
{
    return simd_add(a, simd_mul(simd_sub(b, a), weight));
}

BASE_INLINE struct sums lerp_sums(struct sums a, struct sums b, simd_floats weight)
{
    return (struct sums){lerp(a.red, b.red, weight), lerp(a.green, b.green, weight),
                         lerp(a.blue, b.blue, weight), lerp(a.alpha, b.alpha, weight)};
}

BASE_INLINE struct sums select_sums(simd_words truth, struct sums yes, struct sums no)
{
    return (struct sums){
        simd_select(truth, yes.red, no.red), simd_select(truth, yes.green, no.green),
        simd_select(truth, yes.blue, no.blue), simd_select(truth, yes.alpha, no.alpha)};
}
#endif

#endif
