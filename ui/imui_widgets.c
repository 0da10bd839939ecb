#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "base/hash.h"
#include "ui/blend.h"
#include "ui/imui_parts.h"

enum { STAR = 0x2605, HOLLOW_STAR = 0x2606, CHECK = 0x2713, STARS = 5 };

uint32_t ui_id(const char *name, uint32_t number)
{
    uint64_t hash = base_hash(BASE_HASH_START, name, strlen(name));
    hash = base_hash(hash, &number, sizeof number);
    const uint32_t id = (uint32_t)(hash ^ hash >> 32);
    return id != 0 ? id : 1;
}

uint32_t ui_theme_tone(const struct ui_theme *theme, enum ui_tone tone)
{
    const uint32_t colours[] = {
        [UI_TONE_TEXT] = theme->text,     [UI_TONE_FAINT] = theme->faint,
        [UI_TONE_ACCENT] = theme->accent, [UI_TONE_WARNING] = theme->warning,
        [UI_TONE_ERROR] = theme->error,   [UI_TONE_GOOD] = theme->good,
        [UI_TONE_DARK] = theme->dark,
    };
    return colours[tone];
}

struct ui_rect ui_imui_place(const struct ui_imui *ui, struct ui_rect rect)
{
    const struct ui_rect clip = ui->clips[ui->clip_count - 1];
    rect = ui_rect_sane(rect);
    rect.x -= clip.x;
    rect.y -= clip.y;
    return rect;
}

void ui_imui_fill(const struct ui_imui *ui, struct ui_rect rect, int radius, uint32_t colour,
                  unsigned alpha)
{
    ui_fill_round(&ui->part, ui_imui_place(ui, rect), radius, colour, alpha);
}

void ui_imui_frame(const struct ui_imui *ui, struct ui_rect rect, int radius, int thick,
                   uint32_t colour)
{
    ui_frame_round(&ui->part, ui_imui_place(ui, rect), radius, thick, colour);
}

void ui_imui_text(const struct ui_imui *ui, struct ui_rect rect, struct base_span text,
                  uint32_t colour, enum ui_align align)
{
    const struct base_span dots = base_span_of("\xE2\x80\xA6");
    rect = ui_imui_place(ui, rect);
    if (ui->font == NULL || rect.height < ui->line || rect.y >= ui->part.height ||
        rect.y + rect.height <= 0) {
        return;
    }
    const bool fits = ui_text_fit(ui->font, text, rect.width) == text.size;
    const int dots_width = fits ? 0 : ui_text_width(ui->font, dots);
    text.size = fits ? text.size : ui_text_fit(ui->font, text, rect.width - dots_width);
    const int width = ui_text_width(ui->font, text) + dots_width;
    if (width > rect.width) {
        return;
    }
    const int x = rect.x + (rect.width - width) * (int)align / 2;
    const int y = rect.y + (rect.height + ui->font->capital) / 2;
    ui_text_draw(ui->font, &ui->part, x, y, text, colour, 255);
    if (!fits) {
        ui_text_draw(ui->font, &ui->part, x + width - dots_width, y, dots, colour, 255);
    }
}

void ui_imui_mark(const struct ui_imui *ui, struct ui_rect rect, uint32_t code, uint32_t colour)
{
    if (ui->font == NULL) {
        return;
    }
    const char text[] = {(char)(0xE0 | code >> 12), (char)(0x80 | (code >> 6 & 63)),
                         (char)(0x80 | (code & 63))};
    const struct ui_glyph *glyph = ui_font_glyph(ui->font, code);
    rect = ui_imui_place(ui, rect);
    const int x = rect.x + (rect.width - glyph->width) / 2 - glyph->left;
    const int y = rect.y + (rect.height - glyph->height) / 2 + glyph->top;
    ui_text_draw(ui->font, &ui->part, x, y, (struct base_span){text, sizeof text}, colour, 255);
}

void ui_label(struct ui_imui *ui, struct ui_rect rect, const char *text, enum ui_tone tone,
              enum ui_align align)
{
    ui_imui_text(ui, rect, base_span_of(text), ui_theme_tone(&ui_theme_dark, tone), align);
}

/* Bytes of the words that stand in a line of this width, or of as much of the first one. */
static size_t line_of(const struct ui_font *font, struct base_span text, int width)
{
    const size_t fits = ui_text_fit(font, text, width);
    size_t end = fits;
    while (end > 0 && end < text.size && text.data[end] != ' ') {
        end--;
    }
    return end > 0 ? end : fits;
}

