/* The picture output: 640x480, RGB565, first pixel first, drawn in one of three frames while
 * another one is shown. */
#ifndef APP_MILKYMIST_ONE_SCREEN_H
#define APP_MILKYMIST_ONE_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BOARD_SCREEN_WIDTH = 640, BOARD_SCREEN_HEIGHT = 480, BOARD_SCREEN_FRAMES = 3 };
enum { BOARD_SCREEN_BYTES = BOARD_SCREEN_WIDTH * BOARD_SCREEN_HEIGHT * 2 };

struct board_screen {
    uint16_t *frames[BOARD_SCREEN_FRAMES];
};

/* Clears the frames and shows the first. memory: BOARD_SCREEN_FRAMES * BOARD_SCREEN_BYTES, at a
 * multiple of 32, the caller's for as long as the screen is used. */
void board_screen_begin(struct board_screen *screen, uint16_t *memory);

/* A frame that is neither shown nor waiting to be; never waits. Its pixels are of some earlier
 * frame. */
uint16_t *board_screen_draw(const struct board_screen *screen);

/* Shows this frame from the next picture on; one that was waiting and has not been shown never is.
 * What the processor has drawn is written back to memory first. */
void board_screen_show(const uint16_t *frame);

/* The same for a frame that the texture mapper drew: the processor has not touched it since the
 * memory's cache was flushed. */
void board_screen_present(const uint16_t *frame);

/* Whether the frame shown last is seen, and not still waiting. */
bool board_screen_is_shown(void);

#endif
