#if defined(__x86_64__)
#include "renderer/shader/read_eight.h"

#include <assert.h>

#include "renderer/shader/read.h"

/* ---- levels ---- */

struct grid {
    const uint32_t *texels;
    size_t pitch;
    struct axis x;
    struct axis y;
    struct axis z;
    __m256i row;   /* pitch */
    __m256i slice; /* texels from one to the next */
    __m256i last_slice;
    __m256i full;
};

BASE_INLINE struct grid grid_of(const struct shader_level *level, struct kind kind)
{
    assert(level->pitch <= INT16_MAX);
    const __m256i row = _mm256_set1_epi32((int)level->pitch);
    return (struct grid){
        .texels = level->texels,
        .pitch = level->pitch,
        .x = axis_of(level->width, kind),
        .y = axis_of(level->height, kind),
        .z = axis_of(level->depth, kind),
        .row = row,
        .slice = _mm256_set1_epi32((int)level->slice),
        .last_slice = _mm256_set1_epi32(level->depth - 1),
        .full = _mm256_cmpgt_epi32(row, _mm256_setzero_si256()),
    };
}

/* Whether the lanes' texels lie one behind the other. */
BASE_INLINE bool in_line(__m256i at)
{
    const __m256i index = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i first = _mm256_broadcastd_epi32(_mm256_castsi256_si128(at));
    const __m256i other = _mm256_xor_si256(at, _mm256_add_epi32(first, index));
    return _mm256_testz_si256(other, other) != 0;
}

BASE_INLINE const uint32_t *first_of(const uint32_t *texels, __m256i at)
{
    return texels + (uint32_t)_mm_cvtsi128_si32(_mm256_castsi256_si128(at));
}

BASE_INLINE struct sums nearest(const struct grid *grid, __m256i at)
{
    if (in_line(at)) {
        return exact(load(first_of(grid->texels, at)));
    }
    return exact(_mm256_mask_i32gather_epi32(_mm256_setzero_si256(),
                                             (const int *)(const void *)grid->texels, at,
                                             grid->full, sizeof *grid->texels));
}

BASE_INLINE struct sums scattered(const struct grid *grid, __m256i at, struct weights weights,
                                  struct wanted wanted)
{
    const __m256i grouped = _mm256_permute4x64_epi64(at, 0xD8);
    return blended(gathered(grid->texels, grouped, grid->full),
                   gathered(grid->texels + grid->pitch, grouped, grid->full), weights, wanted);
}

BASE_INLINE struct sums picture(const struct grid *grid, __m256i at, __m256i x, __m256i y,
                                struct wanted wanted)
{
    const struct weights weights = {weights_across(x), weights_down(y)};
    if (!in_line(at)) {
        return scattered(grid, at, weights, wanted);
    }
    const uint32_t *first = first_of(grid->texels, at);
    if (_mm256_testz_si256(_mm256_or_si256(x, y), _mm256_set1_epi32(255))) {
        return exact(load(first));
    }
    return blended(neighbours(first), neighbours(first + grid->pitch), weights, wanted);
}

/* The slice behind the last is the first, or has no weight. */
BASE_INLINE struct sums volume(const struct grid *grid, __m256i at, struct weights weights,
                               __m256i place_z, __m256i z, struct wanted wanted)
{
    const __m256i part = _mm256_and_si256(place_z, _mm256_set1_epi32(255));
    const __m256i here = _mm256_mullo_epi32(z, grid->slice);
    const __m256i next = _mm256_andnot_si256(_mm256_cmpeq_epi32(z, grid->last_slice),
                                             _mm256_add_epi32(here, grid->slice));
    const struct sums a = scattered(grid, _mm256_add_epi32(at, here), weights, wanted);
    const struct sums b = scattered(grid, _mm256_add_epi32(at, next), weights, wanted);
    return mixed_sums(a, b, _mm256_mul_ps(_mm256_cvtepi32_ps(part), _mm256_set1_ps(1.0f / 256.0f)));
}

/* ---- reads ---- */

struct coordinates {
    __m256 u;
    __m256 v;
    __m256 w;
};

BASE_INLINE struct coordinates coordinates_at(const struct shader_read *read, size_t i,
                                              struct kind kind)
{
    return (struct coordinates){
        _mm256_loadu_ps(shader_read_lanes(&read->u, i)),
        _mm256_loadu_ps(shader_read_lanes(&read->v, i)),
        kind.volume ? _mm256_loadu_ps(shader_read_lanes(&read->w, i)) : _mm256_setzero_ps(),
    };
}

