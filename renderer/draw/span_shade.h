/* What pixels of a shade become, over the vectors of base/simd.h; empty without them. */
#ifndef RENDERER_DRAW_SPAN_SHADE_H
#define RENDERER_DRAW_SPAN_SHADE_H

#include "base/simd.h"

#if defined(BASE_SIMD)
#include <stdbool.h>

#include "renderer/draw/span.h"

/* HALF_LANES runs. */
struct some_runs {
    simd_half_words first;
    simd_half_words end;
};

/* Of 16-bit numbers, those bits of the mask, and others. */
BASE_INLINE simd_words mask_words(simd_words value, int mask, int others)
{
#if defined(__AVX512BW__)
    return _mm512_ternarylogic_epi32(value, _mm512_set1_epi16((short)mask),
                                     _mm512_set1_epi16((short)others), 0xEA);
#else
    const simd_words some = simd_and(value, SIMD(set1_epi16)((short)mask));
    return others == 0 ? some : simd_or(some, SIMD(set1_epi16)((short)others));
#endif
}

/* Of each word the bits of the mask, which the other does not have, and the other's. */
BASE_INLINE simd_words choose_words(int mask, simd_words value, simd_words other)
{
#if defined(__AVX512BW__)
    return _mm512_ternarylogic_epi32(value, _mm512_set1_epi32(mask), other, 0xEA);
#else
    return simd_or(simd_and(value, SIMD(set1_epi32)(mask)), other);
#endif
}

/* {0, 0} beyond count. */
BASE_INLINE struct some_runs runs_load(const struct rend_run *runs, size_t count)
{
#if defined(__AVX512BW__)
    const simd_lanes both = simd_lanes_below(2 * count);
    const __m512i all = simd_load_some((const uint32_t *)(const void *)runs, both);
    return (struct some_runs){_mm512_cvtepi64_epi32(all),
                              _mm512_cvtepi64_epi32(_mm512_srli_epi64(all, 32))};
#else
    const simd_lanes both = simd_lanes_below(2 * count);
    const simd_words all = simd_load_some((const uint32_t *)(const void *)runs, both);
    return (struct some_runs){simd_even_words(all), simd_odd_words(all)};
#endif
}

BASE_INLINE simd_words runs_words(const struct some_runs *some)
{
#if defined(__AVX512BW__)
    return _mm512_or_si512(_mm512_cvtepu32_epi64(some->first),
                           _mm512_slli_epi64(_mm512_cvtepu32_epi64(some->end), 32));
#else
    return simd_woven(some->first, some->end);
#endif
}

/* What holds for all pixels of a polygon, beside their covering; a constant where a loop is
 * called, so that each kind has a loop of its own. */
enum colours { VARIED, UNIFORM, TEXTURED };

/* Four values for each pixel, in 16 bits each: the first of a pair lower than the second. */
struct values {
    simd_words blue_red;
    simd_words green_alpha;
};

/* What a shade has. Half a level is added already to colours, but to those of
 * texels and those that are added to what is there. */
struct gradient {
    struct values from;
    struct values more;
};

/* The same pair for all pixels. */
BASE_INLINE simd_words pairs(int first, int second)
{
    return SIMD(set1_epi32)((int)((uint32_t)(first & 0xFFFF) | (uint32_t)second << 16));
}

BASE_INLINE struct gradient gradient_of(const struct rend_shade *shade, enum colours colours,
                                        enum rend_covering covering)
{
    const int16_t *from = shade->from;
    const int16_t *more = shade->more;
    const int half = colours == TEXTURED || covering == REND_ADDED ? 0 : REND_SPAN_LEVEL / 2;
    return (struct gradient){
        {pairs(from[REND_SPAN_BLUE] + half, from[REND_SPAN_RED] + half),
         pairs(from[REND_SPAN_GREEN] + half, from[REND_SPAN_ALPHA])},
        {pairs(more[REND_SPAN_BLUE], more[REND_SPAN_RED]),
         pairs(more[REND_SPAN_GREEN], more[REND_SPAN_ALPHA])},
    };
}

/* The second of each pair, for both. */
BASE_INLINE simd_words second_of(simd_words both)
{
    const simd_words seconds = SIMD_BYTES(2, 3, 2, 3, 6, 7, 6, 7, 10, 11, 10, 11, 14, 15, 14, 15);
    return SIMD(shuffle_epi8)(both, seconds);
}

