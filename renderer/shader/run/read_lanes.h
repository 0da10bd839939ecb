/* Texture reads over vectors; quads_at finds the texels of a bilinear read, details_of what
 * shader_read_details_avx2 tells; both are defined before, with read_texels.h. Empty without
 * base/simd.h. */
#ifndef RENDERER_SHADER_RUN_READ_LANES_H
#define RENDERER_SHADER_RUN_READ_LANES_H

#if defined(BASE_SIMD)
#include <assert.h>

#include "renderer/shader/run/kernels.h"
#include "renderer/shader/run/read_grid.h"
#include "renderer/shader/run/read_texels.h"

/* Whether the texels of all lanes follow each other in memory. */
BASE_INLINE bool in_line(simd_words at)
{
    const simd_words first = simd_all_first(at);
    return simd_all_zero(simd_xor(at, simd_plus(first, simd_words_in_order())));
}

BASE_INLINE const uint32_t *first_of(const uint32_t *texels, simd_words at)
{
    return texels + simd_first_word(at);
}

BASE_INLINE struct sums nearest(const struct grid *grid, simd_words at)
{
    if (in_line(at)) {
        return exact(simd_load_words(first_of(grid->texels, at)));
    }
    return exact(simd_gather(grid->texels, at, grid->full));
}

BASE_INLINE struct sums scattered(const struct grid *grid, simd_words at, simd_words column,
                                  struct weights weights, struct wanted wanted,
                                  const struct fixed *fixed)
{
    uint32_t places[SIMD_LANES];
    simd_store_words(places, at);
    return blended(quads_at(grid, at, column, places, fixed), weights, wanted, fixed);
}

BASE_INLINE struct sums in_a_row(const struct grid *grid, const uint32_t *first, simd_words x,
                                 simd_words y, struct wanted wanted, const struct fixed *fixed)
{
    if (simd_all_zero(simd_and(simd_or(x, y), simd_all_words(255)))) {
        return exact(simd_load_words(first));
    }
    const struct weights weights = {weights_across(x, fixed), weights_down(y, fixed)};
    const struct quads quads =
        quads_of(neighbours(first, fixed), neighbours(first + grid->pitch, fixed));
    return blended(quads, weights, wanted, fixed);
}

BASE_INLINE struct sums picture(const struct grid *grid, simd_words at, simd_words column,
                                simd_words x, simd_words y, struct wanted wanted,
                                const struct fixed *fixed)
{
    if (in_line(at)) {
        return in_a_row(grid, first_of(grid->texels, at), x, y, wanted, fixed);
    }
    const struct weights weights = {weights_across(x, fixed), weights_down(y, fixed)};
    return scattered(grid, at, column, weights, wanted, fixed);
}

/* The slice after the last is the first, or has no weight. */
BASE_INLINE struct sums volume(const struct grid *grid, simd_words at, simd_words column,
                               struct weights weights, simd_words place_z, simd_words z,
                               struct wanted wanted, const struct fixed *fixed)
{
    const simd_words part = simd_and(place_z, SIMD(set1_epi32)(255));
    const simd_words here = SIMD(mullo_epi32)(z, grid->slice);
    const simd_words next =
        simd_and_not(simd_equal_words(z, grid->last_slice), simd_plus(here, grid->slice));
    const struct sums a = scattered(grid, simd_plus(at, here), column, weights, wanted, fixed);
    const struct sums b = scattered(grid, simd_plus(at, next), column, weights, wanted, fixed);
    return lerp_sums(a, b, simd_mul(simd_signed_whole(part), simd_all(1.0f / 256.0f)));
}

/* ---- reads ---- */

BASE_INLINE simd_floats lanes_at(const struct shader_lanes *lanes, size_t i)
{
    return lanes->step != 0 ? simd_load(lanes->at + i) : simd_load_equal(lanes->at);
}

struct coordinates {
    simd_floats u;
    simd_floats v;
    simd_floats w;
};

BASE_INLINE struct coordinates coordinates_at(const struct shader_read *read, size_t i,
                                              struct kind kind)
{
    return (struct coordinates){
        lanes_at(&read->u, i),
        lanes_at(&read->v, i),
        kind.volume ? lanes_at(&read->w, i) : simd_all(0.0f),
    };
}

BASE_INLINE struct sums sums_of(const struct grid *grid, struct coordinates coordinates,
                                struct wanted wanted, struct kind kind, const struct fixed *fixed)
{
    const simd_words x = place_of(coordinates.u, grid->x, kind);
    const simd_words y = place_of(coordinates.v, grid->y, kind);
    const simd_words column = texel_of(x, grid->x, kind);
    const simd_words at =
        simd_plus(column, SIMD(madd_epi16)(texel_of(y, grid->y, kind), grid->row));
    if (!kind.volume) {
        return kind.linear ? picture(grid, at, column, x, y, wanted, fixed) : nearest(grid, at);
    }
    const simd_words place_z = place_of(coordinates.w, grid->z, kind);
    const simd_words z = texel_of(place_z, grid->z, kind);
    if (kind.linear) {
        const struct weights weights = {weights_across(x, fixed), weights_down(y, fixed)};
        return volume(grid, at, column, weights, place_z, z, wanted, fixed);
    }
    return nearest(grid, simd_plus(at, SIMD(mullo_epi32)(z, grid->slice)));
}

