/* Filled triangles, row by row. An edge is always computed from its upper to its lower end, so that
 * two triangles that share it agree on every pixel. */
#include <math.h>

#include "renderer/draw.h"
#include "renderer/span.h"
#include "tmu/kernels.h"

enum { U = REND_SPAN_VALUES, V, ATTRIBUTES, CHUNK = 256 };
enum { TRIANGLE_COST = 64, ROW_COST = 16, TEXEL_COST = 4 }; /* in plain pixels */

/* Attributes as planes: value = at + x * per_x + y * per_y at pixel centres. */
struct plane {
    double at;
    double per_x;
    double per_y;
};

struct edge {
    double top;
    double bottom;
    double x; /* at the upper end */
    double slope;
};

struct triangle {
    struct plane planes[ATTRIBUTES];
    struct edge edges[3];
    rend_span_row blend_row;
    const struct tmu_kernels *kernels;
    struct tmu_sampler sampler; /* pixels NULL: no texture */
    float keep;
};

static struct edge edge_of(const struct rend_corner *a, const struct rend_corner *b)
{
    const bool swap = a->at.y > b->at.y || (a->at.y == b->at.y && a->at.x > b->at.x);
    const struct rend_corner *upper = swap ? b : a;
    const struct rend_corner *lower = swap ? a : b;
    const double x0 = (double)upper->at.x;
    const double y0 = (double)upper->at.y;
    const double height = (double)lower->at.y - y0;
    return (struct edge){y0, (double)lower->at.y, x0,
                         height > 0 ? ((double)lower->at.x - x0) / height : 0};
}

static void attributes_of(const struct rend_corner *corner, double values[ATTRIBUTES])
{
    values[REND_SPAN_BLUE] = corner->colour.b;
    values[REND_SPAN_GREEN] = corner->colour.g;
    values[REND_SPAN_RED] = corner->colour.r;
    values[REND_SPAN_ALPHA] = corner->colour.a;
    values[U] = isfinite(corner->u) ? (double)corner->u : 0.5;
    values[V] = isfinite(corner->v) ? (double)corner->v : 0.5;
}

/* Returns false for a triangle without area. */
static bool make_planes(struct triangle *triangle, const struct rend_corner *c)
{
    const double x0 = (double)c[0].at.x;
    const double y0 = (double)c[0].at.y;
    const double x1 = (double)c[1].at.x - x0;
    const double y1 = (double)c[1].at.y - y0;
    const double x2 = (double)c[2].at.x - x0;
    const double y2 = (double)c[2].at.y - y0;
    const double area = x1 * y2 - x2 * y1;
    if (!(fabs(area) > 1e-12)) {
        return false;
    }
    double base[ATTRIBUTES];
    double first[ATTRIBUTES];
    double second[ATTRIBUTES];
    attributes_of(&c[0], base);
    attributes_of(&c[1], first);
    attributes_of(&c[2], second);
    const double inverse = 1 / area;
    for (int i = 0; i < ATTRIBUTES; i++) {
        const double d1 = first[i] - base[i];
        const double d2 = second[i] - base[i];
        const double per_x = (d1 * y2 - d2 * y1) * inverse;
        const double per_y = (d2 * x1 - d1 * x2) * inverse;
        triangle->planes[i] =
            (struct plane){base[i] + (0.5 - x0) * per_x + (0.5 - y0) * per_y, per_x, per_y};
    }
    return true;
}

static double value_at(const struct plane *plane, int x, int y)
{
    return plane->at + x * plane->per_x + y * plane->per_y;
}

/* Texture coordinate in turns modulo 2^32, as the wrapping sampler reads it. */
static uint32_t turns_of(double coordinate)
{
    const double turns = coordinate * TMU_TURN;
    return fabs(turns) < 4e18 ? (uint32_t)(uint64_t)(int64_t)turns : 0;
}