BASE_INLINE simd_words value_at(simd_words from, simd_words more, simd_words share)
{
    return SIMD(add_epi16)(from, SIMD(mulhrs_epi16)(share, more));
}

BASE_INLINE struct values values_at(const struct gradient *gradient, simd_words share, bool uniform)
{
    if (uniform) {
        return gradient->from;
    }
    return (struct values){value_at(gradient->from.blue_red, gradient->more.blue_red, share),
                           value_at(gradient->from.green_alpha, gradient->more.green_alpha, share)};
}

/* Channels in parts of a level, and so much more of it. What stands beside green is of no use. */
BASE_INLINE simd_words blue_red_of(simd_words pixels, int more)
{
    return mask_words(SIMD(slli_epi16)(pixels, 7), 0x7F80, more);
}

BASE_INLINE simd_words green_of(simd_words pixels, int more)
{
    return mask_words(SIMD(srli_epi16)(pixels, 1), 0x7F80, more);
}

/* As times_below of span.c. */
BASE_INLINE simd_words times_below(simd_words a, simd_words b)
{
    return SIMD(slli_epi16)(SIMD(mulhi_epi16)(a, b), 1);
}

/* Channels of some pixels; dst, but not colour, where it is added or of texels, has half a level
 * more. */
BASE_INLINE simd_words covered(simd_words colour, simd_words alpha, simd_words dst,
                               enum colours colours, enum rend_covering covering)
{
    if (covering == REND_ADDED) {
        return SIMD(adds_epi16)(dst, times_below(colour, alpha));
    }
    if (colours == TEXTURED) {
        colour = SIMD(add_epi16)(colour, SIMD(set1_epi16)(REND_SPAN_LEVEL / 2));
    }
    if (covering == REND_OPAQUE) {
        return colour;
    }
    return SIMD(add_epi16)(dst, times_below(SIMD(sub_epi16)(colour, dst), alpha));
}

/* Pixels so far away, over what is there; share: s of kernels, twice for each. */
BASE_INLINE simd_words shaded(const struct gradient *gradient, simd_words share, simd_words dst,
                              simd_words texels, enum colours colours, enum rend_covering covering)
{
    struct values v = values_at(gradient, share, colours == UNIFORM);
    const simd_words alpha = second_of(v.green_alpha);
    if (colours == TEXTURED) {
        const simd_words blue_red = blue_red_of(texels, 0);
        const simd_words green = green_of(texels, 0);
        if (covering == REND_OPAQUE) {
            v.blue_red = times_below(blue_red, v.blue_red);
            v.green_alpha = times_below(green, v.green_alpha);
        } else {
            v.blue_red = SIMD(mulhrs_epi16)(blue_red, v.blue_red);
            v.green_alpha = SIMD(mulhrs_epi16)(green, v.green_alpha);
        }
    }
    const int half = REND_SPAN_LEVEL / 2;
    const simd_words blue_red =
        covered(v.blue_red, alpha, blue_red_of(dst, half), colours, covering);
    const simd_words green = covered(v.green_alpha, alpha, green_of(dst, half), colours, covering);
    return choose_words(0xFF00, SIMD(slli_epi16)(green, 1), SIMD(srli_epi16)(blue_red, 7));
}
#endif

/* Pieces of polygons. */

#if defined(BASE_SIMD)
#include <stdalign.h>
#include <stdbool.h>
#include <string.h>

/* A vector of half words is of two vectors of pixels, and a block has so many. */
enum { HALVES = 2 * SIMD_LANES, PARTS = REND_DISTANCE_BLOCK / HALVES };

/* Upper halves of so many times a number as a pixel's place in a block, in the order of pairs. */
struct side_ramp {
    simd_words part[PARTS];
};

/* What the pieces of a polygon have in common. */
struct draw_state {
    struct gradient gradient;
    const struct rend_distances *distances;
    const uint32_t *texels;
    struct side_ramp ramps[REND_DISTANCE_ROOM];
};

/* The upper halves of two vectors, four of the one and four of the other in turn. */
BASE_INLINE simd_words upper_halves(simd_words first, simd_words second)
{
    return SIMD(packus_epi32)(SIMD(srli_epi32)(first, 16), SIMD(srli_epi32)(second, 16));
}

/* Each of these numbers twice, for the pixels of the first vector or the second. */
BASE_INLINE simd_words pairs_of(simd_words halves, bool second)
{
    return second ? SIMD(unpackhi_epi16)(halves, halves) : SIMD(unpacklo_epi16)(halves, halves);
}

