/* The editor on the screen: the text row by row, then what keys and mouse do with it. */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "ui/editor/model.h"

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

static uint32_t colour_of(const struct ui_theme *theme, enum base_severity severity)
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
        column = ui_editor_column_behind(column, base_utf8_next(&rest));
    }
    return column;
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
        const int x = column_x(frame, first);
        const struct ui_rect rect = {x, row->y - frame->text.y, column_x(frame, end) - x,
                                     frame->row_height};
        ui_fill(part, rect, colour, SELECTION_ALPHA);
    }
}

static int baseline(const struct ui_editor_frame *frame, const struct ui_font *font, int y)
{
    return y + (frame->row_height - ui_font_line_height(font)) / 2 + ui_font_ascent(font);
}

/* Each character stands at its column, whatever its width in the font, with the accents that
 * join it. Letters of one word do not join: each has a place of its own, where the cursor can be.
 */
static void paint_text(const struct ui_editor_frame *frame, const struct ui_surface *part,
                       const struct row *row)
{
    const struct ui_editor_text *text = &frame->editor->text;
    const struct ui_font *font = ui_imui_mono(frame->ui);
    struct base_span line = ui_editor_text_line(text, row->line);
    line.size = line.size < WORDS_MAX ? line.size : WORDS_MAX;
    struct ui_editor_tokens words = ui_editor_tokens_of(line);
    struct ui_editor_token word = {UI_EDITOR_EQUATION, 0, 0};
    const int y = baseline(frame, font, row->y - frame->text.y);
    size_t column = row->seen_column;
    for (size_t at = row->seen; at < row->seen_end;) {
        while (at - row->start >= word.end && ui_editor_tokens_next(&words, &word)) {
        }
        struct base_span rest = ui_editor_text_part(text, at, row->seen_end);
        const uint32_t code = base_utf8_next(&rest);
        while (rest.size > 0 && (unsigned char)rest.data[0] >= 0xCC) { /* first of U+0300 */
            struct base_span behind = rest;
            if (ui_text_cells(base_utf8_next(&behind)) > 0) {
                break;
            }
            rest = behind;
        }
        const struct base_span point = ui_editor_text_part(text, at, row->seen_end - rest.size);
        if (code != ' ' && code != '\t') {
            ui_text_draw(font, part, column_x(frame, column), y, point,
                         ui_editor_token_colours[word.kind], 255);
        }
        column = ui_editor_column_behind(column, code);
        at += point.size;
    }
}

