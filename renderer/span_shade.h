/* Shading over vectors, after span_eight.h or span_sixteen.h; empty without them. */
#ifndef RENDERER_SPAN_SHADE_H
#define RENDERER_SPAN_SHADE_H

#if defined(__AVX2__)
#include <stdalign.h>
#include <stdbool.h>
#include <string.h>

#include "renderer/span_pixel.h"

/* So much farther in each lane than in the one before. */
BASE_INLINE words ramp_of(uint32_t step)
{
    return VECTOR(mullo_epi32)(words_in_order(), VECTOR(set1_epi32)((int)step));
}

/* Pixels of a row, the first of which lies so far from the corner. */
BASE_INLINE void shade_pixels(const struct gradient *gradient, uint32_t far, uint32_t step,
                              const uint32_t *texels, uint32_t *pixels, size_t count,
                              enum colours colours, enum rend_covering covering)
{
    const words steps = VECTOR(set1_epi32)((int)(LANES * step));
    words at = VECTOR(add_epi32)(VECTOR(set1_epi32)((int)far), ramp_of(step));
    words texel = BITS(setzero)();
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        texel = colours == TEXTURED ? words_load(texels + i) : texel;
        const words dst = covering == REND_OPAQUE ? texel : words_load(pixels + i);
        words_store(pixels + i, shaded(gradient, at, dst, texel, colours, covering));
        at = VECTOR(add_epi32)(at, steps);
    }
    if (i < count) {
        const lanes rest = lanes_below(count - i);
        texel = colours == TEXTURED ? words_load_some(texels + i, rest) : texel;
        const words dst = covering == REND_OPAQUE ? texel : words_load_some(pixels + i, rest);
        words_store_some(pixels + i, rest, shaded(gradient, at, dst, texel, colours, covering));
    }
}

/* Rows are drawn together in blocks of this size. */
enum { BLOCK = 64 };

/* Pixels of a row, one at least. */
struct piece {
    uint32_t *pixels;
    uint32_t far; /* how far the first one lies */
    int32_t length;
};

struct block {
    alignas(32) int32_t far[BLOCK];
    alignas(32) int32_t length[BLOCK]; /* 0: nothing */
    struct piece pieces[BLOCK + 2];    /* the last ones are read only */
    int vectors;                       /* that all pieces take */
};

/* How far the first pixels of some runs lie. */
BASE_INLINE half_words starts_of(const struct rend_shade *shade, half_words first, doubles y)
{
    const doubles x = VECTOR(cvtepi32_pd)(first);
    const doubles across = VECTOR(mul_pd)(x, VECTOR(set1_pd)(shade->per_x));
    const doubles down = VECTOR(mul_pd)(y, VECTOR(set1_pd)(shade->per_y));
    return fixed_of(VECTOR(add_pd)(VECTOR(add_pd)(VECTOR(set1_pd)(shade->at), across), down));
}

/* Up to BLOCK rows. */
BASE_INLINE void start_block(struct block *block, const struct rend_shade *shade, int y,
                             const struct rend_run *runs, size_t count, bool uniform)
{
    const half_words none = HALF_BITS(setzero)();
    doubles row = VECTOR(add_pd)(VECTOR(set1_pd)(y), doubles_in_order());
    half_words vectors = none;
    for (size_t i = 0; i < count; i += HALF_LANES) {
        const size_t rest = count - i;
        const struct some_runs some = runs_load(runs + i, rest < HALF_LANES ? rest : HALF_LANES);
        const half_words length = HALF(max_epi32)(HALF(sub_epi32)(some.end, some.first), none);
        const half_words filled = HALF(add_epi32)(length, HALF(set1_epi32)(LANES - 1));
        vectors = HALF(add_epi32)(vectors, HALF(srli_epi32)(filled, LANES == 8 ? 3 : 4));
        half_words_store(block->length + i, length);
        half_words_store(block->far + i, uniform ? none : starts_of(shade, some.first, row));
        row = VECTOR(add_pd)(row, VECTOR(set1_pd)(HALF_LANES));
    }
    block->vectors = half_words_sum(vectors);
}

