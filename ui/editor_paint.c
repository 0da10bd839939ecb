#include "ui/editor_paint.h"

#include <stdio.h>

#include "base/utf8.h"
#include "ui/editor_words.h"

enum {
    WORDS_MAX = 64 * 1024, /* bytes of a line that are looked through for words */
    SELECTION_ALPHA = 50,
    PALE = 110,
    NUMBER_ALPHA = 140,
    CUT_COLUMNS = 3, /* over which the text fades where the line goes on */
};

/* One line of the text while it is drawn. */
struct row {
    size_t line;
    size_t start; /* bytes of the text */
    size_t end;
    size_t seen;        /* first byte shown */
    size_t seen_end;    /* bytes of the line behind this one are out of sight */
    size_t seen_column; /* of the first byte shown */
    int y;
};

uint32_t ui_editor_tone(const struct ui_theme *theme, enum base_severity severity)
{
    switch (severity) {
    case BASE_ERROR:
        return theme->error;
    case BASE_WARNING:
        return theme->warning;
    default:
        return theme->text;
    }
}

static struct row row_of(const struct ui_editor_frame *frame, size_t line)
{
    const struct ui_editor_text *text = &frame->editor->text;
    const size_t left = frame->editor->view.left;
    struct row row = {
        .line = line,
        .start = ui_editor_text_start(text, line),
        .end = ui_editor_text_end(text, line),
        .y = ui_rows_rect(&frame->rows, line, frame->row_height).y,
    };
    const struct base_span whole = ui_editor_text_line(text, line);
    row.seen = row.start + ui_editor_at_column(whole, left, &row.seen_column);
    const struct base_span rest = ui_editor_text_part(text, row.seen, row.end);
    row.seen_end = row.seen + ui_editor_at_column(rest, frame->columns + 2 * UI_EDITOR_TAB, NULL);
    return row;
}

/* Pixels of the text's room at which a column starts. */
static int column_x(const struct ui_editor_frame *frame, size_t column)
{
    const size_t left = frame->editor->view.left;
    const size_t most = frame->columns + 2 * UI_EDITOR_TAB;
    if (column >= left) {
        return (int)(column - left < most ? column - left : most) * frame->cell;
    }
    return -(int)(left - column < most ? left - column : most) * frame->cell;
}

static size_t column_behind(size_t column, uint32_t code)
{
    return code == '\t' ? column + UI_EDITOR_TAB - column % UI_EDITOR_TAB : column + 1;
}

/* Column of a place of the row, those out of sight brought to the edges. */
static size_t column_of(const struct ui_editor_frame *frame, const struct row *row, size_t at)
{
    if (at <= row->seen) {
        return row->seen_column;
    }
    struct base_span rest = ui_editor_text_part(&frame->editor->text, row->seen,
                                                at < row->seen_end ? at : row->seen_end);
    size_t column = row->seen_column;
    while (rest.size > 0) {
        column = column_behind(column, base_utf8_next(&rest));
    }
    return column;
}

static void fill_columns(const struct ui_editor_frame *frame, const struct ui_surface *part,
                         const struct row *row, size_t first, size_t end, uint32_t colour,
                         unsigned alpha)
{
    const int x = column_x(frame, first);
    const struct ui_rect rect = {x, row->y - frame->text.y, column_x(frame, end) - x,
                                 frame->row_height};
    ui_fill(part, rect, colour, alpha);
}

static void paint_selection(const struct ui_editor_frame *frame, const struct ui_surface *part,
                            const struct row *row)
{
    const size_t from = ui_editor_from(frame->editor);
    const size_t to = ui_editor_to(frame->editor);
    if (from == to || to < row->start || from > row->end) {
        return;
    }
    const size_t first = column_of(frame, row, from);
    const size_t behind_end = to > row->end ? 1 : 0; /* the line's end is selected */
    const size_t end = column_of(frame, row, to) + behind_end;
    const uint32_t colour = ui_imui_theme(frame->ui)->accent;
    if (end > first) {
        fill_columns(frame, part, row, first, end, colour, SELECTION_ALPHA);
    }
}

static int baseline(const struct ui_editor_frame *frame, const struct ui_font *font, int y)
{
    return y + (frame->row_height - ui_font_line_height(font)) / 2 + ui_font_ascent(font);
}

/* Each character stands at its column, whatever the font thinks. */
static void paint_text(const struct ui_editor_frame *frame, const struct ui_surface *part,
                       const struct row *row)
{
    const struct ui_editor_text *text = &frame->editor->text;
    const struct ui_font *font = ui_imui_mono(frame->ui);
    struct base_span line = ui_editor_text_line(text, row->line);
    line.size = line.size < WORDS_MAX ? line.size : WORDS_MAX;
    struct ui_editor_words words = ui_editor_words_of(line);
    struct ui_editor_word word = {UI_EDITOR_EQUATION, 0, 0};
    const int y = baseline(frame, font, row->y - frame->text.y);
    size_t column = row->seen_column;
    for (size_t at = row->seen; at < row->seen_end;) {
        while (at - row->start >= word.end && ui_editor_words_next(&words, &word)) {
        }
        struct base_span rest = ui_editor_text_part(text, at, row->seen_end);
        const uint32_t code = base_utf8_next(&rest);
        const struct base_span point = ui_editor_text_part(text, at, row->seen_end - rest.size);
        if (code != ' ' && code != '\t') {
            ui_text_draw(font, part, column_x(frame, column), y, point,
                         ui_editor_word_colours[word.kind], 255);
        }
        column = column_behind(column, code);
        at += point.size;
    }
}

