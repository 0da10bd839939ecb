/* The strokes and marks of a plot, without jags. */
#ifndef APP_PLOT_MARKS_H
#define APP_PLOT_MARKS_H

#include <stdint.h>

#include "ui/text.h"

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

#endif
