/* Drawing on the canvas: points, lines and frames, alpha blended or additive, rounded to 8
 * bits at every step. Positions are in pixels, x to the right and y down; the centre of the upper
 * left pixel is (0.5, 0.5). Whatever lies outside the canvas is not drawn; a position that is not
 * finite draws nothing, and only the canvas's band of rows is drawn. Lines stop when its fill_left
 * is used up. */
#ifndef RENDERER_DRAW_H
#define RENDERER_DRAW_H

#include <math.h>

#include "renderer/frame.h"
#include "renderer/span.h"

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

/* Takes pixels off what may still be drawn; false when that is used up and nothing is to be drawn.
 */
static inline bool rend_may_fill(const struct rend_canvas *canvas, int64_t pixels)
{
    if (canvas->fill_left == NULL) {
        return true;
    }
    *canvas->fill_left -= pixels;
    return *canvas->fill_left >= 0;
}

/* A square of size x size pixels whose upper left pixel holds the point. */
void rend_draw_dot(const struct rend_canvas *canvas, struct rend_point at, int size,
                   struct rend_colour colour, enum rend_blend blend);

/* What a line takes off fill_left beside its pixels. */
enum { REND_LINE_COST = 16 };

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

/* Lines from point to point, or dots at each; by the canvas's threads where there is much to draw.
 */
void rend_draw_strip(const struct rend_canvas *canvas, const struct rend_point *points,
                     const struct rend_colour *colours, size_t count, const struct rend_pen *pen);

/* The frame between two centred rectangles, given as parts of the half width and half height:
 * everything between `outer` and `inner`, whichever of the two is larger. */
void rend_draw_frame(const struct rend_canvas *canvas, float outer, float inner,
                     struct rend_colour colour);

#endif
