/* The list of presets that the operator searches. */
#include <stdio.h>
#include <string.h>

#include "app/operator/state.h"
#include "base/os/clock.h"

/* Returns the place of a preset in the list, or the count if it is not there. */
static size_t place_of(const struct app_operator_list *list, uint32_t number)
{
    size_t at = 0;
    while (at < list->count && list->found[at] != number) {
        at++;
    }
    return at;
}

/* What is selected stays so while presets come and go. A new search begins at its first, and one
 * for nothing at the preset that runs. */
static void select_in(struct app_operator *view, uint32_t former)
{
    struct app_operator_list *list = &view->list;
    const bool kept = former != APP_LIBRARY_NONE;
    size_t at = list->count;
    if (kept || (list->query[0] == '\0' && view->now->path[0] != '\0')) {
        at = place_of(list, kept ? former : view->now->number);
    }
    if (at < list->count) {
        list->selected = at;
    } else if (!kept || list->selected >= list->count) {
        list->selected = 0;
    }
}

/* Keeps what is found up to date. */
static void search(struct app_operator *view)
{
    struct app_operator_list *list = &view->list;
    const struct app_library_state state = app_library_state(view->setup.library);
    if (!list->stale && state.revision == list->revision) {
        return;
    }
    const bool kept = !list->stale && list->selected < list->count;
    const uint32_t former = kept ? list->found[list->selected] : APP_LIBRARY_NONE;
    const size_t fits =
        app_library_search(view->setup.library, list->query, list->found, APP_FOUND_MAX);
    list->count = fits < APP_FOUND_MAX ? fits : APP_FOUND_MAX;
    list->revision = state.revision;
    select_in(view, former);
    list->stale = false;
}

void app_operator_play_selected(struct app_operator *view, bool hard)
{
    search(view);
    if (view->list.selected < view->list.count) {
        app_loader_choose(view->setup.loader, view->list.found[view->list.selected],
                          hard ? APP_CHANGE_HARD : APP_CHANGE_SOFT);
    }
}

/* The panel with the list of presets. */

static const char *verdict_word(const struct app_library_entry *entry)
{
    if (entry->hidden) {
        return "hidden";
    }
    switch (entry->verdict) {
    case APP_VERDICT_FAILED:
        return "failed";
    case APP_VERDICT_DEGRADED:
        return "degraded";
    default:
        return "";
    }
}

static void draw_thumbnail(struct app_operator *view, const struct ui_rows *rows,
                           struct ui_rect rect, uint32_t number)
{
    uint32_t pixels[APP_THUMBNAIL_WIDTH * APP_THUMBNAIL_HEIGHT];
    const struct ui_rect local = {rect.x - rows->rect.x, rect.y - rows->rect.y, rect.width,
                                  rect.height};
    if (app_library_thumbnail(view->setup.library, number, pixels)) {
        const struct ui_surface picture = {pixels, APP_THUMBNAIL_WIDTH, APP_THUMBNAIL_HEIGHT,
                                           APP_THUMBNAIL_WIDTH};
        ui_picture(&rows->surface, local, &picture);
    } else {
        ui_imui_fill(view->ui, rect, 0, ui_imui_theme(view->ui)->raised, 255);
    }
}

static void draw_opinion(struct app_operator *view, struct ui_rect rect,
                         const struct app_library_entry *entry)
{
    struct ui_imui *ui = view->ui;
    int stars = entry->stars;
    bool favourite = entry->favourite;
    const struct ui_rect top = ui_cut_top(&rect, rect.height / 2);
    if (ui_stars(ui, ui_id("stars", entry->number), top, &stars)) {
        app_library_rate(view->setup.library, entry->number, stars);
    }
    app_operator_cut_label(view, &rect, verdict_word(entry), UI_TONE_WARNING);
    if (ui_toggle(ui, ui_id("favourite", entry->number), rect, "favourite", &favourite)) {
        app_library_favourite(view->setup.library, entry->number, favourite);
    }
}

static void draw_row(struct app_operator *view, const struct ui_rows *rows, struct ui_rect rect,
                     size_t row)
{
    struct app_library_entry entry;
    struct ui_imui *ui = view->ui;
    if (!app_library_entry(view->setup.library, view->list.found[row], &entry)) {
        return;
    }
    ui_row_ground(ui, rect, row == view->list.selected);
    struct ui_rect inside = ui_inset(rect, ui_imui_gap(ui) / 2);
    draw_thumbnail(view, rows, ui_cut_left(&inside, inside.height * 16 / 9), entry.number);
    (void)ui_cut_left(&inside, ui_imui_gap(ui));
    const int opinion = 7 * ui_imui_row(ui);
    const int half = inside.width / 2;
    draw_opinion(view, ui_cut_right(&inside, opinion < half ? opinion : half), &entry);
    char below[600];
    (void)snprintf(below, sizeof below, "%s%s%s", entry.folder,
                   entry.tags[0] != '\0' && entry.folder[0] != '\0' ? "   #" : "", entry.tags);
    const enum ui_tone tone = entry.verdict == APP_VERDICT_FAILED ? UI_TONE_ERROR
                              : entry.number == view->now->number ? UI_TONE_ACCENT
                                                                  : UI_TONE_TEXT;
    ui_label(ui, ui_cut_top(&inside, inside.height / 2), entry.name, tone, UI_ALIGN_LEFT);
    ui_label(ui, inside, below, UI_TONE_FAINT, UI_ALIGN_LEFT);
    if (ui_clicked(ui, rect)) {
        view->list.selected = row;
    }
    if (ui_double_clicked(ui, rect)) {
        app_operator_play_selected(view, false);
    }
}

