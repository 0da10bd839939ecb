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
    int64_t cost; /* but for the pixels */
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

static int64_t triangle_cost(const struct outline *outline, const struct rend_corner *const c[3],
                             const int rows[3])
{
    const int upper = rows[0] < rows[1] ? rows[0] : rows[1];
    const int lower = rows[0] > rows[1] ? rows[0] : rows[1];
    const int first = rows[2] < upper ? rows[2] : upper;
    const int end = rows[2] > lower ? rows[2] : lower;
    return REND_TRIANGLE_COST +
           (rend_invisible(outline->canvas, c) ? 0 : REND_ROW_COST * (int64_t)(end - first));
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
 * Adds up what they cost. */
static bool triangles_fill(struct outline *outline)
{
    const int height = outline->canvas->height;
    const int middle = rend_pixel_from((double)outline->centre->at.y, height);
    const double reach = reach_of(outline);
    if (!(reach >= radius_least && reach <= place_most)) {
        return false;
    }
    const double least = 1e-3 * reach * reach;
    int rows[REND_FAN_SIDES + 1];
    rows[0] = rend_pixel_from((double)outline->rim[0].at.y, height);
    bool left = true;
    bool right = true;
    outline->cost = 0;
    for (int i = 0; i < outline->count; i++) {
        const struct rend_corner *const c[3] = {outline->centre, &outline->rim[i],
                                                &outline->rim[i + 1]};
        const double area = area_of(c);
        rows[i + 1] = rend_pixel_from((double)c[2]->at.y, height);
        left = left && area <= -least;
        right = right && area >= least;
        outline->cost += triangle_cost(outline, c, (const int[3]){middle, rows[i], rows[i + 1]});
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
    if (!rend_fan_is_plain(outline->textured, outline->centre, rim, count)) {
        return triangles_fill(outline);
    }
    const int64_t rows = outline->end > outline->first ? outline->end - outline->first : 0;
    outline->cost = REND_TRIANGLE_COST * (int64_t)count + REND_ROW_COST * rows;
    return true;
}

/* Rows of the block that begins at y. */
static int rows_from(const struct outline *outline, int y)
{
    return outline->end - y < REND_ROWS ? outline->end - y : REND_ROWS;
}

/* Returns how many pixels they have. */
static int make_runs(const struct outline *outline, int y, struct rend_run runs[REND_ROWS])
{
    return rend_side_runs(outline->kernels, outline->canvas->width, outline->sides, outline->count,
                          y, rows_from(outline, y), runs);
}

static bool hidden(const struct outline *outline, const struct rend_cover *cover, int64_t *pixels)
{
    struct rend_run runs[REND_ROWS];
    *pixels = 0;
    for (int y = outline->first; y < outline->end; y += REND_ROWS) {
        *pixels += make_runs(outline, y, runs);
        for (int i = 0; i < rows_from(outline, y); i++) {
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
    int64_t pixels = 0;
    if (!make_outline(&outline) || !hidden(&outline, cover, &pixels)) {
        return false;
    }
    const int64_t each = textured ? REND_TEXEL_COST : 1;
    (void)rend_may_fill(canvas, outline.cost + pixels * each);
    return true;
}

/* A triangle crosses half as many rows as its sides do. Of a regular polygon the sides to the
 * centre cross, on average, at most 0.36 of its height, and those of the rim all together twice its
 * height. Its area is less than that of the ellipse around it. Rounding adds a little to each. */
int64_t rend_fan_cost_limit(const struct rend_canvas *canvas, int sides, float width, float height,
                            bool textured)
{
    const float rows = fminf(height, (float)canvas->height) + 2;
    const float columns = fminf(width, (float)canvas->width) + 2;
    const float crossed = fminf((float)sides * rows, (0.36f * (float)sides + 1) * (height + 4));
    const float pixels = fminf(rows * columns, 0.79f * (height + 2) * (width + 2));
    const int64_t each = textured ? REND_TEXEL_COST : 1;
    return REND_TRIANGLE_COST * (int64_t)sides +
           REND_ROW_COST * ((int64_t)crossed + 2 * (int64_t)sides) +
           each * ((int64_t)pixels + (int64_t)rows * sides);
}
