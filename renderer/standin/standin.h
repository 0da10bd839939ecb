/* Pictures in place of those that a preset names and that are not there: drawn by formulas, of the
 * character that the name promises. The same bits on every machine. Any thread. */
#ifndef RENDERER_STANDIN_STANDIN_H
#define RENDERER_STANDIN_STANDIN_H

#include <stdint.h>

enum { REND_STANDIN_SIDE = 192 /* pixels, where a picture is to be seen */ };

/* Draws a square of side x side pixels 0xFFRRGGBB, row 0 at the top. name: in small letters,
 * without ending. The same name always gives the same picture; any name gives one. It tiles, but
 * for sunrise and spectrum from top to bottom. */
void rend_standin_paint(uint32_t *pixels, int side, const char *name);

#endif
