/* Text and its backing, drawn over a picture; nothing is written outside the surface.
 *
 * Plain text consists of Latin up to U+017F, some punctuation and the marks of draw.c. It is drawn
 * from glyphs that do not change once the font is made: any thread may draw it, without allocating.
 * Other text is shaped, which allocates, and kept with the font: by one thread at a time. A line is
 * made ready by one thread and drawn by any, whatever its text. */
#ifndef UI_TOOLKIT_TEXT_H
#define UI_TOOLKIT_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* A picture of 0x00RRGGBB words, owned by the caller. */
struct ui_surface {
    uint32_t *pixels; /* row 0 is the top */
    int width;
    int height;
    size_t stride; /* in pixels, at least width */
};

enum { UI_FONT_SIZE_MIN = 6, UI_FONT_SIZE_MAX = 200 };

struct ui_font;

/* The system's sans-serif font, and others for what it lacks; U+FFFD stands for what all of them
 * lack, and for control characters. pixel_size is brought into UI_FONT_SIZE_MIN..MAX. NULL with one
 * warning if there is no font: all functions below take NULL, measure 0, draw nothing. */
struct ui_font *ui_font_create(int pixel_size, const struct base_diag_sink *sink);
/* The same in the system's fixed-width font, for program text. */
struct ui_font *ui_font_create_mono(int pixel_size, const struct base_diag_sink *sink);
void ui_font_free(struct ui_font *font);

int ui_font_ascent(const struct ui_font *font);      /* pixels above the baseline */
int ui_font_line_height(const struct ui_font *font); /* pixels from line to line */
int ui_text_width(const struct ui_font *font, struct base_span text);

/* Bytes of the longest beginning of text, in whole characters, that is at most `width` wide. */
size_t ui_text_fit(const struct ui_font *font, struct base_span text, int width);

/* Where the text cursor stands before byte `at`, in pixels from the left edge of the text. */
int ui_text_x(const struct ui_font *font, struct base_span text, size_t at);
/* The byte before which a text cursor stands that is nearest to x. */
size_t ui_text_at(const struct ui_font *font, struct base_span text, int x);

/* Cells of a grid of fixed width that a code point takes: 0 (it joins the one before), 1 or 2. */
int ui_text_cells(uint32_t code);

/* Draws UTF-8 text with its baseline starting at (x, y), any of which may lie outside; its left end
 * in either direction of writing. colour 0x00RRGGBB; alpha 0 (invisible)..255. */
void ui_text_draw(const struct ui_font *font, const struct ui_surface *surface, int x, int y,
                  struct base_span text, uint32_t colour, unsigned alpha);

/* A line of text made ready, cut with an ellipsis where it is wider than `width`. The font outlives
 * it. NULL without memory or font; the other functions take NULL, as an empty line. */
struct ui_line;
struct ui_line *ui_line_create(const struct ui_font *font, struct base_span text, int width);
void ui_line_free(struct ui_line *line);
int ui_line_width(const struct ui_line *line);
/* As ui_text_draw, in any thread, without allocating. */
void ui_line_draw(const struct ui_line *line, const struct ui_surface *surface, int x, int y,
                  uint32_t colour, unsigned alpha);

/* Writes a number of 0..99,999 with `decimals` (0 or 1) places and `unit` after it, for threads
 * that paint: no locale, no lock, no allocation. Cut where it does not fit. */
void ui_text_number(char *text, size_t size, double number, int decimals, const char *unit);

struct ui_rect {
    int x;
    int y;
    int width;
    int height;
};

/* Darkens the rectangle by strength (0..255: black), running out over `soft` pixels around it. */
void ui_backing_draw(const struct ui_surface *surface, struct ui_rect rect, int soft,
                     unsigned strength);

#endif
