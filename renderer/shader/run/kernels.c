/* What the executor computes with, in plain C: its operations, and reads of textures as texture.h
 * defines them, lane by lane. */
#include "renderer/shader/run/kernels.h"

#include <assert.h>
#include <math.h>

#include "renderer/shader/math/math.h"
#include "renderer/shader/run/kernels_body.h"

/* ---- operations ---- */

BASE_INLINE void loop_1(float *result, const float *a, size_t a_step, size_t count,
                        float (*function)(float a))
{
    for (size_t at = 0; at < count; at += SHADER_LANES) {
        for (size_t lane = 0; lane < SHADER_LANES; lane++) {
            result[at + lane] = function(a[lane]);
        }
        a += a_step;
    }
}

BASE_INLINE void loop_2(float *result, const float *a, size_t a_step, const float *b, size_t b_step,
                        size_t count, float (*function)(float a, float b))
{
    for (size_t at = 0; at < count; at += SHADER_LANES) {
        for (size_t lane = 0; lane < SHADER_LANES; lane++) {
            result[at + lane] = function(a[lane], b[lane]);
        }
        a += a_step;
        b += b_step;
    }
}

BASE_INLINE void loop_3(float *result, const float *a, size_t a_step, const float *b, size_t b_step,
                        const float *c, size_t c_step, size_t count,
                        float (*function)(float a, float b, float c))
{
    for (size_t at = 0; at < count; at += SHADER_LANES) {
        for (size_t lane = 0; lane < SHADER_LANES; lane++) {
            result[at + lane] = function(a[lane], b[lane], c[lane]);
        }
        a += a_step;
        b += b_step;
        c += c_step;
    }
}

BASE_INLINE void loop_4(float *result, const float *a, size_t a_step, const float *b, size_t b_step,
                        const float *c, size_t c_step, const float *d, size_t d_step, size_t count,
                        float (*function)(float a, float b, float c, float d))
{
    for (size_t at = 0; at < count; at += SHADER_LANES) {
        for (size_t lane = 0; lane < SHADER_LANES; lane++) {
            result[at + lane] = function(a[lane], b[lane], c[lane], d[lane]);
        }
        a += a_step;
        b += b_step;
        c += c_step;
        d += d_step;
    }
}

KERNELS(KERNEL_FUNCTION)

/* Whether some lane has this word. */
static bool holds(const struct shader_lanes *truth, size_t count, uint32_t word)
{
    const float *at = truth->at;
    for (size_t done = 0; done < count; done += SHADER_LANES) {
        for (size_t lane = 0; lane < SHADER_LANES; lane++) {
            if (simd_as_word(at[lane]) == word) {
                return true;
            }
        }
        at += truth->step;
    }
    return false;
}

static bool any(const struct shader_lanes *truth, size_t count)
{
    return holds(truth, count, UINT32_MAX);
}

static bool all(const struct shader_lanes *truth, size_t count)
{
    return !holds(truth, count, 0);
}

const struct shader_kernels shader_kernels_plain = {
    .compute = {KERNELS(KERNEL_ROW)}, .any = any, .all = all};

const struct shader_kernels *shader_kernels_for(enum base_cpu_level level)
{
    static const struct shader_kernels *const tables[BASE_CPU_LEVEL_COUNT] = BASE_CPU_LEVELS(
        &shader_kernels_plain, &shader_kernels_four, &shader_kernels_avx2, &shader_kernels_avx512);
    assert(level < BASE_CPU_LEVEL_COUNT);
    return tables[level];
}

/* ---- reads ---- */

static float lane(const struct shader_lanes *lanes, size_t i)
{
    return shader_read_lanes(lanes, i)[i % SHADER_LANES];
}

/* What a step within a quad adds along one axis to its square, in texels. */
static float square(const struct shader_lanes *lanes, size_t from, size_t to, int size)
{
    const float step = (lane(lanes, to) - lane(lanes, from)) * (float)size;
    return step * step;
}

/* The square of a step within a quad; 0 if it is not finite. */
static float step_square(const struct shader_read *read, size_t from, size_t to)
{
    const struct shader_level *level = &read->texture->level[0];
    float sum =
        square(&read->u, from, to, level->width) + square(&read->v, from, to, level->height);
    if (read->volume) {
        sum += square(&read->w, from, to, level->depth);
    }
    return isfinite(sum) ? sum : 0.0f;
}

/* Between the texture's largest and smallest level, in 256ths. */
static float detail_of(const struct shader_read *read, size_t i)
{
    float detail = 0.0f;
    if (read->texture->levels == 1) {
        return detail;
    }
    if (read->detail.at != NULL) {
        detail = lane(&read->detail, i);
    } else if (read->count == SHADER_TILE) {
        const size_t first = i % SHADER_TILE_COLUMNS / 2 * 2;
        const float right = step_square(read, first, first + SHADER_QUAD_RIGHT);
        const float down = step_square(read, first, first + SHADER_QUAD_DOWN);
        const float longest = right > down ? right : down;
        detail = longest > SHADER_READ_ENLARGED ? 0.5f * shader_log2(longest) : 0.0f;
    }
    if (read->bias.at != NULL) {
        detail += lane(&read->bias, i);
    }
    const float top = shader_read_top(read->texture);
    detail = detail > 0.0f ? detail : 0.0f;
    detail = detail < top ? detail : top;
    return (float)(int)(detail * 256.0f + 0.5f) / 256.0f;
}

