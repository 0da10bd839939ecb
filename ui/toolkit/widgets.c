#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"
#include "ui/toolkit/parts.h"

enum { STAR = 0x2605, HOLLOW_STAR = 0x2606, CHECK = 0x2713, STARS = 5 };

uint32_t ui_id(const char *name, uint32_t number)
{
    uint64_t hash = base_hash(BASE_HASH_START, name, strlen(name));
    hash = base_hash(hash, &number, sizeof number);
    const uint32_t id = (uint32_t)(hash ^ hash >> 32);
    return id != 0 ? id : 1;
}

static uint32_t tone_colour(const struct ui_theme *theme, enum ui_tone tone)
{
    const uint32_t colours[] = {
        [UI_TONE_TEXT] = theme->text,     [UI_TONE_FAINT] = theme->faint,
        [UI_TONE_ACCENT] = theme->accent, [UI_TONE_WARNING] = theme->warning,
        [UI_TONE_ERROR] = theme->error,   [UI_TONE_GOOD] = theme->good,
        [UI_TONE_DARK] = theme->dark,
    };
    return colours[tone];
}

/* From the whole surface to ui->part. */
static struct ui_rect place_in_clip(const struct ui_imui *ui, struct ui_rect rect)
{
    const struct ui_rect clip = ui->clips[ui->clip_count - 1];
    rect = ui_rect_clamp(rect);
    rect.x -= clip.x;
    rect.y -= clip.y;
    return rect;
}

void ui_imui_fill(const struct ui_imui *ui, struct ui_rect rect, int radius, uint32_t colour,
                  unsigned alpha)
{
    ui_fill_round(&ui->part, place_in_clip(ui, rect), radius, colour, alpha);
}

static void draw_frame(const struct ui_imui *ui, struct ui_rect rect, int radius, int thick,
                       uint32_t colour)
{
    ui_frame_round(&ui->part, place_in_clip(ui, rect), radius, thick, colour);
}

void ui_imui_typing_frame(const struct ui_imui *ui, struct ui_rect rect)
{
    if (!ui->input->elsewhere) {
        draw_frame(ui, rect, ui->radius, 3 * ui->hair, ui_theme_dark.accent);
    }
}

/* Text within the clip, in the middle of the height of rect, cut with an ellipsis. */
static void draw_text(const struct ui_imui *ui, struct ui_rect rect, struct base_span text,
                      uint32_t colour, enum ui_align align)
{
    rect = place_in_clip(ui, rect);
    if (rect.height >= ui->line && rect.y < ui->part.height && rect.y + rect.height > 0) {
        ui_text_draw_cut(ui->font, &ui->part, rect, text, colour, align);
    }
}

/* One glyph of the font in the middle of rect. */
static void draw_mark(const struct ui_imui *ui, struct ui_rect rect, uint32_t code, uint32_t colour)
{
    if (ui->font == NULL) {
        return;
    }
    const char text[] = {(char)(0xE0 | code >> 12), (char)(0x80 | (code >> 6 & 63)),
                         (char)(0x80 | (code & 63))};
    const struct ui_glyph *glyph = ui_font_glyph(ui->font, code);
    rect = place_in_clip(ui, rect);
    const int x = rect.x + (rect.width - glyph->width) / 2 - glyph->left;
    const int y = rect.y + (rect.height - glyph->height) / 2 + glyph->top;
    ui_text_draw(ui->font, &ui->part, x, y, (struct base_span){text, sizeof text}, colour, 255);
}

void ui_label(struct ui_imui *ui, struct ui_rect rect, const char *text, enum ui_tone tone,
              enum ui_align align)
{
    draw_text(ui, rect, base_span_of(text), tone_colour(&ui_theme_dark, tone), align);
}

int ui_words(struct ui_imui *ui, struct ui_rect rect, int row, const char *text, enum ui_tone tone)
{
    const int rows = rect.height / row;
    struct base_span left = base_span_of(text);
    int used = 0;
    while (left.size > 0 && used < rows) {
        struct base_span line = left;
        if (++used < rows) {
            /* the whole words that fit, or as much of the first one */
            const size_t fits = ui_text_fit(ui->font, left, rect.width);
            line.size = fits;
            while (line.size > 0 && line.size < left.size && left.data[line.size] != ' ') {
                line.size--;
            }
            line.size = line.size > 0 ? line.size : fits;
        }
        draw_text(ui, ui_cut_top(&rect, row), line, tone_colour(&ui_theme_dark, tone),
                  UI_ALIGN_LEFT);
        left.data += line.size;
        left.size = line.size > 0 ? left.size - line.size : 0;
        while (left.size > 0 && left.data[0] == ' ') {
            left.data++;
            left.size--;
        }
    }
    return used * row;
}

