#include "app/lab/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/video/video.h"

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

static uint32_t lerp_colour(uint32_t below, uint32_t above, double share)
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
                row[x] = lerp_colour(row[x], colour, fmin(share, 1.0));
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

struct app_plot_axis app_plot_axis_of(const struct app_plot *plot)
{
    double low = plot->y_max;
    for (size_t i = 0; i < plot->line_count; i++) {
        for (size_t k = 0; k < plot->columns; k++) {
            low = fmin(low, plot->lines[i].values[k]);
        }
    }
    const double span = fmax(plot->y_max - low, 1e-3 * fmax(fabs(plot->y_max), 1));
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
    const double bottom = TOP + drawing.height;
    draw_rows(&drawing);
    draw_columns(&drawing);
    stroke(&drawing, LEFT + 0.5, TOP, LEFT + 0.5, bottom, INK);
    write_text(&drawing, plot->title, LEFT, 28, 0);
    write_text(&drawing, plot->y_title, LEFT - 55, TOP - 26, 0);
    write_text(&drawing, plot->x_title, LEFT + drawing.width / 2, bottom + 48, 1);
    for (size_t i = 0; i < plot->line_count; i++) {
        const double *values = plot->lines[i].values;
        struct app_plot_point last = {NAN, NAN};
        for (size_t k = 0; k < plot->columns; k++) {
            const struct app_plot_point point = {place_x(&drawing, k),
                                                 place_y(&drawing, values[k])};
            if (!isnan(point.y) && !isnan(last.y)) {
                app_plot_stroke(surface, last, point, width_of(&drawing, i), colour_of(i));
            }
            last = point;
        }
    }
    for (size_t i = 0; i < plot->line_count; i++) {
        const double *values = plot->lines[i].values;
        for (size_t k = 0; k < plot->columns; k++) {
            const struct app_plot_point point = {place_x(&drawing, k),
                                                 place_y(&drawing, values[k])};
            if (!isnan(point.y)) {
                app_plot_mark(surface, point, mark_of(i), colour_of(i));
            }
        }
        const double x = LEFT + drawing.width + 24;
        const double y = TOP + 12 + 26.0 * (double)i;
        app_plot_stroke(surface, (struct app_plot_point){x, y}, (struct app_plot_point){x + 36, y},
                        width_of(&drawing, i), colour_of(i));
        app_plot_mark(surface, (struct app_plot_point){x + 18, y}, mark_of(i), colour_of(i));
        write_text(&drawing, plot->lines[i].name, x + 46, y, 0);
    }
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
    const struct app_video_format format = {
        .width = APP_PLOT_WIDTH, .height = APP_PLOT_HEIGHT, .rate = {1, 1}, .frames = 1};
    struct app_video *video = app_video_open(output, &format, sink);
    int result = -1;
    if (video == NULL || app_video_frame(video, pixels) != 0) {
        app_video_discard(video);
    } else {
        result = app_video_finish(video);
    }
    ui_font_free(font);
    free(pixels);
    return result;
}
