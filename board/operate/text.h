/* Text over the picture: captions, which are drawn into a frame, and the panel of the menu, which
 * is a picture of its own that the texture mapper lays over the frame. Pixels are RGB565. */
#ifndef BOARD_OPERATE_TEXT_H
#define BOARD_OPERATE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The name of a patch, what is wrong with another. */

enum { BOARD_CAPTION_LINES = 4, BOARD_CAPTION_COLUMNS = 52 };

/* The program writes while `frames` is 0, and sets that last. */
struct board_caption {
    volatile uint32_t frames; /* how many more frames it is shown */
    char lines[BOARD_CAPTION_LINES][BOARD_CAPTION_COLUMNS + 1];
};

/* Adds the text to the lines, broken at blanks where it can be. What does not fit is cut. */
void board_caption_add(struct board_caption *caption, const char *text);

/* Draws the lines into a frame of BOARD_WIDTH x BOARD_HEIGHT pixels that the texture mapper has
 * drawn and of which no cache holds a pixel. True if there was anything: the caches hold some now.
 */
bool board_caption_draw(struct board_caption *caption, uint16_t *frame);

/* The panel: lines of letters three times as large as their points, to be read from afar. */

enum {
    BOARD_PANEL_LINES = 12,
    BOARD_PANEL_COLUMNS = 32,
    BOARD_PANEL_LINE = 30, /* pixels from line to line */
    BOARD_PANEL_WIDTH = 608,
    BOARD_PANEL_HEIGHT = BOARD_PANEL_LINES * BOARD_PANEL_LINE,
    BOARD_PANEL_X = 16, /* where it lies on the screen */
    BOARD_PANEL_Y = 108,
    BOARD_PANEL_ALPHA = 55, /* with which it is laid over the picture, of 63 */
    BOARD_PANEL_BAR = 64,   /* a bar that is full */
    BOARD_PANEL_NO_BAR = 255,
    BOARD_PANEL_BAR_AT = 13, /* the columns of a bar */
    BOARD_PANEL_BAR_COLUMNS = 10,
};

enum board_panel_look {
    BOARD_PANEL_PLAIN,
    BOARD_PANEL_TITLE,
    BOARD_PANEL_FAINT,
    BOARD_PANEL_SELECTED,
    BOARD_PANEL_EDITED, /* the selected one, whose value up and down change */
    BOARD_PANEL_LOOKS,
};

struct board_panel_line {
    char text[BOARD_PANEL_COLUMNS + 1];
    uint8_t look;
    uint8_t bar; /* 0 to BOARD_PANEL_BAR, or BOARD_PANEL_NO_BAR */
};

/* Draws a line, 0 to BOARD_PANEL_LINES - 1, into the panel's BOARD_PANEL_WIDTH x BOARD_PANEL_HEIGHT
 * pixels, at a multiple of 4. */
void board_panel_draw(uint16_t *pixels, unsigned number, const struct board_panel_line *line);

#endif