/* A read and what becomes of it; details are NULL where all is of the largest level. */
struct plan {
    const struct shader_read *read;
    struct wanted wanted;
    const float *details;
};

BASE_INLINE struct wanted wanted_of(const struct plan *plan, struct kind kind)
{
    return kind.colour ? (struct wanted){true, true, true, false} : plan->wanted;
}

BASE_INLINE void read_largest(const struct plan *plan, struct kind kind)
{
    const struct shader_read read = *plan->read;
    const struct wanted wanted = wanted_of(plan, kind);
    const struct grid grid = grid_of(&read.texture->level[0], kind);
    const struct fixed fixed = fixed_words();
    for (size_t i = 0; i < read.count; i += SIMD_LANES) {
        const struct sums sums =
            sums_of(&grid, coordinates_at(&read, i, kind), wanted, kind, &fixed);
        store_sums(read.result, i, sums, wanted, &fixed);
    }
}

/* Where all lanes read a picture's largest level. They are found first, so that the processor works
 * on many of them at a time, and what waits for texels waits for nothing else. */
struct places {
    uint32_t x[SHADER_TILE];
    uint32_t y[SHADER_TILE];
    uint32_t at[SHADER_TILE];
    bool in_line[SHADER_TILE / SIMD_LANES];
};

BASE_INLINE void find_place(struct places *places, size_t i, simd_floats u, simd_floats v,
                            const struct grid *grid, struct kind kind)
{
    const simd_words x = place_of(u, grid->x, kind);
    const simd_words y = place_of(v, grid->y, kind);
    const simd_words at = simd_plus(texel_of(x, grid->x, kind),
                                    SIMD(madd_epi16)(texel_of(y, grid->y, kind), grid->row));
    simd_store_words(places->x + i, x);
    simd_store_words(places->y + i, y);
    simd_store_words(places->at + i, at);
}

/* Whether a row of the tile goes through texels about as through pixels. */
BASE_INLINE bool may_be_in_line(const struct shader_read *read)
{
    const size_t last = SHADER_TILE_COLUMNS - 1;
    const struct shader_level *level = &read->texture->level[0];
    const float *u = read->u.at;
    const float *v = read->v.at;
    return read->count == SHADER_TILE && read->u.step != 0 && read->v.step != 0 &&
           fabsf((u[last] - u[0]) * (float)level->width - (float)last) < 4.0f &&
           fabsf((v[last] - v[0]) * (float)level->height) < 4.0f;
}

/* Returns whether some are in line. */
BASE_INLINE bool find_places(struct places *places, const struct grid *grid,
                             const struct shader_read *read, struct kind kind)
{
    if (read->u.step == 0 || read->v.step == 0) {
        for (size_t i = 0; i < read->count; i += SIMD_LANES) {
            find_place(places, i, lanes_at(&read->u, i), lanes_at(&read->v, i), grid, kind);
        }
        return false;
    }
    for (size_t i = 0; i < read->count; i += SIMD_LANES) {
        find_place(places, i, simd_load(read->u.at + i), simd_load(read->v.at + i), grid, kind);
    }
    const bool lines = may_be_in_line(read);
    for (size_t i = 0; lines && i < read->count; i += SIMD_LANES) {
        places->in_line[i / SIMD_LANES] = in_line(simd_load_words(places->at + i));
    }
    return lines;
}

BASE_INLINE void read_picture(const struct plan *plan, struct kind kind)
{
    const struct shader_read read = *plan->read;
    const struct wanted wanted = wanted_of(plan, kind);
    const struct grid grid = grid_of(&read.texture->level[0], kind);
    const struct fixed fixed = fixed_words();
    if (read.grid && read_along_grid(&read, &grid, wanted, kind, &fixed)) {
        return;
    }
    struct places places;
    const bool lines = find_places(&places, &grid, &read, kind);
    for (size_t i = 0; i < read.count; i += SIMD_LANES) {
        const simd_words x = simd_load_words(places.x + i);
        const simd_words y = simd_load_words(places.y + i);
        const uint32_t *at = places.at + i;
        if (lines && places.in_line[i / SIMD_LANES]) {
            store_sums(read.result, i, in_a_row(&grid, grid.texels + *at, x, y, wanted, &fixed),
                       wanted, &fixed);
            continue;
        }
        const struct quads quads =
            quads_at(&grid, simd_load_words(at), texel_of(x, grid.x, kind), at, &fixed);
        const struct weights weights = {weights_across(x, &fixed), weights_down(y, &fixed)};
        store_sums(read.result, i, blended(quads, weights, wanted, &fixed), wanted, &fixed);
    }
}

