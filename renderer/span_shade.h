/* Shading over vectors, after span_eight.h or span_sixteen.h; empty without them. */
#ifndef RENDERER_SPAN_SHADE_H
#define RENDERER_SPAN_SHADE_H

#if defined(__AVX2__)
#include <stdalign.h>
#include <stdbool.h>
#include <string.h>

#include "renderer/span_pixel.h"

BASE_INLINE float far_from(const struct rend_shade *shade, int x, int y)
{
    return (float)(shade->at + x * shade->per_x + y * shade->per_y);
}

/* Pixels x + i of row y, i from `from` on. */
BASE_INLINE void shade_chunk(const struct rend_shade *shade, const struct gradient *gradient, int x,
                             int y, size_t from, const uint32_t *texels, uint32_t *pixels,
                             size_t count, enum colours colours, enum blending blending)
{
    const floats start = VECTOR(set1_ps)(far_from(shade, x, y));
    const floats step = VECTOR(set1_ps)((float)shade->per_x);
    floats at =
        VECTOR(add_ps)(VECTOR(set1_ps)((float)(int)from), VECTOR(cvtepi32_ps)(words_in_order()));
    words texel = BITS(setzero)();
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        texel = colours == TEXTURED ? words_load(texels + i) : texel;
        const words dst = blending == OPAQUE ? texel : words_load(pixels + i);
        words_store(pixels + i,
                    shaded(gradient, far_at(start, step, at), dst, texel, colours, blending));
        at = VECTOR(add_ps)(at, VECTOR(set1_ps)(LANES));
    }
    if (i < count) {
        const lanes rest = lanes_below(count - i);
        texel = colours == TEXTURED ? words_load_some(texels + i, rest) : texel;
        const words dst = blending == OPAQUE ? texel : words_load_some(pixels + i, rest);
        words_store_some(pixels + i, rest,
                         shaded(gradient, far_at(start, step, at), dst, texel, colours, blending));
    }
}

/* The numbers up to REND_SPAN_CHUNK, and those of a vector from there. */
#define EIGHT(n) n, (n) + 1, (n) + 2, (n) + 3, (n) + 4, (n) + 5, (n) + 6, (n) + 7
#define SIXTY_FOUR(n)                                                                              \
    EIGHT(n), EIGHT(n + 8), EIGHT(n + 16), EIGHT(n + 24), EIGHT(n + 32), EIGHT(n + 40),            \
        EIGHT(n + 48), EIGHT(n + 56)
static const float counting[REND_SPAN_CHUNK + 16] = {
    SIXTY_FOUR(0), SIXTY_FOUR(64), SIXTY_FOUR(128), SIXTY_FOUR(192), EIGHT(256), EIGHT(264)};

/* Rows are drawn together in blocks of this size. */
enum { BLOCK = 64 };

/* Pixels of a row: one at least, and a chunk at most. */
struct piece {
    uint32_t *pixels;
    const float *start; /* how far its first pixel lies; BLOCK behind it, the length */
    int64_t length;
};

enum { START, LENGTH, PIECE_VALUES };

struct block {
    alignas(32) float values[PIECE_VALUES][BLOCK];
    alignas(32) int32_t length[BLOCK]; /* 0: nothing */
    struct piece pieces[BLOCK + 2];    /* the last ones are read only */
    int vectors;                       /* that all pieces take */
};

/* How far the first pixels of some runs lie. */
BASE_INLINE half_floats starts_of(const struct rend_shade *shade, half_words first, doubles y)
{
    const doubles x = VECTOR(cvtepi32_pd)(first);
    const doubles across = VECTOR(mul_pd)(x, VECTOR(set1_pd)(shade->per_x));
    const doubles down = VECTOR(mul_pd)(y, VECTOR(set1_pd)(shade->per_y));
    return VECTOR(cvtpd_ps)(
        VECTOR(add_pd)(VECTOR(add_pd)(VECTOR(set1_pd)(shade->at), across), down));
}

