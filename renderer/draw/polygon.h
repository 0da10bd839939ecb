/* Which pixels opaque shapes cover: those that are drawn from the front to the back note here what
 * they draw, so that what lies behind them is drawn only where nothing is yet. One bit per
 * pixel. */
#ifndef RENDERER_DRAW_POLYGON_H
#define RENDERER_DRAW_POLYGON_H

#include <stddef.h>
#include <stdint.h>

#include "renderer/draw/draw.h"
#include "renderer/draw/span.h"

struct rend_cover {
    uint64_t *words; /* rows of `pitch` words: bit x % 64 of word x / 64 is set where x is hidden */
    size_t pitch;
};

/* The words that a row of `width` pixels takes. */
static inline size_t rend_cover_pitch(int width)
{
    return ((size_t)width + 63) / 64;
}

/* Nothing is hidden in rows first..end - 1. */
void rend_cover_clear(const struct rend_cover *cover, int first, int end);

/* The first pixels of a run in row y that are not hidden; an empty run if there are none. */
struct rend_run rend_cover_seen(const struct rend_cover *cover, int y, struct rend_run run);

/* Hides a run in row y. */
void rend_cover_add(const struct rend_cover *cover, int y, struct rend_run run);

/* The inside of a custom shape: a regular polygon, stretched along the axes, whose colour changes
 * from its centre to its rim (spec/milk-rendering.md section 8.2). Each pixel whose centre lies
 * inside is drawn once. */

struct tmu_surface;

/* Where texels are read: at + per_cosine c + per_sine s, where c and s are the cosine and sine of a
 * corner's angle on the rim, and 0 in the centre; 1 is once around the texture. */
struct rend_texture_place {
    double at;
    double per_cosine;
    double per_sine;
};

struct rend_polygon {
    int sides; /* 3..REND_POLYGON_SIDES */
    struct rend_point centre;
    double reach_x; /* corner k lies at centre + (reach_x * cosine[k], reach_y * sine[k]) */
    double reach_y;
    const double *cosine; /* of the corners' angles, which rise by 2 pi / sides */
    const double *sine;
    const struct rend_point *rim; /* sides + 1 corners, the last where the first is */
    struct rend_colour inner;     /* in the centre */
    struct rend_colour outer;     /* on the rim */
    enum rend_blend blend;
    const struct tmu_surface *texture; /* multiplies the colour, its guard filled for wrapping;
                                          NULL: none */
    struct rend_texture_place u;       /* what is not finite is 0 */
    struct rend_texture_place v;
};

/* Draws what lies in the canvas's row band. cover: the pixels that are covered already, for opaque
 * polygons only (alpha 255, not additive); NULL: none. With a cover only pixels that are not yet
 * covered are drawn, and they become covered. Polygons that are drawn from the last to the first
 * with a cover make the same picture as from the first to the last without one. */
void rend_draw_polygon(const struct rend_canvas *canvas, const struct rend_polygon *polygon,
                       const struct rend_cover *cover);

#endif