struct spot {
    int texel;
    int weight; /* of the next one, in 256ths */
};

static struct spot spot_of(float c, int size, const struct shader_sampler *sampler)
{
    if (!isfinite(c)) {
        c = 0.0f;
    } else if (sampler->address == SHADER_REPEAT) {
        c -= floorf(c);
    } else {
        c = fminf(fmaxf(c, 0.0f), 1.0f);
    }
    const float along = c * (float)size;
    if (!sampler->linear) {
        const int texel = (int)along;
        return (struct spot){texel < size ? texel : size - 1, 0};
    }
    const int place = (int)(along * 256.0f + 0.5f) - 128;
    if (sampler->address == SHADER_CLAMP) {
        const int last = (size - 1) * 256;
        const int clamped = place < 0 ? 0 : place < last ? place : last;
        return (struct spot){clamped / 256, clamped % 256};
    }
    return place < 0 ? (struct spot){size - 1, place + 256}
                     : (struct spot){place / 256, place % 256};
}

struct place {
    struct spot x;
    struct spot y;
    struct spot z;
};

enum { CHANNELS = 4 };

/* Two channels in halves of a word, between two texels: each at most 255 * 256. */
static uint32_t across(const uint32_t *texels, unsigned shift, uint32_t weight)
{
    const uint32_t halves = UINT32_C(0x00FF00FF);
    return (texels[0] >> shift & halves) * (256 - weight) + (texels[1] >> shift & halves) * weight;
}

static float weighted(uint32_t above, uint32_t below, uint32_t weight)
{
    return (float)(int32_t)((above & UINT16_MAX) * (256 - weight) + (below & UINT16_MAX) * weight);
}

/* Sums of four texels by weights of 8 + 8 bits, as whole numbers. */
static void sum_slice(float sums[CHANNELS], const struct shader_level *level,
                      const struct place *place, int z)
{
    const uint32_t *top = level->texels + (size_t)z * level->slice +
                          (size_t)place->y.texel * level->pitch + (size_t)place->x.texel;
    const uint32_t *bottom = top + level->pitch;
    const uint32_t fx = (uint32_t)place->x.weight;
    const uint32_t fy = (uint32_t)place->y.weight;
    uint32_t above = across(top, 0, fx);
    uint32_t below = across(bottom, 0, fx);
    sums[0] = weighted(above >> 16, below >> 16, fy);
    sums[2] = weighted(above, below, fy);
    above = across(top, 8, fx);
    below = across(bottom, 8, fx);
    sums[1] = weighted(above, below, fy);
    sums[3] = weighted(above >> 16, below >> 16, fy);
}

static void lerp(float sums[CHANNELS], const float others[CHANNELS], float weight)
{
    for (size_t i = 0; i < CHANNELS; i++) {
        sums[i] += (others[i] - sums[i]) * weight;
    }
}

static void sum_level(float sums[CHANNELS], const struct shader_read *read,
                      const struct shader_level *level, size_t i)
{
    struct place place = {spot_of(lane(&read->u, i), level->width, &read->sampler),
                          spot_of(lane(&read->v, i), level->height, &read->sampler),
                          {0, 0}};
    if (read->volume) {
        place.z = spot_of(lane(&read->w, i), level->depth, &read->sampler);
    }
    sum_slice(sums, level, &place, place.z.texel);
    if (place.z.weight > 0) {
        float next[CHANNELS];
        sum_slice(next, level, &place, place.z.texel + 1 < level->depth ? place.z.texel + 1 : 0);
        lerp(sums, next, (float)place.z.weight / 256.0f);
    }
}

static void fill(float *result, size_t count, float number)
{
    for (size_t i = 0; result != NULL && i < count; i++) {
        result[i] = number;
    }
}

/* Results may stand where coordinates do: all details are found before. */
static void read_plain(const struct shader_read *read)
{
    assert(read->count == SHADER_TILE || read->count == SHADER_LANES);
    if (read->texture == NULL) {
        for (size_t k = 0; k < CHANNELS; k++) {
            fill(read->result[k], read->count, 0.0f);
        }
        return;
    }
    float details[SHADER_TILE];
    for (size_t i = 0; i < read->count; i++) {
        details[i] = detail_of(read, i);
    }
    for (size_t i = 0; i < read->count; i++) {
        const int level = (int)(read->sampler.linear ? details[i] : details[i] + 0.5f);
        const float weight = details[i] - (float)level;
        float sums[CHANNELS];
        sum_level(sums, read, &read->texture->level[level], i);
        if (read->sampler.linear && weight > 0.0f) {
            float next[CHANNELS];
            sum_level(next, read, &read->texture->level[level + 1], i);
            lerp(sums, next, weight);
        }
        for (size_t k = 0; k < CHANNELS; k++) {
            if (read->result[k] != NULL) {
                read->result[k][i] = sums[k] * SHADER_READ_FACTOR;
            }
        }
    }
    if (read->texture->opaque) {
        fill(read->result[3], read->count, 1.0f);
    }
}

const struct shader_read_kernels shader_read_plain = {.read = read_plain};

const struct shader_read_kernels *shader_read_for(enum base_cpu_level level)
{
    static const struct shader_read_kernels *const tables[BASE_CPU_LEVEL_COUNT] = BASE_CPU_LEVELS(
        &shader_read_plain, &shader_read_four, &shader_read_avx2, &shader_read_avx512);
    assert(level < BASE_CPU_LEVEL_COUNT);
    return tables[level];
}