/* A row without pixels is overwritten by the next. */
BASE_INLINE void list_pieces(struct block *block, const struct rend_run *runs, size_t count,
                             uint32_t *pixels, size_t stride)
{
    struct piece *piece = block->pieces;
    for (size_t i = 0; i < count; i++) {
        const int32_t length = block->length[i];
        *piece = (struct piece){pixels + runs[i].first, (uint32_t)block->far[i], length};
        piece += length > 0;
        pixels += stride;
    }
    piece[0].length = 0;
    piece[1].length = 0;
}

/* All pieces in one loop, whose way does not depend on how short each of them is. */
BASE_INLINE void shade_pieces(const struct block *block, uint32_t step,
                              const struct gradient *gradient, enum colours colours,
                              enum rend_covering covering)
{
    const words ramp = ramp_of(step);
    const struct piece *piece = block->pieces;
    int64_t length = piece->length;
    int64_t i = 0;
    for (int vector = block->vectors; vector > 0; vector--) {
        const lanes inside = lanes_below((size_t)(length - i));
        uint32_t *pixels = piece->pixels + i;
        const words dst = words_load_open(pixels, inside);
        const uint32_t first = piece->far + (uint32_t)i * step;
        const words far = VECTOR(add_epi32)(VECTOR(set1_epi32)((int)first), ramp);
        const words drawn = shaded(gradient, far, dst, dst, colours, covering);
        words_store_open(pixels, inside, drawn, dst);
        i += LANES;
        const int64_t next = piece[1].length;
        const int64_t more = (i - length) >> 63;
        i &= more;
        length = next ^ ((length ^ next) & more);
        piece += 1 + more;
    }
}

BASE_INLINE void shade_rows(const struct rend_shade *shade, int y, const struct rend_run *runs,
                            size_t count, uint32_t *pixels, size_t stride, enum colours colours,
                            enum rend_covering covering)
{
    const struct gradient gradient = gradient_of(shade, colours, covering);
    const uint32_t step = (uint32_t)rend_fixed(shade->per_x);
    for (size_t i = 0; i < count; i += BLOCK) {
        const size_t rows = count - i < BLOCK ? count - i : BLOCK;
        struct block block;
        start_block(&block, shade, y + (int)i, runs + i, rows, colours == UNIFORM);
        list_pieces(&block, runs + i, rows, pixels + i * stride, stride);
        shade_pieces(&block, step, &gradient, colours, covering);
    }
}

static bool flat(const struct rend_shade *shade)
{
    return shade->more[REND_SPAN_BLUE] == 0 && shade->more[REND_SPAN_GREEN] == 0 &&
           shade->more[REND_SPAN_RED] == 0;
}

static void fill(uint32_t *pixels, uint32_t colour, size_t count)
{
    const words filled = VECTOR(set1_epi32)((int)colour);
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        words_store(pixels + i, filled);
    }
    words_store_some(pixels + i, lanes_below(count - i), filled);
}

static void fill_rows(const struct rend_shade *shade, int y, const struct rend_run *runs,
                      size_t count, uint32_t *pixels, size_t stride)
{
    uint32_t colour = 0;
    rend_span_kernels_plain.rows(shade, y, &(struct rend_run){0, 1}, 1, &colour, 0);
    for (size_t i = 0; i < count; i++) {
        if (runs[i].end > runs[i].first) {
            fill(pixels + i * stride + runs[i].first, colour,
                 (size_t)(runs[i].end - runs[i].first));
        }
    }
}

