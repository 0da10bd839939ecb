/* Opaque fans from the front to the back. */
#ifndef RENDERER_SHAPE_OUTLINE_H
#define RENDERER_SHAPE_OUTLINE_H

#include "renderer/cover.h"
#include "renderer/draw.h"

/* Draws an opaque fan (alpha 255 at all corners, drawn over what is there) but for what the cover
 * hides, which then hides the fan as well. Fans drawn so, the last first, make the picture that
 * rend_draw_fan makes of them with the first first, and cost as much; fill_left must suffice for
 * all. Returns false, with nothing drawn, if the cover cannot note what the fan would hide. */
bool rend_draw_fan_below(const struct rend_canvas *canvas, struct rend_cover *cover,
                         const struct rend_corner *centre, const struct rend_corner *rim, int sides,
                         const struct tmu_surface *texture);

/* What a fan takes off fill_left at most, if its rim is a regular polygon within an ellipse so wide
 * and high, in pixels. */
int64_t rend_fan_cost_limit(const struct rend_canvas *canvas, int sides, float width, float height,
                            bool textured);

#endif
