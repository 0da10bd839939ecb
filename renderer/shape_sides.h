/* What triangles, fans and what hides them share: sides, and the runs of pixels between them. An
 * edge is always computed from its upper to its lower end, so that two triangles that share it
 * agree on every pixel. */
#ifndef RENDERER_SHAPE_SIDES_H
#define RENDERER_SHAPE_SIDES_H

#include <math.h>

#include "renderer/draw.h"

/* Rows are worked on in blocks of this size. */
enum { REND_ROWS = 64 };

/* A corner's u or v as it is used. */
static inline double rend_texture_place(float place)
{
    return isfinite(place) ? (double)place : 0.5;
}

static inline struct rend_side rend_side_of(struct rend_point a, struct rend_point b, int height)
{
    const bool swap = a.y > b.y || (a.y == b.y && a.x > b.x);
    const struct rend_point upper = swap ? b : a;
    const struct rend_point lower = swap ? a : b;
    const double x = (double)upper.x;
    const double y = (double)upper.y;
    const double down = (double)lower.y - y;
    return (struct rend_side){
        .edge = {x, y, down > 0 ? ((double)lower.x - x) / down : 0},
        .first = rend_pixel_from(y, height),
        .end = rend_pixel_from((double)lower.y, height),
    };
}

/* The runs of up to REND_ROWS rows from y on inside of the sides of a convex polygon. */
static inline void rend_side_runs(const struct rend_span_kernels *kernels, int width,
                                  const struct rend_side *sides, int count, int y, int rows,
                                  struct rend_run runs[REND_ROWS])
{
    if (count == 3) {
        kernels->triangle(sides, y, width, runs, (size_t)rows);
        return;
    }
    for (int i = 0; i < rows; i++) {
        runs[i] = (struct rend_run){width, 0};
    }
    for (int i = 0; i < count; i++) {
        const int first = sides[i].first > y ? sides[i].first : y;
        const int end = sides[i].end < y + rows ? sides[i].end : y + rows;
        if (end > first) {
            kernels->widen(&sides[i].edge, first, width, runs + (first - y), (size_t)(end - first));
        }
    }
}

/* A triangle of which nothing is drawn, by twice its area. */
static inline bool rend_without_area(double area)
{
    return !(fabs(area) > 1e-12);
}

/* Nothing of a triangle would be seen. */
static inline bool rend_invisible(const struct rend_canvas *canvas,
                                  const struct rend_corner *const c[3])
{
    const float width = (float)canvas->width;
    const float height = (float)canvas->height;
    const bool clear = c[0]->colour.a == 0 && c[1]->colour.a == 0 && c[2]->colour.a == 0;
    const bool left = c[0]->at.x < 0 && c[1]->at.x < 0 && c[2]->at.x < 0;
    const bool right = c[0]->at.x > width && c[1]->at.x > width && c[2]->at.x > width;
    const bool above = c[0]->at.y < 0 && c[1]->at.y < 0 && c[2]->at.y < 0;
    const bool below = c[0]->at.y > height && c[1]->at.y > height && c[2]->at.y > height;
    return clear || left || right || above || below;
}

/* Whether a fan may be drawn at one go: everything has one colour. */
static inline bool rend_fan_is_plain(bool textured, const struct rend_corner *centre,
                                     const struct rend_corner *rim, int sides)
{
    const struct rend_colour a = centre->colour;
    const struct rend_colour b = rim[0].colour;
    const bool same = a.r == b.r && a.g == b.g && a.b == b.b && a.a == b.a;
    bool plain = !textured && same && sides <= REND_FAN_SIDES && rend_finite_point(centre->at);
    for (int i = 0; i <= sides && plain; i++) {
        plain = rend_finite_point(rim[i].at);
    }
    return plain;
}

#endif