bool ui_button(struct ui_imui *ui, uint32_t id, struct ui_rect rect, const char *text)
{
    const struct ui_theme *theme = &ui_theme_dark;
    const struct ui_imui_touch touch = ui_imui_touch(ui, id, rect);
    const bool down = touch.held && touch.over;
    ui_imui_fill(ui, rect, ui->radius,
                 down         ? theme->accent
                 : touch.over ? theme->hover
                              : theme->raised,
                 255);
    (void)ui_cut_left(&rect, ui->gap);
    (void)ui_cut_right(&rect, ui->gap);
    draw_text(ui, rect, base_span_of(text), down ? theme->dark : theme->text, UI_ALIGN_CENTRE);
    return touch.clicked;
}

bool ui_toggle(struct ui_imui *ui, uint32_t id, struct ui_rect rect, const char *text, bool *on)
{
    const struct ui_theme *theme = &ui_theme_dark;
    const struct ui_imui_touch touch = ui_imui_touch(ui, id, rect);
    *on ^= touch.clicked;
    struct ui_rect room = ui_rect_clamp(rect);
    struct ui_rect box = ui_cut_left(&room, ui->line);
    const int side = box.width < box.height ? box.width : box.height;
    box = (struct ui_rect){box.x, box.y + (box.height - side) / 2, side, side};
    if (*on) {
        ui_imui_fill(ui, box, ui->radius, theme->accent, 255);
        draw_mark(ui, box, CHECK, theme->dark);
    } else {
        ui_imui_fill(ui, box, ui->radius, theme->ground, 255);
        draw_frame(ui, box, ui->radius, ui->hair, touch.over ? theme->faint : theme->edge);
    }
    (void)ui_cut_left(&room, ui->gap);
    draw_text(ui, room, base_span_of(text), *on || touch.over ? theme->text : theme->faint,
              UI_ALIGN_LEFT);
    return touch.clicked;
}

size_t ui_tabs(struct ui_imui *ui, uint32_t id, struct ui_rect rect, const char *const *names,
               size_t count, size_t chosen)
{
    const struct ui_theme *theme = &ui_theme_dark;
    struct ui_rect room = ui_rect_clamp(rect);
    struct ui_rect edge = room;
    ui_imui_fill(ui, ui_cut_bottom(&edge, ui->hair), 0, theme->line, 255);
    int64_t texts = 0;
    for (size_t i = 0; i < count; i++) {
        texts += ui_text_width(ui->font, base_span_of(names[i]));
    }
    /* With the usual margins, with smaller ones, or a part of the room in proportion to its text.
     */
    const int whole = room.width;
    const int64_t margin = count > 0 ? (whole - texts) / (int64_t)count : 0;
    const int64_t usual = margin < 3 * ui->gap ? margin : 3 * ui->gap;
    for (size_t i = 0; i < count; i++) {
        const int64_t text = ui_text_width(ui->font, base_span_of(names[i]));
        const int64_t width = margin >= ui->gap / 2 ? text + usual
                              : texts > 0           ? whole * text / texts
                                                    : 0;
        struct ui_rect tab = ui_cut_left(&room, (int)width);
        const struct ui_imui_touch touch = ui_imui_touch(ui, id + (uint32_t)i + 1, tab);
        chosen = touch.pressed ? i : chosen;
        struct ui_rect name = tab;
        (void)ui_cut_left(&name, ui->gap / 4);
        (void)ui_cut_right(&name, ui->gap / 4);
        draw_text(ui, name, base_span_of(names[i]),
                  i == chosen || touch.over ? theme->text : theme->faint, UI_ALIGN_CENTRE);
        if (i == chosen) {
            ui_imui_fill(ui, ui_cut_bottom(&tab, 2 * ui->hair), 0, theme->accent, 255);
        }
    }
    return chosen;
}

