#if defined(__x86_64__)
#include "renderer/shader/math_eight.h"

#include <assert.h>

#include "renderer/shader/read.h"

/* What holds for all lanes; a constant where a loop is called, so that each kind has a loop of its
 * own. */
struct kind {
    enum shader_address address;
    bool linear;
    bool volume;
    bool colour; /* red, green and blue are wanted, alpha is not */
};

BASE_INLINE __m256i load(const uint32_t *words)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)words);
}

/* ---- places ---- */

struct axis {
    __m256 scale; /* from turns to places: 256ths of texels; whole ones if nearest */
    __m256i last; /* clamped places; else the last texel */
};

BASE_INLINE struct axis axis_of(int size, struct kind kind)
{
    const int unit = kind.linear ? 256 : 1;
    const int last = kind.linear && kind.address == SHADER_CLAMP ? (size - 1) * 256 : size - 1;
    return (struct axis){_mm256_set1_ps((float)(size * unit)), _mm256_set1_epi32(last)};
}

/* max gives its second operand where the first is NaN: c - floor(c) of what is not finite. */
BASE_INLINE __m256 turn_of(__m256 c, enum shader_address address)
{
    const __m256 zero = _mm256_setzero_ps();
    if (address == SHADER_REPEAT) {
        return _mm256_max_ps(_mm256_sub_ps(c, lane_floor(c)), zero);
    }
    const __m256 finite = _mm256_cmp_ps(_mm256_mul_ps(c, zero), zero, _CMP_EQ_OQ);
    return _mm256_min_ps(_mm256_max_ps(_mm256_and_ps(c, finite), zero), _mm256_set1_ps(1.0f));
}

BASE_INLINE __m256i place_of(__m256 c, struct axis axis, struct kind kind)
{
    const __m256 along = _mm256_mul_ps(turn_of(c, kind.address), axis.scale);
    if (!kind.linear) {
        return _mm256_min_epi32(_mm256_cvttps_epi32(along), axis.last);
    }
    const __m256i rounded = _mm256_cvttps_epi32(_mm256_add_ps(along, _mm256_set1_ps(0.5f)));
    const __m256i place = _mm256_sub_epi32(rounded, _mm256_set1_epi32(128));
    if (kind.address == SHADER_CLAMP) {
        return _mm256_min_epi32(_mm256_max_epi32(place, _mm256_setzero_si256()), axis.last);
    }
    return place;
}

/* Repeated, -1 is the last one: as a number without sign it is beyond all. */
BASE_INLINE __m256i texel_of(__m256i place, struct axis axis, struct kind kind)
{
    if (!kind.linear) {
        return place;
    }
    if (kind.address == SHADER_CLAMP) {
        return _mm256_srli_epi32(place, 8);
    }
    return _mm256_min_epu32(_mm256_srai_epi32(place, 8), axis.last);
}

/* 255 - fx for the left byte of each pair, which is its second, fx for the right one. */
BASE_INLINE __m256i weights_across(__m256i place)
{
    const __m256i spread = _mm256_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12, 0,
                                            0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
    return _mm256_xor_si256(_mm256_shuffle_epi8(place, spread), _mm256_set1_epi16(-256));
}

/* 256 - fy in the lower half of each word, fy in the upper. */
BASE_INLINE __m256i weights_down(__m256i place)
{
    const __m256i spread =
        _mm256_setr_epi8(0, -1, 0, -1, 4, -1, 4, -1, 8, -1, 8, -1, 12, -1, 12, -1, 0, -1, 0, -1, 4,
                         -1, 4, -1, 8, -1, 8, -1, 12, -1, 12, -1);
    const __m256i negated =
        _mm256_xor_si256(_mm256_shuffle_epi8(place, spread), _mm256_set1_epi32(0xFFFF));
    return _mm256_add_epi16(negated, _mm256_set1_epi32(257));
}

/* ---- texels ---- */

/* Sums of texels by weights of 8 + 8 bits. */
struct sums {
    __m256 red;
    __m256 green;
    __m256 blue;
    __m256 alpha;
};

BASE_INLINE struct sums no_sums(void)
{
    const __m256 zero = _mm256_setzero_ps();
    return (struct sums){zero, zero, zero, zero};
}

/* Which of them somebody wants. */
struct wanted {
    bool red;
    bool green;
    bool blue;
    bool alpha;
};

/* Bytes of eight pixels in pairs, the right texel's and the left one's; less 128. */
struct pairs {
    __m256i blue_red;
    __m256i green_alpha;
};

BASE_INLINE struct pairs less_128(__m256i blue_red, __m256i green_alpha)
{
    const __m256i sign = _mm256_set1_epi8(-128);
    return (struct pairs){_mm256_xor_si256(blue_red, sign), _mm256_xor_si256(green_alpha, sign)};
}

/* A gather without a mask would wait for what its register held before: `full` is one of which the
 * compiler cannot know that it has all bits. */
