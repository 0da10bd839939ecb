/* Places on textures and sums of texels, for as many lanes as base/simd.h has,
 * which is included before; empty without it. */
#ifndef RENDERER_SHADER_RUN_READ_TEXELS_H
#define RENDERER_SHADER_RUN_READ_TEXELS_H

#if defined(BASE_SIMD)
#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "renderer/shader/run/kernels.h"
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

/* What is not finite reads as 0. Repeated, bilinear, it may stay NaN: converted it is the smallest
 * number or, on arm64, 0, and either leads to the place of 0. */
BASE_INLINE simd_floats turn_of(simd_floats c, struct kind kind)
{
    if (kind.address == SHADER_REPEAT) {
        const simd_floats turn = simd_sub(c, simd_floor(c));
        /* max gives its second operand where the first is NaN. */
        return kind.linear ? turn : SIMD(max_ps)(turn, simd_all(0.0f));
    }
    const simd_words finite = simd_lt(c, simd_all(INFINITY));
    const simd_floats kept = simd_as_number(simd_and(finite, simd_as_word(c)));
    return SIMD(min_ps)(kept, simd_all(1.0f));
}

/* Clamped, what is below 0 is limited when it is a whole number: it may be the smallest one. */
BASE_INLINE simd_words place_of(simd_floats c, struct axis axis, struct kind kind)
{
    const simd_floats along = simd_mul(turn_of(c, kind), axis.scale);
    if (!kind.linear) {
        const simd_words place = SIMD(min_epi32)(SIMD(cvttps_epi32)(along), axis.last);
        return kind.address == SHADER_CLAMP ? SIMD(max_epi32)(place, simd_all_words(0)) : place;
    }
    const simd_words half = SIMD(set1_epi32)(128);
    const simd_words rounded = SIMD(cvttps_epi32)(simd_add(along, simd_all(0.5f)));
    if (kind.address == SHADER_CLAMP) {
        const simd_words inside = SIMD(max_epi32)(rounded, half);
        return SIMD(min_epi32)(SIMD(sub_epi32)(inside, half), axis.last);
    }
    return SIMD(sub_epi32)(rounded, half);
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

/* What a loop needs in each round. Compilers make constants anew where they are used, at three
 * instructions each; these stay. */
struct fixed {
    simd_words spread_across;
    simd_words flip_across;
    simd_words spread_down;
    simd_words flip_down;
    simd_words add_down;
    simd_words order; /* of the texels of a pixel, by channel */
    simd_words sign;  /* of bytes */
    simd_words offset;
    simd_floats factor;
};

BASE_INLINE struct fixed fixed_words(void)
{
    return (struct fixed){
        .spread_across = simd_kept(SIMD_BYTES(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12)),
        .flip_across = simd_kept(SIMD(set1_epi16)(-256)),
        .spread_down =
            simd_kept(SIMD_BYTES(0, -1, 0, -1, 4, -1, 4, -1, 8, -1, 8, -1, 12, -1, 12, -1)),
        .flip_down = simd_kept(SIMD(set1_epi32)(0xFFFF)),
        .add_down = simd_kept(SIMD(set1_epi32)(257)),
        .order = simd_kept(SIMD_BYTES(4, 0, 12, 8, 5, 1, 13, 9, 6, 2, 14, 10, 7, 3, 15, 11)),
        .sign = simd_kept(SIMD(set1_epi8)(-128)),
        .offset = simd_kept(SIMD(set1_epi32)(32768 * 256)),
        .factor = simd_as_number(simd_kept(simd_as_word(simd_all(SHADER_READ_FACTOR)))),
    };
}

/* 255 - fx for the left byte of each pair, which is its second, fx for the right one. */
BASE_INLINE simd_words weights_across(simd_words place, const struct fixed *fixed)
{
    return simd_xor(SIMD(shuffle_epi8)(place, fixed->spread_across), fixed->flip_across);
}

/* 256 - fy in the lower half of each word, fy in the upper. */
BASE_INLINE simd_words weights_down(simd_words place, const struct fixed *fixed)
{
    const simd_words negated =
        simd_xor(SIMD(shuffle_epi8)(place, fixed->spread_down), fixed->flip_down);
    return SIMD(add_epi16)(negated, fixed->add_down);
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

/* Texels and those to their right. */
BASE_INLINE struct pairs pairs_of(simd_words left, simd_words right, const struct fixed *fixed)
{
    const simd_words odd = fixed->flip_across;
    const simd_words blue_red = simd_or(simd_and_not(odd, right), SIMD(slli_epi16)(left, 8));
    const simd_words green_alpha = simd_or(SIMD(srli_epi16)(right, 8), simd_and(odd, left));
    return (struct pairs){simd_xor(blue_red, fixed->sign), simd_xor(green_alpha, fixed->sign)};
}

/* One texel more than there are lanes, in a row. */
BASE_INLINE struct pairs neighbours(const uint32_t *texels, const struct fixed *fixed)
{
    return pairs_of(simd_load_words(texels), simd_load_words(texels + 1), fixed);
}

/* The four texels of bilinear reads by channel: a word has the right and left one's bytes of the
 * upper row, then those of the lower row; less 128. */
struct quads {
    simd_words red;
    simd_words green;
    simd_words blue;
    simd_words alpha;
};

BASE_INLINE struct quads quads_of(struct pairs top, struct pairs bottom)
{
    return (struct quads){
        .red = simd_lower_upper(SIMD(srli_epi32)(top.blue_red, 16), bottom.blue_red),
        .green = simd_lower_upper(top.green_alpha, SIMD(slli_epi32)(bottom.green_alpha, 16)),
        .blue = simd_lower_upper(top.blue_red, SIMD(slli_epi32)(bottom.blue_red, 16)),
        .alpha = simd_lower_upper(SIMD(srli_epi32)(top.green_alpha, 16), bottom.green_alpha),
    };
}

/* ---- levels ---- */

struct grid {
    const uint32_t *texels;
    int width;
    int height;
    size_t pitch;
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
        .width = level->width,
        .height = level->height,
        .pitch = level->pitch,
        .x = axis_of(level->width, kind),
        .y = axis_of(level->height, kind),
        .z = axis_of(level->depth, kind),
        .row = row,
        .slice = SIMD(set1_epi32)((int)level->slice),
        .last_slice = SIMD(set1_epi32)(level->depth - 1),
        .full = simd_positive(row),
    };
}

BASE_INLINE struct quads quads_at(const struct grid *grid, const uint32_t at[SIMD_LANES],
                                  const struct fixed *fixed)
{
    /* Blue, green, red and alpha of every fourth pixel. */
    const uint32_t *texels = grid->texels;
    const uint32_t *below = texels + grid->pitch;
    const simd_words a = SIMD(shuffle_epi8)(simd_twos_of_both(texels, below, at), fixed->order);
    const simd_words b = SIMD(shuffle_epi8)(simd_twos_of_both(texels, below, at + 1), fixed->order);
    const simd_words c = SIMD(shuffle_epi8)(simd_twos_of_both(texels, below, at + 2), fixed->order);
    const simd_words d = SIMD(shuffle_epi8)(simd_twos_of_both(texels, below, at + 3), fixed->order);
    const simd_words blue_green_ab = SIMD(unpacklo_epi32)(a, b);
    const simd_words blue_green_cd = SIMD(unpacklo_epi32)(c, d);
    const simd_words red_alpha_ab = SIMD(unpackhi_epi32)(a, b);
    const simd_words red_alpha_cd = SIMD(unpackhi_epi32)(c, d);
    return (struct quads){
        .red = simd_xor(SIMD(unpacklo_epi64)(red_alpha_ab, red_alpha_cd), fixed->sign),
        .green = simd_xor(SIMD(unpackhi_epi64)(blue_green_ab, blue_green_cd), fixed->sign),
        .blue = simd_xor(SIMD(unpacklo_epi64)(blue_green_ab, blue_green_cd), fixed->sign),
        .alpha = simd_xor(SIMD(unpackhi_epi64)(red_alpha_ab, red_alpha_cd), fixed->sign),
    };
}

/* ---- sums ---- */

/* Two numbers between the first and the second byte of each half, less 32768. */
BASE_INLINE simd_words blended_bytes(simd_words pairs, simd_words weights)
{
    return SIMD(add_epi16)(SIMD(maddubs_epi16)(weights, pairs), SIMD(srai_epi16)(pairs, 8));
}

/* Between the lower and the upper half of each word. */
BASE_INLINE simd_floats blended_halves(simd_words halves, simd_words weights,
                                       const struct fixed *fixed)
{
    return simd_signed_whole(simd_plus(SIMD(madd_epi16)(halves, weights), fixed->offset));
}

struct weights {
    simd_words across;
    simd_words down;
};

BASE_INLINE simd_floats blended_quad(simd_words quad, struct weights weights,
                                     const struct fixed *fixed)
{
    return blended_halves(blended_bytes(quad, weights.across), weights.down, fixed);
}

BASE_INLINE struct sums blended(struct quads quads, struct weights weights, struct wanted wanted,
                                const struct fixed *fixed)
{
    struct sums sums = no_sums();
    sums.red = wanted.red ? blended_quad(quads.red, weights, fixed) : sums.red;
    sums.green = wanted.green ? blended_quad(quads.green, weights, fixed) : sums.green;
    sums.blue = wanted.blue ? blended_quad(quads.blue, weights, fixed) : sums.blue;
    sums.alpha = wanted.alpha ? blended_quad(quads.alpha, weights, fixed) : sums.alpha;
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

/* ---- results ---- */

enum { RED, GREEN, BLUE, ALPHA, CHANNELS };

BASE_INLINE void store(float *result, simd_floats sum, const struct fixed *fixed)
{
    simd_store(result, simd_mul(sum, fixed->factor));
}

BASE_INLINE void store_sums(float *const result[CHANNELS], size_t i, struct sums sums,
                            struct wanted wanted, const struct fixed *fixed)
{
    if (wanted.red) {
        store(result[RED] + i, sums.red, fixed);
    }
    if (wanted.green) {
        store(result[GREEN] + i, sums.green, fixed);
    }
    if (wanted.blue) {
        store(result[BLUE] + i, sums.blue, fixed);
    }
    if (wanted.alpha) {
        store(result[ALPHA] + i, sums.alpha, fixed);
    }
}
#endif

#endif
