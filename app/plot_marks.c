#include "app/plot_marks.h"

#include <math.h>

/* How far a place is outside of a shape, in pixels; negative inside. */
struct shape {
    double (*outside)(const struct shape *shape, double x, double y);
    struct app_plot_point from; /* or the centre */
    struct app_plot_point to;
    double radius;
};

static double outside_stroke(const struct shape *shape, double x, double y)
{
    const double along_x = shape->to.x - shape->from.x;
    const double along_y = shape->to.y - shape->from.y;
    const double length = along_x * along_x + along_y * along_y;
    double t = 0;
    if (length > 0) {
        t = ((x - shape->from.x) * along_x + (y - shape->from.y) * along_y) / length;
        t = fmin(fmax(t, 0.0), 1.0);
    }
    return hypot(x - shape->from.x - t * along_x, y - shape->from.y - t * along_y) - shape->radius;
}

static double outside_disc(const struct shape *shape, double x, double y)
{
    return hypot(x - shape->from.x, y - shape->from.y) - shape->radius;
}

static double outside_square(const struct shape *shape, double x, double y)
{
    return fmax(fabs(x - shape->from.x), fabs(y - shape->from.y)) - 0.9 * shape->radius;
}

/* Its point is above. */
static double outside_triangle(const struct shape *shape, double x, double y)
{
    const double side = fabs(x - shape->from.x);
    const double down = y - shape->from.y;
    return fmax(down - 0.8 * shape->radius, 0.87 * side - 0.5 * down - 0.6 * shape->radius);
}

static double outside_diamond(const struct shape *shape, double x, double y)
{
    return 0.707 * (fabs(x - shape->from.x) + fabs(y - shape->from.y) - 1.3 * shape->radius);
}

static double outside_cross(const struct shape *shape, double x, double y)
{
    const double right = fabs(x - shape->from.x);
    const double down = fabs(y - shape->from.y);
    const double arm = 0.4 * shape->radius;
    const double reach = 1.2 * shape->radius;
    return fmin(fmax(right - arm, down - reach), fmax(right - reach, down - arm));
}

static uint32_t mix(uint32_t below, uint32_t above, double share)
{
    uint32_t result = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        const double low = below >> shift & 255;
        const double high = above >> shift & 255;
        result |= (uint32_t)(low + (high - low) * share + 0.5) << shift;
    }
    return result;
}

/* The part of first..last that lies in 0..size - 1. */
struct range {
    int first;
    int end;
};

static struct range clip(double first, double last, int size)
{
    return (struct range){(int)fmax(floor(first), 0.0), (int)fmin(ceil(last), (double)size)};
}

static void fill(const struct ui_surface *surface, const struct shape *shape, uint32_t colour)
{
    const double margin = 1.5 * shape->radius + 1;
    const struct range columns = clip(fmin(shape->from.x, shape->to.x) - margin,
                                      fmax(shape->from.x, shape->to.x) + margin, surface->width);
    const struct range rows = clip(fmin(shape->from.y, shape->to.y) - margin,
                                   fmax(shape->from.y, shape->to.y) + margin, surface->height);
    for (int y = rows.first; y < rows.end; y++) {
        uint32_t *row = surface->pixels + (size_t)y * surface->stride;
        for (int x = columns.first; x < columns.end; x++) {
            const double share = 0.5 - shape->outside(shape, x + 0.5, y + 0.5);
            if (share > 0) {
                row[x] = mix(row[x], colour, fmin(share, 1.0));
            }
        }
    }
}

void app_plot_stroke(const struct ui_surface *surface, struct app_plot_point from,
                     struct app_plot_point to, double width, uint32_t colour)
{
    const struct shape shape = {outside_stroke, from, to, width / 2};
    fill(surface, &shape, colour);
}

void app_plot_mark(const struct ui_surface *surface, struct app_plot_point centre,
                   enum app_plot_mark mark, uint32_t colour)
{
    static double (*const outside[APP_PLOT_MARKS])(const struct shape *, double, double) = {
        outside_disc, outside_square, outside_triangle, outside_diamond, outside_cross};
    static const uint32_t paper = 0xFFFFFF;
    const struct shape halo = {outside[mark], centre, centre, 7.5};
    const struct shape shape = {outside[mark], centre, centre, 5.5};
    fill(surface, &halo, paper);
    fill(surface, &shape, colour);
}
