/* Pictures in place of those that a shader names and that are not there: drawn by formulas, of the
 * character that the name promises. */
#ifndef RENDERER_STANDIN_H
#define RENDERER_STANDIN_H

#include "renderer/resources.h"

/* The same name always gives the same picture; any name gives one. It tiles, but for sunrise and
 * spectrum from top to bottom. 0, or -1 without memory. */
int rend_standin_draw(struct rend_picture *picture, const char *name);

#endif
