/* What a fan's rows are worked out from, eight triangles at a time: planes over its triangles, its
 * sides, and where rows cross its rim. For fan_avx512.c; empty without AVX-512. */
#ifndef RENDERER_FAN_TABLES_AVX512_H
#define RENDERER_FAN_TABLES_AVX512_H

#if defined(__AVX512F__)
#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "renderer/fan.h"
#include "renderer/shape_sides.h"
#include "renderer/span_sixteen.h"

#include "renderer/span_pixel.h"

/* Room for as many triangles, and vectors from the last one on. */
enum { TRIANGLES = REND_FAN_SIDES + 2 + LANES };

/* Planes over the pixels: how far from the centre they lie, and where in the texture. */
enum { PLANE_FAR, PLANE_U, PLANE_V, PLANES };

struct plane {
    alignas(64) double at[TRIANGLES];
    double per_x[TRIANGLES];
    double per_y[TRIANGLES];
};

/* What is known of a fan's triangles and vertices, in the order of the plan. */
struct tables {
    struct plane plane[PLANES];
    alignas(64) int32_t step[TRIANGLES]; /* farther, per pixel */
    uint32_t turn[2][TRIANGLES];         /* per pixel in the texture, of 2^32 */
    double x[TRIANGLES];                 /* vertices */
    double y[TRIANGLES];
    double slope[TRIANGLES]; /* of the side from the centre to a vertex, x per row */
    struct {
        double x[TRIANGLES];
        double y[TRIANGLES];
        double slope[TRIANGLES];
    } side;                               /* of the rim, from its upper end */
    int32_t begin[REND_FAN_ROWS + LANES]; /* where a row crosses the rim: before its first spoke */
    int32_t end[REND_FAN_ROWS + LANES];   /* and behind its last one */
};

/* ---- triangles ---- */

/* What eight triangles have in common. */
struct corners {
    doubles x1;
    doubles y1;
    doubles x2;
    doubles y2;
    doubles inverse; /* of twice the area */
    doubles from_x;  /* from the centre to the first pixel's */
    doubles from_y;
};

BASE_INLINE struct corners corners_of(const struct tables *tables, size_t j, double x, double y)
{
    struct corners c;
    c.x1 = _mm512_sub_pd(_mm512_loadu_pd(tables->x + j), _mm512_set1_pd(x));
    c.y1 = _mm512_sub_pd(_mm512_loadu_pd(tables->y + j), _mm512_set1_pd(y));
    c.x2 = _mm512_sub_pd(_mm512_loadu_pd(tables->x + j + 1), _mm512_set1_pd(x));
    c.y2 = _mm512_sub_pd(_mm512_loadu_pd(tables->y + j + 1), _mm512_set1_pd(y));
    const doubles area = _mm512_sub_pd(_mm512_mul_pd(c.x1, c.y2), _mm512_mul_pd(c.x2, c.y1));
    c.inverse = _mm512_div_pd(_mm512_set1_pd(1), area);
    c.from_x = _mm512_set1_pd(0.5 - x);
    c.from_y = _mm512_set1_pd(0.5 - y);
    return c;
}

/* The plane through a value at the centre and what is more at the other two corners. */
BASE_INLINE void set_plane(struct plane *plane, size_t j, const struct corners *c, double value,
                           doubles d1, doubles d2)
{
    const doubles per_x = _mm512_mul_pd(
        _mm512_sub_pd(_mm512_mul_pd(d1, c->y2), _mm512_mul_pd(d2, c->y1)), c->inverse);
    const doubles per_y = _mm512_mul_pd(
        _mm512_sub_pd(_mm512_mul_pd(d2, c->x1), _mm512_mul_pd(d1, c->x2)), c->inverse);
    const doubles moved = _mm512_add_pd(_mm512_set1_pd(value), _mm512_mul_pd(c->from_x, per_x));
    _mm512_storeu_pd(plane->at + j, _mm512_add_pd(moved, _mm512_mul_pd(c->from_y, per_y)));
    _mm512_storeu_pd(plane->per_x + j, per_x);
    _mm512_storeu_pd(plane->per_y + j, per_y);
}

static void set_far(struct tables *tables, const struct rend_fan *fan)
{
    const doubles one = _mm512_set1_pd(1);
    struct plane *plane = &tables->plane[PLANE_FAR];
    for (size_t j = 0; j <= (size_t)fan->sides; j += HALF_LANES) {
        const struct corners corners =
            corners_of(tables, j, (double)fan->centre->at.x, (double)fan->centre->at.y);
        set_plane(plane, j, &corners, 0, one, one);
        half_words_store(tables->step + j, fixed_of(_mm512_loadu_pd(plane->per_x + j)));
    }
}

/* Texture coordinates as parts of 2^32 of a turn. */
BASE_INLINE half_words turns_of(doubles coordinates)
{
    const doubles turns = _mm512_mul_pd(coordinates, _mm512_set1_pd(4294967296.0));
    const __mmask8 fine =
        _mm512_cmp_pd_mask(_mm512_abs_pd(turns), _mm512_set1_pd(4e18), _CMP_LT_OQ);
    return _mm512_cvtepi64_epi32(_mm512_maskz_cvttpd_epi64(fine, turns));
}