BASE_INLINE void make_ramps(struct draw_state *state)
{
    const struct rend_distances *distances = state->distances;
    for (size_t k = 0; k < distances->count; k++) {
        const simd_words step = SIMD(set1_epi32)((int)distances->per_x[k]);
        simd_words place = SIMD(mullo_epi32)(step, simd_words_in_order());
        const simd_words next = SIMD(mullo_epi32)(step, SIMD(set1_epi32)(SIMD_LANES));
        for (int part = 0; part < PARTS; part++) {
            const simd_words second = SIMD(add_epi32)(place, next);
            state->ramps[k].part[part] = upper_halves(place, second);
            place = SIMD(add_epi32)(second, next);
        }
    }
    for (size_t k = 0; distances->spokes > 0 && k < distances->count + REND_DISTANCE_SIDES; k++) {
        state->ramps[distances->count + k] = state->ramps[k];
    }
}

_Static_assert((int)SIMD_LANES <= (int)REND_DISTANCE_BEHIND,
               "a vector reads no more behind the last side");

/* As many sides as there are lanes. */
struct some_sides {
    simd_words at;
    simd_words per_x;
    simd_words per_y;
};

BASE_INLINE struct some_sides sides_load(const struct rend_distances *distances, size_t k)
{
    return (struct some_sides){simd_load_words(distances->at + k),
                               simd_load_words(distances->per_x + k),
                               simd_load_words(distances->per_y + k)};
}

/* Upper halves, twice for each side, of their distances from a pixel. */
BASE_INLINE void store_bases(uint32_t *bases, const struct some_sides *sides, int x, int y)
{
    const simd_words by_x = SIMD(mullo_epi32)(sides->per_x, SIMD(set1_epi32)(x));
    const simd_words by_y = SIMD(mullo_epi32)(sides->per_y, SIMD(set1_epi32)(y));
    const simd_words base = SIMD(add_epi32)(SIMD(add_epi32)(sides->at, by_x), by_y);
    simd_store_words(bases, simd_lower_upper(SIMD(srli_epi32)(base, 16), base));
}

/* How far the pixels of a block lie. */
struct block_distances {
    simd_words part[PARTS];
};

BASE_INLINE void max_with_side(struct block_distances *far, const struct side_ramp *ramp,
                               uint32_t base, bool faced)
{
    const simd_words start = SIMD(set1_epi32)((int)base);
    for (int part = 0; part < PARTS; part++) {
        const simd_words side = SIMD(add_epi16)(start, ramp->part[part]);
        far->part[part] = SIMD(max_epi16)(far->part[part], faced ? SIMD(abs_epi16)(side) : side);
    }
}

/* How many sides are compared; many: so many that it takes long. */
enum sides { NO_SIDES, TWO_SIDES, FEW_SIDES, MANY_SIDES, SOME_SIDES };

BASE_INLINE struct rend_side_range sides_near(const struct rend_distances *distances, int x, int y)
{
    const float down = (float)y + distances->from_y;
    const float across = (float)x + distances->from_x;
    const float end = (float)(x + REND_DISTANCE_BLOCK - 1) + distances->from_x;
    const simd_floats length = SIMD(set1_ps)(down < 0 ? -down : down);
    const simd_floats first = SIMD(set1_ps)(down < 0 ? -across : across);
    const simd_floats last = SIMD(set1_ps)(down < 0 ? -end : end);
    size_t a = 0;
    size_t b = 0;
    for (size_t k = 0; k < distances->spokes; k += SIMD_LANES) {
        const simd_floats place = SIMD(mul_ps)(SIMD(loadu_ps)(distances->slope + k), length);
        a += simd_count_greater(place, first);
        b += simd_count_greater(place, last);
    }
    return rend_sides_between(distances, a, b);
}

/* The sides that are compared for a block, and the upper halves of their distances from its first
 * pixel, twice for each. */
struct view {
    const struct side_ramp *ramps;
    size_t count;
    alignas(64) uint32_t bases[REND_POLYGON_SIDES + SIMD_LANES];
};

/* Of the block that begins at x; `first`: the first sides of the polygon. */
BASE_INLINE void prepare_view(struct view *view, const struct draw_state *state,
                              const struct some_sides *first, int x, int y, enum sides sides)
{
    const struct rend_distances *distances = state->distances;
    struct rend_side_range range = {0, sides == TWO_SIDES ? 2 : distances->count};
    if (sides == SOME_SIDES) {
        range = sides_near(distances, x, y);
        const struct some_sides own = sides_load(distances, range.first);
        store_bases(view->bases, &own, x, y);
    } else {
        store_bases(view->bases, first, x, y);
    }
    for (size_t k = SIMD_LANES; k < range.count; k += SIMD_LANES) {
        const struct some_sides more = sides_load(distances, range.first + k);
        store_bases(view->bases + k, &more, x, y);
    }
    view->ramps = state->ramps + range.first;
    view->count = range.count;
}