bool ui_stars(struct ui_imui *ui, uint32_t id, struct ui_rect rect, int *stars)
{
    const struct ui_theme *theme = &ui_theme_dark;
    const int wide = ui->line;
    struct ui_rect room = ui_rect_clamp(rect);
    struct ui_rect all = ui_cut_left(&room, STARS * wide);
    const struct ui_imui_touch touch = ui_imui_touch(ui, id, all);
    const int under = touch.over ? (ui->input->mouse_x - all.x) / wide + 1 : 0;
    const bool changed = touch.clicked;
    if (changed) {
        *stars = under == *stars ? 0 : under;
    }
    ui_clip_begin(ui, all);
    for (int i = 1; i <= STARS; i++) {
        const bool set = i <= *stars;
        const struct ui_rect place = {all.x + (i - 1) * wide, all.y, wide, all.height};
        draw_mark(ui, place, set ? STAR : HOLLOW_STAR,
                  set          ? theme->star
                  : i <= under ? theme->faint
                               : theme->line);
    }
    ui_clip_end(ui);
    return changed;
}

static const double notches = 100; /* of the wheel from end to end */
static const double fine = 0.1;

static double clamp_unit(double at)
{
    return at > 0 ? at < 1 ? at : 1 : 0; /* no number: 0 */
}

/* Part of the slider's rounded shape. */
static void fill_part(struct ui_imui *ui, struct ui_rect rect, int x, int width, unsigned alpha)
{
    ui_clip_begin(ui, (struct ui_rect){rect.x + x, rect.y, width, rect.height});
    ui_imui_fill(ui, rect, ui->radius, ui_theme_dark.accent, alpha);
    ui_clip_end(ui);
}

bool ui_slider(struct ui_imui *ui, uint32_t id, struct ui_rect rect, double *value, double low,
               double high)
{
    rect = ui_rect_clamp(rect);
    const struct ui_imui_input *input = ui->input;
    const double range = high - low;
    const bool works = range > 0 && isfinite(range);
    const struct ui_imui_touch touch = ui_imui_touch(ui, id, rect);
    const double before = works ? clamp_unit((*value - low) / range) : 0;
    double at = before;
    if (touch.held) {
        /* With Shift it moves from where it is. */
        const double width = rect.width > 1 ? rect.width - 1 : 1;
        if (touch.pressed) {
            ui->drag = input->shift ? at : ((double)input->mouse_x - rect.x) / width;
        } else {
            const double steps = (double)input->mouse_x - ui->drag_x;
            ui->drag += steps / width * (input->shift ? fine : 1);
        }
        ui->drag_x = input->mouse_x;
        at = clamp_unit(ui->drag);
    }
    if (touch.over) {
        const double wheel = ui_imui_wheel(ui, id);
        at = wheel != 0 ? clamp_unit(at + wheel / notches * (input->shift ? fine : 1)) : at;
    }
    const bool changed = works && at != before;
    if (changed) {
        *value = at <= 0 ? low : at >= 1 ? high : low + at * range;
    }
    const bool bright = touch.over || touch.held;
    const double origin = works && low < 0 && high > 0 ? -low / range : 0;
    const int mark = 2 * ui->hair;
    const int room = rect.width > mark ? rect.width - mark : 0;
    const int x = (int)(at * room + 0.5);
    const int from = (int)(origin * room + 0.5);
    ui_imui_fill(ui, rect, ui->radius, bright ? ui_theme_dark.hover : ui_theme_dark.raised, 255);
    fill_part(ui, rect, x < from ? x : from, x < from ? from - x : x - from, bright ? 80 : 56);
    fill_part(ui, rect, x, mark, 255);
    char text[32];
    const int size = snprintf(text, sizeof text, "%.4g", *value == 0 ? 0 : *value);
    (void)ui_cut_right(&rect, ui->gap);
    draw_text(ui, rect, (struct base_span){text, (size_t)size}, ui_theme_dark.text, UI_ALIGN_RIGHT);
    return changed;
}

void ui_bar(struct ui_imui *ui, struct ui_rect rect, double value, double peak, uint32_t colour)
{
    const struct ui_theme *theme = &ui_theme_dark;
    rect = ui_rect_clamp(rect);
    const bool lies = rect.width >= rect.height;
    const int length = lies ? rect.width : rect.height;
    const int filled = (int)(clamp_unit(value) * length + 0.5);
    const int line = 2 * ui->hair < length ? 2 * ui->hair : length;
    const int top = (int)(clamp_unit(peak) * (length - line) + 0.5);
    struct ui_rect bar = rect;
    struct ui_rect mark = rect;
    if (lies) {
        bar.width = filled;
        mark = (struct ui_rect){rect.x + top, rect.y, line, rect.height};
    } else {
        bar = ui_cut_bottom(&bar, filled);
        mark = (struct ui_rect){rect.x, rect.y + length - line - top, rect.width, line};
    }
    ui_imui_fill(ui, rect, ui->hair, theme->raised, 255);
    ui_imui_fill(ui, bar, ui->hair, colour, 255);
    if (peak > 0) {
        ui_imui_fill(ui, mark, 0, theme->text, 255);
    }
}

