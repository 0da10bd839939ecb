/* The panel of the last minutes: what was shown, when presets came, what was commanded, the bars;
 * and the way back to any of it. */
#include <math.h>
#include <stdio.h>

#include "app/operator/state.h"
#include "base/os/thread.h"

enum { BARS_MOST = 512, LOOP_BARS = 4 };

static const double near_seconds = 20;   /* that the lower strip spans */
static const double least_seconds = 30;  /* and the upper one, at least */
static const double scrub_seconds = 0.1; /* between two places that are asked for while dragging */

/* A part of the show over a rectangle. */
struct strip {
    struct ui_rect rect;
    double first; /* frames at its edges */
    double last;
};

static double seconds_ago(const struct app_set_span *span, double frame)
{
    return fmax((double)span->last - frame, 0) / span->fps;
}

static void write_ago(double seconds, char *text, size_t size)
{
    enum { MINUTE = 60 };
    const unsigned whole = (unsigned)seconds;
    (void)snprintf(text, size, "%u:%02u ago", whole / MINUTE, whole % MINUTE);
}

static int x_of(const struct strip *strip, double frame)
{
    const double share = (frame - strip->first) / (strip->last - strip->first);
    return strip->rect.x + (int)(fmax(0, fmin(share, 1)) * strip->rect.width);
}

static bool is_in(const struct strip *strip, double frame)
{
    return frame >= strip->first && frame <= strip->last;
}

static double frame_at(const struct strip *strip, int x)
{
    const double share = (double)(x - strip->rect.x) / strip->rect.width;
    return strip->first + share * (strip->last - strip->first);
}

/* An upright line over a strip, or over its lower part. */
static void draw_mark(const struct app_operator *view, struct ui_rect rect, int x, int width,
                      uint32_t colour, unsigned alpha)
{
    ui_imui_fill(view->ui, (struct ui_rect){x - width / 2, rect.y, width, rect.height}, 0, colour,
                 alpha);
}

static void draw_thumbs(struct app_operator *view, const struct strip *strip,
                        const struct app_set_span *span, struct ui_rect rect)
{
    static const double standard = 16.0 / 9;
    struct app_set_past *past = view->setup.past;
    struct app_set_thumb thumb;
    const bool known = app_set_past_thumb(past, span->last, &thumb) && thumb.height > 0;
    const double aspect = known ? (double)thumb.width / thumb.height : standard;
    const int wide = (int)(rect.height * aspect);
    const int count = wide > 0 && rect.width > wide ? rect.width / wide : 1;
    for (int i = 0; i < count; i++) {
        const int x = rect.width * i / count;
        const struct ui_rect cell = {rect.x + x, rect.y, rect.width * (i + 1) / count - x,
                                     rect.height};
        const double frame = frame_at(strip, cell.x + cell.width / 2);
        if (frame >= (double)span->first && frame <= (double)span->last &&
            app_set_past_thumb(past, (uint64_t)frame, &thumb)) {
            const struct ui_surface picture = {thumb.pixels, thumb.width, thumb.height,
                                               (size_t)thumb.width};
            ui_picture(ui_imui_surface(view->ui), cell, &picture);
        }
    }
}

/* Bars as fine lines, commands as short ones, presets as ones that stand out. */
static void draw_lane(struct app_operator *view, const struct strip *strip, struct ui_rect lane)
{
    enum { CLOSEST = 5 /* pixels between two bars */ };
    const struct ui_theme *theme = ui_imui_theme(view->ui);
    const struct app_operator_past *past = &view->past;
    uint64_t bars[BARS_MOST];
    const uint64_t first = (uint64_t)fmax(strip->first, 0);
    const size_t count =
        app_set_past_bars(view->setup.past, first, (uint64_t)strip->last, bars, BARS_MOST);
    ui_imui_fill(view->ui, lane, 0, theme->panel, 255);
    for (size_t i = 0; i < count && count * CLOSEST < (size_t)lane.width; i++) {
        draw_mark(view, lane, x_of(strip, (double)bars[i]), 1, theme->edge, 255);
    }
    for (size_t i = 0; i < past->mark_count; i++) {
        const struct app_set_mark *mark = &past->marks[i];
        const bool preset = mark->kind == APP_SET_PRESET;
        struct ui_rect part = lane;
        if (!preset) {
            (void)ui_cut_top(&part, lane.height / 2);
        }
        if (is_in(strip, (double)mark->frame)) {
            draw_mark(view, part, x_of(strip, (double)mark->frame), 3,
                      preset ? theme->star : theme->text, 255);
        }
    }
}