BASE_INLINE __m256i gather_pairs(const uint32_t *texels, __m128i at, __m256i full)
{
    const __m256i order = _mm256_setr_epi8(4, 0, 6, 2, 5, 1, 7, 3, 12, 8, 14, 10, 13, 9, 15, 11, 4,
                                           0, 6, 2, 5, 1, 7, 3, 12, 8, 14, 10, 13, 9, 15, 11);
    const __m256i found = _mm256_mask_i32gather_epi64(
        _mm256_setzero_si256(), (const long long *)(const void *)texels, at, full, sizeof *texels);
    return _mm256_shuffle_epi8(found, order);
}

/* grouped: pixels 0 1 4 5 2 3 6 7, so that what works inside 128-bit halves puts them in order. */
BASE_INLINE struct pairs gathered(const uint32_t *texels, __m256i grouped, __m256i full)
{
    const __m256 a =
        _mm256_castsi256_ps(gather_pairs(texels, _mm256_castsi256_si128(grouped), full));
    const __m256 b =
        _mm256_castsi256_ps(gather_pairs(texels, _mm256_extracti128_si256(grouped, 1), full));
    return less_128(_mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88)),
                    _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xDD)));
}

/* Nine texels in a row. */
BASE_INLINE struct pairs neighbours(const uint32_t *texels)
{
    const __m256i even = _mm256_set1_epi16(255);
    const __m256i left = load(texels);
    const __m256i right = load(texels + 1);
    const __m256i blue_red =
        _mm256_or_si256(_mm256_and_si256(right, even), _mm256_slli_epi16(left, 8));
    const __m256i green_alpha =
        _mm256_or_si256(_mm256_srli_epi16(right, 8), _mm256_andnot_si256(even, left));
    return less_128(blue_red, green_alpha);
}

/* Two channels of eight pixels, less 32768. */
BASE_INLINE __m256i blended_across(__m256i pairs, __m256i weights)
{
    return _mm256_add_epi16(_mm256_maddubs_epi16(weights, pairs), _mm256_srai_epi16(pairs, 8));
}

BASE_INLINE __m256 blended_down(__m256i rows, __m256i weights)
{
    const __m256i sum = _mm256_madd_epi16(rows, weights);
    return _mm256_cvtepi32_ps(_mm256_add_epi32(sum, _mm256_set1_epi32(32768 * 256)));
}

/* The channels in the lower and in the upper halves of words. */
BASE_INLINE __m256 lower(__m256i top, __m256i bottom, __m256i weights)
{
    return blended_down(_mm256_blend_epi16(top, _mm256_slli_epi32(bottom, 16), 0xAA), weights);
}

BASE_INLINE __m256 upper(__m256i top, __m256i bottom, __m256i weights)
{
    return blended_down(_mm256_blend_epi16(_mm256_srli_epi32(top, 16), bottom, 0xAA), weights);
}

struct weights {
    __m256i across;
    __m256i down;
};

BASE_INLINE struct sums blended(struct pairs top, struct pairs bottom, struct weights weights,
                                struct wanted wanted)
{
    struct sums sums = no_sums();
    if (wanted.blue || wanted.red) {
        const __m256i above = blended_across(top.blue_red, weights.across);
        const __m256i below = blended_across(bottom.blue_red, weights.across);
        sums.blue = wanted.blue ? lower(above, below, weights.down) : sums.blue;
        sums.red = wanted.red ? upper(above, below, weights.down) : sums.red;
    }
    if (wanted.green || wanted.alpha) {
        const __m256i above = blended_across(top.green_alpha, weights.across);
        const __m256i below = blended_across(bottom.green_alpha, weights.across);
        sums.green = wanted.green ? lower(above, below, weights.down) : sums.green;
        sums.alpha = wanted.alpha ? upper(above, below, weights.down) : sums.alpha;
    }
    return sums;
}

BASE_INLINE __m256 third_byte(__m256i words)
{
    return _mm256_cvtepi32_ps(_mm256_and_si256(words, _mm256_set1_epi32(255 << 16)));
}

/* The texels themselves. */
BASE_INLINE struct sums exact(__m256i texels)
{
    return (struct sums){
        third_byte(texels),
        third_byte(_mm256_slli_epi32(texels, 8)),
        third_byte(_mm256_slli_epi32(texels, 16)),
        third_byte(_mm256_srli_epi32(texels, 8)),
    };
}

BASE_INLINE __m256 mixed(__m256 a, __m256 b, __m256 weight)
{
    return _mm256_add_ps(a, _mm256_mul_ps(_mm256_sub_ps(b, a), weight));
}

BASE_INLINE struct sums mixed_sums(struct sums a, struct sums b, __m256 weight)
{
    return (struct sums){mixed(a.red, b.red, weight), mixed(a.green, b.green, weight),
                         mixed(a.blue, b.blue, weight), mixed(a.alpha, b.alpha, weight)};
}

BASE_INLINE struct sums chosen_sums(__m256i truth, struct sums yes, struct sums no)
{
    return (struct sums){
        lane_choose(truth, yes.red, no.red), lane_choose(truth, yes.green, no.green),
        lane_choose(truth, yes.blue, no.blue), lane_choose(truth, yes.alpha, no.alpha)};
}

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