/* A wavy line under the word that a message points at. */
static void paint_wave(const struct ui_editor_frame *frame, const struct ui_surface *part,
                       const struct row *row, size_t first, size_t end, uint32_t colour)
{
    const int hair = frame->hair;
    const int x0 = column_x(frame, first);
    const int x1 = column_x(frame, end);
    const int bottom = row->y - frame->text.y + frame->row_height - hair;
    for (int x = x0; x < x1; x += hair) {
        static const int steps[] = {0, 1, 2, 1};
        const int step = steps[(x - x0) / hair % 4];
        ui_fill(part, (struct ui_rect){x, bottom - step * hair, hair, 2 * hair}, colour, 255);
    }
}

static void paint_messages(const struct ui_editor_frame *frame, const struct ui_surface *part,
                           const struct row *row)
{
    const struct ui_editor *editor = frame->editor;
    for (size_t i = 0; i < editor->message_count; i++) {
        const struct base_diag *message = &editor->messages[i];
        if (message->place.line != row->line + 1 || message->place.column == 0) {
            continue;
        }
        const size_t byte = row->start + message->place.column - 1;
        const size_t at = ui_editor_text_snap(&editor->text, byte < row->end ? byte : row->end);
        const struct ui_editor_state word = ui_editor_word_at(editor, at);
        const size_t end = word.cursor > at ? word.cursor : at;
        if (end < row->seen || at > row->seen_end) {
            continue;
        }
        const size_t first_column = column_of(frame, row, at);
        const size_t end_column = column_of(frame, row, end);
        paint_wave(frame, part, row, first_column,
                   end_column > first_column ? end_column : first_column + 1,
                   ui_editor_tone(ui_imui_theme(frame->ui), message->severity));
    }
}

static void paint_cursor(const struct ui_editor_frame *frame, const struct ui_surface *part,
                         const struct row *row)
{
    const size_t cursor = frame->editor->state.cursor;
    const bool in_sight = cursor >= row->seen && cursor <= row->seen_end;
    if (cursor < row->start || cursor > row->end || !in_sight ||
        (frame->has_keys && !frame->cursor_shown)) {
        return;
    }
    const struct ui_theme *theme = ui_imui_theme(frame->ui);
    const int x = column_x(frame, column_of(frame, row, cursor));
    const struct ui_rect rect = {x - (x > 0 ? frame->hair : 0), row->y - frame->text.y,
                                 2 * frame->hair, frame->row_height};
    ui_fill(part, rect, frame->has_keys ? theme->accent : theme->faint,
            frame->has_keys ? 255 : PALE);
}

/* Where a line goes on beyond an edge its text fades. */
static void paint_cut(const struct ui_editor_frame *frame, const struct ui_surface *part,
                      const struct row *row, uint32_t ground)
{
    const bool before = row->seen > row->start;
    const bool behind = column_of(frame, row, row->end) > frame->editor->view.left + frame->columns;
    for (int i = 0; i < CUT_COLUMNS * frame->cell; i++) {
        const unsigned alpha = 230u - 230u * (unsigned)i / (unsigned)(CUT_COLUMNS * frame->cell);
        const struct ui_rect left = {i, row->y - frame->text.y, 1, frame->row_height};
        const struct ui_rect right = {frame->text.width - 1 - i, left.y, 1, left.height};
        if (before) {
            ui_fill(part, left, ground, alpha);
        }
        if (behind) {
            ui_fill(part, right, ground, alpha);
        }
    }
}

static void paint_number(const struct ui_editor_frame *frame, const struct row *row,
                         bool is_current)
{
    const struct ui_theme *theme = ui_imui_theme(frame->ui);
    const struct ui_font *font = ui_imui_mono(frame->ui);
    const struct base_diag *message = ui_editor_message_at(frame->editor, row->line);
    const struct ui_surface part = ui_surface_part(frame->surface, frame->margin);
    const int y = row->y - frame->margin.y;
    uint32_t colour = is_current ? theme->text : theme->faint;
    const unsigned alpha = is_current || message != NULL ? 255 : NUMBER_ALPHA;
    if (message != NULL) {
        colour = ui_editor_tone(theme, message->severity);
        ui_fill(&part, (struct ui_rect){0, y, 4 * frame->hair, frame->row_height}, colour, 255);
    }
    char number[24];
    const int length = snprintf(number, sizeof number, "%zu", row->line + 1);
    const int x = frame->margin.width - (length + 1) * frame->cell;
    ui_text_draw(font, &part, x, baseline(frame, font, y),
                 (struct base_span){number, (size_t)length}, colour, alpha);
}

static void paint_row(const struct ui_editor_frame *frame, size_t line, bool is_current)
{
    const struct ui_theme *theme = ui_imui_theme(frame->ui);
    const struct ui_surface part = ui_surface_part(frame->surface, frame->text);
    const struct ui_surface whole = ui_surface_part(frame->surface, frame->rows.rect);
    const struct row row = row_of(frame, line);
    const uint32_t ground = is_current ? theme->raised : theme->panel;
    if (is_current) {
        const struct ui_rect rect = {0, row.y - frame->rows.rect.y, frame->rows.rect.width,
                                     frame->row_height};
        ui_fill(&whole, rect, ground, 255);
    }
    paint_selection(frame, &part, &row);
    paint_text(frame, &part, &row);
    paint_messages(frame, &part, &row);
    paint_cut(frame, &part, &row, ground);
    paint_cursor(frame, &part, &row);
    paint_number(frame, &row, is_current);
}

void ui_editor_paint_rows(const struct ui_editor_frame *frame)
{
    const struct ui_editor *editor = frame->editor;
    const size_t current = ui_editor_text_line_of(&editor->text, editor->state.cursor);
    for (size_t line = frame->rows.first; line < frame->rows.end; line++) {
        paint_row(frame, line, line == current);
    }
}
