/* Signs of the interface that are drawn rather than taken from a font, so that they look the same
 * with every font: arrows, triangles, stars, check mark, cross, pause, stop, dot. */
#ifndef UI_MARKS_H
#define UI_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UI_MARKS_SIZE_MAX = 256 };

bool ui_marks_has(uint32_t code); /* a code point */

/* Fills size * size values, 255: inside. There is such a mark; 0 < size <= UI_MARKS_SIZE_MAX. */
void ui_marks_draw(uint32_t code, int size, uint8_t *coverage);

#endif