/* Goes to what the mouse points at, while it is held. */
static void scrub(struct app_operator *view, const struct strip *strip,
                  const struct app_set_span *span, enum app_strip which)
{
    struct app_operator_past *past = &view->past;
    const struct ui_imui_input *input = ui_imui_input(view->ui);
    const double clock = base_clock_seconds();
    if (ui_clicked(view->ui, strip->rect)) {
        past->held = which;
        past->asked = 0;
    } else if (!input->mouse_down && past->held == which) {
        past->held = APP_STRIP_NONE;
    }
    if (past->held != which || clock - past->asked < scrub_seconds) {
        return;
    }
    const double frame = frame_at(strip, input->mouse_x);
    const double wanted = fmax((double)span->first, fmin(frame, (double)span->last));
    if (past->asked == 0 || wanted != past->wanted) {
        app_operator_order(view, "rewind =%.3f", seconds_ago(span, wanted));
        past->asked = clock;
        past->wanted = wanted;
    }
}

/* How long ago what the mouse points at was. */
static void draw_pointed(struct app_operator *view, const struct strip *strip,
                         const struct app_set_span *span)
{
    enum { ROWS = 4 };
    struct ui_imui *ui = view->ui;
    const int row = ui_imui_row(ui);
    const int x = ui_imui_input(ui)->mouse_x;
    char ago[32];
    write_ago(seconds_ago(span, frame_at(strip, x)), ago, sizeof ago);
    draw_mark(view, strip->rect, x, 1, ui_imui_theme(ui)->text, 255);
    const bool right = x + ROWS * row < strip->rect.x + strip->rect.width;
    const struct ui_rect label = {right ? x : x - ROWS * row, strip->rect.y, ROWS * row, row};
    ui_imui_fill(ui, label, 0, ui_imui_theme(ui)->ground, 200);
    ui_label(ui, label, ago, UI_TONE_TEXT, UI_ALIGN_CENTRE);
}

static void draw_strip(struct app_operator *view, const struct strip *strip,
                       const struct app_set_span *span, enum app_strip which)
{
    struct ui_imui *ui = view->ui;
    const struct ui_theme *theme = ui_imui_theme(ui);
    const struct app_set_shown_past *shown = &view->now->past;
    struct ui_rect thumbs = strip->rect;
    ui_imui_fill(ui, strip->rect, 0, theme->panel, 255);
    const struct ui_rect lane = ui_cut_bottom(&thumbs, ui_imui_row(ui) / 2);
    draw_thumbs(view, strip, span, thumbs);
    draw_lane(view, strip, lane);
    if (shown->to > shown->from) {
        const int from = x_of(strip, (double)shown->from);
        const int to = x_of(strip, (double)shown->to);
        ui_imui_fill(ui, (struct ui_rect){from, thumbs.y, to - from, thumbs.height}, 0,
                     theme->accent, 72);
    }
    const double frame = shown->frame > 0 ? (double)shown->frame : (double)span->last;
    if (is_in(strip, frame)) {
        draw_mark(view, strip->rect, x_of(strip, frame), 7, theme->ground, 160);
        draw_mark(view, strip->rect, x_of(strip, frame), 3, theme->accent, 255);
    }
    if (ui_hovers(ui, strip->rect)) {
        draw_pointed(view, strip, span);
    }
    scrub(view, strip, span, which);
}

/* What is shown, and what is kept. */
static void draw_words(struct app_operator *view, struct ui_rect row,
                       const struct app_set_span *span)
{
    static const double mebi = 1 << 20;
    const struct app_set_shown_past *shown = &view->now->past;
    const struct app_set_holds holds = app_set_past_holds(view->setup.past);
    char text[96];
    char ago[32];
    (void)snprintf(text, sizeof text, "%.0f of %.0f MiB", (double)holds.bytes / mebi,
                   (double)holds.limit / mebi);
    app_operator_cut_label(view, &row, text, UI_TONE_FAINT);
    write_ago(seconds_ago(span, (double)shown->frame), ago, sizeof ago);
    (void)snprintf(text, sizeof text, "the audience sees what was %s%s", ago,
                   shown->to > shown->from ? ", again and again"
                   : shown->stands         ? ", standing still"
                                           : "");
    ui_label(view->ui, row, shown->frame > 0 ? text : "live; click or drag to go back",
             shown->frame > 0 ? UI_TONE_ACCENT : UI_TONE_FAINT, UI_ALIGN_LEFT);
}