static void set_places(struct tables *tables, const struct rend_fan *fan, int shift)
{
    double at[2][TRIANGLES];
    const double centre[2] = {rend_texture_place(fan->centre->u),
                              rend_texture_place(fan->centre->v)};
    int corner = shift;
    for (int j = 0; j <= fan->sides + 1; j++) {
        at[0][j] = rend_texture_place(fan->rim[corner].u) - centre[0];
        at[1][j] = rend_texture_place(fan->rim[corner].v) - centre[1];
        corner = corner + 1 == fan->sides ? 0 : corner + 1;
    }
    for (size_t j = 0; j <= (size_t)fan->sides; j += HALF_LANES) {
        const struct corners corners =
            corners_of(tables, j, (double)fan->centre->at.x, (double)fan->centre->at.y);
        for (int k = 0; k < 2; k++) {
            struct plane *plane = &tables->plane[PLANE_U + k];
            set_plane(plane, j, &corners, centre[k], _mm512_loadu_pd(at[k] + j),
                      _mm512_loadu_pd(at[k] + j + 1));
            half_words_store((int32_t *)tables->turn[k] + j,
                             turns_of(_mm512_loadu_pd(plane->per_x + j)));
        }
    }
}

static void set_vertices(struct tables *tables, const struct rend_fan *fan,
                         const struct rend_fan_plan *plan)
{
    const doubles x = _mm512_set1_pd((double)fan->centre->at.x);
    const doubles y = _mm512_set1_pd((double)fan->centre->at.y);
    for (size_t j = 0; j <= (size_t)fan->sides + 1; j += HALF_LANES) {
        const doubles to_x = _mm512_cvtps_pd(_mm256_loadu_ps(plan->x + plan->shift + j));
        const doubles to_y = _mm512_cvtps_pd(_mm256_loadu_ps(plan->y + plan->shift + j));
        _mm512_storeu_pd(tables->x + j, to_x);
        _mm512_storeu_pd(tables->y + j, to_y);
        _mm512_storeu_pd(tables->slope + j,
                         _mm512_div_pd(_mm512_sub_pd(to_x, x), _mm512_sub_pd(to_y, y)));
    }
}

/* The sides of the rim, each from its upper end. */
static void set_sides(struct tables *tables, int count)
{
    for (size_t j = 0; j <= (size_t)count; j += HALF_LANES) {
        const doubles x1 = _mm512_loadu_pd(tables->x + j);
        const doubles y1 = _mm512_loadu_pd(tables->y + j);
        const doubles x2 = _mm512_loadu_pd(tables->x + j + 1);
        const doubles y2 = _mm512_loadu_pd(tables->y + j + 1);
        const __mmask8 swap = _mm512_cmp_pd_mask(y1, y2, _CMP_GT_OQ);
        _mm512_storeu_pd(tables->side.x + j, _mm512_mask_mov_pd(x1, swap, x2));
        _mm512_storeu_pd(tables->side.y + j, _mm512_mask_mov_pd(y1, swap, y2));
        _mm512_storeu_pd(tables->side.slope + j,
                         _mm512_div_pd(_mm512_sub_pd(x2, x1), _mm512_sub_pd(y2, y1)));
    }
}

/* ---- where rows cross sides ---- */

/* The first pixels whose centres are not left of it. */
BASE_INLINE half_words pixels_from(doubles x, doubles limit)
{
    const doubles first = _mm512_ceil_pd(_mm512_sub_pd(x, _mm512_set1_pd(0.5)));
    return _mm512_cvttpd_epi32(_mm512_min_pd(_mm512_max_pd(first, _mm512_setzero_pd()), limit));
}

BASE_INLINE half_words rim_crossed(const struct tables *tables, half_words side, doubles centre,
                                   doubles limit)
{
    const doubles x = _mm512_i32gather_pd(side, tables->side.x, 8);
    const doubles y = _mm512_i32gather_pd(side, tables->side.y, 8);
    const doubles slope = _mm512_i32gather_pd(side, tables->side.slope, 8);
    return pixels_from(_mm512_add_pd(x, _mm512_mul_pd(_mm512_sub_pd(centre, y), slope)), limit);
}

static void cross_rim(struct tables *tables, const struct rend_fan_plan *plan, int width)
{
    const doubles limit = _mm512_set1_pd(width);
    const int rows = plan->end - plan->first;
    for (int i = 0; i < rows; i += HALF_LANES) {
        const doubles centre =
            _mm512_add_pd(_mm512_set1_pd(plan->first + i + 0.5), doubles_in_order());
        const half_words both =
            _mm256_maskz_loadu_epi32((__mmask8)lanes_below((size_t)(rows - i)), &plan->spokes[i]);
        const half_words last = _mm256_srai_epi32(both, 16);
        const half_words first = _mm256_srai_epi32(_mm256_slli_epi32(both, 16), 16);
        const half_words before =
            _mm256_max_epi32(_mm256_sub_epi32(first, _mm256_set1_epi32(1)), _mm256_setzero_si256());
        half_words_store(tables->begin + i, rim_crossed(tables, before, centre, limit));
        half_words_store(tables->end + i, rim_crossed(tables, last, centre, limit));
    }
}
#endif

#endif
