/* Text over the picture: the name of a patch, what is wrong with another. */
#ifndef APP_MILKYMIST_ONE_CAPTION_H
#define APP_MILKYMIST_ONE_CAPTION_H

#include <stdbool.h>
#include <stdint.h>

enum { BOARD_CAPTION_LINES = 4, BOARD_CAPTION_COLUMNS = 52 };

/* The program writes while `frames` is 0, and sets that last. */
struct board_caption {
    volatile uint32_t frames; /* how many more frames it is shown */
    char lines[BOARD_CAPTION_LINES][BOARD_CAPTION_COLUMNS + 1];
};

/* Adds the text to the lines, broken at blanks where it can be. What does not fit is cut. */
void board_caption_add(struct board_caption *caption, const char *text);

/* Draws the lines into a frame that the texture mapper has drawn and of which no cache holds a
 * pixel. True if there was anything: the caches hold some now. */
bool board_caption_draw(struct board_caption *caption, uint16_t *frame);

#endif