static void draw_rows(const struct rend_shade *shade, int y, const struct rend_run *runs,
                      size_t count, uint32_t *pixels, size_t stride)
{
    const bool uniform = flat(shade) && shade->more[REND_SPAN_ALPHA] == 0;
    switch (rend_covering_of(shade)) {
    case REND_OPAQUE:
        if (uniform) {
            fill_rows(shade, y, runs, count, pixels, stride);
        } else {
            shade_rows(shade, y, runs, count, pixels, stride, VARIED, REND_OPAQUE);
        }
        break;
    case REND_BLENDED:
        if (uniform) {
            shade_rows(shade, y, runs, count, pixels, stride, UNIFORM, REND_BLENDED);
        } else {
            shade_rows(shade, y, runs, count, pixels, stride, VARIED, REND_BLENDED);
        }
        break;
    case REND_ADDED:
        if (uniform) {
            shade_rows(shade, y, runs, count, pixels, stride, UNIFORM, REND_ADDED);
        } else {
            shade_rows(shade, y, runs, count, pixels, stride, VARIED, REND_ADDED);
        }
        break;
    }
}

static void shade_parts(const struct rend_shade *shade, int y, const struct rend_run *runs,
                        const struct rend_run *parts, size_t count, uint32_t *pixels, size_t stride)
{
    const struct gradient gradient = gradient_of(shade, VARIED, REND_OPAQUE);
    const uint32_t step = (uint32_t)rend_fixed(shade->per_x);
    for (size_t i = 0; i < count; i++) {
        const struct rend_run part = parts[i];
        if (part.end > part.first) {
            const uint32_t before = (uint32_t)(part.first - runs[i].first);
            shade_pixels(&gradient, rend_far_from(shade, runs[i].first, y + (int)i) + before * step,
                         step, NULL, pixels + i * stride + part.first,
                         (size_t)(part.end - part.first), VARIED, REND_OPAQUE);
        }
    }
}

static void draw_parts(const struct rend_shade *shade, int y, const struct rend_run *runs,
                       const struct rend_run *parts, size_t count, uint32_t *pixels, size_t stride)
{
    if (flat(shade)) {
        fill_rows(shade, y, parts, count, pixels, stride);
    } else {
        shade_parts(shade, y, runs, parts, count, pixels, stride);
    }
}

/* White that covers: the texels as they are. */
static bool plain_white(const struct rend_shade *shade)
{
    return flat(shade) && shade->from[REND_SPAN_BLUE] == REND_SPAN_WHOLE &&
           shade->from[REND_SPAN_GREEN] == REND_SPAN_WHOLE &&
           shade->from[REND_SPAN_RED] == REND_SPAN_WHOLE;
}

static void copy_pieces(const struct rend_textured_piece *pieces, size_t count,
                        const uint32_t *texels)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(pieces[i].pixels, texels + pieces[i].first_texel, pieces[i].count * sizeof *texels);
    }
}

BASE_INLINE void texture_pieces(const struct rend_shade *shade,
                                const struct rend_textured_piece *pieces, size_t count,
                                const uint32_t *texels, enum rend_covering covering)
{
    const struct gradient gradient = gradient_of(shade, TEXTURED, covering);
    const uint32_t step = (uint32_t)rend_fixed(shade->per_x);
    for (size_t i = 0; i < count; i++) {
        const struct rend_textured_piece *piece = &pieces[i];
        if (piece->count > 0) {
            shade_pixels(&gradient, rend_far_from(shade, piece->x, piece->y) + piece->from * step,
                         step, texels + piece->first_texel, piece->pixels, piece->count, TEXTURED,
                         covering);
        }
    }
}

static void draw_textured(const struct rend_shade *shade, const struct rend_textured_piece *pieces,
                          size_t count, const uint32_t *texels)
{
    switch (rend_covering_of(shade)) {
    case REND_OPAQUE:
        if (plain_white(shade)) {
            copy_pieces(pieces, count, texels);
        } else {
            texture_pieces(shade, pieces, count, texels, REND_OPAQUE);
        }
        break;
    case REND_BLENDED:
        texture_pieces(shade, pieces, count, texels, REND_BLENDED);
        break;
    case REND_ADDED:
        texture_pieces(shade, pieces, count, texels, REND_ADDED);
        break;
    }
}
#endif

#endif
