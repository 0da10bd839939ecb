/* Bilinear reads of pictures along a grid: the pixels of a column read at one place across, those
 * of a row at one place down. So what lies between two rows of texels is computed once for each
 * texel and not for each pixel; pixels then pick from it. Included by read_lanes.h. */
#ifndef RENDERER_SHADER_RUN_READ_GRID_H
#define RENDERER_SHADER_RUN_READ_GRID_H

#if defined(BASE_SIMD)
#include "renderer/shader/run/kernels.h"
#include "renderer/shader/run/read_texels.h"

/* Texels of a row that a tile may read. */
enum { GRID_MOST = SHADER_TILE_COLUMNS + 1 };

/* Where the columns of a tile read; texels are counted from the first one that is read, and the
 * last of a texture is followed by its first. */
struct grid_columns {
    uint32_t at[SHADER_TILE_COLUMNS];
    uint32_t weights[SHADER_TILE_COLUMNS]; /* as of weights_down */
    uint32_t first;                        /* texel of the texture */
    size_t count;                          /* of texels, those to the right too */
    size_t low;                            /* lane of a vector with the texel most to the left */
    bool in_line; /* every column has the texel after that of the one before */
    bool whole;   /* and reads nothing of the next one */
};

/* Where a row of a tile reads. */
struct grid_row {
    size_t at;         /* its first texel */
    simd_words y;      /* place; equal lanes */
    simd_words across; /* weights_across of it */
};

/* Between two rows of texels: two channels in halves of a word, less 32768. */
struct grid_texels {
    uint32_t blue_red[GRID_MOST + SIMD_LANES];
    uint32_t green_alpha[GRID_MOST + SIMD_LANES];
};

BASE_INLINE simd_floats grid_u(const struct shader_lanes *u, size_t i)
{
    return u->step != 0 ? simd_load(u->at + i) : simd_load_equal(u->at);
}

/* False if they are too many texels for this way. */
BASE_INLINE bool find_columns(struct grid_columns *columns, const struct shader_lanes *u,
                              const struct grid *grid, struct kind kind, const struct fixed *fixed)
{
    const size_t last = u->step != 0 ? SHADER_TILE_COLUMNS - 1 : 0;
    const bool mirrored = u->at[last] < u->at[0];
    const simd_words outer = place_of(simd_all(u->at[mirrored ? last : 0]), grid->x, kind);
    const simd_words first = texel_of(outer, grid->x, kind);
    const simd_words width = simd_all_words((uint32_t)grid->width);
    simd_words column = simd_words_in_order();
    simd_words most = simd_all_words(0);
    simd_words parts = simd_all_words(0);
    simd_words away = simd_all_words(0);
    for (size_t i = 0; i < SHADER_TILE_COLUMNS; i += SIMD_LANES) {
        const simd_words x = place_of(grid_u(u, i), grid->x, kind);
        const simd_words on = SIMD(sub_epi32)(texel_of(x, grid->x, kind), first);
        const simd_words at = simd_plus(on, simd_and(simd_right_signed(on, 31), width));
        simd_store_words(columns->at + i, at);
        simd_store_words(columns->weights + i, weights_down(x, fixed));
        most = SIMD(max_epu32)(most, at);
        parts = simd_or(parts, x);
        away = simd_or(away, simd_xor(at, column));
        column = simd_plus(column, SIMD(set1_epi32)(SIMD_LANES));
    }
    columns->first = simd_first_word(first);
    columns->count = (size_t)simd_largest(most) + 2;
    columns->low = mirrored ? SIMD_LANES - 1 : 0;
    columns->in_line = simd_all_zero(away);
    columns->whole = columns->in_line && simd_all_zero(simd_and(parts, SIMD(set1_epi32)(255)));
    return columns->count <= GRID_MOST;
}

BASE_INLINE struct grid_row grid_row_of(float v, const struct grid *grid, struct kind kind,
                                        const struct fixed *fixed)
{
    const simd_words y = place_of(simd_all(v), grid->y, kind);
    const size_t row = simd_first_word(texel_of(y, grid->y, kind));
    return (struct grid_row){row * grid->pitch, y, weights_across(y, fixed)};
}

BASE_INLINE void mix_group(struct grid_texels *mixed, size_t at, simd_words top, simd_words bottom,
                           simd_words weights, const struct fixed *fixed)
{
    const struct pairs pairs = pairs_of(top, bottom, fixed);
    simd_store_words(mixed->blue_red + at, blended_bytes(pairs.blue_red, weights));
    simd_store_words(mixed->green_alpha + at, blended_bytes(pairs.green_alpha, weights));
}

/* `count` texels that lie side by side. */
BASE_INLINE void mix_texels(struct grid_texels *mixed, size_t at, size_t count, const uint32_t *top,
                            size_t pitch, simd_words weights, const struct fixed *fixed)
{
    size_t i = 0;
    for (; i + SIMD_LANES <= count; i += SIMD_LANES) {
        mix_group(mixed, at + i, simd_load_words(top + i), simd_load_words(top + pitch + i),
                  weights, fixed);
    }
    if (i < count) {
        const simd_lanes some = simd_lanes_below(count - i);
        mix_group(mixed, at + i, simd_load_some(top + i, some),
                  simd_load_some(top + pitch + i, some), weights, fixed);
    }
}