static void draw_search(struct app_operator *view, struct ui_rect row)
{
    char text[96];
    struct app_operator_list *list = &view->list;
    const struct app_library_state state = app_library_state(view->setup.library);
    (void)snprintf(text, sizeof text, "%zu of %zu%s", list->count, state.presets,
                   state.scanning ? ", scanning" : "");
    app_operator_cut_label(view, &row, text, UI_TONE_FAINT);
    if (ui_field(view->ui, app_operator_search_id(), row, list->query, sizeof list->query,
                 "search: words, -not, fav, stars>=3, tag:name")) {
        list->stale = true;
    }
}

/* Cuts room for a button off the row, or off a next row while that leaves room for the presets. */
static struct ui_rect cut_button(const struct ui_imui *ui, struct ui_rect *rect,
                                 struct ui_rect *row, int width)
{
    enum { ROWS_LEFT = 5 };
    const int height = ui_imui_row(ui);
    if (width > row->width && row->width < rect->width && rect->height > ROWS_LEFT * height) {
        (void)ui_cut_top(rect, ui_imui_gap(ui) / 2);
        *row = ui_cut_top(rect, height);
    }
    const struct ui_rect button = ui_cut_left(row, width);
    (void)ui_cut_left(row, ui_imui_gap(ui));
    return button;
}

/* Each playlist is a button; the one that is played has a mark. */
static void draw_playlist(struct app_operator *view, struct ui_rect *rect, struct ui_rect *row,
                          uint32_t number, const char *name, const char *label)
{
    char text[280];
    struct ui_imui *ui = view->ui;
    const bool played = strcmp(view->playing, name) == 0;
    (void)snprintf(text, sizeof text, played ? "\xE2\x96\xB6 %s" : "%s", label);
    const int width = ui_text_width(ui_imui_font(ui), base_span_of(text)) + 2 * ui_imui_gap(ui);
    if (ui_button(ui, ui_id("playlist", number), cut_button(ui, rect, row, width), text)) {
        struct ui_call call = {.command = UI_COMMAND_PLAYLIST};
        (void)snprintf(call.text, sizeof call.text, "%s", name);
        app_operator_obey(view, &call);
    }
}

static void draw_playlists(struct app_operator *view, struct ui_rect *rect)
{
    static const double seconds = 5; /* between two looks at the folder */
    const double clock = base_clock_seconds();
    if (view->playlists_asked == 0 || clock - view->playlists_asked > seconds) {
        const size_t count =
            app_library_playlists(view->setup.library, view->playlists, APP_PLAYLISTS_MAX);
        view->playlists_asked = clock;
        view->playlist_count = count < APP_PLAYLISTS_MAX ? count : APP_PLAYLISTS_MAX;
    }
    if (view->playlist_count == 0) {
        return;
    }
    struct ui_rect row = ui_cut_top(rect, ui_imui_row(view->ui));
    draw_playlist(view, rect, &row, 0, "", "all presets");
    for (size_t i = 0; i < view->playlist_count; i++) {
        draw_playlist(view, rect, &row, (uint32_t)i + 1, view->playlists[i], view->playlists[i]);
    }
    (void)ui_cut_top(rect, ui_imui_gap(view->ui));
}

void app_panel_library(struct app_operator *view, struct ui_rect rect)
{
    struct ui_imui *ui = view->ui;
    struct app_operator_list *list = &view->list;
    const int height = 2 * ui_imui_row(ui) + ui_imui_gap(ui);
    const bool typing = ui_imui_wants_keys(ui);
    draw_search(view, ui_cut_top(&rect, ui_imui_row(ui) * 5 / 4));
    (void)ui_cut_top(&rect, ui_imui_gap(ui));
    draw_playlists(view, &rect);
    search(view);
    if (typing) {
        /* Keys that are the list's while the search field has the keyboard. */
        const struct ui_imui_input *input = ui_imui_input(ui);
        for (size_t i = 0; i < input->key_count; i++) {
            const struct base_span key = base_span_of(input->keys[i]);
            if (base_span_equal(key, base_span_of("Down")) && list->selected + 1 < list->count) {
                list->selected++;
            } else if (base_span_equal(key, base_span_of("Up")) && list->selected > 0) {
                list->selected--;
            } else if (base_span_equal(key, base_span_of("Enter"))) {
                app_operator_play_selected(view, false);
            } else if (base_span_equal(key, base_span_of("Shift+Enter"))) {
                app_operator_play_selected(view, true);
            }
        }
    }
    const struct ui_rows rows = ui_rows_begin(ui, ui_id("presets", 0), rect, list->count, height,
                                              list->selected, &list->scroll);
    ui_clip_begin(ui, rows.rect);
    for (size_t row = rows.first; row < rows.end; row++) {
        draw_row(view, &rows, ui_rows_rect(&rows, row, height), row);
    }
    ui_clip_end(ui);
}