/* A wavy line under each word that a message points at. */
static void paint_messages(const struct ui_editor_frame *frame, const struct ui_surface *part,
                           const struct row *row)
{
    const struct ui_editor *editor = frame->editor;
    const int hair = frame->hair;
    const int bottom = row->y - frame->text.y + frame->row_height - hair;
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
        const int x0 = column_x(frame, first_column);
        const int x1 = column_x(frame, end_column > first_column ? end_column : first_column + 1);
        const uint32_t colour = colour_of(ui_imui_theme(frame->ui), message->severity);
        for (int x = x0; x < x1; x += hair) {
            static const int steps[] = {0, 1, 2, 1};
            const int step = steps[(x - x0) / hair % 4];
            ui_fill(part, (struct ui_rect){x, bottom - step * hair, hair, 2 * hair}, colour, 255);
        }
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
        colour = colour_of(theme, message->severity);
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
    const struct ui_editor_text *text = &frame->editor->text;
    struct row row = {
        .line = line,
        .start = ui_editor_text_start(text, line),
        .end = ui_editor_text_end(text, line),
        .y = ui_rows_rect(&frame->rows, line, frame->row_height).y,
    };
    const size_t left = frame->editor->view.left;
    row.seen =
        row.start + ui_editor_at_column(ui_editor_text_line(text, line), left, &row.seen_column);
    const struct base_span rest = ui_editor_text_part(text, row.seen, row.end);
    row.seen_end = row.seen + ui_editor_at_column(rest, frame->columns + 2 * UI_EDITOR_TAB, NULL);
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

static const double blink_seconds = 0.55; /* bright, then as long dark */

enum { SIDE_COLUMNS = 8, SIDE_ROWS = 3, DIGITS_LEAST = 3, STRIP_TEXT = 400 };

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Scrolls sideways until the cursor is in sight, with some text beside it. */
static void reveal_column(struct ui_editor *editor, size_t columns)
{
    const struct ui_editor_text *text = &editor->text;
    const size_t cursor = editor->state.cursor;
    const size_t start = ui_editor_text_start(text, ui_editor_text_line_of(text, cursor));
    const size_t column = ui_editor_columns(ui_editor_text_part(text, start, cursor));
    const size_t side = columns / 4 < SIDE_COLUMNS ? columns / 4 : SIDE_COLUMNS;
    size_t *left = &editor->view.left;
    if (column + side < columns) {
        *left = 0;
    } else if (column < *left + side) {
        *left = column - side;
    } else if (column + side >= *left + columns) {
        *left = column + side + 1 - columns;
    }
}

/* Scrolls until the cursor's line is in sight, with some lines beside it, whole rows at the top. */
static void reveal_row(struct ui_editor *editor, int height, int row_height)
{
    const double row = row_height;
    const double line = (double)ui_editor_text_line_of(&editor->text, editor->state.cursor);
    const double rows = floor(height / row);
    const double side = rows > 3 * SIDE_ROWS ? SIDE_ROWS : floor(rows / 4);
    const double top = (line - side) * row;
    const double bottom = (line + side + 1 - rows) * row;
    double *at = &editor->view.scroll.at;
    if (top < *at) {
        *at = top > 0 ? top : 0;
    } else if (bottom > *at) {
        *at = bottom;
    }
}

/* Counts the messages of a severity. */
static size_t count_messages(const struct ui_editor *editor, enum base_severity severity)
{
    size_t count = 0;
    for (size_t i = 0; i < editor->message_count; i++) {
        count += editor->messages[i].severity == severity ? 1 : 0;
    }
    return count;
}

/* The message of the cursor's line, or one that belongs to no line. */
static const struct base_diag *current_message(const struct ui_editor *editor)
{
    const size_t line = ui_editor_text_line_of(&editor->text, editor->state.cursor);
    const struct base_diag *message = ui_editor_message_at(editor, line);
    for (size_t i = 0; i < editor->message_count && message == NULL; i++) {
        message = editor->messages[i].place.line == 0 ? &editor->messages[i] : NULL;
    }
    return message;
}

/* The line at which a message is shown, from 1; 0: none. */
static size_t line_of_message(const struct ui_editor *editor, const struct base_diag *message)
{
    const size_t line = message->place.line;
    return line < editor->text.count ? line : editor->text.count;
}

/* The next message below the cursor's line, else the first. */
static const struct base_diag *next_message(const struct ui_editor *editor)
{
    const size_t line = ui_editor_text_line_of(&editor->text, editor->state.cursor) + 1;
    const struct base_diag *next = NULL;
    size_t next_line = 0;
    for (size_t i = 0; i < editor->message_count; i++) {
        const size_t at = line_of_message(editor, &editor->messages[i]);
        const bool behind = at > line;
        const bool nearer = behind == (next_line > line) ? at < next_line : behind;
        if (at != 0 && (next == NULL || nearer)) {
            next = &editor->messages[i];
            next_line = at;
        }
    }
    return next;
}

static void append_count(char *text, size_t size, size_t count, const char *what)
{
    const size_t length = strlen(text);
    if (count > 0 && length < size) {
        (void)snprintf(text + length, size - length, "%zu %s%s   ", count, what,
                       count == 1 ? "" : "s");
    }
}

static void draw_strip(struct ui_imui *ui, struct ui_rect rect, struct ui_editor *editor)
{
    const struct ui_theme *theme = ui_imui_theme(ui);
    ui_imui_fill(ui, rect, 0, theme->ground, 255);
    const bool clicked = ui_clicked(ui, rect);
    (void)ui_cut_left(&rect, ui_imui_gap(ui));
    (void)ui_cut_right(&rect, ui_imui_gap(ui));
    char place[STRIP_TEXT] = "";
    size_t cursor_line = 0;
    size_t cursor_column = 0;
    ui_editor_cursor(editor, &cursor_line, &cursor_column);
    append_count(place, sizeof place, count_messages(editor, BASE_ERROR), "error");
    append_count(place, sizeof place, count_messages(editor, BASE_WARNING), "warning");
    const size_t used = strlen(place);
    (void)snprintf(place + used, sizeof place - used, "%zu:%zu", cursor_line, cursor_column);
    const int width = ui_text_width(ui_imui_font(ui), base_span_of(place));
    struct ui_rect right = ui_cut_right(&rect, width);
    ui_label(ui, ui_cut_top(&right, ui_imui_row(ui)), place,
             count_messages(editor, BASE_ERROR) > 0 ? UI_TONE_ERROR : UI_TONE_FAINT,
             UI_ALIGN_RIGHT);
    (void)ui_cut_right(&rect, ui_imui_gap(ui));
    const struct base_diag *message = current_message(editor);
    const struct base_diag *next = next_message(editor);
    if (message != NULL) {
        /* its hint has a row of its own */
        const enum ui_tone tone = message->severity == BASE_ERROR     ? UI_TONE_ERROR
                                  : message->severity == BASE_WARNING ? UI_TONE_WARNING
                                                                      : UI_TONE_TEXT;
        ui_label(ui, ui_cut_top(&rect, ui_imui_row(ui)), message->what, tone, UI_ALIGN_LEFT);
        ui_label(ui, rect, message->hint, UI_TONE_FAINT, UI_ALIGN_LEFT);
    } else if (next != NULL) {
        char text[STRIP_TEXT];
        (void)snprintf(text, sizeof text, "line %u: %s", (unsigned)next->place.line, next->what);
        ui_label(ui, rect, text, UI_TONE_FAINT, UI_ALIGN_LEFT);
    }
    if (clicked && next != NULL) {
        const struct ui_editor_text *text = &editor->text;
        const size_t line = line_of_message(editor, next) - 1;
        const size_t end = ui_editor_text_end(text, line);
        const size_t byte = next->place.column == 0 ? 0 : next->place.column - 1;
        const size_t at = ui_editor_text_start(text, line) + byte;
        ui_editor_put(editor, at < end ? at : end, false);
    }
}

static int strip_rows(const struct ui_editor *editor)
{
    const struct base_diag *message = current_message(editor);
    return message != NULL && message->hint[0] != '\0' ? 2 : 1;
}

/* The place under the mouse; beside the text it is the nearest one. */
static size_t place_at(const struct ui_editor_frame *frame, int x, int y)
{
    const struct ui_editor_text *text = &frame->editor->text;
    double row = floor(((double)y - frame->rows.y) / frame->row_height) + (double)frame->rows.first;
    row = row > 0 ? row : 0;
    const size_t line = row < (double)(text->count - 1) ? (size_t)row : text->count - 1;
    const double column =
        floor(((double)x - frame->text.x) / frame->cell + 0.5) + (double)frame->editor->view.left;
    return ui_editor_text_start(text, line) + ui_editor_at_column(ui_editor_text_line(text, line),
                                                                  column > 0 ? (size_t)column : 0,
                                                                  NULL);
}

static void take_mouse(struct ui_editor *editor, const struct ui_editor_frame *frame)
{
    const struct ui_imui_input *input = ui_imui_input(frame->ui);
    if (ui_clicked(frame->ui, frame->rows.rect)) {
        const size_t at = place_at(frame, input->mouse_x, input->mouse_y);
        if (input->double_click) {
            const struct ui_editor_state word = ui_editor_word_at(editor, at);
            ui_editor_put(editor, word.anchor, false);
            ui_editor_put(editor, word.cursor, true);
        } else {
            ui_editor_put(editor, at, input->shift);
            editor->view.dragging = true;
        }
    } else if (editor->view.dragging && input->mouse_down) {
        const size_t at = place_at(frame, input->mouse_x, input->mouse_y);
        if (at != editor->state.cursor) {
            ui_editor_put(editor, at, true);
        }
    }
    editor->view.dragging = editor->view.dragging && input->mouse_down;
}

/* Where in the whole text the messages are, beside the rows. */
static void draw_marks(const struct ui_editor_frame *frame, struct ui_rect rect)
{
    const struct ui_editor *editor = frame->editor;
    const double rows = larger(rect.height / frame->row_height, 1);
    const double lines = (double)editor->text.count > rows ? (double)editor->text.count : rows;
    const struct ui_rect bar = ui_cut_right(&rect, ui_imui_gap(frame->ui));
    for (size_t i = 0; i < editor->message_count; i++) {
        const struct base_diag *message = &editor->messages[i];
        if (message->place.line != 0 && message->place.line <= editor->text.count) {
            const int y = (int)((message->place.line - 0.5) / lines * bar.height);
            const struct ui_rect mark = {bar.x, bar.y + y - frame->hair, bar.width,
                                         2 * frame->hair};
            ui_imui_fill(frame->ui, mark, 0, colour_of(ui_imui_theme(frame->ui), message->severity),
                         255);
        }
    }
}

static struct ui_editor_frame lay_out(struct ui_imui *ui, struct ui_rect rect, uint32_t id,
                                      struct ui_editor *editor)
{
    const struct ui_font *font = ui_imui_mono(ui);
    const int line_height = larger(ui_font_line_height(font), 1);
    struct ui_editor_frame frame = {
        .ui = ui,
        .editor = editor,
        .surface = ui_imui_surface(ui),
        .row_height = line_height + line_height / 6,
        .cell = larger(ui_text_width(font, base_span_of("0")), 1),
        .hair = larger(line_height / 16, 1),
    };
    if (editor->view.reveal) {
        reveal_row(editor, rect.height, frame.row_height);
    }
    struct ui_scroll *scroll = &editor->view.scroll;
    frame.rows = ui_rows_begin(ui, ui_id("editor rows", id), rect, editor->text.count,
                               frame.row_height, scroll->wanted, scroll);
    frame.text = frame.rows.rect;
    int digits = 1;
    for (size_t lines = editor->text.count; lines >= 10; lines /= 10) {
        digits++;
    }
    const int margin = larger(digits, DIGITS_LEAST) + 2; /* a mark before, a blank behind */
    frame.margin = ui_cut_left(&frame.text, margin * frame.cell);
    frame.columns = (size_t)(frame.text.width / frame.cell);
    editor->view.page = (size_t)larger(frame.text.height / frame.row_height, 2) - 1;
    return frame;
}

bool ui_editor_draw(struct ui_imui *ui, uint32_t id, struct ui_rect rect, struct ui_editor *editor)
{
    const uint64_t revision = editor->revision;
    const struct ui_imui_input *input = ui_imui_input(ui);
    const bool has_keys = ui_imui_keyboard(ui, id, rect, true);
    if (has_keys) {
        for (size_t i = 0; i < input->key_count && i < UI_IMUI_KEYS; i++) {
            char key[sizeof input->keys[i] + 1];
            (void)snprintf(key, sizeof key, "%.*s", (int)sizeof input->keys[i], input->keys[i]);
            (void)ui_editor_key(editor, key);
        }
        const struct base_span typed = {input->typed, strnlen(input->typed, sizeof input->typed)};
        if (typed.size > 0) {
            ui_editor_type(editor, typed);
        }
    }
    const struct ui_rect whole = rect;
    ui_clip_begin(ui, rect);
    const int rows = strip_rows(editor);
    editor->view.reveal = editor->view.reveal || rows != editor->view.strip_rows;
    editor->view.strip_rows = rows;
    const struct ui_rect strip = ui_cut_bottom(&rect, rows * ui_imui_row(ui));
    ui_imui_fill(ui, rect, 0, ui_imui_theme(ui)->panel, 255);
    struct ui_editor_frame frame = lay_out(ui, rect, id, editor);
    if (editor->view.reveal) {
        reveal_column(editor, frame.columns);
    }
    editor->view.reveal = false;
    take_mouse(editor, &frame);
    frame.has_keys = has_keys && !input->elsewhere;
    /* The cursor is bright for a while after each move, then it blinks. */
    struct ui_editor_view *view = &editor->view;
    if (view->moves_seen != editor->moves || input->time < view->still_since) {
        view->moves_seen = editor->moves;
        view->still_since = input->time;
    }
    frame.cursor_shown = fmod(floor((input->time - view->still_since) / blink_seconds), 2) == 0;
    const size_t current = ui_editor_text_line_of(&editor->text, editor->state.cursor);
    for (size_t line = frame.rows.first; line < frame.rows.end; line++) {
        paint_row(&frame, line, line == current);
    }
    draw_marks(&frame, rect);
    draw_strip(ui, strip, editor);
    if (has_keys) {
        ui_imui_typing_frame(ui, whole);
    }
    ui_clip_end(ui);
    return editor->revision != revision;
}
