#include "renderer/draw/span.h"

#include <assert.h>

static int32_t times(int32_t a, int32_t b)
{
    return (a * b + (1 << 14)) >> 15;
}

/* The same, rounded down to an even number: what is rounded to whole levels afterwards keeps its
 * side of a half. */
static int32_t times_below(int32_t a, int32_t b)
{
    return (a * b >> 16) * 2;
}

static int32_t value_at(const struct rend_shade *shade, int k, int32_t share)
{
    return shade->from[k] + times(share, shade->more[k]);
}

static int32_t channel(int32_t colour, int32_t alpha, int32_t dst, enum rend_covering covering)
{
    int32_t sum = colour;
    if (covering == REND_BLENDED) {
        sum = dst + times_below(colour - dst, alpha);
    } else if (covering == REND_ADDED) {
        sum = dst + times_below(colour, alpha);
    }
    const int32_t level = (sum + REND_SPAN_LEVEL / 2) / REND_SPAN_LEVEL;
    return level < 255 ? level : 255;
}

/* What a shade draws over a pixel so far away. texel may be NULL. */
static uint32_t shaded(const struct rend_shade *shade, int32_t far, const uint32_t *texel,
                       uint32_t before)
{
    const enum rend_covering covering = rend_covering_of(shade);
    const int32_t low = far > 0 ? 2 * far : 0;
    const int32_t share = low < REND_SPAN_WHOLE ? low : REND_SPAN_WHOLE;
    const int32_t alpha = value_at(shade, REND_SPAN_ALPHA, share);
    uint32_t pixel = 0;
    for (int k = 0; k < REND_SPAN_ALPHA; k++) {
        int32_t colour = value_at(shade, k, share);
        if (texel != NULL) {
            const int32_t light = (int32_t)(*texel >> (8 * k) & 255) * REND_SPAN_LEVEL;
            colour = covering == REND_OPAQUE ? times_below(light, colour) : times(light, colour);
        }
        const int32_t dst = (int32_t)(before >> (8 * k) & 255) * REND_SPAN_LEVEL;
        pixel |= (uint32_t)channel(colour, alpha, dst, covering) << (8 * k);
    }
    return pixel;
}

/* For each side of a polygon upper(i per_x), i in 0..REND_DISTANCE_BLOCK - 1. */
struct side_ramps {
    int16_t place[REND_POLYGON_SIDES][REND_DISTANCE_BLOCK];
};

static size_t spokes_behind(const struct rend_distances *distances, int x, int y)
{
    const float down = (float)y + distances->from_y;
    const float across = (float)x + distances->from_x;
    const float length = down < 0 ? -down : down;
    const float place = down < 0 ? -across : across;
    size_t count = 0;
    for (size_t k = 0; k < distances->spokes; k++) {
        count += distances->slope[k] * length > place ? 1 : 0;
    }
    return count;
}

static int16_t larger(int16_t a, int16_t b)
{
    return a > b ? a : b;
}

/* How far the pixels of the block of row y that begins at x lie. */
static void find_far(int16_t far[REND_DISTANCE_BLOCK], const struct rend_distances *distances,
                     const struct side_ramps *ramps, int x, int y)
{
    for (int i = 0; i < REND_DISTANCE_BLOCK; i++) {
        far[i] = 0;
    }
    struct rend_side_range range = {0, distances != NULL ? distances->count : 0};
    if (distances != NULL && distances->spokes > 0) {
        range = rend_sides_between(distances, spokes_behind(distances, x, y),
                                   spokes_behind(distances, x + REND_DISTANCE_BLOCK - 1, y));
    }
    for (size_t number = range.first; number < range.first + range.count; number++) {
        const size_t k = number % distances->count;
        const uint32_t base = distances->at[k] + (uint32_t)x * distances->per_x[k] +
                              (uint32_t)y * distances->per_y[k];
        const int16_t upper = (int16_t)(uint16_t)(base >> 16);
        for (int i = 0; i < REND_DISTANCE_BLOCK; i++) {
            const int16_t side =
                (int16_t)(uint16_t)((unsigned)(uint16_t)upper + (uint16_t)ramps->place[k][i]);
            const int16_t opposite =
                distances->faced ? (int16_t)(uint16_t)(0U - (uint16_t)side) : side;
            far[i] = larger(far[i], larger(side, opposite));
        }
    }
}

static void pieces_plain(const struct rend_shade *shade, const struct rend_distances *distances,
                         const struct rend_piece *pieces, size_t count, const uint32_t *texels)
{
    struct side_ramps ramps;
    int16_t far[REND_DISTANCE_BLOCK];
    if (distances != NULL) {
        for (size_t k = 0; k < distances->count; k++) {
            for (uint32_t i = 0; i < REND_DISTANCE_BLOCK; i++) {
                ramps.place[k][i] = (int16_t)(uint16_t)(i * distances->per_x[k] >> 16);
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        const struct rend_piece *piece = &pieces[i];
        for (int x = piece->first; x < piece->end; x++) {
            const int in_block = (x - piece->block) % REND_DISTANCE_BLOCK;
            if (x == piece->first || in_block == 0) {
                find_far(far, distances, &ramps, x - in_block, piece->y);
            }
            const uint32_t *texel =
                texels != NULL ? texels + piece->texel + (x - piece->first) : NULL;
            piece->pixels[x] = shaded(shade, far[in_block], texel, piece->pixels[x]);
        }
    }
}

static void widen_plain(const struct rend_edge *edge, int y, int width, struct rend_run *runs,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double centre = y + (int)i + 0.5;
        const int32_t p = rend_pixel_from(edge->x + (centre - edge->y) * edge->slope, width);
        runs[i].first = p < runs[i].first ? p : runs[i].first;
        runs[i].end = p > runs[i].end ? p : runs[i].end;
    }
}

static void stroke_plain(const struct rend_stroke *stroke, const struct rend_tint *tint,
                         uint32_t *pixels)
{
    for (int major = stroke->first; major < stroke->stop; major++) {
        uint32_t *pixel = pixels + rend_stroke_at(stroke, major);
        *pixel = rend_tinted(*pixel, tint);
    }
}

static void shaded_stroke_plain(const struct rend_stroke *stroke, const struct rend_shade *shade,
                                const struct rend_ramp *ramp, uint32_t *pixels)
{
    for (int major = stroke->first; major < stroke->stop; major++) {
        uint32_t *pixel = pixels + rend_stroke_at(stroke, major);
        const uint32_t far = ramp->start + (uint32_t)(major - ramp->from) * ramp->step;
        *pixel = shaded(shade, (int32_t)far >> 16, NULL, *pixel);
    }
}

static void tint_plain(uint32_t colour, unsigned alpha, enum rend_blend blend, uint32_t *pixels,
                       size_t count)
{
    const struct rend_tint tint = rend_tint_of(colour, alpha, blend);
    for (size_t i = 0; i < count; i++) {
        pixels[i] = rend_tinted(pixels[i], &tint);
    }
}

const struct rend_span_kernels rend_span_kernels_plain = {pieces_plain, widen_plain, stroke_plain,
                                                          shaded_stroke_plain, tint_plain};

const struct rend_span_kernels *rend_span_kernels_for(enum base_cpu_level level)
{
    static const struct rend_span_kernels *const tables[BASE_CPU_LEVEL_COUNT] =
        BASE_CPU_LEVELS(&rend_span_kernels_plain, &rend_span_kernels_four, &rend_span_kernels_avx2,
                        &rend_span_kernels_avx512);
    assert(level < BASE_CPU_LEVEL_COUNT);
    return tables[level];
}
