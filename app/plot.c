#include "app/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/io/video.h"
#include "app/plot_marks.h"

static const uint32_t PAPER = 0xFFFFFF;
static const uint32_t INK = 0x222222;
static const uint32_t RULE = 0xDDDDDD;

/* Okabe and Ito's colours, which differ without colour vision too; those that can be seen on
 * white. */
static const uint32_t colours[] = {0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7,
                                   0x000000, 0xE69F00, 0x56B4E9};
enum { COLOURS = sizeof colours / sizeof *colours };

enum {
    LEFT = 70,
    TOP = 86,
    RIGHT = 200, /* for the names of the lines */
    BOTTOM = 70,
    GAP = 10,
};

struct drawing {
    const struct app_plot *plot;
    const struct ui_surface *surface;
    const struct ui_font *font;
    struct app_plot_axis axis;
    double width; /* of the field between the axes */
    double height;
};

static double lowest(const struct app_plot *plot)
{
    double low = plot->y_max;
    for (size_t i = 0; i < plot->line_count; i++) {
        for (size_t k = 0; k < plot->columns; k++) {
            low = fmin(low, plot->lines[i].values[k]);
        }
    }
    return low;
}

struct app_plot_axis app_plot_axis_of(const struct app_plot *plot)
{
    const double span = fmax(plot->y_max - lowest(plot), 1e-3 * fmax(fabs(plot->y_max), 1));
    double step = pow(10, floor(log10(span / 10)));
    static const double factors[] = {1, 2, 5, 10};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        if (ceil(span / (step * factors[i]) - 1e-9) <= 10) {
            step *= factors[i];
            break;
        }
    }
    return (struct app_plot_axis){plot->y_max - step * ceil(span / step - 1e-9), step};
}

static double place_x(const struct drawing *drawing, size_t column)
{
    const double *x = drawing->plot->x;
    const double first = log2(x[0]);
    const double span = log2(x[drawing->plot->columns - 1]) - first;
    const double part = span > 0 ? (log2(x[column]) - first) / span : 0.5;
    return LEFT + drawing->width * (0.03 + 0.94 * part);
}

static double place_y(const struct drawing *drawing, double value)
{
    const double span = drawing->plot->y_max - drawing->axis.low;
    return TOP + drawing->height * (drawing->plot->y_max - value) / span;
}

static void stroke(const struct drawing *drawing, double x0, double y0, double x1, double y1,
                   uint32_t colour)
{
    app_plot_stroke(drawing->surface, (struct app_plot_point){x0, y0},
                    (struct app_plot_point){x1, y1}, 1, colour);
}

/* align 0: x is the left end, 1: the middle, 2: the right end. y is the middle of the line. */
static void write_text(const struct drawing *drawing, const char *text, double x, double y,
                       int align)
{
    const struct base_span span = base_span_of(text);
    const int width = ui_text_width(drawing->font, span);
    const int down = (int)(0.36 * ui_font_ascent(drawing->font) + 0.5);
    ui_text_draw(drawing->font, drawing->surface, (int)x - width * align / 2, (int)y + down, span,
                 INK, 255);
}

static void draw_rows(const struct drawing *drawing)
{
    const struct app_plot_axis axis = drawing->axis;
    const int steps = (int)((drawing->plot->y_max - axis.low) / axis.step + 0.5);
    for (int i = 0; i <= steps; i++) {
        const double value = axis.low + i * axis.step;
        const double y = floor(place_y(drawing, value)) + 0.5;
        char text[32];
        (void)snprintf(text, sizeof text, "%.6g", value);
        stroke(drawing, LEFT, y, LEFT + drawing->width, y, i == 0 ? INK : RULE);
        stroke(drawing, LEFT - 5, y, LEFT, y, INK);
        write_text(drawing, text, LEFT - GAP, y, 2);
    }
}

/* Labels that would touch the one before are left out. */
static void draw_columns(const struct drawing *drawing)
{
    const double bottom = TOP + drawing->height;
    double free_from = 0;
    for (size_t i = 0; i < drawing->plot->columns; i++) {
        const char *name = drawing->plot->x_names[i];
        const double half = 0.5 * ui_text_width(drawing->font, base_span_of(name));
        const double x = floor(place_x(drawing, i)) + 0.5;
        stroke(drawing, x, bottom, x, bottom + 5, INK);
        if (x - half >= free_from) {
            write_text(drawing, name, x, bottom + 20, 1);
            free_from = x + half + GAP;
        }
    }
}