/* The greatest distance of the sides. */
BASE_INLINE struct block_distances farthest_of(const struct view *view, enum sides sides,
                                               bool faced)
{
    const struct side_ramp *ramps = view->ramps;
    const uint32_t *bases = view->bases;
    const size_t count = sides == TWO_SIDES ? 2 : view->count;
    struct block_distances far;
    for (int part = 0; part < PARTS; part++) {
        far.part[part] = simd_all_words(0);
    }
    size_t k = 0;
    for (; k + REND_DISTANCE_SIDES <= count; k += REND_DISTANCE_SIDES) {
        max_with_side(&far, &ramps[k], bases[k], faced);
        max_with_side(&far, &ramps[k + 1], bases[k + 1], faced);
        max_with_side(&far, &ramps[k + 2], bases[k + 2], faced);
        max_with_side(&far, &ramps[k + 3], bases[k + 3], faced);
    }
    for (; k + 2 <= count; k += 2) {
        max_with_side(&far, &ramps[k], bases[k], faced);
        max_with_side(&far, &ramps[k + 1], bases[k + 1], faced);
    }
    if (k < count) {
        max_with_side(&far, &ramps[k], bases[k], faced);
    }
    for (int part = 0; part < PARTS; part++) {
        far.part[part] = SIMD(adds_epi16)(far.part[part], far.part[part]);
    }
    return far;
}

/* `whole`: all pixels of the vector belong to the piece. */
BASE_INLINE void draw_vector(const struct draw_state *state, const struct rend_piece *piece, int x,
                             simd_words share, bool whole, enum colours colours,
                             enum rend_covering covering)
{
    const int first = piece->first;
    uint32_t *pixels = piece->pixels + x;
    const simd_lanes inside = simd_lanes_between(first - x, piece->end - x);
    simd_words dst = simd_all_words(0);
    simd_words texel = dst;
    if (colours == TEXTURED) {
        texel = simd_load_words(state->texels + ((int)piece->texel + x - first));
    }
    if (covering != REND_OPAQUE) {
        dst = whole ? simd_load_words(pixels) : simd_load_some(pixels, inside);
    }
    const simd_words drawn = shaded(&state->gradient, share, dst, texel, colours, covering);
    if (whole) {
        simd_store_words(pixels, drawn);
    } else {
        simd_store_some(pixels, inside, drawn);
    }
}

BASE_INLINE void draw_block(const struct draw_state *state, const struct rend_piece *piece, int x,
                            const struct block_distances *far, bool whole, enum colours colours,
                            enum rend_covering covering)
{
#pragma GCC unroll 4
    for (int i = 0; i < REND_DISTANCE_BLOCK / SIMD_LANES; i++) {
        const int at = x + i * SIMD_LANES;
        if (whole || (at < piece->end && at + SIMD_LANES > piece->first)) {
            draw_vector(state, piece, at, pairs_of(far->part[i / 2], i % 2 != 0), whole, colours,
                        covering);
        }
    }
}

/* Where the first block of a piece begins; without sides it is a vector. */
BASE_INLINE int block_of(const struct rend_piece *piece, enum sides sides)
{
    return sides == NO_SIDES ? piece->first : piece->block;
}

BASE_INLINE size_t blocks_of(const struct rend_piece *pieces, size_t count, enum sides sides)
{
    const unsigned size = sides == NO_SIDES ? SIMD_LANES : REND_DISTANCE_BLOCK;
    size_t blocks = 0;
    for (size_t i = 0; i < count; i++) {
        const unsigned pixels = (unsigned)(pieces[i].end - block_of(&pieces[i], sides));
        blocks += (pixels + size - 1) / size;
    }
    return blocks;
}

/* A block of a piece. */
struct cursor {
    const struct rend_piece *piece;
    int x;
    int end; /* of the piece */
};

BASE_INLINE struct cursor next_block(struct cursor at, enum sides sides)
{
    const int x = at.x + (sides == NO_SIDES ? SIMD_LANES : REND_DISTANCE_BLOCK);
    const int other = block_of(&at.piece[1], sides);
    const int end = at.piece[1].end;
    const bool next = x >= at.end;
    return (struct cursor){at.piece + next, next ? other : x, next ? end : at.end};
}