static void draw_buttons(struct app_operator *view, struct ui_rect *rect)
{
    const struct app_set_shown_past *shown = &view->now->past;
    const bool loops = shown->to > shown->from;
    struct ui_rect row = ui_cut_top(rect, ui_imui_row(view->ui));
    char loop[32];
    (void)snprintf(loop, sizeof loop, loops ? "Loop off" : "Loop %d bars", LOOP_BARS);
    const struct {
        const char *text;
        const char *order;
    } buttons[] = {
        {"5 s back", "rewind"},
        {"5 s on", "rewind -1"},
        {"Frame back", "rewind-frame -1"},
        {"Frame on", "rewind-frame"},
        {loop, NULL},
        {"Live", "live"},
    };
    for (size_t i = 0; i < sizeof buttons / sizeof *buttons; i++) {
        if (app_operator_text_button(view, rect, &row, ui_id("past", (uint32_t)i),
                                     buttons[i].text)) {
            if (buttons[i].order != NULL) {
                app_operator_order(view, "%s", buttons[i].order);
            } else {
                app_operator_order(view, "loop %d", loops ? 0 : LOOP_BARS);
            }
        }
    }
    (void)ui_cut_top(rect, ui_imui_gap(view->ui));
}

/* What happened, the newest first; a click goes there. */
static void draw_marks(struct app_operator *view, struct ui_rect rect,
                       const struct app_set_span *span)
{
    enum { AGO_ROWS = 4 };
    struct ui_imui *ui = view->ui;
    struct app_operator_past *past = &view->past;
    const int height = ui_imui_row(ui) * 4 / 5;
    const struct ui_rows rows = ui_rows_begin(ui, ui_id("past marks", 0), rect, past->mark_count,
                                              height, SIZE_MAX, &past->scroll);
    ui_clip_begin(ui, rows.rect);
    for (size_t row = rows.first; row < rows.end; row++) {
        const struct app_set_mark *mark = &past->marks[past->mark_count - 1 - row];
        struct ui_rect place = ui_rows_rect(&rows, row, height);
        char ago[32];
        const double seconds = seconds_ago(span, (double)mark->frame);
        write_ago(seconds, ago, sizeof ago);
        ui_row_ground(ui, place, false);
        if (ui_clicked(ui, place)) {
            app_operator_order(view, "rewind =%.3f", seconds);
        }
        ui_label(ui, ui_cut_left(&place, AGO_ROWS * ui_imui_row(ui)), ago, UI_TONE_FAINT,
                 UI_ALIGN_RIGHT);
        (void)ui_cut_left(&place, ui_imui_gap(ui));
        ui_label(ui, place, mark->text,
                 mark->kind == APP_SET_PRESET ? UI_TONE_ACCENT : UI_TONE_TEXT, UI_ALIGN_LEFT);
    }
    ui_clip_end(ui);
}

void app_panel_past(struct app_operator *view, struct ui_rect rect)
{
    enum { STRIP_ROWS = 3, ROWS_LEFT = 8 };
    struct ui_imui *ui = view->ui;
    struct app_operator_past *past = &view->past;
    const int row = ui_imui_row(ui);
    const struct app_set_span span = view->setup.past != NULL ? app_set_past_span(view->setup.past)
                                                              : (struct app_set_span){0, 0, 1};
    if (span.first == 0 || span.last <= span.first) {
        ui_label(ui, ui_cut_top(&rect, row),
                 view->setup.past != NULL ? "nothing is kept yet"
                                          : "the last minutes are not kept: --keep 0",
                 UI_TONE_FAINT, UI_ALIGN_LEFT);
        return;
    }
    past->mark_count = app_set_past_marks(view->setup.past, span.first, span.last, past->marks,
                                          APP_OPERATOR_MARKS);
    draw_words(view, ui_cut_top(&rect, row), &span);
    draw_buttons(view, &rect);
    const int left = rect.height - ROWS_LEFT * row;
    const int most = STRIP_ROWS * row;
    const int height = left / 2 > most ? most : left / 2 > 2 * row ? left / 2 : 2 * row;
    const double last = (double)span.last;
    const struct strip all = {ui_cut_top(&rect, height),
                              fmin((double)span.first, last - least_seconds * span.fps), last};
    (void)ui_cut_top(&rect, ui_imui_gap(ui));
    const double frame = view->now->past.frame > 0 ? (double)view->now->past.frame : last;
    const double half = near_seconds * span.fps / 2;
    const double end = past->held == APP_STRIP_NEAR ? past->near_last : fmin(frame + half, last);
    past->near_last = end;
    const struct strip near = {ui_cut_top(&rect, height), end - 2 * half, end};
    draw_strip(view, &all, &span, APP_STRIP_ALL);
    draw_strip(view, &near, &span, APP_STRIP_NEAR);
    (void)ui_cut_top(&rect, ui_imui_gap(ui));
    draw_marks(view, rect, &span);
}
