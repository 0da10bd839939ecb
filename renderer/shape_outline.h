/* What is known of a fan without drawing it. */
#ifndef RENDERER_SHAPE_OUTLINE_H
#define RENDERER_SHAPE_OUTLINE_H

#include "renderer/cover.h"
#include "renderer/draw.h"

/* Whether it is known that the cover hides all of an opaque fan that lies in the canvas's band. */
bool rend_fan_hidden(const struct rend_canvas *canvas, const struct rend_cover *cover,
                     const struct rend_corner *centre, const struct rend_corner *rim, int sides,
                     bool textured);

#endif