BASE_INLINE void draw_at(const struct draw_state *state, struct cursor at,
                         const struct block_distances *far, enum colours colours,
                         enum rend_covering covering)
{
    if (at.x >= at.piece->first && at.x + REND_DISTANCE_BLOCK <= at.end) {
        draw_block(state, at.piece, at.x, far, true, colours, covering);
    } else {
        draw_block(state, at.piece, at.x, far, false, colours, covering);
    }
}

/* All blocks in one loop, whose way does not depend on how short each piece is. */
BASE_INLINE void draw_blocks(const struct draw_state *state, const struct rend_piece *pieces,
                             size_t count, enum sides sides, bool faced, enum colours colours,
                             enum rend_covering covering)
{
    struct some_sides first;
    struct cursor at = {pieces, block_of(pieces, sides), pieces->end};
    if (sides != NO_SIDES) {
        first = sides_load(state->distances, 0);
    }
    for (size_t blocks = blocks_of(pieces, count, sides); blocks > 0; blocks--) {
        if (sides == NO_SIDES) {
            draw_vector(state, at.piece, at.x, simd_all_words(0), false, colours, covering);
        } else {
            struct view view;
            prepare_view(&view, state, &first, at.x, at.piece->y, sides);
            const struct block_distances far = farthest_of(&view, sides, faced);
            draw_at(state, at, &far, colours, covering);
        }
        at = next_block(at, sides);
    }
}

/* The same for sides that take longer: the next block's are made ready while one is drawn. */
BASE_INLINE void draw_blocks_ahead(const struct draw_state *state, const struct rend_piece *pieces,
                                   size_t count, enum sides sides, bool faced, enum colours colours,
                                   enum rend_covering covering)
{
    struct view views[2];
    struct view *view = &views[0];
    struct view *other = &views[1];
    const struct some_sides first = sides_load(state->distances, 0);
    struct cursor at = {pieces, block_of(pieces, sides), pieces->end};
    prepare_view(view, state, &first, at.x, at.piece->y, sides);
    for (size_t blocks = blocks_of(pieces, count, sides); blocks > 0; blocks--) {
        const struct cursor next = next_block(at, sides);
        prepare_view(other, state, &first, next.x, next.piece->y, sides);
        const struct block_distances far = farthest_of(view, sides, faced);
        draw_at(state, at, &far, colours, covering);
        struct view *const drawn = view;
        view = other;
        other = drawn;
        at = next;
    }
}

/* So many sides are many, as measured. */
enum { MANY = 9 };

BASE_INLINE void draw_all(const struct rend_shade *shade, const struct rend_distances *distances,
                          const struct rend_piece *pieces, size_t count, const uint32_t *texels,
                          enum colours colours, enum rend_covering covering)
{
    struct draw_state state;
    state.gradient = gradient_of(shade, colours, covering);
    state.distances = distances;
    state.texels = texels;
    if (distances == NULL) {
        draw_blocks(&state, pieces, count, NO_SIDES, false, colours, covering);
        return;
    }
    make_ramps(&state);
    if (distances->faced && distances->count == 2) {
        draw_blocks(&state, pieces, count, TWO_SIDES, true, colours, covering);
    } else if (distances->spokes > 0) {
        draw_blocks_ahead(&state, pieces, count, SOME_SIDES, true, colours, covering);
    } else if (distances->faced && distances->count < MANY) {
        draw_blocks(&state, pieces, count, FEW_SIDES, true, colours, covering);
    } else if (distances->faced) {
        draw_blocks_ahead(&state, pieces, count, MANY_SIDES, true, colours, covering);
    } else if (distances->count < MANY) {
        draw_blocks(&state, pieces, count, FEW_SIDES, false, colours, covering);
    } else {
        draw_blocks_ahead(&state, pieces, count, MANY_SIDES, false, colours, covering);
    }
}

static void fill(uint32_t *pixels, uint32_t colour, size_t count)
{
    const simd_words filled = SIMD(set1_epi32)((int)colour);
    size_t i = 0;
    for (; i + SIMD_LANES <= count; i += SIMD_LANES) {
        simd_store_words(pixels + i, filled);
    }
    simd_store_some(pixels + i, simd_lanes_below(count - i), filled);
}