struct curve {
    const float *values;
    size_t count;
    double low;
    double range;
    double height;
};

/* Rows from the top, fractional, of the value at a place between two. */
static double curve_row(const struct curve *curve, double place)
{
    const double last = (double)(curve->count - 1);
    place = place > 0 ? place < last ? place : last : 0;
    const size_t i = (size_t)place;
    const size_t next = i + 1 < curve->count ? i + 1 : i;
    const double share = place - (double)i;
    const double value =
        (double)curve->values[i] * (1 - share) + (double)curve->values[next] * share;
    return (1 - clamp_unit((value - curve->low) / curve->range)) * curve->height;
}

void ui_curve(struct ui_imui *ui, struct ui_rect rect, const float *values, size_t count,
              double low, double high, uint32_t colour)
{
    rect = ui_rect_clamp(rect);
    const struct ui_rect seen = ui_rect_intersect(rect, ui->clips[ui->clip_count - 1]);
    if (count == 0 || !(high > low) || !isfinite(high - low)) {
        return;
    }
    const double thick = 1.5 * ui->hair < rect.height ? 1.5 * ui->hair : rect.height;
    const struct curve curve = {values, count, low, high - low, rect.height - thick};
    const double step = (double)(count - 1) / rect.width;
    for (int x = seen.x; x < seen.x + seen.width && seen.height > 0; x++) {
        const double from = (double)(x - rect.x) * step;
        const double to = from + step;
        /* The rows the curve passes through between two places. */
        const double a = curve_row(&curve, from);
        const double b = curve_row(&curve, to);
        double top = a < b ? a : b;
        double bottom = a > b ? a : b;
        for (double i = floor(from) + 1; i < to && i < (double)count; i++) {
            const double row = curve_row(&curve, i);
            top = row < top ? row : top;
            bottom = row > bottom ? row : bottom;
        }
        top += rect.y;
        bottom += rect.y + thick;
        const int ground = (int)bottom;
        ui_imui_fill(ui, (struct ui_rect){x, ground, 1, rect.y + rect.height - ground}, 0, colour,
                     28);
        /* Smooth at both ends. */
        const int last = seen.y + seen.height;
        for (int y = top > seen.y ? (int)top : seen.y; y < bottom && y < last; y++) {
            const double above = top > y ? top : y;
            const double below = bottom < y + 1 ? bottom : y + 1;
            const struct ui_rect pixel = {x, y, 1, 1};
            ui_imui_fill(ui, pixel, 0, colour, (unsigned)((below - above) * 255 + 0.5));
        }
    }
}

static const double notch_rows = 3;

enum { COUNT_MAX = 1 << 30, HEIGHT_MAX = 1 << 20 };

struct extent {
    double whole; /* pixels of all rows */
    double seen;
    double most; /* the scroll position of the end */
};

static double clamp_scroll(double at, double most)
{
    return at > 0 ? at < most ? at : most : 0; /* no number: 0 */
}

/* The scroll bar: draws it and answers the dragged position. */
static double scroll_bar(struct ui_imui *ui, uint32_t id, struct ui_rect rect,
                         const struct extent *extent, double at)
{
    const struct ui_theme *theme = &ui_theme_dark;
    if (extent->most <= 0 || rect.height < 1) {
        return at;
    }
    const double least = ui->row < rect.height ? ui->row : rect.height;
    const double share = rect.height * extent->seen / extent->whole;
    const double length = share > least ? share : least;
    const double room = rect.height - length > 0.5 ? rect.height - length : 0.5;
    const struct ui_imui_touch touch = ui_imui_touch(ui, id, rect);
    const double top = at / extent->most * room;
    if (touch.pressed) {
        const double grip = (double)ui->input->mouse_y - rect.y - top;
        ui->drag = grip >= 0 && grip < length ? grip : length / 2;
    }
    if (touch.held) {
        const double wanted = (double)ui->input->mouse_y - rect.y - ui->drag;
        at = clamp_scroll(wanted / room * extent->most, extent->most);
    }
    const int y = rect.y + (int)(at / extent->most * room + 0.5);
    const struct ui_rect thumb = {rect.x, y, rect.width, (int)(length + 0.5)};
    ui_imui_fill(ui, thumb, rect.width / 2,
                 touch.held   ? theme->accent
                 : touch.over ? theme->faint
                              : theme->line,
                 255);
    return at;
}