BASE_INLINE struct sums sums_of(const struct grid *grid, struct coordinates coordinates,
                                struct wanted wanted, struct kind kind)
{
    const __m256i x = place_of(coordinates.u, grid->x, kind);
    const __m256i y = place_of(coordinates.v, grid->y, kind);
    const __m256i at = _mm256_add_epi32(texel_of(x, grid->x, kind),
                                        _mm256_madd_epi16(texel_of(y, grid->y, kind), grid->row));
    if (!kind.volume) {
        return kind.linear ? picture(grid, at, x, y, wanted) : nearest(grid, at);
    }
    const __m256i place_z = place_of(coordinates.w, grid->z, kind);
    const __m256i z = texel_of(place_z, grid->z, kind);
    if (kind.linear) {
        const struct weights weights = {weights_across(x), weights_down(y)};
        return volume(grid, at, weights, place_z, z, wanted);
    }
    return nearest(grid, _mm256_add_epi32(at, _mm256_mullo_epi32(z, grid->slice)));
}

enum { RED, GREEN, BLUE, ALPHA, CHANNELS };

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

BASE_INLINE void store(float *result, __m256 sum)
{
    _mm256_storeu_ps(result, _mm256_mul_ps(sum, _mm256_set1_ps(SHADER_READ_FACTOR)));
}

BASE_INLINE void store_sums(float *const result[CHANNELS], size_t i, struct sums sums,
                            struct wanted wanted)
{
    if (wanted.red) {
        store(result[RED] + i, sums.red);
    }
    if (wanted.green) {
        store(result[GREEN] + i, sums.green);
    }
    if (wanted.blue) {
        store(result[BLUE] + i, sums.blue);
    }
    if (wanted.alpha) {
        store(result[ALPHA] + i, sums.alpha);
    }
}

BASE_INLINE void read_largest(const struct plan *plan, struct kind kind)
{
    const struct shader_read read = *plan->read;
    const struct wanted wanted = wanted_of(plan, kind);
    const struct grid grid = grid_of(&read.texture->level[0], kind);
    for (size_t i = 0; i < read.count; i += SHADER_LANES) {
        store_sums(read.result, i, sums_of(&grid, coordinates_at(&read, i, kind), wanted, kind),
                   wanted);
    }
}

/* Of eight small numbers. */
BASE_INLINE int smallest(__m256i numbers)
{
    const __m128i words =
        _mm_packus_epi32(_mm256_castsi256_si128(numbers), _mm256_extracti128_si256(numbers, 1));
    return _mm_extract_epi16(_mm_minpos_epu16(words), 0);
}

BASE_INLINE int largest(__m256i numbers)
{
    return INT16_MAX - smallest(_mm256_sub_epi32(_mm256_set1_epi32(INT16_MAX), numbers));
}

/* Every level that some lane needs is read for all of them. */
BASE_INLINE struct sums sums_of_levels(const struct shader_level *levels,
                                       struct coordinates coordinates, __m256 detail,
                                       struct wanted wanted, struct kind kind)
{
    const __m256 rounded = kind.linear ? detail : _mm256_add_ps(detail, _mm256_set1_ps(0.5f));
    const __m256i first = _mm256_cvttps_epi32(rounded);
    const __m256 part = _mm256_sub_ps(detail, _mm256_cvtepi32_ps(first));
    /* A truth is -1. */
    const __m256i second =
        kind.linear ? _mm256_sub_epi32(first, lane_lt(_mm256_setzero_ps(), part)) : first;
    struct sums sums = no_sums();
    struct sums next = no_sums();
    const int end = largest(second);
    for (int i = smallest(first); i <= end; i++) {
        const struct grid grid = grid_of(&levels[i], kind);
        const struct sums found = sums_of(&grid, coordinates, wanted, kind);
        const __m256i level = _mm256_set1_epi32(i);
        sums = chosen_sums(_mm256_cmpeq_epi32(first, level), found, sums);
        next = chosen_sums(_mm256_cmpeq_epi32(second, level), found, next);
    }
    return kind.linear ? mixed_sums(sums, next, part) : sums;
}

BASE_INLINE void read_levels(const struct plan *plan, struct kind kind)
{
    const struct shader_read read = *plan->read;
    const struct wanted wanted = wanted_of(plan, kind);
    for (size_t i = 0; i < read.count; i += SHADER_LANES) {
        const __m256 detail = _mm256_loadu_ps(plan->details + i);
        store_sums(read.result, i,
                   sums_of_levels(read.texture->level, coordinates_at(&read, i, kind), detail,
                                  wanted, kind),
                   wanted);
    }
}

#define READER(name, address, linear, volume, colour)                                              \
    static void name(const struct plan *plan)                                                      \
    {                                                                                              \
        const struct kind kind = {address, linear, volume, colour};                                \
        if (plan->details == NULL) {                                                               \
            read_largest(plan, kind);                                                              \
        } else {                                                                                   \
            read_levels(plan, kind);                                                               \
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
    for (size_t i = 0; result != NULL && i < count; i += SHADER_LANES) {
        _mm256_storeu_ps(result + i, _mm256_set1_ps(number));
    }
}

/* What is constant is filled in last: results may stand where coordinates do. */
static void read_avx2(const struct shader_read *read)
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
    const bool reduced = texture->levels > 1 && shader_read_details_avx2(read, details);
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

const struct shader_read_kernels shader_read_avx2 = {.read = read_avx2};
#endif
