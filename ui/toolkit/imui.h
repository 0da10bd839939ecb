/* A small immediate-mode interface: each frame the caller walks over its widgets, which draw
 * themselves and answer at once what the operator did to them. Layout is by cutting rectangles.
 * One thread. Drawing does not fail, and allocates for text that is not plain (text.h) alone; what
 * does not fit is clipped, text is cut with an ellipsis, and left out where its rectangle is lower
 * than a line of it. */
#ifndef UI_TOOLKIT_IMUI_H
#define UI_TOOLKIT_IMUI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "ui/toolkit/text.h"

enum { UI_IMUI_KEYS = 32, UI_IMUI_TYPED = 256 };

/* What the operator did since the last frame; the owner of the window fills it in. Plain data. */
struct ui_imui_input {
    double time; /* seconds, rising; for the blinking of the text cursor */
    int mouse_x; /* pixels of the surface */
    int mouse_y;
    bool mouse_inside;
    bool mouse_down;   /* the left button is held */
    bool pressed;      /* it went down since the last frame */
    bool released;     /* it went up since the last frame */
    bool double_click; /* the press was the second of two */
    double wheel;      /* notches, up is positive */
    bool shift;        /* Shift is held: sliders move finer */
    bool elsewhere;    /* keys go to another window: a field that has the keyboard waits */
    size_t key_count;
    char keys[UI_IMUI_KEYS][32]; /* key names as in bindings: "Ctrl+Z", "Shift+Left", "Enter" */
    char typed[UI_IMUI_TYPED];   /* UTF-8 text typed since the last frame */
};

/* Colours, 0x00RRGGBB, from theme.def. */
struct ui_theme {
#define UI_THEME(name, colour, help) uint32_t name;
#include "ui/toolkit/theme.def"
};
extern const struct ui_theme ui_theme_dark;

struct ui_imui;

/* pixel_size: height of the text in pixels (UI_FONT_SIZE_MIN..MAX), from size and scale of the
 * window; all other measures follow it. NULL without memory. Without a font it draws no text, after
 * one warning. */
struct ui_imui *ui_imui_create(int pixel_size, const struct base_diag_sink *sink);
void ui_imui_free(struct ui_imui *ui); /* NULL is fine */

/* Other size of the text (the window moved to another screen). Returns 0, or -1 without memory: it
 * then stays as it was. */
int ui_imui_resize(struct ui_imui *ui, int pixel_size, const struct base_diag_sink *sink);

/* A frame goes from begin to end. Surface and input belong to the caller and stay until end. */
void ui_imui_begin(struct ui_imui *ui, const struct ui_surface *surface,
                   const struct ui_imui_input *input);
void ui_imui_end(struct ui_imui *ui);

/* A text field or the editor has the keyboard: typed text and keys are its own. To be asked before
 * begin, for the keys of that frame: Escape, say, that ends a field is no command as well. */
bool ui_imui_wants_keys(const struct ui_imui *ui);

/* This field or editor has it, or will have it when the window has. */
bool ui_imui_has_keyboard(const struct ui_imui *ui, uint32_t id);

/* Gives the keyboard to the field or editor with this id from the next frame on; 0: to none. */
void ui_imui_focus(struct ui_imui *ui, uint32_t id);

/* A widget that takes the keyboard calls this once in every frame. A press inside rect gives the
 * keyboard to id; a press elsewhere, Escape, or a frame without this call takes it away. Tab moves
 * it from field to field in the order of the calls, unless keeps_tab. Returns whether id has it
 * now. */
bool ui_imui_keyboard(struct ui_imui *ui, uint32_t id, struct ui_rect rect, bool keeps_tab);

const struct ui_surface *ui_imui_surface(const struct ui_imui *ui);
const struct ui_imui_input *ui_imui_input(const struct ui_imui *ui);
const struct ui_theme *ui_imui_theme(const struct ui_imui *ui);
const struct ui_font *ui_imui_font(const struct ui_imui *ui);
const struct ui_font *ui_imui_mono(const struct ui_imui *ui); /* for program text */
int ui_imui_row(const struct ui_imui *ui); /* pixels of a row with a line of text and its margins */
int ui_imui_gap(const struct ui_imui *ui); /* pixels between things */

/* Layout: cuts a piece off a rectangle (never more than it has) and returns it. */
struct ui_rect ui_cut_left(struct ui_rect *rect, int width);
struct ui_rect ui_cut_right(struct ui_rect *rect, int width);
struct ui_rect ui_cut_top(struct ui_rect *rect, int height);
struct ui_rect ui_cut_bottom(struct ui_rect *rect, int height);
struct ui_rect ui_inset(struct ui_rect rect, int by);

/* Plain drawing, clipped to the surface. alpha 0 (invisible)..255. */
void ui_fill(const struct ui_surface *surface, struct ui_rect rect, uint32_t colour,
             unsigned alpha);
/* The same with rounded corners, smooth at the edge. */
void ui_fill_round(const struct ui_surface *surface, struct ui_rect rect, int radius,
                   uint32_t colour, unsigned alpha);
void ui_frame_round(const struct ui_surface *surface, struct ui_rect rect, int radius, int thick,
                    uint32_t colour);
/* Smooth; both ends are drawn. */
void ui_line(const struct ui_surface *surface, int x0, int y0, int x1, int y1, uint32_t colour,
             unsigned alpha);
/* Scales a picture (nearest texel when larger, mean of texels when smaller) into rect. */
void ui_picture(const struct ui_surface *surface, struct ui_rect rect,
                const struct ui_surface *picture);

/* The part of a surface: drawing in it is clipped to rect. Coordinates are those of the whole minus
 * rect.x and rect.y, or minus 0 where these are negative. */
