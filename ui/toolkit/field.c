#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "ui/toolkit/parts.h"

static const double blink = 1.1; /* seconds; the cursor is seen for the first half */

struct edit {
    char *text;
    size_t room; /* bytes without the NUL */
    size_t length;
    struct ui_imui_cursor *cursor;
};

/* Where the code point before a place begins. */
static size_t step_back(const char *text, size_t at)
{
    struct base_span rest = {text, at};
    size_t before = 0;
    while (rest.size > 0) {
        before = at - rest.size;
        (void)base_utf8_next(&rest);
    }
    return before;
}

static size_t step_on(const struct edit *edit, size_t at)
{
    struct base_span rest = {edit->text + at, edit->length - at};
    if (rest.size > 0) {
        (void)base_utf8_next(&rest);
    }
    return edit->length - rest.size;
}

static bool erase(struct edit *edit, size_t from, size_t to)
{
    memmove(edit->text + from, edit->text + to, edit->length - to + 1);
    edit->length -= to - from;
    edit->cursor->at = from;
    edit->cursor->whole = false;
    return to > from;
}

static void move_to(struct edit *edit, size_t at)
{
    edit->cursor->at = at;
    edit->cursor->whole = false;
}

static void take_whole(struct edit *edit)
{
    edit->cursor->at = edit->length;
    edit->cursor->whole = edit->length > 0;
}

/* Control characters and broken sequences are left out, and what does not fit. */
static bool type(struct edit *edit, const char *typed)
{
    struct base_span rest = {typed, strnlen(typed, UI_IMUI_TYPED)};
    bool changed = false;
    while (rest.size > 0) {
        const struct base_span all = rest;
        const uint32_t code = base_utf8_next(&rest);
        const size_t size = all.size - rest.size;
        if (code < 0x20 || (code >= 0x7F && code < 0xA0) || (code == 0xFFFD && size == 1)) {
            continue;
        }
        if (edit->cursor->whole) {
            changed |= erase(edit, 0, edit->length);
        }
        if (size > edit->room - edit->length) {
            break;
        }
        char *place = edit->text + edit->cursor->at;
        memmove(place + size, place, edit->length - edit->cursor->at + 1);
        memcpy(place, all.data, size);
        edit->length += size;
        edit->cursor->at += size;
        changed = true;
    }
    return changed;
}

/* Returns whether the text changed. */
static bool press_key(struct edit *edit, const char *key, size_t size)
{
    enum key { LEFT, RIGHT, HOME, END, BACKSPACE, DELETE, ALL_AWAY, WHOLE, KEYS };
    static const char *const names[KEYS] = {"Left",      "Right",  "Home",   "End",
                                            "Backspace", "Delete", "Ctrl+U", "Ctrl+A"};
    const size_t at = edit->cursor->at;
    const bool whole = edit->cursor->whole;
    enum key pressed = LEFT;
    while (pressed < KEYS && strncmp(key, names[pressed], size) != 0) {
        pressed++;
    }
    switch (pressed) {
    case LEFT:
        move_to(edit, whole ? 0 : step_back(edit->text, at));
        return false;
    case RIGHT:
        move_to(edit, whole ? edit->length : step_on(edit, at));
        return false;
    case HOME:
        move_to(edit, 0);
        return false;
    case END:
        move_to(edit, edit->length);
        return false;
    case BACKSPACE:
        return whole ? erase(edit, 0, edit->length) : erase(edit, step_back(edit->text, at), at);
    case DELETE:
        return whole ? erase(edit, 0, edit->length) : erase(edit, at, step_on(edit, at));
    case ALL_AWAY:
        return erase(edit, 0, edit->length);
    case WHOLE:
        take_whole(edit);
        return false;
    default:
        return false;
    }
}

/* What the operator did since the last frame, in a field that has the keyboard; room: of its text.
 * Returns whether the text changed. */
