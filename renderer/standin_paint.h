/* Inside the renderer: what the stand-in pictures show. */
#ifndef RENDERER_STANDIN_PAINT_H
#define RENDERER_STANDIN_PAINT_H

#include <stdbool.h>
#include <stdint.h>

/* Red, green, blue, 0..1; beyond is cut off. */
struct rend_ink {
    double red;
    double green;
    double blue;
};

/* The colour at u, v (0..1, v down) of one picture of many. */
typedef struct rend_ink (*rend_painter)(uint32_t seed, double u, double v);

/* STANDIN(painter, "names"): the painter, and parts of names that ask for it, the first match
 * counts. */
#define REND_STANDIN(painter, ...) struct rend_ink rend_paint_##painter(uint32_t, double, double);
#include "renderer/standin.def"

#endif