static void fill_pieces(const struct rend_shade *shade, const struct rend_piece *pieces,
                        size_t count)
{
    uint32_t colour = 0;
    const struct rend_piece one = {.pixels = &colour, .end = 1};
    rend_span_kernels_plain.pieces(shade, NULL, &one, 1, NULL);
    for (size_t i = 0; i < count; i++) {
        fill(pieces[i].pixels + pieces[i].first, colour, (size_t)(pieces[i].end - pieces[i].first));
    }
}

/* White that does not change. */
static bool plain_white(const struct rend_shade *shade)
{
    bool white = true;
    for (int k = 0; k < REND_SPAN_ALPHA; k++) {
        white = white && shade->from[k] == REND_SPAN_WHOLE && shade->more[k] == 0;
    }
    return white;
}

/* What white that covers shows: the texels as they are. */
static void copy_pieces(const struct rend_piece *pieces, size_t count, const uint32_t *texels)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(pieces[i].pixels + pieces[i].first, texels + pieces[i].texel,
               (size_t)(pieces[i].end - pieces[i].first) * sizeof *texels);
    }
}

BASE_INLINE void draw_covering(const struct rend_shade *shade,
                               const struct rend_distances *distances,
                               const struct rend_piece *pieces, size_t count,
                               const uint32_t *texels, enum colours colours)
{
    switch (rend_covering_of(shade)) {
    case REND_OPAQUE:
        draw_all(shade, distances, pieces, count, texels, colours, REND_OPAQUE);
        break;
    case REND_BLENDED:
        draw_all(shade, distances, pieces, count, texels, colours, REND_BLENDED);
        break;
    case REND_ADDED:
        draw_all(shade, distances, pieces, count, texels, colours, REND_ADDED);
        break;
    }
}

static void draw_pieces(const struct rend_shade *shade, const struct rend_distances *distances,
                        const struct rend_piece *pieces, size_t count, const uint32_t *texels)
{
    const bool covers = rend_covering_of(shade) == REND_OPAQUE;
    const bool uniform = distances == NULL;
    if (texels != NULL && covers && plain_white(shade)) {
        copy_pieces(pieces, count, texels);
    } else if (texels != NULL) {
        draw_covering(shade, distances, pieces, count, texels, TEXTURED);
    } else if (covers && uniform) {
        fill_pieces(shade, pieces, count);
    } else if (uniform) {
        draw_covering(shade, distances, pieces, count, texels, UNIFORM);
    } else {
        draw_covering(shade, distances, pieces, count, texels, VARIED);
    }
}
#endif

/* Where sides cross rows. */

#if defined(BASE_SIMD)
/* p of some rows. */
BASE_INLINE simd_half_words crossings(const struct rend_edge *edge, simd_doubles centre,
                                      simd_doubles limit)
{
    const simd_doubles down = SIMD(sub_pd)(centre, SIMD(set1_pd)(edge->y));
    const simd_doubles x =
        SIMD(add_pd)(SIMD(set1_pd)(edge->x), SIMD(mul_pd)(down, SIMD(set1_pd)(edge->slope)));
    const simd_doubles first = SIMD(ceil_pd)(SIMD(sub_pd)(x, SIMD(set1_pd)(0.5)));
    const simd_doubles bounded = SIMD(min_pd)(SIMD(max_pd)(first, SIMD(setzero_pd)()), limit);
    return SIMD(cvttpd_epi32)(bounded);
}

BASE_INLINE simd_doubles centres(int y)
{
    return SIMD(add_pd)(SIMD(set1_pd)(y + 0.5), simd_doubles_in_order());
}

static void widen(const struct rend_edge *edge, int y, int width, struct rend_run *runs,
                  size_t count)
{
    const simd_doubles limit = SIMD(set1_pd)(width);
    simd_doubles centre = centres(y);
    for (size_t i = 0; i < count; i += SIMD_HALF_LANES) {
        const size_t rest = count - i < SIMD_HALF_LANES ? count - i : SIMD_HALF_LANES;
        const struct some_runs old = runs_load(runs + i, rest);
        const simd_half_words p = crossings(edge, centre, limit);
        const struct some_runs wide = {SIMD_HALF(min_epi32)(p, old.first),
                                       SIMD_HALF(max_epi32)(p, old.end)};
        simd_store_some((uint32_t *)(void *)(runs + i), simd_lanes_below(2 * rest),
                        runs_words(&wide));
        centre = SIMD(add_pd)(centre, SIMD(set1_pd)(SIMD_HALF_LANES));
    }
}
#endif

#endif