static bool edit_text(struct ui_imui *ui, uint32_t id, struct ui_rect room, bool pressed,
                      struct edit *edit)
{
    const struct ui_imui_input *input = ui->input;
    struct ui_imui_cursor *cursor = edit->cursor;
    if (cursor->id != id) {
        *cursor = (struct ui_imui_cursor){.id = id, .at = edit->length, .moved = input->time};
    }
    /* Others may have changed the text since: back to the beginning of a code point. */
    size_t start = 0;
    while (start < edit->length && step_on(edit, start) <= cursor->at) {
        start = step_on(edit, start);
    }
    cursor->at = start;
    cursor->whole = cursor->whole && edit->length > 0;
    if (pressed && input->double_click) {
        take_whole(edit);
    } else if (pressed) {
        const int x = (int)((int64_t)input->mouse_x - room.x) + cursor->scrolled;
        move_to(edit, ui_text_at(ui->font, (struct base_span){edit->text, edit->length}, x));
        cursor->moved = input->time;
    }
    const size_t before = cursor->at;
    bool changed = type(edit, input->typed);
    for (size_t i = 0; i < input->key_count && i < UI_IMUI_KEYS; i++) {
        changed |= press_key(edit, input->keys[i], sizeof input->keys[i]);
    }
    if (changed || cursor->at != before) {
        cursor->moved = input->time;
    }
    if (ui_imui_key(ui, "Enter") || ui_imui_key(ui, "Escape")) {
        ui_imui_focus(ui, 0);
    }
    return changed;
}

static void draw_editing(struct ui_imui *ui, struct ui_rect room, struct edit *edit)
{
    const struct ui_theme *theme = &ui_theme_dark;
    struct ui_imui_cursor *cursor = edit->cursor;
    const struct base_span text = {edit->text, edit->length};
    const int width = ui_text_width(ui->font, text);
    const int at = ui_text_x(ui->font, text, cursor->at);
    const int thick = 2 * ui->hair;
    /* Scrolled so that the cursor is seen and no room is left empty. */
    const int most = width > room.width ? width - room.width : 0;
    int scrolled = cursor->scrolled;
    scrolled = at - scrolled > room.width ? at - room.width : scrolled;
    scrolled = at < scrolled ? at : scrolled;
    cursor->scrolled = scrolled > most ? most : scrolled;
    const int x = room.x - cursor->scrolled;
    const int top = room.y + (room.height - ui->line) / 2;
    const struct ui_rect seen = {room.x - thick, room.y, room.width + 2 * thick, room.height};
    ui_clip_begin(ui, seen);
    if (cursor->whole) {
        ui_imui_fill(ui, (struct ui_rect){x, top, width, ui->line}, 0, theme->accent, 90);
    }
    const struct ui_rect place = ui_imui_place(ui, (struct ui_rect){x, room.y, 0, room.height});
    const int baseline = place.y + (place.height + (ui->font != NULL ? ui->font->capital : 0)) / 2;
    ui_text_draw(ui->font, &ui->part, place.x, baseline, text, theme->text, 255);
    if (fmod(fabs(ui->input->time - cursor->moved), blink) < blink / 2) {
        ui_imui_fill(ui,
                     (struct ui_rect){x + at - (at == 0 ? thick : ui->hair), top, thick, ui->line},
                     0, theme->accent, 255);
    }
    ui_clip_end(ui);
}

bool ui_field(struct ui_imui *ui, uint32_t id, struct ui_rect rect, char *text, size_t size,
              const char *hint)
{
    assert(size > 0);
    const struct ui_theme *theme = &ui_theme_dark;
    struct edit edit = {text, size - 1, strnlen(text, size - 1), &ui->cursor};
    text[edit.length] = '\0';
    rect = ui_rect_clamp(rect);
    struct ui_rect room = rect;
    (void)ui_cut_left(&room, ui->gap);
    (void)ui_cut_right(&room, ui->gap);
    const struct ui_imui_touch touch = ui_imui_touch(ui, id, rect);
    const bool focused = ui_imui_keyboard(ui, id, rect, false);
    bool changed = false;
    if (focused) {
        changed = edit_text(ui, id, room, touch.pressed, &edit);
    }
    ui_imui_fill(ui, rect, ui->radius, theme->ground, 255);
    ui_imui_frame(ui, rect, ui->radius, ui->hair,
                  focused      ? theme->accent
                  : touch.over ? theme->faint
                               : theme->edge);
    if (edit.length == 0) {
        ui_imui_text(ui, room, base_span_of(hint == NULL ? "" : hint), theme->faint, UI_ALIGN_LEFT);
    }
    if (focused) {
        draw_editing(ui, room, &edit);
    } else {
        ui_imui_text(ui, room, (struct base_span){text, edit.length}, theme->text, UI_ALIGN_LEFT);
    }
    return changed;
}
