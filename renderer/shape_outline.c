#include "renderer/shape_outline.h"

#include <math.h>

#include "renderer/shape_sides.h"

/* Fans that are smaller, in pixels, or lie beyond that are not looked at. */
static const double radius_least = 1;
static const double place_most = 1e5;

/* A fan and its outline. */
struct outline {
    const struct rend_canvas *canvas;
    const struct rend_span_kernels *kernels;
    const struct rend_corner *centre;
    const struct rend_corner *rim;
    int count;
    bool textured;
    struct rend_side sides[REND_FAN_SIDES];
    int first; /* rows */
    int end;
};

static double reach_of(const struct outline *outline)
{
    double reach = 0;
    for (int i = 0; i < outline->count; i++) {
        const struct rend_point a = outline->rim[i].at;
        const struct rend_point b = outline->centre->at;
        const double x = fabs((double)a.x - (double)b.x);
        const double y = fabs((double)a.y - (double)b.y);
        reach = fmax(reach, fmax(x, y));
    }
    return reach;
}

/* Whether no row's centre lies between the ends of more than two sides. */
static bool two_sides_per_row(const int *rows, int count)
{
    int turns = 0;
    int way = 0;
    int first_way = 0;
    for (int i = 0; i < count; i++) {
        const int next = (rows[i + 1] > rows[i]) - (rows[i + 1] < rows[i]);
        turns += next != 0 && way != 0 && next != way;
        way = next != 0 ? next : way;
        first_way = first_way != 0 ? first_way : way;
    }
    return turns + (way != first_way) <= 2;
}

static double area_of(const struct rend_corner *const c[3])
{
    const double x = (double)c[0]->at.x;
    const double y = (double)c[0]->at.y;
    return ((double)c[1]->at.x - x) * ((double)c[2]->at.y - y) -
           ((double)c[2]->at.x - x) * ((double)c[1]->at.y - y);
}

/* Whether the triangles draw, in each row, all pixels from one side of the outline to the other:
 * they go around the centre, none of them narrow, and each meets the next where they share a side.
 */
static bool triangles_fill(const struct outline *outline)
{
    const int height = outline->canvas->height;
    const double reach = reach_of(outline);
    if (!(reach >= radius_least && reach <= place_most)) {
        return false;
    }
    const double least = 1e-3 * reach * reach;
    int rows[REND_FAN_SIDES + 1];
    rows[0] = rend_pixel_from((double)outline->rim[0].at.y, height);
    bool left = true;
    bool right = true;
    for (int i = 0; i < outline->count; i++) {
        const struct rend_corner *const c[3] = {outline->centre, &outline->rim[i],
                                                &outline->rim[i + 1]};
        const double area = area_of(c);
        rows[i + 1] = rend_pixel_from((double)c[2]->at.y, height);
        left = left && area <= -least;
        right = right && area >= least;
    }
    return (left || right) && two_sides_per_row(rows, outline->count);
}

/* Returns false for a fan of which it is not known what it hides. */
static bool make_outline(struct outline *outline)
{
    const int count = outline->count;
    const int height = outline->canvas->height;
    const struct rend_corner *rim = outline->rim;
    const struct rend_point centre = outline->centre->at;
    if (!(fabsf(centre.x) < (float)place_most && fabsf(centre.y) < (float)place_most)) {
        return false;
    }
    outline->first = height;
    outline->end = 0;
    for (int i = 0; i < count; i++) {
        if (!rend_finite_point(rim[i].at) || !rend_finite_point(rim[i + 1].at)) {
            return false;
        }
        const struct rend_side side = rend_side_of(rim[i].at, rim[i + 1].at, height);
        outline->sides[i] = side;
        outline->first = side.first < outline->first ? side.first : outline->first;
        outline->end = side.end > outline->end ? side.end : outline->end;
    }
    outline->first = outline->first > outline->canvas->top ? outline->first : outline->canvas->top;
    outline->end = outline->end < outline->canvas->bottom ? outline->end : outline->canvas->bottom;
    return rend_fan_is_plain(outline->textured, outline->centre, rim, count) ||
           triangles_fill(outline);
}

/* Rows of the block that begins at y. */
static int rows_from(const struct outline *outline, int y)
{
    return outline->end - y < REND_ROWS ? outline->end - y : REND_ROWS;
}

static bool hidden(const struct outline *outline, const struct rend_cover *cover)
{
    struct rend_run runs[REND_ROWS];
    for (int y = outline->first; y < outline->end; y += REND_ROWS) {
        const int rows = rows_from(outline, y);
        rend_side_runs(outline->kernels, outline->canvas->width, outline->sides, outline->count, y,
                       rows, runs);
        for (int i = 0; i < rows; i++) {
            if (!rend_cover_hides(cover, y + i, runs[i])) {
                return false;
            }
        }
    }
    return true;
}

bool rend_fan_hidden(const struct rend_canvas *canvas, const struct rend_cover *cover,
                     const struct rend_corner *centre, const struct rend_corner *rim, int sides,
                     bool textured)
{
    struct outline outline;
    outline.canvas = canvas;
    outline.kernels = rend_span_kernels_for(canvas->cpu);
    outline.centre = centre;
    outline.rim = rim;
    outline.count = sides;
    outline.textured = textured;
    return make_outline(&outline) && hidden(&outline, cover);
}
