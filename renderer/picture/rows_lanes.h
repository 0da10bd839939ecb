/* The rows of rows.h over the vectors of base/simd.h; empty without them. */
#ifndef RENDERER_PICTURE_ROWS_LANES_H
#define RENDERER_PICTURE_ROWS_LANES_H

#include "base/simd.h"

#if defined(BASE_SIMD)
#include <stdalign.h>

#include "renderer/picture/rows.h"
#include "renderer/picture/transition.h"

/* ---- mixing ---- */

static inline simd_words divide255(simd_words x)
{
    const simd_words t = SIMD(add_epi16)(x, SIMD(set1_epi16)(128));
    return SIMD(srli_epi16)(SIMD(add_epi16)(t, SIMD(srli_epi16)(t, 8)), 8);
}

static simd_words filtered(simd_words x, unsigned filters)
{
    const simd_words full = SIMD(set1_epi16)(255);
    x = SIMD(min_epi16)(x, full);
    if (filters & REND_FILTER_BRIGHTEN) {
        const simd_words rest = SIMD(sub_epi16)(full, x);
        x = SIMD(sub_epi16)(full, divide255(SIMD(mullo_epi16)(rest, rest)));
    }
    if (filters & REND_FILTER_DARKEN) {
        x = divide255(SIMD(mullo_epi16)(x, x));
    }
    if (filters & REND_FILTER_SOLARIZE) {
        const simd_words product = SIMD(mullo_epi16)(x, SIMD(sub_epi16)(full, x));
        x = divide255(SIMD(add_epi16)(product, product));
    }
    if (filters & REND_FILTER_INVERT) {
        x = SIMD(sub_epi16)(full, x);
    }
    return x;
}

/* Eight pixels are worked on as two groups, 0 1 4 5 and 2 3 6 7, because that is what unpacking and
 * packing bytes inside 128-bit halves gives; four as 0 1 and 2 3. Shades are Q30: blue green red 0,
 * of two pixels, or of the first of these. */
struct shades {
    simd_words even; /* pixels 0 and 4 */
    simd_words odd;  /* 1 and 5 */
    simd_words near; /* from the first group to the second */
    simd_words far;  /* from there to the first of the next pixels */
};

static simd_words shades_at(const int32_t *at, const int32_t *step, int32_t low, int32_t high)
{
    alignas(simd_words) int32_t shades[8] = {
        at[0] + low * step[0],  at[1] + low * step[1],  at[2] + low * step[2],  0,
        at[0] + high * step[0], at[1] + high * step[1], at[2] + high * step[2], 0};
    return simd_load_words((const uint32_t *)shades);
}

static struct shades shades_of(const struct rend_mix *mix)
{
    const int32_t none[3] = {0, 0, 0};
    return (struct shades){shades_at(mix->shade, mix->shade_step, 0, 4),
                           shades_at(mix->shade, mix->shade_step, 1, 5),
                           shades_at(none, mix->shade_step, 2, 2),
                           shades_at(none, mix->shade_step, SIMD_LANES - 2, SIMD_LANES - 2)};
}

/* Q15 shades of a group. */
static inline simd_words next_shades(struct shades *shades, simd_words step)
{
    const simd_words packed =
        SIMD(packs_epi32)(SIMD(srai_epi32)(shades->even, 15), SIMD(srai_epi32)(shades->odd, 15));
    shades->even = SIMD(add_epi32)(shades->even, step);
    shades->odd = SIMD(add_epi32)(shades->odd, step);
    return packed;
}

/* What a layer adds, in eighths; channels stand in the upper bytes. */
static inline simd_words part(simd_words channels, simd_words weight)
{
    return SIMD(mulhrs_epi16)(SIMD(srli_epi16)(channels, 1), weight);
}

static inline simd_words rounded(simd_words eighths)
{
    return SIMD(srli_epi16)(SIMD(add_epi16)(eighths, SIMD(set1_epi16)(4)), 3);
}

/* Weights of the first and the second group. */
struct weights {
    simd_words first;
    simd_words second;
};

static inline struct weights mix_weights(simd_words weight, const struct weights *shades,
                                         bool shaded)
{
    if (!shaded) {
        return (struct weights){weight, weight};
    }
    return (struct weights){SIMD(mulhrs_epi16)(weight, shades->first),
                            SIMD(mulhrs_epi16)(weight, shades->second)};
}

