/* Dark centre and borders: spec/milk-rendering.md sections 8.3 and 8.4. */
#include "renderer/polygon.h"
#include "renderer/stages.h"

void rend_draw_darken_center(const struct rend_canvas *canvas, const struct rend_frame *frame)
{
    if (frame->values.darken_center == 0) {
        return;
    }
    enum { CORNERS = 4 };
    static const double cosine[CORNERS] = {-1, 0, 1, 0};
    static const double sine[CORNERS] = {0, -1, 0, 1};
    const float size = 0.05f;
    const float x = size * frame->aspect_y;
    const struct rend_point rim[CORNERS + 1] = {
        rend_from_ndc(canvas, -x, 0), rend_from_ndc(canvas, 0, size), rend_from_ndc(canvas, x, 0),
        rend_from_ndc(canvas, 0, -size), rend_from_ndc(canvas, -x, 0)};
    const struct rend_polygon polygon = {
        .sides = CORNERS,
        .centre = rend_from_ndc(canvas, 0, 0),
        .reach_x = 0.5 * (double)x * canvas->width,
        .reach_y = 0.5 * (double)size * canvas->height,
        .cosine = cosine,
        .sine = sine,
        .rim = rim,
        .inner = {0, 0, 0, (uint8_t)(255 * 3 / 32)},
        .outer = {0, 0, 0, 0},
        .blend = REND_BLEND_ALPHA,
    };
    rend_draw_polygon(canvas, &polygon, NULL);
}

void rend_draw_borders(const struct rend_canvas *canvas, const struct rend_frame *frame)
{
    const struct rend_values *v = &frame->values;
    const float edge = 1.0f - v->ob_size;
    if (v->ob_a > 0.001f) {
        rend_draw_frame(canvas, 1.0f, edge,
                        rend_colour_low_bits(v->ob_r, v->ob_g, v->ob_b, v->ob_a));
    }
    if (v->ib_a > 0.001f) {
        rend_draw_frame(canvas, edge, edge - v->ib_size,
                        rend_colour_low_bits(v->ib_r, v->ib_g, v->ib_b, v->ib_a));
    }
}
