/* What is known of a fan without drawing it. */
#ifndef RENDERER_SHAPE_OUTLINE_H
#define RENDERER_SHAPE_OUTLINE_H

#include "renderer/cover.h"
#include "renderer/draw.h"

/* Whether it is known that the cover hides a whole opaque fan; then its cost is taken off
 * fill_left, which must suffice. */
bool rend_fan_hidden(const struct rend_canvas *canvas, const struct rend_cover *cover,
                     const struct rend_corner *centre, const struct rend_corner *rim, int sides,
                     bool textured);

/* What a fan takes off fill_left at most, if its rim is a regular polygon within an ellipse so wide
 * and high, in pixels. */
int64_t rend_fan_cost_limit(const struct rend_canvas *canvas, int sides, float width, float height,
                            bool textured);

#endif
