/* The glyphs of a font as the drawing code sees them. */
#ifndef UI_FONT_H
#define UI_FONT_H

#include <stdint.h>

#include "base/arena.h"

struct ui_glyph {
    const uint8_t *coverage; /* width * height, 255: inside */
    int width;
    int height;
    int left; /* from the pen to the first column */
    int top;  /* from the baseline up to the first row */
    int advance;
};

enum {
    UI_FONT_FIRST = 0x20,
    UI_FONT_END = 0x180,
    UI_FONT_EXTRA_COUNT = 29,
    UI_FONT_GLYPHS = UI_FONT_END - UI_FONT_FIRST + UI_FONT_EXTRA_COUNT,
};

/* Code points beyond UI_FONT_END; the first is U+FFFD, which stands for what the font lacks. */
extern const uint32_t ui_font_extras[UI_FONT_EXTRA_COUNT];

struct ui_font {
    struct base_arena arena; /* owns the coverage */
    int ascent;
    int line_height;
    int capital;                            /* height of capital letters */
    int fixed_advance;                      /* of every glyph; 0: they differ */
    struct ui_glyph glyphs[UI_FONT_GLYPHS]; /* the range, then the extras */
};

/* Never NULL. */
const struct ui_glyph *ui_font_glyph(const struct ui_font *font, uint32_t code);

#endif