static inline struct weights parts(const uint32_t *pixels, struct weights weights)
{
    const simd_words bytes = simd_load_words(pixels);
    const simd_words zero = simd_all_words(0);
    return (struct weights){part(SIMD(unpacklo_epi8)(zero, bytes), weights.first),
                            part(SIMD(unpackhi_epi8)(zero, bytes), weights.second)};
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

static void mix_row(const struct rend_mix *mix, const uint32_t *picture, const uint32_t *echo,
                    uint32_t *out, size_t count)
{
    const unsigned filters = mix->filters;
    const bool shaded = mix->shaded;
    const simd_words first_weight = SIMD(set1_epi16)((short)mix->weight[0]);
    const simd_words second_weight = SIMD(set1_epi16)((short)mix->weight[1]);
    struct shades shades = {first_weight, first_weight, first_weight, first_weight};
    if (shaded) {
        shades = shades_of(mix);
    }
    struct weights shade = {first_weight, first_weight};
    size_t i = 0;
    for (; i + SIMD_LANES <= count; i += SIMD_LANES) {
        if (shaded) {
            shade.first = next_shades(&shades, shades.near);
            shade.second = next_shades(&shades, shades.far);
        }
        struct weights sum = parts(picture + i, mix_weights(first_weight, &shade, shaded));
        if (echo != NULL) {
            const struct weights more = parts(echo + i, mix_weights(second_weight, &shade, shaded));
            sum.first = SIMD(add_epi16)(sum.first, more.first);
            sum.second = SIMD(add_epi16)(sum.second, more.second);
        }
        sum = (struct weights){rounded(sum.first), rounded(sum.second)};
        if (filters != 0) {
            sum = (struct weights){filtered(sum.first, filters), filtered(sum.second, filters)};
        }
        const simd_words bytes = SIMD(packus_epi16)(sum.first, sum.second);
        simd_store_words(out + i, simd_and(bytes, SIMD(set1_epi32)(0x00FFFFFF)));
    }
    if (i < count) {
        mix_rest(mix, picture, echo, out, i, count);
    }
}
/* ---- shading ---- */

/* A NaN gives the second operand of max and min. */
static inline simd_words levels_of(const float *values)
{
    const simd_floats positive = SIMD(max_ps)(simd_load(values), simd_all(0.0f));
    const simd_floats clamped = SIMD(min_ps)(positive, SIMD(set1_ps)(1));
    return SIMD(cvttps_epi32)(
        SIMD(add_ps)(SIMD(mul_ps)(clamped, SIMD(set1_ps)(255)), SIMD(set1_ps)(0.5f)));
}

static void pack(uint32_t *pixels, const float *const ret[3], size_t count)
{
    size_t i = 0;
    for (; i + SIMD_LANES <= count; i += SIMD_LANES) {
        const simd_words red = SIMD(slli_epi32)(levels_of(ret[0] + i), 16);
        const simd_words green = SIMD(slli_epi32)(levels_of(ret[1] + i), 8);
        const simd_words blue = levels_of(ret[2] + i);
        simd_store_words(pixels + i, simd_or(simd_or(red, green), blue));
    }
    const float *const rest[3] = {ret[0] + i, ret[1] + i, ret[2] + i};
    rend_shade_kernels_plain.pack(pixels + i, rest, count - i);
}

/* A number of each pixel's triangle, which are `places` behind the first one's. `near`: they are
 * mostly few, so that loading all of them as they lie is faster than to gather. */
BASE_INLINE simd_floats of_triangles(const float *first, simd_words places, bool near,
                                     simd_lanes full)
{
    return near ? simd_near(first, places) : simd_gather_floats(first, places, full);
}

BASE_INLINE void lerp_vector(float *const out[REND_CELL_VALUES], const struct rend_cell_row *row,
                             size_t i, size_t first, simd_words places, simd_floats way, bool near,
                             simd_lanes full)
{
    for (int value = 0; value < REND_CELL_VALUES; value++) {
        if (out[value] != NULL) {
            const simd_floats from = of_triangles(row->from[value] + first, places, near, full);
            const simd_floats slope = of_triangles(row->slope[value] + first, places, near, full);
            simd_store(out[value] + i, simd_add(from, simd_mul(slope, way)));
        }
    }
}

static void lerp(float *const out[REND_CELL_VALUES], const struct rend_cell_row *row,
                 const int32_t *cell, const float *within, size_t count)
{
    const simd_floats turn = simd_all(row->turn);
    const simd_words far = simd_all_words(~(uint32_t)(SIMD_NEAR - 1));
    const simd_lanes full = simd_lanes_below(count);
    for (size_t i = 0; i < count; i += SIMD_LANES) {
        const simd_floats way = simd_load(within + i);
        const simd_words cells = simd_load_words((const uint32_t *)cell + i);
        const simd_words right = simd_lt(turn, way);
        const uint32_t first = 2 * (uint32_t)cell[i];
        const simd_words left = SIMD(sub_epi32)(simd_left(cells, 1), simd_all_words(first));
        const simd_words places = SIMD(sub_epi32)(left, right);
        if (simd_all_zero(simd_and(places, far))) {
            lerp_vector(out, row, i, first, places, way, true, full);
        } else {
            lerp_vector(out, row, i, first, places, way, false, full);
        }
    }
}

static void spread(float *out, const float *numbers, size_t step, size_t count)
{
    const simd_floats equal = simd_all(numbers[0]);
    for (size_t i = 0; i < count; i += SIMD_LANES) {
        simd_store(out + i, step != 0 ? simd_load(numbers + i) : equal);
    }
}

/* ---- transitions ---- */

static simd_words light_of(simd_words pixels)
{
    const simd_words low = SIMD(set1_epi32)(255);
    const simd_words red = simd_and(SIMD(srli_epi32)(pixels, 16), low);
    const simd_words green = simd_and(SIMD(srli_epi32)(pixels, 8), low);
    const simd_words blue = simd_and(pixels, low);
    const simd_words sum = SIMD(add_epi32)(SIMD(mullo_epi16)(red, SIMD(set1_epi32)(77)),
                                           SIMD(mullo_epi16)(green, SIMD(set1_epi32)(150)));
    return SIMD(add_epi32)(sum, SIMD(mullo_epi16)(blue, SIMD(set1_epi32)(29)));
}

/* Weights of pixels, each in both halves of its 32 bits. */
static simd_words cross_weights(const struct rend_weights *weights, simd_words when)
{
    const simd_words moved = SIMD(add_epi32)(when, SIMD(set1_epi32)(weights->offset));
    const simd_words moment = SIMD(min_epi32)(SIMD(max_epi32)(moved, simd_all_words(0)),
                                              SIMD(set1_epi32)(weights->limit));
    const simd_words weight =
        SIMD(srli_epi32)(SIMD(mullo_epi32)(moment, SIMD(set1_epi32)(weights->scale)), 16);
    return simd_or(weight, SIMD(slli_epi32)(weight, 16));
}

/* Two channels of pixels, one in each 16 bits; the result stands in the upper bytes. */
static simd_words lerp_bytes(simd_words a, simd_words b, simd_words weight)
{
    const simd_words rest = SIMD(sub_epi16)(SIMD(set1_epi16)(256), weight);
    const simd_words sum =
        SIMD(add_epi16)(SIMD(mullo_epi16)(a, rest), SIMD(mullo_epi16)(b, weight));
    return SIMD(add_epi16)(sum, SIMD(set1_epi16)(128));
}

static simd_words blended(simd_words a, simd_words b, simd_words weight)
{
    const simd_words bytes = SIMD(set1_epi16)(255);
    const simd_words outer = lerp_bytes(simd_and(a, bytes), simd_and(b, bytes), weight);
    const simd_words inner = lerp_bytes(simd_and(SIMD(srli_epi32)(a, 8), bytes),
                                        simd_and(SIMD(srli_epi32)(b, 8), bytes), weight);
    return simd_or(SIMD(srli_epi16)(outer, 8), simd_and(inner, SIMD(set1_epi32)(0xFF00)));
}

static void cross_row(uint32_t *out, const uint32_t *old_row, const uint32_t *new_row,
                      const uint16_t *when, size_t count, const struct rend_weights *weights)
{
    size_t i = 0;
    for (; i + SIMD_LANES <= count; i += SIMD_LANES) {
        const simd_words a = simd_load_words(old_row + i);
        const simd_words b = simd_load_words(new_row + i);
        const simd_words moments = when == NULL ? light_of(a) : simd_load_halves(when + i);
        const simd_words pixels = blended(a, b, cross_weights(weights, moments));
        simd_store_words(out + i, pixels);
    }
    rend_cross_plain(out + i, old_row + i, new_row + i, when != NULL ? when + i : NULL, count - i,
                     weights);
}
#endif

#endif
