/* Places on textures and sums of texels, for as many lanes as words_eight.h or words_sixteen.h has,
 * one of which is included before; empty without AVX2. */
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
    LANE_NUMBER scale; /* from turns to places: 256ths of texels; whole ones if nearest */
    LANE_WORD last;    /* clamped places; else the last texel */
};

BASE_INLINE struct axis axis_of(int size, struct kind kind)
{
    const int unit = kind.linear ? 256 : 1;
    const int last = kind.linear && kind.address == SHADER_CLAMP ? (size - 1) * 256 : size - 1;
    return (struct axis){lane_all((float)(size * unit)), VECTOR(set1_epi32)(last)};
}

/* max gives its second operand where the first is NaN: c - floor(c) of what is not finite. */
BASE_INLINE LANE_NUMBER turn_of(LANE_NUMBER c, enum shader_address address)
{
    const LANE_NUMBER zero = lane_all(0.0f);
    if (address == SHADER_REPEAT) {
        return VECTOR(max_ps)(lane_sub(c, lane_floor(c)), zero);
    }
    const LANE_WORD finite = lane_eq(lane_mul(c, zero), zero);
    const LANE_NUMBER kept = lane_as_number(lane_and(finite, lane_as_word(c)));
    return VECTOR(min_ps)(VECTOR(max_ps)(kept, zero), lane_all(1.0f));
}

BASE_INLINE LANE_WORD place_of(LANE_NUMBER c, struct axis axis, struct kind kind)
{
    const LANE_NUMBER along = lane_mul(turn_of(c, kind.address), axis.scale);
    if (!kind.linear) {
        return VECTOR(min_epi32)(VECTOR(cvttps_epi32)(along), axis.last);
    }
    const LANE_WORD rounded = VECTOR(cvttps_epi32)(lane_add(along, lane_all(0.5f)));
    const LANE_WORD place = VECTOR(sub_epi32)(rounded, VECTOR(set1_epi32)(128));
    if (kind.address == SHADER_CLAMP) {
        return VECTOR(min_epi32)(VECTOR(max_epi32)(place, lane_all_words(0)), axis.last);
    }
    return place;
}

/* Repeated, -1 is the last one: as a number without sign it is beyond all. */
BASE_INLINE LANE_WORD texel_of(LANE_WORD place, struct axis axis, struct kind kind)
{
    if (!kind.linear) {
        return place;
    }
    if (kind.address == SHADER_CLAMP) {
        return VECTOR(srli_epi32)(place, 8);
    }
    return VECTOR(min_epu32)(VECTOR(srai_epi32)(place, 8), axis.last);
}

/* 255 - fx for the left byte of each pair, which is its second, fx for the right one. */
BASE_INLINE LANE_WORD weights_across(LANE_WORD place)
{
    const LANE_WORD spread =
        words_of_bytes(_mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12));
    return lane_xor(VECTOR(shuffle_epi8)(place, spread), VECTOR(set1_epi16)(-256));
}

/* 256 - fy in the lower half of each word, fy in the upper. */
BASE_INLINE LANE_WORD weights_down(LANE_WORD place)
{
    const LANE_WORD spread =
        words_of_bytes(_mm_setr_epi8(0, -1, 0, -1, 4, -1, 4, -1, 8, -1, 8, -1, 12, -1, 12, -1));
    const LANE_WORD negated =
        lane_xor(VECTOR(shuffle_epi8)(place, spread), VECTOR(set1_epi32)(0xFFFF));
    return VECTOR(add_epi16)(negated, VECTOR(set1_epi32)(257));
}

/* ---- texels ---- */

/* Sums of texels by weights of 8 + 8 bits. */
struct sums {
    LANE_NUMBER red;
    LANE_NUMBER green;
    LANE_NUMBER blue;
    LANE_NUMBER alpha;
};

BASE_INLINE struct sums no_sums(void)
{
    const LANE_NUMBER zero = lane_all(0.0f);
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
    LANE_WORD blue_red;
    LANE_WORD green_alpha;
};

BASE_INLINE struct pairs less_128(LANE_WORD blue_red, LANE_WORD green_alpha)
{
    const LANE_WORD sign = VECTOR(set1_epi8)(-128);
    return (struct pairs){lane_xor(blue_red, sign), lane_xor(green_alpha, sign)};
}

/* Texels and those to their right. */
BASE_INLINE struct pairs pairs_of(LANE_WORD left, LANE_WORD right)
{
    const LANE_WORD even = VECTOR(set1_epi16)(255);
    const LANE_WORD blue_red = lane_or(lane_and(right, even), VECTOR(slli_epi16)(left, 8));
    const LANE_WORD green_alpha = lane_or(VECTOR(srli_epi16)(right, 8), lane_and_not(even, left));
    return less_128(blue_red, green_alpha);
}

/* One texel more than there are lanes, in a row. */
BASE_INLINE struct pairs neighbours(const uint32_t *texels)
{
    return pairs_of(words_load(texels), words_load(texels + 1));
}

BASE_INLINE LANE_NUMBER gathered_half(const uint32_t *texels, const uint32_t *at)
{
    const LANE_WORD order =
        words_of_bytes(_mm_setr_epi8(4, 0, 6, 2, 5, 1, 7, 3, 12, 8, 14, 10, 13, 9, 15, 11));
    return lane_as_number(VECTOR(shuffle_epi8)(words_twos(texels, at), order));
}