struct ui_surface ui_surface_part(const struct ui_surface *surface, struct ui_rect rect);

/* A hash of each part of a surface, row by row of parts. A window takes those over whose hash has
 * changed, so that a large view of which little moves costs little. */
enum { UI_TILE_COLUMNS = 16, UI_TILE_ROWS = 32, UI_TILES = UI_TILE_COLUMNS * UI_TILE_ROWS };
struct ui_tiles {
    uint64_t hashes[UI_TILES];
};
void ui_tiles_of(struct ui_tiles *tiles, const struct ui_surface *surface);
struct ui_rect ui_tile_rect(const struct ui_surface *surface, int tile);

enum ui_align { UI_ALIGN_LEFT, UI_ALIGN_CENTRE, UI_ALIGN_RIGHT };
enum ui_tone {
    UI_TONE_TEXT,
    UI_TONE_FAINT,
    UI_TONE_ACCENT,
    UI_TONE_WARNING,
    UI_TONE_ERROR,
    UI_TONE_GOOD,
    UI_TONE_DARK, /* on the accent */
};

void ui_label(struct ui_imui *ui, struct ui_rect rect, const char *text, enum ui_tone tone,
              enum ui_align align);
/* Text broken between words into rows of this height (above 0), as many as rect has; the last one
 * ends in dots where there is more. Returns the height of all rows that it took. */
int ui_words(struct ui_imui *ui, struct ui_rect rect, int row, const char *text, enum ui_tone tone);

/* Widgets. id: unique within the frame and the same from frame to frame, not 0 (ui_id). */
uint32_t ui_id(const char *name, uint32_t number);
bool ui_button(struct ui_imui *ui, uint32_t id, struct ui_rect rect, const char *text);
/* True when it changed *on. */
bool ui_toggle(struct ui_imui *ui, uint32_t id, struct ui_rect rect, const char *text, bool *on);
/* One of `count` tabs; returns the chosen one. In a narrow row they move together before their
 * names are cut. */
size_t ui_tabs(struct ui_imui *ui, uint32_t id, struct ui_rect rect, const char *const *names,
               size_t count, size_t chosen);
/* True when it changed *value. Dragged with the mouse, turned with the wheel (Shift: finer). Shows
 * the value; the bar begins at 0 if that lies between low and high. */
bool ui_slider(struct ui_imui *ui, uint32_t id, struct ui_rect rect, double *value, double low,
               double high);
/* Text of one line, NUL-terminated UTF-8, at most size - 1 bytes. `hint` stands there while it is
 * empty. True when the text changed. Home, End, arrows, Backspace, Delete, Ctrl+U (all away); a
 * double click, Ctrl+A or entering it by a key takes the whole text, and what is typed then
 * replaces it. Enter and Escape give the keyboard up. A thick frame tells that it has it. */
bool ui_field(struct ui_imui *ui, uint32_t id, struct ui_rect rect, char *text, size_t size,
              const char *hint);
/* Stars 0..5, set by a click; a click on the last one that is set takes all away. True when *stars
 * changed. */
bool ui_stars(struct ui_imui *ui, uint32_t id, struct ui_rect rect, int *stars);
/* A level meter bar, along the longer side: value and peak in 0..1. */
void ui_bar(struct ui_imui *ui, struct ui_rect rect, double value, double peak, uint32_t colour);
/* A curve of `count` values; low at the bottom, high at the top. */
void ui_curve(struct ui_imui *ui, struct ui_rect rect, const float *values, size_t count,
              double low, double high, uint32_t colour);

/* A scrolled column of `count` rows, each row_height pixels: draws the scroll bar, follows the
 * wheel, keeps *scroll (pixels, in double) in range, and returns which rows are to be drawn by the
 * caller and where. Keeps row `wanted` (if < count) in sight when `wanted` changed since the last
 * frame. */
struct ui_rows {
    size_t first;
    size_t end;
    struct ui_rect rect;       /* room for the rows, without the scroll bar */
    struct ui_surface surface; /* clipped to that room, see ui_surface_part */
    int y;                     /* of row `first` on the whole surface; may be above rect.y */
};
struct ui_scroll {
    double at;
    size_t wanted;
};
struct ui_rows ui_rows_begin(struct ui_imui *ui, uint32_t id, struct ui_rect rect, size_t count,
                             int row_height, size_t wanted, struct ui_scroll *scroll);
/* The rectangle of one of these rows, for widgets on the whole surface. */
struct ui_rect ui_rows_rect(const struct ui_rows *rows, size_t row, int row_height);
/* The ground of a row of a list: seen when it is the chosen one or under the mouse. */
void ui_row_ground(struct ui_imui *ui, struct ui_rect rect, bool chosen);
/* Clips all widgets, their clicks and what is drawn through ui_imui_fill and ui_label to rect until
 * ui_clip_end; for the rows at the edges. Clips nest. */
void ui_clip_begin(struct ui_imui *ui, struct ui_rect rect);
void ui_clip_end(struct ui_imui *ui);
/* ui_fill_round within the clip; radius 0: plain. */
void ui_imui_fill(const struct ui_imui *ui, struct ui_rect rect, int radius, uint32_t colour,
                  unsigned alpha);
/* The thick frame of a field, or of the editor, that has the keyboard; none while keys go
 * elsewhere. */
void ui_imui_typing_frame(const struct ui_imui *ui, struct ui_rect rect);
/* Whether the mouse is over the rectangle (and inside the clip), no widget having it, and whether
 * it was pressed there now. A press that a widget took earlier in the frame does not count. */
bool ui_hovers(const struct ui_imui *ui, struct ui_rect rect);
bool ui_clicked(const struct ui_imui *ui, struct ui_rect rect);
bool ui_double_clicked(const struct ui_imui *ui, struct ui_rect rect);

#endif