/* Up to BLOCK rows. Returns false if there is a run longer than a chunk. */
BASE_INLINE bool start_block(struct block *block, const struct rend_shade *shade, int y,
                             const struct rend_run *runs, size_t count)
{
    const half_words none = HALF_BITS(setzero)();
    const half_words chunk = HALF(set1_epi32)(REND_SPAN_CHUNK);
    doubles row = VECTOR(add_pd)(VECTOR(set1_pd)(y), doubles_in_order());
    half_words vectors = none;
    half_words longer = none;
    for (size_t i = 0; i < count; i += HALF_LANES) {
        const size_t rest = count - i;
        const struct some_runs some = runs_load(runs + i, rest < HALF_LANES ? rest : HALF_LANES);
        const half_words length = HALF(max_epi32)(HALF(sub_epi32)(some.end, some.first), none);
        longer = HALF_BITS(or)(longer, HALF(cmpgt_epi32)(length, chunk));
        const half_words filled = HALF(add_epi32)(length, HALF(set1_epi32)(LANES - 1));
        vectors = HALF(add_epi32)(vectors, HALF(srli_epi32)(filled, LANES == 8 ? 3 : 4));
        half_words_store(block->length + i, length);
        HALF(store_ps)(block->values[START] + i, starts_of(shade, some.first, row));
        HALF(store_ps)(block->values[LENGTH] + i, HALF(cvtepi32_ps)(length));
        row = VECTOR(add_pd)(row, VECTOR(set1_pd)(HALF_LANES));
    }
    block->vectors = half_words_sum(vectors);
    return HALF(movemask_epi8)(longer) == 0;
}

/* A row without pixels is overwritten by the next. */
BASE_INLINE void list_pieces(struct block *block, const struct rend_run *runs, size_t count,
                             uint32_t *pixels, size_t stride)
{
    struct piece *piece = block->pieces;
    for (size_t i = 0; i < count; i++) {
        const int64_t length = block->length[i];
        *piece = (struct piece){pixels + runs[i].first, block->values[START] + i, length};
        piece += length > 0;
        pixels += stride;
    }
    piece[0].length = 0;
    piece[1].length = 0;
}

/* All pieces in one loop, whose way does not depend on how short each of them is. */
BASE_INLINE void shade_pieces(const struct block *block, const struct rend_shade *shade,
                              const struct gradient *gradient, enum colours colours,
                              enum blending blending)
{
    const floats step = VECTOR(set1_ps)((float)shade->per_x);
    const struct piece *piece = block->pieces;
    int64_t length = piece->length;
    int64_t i = 0;
    for (int vector = block->vectors; vector > 0; vector--) {
        const floats at = VECTOR(loadu_ps)(counting + i);
        const floats stop = floats_all(piece->start + LENGTH * BLOCK);
        const lanes inside = lanes_less(at, stop);
        uint32_t *pixels = piece->pixels + i;
        const words dst = words_load_open(pixels, inside);
        const floats far = far_at(floats_all(piece->start), step, at);
        const words drawn = shaded(gradient, far, dst, dst, colours, blending);
        words_store_open(pixels, inside, drawn, dst);
        i += LANES;
        const int64_t next = piece[1].length;
        const int64_t more = (i - length) >> 63;
        i &= more;
        length = next ^ ((length ^ next) & more);
        piece += 1 + more;
    }
}

BASE_INLINE void shade_long_rows(const struct rend_shade *shade, const struct gradient *gradient,
                                 int y, const struct rend_run *runs, size_t count, uint32_t *pixels,
                                 size_t stride, enum colours colours, enum blending blending)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t *row = pixels + i * stride;
        const int end = runs[i].end;
        for (int x = runs[i].first; x < end; x += REND_SPAN_CHUNK) {
            const int rest = end - x;
            shade_chunk(shade, gradient, x, y + (int)i, 0, NULL, row + x,
                        (size_t)(rest < REND_SPAN_CHUNK ? rest : REND_SPAN_CHUNK), colours,
                        blending);
        }
    }
}