struct ui_rows ui_rows_begin(struct ui_imui *ui, uint32_t id, struct ui_rect rect, size_t count,
                             int row_height, size_t wanted, struct ui_scroll *scroll)
{
    row_height = row_height < 1 ? 1 : row_height < HEIGHT_MAX ? row_height : HEIGHT_MAX;
    count = count < COUNT_MAX ? count : COUNT_MAX;
    struct ui_rect room = ui_rect_clamp(rect);
    const struct ui_rect all = room;
    const struct ui_rect bar = ui_cut_right(&room, ui->gap);
    (void)ui_cut_right(&room, ui->gap / 2);
    struct extent extent = {.whole = (double)count * row_height, .seen = room.height};
    extent.most = extent.whole > extent.seen ? extent.whole - extent.seen : 0;
    if (wanted != scroll->wanted && wanted < count) {
        const double top = (double)wanted * row_height;
        const double bottom = ((double)wanted + 1) * row_height;
        scroll->at = top < scroll->at                    ? top
                     : bottom > scroll->at + extent.seen ? bottom - extent.seen
                                                         : scroll->at;
    }
    scroll->wanted = wanted;
    if (ui_hovers(ui, all)) {
        scroll->at -= ui_imui_wheel(ui, id) * notch_rows * row_height;
    }
    scroll->at = clamp_scroll(scroll->at, extent.most);
    scroll->at = scroll_bar(ui, id, ui_inset(bar, ui->hair), &extent, scroll->at);
    struct ui_rows rows = {.rect = room, .surface = ui_surface_part(ui->surface, room)};
    rows.first = (size_t)(scroll->at / row_height);
    const int hidden = (int)(scroll->at - (double)rows.first * row_height + 0.5);
    rows.first = rows.first < count ? rows.first : count;
    rows.y = room.y - hidden;
    const size_t most = (size_t)((room.height + hidden + row_height - 1) / row_height);
    rows.end = count - rows.first < most ? count : rows.first + most;
    return rows;
}

struct ui_rect ui_rows_rect(const struct ui_rows *rows, size_t row, int row_height)
{
    const double y = rows->y + ((double)row - (double)rows->first) * row_height;
    const double limit = 1 << 24;
    const double bounded = y < -limit ? -limit : y > limit ? limit : y;
    return ui_rect_clamp(
        (struct ui_rect){rows->rect.x, (int)bounded, rows->rect.width, row_height});
}

void ui_row_ground(struct ui_imui *ui, struct ui_rect rect, bool chosen)
{
    const struct ui_theme *theme = &ui_theme_dark;
    if (ui_hovers(ui, rect)) {
        ui_imui_fill(ui, rect, ui->radius, theme->raised, 255);
    }
    if (chosen) {
        ui_imui_fill(ui, rect, ui->radius, theme->accent, 44);
        ui_imui_fill(ui, ui_cut_left(&rect, 3 * ui->hair), 0, theme->accent, 255);
    }
}

/* The field: one line of text that the operator edits. */

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
        *cursor = (struct ui_imui_cursor){.id = id, .moved = input->time};
        take_whole(edit);
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
    const struct ui_rect place = place_in_clip(ui, (struct ui_rect){x, room.y, 0, room.height});
    const int baseline = place.y + (place.height + (ui->font != NULL ? ui->font->capital : 0)) / 2;
    ui_text_draw(ui->font, &ui->part, place.x, baseline, text, theme->text, 255);
    if (!ui->input->elsewhere && fmod(fabs(ui->input->time - cursor->moved), blink) < blink / 2) {
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
    draw_frame(ui, rect, ui->radius, ui->hair, touch.over ? theme->faint : theme->edge);
    if (focused) {
        ui_imui_typing_frame(ui, rect);
    }
    if (edit.length == 0) {
        draw_text(ui, room, base_span_of(hint == NULL ? "" : hint), theme->faint, UI_ALIGN_LEFT);
    }
    if (focused) {
        draw_editing(ui, room, &edit);
    } else {
        draw_text(ui, room, (struct base_span){text, edit.length}, theme->text, UI_ALIGN_LEFT);
    }
    return changed;
}