int ui_words(struct ui_imui *ui, struct ui_rect rect, int row, const char *text, enum ui_tone tone)
{
    const int rows = rect.height / row;
    struct base_span left = base_span_of(text);
    int used = 0;
    while (left.size > 0 && used < rows) {
        struct base_span line = left;
        line.size = ++used < rows ? line_of(ui->font, left, rect.width) : left.size;
        ui_imui_text(ui, ui_cut_top(&rect, row), line, ui_theme_tone(&ui_theme_dark, tone),
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

static struct ui_rect inner(const struct ui_imui *ui, struct ui_rect rect)
{
    (void)ui_cut_left(&rect, ui->gap);
    (void)ui_cut_right(&rect, ui->gap);
    return rect;
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
    ui_imui_text(ui, inner(ui, rect), base_span_of(text), down ? theme->dark : theme->text,
                 UI_ALIGN_CENTRE);
    return touch.clicked;
}

static void draw_box(const struct ui_imui *ui, struct ui_rect room, bool on, bool over)
{
    const struct ui_theme *theme = &ui_theme_dark;
    const int side = room.width < room.height ? room.width : room.height;
    const struct ui_rect box = {room.x, room.y + (room.height - side) / 2, side, side};
    if (on) {
        ui_imui_fill(ui, box, ui->radius, theme->accent, 255);
        ui_imui_mark(ui, box, CHECK, theme->dark);
    } else {
        ui_imui_fill(ui, box, ui->radius, theme->ground, 255);
        ui_imui_frame(ui, box, ui->radius, ui->hair, over ? theme->faint : theme->edge);
    }
}

bool ui_toggle(struct ui_imui *ui, uint32_t id, struct ui_rect rect, const char *text, bool *on)
{
    const struct ui_theme *theme = &ui_theme_dark;
    const struct ui_imui_touch touch = ui_imui_touch(ui, id, rect);
    *on ^= touch.clicked;
    struct ui_rect room = ui_rect_sane(rect);
    draw_box(ui, ui_cut_left(&room, ui->line), *on, touch.over);
    (void)ui_cut_left(&room, ui->gap);
    ui_imui_text(ui, room, base_span_of(text), *on || touch.over ? theme->text : theme->faint,
                 UI_ALIGN_LEFT);
    return touch.clicked;
}

static void draw_tab(const struct ui_imui *ui, struct ui_rect rect, const char *name, bool chosen,
                     bool over)
{
    const struct ui_theme *theme = &ui_theme_dark;
    struct ui_rect room = rect;
    (void)ui_cut_left(&room, ui->gap / 4);
    (void)ui_cut_right(&room, ui->gap / 4);
    ui_imui_text(ui, room, base_span_of(name), chosen || over ? theme->text : theme->faint,
                 UI_ALIGN_CENTRE);
    if (chosen) {
        ui_imui_fill(ui, ui_cut_bottom(&rect, 2 * ui->hair), 0, theme->accent, 255);
    }
}

/* With the usual margins, with smaller ones, or a part of the room in proportion to its text. */
static int tab_width(const struct ui_imui *ui, int64_t text, int64_t texts, int room, size_t count)
{
    const int64_t margin = (room - texts) / (int64_t)count;
    if (margin >= ui->gap / 2) {
        return (int)(text + (margin < 3 * ui->gap ? margin : 3 * ui->gap));
    }
    return texts > 0 ? (int)(room * text / texts) : 0;
}

size_t ui_tabs(struct ui_imui *ui, uint32_t id, struct ui_rect rect, const char *const *names,
               size_t count, size_t chosen)
{
    struct ui_rect room = ui_rect_sane(rect);
    struct ui_rect edge = room;
    ui_imui_fill(ui, ui_cut_bottom(&edge, ui->hair), 0, ui_theme_dark.line, 255);
    int64_t texts = 0;
    for (size_t i = 0; i < count; i++) {
        texts += ui_text_width(ui->font, base_span_of(names[i]));
    }
    const int width = room.width;
    for (size_t i = 0; i < count; i++) {
        const int text = ui_text_width(ui->font, base_span_of(names[i]));
        const struct ui_rect tab = ui_cut_left(&room, tab_width(ui, text, texts, width, count));
        const struct ui_imui_touch touch = ui_imui_touch(ui, id + (uint32_t)i + 1, tab);
        chosen = touch.pressed ? i : chosen;
        draw_tab(ui, tab, names[i], i == chosen, touch.over);
    }
    return chosen;
}

bool ui_stars(struct ui_imui *ui, uint32_t id, struct ui_rect rect, int *stars)
{
    const struct ui_theme *theme = &ui_theme_dark;
    const int wide = ui->line;
    struct ui_rect room = ui_rect_sane(rect);
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
        ui_imui_mark(ui, place, set ? STAR : HOLLOW_STAR,
                     set          ? theme->star
                     : i <= under ? theme->faint
                                  : theme->line);
    }
    ui_clip_end(ui);
    return changed;
}