BASE_INLINE void shade_rows(const struct rend_shade *shade, int y, const struct rend_run *runs,
                            size_t count, uint32_t *pixels, size_t stride, enum colours colours,
                            enum blending blending)
{
    const struct gradient gradient = gradient_of(shade);
    for (size_t i = 0; i < count; i += BLOCK) {
        const size_t rows = count - i < BLOCK ? count - i : BLOCK;
        uint32_t *first = pixels + i * stride;
        struct block block;
        if (!start_block(&block, shade, y + (int)i, runs + i, rows)) {
            shade_long_rows(shade, &gradient, y + (int)i, runs + i, rows, first, stride, colours,
                            blending);
            continue;
        }
        list_pieces(&block, runs + i, rows, first, stride);
        shade_pieces(&block, shade, &gradient, colours, blending);
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
    switch (blending_of(shade)) {
    case OPAQUE:
        if (flat(shade)) {
            fill_rows(shade, y, runs, count, pixels, stride);
        } else {
            shade_rows(shade, y, runs, count, pixels, stride, VARIED, OPAQUE);
        }
        break;
    case BLENDED:
        if (flat(shade)) {
            shade_rows(shade, y, runs, count, pixels, stride, FLAT, BLENDED);
        } else {
            shade_rows(shade, y, runs, count, pixels, stride, VARIED, BLENDED);
        }
        break;
    case ADDED:
        if (flat(shade)) {
            shade_rows(shade, y, runs, count, pixels, stride, FLAT, ADDED);
        } else {
            shade_rows(shade, y, runs, count, pixels, stride, VARIED, ADDED);
        }
        break;
    }
}

static void shade_parts(const struct rend_shade *shade, int y, const struct rend_run *runs,
                        const struct rend_run *parts, size_t count, uint32_t *pixels, size_t stride)
{
    const struct gradient gradient = gradient_of(shade);
    for (size_t i = 0; i < count; i++) {
        uint32_t *row = pixels + i * stride;
        for (int x = parts[i].first; x < parts[i].end;) {
            const struct rend_chunk chunk = rend_chunk_at(runs[i], x);
            const int end = chunk.end < parts[i].end ? chunk.end : parts[i].end;
            shade_chunk(shade, &gradient, chunk.x, y + (int)i, (size_t)(x - chunk.x), NULL, row + x,
                        (size_t)(end - x), VARIED, OPAQUE);
            x = end;
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
    return flat(shade) && shade->from[REND_SPAN_BLUE] == 1 && shade->from[REND_SPAN_GREEN] == 1 &&
           shade->from[REND_SPAN_RED] == 1;
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
                                const uint32_t *texels, enum blending blending)
{
    const struct gradient gradient = gradient_of(shade);
    for (size_t i = 0; i < count; i++) {
        const struct rend_textured_piece *piece = &pieces[i];
        if (piece->count > 0) {
            shade_chunk(shade, &gradient, piece->x, piece->y, piece->from,
                        texels + piece->first_texel, piece->pixels, piece->count, TEXTURED,
                        blending);
        }
    }
}

static void draw_textured(const struct rend_shade *shade, const struct rend_textured_piece *pieces,
                          size_t count, const uint32_t *texels)
{
    switch (blending_of(shade)) {
    case OPAQUE:
        if (plain_white(shade)) {
            copy_pieces(pieces, count, texels);
        } else {
            texture_pieces(shade, pieces, count, texels, OPAQUE);
        }
        break;
    case BLENDED:
        texture_pieces(shade, pieces, count, texels, BLENDED);
        break;
    case ADDED:
        texture_pieces(shade, pieces, count, texels, ADDED);
        break;
    }
}
#endif

#endif
