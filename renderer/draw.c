#include "renderer/draw.h"

#include <math.h>
#include <string.h>

#include "renderer/mix.h"

/* What setting up a line costs, in pixels. */
enum { LINE_COST = 16 };

static inline uint32_t blend_channel(uint32_t dst, uint32_t src, uint32_t alpha,
                                     enum rend_blend blend)
{
    if (blend == REND_BLEND_ADDITIVE) {
        const uint32_t sum = dst + rend_divide255(src * alpha);
        return sum > 255 ? 255 : sum;
    }
    return rend_divide255(src * alpha + dst * (255 - alpha));
}

static inline void blend_pixel(uint32_t *pixel, uint32_t r, uint32_t g, uint32_t b, uint32_t a,
                               enum rend_blend blend)
{
    const uint32_t dst = *pixel;
    *pixel = blend_channel((dst >> 16) & 255, r, a, blend) << 16 |
             blend_channel((dst >> 8) & 255, g, a, blend) << 8 |
             blend_channel(dst & 255, b, a, blend);
}

uint8_t rend_low_bits(float c)
{
    const float scaled = c * 255.0f;
    if (!(fabsf(scaled) < 1e18f)) {
        return 0;
    }
    return (uint8_t)((uint64_t)(int64_t)scaled & 255);
}

struct rend_colour rend_colour_low_bits(float r, float g, float b, float a)
{
    return (struct rend_colour){rend_low_bits(r), rend_low_bits(g), rend_low_bits(b),
                                rend_low_bits(a)};
}

static bool finite_point(struct rend_point p)
{
    return isfinite(p.x) && isfinite(p.y);
}

static void fill_span(const struct rend_canvas *canvas, int y, int first, int end,
                      struct rend_colour colour, enum rend_blend blend)
{
    uint32_t *row = canvas->pixels + (size_t)y * canvas->stride;
    for (int x = first; x < end; x++) {
        blend_pixel(row + x, colour.r, colour.g, colour.b, colour.a, blend);
    }
}

static int clamp_to(double value, int low, int high)
{
    return value < low ? low : value > high ? high : (int)value;
}

void rend_draw_dot(const struct rend_canvas *canvas, struct rend_point at, int size,
                   struct rend_colour colour, enum rend_blend blend)
{
    if (!finite_point(at)) {
        return;
    }
    const double x = floor((double)at.x);
    const double y = floor((double)at.y);
    const int x0 = clamp_to(x, 0, canvas->width);
    const int x1 = clamp_to(x + size, 0, canvas->width);
    const int y1 = clamp_to(y + size, 0, canvas->height);
    for (int row = clamp_to(y, 0, canvas->height); row < y1; row++) {
        fill_span(canvas, row, x0, x1, colour, blend);
    }
}

/* A line seen along its longer axis: `major` steps by whole pixels, `minor` follows. */
struct line {
    double major0;
    double minor0;
    double slope;
    double length; /* along the major axis, signed */
    bool steep;    /* the major axis is y */
};

static struct line line_of(struct rend_point from, struct rend_point to)
{
    const double dx = (double)to.x - (double)from.x;
    const double dy = (double)to.y - (double)from.y;
    struct line line = {.steep = fabs(dy) > fabs(dx)};
    line.major0 = line.steep ? (double)from.y : (double)from.x;
    line.minor0 = line.steep ? (double)from.x : (double)from.y;
    line.length = line.steep ? dy : dx;
    const double across = line.steep ? dx : dy;
    line.slope = line.length == 0 ? 0 : across / line.length;
    return line;
}

static uint32_t mixed(uint8_t from, uint8_t to, double t)
{
    return (uint32_t)(from + (to - from) * t + 0.5);
}

static void line_pixel(const struct rend_canvas *canvas, const struct line *line, int major,
                       struct rend_colour from, struct rend_colour to, bool flat,
                       enum rend_blend blend)
{
    const double along = major + 0.5 - line->major0;
    const double minor = floor(line->minor0 + along * line->slope);
    const int limit = line->steep ? canvas->width : canvas->height;
    if (!(minor >= 0 && minor < limit)) {
        return;
    }
    const int x = line->steep ? (int)minor : major;
    const int y = line->steep ? major : (int)minor;
    uint32_t *pixel = canvas->pixels + (size_t)y * canvas->stride + x;
    if (flat) {
        blend_pixel(pixel, from.r, from.g, from.b, from.a, blend);
        return;
    }
    const double t = fmin(fmax(along / line->length, 0.0), 1.0);
    blend_pixel(pixel, mixed(from.r, to.r, t), mixed(from.g, to.g, t), mixed(from.b, to.b, t),
                mixed(from.a, to.a, t), blend);
}

void rend_draw_line(const struct rend_canvas *canvas, struct rend_point from, struct rend_point to,
                    struct rend_colour from_colour, struct rend_colour to_colour,
                    enum rend_blend blend)
{
    if (!finite_point(from) || !finite_point(to)) {
        return;
    }
    const struct line line = line_of(from, to);
    const bool flat = memcmp(&from_colour, &to_colour, sizeof from_colour) == 0;
    const int limit = line.steep ? canvas->height : canvas->width;
    const double end = line.major0 + line.length;
    /* pixel centres from `from` inclusive to `to` exclusive, in either direction */
    double low = ceil(line.major0 - 0.5);
    double high = ceil(end - 0.5);
    if (line.length < 0) {
        low = floor(end - 0.5) + 1;
        high = floor(line.major0 - 0.5) + 1;
    }
    const int first = clamp_to(low, 0, limit);
    const int stop = clamp_to(high, 0, limit);
    if (!rend_may_fill(canvas, stop > first ? stop - first + LINE_COST : LINE_COST)) {
        return;
    }
    for (int major = first; major < stop; major++) {
        line_pixel(canvas, &line, major, from_colour, to_colour, flat, blend);
    }
}

static void draw_strip_at(const struct rend_canvas *canvas, const struct rend_point *points,
                          const struct rend_colour *colours, size_t count,
                          const struct rend_pen *pen, struct rend_point shift)
{
    struct rend_point last = {0};
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

void rend_draw_frame(const struct rend_canvas *canvas, float outer, float inner,
                     struct rend_colour colour)
{
    if (!isfinite(outer) || !isfinite(inner)) {
        return;
    }
    const double half_width = 0.5 * canvas->width;
    const double half_height = 0.5 * canvas->height;
    const double out = fmax((double)fmaxf(outer, inner), 0.0);
    const double in = fmax((double)fminf(outer, inner), 0.0);
    /* pixels whose centre lies inside */
    const int out_x0 = clamp_to(ceil(half_width * (1 - out) - 0.5), 0, canvas->width);
    const int out_y0 = clamp_to(ceil(half_height * (1 - out) - 0.5), 0, canvas->height);
    const int in_x0 = clamp_to(ceil(half_width * (1 - in) - 0.5), out_x0, canvas->width);
    const int in_y0 = clamp_to(ceil(half_height * (1 - in) - 0.5), out_y0, canvas->height);
    for (int y = out_y0; y < canvas->height - out_y0; y++) {
        if (y < in_y0 || y >= canvas->height - in_y0 || in_x0 * 2 >= canvas->width) {
            fill_span(canvas, y, out_x0, canvas->width - out_x0, colour, REND_BLEND_ALPHA);
        } else {
            fill_span(canvas, y, out_x0, in_x0, colour, REND_BLEND_ALPHA);
            fill_span(canvas, y, canvas->width - in_x0, canvas->width - out_x0, colour,
                      REND_BLEND_ALPHA);
        }
    }
}
