/* Lines and strips. */
#include <math.h>
#include <string.h>

#include "renderer/draw.h"

/* What setting up a line costs, in pixels. */
enum { LINE_COST = 16 };

struct line {
    struct rend_stroke stroke;
    double length; /* along the major axis, signed */
    int limit;     /* of minor */
};

/* floor(position - 0.5) + 1, bounded by 0 and limit */
static int pixel_after(double position, int limit)
{
    const double last = position - 0.5;
    return last < 0 ? 0 : last >= limit ? limit : (int)last + 1;
}

static struct line line_of(const struct rend_canvas *canvas, struct rend_point from,
                           struct rend_point to)
{
    const double dx = (double)to.x - (double)from.x;
    const double dy = (double)to.y - (double)from.y;
    const bool steep = fabs(dy) > fabs(dx);
    const int32_t stride = (int32_t)canvas->stride;
    struct line line = {
        .stroke = {.major = steep ? (double)from.y : (double)from.x,
                   .minor = steep ? (double)from.x : (double)from.y,
                   .major_step = steep ? stride : 1,
                   .minor_step = steep ? 1 : stride},
        .length = steep ? dy : dx,
        .limit = steep ? canvas->width : canvas->height,
    };
    const double end = line.stroke.major + line.length;
    const int limit = steep ? canvas->height : canvas->width;
    line.stroke.slope = line.length == 0 ? 0 : (steep ? dx : dy) / line.length;
    /* pixel centres from `from` inclusive to `to` exclusive, in either direction */
    if (line.length < 0) {
        line.stroke.first = pixel_after(end, limit);
        line.stroke.stop = pixel_after(line.stroke.major, limit);
    } else {
        line.stroke.first = rend_pixel_from(line.stroke.major, limit);
        line.stroke.stop = rend_pixel_from(end, limit);
    }
    return line;
}

/* The first major from which on the line is beyond the bound, in the direction in which it goes. */
static int first_beyond(const struct rend_stroke *stroke, double bound)
{
    int low = stroke->first;
    int high = stroke->stop;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if ((rend_minor_at(stroke, middle) >= bound) == (stroke->slope >= 0)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static bool inside(const struct line *line, int major)
{
    const double minor = rend_minor_at(&line->stroke, major);
    return minor >= 0 && minor < line->limit;
}

/* Leaves the part that lies on the canvas. Rounding keeps `minor` going in one direction. */
static void clip(struct line *line)
{
    struct rend_stroke *stroke = &line->stroke;
    if (stroke->first >= stroke->stop ||
        (inside(line, stroke->first) && inside(line, stroke->stop - 1))) {
        return;
    }
    const bool rising = stroke->slope >= 0;
    const int first = first_beyond(stroke, rising ? 0 : line->limit);
    stroke->stop = first_beyond(stroke, rising ? line->limit : 0);
    stroke->first = first;
}

static uint32_t packed(struct rend_colour colour)
{
    return (uint32_t)colour.r << 16 | (uint32_t)colour.g << 8 | colour.b;
}

static inline uint8_t mixed(uint8_t from, uint8_t to, double t)
{
    return (uint8_t)(int)(from + (to - from) * t + 0.5);
}

static struct rend_colour colour_between(struct rend_colour from, struct rend_colour to, double t)
{
    return (struct rend_colour){mixed(from.r, to.r, t), mixed(from.g, to.g, t),
                                mixed(from.b, to.b, t), mixed(from.a, to.a, t)};
}

static void draw_gradient(const struct line *line, uint32_t *pixels, struct rend_colour from,
                          struct rend_colour to, enum rend_blend blend)
{
    const struct rend_stroke *stroke = &line->stroke;
    for (int major = stroke->first; major < stroke->stop; major++) {
        const double along = (major + 0.5 - stroke->major) / line->length;
        const double t = along < 0 ? 0 : along > 1 ? 1 : along;
        const struct rend_colour colour = colour_between(from, to, t);
        const struct rend_tint tint = rend_tint_of(packed(colour), colour.a, blend);
        uint32_t *pixel = pixels + rend_stroke_at(stroke, major);
        *pixel = rend_tinted(*pixel, &tint);
    }
}

static bool finite_point(struct rend_point p)
{
    return isfinite(p.x) && isfinite(p.y);
}

void rend_draw_line(const struct rend_canvas *canvas, struct rend_point from, struct rend_point to,
                    struct rend_colour from_colour, struct rend_colour to_colour,
                    enum rend_blend blend)
{
    if (!finite_point(from) || !finite_point(to)) {
        return;
    }
    struct line line = line_of(canvas, from, to);
    const int length =
        line.stroke.stop > line.stroke.first ? line.stroke.stop - line.stroke.first : 0;
    if (!rend_may_fill(canvas, length + LINE_COST)) {
        return;
    }
    clip(&line);
    if (memcmp(&from_colour, &to_colour, sizeof from_colour) != 0) {
        draw_gradient(&line, canvas->pixels, from_colour, to_colour, blend);
    } else if (from_colour.a > 0) {
        const struct rend_tint tint = rend_tint_of(packed(from_colour), from_colour.a, blend);
        rend_span_kernels_for(canvas->cpu)->stroke(&line.stroke, &tint, canvas->pixels);
    }
}

static void draw_strip_at(const struct rend_canvas *canvas, const struct rend_point *points,
                          const struct rend_colour *colours, size_t count,
                          const struct rend_pen *pen, struct rend_point shift)
{
    struct rend_point last = {0, 0};
    for (size_t i = 0; i < count; i++) {
        const struct rend_point at = {points[i].x + shift.x, points[i].y + shift.y};
        if (pen->dots) {
            rend_draw_dot(canvas, at, pen->dot_size, colours[i], pen->blend);
        } else if (i > 0) {
            rend_draw_line(canvas, last, at, colours[i - 1], colours[i], pen->blend);
        }
        last = at;
    }
}

void rend_draw_strip(const struct rend_canvas *canvas, const struct rend_point *points,
                     const struct rend_colour *colours, size_t count, const struct rend_pen *pen)
{
    static const struct rend_point shifts[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (size_t i = 0; i < (pen->four ? 4u : 1u); i++) {
        draw_strip_at(canvas, points, colours, count, pen, shifts[i]);
    }
}
