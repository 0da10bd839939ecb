/* A picture that shows at a glance whether the screen works: eight colour bars, ramps of red, green
 * and blue below them, and a white column that moves from frame to frame. */
#ifndef APP_MILKYMIST_ONE_TEST_PICTURE_H
#define APP_MILKYMIST_ONE_TEST_PICTURE_H

#include <stdint.h>

/* Draws all of width * height RGB565 pixels; number: of the frame, the column stands at
 * number * 4 mod width. The same on any machine. width, height: at least 8. */
void board_test_picture(uint16_t *pixels, uint32_t width, uint32_t height, uint32_t number);

#endif
