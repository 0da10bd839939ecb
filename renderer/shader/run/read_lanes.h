/* Texture reads over vectors; details_of, which tells what shader_read_details_avx2 does, is
 * defined before. Empty without base/simd.h. */
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

BASE_INLINE simd_floats lanes_at(const struct shader_lanes *lanes, size_t i)
{
    return lanes->step != 0 ? simd_load(lanes->at + i) : simd_load_equal(lanes->at);
}

BASE_INLINE simd_words at_of(simd_words x, simd_words y, const struct grid *grid, struct kind kind)
{
    return simd_plus(texel_of(x, grid->x, kind),
                     SIMD(madd_epi16)(texel_of(y, grid->y, kind), grid->row));
}

BASE_INLINE struct sums nearest_at(const struct shader_read *read, size_t i,
                                   const struct grid *grid, struct kind kind)
{
    const simd_words x = place_of(lanes_at(&read->u, i), grid->x, kind);
    const simd_words y = place_of(lanes_at(&read->v, i), grid->y, kind);
    simd_words at = at_of(x, y, grid, kind);
    if (kind.volume) {
        const simd_words z = place_of(lanes_at(&read->w, i), grid->z, kind);
        at = simd_plus(at, SIMD(mullo_epi32)(z, grid->slice));
    }
    if (in_line(at)) {
        return exact(simd_load_words(grid->texels + simd_first_word(at)));
    }
    return exact(simd_gather(grid->texels, at, grid->full));
}

/* Where lanes of a tile read a level, bilinear. They are found first, so that the processor works
 * on many of them at a time, and what waits for texels waits for nothing else. */
struct places {
    uint32_t x[SHADER_TILE];
    uint32_t y[SHADER_TILE];
    uint32_t at[SHADER_TILE];
    uint32_t next[SHADER_TILE]; /* volumes: the same of the next slice */
    float part[SHADER_TILE];    /* and its weight */
    bool in_line[SHADER_TILE / SIMD_LANES];
    bool lines; /* some are in line */
};

BASE_INLINE void find_place(struct places *places, size_t i, simd_floats u, simd_floats v,
                            const struct shader_lanes *w, const struct grid *grid, struct kind kind)
{
    const simd_words x = place_of(u, grid->x, kind);
    const simd_words y = place_of(v, grid->y, kind);
    const simd_words at = at_of(x, y, grid, kind);
    simd_store_words(places->x + i, x);
    simd_store_words(places->y + i, y);
    if (!kind.volume) {
        simd_store_words(places->at + i, at);
        return;
    }
    const simd_words place_z = place_of(lanes_at(w, i), grid->z, kind);
    const simd_words z = texel_of(place_z, grid->z, kind);
    const simd_words here = SIMD(mullo_epi32)(z, grid->slice);
    /* The slice after the last is the first, or has no weight. */
    const simd_words next =
        simd_and_not(simd_equal_words(z, grid->last_slice), simd_plus(here, grid->slice));
    const simd_words part = simd_and(place_z, SIMD(set1_epi32)(255));
    simd_store_words(places->at + i, simd_plus(at, here));
    simd_store_words(places->next + i, simd_plus(at, next));
    simd_store(places->part + i, simd_mul(simd_signed_whole(part), simd_all(1.0f / 256.0f)));
}

/* Whether a row of the tile goes through texels about as through pixels. */
BASE_INLINE bool may_be_in_line(const struct shader_read *read, const struct grid *grid)
{
    const size_t last = SHADER_TILE_COLUMNS - 1;
    const float *u = read->u.at;
    const float *v = read->v.at;
    return read->count == SHADER_TILE && read->u.step != 0 && read->v.step != 0 &&
           fabsf((u[last] - u[0]) * (float)grid->width - (float)last) < 4.0f &&
           fabsf((v[last] - v[0]) * (float)grid->height) < 4.0f;
}

/* Which lanes a level is read for; all of them where `first` is NULL. */
struct needed {
    const uint32_t *first;
    const uint32_t *second;
    uint32_t level;
};

BASE_INLINE bool is_needed(const struct needed *needed, size_t i)
{
    if (needed->first == NULL) {
        return true;
    }
    const simd_words level = simd_all_words(needed->level);
    return !simd_all_zero(simd_or(simd_equal_words(simd_load_words(needed->first + i), level),
                                  simd_equal_words(simd_load_words(needed->second + i), level)));
}

BASE_INLINE void find_places(struct places *places, const struct grid *grid,
                             const struct shader_read *read, const struct needed *needed,
                             struct kind kind)
{
    if (read->u.step != 0 && read->v.step != 0) {
        for (size_t i = 0; i < read->count; i += SIMD_LANES) {
            if (is_needed(needed, i)) {
                find_place(places, i, simd_load(read->u.at + i), simd_load(read->v.at + i),
                           &read->w, grid, kind);
            }
        }
    } else {
        for (size_t i = 0; i < read->count; i += SIMD_LANES) {
            find_place(places, i, lanes_at(&read->u, i), lanes_at(&read->v, i), &read->w, grid,
                       kind);
        }
    }
    places->lines = !kind.volume && needed->first == NULL && may_be_in_line(read, grid);
    for (size_t i = 0; places->lines && i < read->count; i += SIMD_LANES) {
        places->in_line[i / SIMD_LANES] = in_line(simd_load_words(places->at + i));
    }
}

/* ---- sums ---- */

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

BASE_INLINE struct sums sums_at(const struct places *places, size_t i, const struct grid *grid,
                                struct wanted wanted, struct kind kind, const struct fixed *fixed)
{
    const uint32_t *at = places->at + i;
    const simd_words x = simd_load_words(places->x + i);
    const simd_words y = simd_load_words(places->y + i);
    if (places->lines && places->in_line[i / SIMD_LANES]) {
        return in_a_row(grid, grid->texels + *at, x, y, wanted, fixed);
    }
    const struct weights weights = {weights_across(x, fixed), weights_down(y, fixed)};
    const struct sums sums = blended(quads_at(grid, at, fixed), weights, wanted, fixed);
    if (!kind.volume) {
        return sums;
    }
    const struct quads next = quads_at(grid, places->next + i, fixed);
    return lerp_sums(sums, blended(next, weights, wanted, fixed), simd_load(places->part + i));
}

/* ---- reads ---- */

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
    static const struct needed all = {NULL, NULL, 0};
    const struct shader_read read = *plan->read;
    const struct wanted wanted = wanted_of(plan, kind);
    const struct grid grid = grid_of(&read.texture->level[0], kind);
    const struct fixed fixed = fixed_words();
    if (!kind.linear) {
        for (size_t i = 0; i < read.count; i += SIMD_LANES) {
            store_sums(read.result, i, nearest_at(&read, i, &grid, kind), wanted, &fixed);
        }
        return;
    }
    if (read.grid && !kind.volume && read_along_grid(&read, &grid, wanted, kind, &fixed)) {
        return;
    }
    struct places places;
    find_places(&places, &grid, &read, &all, kind);
    for (size_t i = 0; i < read.count; i += SIMD_LANES) {
        store_sums(read.result, i, sums_at(&places, i, &grid, wanted, kind, &fixed), wanted,
                   &fixed);
    }
}

#include "renderer/shader/run/read_levels.h"

#define READER(name, address, linear, volume, colour)                                              \
    static void name(const struct plan *plan)                                                      \
    {                                                                                              \
        const struct kind kind = {address, linear, volume, colour};                                \
        if (plan->details != NULL) {                                                               \
            read_levels(plan, kind);                                                               \
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
