/* The strokes and marks of a plot, without jags. */
#ifndef APP_LAB_PLOT_H
#define APP_LAB_PLOT_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "ui/toolkit/text.h"

struct app_plot_point {
    double x; /* in pixels; pixel (0, 0) has its centre at 0.5, 0.5 */
    double y;
};

/* Draws a line. colour: 0x00RRGGBB. What lies outside the surface is left out. Coordinates are
 * finite. */
void app_plot_stroke(const struct ui_surface *surface, struct app_plot_point from,
                     struct app_plot_point to, double width, uint32_t colour);

enum app_plot_mark {
    APP_PLOT_DISC,
    APP_PLOT_SQUARE,
    APP_PLOT_TRIANGLE,
    APP_PLOT_DIAMOND,
    APP_PLOT_CROSS,
    APP_PLOT_MARKS
};

void app_plot_mark(const struct ui_surface *surface, struct app_plot_point centre,
                   enum app_plot_mark mark, uint32_t colour);

/* A plot of a few lines over sizes, as a picture. */

enum { APP_PLOT_WIDTH = 1000, APP_PLOT_HEIGHT = 620, APP_PLOT_FONT = 17 };

/* Values at the columns, from left to right; NaN leaves the column out. */
struct app_plot_line {
    const char *name;
    const double *values;
};

struct app_plot {
    const char *title;
    const char *x_title;
    const char *y_title;
    const double *x; /* of the columns, > 0, growing; drawn in proportion to their logarithms */
    const char *const *x_names;
    size_t columns;
    const struct app_plot_line *lines;
    size_t line_count;
    double y_max; /* no value is above it; the axis ends there */
};

/* The lowest label of an axis that ends at y_max, and the step between its labels: 1, 2 or 5 times
 * a power of ten, so that all values lie between, with 4 to 10 steps. */
struct app_plot_axis {
    double low;
    double step;
};
struct app_plot_axis app_plot_axis_of(const struct app_plot *plot);

/* Draws over the whole surface; what does not fit is cut. Lines differ in colour, lightness and
 * mark. A NULL font leaves the text out. */
void app_plot_draw(const struct app_plot *plot, const struct ui_surface *surface,
                   const struct ui_font *font);

/* Draws and writes NAME.png. Returns 0, or -1 with a message. The process must ignore SIGPIPE. */
int app_plot_write(const struct app_plot *plot, const char *output,
                   const struct base_diag_sink *sink);

#endif
