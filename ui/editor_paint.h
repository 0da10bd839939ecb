/* Inside ui/editor*: the picture of the text, row by row. It changes nothing. */
#ifndef UI_EDITOR_PAINT_H
#define UI_EDITOR_PAINT_H

#include "ui/editor_model.h"

/* Where things are; pixels of the whole surface. */
struct ui_editor_frame {
    struct ui_imui *ui;
    const struct ui_editor *editor;
    const struct ui_surface *surface;
    struct ui_rows rows;
    struct ui_rect text;   /* room of the text, without margin and scroll bar */
    struct ui_rect margin; /* of marks and line numbers */
    int row_height;
    int cell; /* width of a character */
    int hair; /* width of a fine line */
    size_t columns;
    bool has_keys;
    bool cursor_shown; /* the blinking cursor is in its bright half */
};

void ui_editor_paint_rows(const struct ui_editor_frame *frame);

/* Colour of a message. */
uint32_t ui_editor_tone(const struct ui_theme *theme, enum base_severity severity);

#endif
