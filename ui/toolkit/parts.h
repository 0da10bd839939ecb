/* What the files of ui/toolkit share. */
#ifndef UI_TOOLKIT_PARTS_H
#define UI_TOOLKIT_PARTS_H

#include <stdint.h>

#include "base/arena.h"
#include "ui/toolkit/imui.h"

/* Mixing of 0x00RRGGBB colours, all channels at once: the channels 16 bits apart. */
static inline uint64_t ui_blend_spread(uint32_t colour)
{
    return (uint64_t)(colour & 0xFF0000) << 16 | (uint64_t)(colour & 0xFF00) << 8 | (colour & 0xFF);
}

/* round(sum / 255) for sums of products that are at most 255 * 255 in each channel */
static inline uint32_t ui_blend_gather(uint64_t sums)
{
    sums += 0x008000800080;
    const uint64_t means = (sums + (sums >> 8 & 0x00FF00FF00FF)) >> 8 & 0x00FF00FF00FF;
    return (uint32_t)(means >> 16 & 0xFF0000) | (uint32_t)(means >> 8 & 0xFF00) |
           (uint32_t)(means & 0xFF);
}

/* alpha 0: below .. 255: above */
static inline uint32_t ui_blend(uint32_t below, uint32_t above, uint32_t alpha)
{
    return ui_blend_gather(ui_blend_spread(below) * (255 - alpha) + ui_blend_spread(above) * alpha);
}

/* The picture of a glyph, or of a whole line of shaped text. */
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
    UI_MARKS_SIZE_MAX = 256,
};

struct ui_shaper; /* what draws other text, inside text.c */

struct ui_font {
    struct base_arena arena;  /* owns the coverage */
    struct ui_shaper *shaper; /* never NULL */
    int ascent;
    int line_height;
    int capital;                            /* height of capital letters */
    int fixed_advance;                      /* of every glyph; 0: they differ */
    struct ui_glyph glyphs[UI_FONT_GLYPHS]; /* the range, then the extras */
};

/* Never NULL. */
const struct ui_glyph *ui_font_glyph(const struct ui_font *font, uint32_t code);

/* Draws text in the middle of the height of rect, cut with an ellipsis where it is wider; nothing
 * where there is no room for that either. */
void ui_text_draw_cut(const struct ui_font *font, const struct ui_surface *surface,
                      struct ui_rect rect, struct base_span text, uint32_t colour,
                      enum ui_align align);

/* Signs that are drawn in place of those of the font. */
bool ui_marks_has(uint32_t code); /* a code point */
/* Fills size * size values, 255: inside. There is such a mark; 0 < size <= UI_MARKS_SIZE_MAX. */
void ui_marks_draw(uint32_t code, int size, uint8_t *coverage);

enum { UI_IMUI_CLIPS = 16, UI_IMUI_FIELDS = 64 };

/* The text cursor of the field that has the keyboard. */
struct ui_imui_cursor {
    uint32_t id;  /* of the field it stands in */
    size_t at;    /* bytes */
    bool whole;   /* the whole text is taken */
    int scrolled; /* pixels of the text left of the field */
    double moved; /* when */
};

struct ui_imui {
    struct ui_font *font;
    struct ui_font *mono;
    int pixel_size;
    int line; /* pixels of a line of text */
    int row;
    int gap;
    int hair; /* width of a fine line */
    int radius;

    const struct ui_surface *surface; /* of this frame */
    const struct ui_imui_input *input;
    struct ui_rect clips[UI_IMUI_CLIPS]; /* the last one holds */
    size_t clip_count;
    size_t clip_lost;       /* begun beyond UI_IMUI_CLIPS */
    struct ui_surface part; /* the surface inside the clip */

    uint32_t active;    /* widget that has the mouse */
    uint32_t had_mouse; /* when the frame began */
    uint32_t let_go;    /* widget that had the mouse until a press of this frame */
    double drag;        /* of the active widget */
    int drag_x;
    int drag_y;

    uint32_t focus;      /* the widget that has the keyboard; 0: none */
    uint32_t next_focus; /* the one that has it in the next frame */
    bool focus_chosen;   /* in this frame */
    bool focus_seen;     /* its widget was drawn in this frame */
    bool focus_keeps_tab;
    bool focus_was_seen;
    uint32_t fields[UI_IMUI_FIELDS]; /* in the order of Tab */
    size_t field_count;
    struct ui_imui_cursor cursor;

    uint32_t wheel_owner;
    uint32_t wheel_over; /* the innermost widget under the mouse that turns with the wheel */
    double wheel_time;
    int mouse_x; /* of the last frame */
    int mouse_y;
};

/* What the mouse does with a widget. */
struct ui_imui_touch {
    bool over;
    bool held;    /* the widget has the mouse */
    bool pressed; /* since this frame */
    bool clicked; /* released inside */
};
struct ui_imui_touch ui_imui_touch(struct ui_imui *ui, uint32_t id, struct ui_rect rect);

/* Notches for this widget, which the mouse is over. */
double ui_imui_wheel(struct ui_imui *ui, uint32_t id);

bool ui_imui_key(const struct ui_imui *ui, const char *name); /* pressed in this frame */

/* Edges within some millions of pixels, so that sums stay inside int; no negative sizes. */
struct ui_rect ui_rect_clamp(struct ui_rect rect);
struct ui_rect ui_rect_intersect(struct ui_rect a, struct ui_rect b);
bool ui_rect_contains(struct ui_rect rect, int x, int y);

#endif