/* Every level that some lane needs is read for all of them. */
BASE_INLINE struct sums sums_of_levels(const struct shader_level *levels,
                                       struct coordinates coordinates, simd_floats detail,
                                       struct wanted wanted, struct kind kind,
                                       const struct fixed *fixed)
{
    const simd_floats rounded = kind.linear ? detail : simd_add(detail, simd_all(0.5f));
    const simd_words first = SIMD(cvttps_epi32)(rounded);
    const simd_floats part = simd_sub(detail, simd_signed_whole(first));
    /* A truth is -1. */
    const simd_words second =
        kind.linear ? SIMD(sub_epi32)(first, simd_lt(simd_all(0.0f), part)) : first;
    struct sums sums = no_sums();
    struct sums next = no_sums();
    const int end = simd_largest(second);
    for (int i = simd_smallest(first); i <= end; i++) {
        const struct grid grid = grid_of(&levels[i], kind);
        const struct sums found = sums_of(&grid, coordinates, wanted, kind, fixed);
        const simd_words level = SIMD(set1_epi32)(i);
        sums = select_sums(simd_equal_words(first, level), found, sums);
        next = select_sums(simd_equal_words(second, level), found, next);
    }
    return kind.linear ? lerp_sums(sums, next, part) : sums;
}

BASE_INLINE void read_levels(const struct plan *plan, struct kind kind)
{
    const struct shader_read read = *plan->read;
    const struct wanted wanted = wanted_of(plan, kind);
    const struct fixed fixed = fixed_words();
    for (size_t i = 0; i < read.count; i += SIMD_LANES) {
        const simd_floats detail = simd_load(plan->details + i);
        const struct sums sums = sums_of_levels(read.texture->level, coordinates_at(&read, i, kind),
                                                detail, wanted, kind, &fixed);
        store_sums(read.result, i, sums, wanted, &fixed);
    }
}

#define READER(name, address, linear, volume, colour)                                              \
    static void name(const struct plan *plan)                                                      \
    {                                                                                              \
        const struct kind kind = {address, linear, volume, colour};                                \
        if (plan->details != NULL) {                                                               \
            read_levels(plan, kind);                                                               \
        } else if (linear && !(volume)) {                                                          \
            read_picture(plan, kind);                                                              \
        } else {                                                                                   \
            read_largest(plan, kind);                                                              \
        }                                                                                          \
    }
#define READERS(name, linear, volume)                                                              \
    READER(repeat_##name, SHADER_REPEAT, linear, volume, false)                                    \
    READER(clamp_##name, SHADER_CLAMP, linear, volume, false)                                      \
    READER(repeat_##name##_colour, SHADER_REPEAT, linear, volume, true)                            \
    READER(clamp_##name##_colour, SHADER_CLAMP, linear, volume, true)

READERS(nearest, false, false)
READERS(linear, true, false)
READERS(nearest_volume, false, true)
READERS(linear_volume, true, true)

#define ROW(name)                                                                                  \
    {                                                                                              \
        {repeat_##name, repeat_##name##_colour}, {clamp_##name, clamp_##name##_colour},            \
    }

static void read_plan(const struct plan *plan)
{
    /* volume, linear, address, colour */
    static void (*const readers[2][2][2][2])(const struct plan *plan) = {
        {ROW(nearest), ROW(linear)},
        {ROW(nearest_volume), ROW(linear_volume)},
    };
    const struct shader_read *read = plan->read;
    const struct wanted wanted = plan->wanted;
    const bool colour = wanted.red && wanted.green && wanted.blue && !wanted.alpha;
    readers[read->volume][read->sampler.linear][read->sampler.address][colour](plan);
}

static void fill(float *result, size_t count, float number)
{
    for (size_t i = 0; result != NULL && i < count; i += SIMD_LANES) {
        simd_store(result + i, simd_all(number));
    }
}

/* What is constant is filled in last: results may stand where coordinates do. */
static void read_lanes(const struct shader_read *read)
{
    const struct shader_texture *texture = read->texture;
    float *const *result = read->result;
    assert(read->count == SHADER_TILE || read->count == SHADER_LANES);
    if (texture == NULL) {
        for (int k = 0; k < CHANNELS; k++) {
            fill(result[k], read->count, 0.0f);
        }
        return;
    }
    float details[SHADER_TILE];
    const bool reduced = texture->levels > 1 && details_of(read, details);
    const struct plan plan = {
        .read = read,
        .wanted = {result[RED] != NULL, result[GREEN] != NULL, result[BLUE] != NULL,
                   result[ALPHA] != NULL && !texture->opaque},
        .details = reduced ? details : NULL,
    };
    read_plan(&plan);
    if (texture->opaque) {
        fill(result[ALPHA], read->count, 1.0f);
    }
}
#endif

#endif
