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

/* The beginning of a code point at a place or before it. */
static size_t snap_back(const struct edit *edit, size_t at)
{
    size_t start = 0;
    while (start < edit->length && step_on(edit, start) <= at) {
        start = step_on(edit, start);
    }
    return start;
}

static bool erase(struct edit *edit, size_t from, size_t to)
{
    memmove(edit->text + from, edit->text + to, edit->length - to + 1);
    edit->length -= to - from;
    edit->cursor->at = from;
    edit->cursor->whole = false;
    return to > from;
}

static bool erase_whole(struct edit *edit)
{
    return erase(edit, 0, edit->length);
}

static bool backspace(struct edit *edit)
{
    const size_t at = edit->cursor->at;
    return edit->cursor->whole ? erase_whole(edit) : erase(edit, step_back(edit->text, at), at);
}

static bool delete_next(struct edit *edit)
{
    const size_t at = edit->cursor->at;
    return edit->cursor->whole ? erase_whole(edit) : erase(edit, at, step_on(edit, at));
}

static bool move_to(struct edit *edit, size_t at)
{
    edit->cursor->at = at;
    edit->cursor->whole = false;
    return false;
}

static bool go_home(struct edit *edit)
{
    return move_to(edit, 0);
}

static bool go_end(struct edit *edit)
{
    return move_to(edit, edit->length);
}

static bool go_left(struct edit *edit)
{
    return move_to(edit, edit->cursor->whole ? 0 : step_back(edit->text, edit->cursor->at));
}

static bool go_right(struct edit *edit)
{
    return move_to(edit, edit->cursor->whole ? edit->length : step_on(edit, edit->cursor->at));
}

static bool take_whole(struct edit *edit)
{
    edit->cursor->at = edit->length;
    edit->cursor->whole = edit->length > 0;
    return false;
}

/* Each answers whether the text changed. */
static const struct {
    const char *key;
    bool (*act)(struct edit *edit);
} keys[] = {
    {"Left", go_left},       {"Right", go_right},      {"Home", go_home},
    {"End", go_end},         {"Backspace", backspace}, {"Delete", delete_next},
    {"Ctrl+U", erase_whole}, {"Ctrl+A", take_whole},
};

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
            changed |= erase_whole(edit);
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

static bool press_keys(struct ui_imui *ui, struct edit *edit)
{
    const struct ui_imui_input *input = ui->input;
    bool changed = false;
    for (size_t i = 0; i < input->key_count && i < UI_IMUI_KEYS; i++) {
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
            if (strncmp(input->keys[i], keys[k].key, sizeof input->keys[i]) == 0) {
                changed |= keys[k].act(edit);
            }
        }
    }
    return changed;
}

/* The cursor stands in this field, at the beginning of a code point of a text that may have been
 * changed by others since. */
static void bring_cursor(struct ui_imui *ui, uint32_t id, const struct edit *edit)
{
    struct ui_imui_cursor *cursor = edit->cursor;
    if (cursor->id != id) {
        *cursor = (struct ui_imui_cursor){.id = id, .at = edit->length, .moved = ui->input->time};
    }
    cursor->at = snap_back(edit, cursor->at);
    cursor->whole = cursor->whole && edit->length > 0;
}

static bool edit_text(struct ui_imui *ui, struct edit *edit)
{
    const size_t before = edit->cursor->at;
    bool changed = type(edit, ui->input->typed);
    changed |= press_keys(ui, edit);
    if (changed || edit->cursor->at != before) {
        edit->cursor->moved = ui->input->time;
    }
    if (ui_imui_key(ui, "Enter") || ui_imui_key(ui, "Escape")) {
        ui_imui_focus(ui, 0);
    }
    return changed;
}

/* The place in the text that is nearest to the mouse. */
static void place_cursor(struct ui_imui *ui, struct edit *edit, int left)
{
    const int x = (int)((int64_t)ui->input->mouse_x - left) + edit->cursor->scrolled;
    (void)move_to(edit, ui_text_at(ui->font, (struct base_span){edit->text, edit->length}, x));
    edit->cursor->moved = ui->input->time;
}

/* How far the text is scrolled so that its cursor is seen and no room is left empty. */
static int scroll_for(int scrolled, int cursor, int width, int room)
{
    const int most = width > room ? width - room : 0;
    scrolled = cursor - scrolled > room ? cursor - room : scrolled;
    scrolled = cursor < scrolled ? cursor : scrolled;
    return scrolled > most ? most : scrolled;
}

static void draw_editing(struct ui_imui *ui, struct ui_rect room, struct edit *edit)
{
    const struct ui_theme *theme = &ui_theme_dark;
    struct ui_imui_cursor *cursor = edit->cursor;
    const struct base_span text = {edit->text, edit->length};
    const int width = ui_text_width(ui->font, text);
    const int at = ui_text_x(ui->font, text, cursor->at);
    const int thick = 2 * ui->hair;
    cursor->scrolled = scroll_for(cursor->scrolled, at, width, room.width);
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

static void draw_ground(const struct ui_imui *ui, struct ui_rect rect, bool over, bool focused)
{
    const struct ui_theme *theme = &ui_theme_dark;
    ui_imui_fill(ui, rect, ui->radius, theme->ground, 255);
    ui_imui_frame(ui, rect, ui->radius, ui->hair,
                  focused ? theme->accent
                  : over  ? theme->faint
                          : theme->edge);
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
        bring_cursor(ui, id, &edit);
        if (touch.pressed && ui->input->double_click) {
            (void)take_whole(&edit);
        } else if (touch.pressed) {
            place_cursor(ui, &edit, room.x);
        }
        changed = edit_text(ui, &edit);
    }
    draw_ground(ui, rect, touch.over, focused);
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