static void draw_frame(const struct drawing *drawing)
{
    const struct app_plot *plot = drawing->plot;
    const double bottom = TOP + drawing->height;
    draw_rows(drawing);
    draw_columns(drawing);
    stroke(drawing, LEFT + 0.5, TOP, LEFT + 0.5, bottom, INK);
    write_text(drawing, plot->title, LEFT, 28, 0);
    write_text(drawing, plot->y_title, LEFT - 55, TOP - 26, 0);
    write_text(drawing, plot->x_title, LEFT + drawing->width / 2, bottom + 48, 1);
}

static uint32_t colour_of(size_t line)
{
    return colours[line % COLOURS];
}

static enum app_plot_mark mark_of(size_t line)
{
    return (enum app_plot_mark)(line % APP_PLOT_MARKS);
}

/* The first lines are broader, so that they can be seen below others that take the same way. */
static double width_of(const struct drawing *drawing, size_t line)
{
    return 2.5 + fmin((double)(drawing->plot->line_count - 1 - line), 5);
}

static void draw_line(const struct drawing *drawing, size_t index)
{
    const double *values = drawing->plot->lines[index].values;
    struct app_plot_point last = {NAN, NAN};
    for (size_t i = 0; i < drawing->plot->columns; i++) {
        const struct app_plot_point point = {place_x(drawing, i), place_y(drawing, values[i])};
        if (!isnan(point.y) && !isnan(last.y)) {
            app_plot_stroke(drawing->surface, last, point, width_of(drawing, index),
                            colour_of(index));
        }
        last = point;
    }
}

static void draw_marks(const struct drawing *drawing, size_t index)
{
    const double *values = drawing->plot->lines[index].values;
    for (size_t i = 0; i < drawing->plot->columns; i++) {
        const struct app_plot_point point = {place_x(drawing, i), place_y(drawing, values[i])};
        if (!isnan(point.y)) {
            app_plot_mark(drawing->surface, point, mark_of(index), colour_of(index));
        }
    }
}

static void draw_name(const struct drawing *drawing, size_t index)
{
    const double x = LEFT + drawing->width + 24;
    const double y = TOP + 12 + 26.0 * (double)index;
    app_plot_stroke(drawing->surface, (struct app_plot_point){x, y},
                    (struct app_plot_point){x + 36, y}, width_of(drawing, index), colour_of(index));
    app_plot_mark(drawing->surface, (struct app_plot_point){x + 18, y}, mark_of(index),
                  colour_of(index));
    write_text(drawing, drawing->plot->lines[index].name, x + 46, y, 0);
}

void app_plot_draw(const struct app_plot *plot, const struct ui_surface *surface,
                   const struct ui_font *font)
{
    const struct drawing drawing = {
        .plot = plot,
        .surface = surface,
        .font = font,
        .axis = app_plot_axis_of(plot),
        .width = fmax(surface->width - LEFT - RIGHT, 1),
        .height = fmax(surface->height - TOP - BOTTOM, 1),
    };
    for (int y = 0; y < surface->height; y++) {
        for (int x = 0; x < surface->width; x++) {
            surface->pixels[(size_t)y * surface->stride + (size_t)x] = PAPER;
        }
    }
    draw_frame(&drawing);
    for (size_t i = 0; i < plot->line_count; i++) {
        draw_line(&drawing, i);
    }
    for (size_t i = 0; i < plot->line_count; i++) {
        draw_marks(&drawing, i);
        draw_name(&drawing, i);
    }
}

static int write_picture(const uint32_t *pixels, const char *output,
                         const struct base_diag_sink *sink)
{
    const struct app_video_format format = {
        .width = APP_PLOT_WIDTH, .height = APP_PLOT_HEIGHT, .fps = 1, .frames = 1};
    struct app_video *video = app_video_open(output, &format, sink);
    if (video == NULL) {
        return -1;
    }
    if (app_video_frame(video, pixels) != 0) {
        app_video_discard(video);
        return -1;
    }
    return app_video_finish(video);
}

int app_plot_write(const struct app_plot *plot, const char *output,
                   const struct base_diag_sink *sink)
{
    uint32_t *pixels = malloc(sizeof *pixels * APP_PLOT_WIDTH * APP_PLOT_HEIGHT);
    if (pixels == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = output}, NULL,
                    "not enough memory");
        return -1;
    }
    struct ui_font *font = ui_font_create(APP_PLOT_FONT, sink);
    const struct ui_surface surface = {pixels, APP_PLOT_WIDTH, APP_PLOT_HEIGHT, APP_PLOT_WIDTH};
    app_plot_draw(plot, &surface, font);
    const int result = write_picture(pixels, output, sink);
    ui_font_free(font);
    free(pixels);
    return result;
}