static void sample_texels(const struct triangle *triangle, int x, int y, size_t count,
                          uint32_t *texels)
{
    int32_t u[CHUNK + 8];
    int32_t v[CHUNK + 8];
    const struct tmu_sampler *sampler = &triangle->sampler;
    const uint32_t at_u = turns_of(value_at(&triangle->planes[U], x, y) - 0.5 / sampler->width);
    const uint32_t at_v = turns_of(value_at(&triangle->planes[V], x, y) - 0.5 / sampler->height);
    const uint32_t step_u = turns_of(triangle->planes[U].per_x);
    const uint32_t step_v = turns_of(triangle->planes[V].per_x);
    const size_t readable = (count + 7) / 8 * 8;
    triangle->kernels->ramp(u, at_u, step_u, readable);
    triangle->kernels->ramp(v, at_v, step_v, readable);
    triangle->kernels->wrap(texels, u, v, count, sampler);
}

static void draw_chunk(const struct triangle *triangle, uint32_t *pixels, int x, int y,
                       size_t count)
{
    uint32_t texels[CHUNK + 8];
    struct rend_span span = {.keep = triangle->keep};
    for (int i = 0; i < REND_SPAN_VALUES; i++) {
        span.start[i] = (float)value_at(&triangle->planes[i], x, y);
        span.step[i] = (float)triangle->planes[i].per_x;
    }
    const bool textured = triangle->sampler.pixels != NULL;
    if (textured) {
        sample_texels(triangle, x, y, count, texels);
    }
    triangle->blend_row(&span, textured ? texels : NULL, pixels, count);
}

static int pixel_from(double position, int limit)
{
    const double first = ceil(position - 0.5);
    return first < 0 ? 0 : first > limit ? limit : (int)first;
}

/* The pixels of row y between the two edges that cross it. */
static void draw_row(const struct rend_canvas *canvas, const struct triangle *triangle, int y)
{
    const double centre = y + 0.5;
    double x[3];
    int crossings = 0;
    for (int i = 0; i < 3; i++) {
        const struct edge *edge = &triangle->edges[i];
        if (edge->top <= centre && edge->bottom > centre) {
            x[crossings++] = edge->x + (centre - edge->top) * edge->slope;
        }
    }
    if (crossings != 2) {
        return;
    }
    const int first = pixel_from(x[0] < x[1] ? x[0] : x[1], canvas->width);
    const int end = pixel_from(x[0] < x[1] ? x[1] : x[0], canvas->width);
    const int64_t each = triangle->sampler.pixels != NULL ? TEXEL_COST : 1;
    if (!rend_may_fill(canvas, ROW_COST + (end > first ? (end - first) * each : 0))) {
        return;
    }
    uint32_t *row = canvas->pixels + (size_t)y * canvas->stride;
    for (int at = first; at < end; at += CHUNK) {
        const int count = end - at < CHUNK ? end - at : CHUNK;
        draw_chunk(triangle, row + at, at, y, (size_t)count);
    }
}

static void set_kernels(struct triangle *triangle, const struct rend_canvas *canvas,
                        enum rend_blend blend, const struct tmu_surface *texture)
{
    triangle->blend_row = rend_span_for(canvas->cpu);
    triangle->kernels = tmu_kernels_for(canvas->cpu);
    triangle->keep = blend == REND_BLEND_ADDITIVE ? 1 : 0;
    if (texture != NULL) {
        triangle->sampler =
            (struct tmu_sampler){texture->pixels, (uint32_t)texture->stride,
                                 (uint32_t)texture->width, (uint32_t)texture->height, 255};
    }
}

void rend_draw_triangle(const struct rend_canvas *canvas, const struct rend_corner corners[3],
                        enum rend_blend blend, const struct tmu_surface *texture)
{
    struct triangle triangle = {.sampler = {0}};
    for (int i = 0; i < 3; i++) {
        const struct rend_corner *next = &corners[(i + 1) % 3];
        if (!isfinite(corners[i].at.x) || !isfinite(corners[i].at.y)) {
            return;
        }
        triangle.edges[i] = edge_of(&corners[i], next);
    }
    if (!rend_may_fill(canvas, TRIANGLE_COST) || !make_planes(&triangle, corners)) {
        return;
    }
    set_kernels(&triangle, canvas, blend, texture);
    const float top = fminf(fminf(corners[0].at.y, corners[1].at.y), corners[2].at.y);
    const float bottom = fmaxf(fmaxf(corners[0].at.y, corners[1].at.y), corners[2].at.y);
    const int end = pixel_from((double)bottom, canvas->height);
    for (int y = pixel_from((double)top, canvas->height); y < end; y++) {
        draw_row(canvas, &triangle, y);
    }
}
