/* Text and its backing, drawn over a picture. A font is immutable once made: any thread may draw
 * with it. Drawing never allocates and never writes outside the surface. */
#ifndef UI_TOOLKIT_TEXT_H
#define UI_TOOLKIT_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
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

/* The system's sans-serif font; pixel_size is brought into UI_FONT_SIZE_MIN..MAX. Holds the glyphs
 * of Latin up to U+017F, some punctuation and the marks of marks.h; U+FFFD stands for the rest.
 * NULL with one warning if there is no font: all functions below take NULL, measure 0, draw
 * nothing. */
struct ui_font *ui_font_create(int pixel_size, const struct base_diag_sink *sink);
/* The same in the system's fixed-width font, for program text. */
struct ui_font *ui_font_create_mono(int pixel_size, const struct base_diag_sink *sink);
void ui_font_free(struct ui_font *font);

int ui_font_ascent(const struct ui_font *font);      /* pixels above the baseline */
int ui_font_line_height(const struct ui_font *font); /* pixels from line to line */
int ui_text_width(const struct ui_font *font, struct base_span text);

/* Bytes of the longest beginning of text, in whole code points, that is at most `width` wide. */
size_t ui_text_fit(const struct ui_font *font, struct base_span text, int width);

/* Draws UTF-8 text with its baseline starting at (x, y), any of which may lie outside.
 * colour 0x00RRGGBB; alpha 0 (invisible)..255. */
void ui_text_draw(const struct ui_font *font, const struct ui_surface *surface, int x, int y,
                  struct base_span text, uint32_t colour, unsigned alpha);

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