/* Between a texel and the one to its right. */
BASE_INLINE struct sums grid_sums(struct pairs left, struct pairs right, simd_words weights,
                                  struct wanted wanted, const struct fixed *fixed)
{
    const struct quads halves = quads_of(left, right);
    struct sums sums = no_sums();
    sums.red = wanted.red ? blended_halves(halves.red, weights, fixed) : sums.red;
    sums.green = wanted.green ? blended_halves(halves.green, weights, fixed) : sums.green;
    sums.blue = wanted.blue ? blended_halves(halves.blue, weights, fixed) : sums.blue;
    sums.alpha = wanted.alpha ? blended_halves(halves.alpha, weights, fixed) : sums.alpha;
    return sums;
}

BASE_INLINE struct pairs mixed_at(const struct grid_texels *mixed, size_t at)
{
    return (struct pairs){simd_load_words(mixed->blue_red + at),
                          simd_load_words(mixed->green_alpha + at)};
}

BASE_INLINE struct pairs mixed_picked(const struct grid_texels *mixed, size_t at, simd_words order)
{
    const struct pairs window = mixed_at(mixed, at);
    return (struct pairs){simd_pick(window.blue_red, order), simd_pick(window.green_alpha, order)};
}

BASE_INLINE struct pairs mixed_gathered(const struct grid_texels *mixed, size_t at,
                                        simd_words order, simd_lanes full)
{
    return (struct pairs){simd_gather(mixed->blue_red + at, order, full),
                          simd_gather(mixed->green_alpha + at, order, full)};
}

/* Of the columns from i on. */
BASE_INLINE struct sums picked_sums(const struct grid_texels *mixed,
                                    const struct grid_columns *columns, size_t i,
                                    const struct grid *grid, struct wanted wanted,
                                    const struct fixed *fixed)
{
    const simd_words weights = simd_load_words(columns->weights + i);
    if (columns->in_line) {
        return grid_sums(mixed_at(mixed, i), mixed_at(mixed, i + 1), weights, wanted, fixed);
    }
    const simd_words at = simd_load_words(columns->at + i);
    const size_t start = columns->at[i + columns->low];
    const simd_words order = SIMD(sub_epi32)(at, simd_all_words((uint32_t)start));
    if (simd_all_zero(simd_and(order, SIMD(set1_epi32)(-SIMD_LANES)))) {
        return grid_sums(mixed_picked(mixed, start, order), mixed_picked(mixed, start + 1, order),
                         weights, wanted, fixed);
    }
    return grid_sums(mixed_gathered(mixed, 0, at, grid->full),
                     mixed_gathered(mixed, 1, at, grid->full), weights, wanted, fixed);
}

/* Sums of a row of the tile go to the results from lane `to` on. */
BASE_INLINE void read_grid_row(float *const *result, size_t to, const struct grid_columns *columns,
                               const struct grid_row *row, const struct grid *grid,
                               struct wanted wanted, const struct fixed *fixed)
{
    const uint32_t *top = grid->texels + row->at;
    const bool around = columns->first + columns->count > (size_t)grid->width + 1;
    if (columns->whole && !around && (simd_first_word(row->y) & 255) == 0) {
        for (size_t i = 0; i < SHADER_TILE_COLUMNS; i += SIMD_LANES) {
            store_sums(result, to + i, exact(simd_load_words(top + columns->first + i)), wanted,
                       fixed);
        }
        return;
    }
    struct grid_texels mixed;
    const size_t before = around ? (size_t)grid->width - columns->first : columns->count;
    mix_texels(&mixed, 0, before, top + columns->first, grid->pitch, row->across, fixed);
    mix_texels(&mixed, before, columns->count - before, top, grid->pitch, row->across, fixed);
    for (size_t i = 0; i < SHADER_TILE_COLUMNS; i += SIMD_LANES) {
        store_sums(result, to + i, picked_sums(&mixed, columns, i, grid, wanted, fixed), wanted,
                   fixed);
    }
}

/* A read of a tile whose coordinates are a grid's. False if it must be done in another way. */
BASE_INLINE bool read_along_grid(const struct shader_read *read, const struct grid *grid,
                                 struct wanted wanted, struct kind kind, const struct fixed *fixed)
{
    struct grid_columns columns;
    if (!find_columns(&columns, &read->u, grid, kind, fixed)) {
        return false;
    }
    /* Results may stand where coordinates do. */
    struct grid_row rows[SHADER_TILE_ROWS];
    for (size_t r = 0; r < SHADER_TILE_ROWS; r++) {
        rows[r] =
            grid_row_of(*shader_read_lanes(&read->v, r * SHADER_TILE_COLUMNS), grid, kind, fixed);
    }
    for (size_t r = 0; r < SHADER_TILE_ROWS; r++) {
        read_grid_row(read->result, r * SHADER_TILE_COLUMNS, &columns, &rows[r], grid, wanted,
                      fixed);
    }
    return true;
}
#endif

#endif
