/* Drawing on the canvas: points, lines and frames, alpha blended or additive, rounded to 8
 * bits at every step. Positions are in pixels, x to the right and y down; the centre of the upper
 * left pixel is (0.5, 0.5). Whatever lies outside the canvas is not drawn; a position that is not
 * finite draws nothing, and only the canvas's band of rows is drawn. Lines stop when its fill_left
 * is used up. */
#ifndef RENDERER_DRAW_DRAW_H
#define RENDERER_DRAW_DRAW_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "base/os/thread.h"
#include "renderer/draw/span.h"
#include "renderer/frame/frame.h"

/* 0..255 each. */
struct rend_colour {
    uint8_t r;
    uint8_t g;
    uint8_t b;
    uint8_t a;
};

/* The colours of a shade, from one to the other; `textured`: those that texels are multiplied
 * by. */
void rend_set_colours(struct rend_shade *shade, struct rend_colour from, struct rend_colour to,
                      bool textured);

struct rend_point {
    float x;
    float y;
};

/* c -> int(c * 255), low 8 bits (spec/milk-rendering.md section 1). Not finite: 0. */
uint8_t rend_low_bits(float c);
struct rend_colour rend_colour_low_bits(float r, float g, float b, float a);

static inline bool rend_finite_point(struct rend_point p)
{
    return isfinite(p.x) && isfinite(p.y);
}

/* ndc (X right, Y up) to pixels. */
static inline struct rend_point rend_from_ndc(const struct rend_canvas *canvas, float x, float y)
{
    return (struct rend_point){(0.5f + 0.5f * x) * (float)canvas->width,
                               (0.5f - 0.5f * y) * (float)canvas->height};
}

/* Takes a cost off what drawing may still have; false when that is used up and nothing is to be
 * drawn. */
static inline bool rend_may_fill(const struct rend_canvas *canvas, int64_t cost)
{
    if (canvas->fill_left == NULL) {
        return true;
    }
    *canvas->fill_left -= cost;
    return *canvas->fill_left >= 0;
}

/* A square of size x size pixels whose upper left pixel holds the point. */
void rend_draw_dot(const struct rend_canvas *canvas, struct rend_point at, int size,
                   struct rend_colour colour, enum rend_blend blend);

/* What a line takes off fill_left, and each of its pixels besides: with what it takes to see that
 * other row bands have no part of it. */
enum { REND_LINE_COST = 80, REND_LINE_PIXEL_COST = 2 };

/* What it takes off in all, as if all of it lay on the canvas. */
int64_t rend_line_cost(const struct rend_canvas *canvas, struct rend_point from,
                       struct rend_point to);

/* A line of one pixel per step along its longer axis; the pixel of `to` belongs to the line that
 * goes on from there. The colour of each pixel lies between the two. */
void rend_draw_line(const struct rend_canvas *canvas, struct rend_point from, struct rend_point to,
                    struct rend_colour from_colour, struct rend_colour to_colour,
                    enum rend_blend blend);

/* How a strip of points is drawn. */
struct rend_pen {
    enum rend_blend blend;
    bool dots;
    int dot_size;
    bool four; /* four times, moved by one pixel right and down each: a 2x2 pen */
};

/* Where REND_PART lines of a strip lie, or as many dots: so a row band need not look at each. */
enum { REND_PART = 8, REND_PARTS_MAX = 128 };
struct rend_reach {
    float top;
    float bottom;
};

static inline size_t rend_part_count(size_t points)
{
    return (points + REND_PART - 1) / REND_PART;
}

/* Lines from point to point, or dots at each. */
struct rend_strip {
    const struct rend_point *points;
    const struct rend_colour *colours;
    const struct rend_reach *parts; /* rend_part_count of them, at most REND_PARTS_MAX;
                                     * NULL: not known */
    size_t count;
    struct rend_pen pen;
    int64_t cost; /* rend_strip_cost; any where the canvas is a band */
};

/* Finds where the parts of a strip lie. */
void rend_find_parts(struct rend_reach *parts, const struct rend_point *points, size_t count);

/* What the lines of a strip take off fill_left, or how much its dots are to draw. */
int64_t rend_strip_cost(const struct rend_canvas *canvas, const struct rend_strip *strip);

/* Strips, each over those before it, at most REND_STRIPS, and how many of their lines may be drawn,
 * those of moved pens too. */
enum { REND_STRIPS = 8 };
struct rend_strips {
    const struct rend_strip *strips;
    size_t count;
    size_t lines[REND_STRIPS];
    int64_t cost;
};

/* Takes off what they cost; what they point to must outlive them. */
struct rend_strips rend_pay_strips(const struct rend_canvas *canvas,
                                   const struct rend_strip *strips, size_t count);
void rend_draw_strips(const struct rend_canvas *canvas, const struct rend_strips *strips);

/* The frame between two centred rectangles, given as parts of the half width and half height:
 * everything between `outer` and `inner`, whichever of the two is larger. rend_draw_frame_cost: as
 * REND_ROW_BAND_WORTH counts. */
void rend_draw_frame(const struct rend_canvas *canvas, float outer, float inner,
                     struct rend_colour colour);
int64_t rend_draw_frame_cost(const struct rend_canvas *canvas, float outer, float inner,
                             struct rend_colour colour);

/* Row bands, each of which one thread draws whole, everything in order. The picture does not
 * depend on how many there are.
 *
 * There are several row bands for every thread, since some hold more work than others, but none is
 * much narrower than REND_ROW_BAND_HEIGHT rows: what is drawn would be cut into too many pieces.
 * There is only one row band where what is to be drawn costs less than REND_ROW_BAND_WORTH, since
 * waking other threads would cost more than they save. */
enum { REND_ROW_BANDS_PER_THREAD = 4, REND_ROW_BAND_HEIGHT = 16, REND_ROW_BAND_WORTH = 1 << 16 };

/* So many for each thread. */
static inline size_t rend_row_bands_for(const struct rend_canvas *canvas, int64_t cost, size_t each)
{
    const size_t threads = base_pool_threads(canvas->pool);
    const size_t wanted = threads * each;
    const size_t most = (size_t)(canvas->bottom - canvas->top) / REND_ROW_BAND_HEIGHT + 1;
    if (threads == 1 || cost < REND_ROW_BAND_WORTH) {
        return 1;
    }
    return wanted < most ? wanted : most;
}

static inline size_t rend_row_band_count(const struct rend_canvas *canvas, int64_t cost)
{
    return rend_row_bands_for(canvas, cost, REND_ROW_BANDS_PER_THREAD);
}

/* Row band `index` of `count`, which may have no rows. Its fill_left is NULL, since how much may be
 * drawn was decided before. */
static inline struct rend_canvas rend_row_band(const struct rend_canvas *canvas, size_t index,
                                               size_t count)
{
    const int64_t rows = canvas->bottom - canvas->top;
    struct rend_canvas band = *canvas;
    band.top = canvas->top + (int)(rows * (int64_t)index / (int64_t)count);
    band.bottom = canvas->top + (int)(rows * (int64_t)(index + 1) / (int64_t)count);
    band.fill_left = NULL;
    band.pool = NULL;
    return band;
}

#endif