BASE_INLINE struct pairs gathered(const uint32_t *texels, const uint32_t at[LANE_COUNT])
{
    const LANE_NUMBER a = gathered_half(texels, at);
    const LANE_NUMBER b = gathered_half(texels, at + 2);
    return less_128(lane_as_word(VECTOR(shuffle_ps)(a, b, 0x88)),
                    lane_as_word(VECTOR(shuffle_ps)(a, b, 0xDD)));
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
    LANE_WORD row;   /* pitch */
    LANE_WORD slice; /* texels from one to the next */
    LANE_WORD last_slice;
    words_mask full;
};

BASE_INLINE struct grid grid_of(const struct shader_level *level, struct kind kind)
{
    assert(level->pitch <= INT16_MAX);
    const LANE_WORD row = VECTOR(set1_epi32)((int)level->pitch);
    return (struct grid){
        .texels = level->texels,
        .pitch = level->pitch,
        .count = (size_t)(level->depth - 1) * level->slice + (size_t)level->height * level->pitch +
                 (size_t)level->width + 1,
        .x = axis_of(level->width, kind),
        .y = axis_of(level->height, kind),
        .z = axis_of(level->depth, kind),
        .row = row,
        .slice = VECTOR(set1_epi32)((int)level->slice),
        .last_slice = VECTOR(set1_epi32)(level->depth - 1),
        .full = words_positive(row),
    };
}

BASE_INLINE struct rows gathered_rows(const struct grid *grid, LANE_WORD at)
{
    uint32_t places[LANE_COUNT];
    words_store(places, at);
    return (struct rows){gathered(grid->texels, places),
                         gathered(grid->texels + grid->pitch, places)};
}

/* ---- sums ---- */

/* Two channels of pixels, less 32768. */
BASE_INLINE LANE_WORD blended_across(LANE_WORD pairs, LANE_WORD weights)
{
    return VECTOR(add_epi16)(VECTOR(maddubs_epi16)(weights, pairs), VECTOR(srai_epi16)(pairs, 8));
}

BASE_INLINE LANE_NUMBER blended_down(LANE_WORD rows, LANE_WORD weights)
{
    const LANE_WORD sum = VECTOR(madd_epi16)(rows, weights);
    return lane_signed_whole(lane_plus(sum, VECTOR(set1_epi32)(32768 * 256)));
}

/* The channels in the lower and in the upper halves of words. */
BASE_INLINE LANE_NUMBER lower(LANE_WORD top, LANE_WORD bottom, LANE_WORD weights)
{
    return blended_down(words_joined(top, VECTOR(slli_epi32)(bottom, 16)), weights);
}

BASE_INLINE LANE_NUMBER upper(LANE_WORD top, LANE_WORD bottom, LANE_WORD weights)
{
    return blended_down(words_joined(VECTOR(srli_epi32)(top, 16), bottom), weights);
}

struct weights {
    LANE_WORD across;
    LANE_WORD down;
};

BASE_INLINE struct sums blended(struct pairs top, struct pairs bottom, struct weights weights,
                                struct wanted wanted)
{
    struct sums sums = no_sums();
    if (wanted.blue || wanted.red) {
        const LANE_WORD above = blended_across(top.blue_red, weights.across);
        const LANE_WORD below = blended_across(bottom.blue_red, weights.across);
        sums.blue = wanted.blue ? lower(above, below, weights.down) : sums.blue;
        sums.red = wanted.red ? upper(above, below, weights.down) : sums.red;
    }
    if (wanted.green || wanted.alpha) {
        const LANE_WORD above = blended_across(top.green_alpha, weights.across);
        const LANE_WORD below = blended_across(bottom.green_alpha, weights.across);
        sums.green = wanted.green ? lower(above, below, weights.down) : sums.green;
        sums.alpha = wanted.alpha ? upper(above, below, weights.down) : sums.alpha;
    }
    return sums;
}

BASE_INLINE LANE_NUMBER third_byte(LANE_WORD words)
{
    return lane_signed_whole(lane_and(words, VECTOR(set1_epi32)(255 << 16)));
}

/* The texels themselves. */
BASE_INLINE struct sums exact(LANE_WORD texels)
{
    return (struct sums){
        third_byte(texels),
        third_byte(VECTOR(slli_epi32)(texels, 8)),
        third_byte(VECTOR(slli_epi32)(texels, 16)),
        third_byte(VECTOR(srli_epi32)(texels, 8)),
    };
}

BASE_INLINE LANE_NUMBER lerp(LANE_NUMBER a, LANE_NUMBER b, LANE_NUMBER weight)
{
    return lane_add(a, lane_mul(lane_sub(b, a), weight));
}

BASE_INLINE struct sums lerp_sums(struct sums a, struct sums b, LANE_NUMBER weight)
{
    return (struct sums){lerp(a.red, b.red, weight), lerp(a.green, b.green, weight),
                         lerp(a.blue, b.blue, weight), lerp(a.alpha, b.alpha, weight)};
}

BASE_INLINE struct sums select_sums(LANE_WORD truth, struct sums yes, struct sums no)
{
    return (struct sums){
        lane_select(truth, yes.red, no.red), lane_select(truth, yes.green, no.green),
        lane_select(truth, yes.blue, no.blue), lane_select(truth, yes.alpha, no.alpha)};
}
#endif

#endif
