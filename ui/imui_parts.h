/* What the widgets of the interface share; for ui/imui*.c only. */
#ifndef UI_IMUI_PARTS_H
#define UI_IMUI_PARTS_H

#include "ui/font.h"
#include "ui/imui.h"

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
struct ui_rect ui_rect_sane(struct ui_rect rect);
struct ui_rect ui_rect_common(struct ui_rect a, struct ui_rect b);
bool ui_rect_holds(struct ui_rect rect, int x, int y);

/* From the whole surface to ui->part. */
struct ui_rect ui_imui_place(const struct ui_imui *ui, struct ui_rect rect);

/* Text within the clip, in the middle of the height of rect, cut with an ellipsis. */
void ui_imui_text(const struct ui_imui *ui, struct ui_rect rect, struct base_span text,
                  uint32_t colour, enum ui_align align);
void ui_imui_frame(const struct ui_imui *ui, struct ui_rect rect, int radius, int thick,
                   uint32_t colour);
/* One glyph of the font in the middle of rect. */
void ui_imui_mark(const struct ui_imui *ui, struct ui_rect rect, uint32_t code, uint32_t colour);
uint32_t ui_theme_tone(const struct ui_theme *theme, enum ui_tone tone);

#endif
