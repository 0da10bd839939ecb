/* The panel of presets: searching, looking, choosing, and what the operator thinks of them. */
#include <stdio.h>
#include <string.h>

#include "app/operator/state.h"
#include "base/os/file.h"
#include "base/os/thread.h"
#include "presets/library/find.h"
#include "presets/library/order.h"

#define STAR  "\xE2\x98\x85"
#define CROSS "\xE2\x9C\x95"
#define RUNS  "\xE2\x96\xB6"

/* A panel with fewer rows of text has no room for more than the presets. */
enum { ROWS_ALL = 17 };

static const double calm_seconds = 5; /* after which the list follows what runs again */

static void touch(struct app_operator *view)
{
    view->list.touched = base_clock_seconds();
    view->list.follows = false;
    view->list.rides = false;
}

/* ---- searching ---- */

/* The row of the preset that runs; of those in a playlist the one where that is. SIZE_MAX: none. */
static size_t find_running(struct app_operator *view)
{
    const struct app_operator_list *list = &view->list;
    size_t row = SIZE_MAX;
    for (size_t i = 0; i < list->count && view->now->path[0] != '\0'; i++) {
        struct app_library_item item;
        if (list->found[i] != view->now->number) {
            continue;
        }
        row = row == SIZE_MAX ? i : row;
        if (!app_library_item(view->setup.library, i, &item) || item.current) {
            return i;
        }
    }
    return row;
}

/* Keeps the row of the preset that runs. The list goes there once the operator looks at nothing
 * else; what is selected goes on with it where it was that one. */
static void follow_running(struct app_operator *view, bool searched)
{
    struct app_operator_list *list = &view->list;
    const uint64_t version = view->now->version;
    const bool calm = base_clock_seconds() - list->touched > calm_seconds;
    if (searched || list->marked != version) {
        list->rides = list->rides || (list->marked != version && list->selected == list->running);
        list->running = find_running(view);
        list->marked = version;
    }
    if (list->version == version || !calm) {
        return;
    }
    if (list->rides && list->running < list->count) {
        list->selected = list->running;
    }
    list->rides = false;
    list->version = version;
    list->follows = true;
}

/* Keeps what is found up to date. What is selected stays so while presets come and go; a new search
 * begins at its first, and one for nothing at the preset that runs. */
static void search(struct app_operator *view)
{
    struct app_operator_list *list = &view->list;
    const struct app_library_state state = app_library_state(view->setup.library);
    if (!list->stale && state.revision == list->revision) {
        follow_running(view, false);
        return;
    }
    const bool kept = !list->stale && list->selected < list->count;
    const uint32_t former = kept ? list->found[list->selected] : APP_LIBRARY_NONE;
    const size_t place = list->selected;
    const size_t fits =
        app_library_search(view->setup.library, list->query, list->found, APP_FOUND_MAX);
    list->count = fits < APP_FOUND_MAX ? fits : APP_FOUND_MAX;
    list->revision = state.revision;
    size_t at = list->count;
    if (kept && place < list->count && list->found[place] == former) {
        at = place;
    } else if (kept || (list->query[0] == '\0' && view->now->path[0] != '\0')) {
        const uint32_t wanted = kept ? former : view->now->number;
        for (at = 0; at < list->count && list->found[at] != wanted;) {
            at++;
        }
    }
    if (at < list->count) {
        list->selected = at;
    } else if (!kept || list->selected >= list->count) {
        list->selected = 0;
    }
    list->stale = false;
    app_library_search_says(view->setup.library, list->query, list->count > 0, list->says,
                            sizeof list->says);
    follow_running(view, true);
}

void app_operator_select(struct app_operator *view, double steps)
{
    struct app_operator_list *list = &view->list;
    const double at = (double)list->selected + steps;
    const double last = list->count > 0 ? (double)(list->count - 1) : 0;
    list->selected = (size_t)(at < 0 ? 0 : at > last ? last : at);
    touch(view);
}

void app_operator_play_selected(struct app_operator *view, bool hard)
{
    search(view);
    if (view->list.selected < view->list.count) {
        engine_loader_want(view->setup.loader, view->list.found[view->list.selected], hard);
    }
}

/* ---- a preset ---- */

static const char *remark(const struct app_library_entry *entry)
{
    return entry->hidden                            ? "hidden"
           : entry->verdict == APP_VERDICT_FAILED   ? "failed"
           : entry->verdict == APP_VERDICT_DEGRADED ? "degraded"
           : entry->unnamed                         ? "unnamed"
                                                    : "";
}

static enum ui_tone tone_of(const struct app_operator *view, const struct app_library_entry *entry)
{
    return entry->verdict == APP_VERDICT_FAILED ? UI_TONE_ERROR
           : entry->number == view->now->number ? UI_TONE_ACCENT
                                                : UI_TONE_TEXT;
}

static void draw_stars(struct app_operator *view, struct ui_rect rect,
                       const struct app_library_entry *entry, uint32_t id)
{
    int stars = entry->stars;
    char file[16];
    (void)snprintf(file, sizeof file, "file %d", entry->file_stars);
    app_operator_cut_label(view, &rect, file, UI_TONE_FAINT);
    if (ui_stars(view->ui, id, rect, &stars)) {
        app_library_rate(view->setup.library, entry->number, stars);
    }
}

static void draw_opinion(struct app_operator *view, struct ui_rect rect, size_t row,
                         const struct app_library_entry *entry)
{
    bool favourite = entry->favourite;
    draw_stars(view, ui_cut_top(&rect, rect.height / 2), entry, ui_id("stars", (uint32_t)row));
    app_operator_cut_label(view, &rect, remark(entry), UI_TONE_WARNING);
    if (ui_toggle(view->ui, ui_id("favourite", (uint32_t)row), rect, "favourite", &favourite)) {
        app_library_favourite(view->setup.library, entry->number, favourite);
    }
}

static void draw_thumbnail(struct app_operator *view, const struct ui_rows *rows,
                           struct ui_rect place, uint32_t number)
{
    uint32_t pixels[APP_THUMBNAIL_WIDTH * APP_THUMBNAIL_HEIGHT];
    if (app_library_thumbnail(view->setup.library, number, pixels)) {
        const struct ui_surface picture = {pixels, APP_THUMBNAIL_WIDTH, APP_THUMBNAIL_HEIGHT,
                                           APP_THUMBNAIL_WIDTH};
        const struct ui_rect local = {place.x - rows->rect.x, place.y - rows->rect.y, place.width,
                                      place.height};
        ui_picture(&rows->surface, local, &picture);
    } else {
        ui_imui_fill(view->ui, place, 0, ui_imui_theme(view->ui)->raised, 255);
    }
}

static void answer_mouse(struct app_operator *view, struct ui_rect rect, size_t row)
{
    if (ui_clicked(view->ui, rect)) {
        view->list.selected = row;
        touch(view);
    }
    if (ui_double_clicked(view->ui, rect)) {
        app_operator_play_selected(view, false);
    }
}

/* What stands below the name: in a playlist what that says, else where the preset is. */
static void put_below(struct app_operator *view, size_t row, const struct app_library_entry *entry,
                      char *text, size_t size)
{
    struct app_library_item item;
    const char *gap = entry->folder[0] != '\0' ? "   " : "";
    if (view->list.query[0] != '\0' || !app_library_item(view->setup.library, row, &item)) {
        (void)snprintf(text, size, "%s%s%s%s", entry->folder, entry->tags[0] != '\0' ? gap : "",
                       entry->tags[0] != '\0' ? "#" : "", entry->tags);
    } else if (item.seconds >= 0) {
        (void)snprintf(text, size, "%zu   %g s   %s", row + 1, item.seconds, item.transition);
    } else {
        (void)snprintf(text, size, "%zu   %s", row + 1, item.transition);
    }
}

static void draw_missing(struct app_operator *view, struct ui_rect rect, size_t row)
{
    struct app_library_item item;
    if (app_library_item(view->setup.library, row, &item)) {
        char text[1100];
        (void)snprintf(text, sizeof text, "%zu   not there: %s", row + 1, item.path);
        ui_label(view->ui, ui_inset(rect, ui_imui_gap(view->ui)), text, UI_TONE_WARNING,
                 UI_ALIGN_LEFT);
    }
}

static void draw_row(struct app_operator *view, const struct ui_rows *rows, struct ui_rect rect,
                     size_t row)
{
    struct app_library_entry entry;
    struct ui_imui *ui = view->ui;
    ui_row_ground(ui, rect, row == view->list.selected);
    if (!app_library_entry(view->setup.library, view->list.found[row], &entry)) {
        draw_missing(view, rect, row);
        answer_mouse(view, rect, row);
        return;
    }
    struct ui_rect inside = ui_inset(rect, ui_imui_gap(ui) / 2);
    draw_thumbnail(view, rows, ui_cut_left(&inside, inside.height * 16 / 9), entry.number);
    (void)ui_cut_left(&inside, ui_imui_gap(ui));
    const int opinion = 7 * ui_imui_row(ui);
    const int half = inside.width / 2;
    draw_opinion(view, ui_cut_right(&inside, opinion < half ? opinion : half), row, &entry);
    char below[600];
    char name[300];
    put_below(view, row, &entry, below, sizeof below);
    (void)snprintf(name, sizeof name, "%s%s", row == view->list.running ? RUNS " " : "",
                   entry.name);
    ui_label(ui, ui_cut_top(&inside, inside.height / 2), name, tone_of(view, &entry),
             UI_ALIGN_LEFT);
    ui_label(ui, inside, below, UI_TONE_FAINT, UI_ALIGN_LEFT);
    answer_mouse(view, rect, row);
}

/* ---- the presets, in rows or in a grid ---- */

static size_t row_in_sight(const struct app_operator_list *list)
{
    return list->follows && list->running < list->count ? list->running : list->selected;
}

static void draw_list(struct app_operator *view, struct ui_rect rect)
{
    struct ui_imui *ui = view->ui;
    struct app_operator_list *list = &view->list;
    const int height = 2 * ui_imui_row(ui) + ui_imui_gap(ui);
    list->columns = 1;
    const struct ui_rows rows = ui_rows_begin(ui, ui_id("presets", 0), rect, list->count, height,
                                              row_in_sight(list), &list->scroll);
    ui_clip_begin(ui, rows.rect);
    for (size_t row = rows.first; row < rows.end; row++) {
        draw_row(view, &rows, ui_rows_rect(&rows, row, height), row);
    }
    ui_clip_end(ui);
}

static void draw_cell(struct app_operator *view, const struct ui_rows *rows, struct ui_rect rect,
                      size_t row)
{
    struct app_library_entry entry;
    struct ui_imui *ui = view->ui;
    const struct ui_theme *theme = ui_imui_theme(ui);
    const int edge = ui_imui_gap(ui) / 2;
    ui_row_ground(ui, rect, row == view->list.selected);
    if (!app_library_entry(view->setup.library, view->list.found[row], &entry)) {
        draw_missing(view, rect, row);
        answer_mouse(view, rect, row);
        return;
    }
    struct ui_rect inside = ui_inset(rect, edge);
    const struct ui_rect frame = ui_cut_top(&inside, inside.height - ui_imui_row(ui));
    if (row == view->list.running) {
        ui_imui_fill(ui, frame, edge / 2, theme->accent, 255);
    }
    draw_thumbnail(view, rows, ui_inset(frame, edge / 2), entry.number);
    char mark[40];
    (void)snprintf(mark, sizeof mark, "%s%s%.*s", remark(&entry),
                   remark(&entry)[0] != '\0' && entry.stars > 0 ? " " : "",
                   entry.stars * (int)strlen(STAR), STAR STAR STAR STAR STAR);
    if (view->list.look != APP_LOOK_SMALL && mark[0] != '\0') {
        app_operator_cut_label(view, &inside, mark, UI_TONE_WARNING);
    }
    ui_label(ui, inside, entry.name, tone_of(view, &entry), UI_ALIGN_LEFT);
    answer_mouse(view, rect, row);
}

static void draw_grid(struct app_operator *view, struct ui_rect rect)
{
    static const int widths[] = {
        [APP_LOOK_SMALL] = 4, [APP_LOOK_MEDIUM] = 6, [APP_LOOK_LARGE] = 10};
    struct ui_imui *ui = view->ui;
    struct app_operator_list *list = &view->list;
    const int gap = ui_imui_gap(ui);
    const int room = rect.width - 2 * gap > 1 ? rect.width - 2 * gap : 1; /* of the scroll bar */
    const int wanted = widths[list->look] * ui_imui_row(ui);
    const int columns = room / wanted > 1 ? room / wanted : 1;
    const int width = room / columns;
    const int height = (width - gap) * 9 / 16 + gap + ui_imui_row(ui);
    list->columns = (size_t)columns;
    const size_t lines = (list->count + list->columns - 1) / list->columns;
    const size_t sight = list->count > 0 ? row_in_sight(list) / list->columns : SIZE_MAX;
    const struct ui_rows rows =
        ui_rows_begin(ui, ui_id("presets", 0), rect, lines, height, sight, &list->scroll);
    ui_clip_begin(ui, rows.rect);
    for (size_t line = rows.first; line < rows.end; line++) {
        const struct ui_rect whole = ui_rows_rect(&rows, line, height);
        for (int i = 0; i < columns && line * list->columns + (size_t)i < list->count; i++) {
            const struct ui_rect cell = {whole.x + i * width, whole.y, width, height};
            draw_cell(view, &rows, cell, line * list->columns + (size_t)i);
        }
    }
    ui_clip_end(ui);
}

/* ---- what is played ---- */

/* Each playlist is a button; the one that is played has a mark. */
static void draw_playlist(struct app_operator *view, struct ui_rect *rect, struct ui_rect *row,
                          uint32_t number, const char *name, const char *label)
{
    char text[280];
    const bool played = strcmp(view->playing, name) == 0;
    (void)snprintf(text, sizeof text, played ? RUNS " %s" : "%s", label);
    if (app_operator_text_button(view, rect, row, ui_id("playlist", number), text)) {
        struct engine_call call = {.command = UI_COMMAND_PLAYLIST};
        (void)snprintf(call.text, sizeof call.text, "%s", name);
        app_operator_obey(view, &call);
        view->list.stale = true;
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

/* How presets are shown, and which of them come by themselves. */
static void draw_looks(struct app_operator *view, struct ui_rect *rect)
{
    static const char *const looks[APP_LOOK_COUNT] = {"List", "Small", "Medium", "Large"};
    enum { LOOKS_ROWS = 14 };
    struct ui_imui *ui = view->ui;
    struct app_operator_list *list = &view->list;
    struct ui_rect bar = ui_cut_top(rect, ui_imui_row(ui));
    const int wanted = LOOKS_ROWS * ui_imui_row(ui);
    const struct ui_rect tabs = ui_cut_left(&bar, wanted < bar.width / 2 ? wanted : bar.width / 2);
    const size_t look =
        ui_tabs(ui, ui_id("looks", 0), tabs, looks, APP_LOOK_COUNT, (size_t)list->look);
    if (look != (size_t)list->look) {
        list->look = (enum app_look)look;
        list->scroll.wanted = SIZE_MAX;
    }
    (void)ui_cut_left(&bar, 2 * ui_imui_gap(ui));
    struct engine_call call = {.command = UI_COMMAND_ONLY};
    char label[APP_QUERY_SIZE + 32];
    bool on = list->limit[0] != '\0';
    if (on) {
        (void)snprintf(label, sizeof label, "only what fits: %s", list->limit);
    } else {
        (void)snprintf(label, sizeof label, "play only what is found");
    }
    if ((on || list->query[0] != '\0') && ui_toggle(ui, ui_id("only", 0), bar, label, &on)) {
        (void)snprintf(call.text, sizeof call.text, "%s", on ? list->query : "");
        app_operator_obey(view, &call);
    }
    (void)ui_cut_top(rect, ui_imui_gap(ui));
}

/* ---- what is selected ---- */

/* True once when Enter was pressed in the field, which keeps the keyboard. */
static bool entered(struct app_operator *view, const char *name, struct ui_rect rect, char *text,
                    size_t size, const char *hint)
{
    struct ui_imui *ui = view->ui;
    const uint32_t id = ui_id(name, 0);
    const bool typing = ui_imui_has_keyboard(ui, id);
    (void)ui_field(ui, id, rect, text, size, hint);
    for (size_t i = 0; i < ui_imui_input(ui)->key_count && typing && text[0] != '\0'; i++) {
        if (strcmp(ui_imui_input(ui)->keys[i], "Enter") == 0) {
            ui_imui_focus(ui, id);
            return true;
        }
    }
    return false;
}

static void draw_tags(struct app_operator *view, struct ui_rect row,
                      const struct app_library_entry *entry)
{
    enum { FIELD_ROWS = 8 };
    struct ui_imui *ui = view->ui;
    struct app_operator_list *list = &view->list;
    const struct ui_rect field = ui_cut_right(&row, FIELD_ROWS * ui_imui_row(ui));
    if (entered(view, "tag", field, list->tag, sizeof list->tag, "add a tag")) {
        if (!app_library_tag(view->setup.library, entry->number, list->tag, true)) {
            app_operator_say(view, BASE_WARNING,
                             "'%s' cannot be a tag; letters, digits, - and _ can", list->tag);
        } else {
            list->tag[0] = '\0';
        }
    }
    ui_label(ui, ui_cut_left(&row, 4 * ui_imui_row(ui)), "tags", UI_TONE_FAINT, UI_ALIGN_LEFT);
    uint32_t number = 0;
    for (const char *at = entry->tags; *at != '\0';) {
        char tag[APP_LIBRARY_TAGS];
        char text[APP_LIBRARY_TAGS + 8];
        const size_t length = strcspn(at, " ");
        (void)snprintf(tag, sizeof tag, "%.*s", (int)length, at);
        (void)snprintf(text, sizeof text, "%s " CROSS, tag);
        if (app_operator_text_button(view, NULL, &row, ui_id("tag away", number++), text)) {
            (void)app_library_tag(view->setup.library, entry->number, tag, false);
        }
        at += length + (at[length] == ' ');
    }
}

static void add_to_playlist(struct app_operator *view, const char *name, uint32_t number)
{
    struct app_library *library = view->setup.library;
    struct app_library_entry entry;
    if (app_library_entry(library, number, &entry) &&
        app_library_playlist_add(library, name, number, &view->sink) == 0) {
        app_operator_say(view, BASE_NOTE, "%s joined %s", entry.name, name);
        view->playlists_asked = 0;
        if (strcmp(name, view->playing) == 0) {
            (void)app_library_playlist_again(library, name, &view->sink);
        }
    }
}

static void move_item(struct app_operator *view, size_t to)
{
    struct app_operator_list *list = &view->list;
    touch(view);
    if (app_library_playlist_move(view->setup.library, view->playing, true, list->selected, to,
                                  &view->sink) == 0 &&
        to != APP_LIBRARY_OUT) {
        list->selected = to;
        list->stale = false;
    }
    list->revision = 0;
}

/* The place in the playlist that is played, then all of them. */
static void draw_lists(struct app_operator *view, struct ui_rect row,
                       const struct app_library_entry *entry)
{
    enum { FIELD_ROWS = 8 };
    struct ui_imui *ui = view->ui;
    struct app_operator_list *list = &view->list;
    struct app_library_item item;
    const struct ui_rect field = ui_cut_right(&row, FIELD_ROWS * ui_imui_row(ui));
    if (entry != NULL && entered(view, "new playlist", field, list->playlist, sizeof list->playlist,
                                 "add to a playlist")) {
        add_to_playlist(view, list->playlist, entry->number);
        list->playlist[0] = '\0';
    }
    const bool own = view->playing[0] != '\0' && strchr(view->playing, '/') == NULL;
    if (own && list->query[0] == '\0' &&
        app_library_item(view->setup.library, list->selected, &item)) {
        if (app_operator_text_button(view, NULL, &row, ui_id("item up", 0), "\xE2\x86\x91 Up") &&
            list->selected > 0) {
            move_item(view, list->selected - 1);
        }
        if (app_operator_text_button(view, NULL, &row, ui_id("item down", 0),
                                     "\xE2\x86\x93 Down") &&
            list->selected + 1 < list->count) {
            move_item(view, list->selected + 1);
        }
        if (app_operator_text_button(view, NULL, &row, ui_id("item out", 0), CROSS " Take out")) {
            move_item(view, APP_LIBRARY_OUT);
        }
    }
    for (size_t i = 0; i < view->playlist_count && entry != NULL; i++) {
        char text[280];
        (void)snprintf(text, sizeof text, "+ %s", view->playlists[i]);
        if (app_operator_text_button(view, NULL, &row, ui_id("add to", (uint32_t)i), text)) {
            add_to_playlist(view, view->playlists[i], entry->number);
        }
    }
}

static void draw_selected(struct app_operator *view, struct ui_rect *rect)
{
    struct ui_imui *ui = view->ui;
    const int row = ui_imui_row(ui);
    const int gap = ui_imui_gap(ui);
    struct app_library_entry entry;
    struct ui_rect strip = ui_cut_bottom(rect, 3 * row + 4 * gap);
    (void)ui_cut_bottom(rect, gap);
    ui_imui_fill(ui, strip, gap / 2, ui_imui_theme(ui)->panel, 255);
    strip = ui_inset(strip, gap);
    if (view->list.selected >= view->list.count) {
        return;
    }
    struct ui_rect top = ui_cut_top(&strip, row);
    (void)ui_cut_top(&strip, gap);
    if (!app_library_entry(view->setup.library, view->list.found[view->list.selected], &entry)) {
        draw_missing(view, top, view->list.selected);
        (void)ui_cut_top(&strip, row + gap);
        draw_lists(view, ui_cut_top(&strip, row), NULL);
        return;
    }
    bool hidden = entry.hidden;
    bool favourite = entry.favourite;
    if (ui_toggle(ui, ui_id("hide selected", 0), ui_cut_right(&top, 4 * row), "hidden", &hidden)) {
        app_library_hide(view->setup.library, entry.number, hidden);
    }
    if (ui_toggle(ui, ui_id("selected favourite", 0), ui_cut_right(&top, 5 * row), "favourite",
                  &favourite)) {
        app_library_favourite(view->setup.library, entry.number, favourite);
    }
    (void)ui_cut_right(&top, gap);
    draw_stars(view, ui_cut_right(&top, 7 * row), &entry, ui_id("selected stars", 0));
    ui_label(ui, top, entry.name, tone_of(view, &entry), UI_ALIGN_LEFT);
    draw_tags(view, ui_cut_top(&strip, row), &entry);
    (void)ui_cut_top(&strip, gap);
    draw_lists(view, ui_cut_top(&strip, row), &entry);
}

/* ---- what was dropped ---- */

void app_operator_take_drop(struct app_operator *view, const char *path)
{
    struct app_library *library = view->setup.library;
    if (base_is_folder(path)) {
        if (!app_library_add_folder(library, path)) {
            app_operator_say(view, BASE_WARNING, "too many folders at once; drop %s again", path);
        }
    } else if (preset_is_playlist(path)) {
        struct engine_call call = {.command = UI_COMMAND_PLAYLIST};
        (void)snprintf(call.text, sizeof call.text, "%s", path);
        app_operator_obey(view, &call);
    } else if (preset_is_file_name(path)) {
        const uint32_t number = app_library_add_file(library, path);
        if (number == APP_LIBRARY_NONE) {
            app_operator_say(view, BASE_WARNING, "%s is no file", path);
        } else {
            engine_loader_want(view->setup.loader, number, false);
        }
    } else {
        app_operator_say(view, BASE_WARNING,
                         "%s is neither a preset (.milk, .fnp) nor a playlist nor a folder", path);
    }
    view->list.stale = view->list.query[0] == '\0';
}

/* ---- the panel ---- */

/* Keys that are the list's while the search field has the keyboard. */
static void take_keys(struct app_operator *view)
{
    struct app_operator_list *list = &view->list;
    const struct ui_imui_input *input = ui_imui_input(view->ui);
    for (size_t i = 0; i < input->key_count; i++) {
        const struct base_span key = base_span_of(input->keys[i]);
        const double line = list->columns > 0 ? (double)list->columns : 1;
        if (base_span_equal(key, base_span_of("Down"))) {
            app_operator_select(view, line);
        } else if (base_span_equal(key, base_span_of("Up"))) {
            app_operator_select(view, -line);
        } else if (base_span_equal(key, base_span_of("Enter"))) {
            app_operator_play_selected(view, false);
        } else if (base_span_equal(key, base_span_of("Shift+Enter"))) {
            app_operator_play_selected(view, true);
        }
    }
}

void app_panel_library(struct app_operator *view, struct ui_rect rect)
{
    struct ui_imui *ui = view->ui;
    struct app_operator_list *list = &view->list;
    const int row = ui_imui_row(ui);
    const bool all = rect.height > ROWS_ALL * row;
    const bool typing = ui_imui_has_keyboard(ui, app_operator_search_id());
    struct ui_rect bar = ui_cut_top(&rect, row * 5 / 4);
    char text[96];
    const struct app_library_state state = app_library_state(view->setup.library);
    (void)snprintf(text, sizeof text, "%zu of %zu%s", list->count, state.presets,
                   state.scanning ? ", scanning" : "");
    app_operator_cut_label(view, &bar, text, UI_TONE_FAINT);
    if (ui_field(ui, app_operator_search_id(), bar, list->query, sizeof list->query,
                 "search: words, -not, fav, stars>=3, tag:name")) {
        list->stale = true;
        touch(view);
    }
    (void)ui_cut_top(&rect, ui_imui_gap(ui));
    if (all) {
        draw_looks(view, &rect);
    }
    draw_playlists(view, &rect);
    search(view);
    if (list->says[0] != '\0') {
        const struct ui_rect words = {rect.x, rect.y, rect.width, 2 * row};
        (void)ui_cut_top(&rect, ui_words(ui, words, row, list->says, UI_TONE_WARNING));
    }
    if (typing) {
        take_keys(view);
    }
    if (all) {
        draw_selected(view, &rect);
    }
    const struct ui_imui_input *input = ui_imui_input(ui);
    const bool moved = input->mouse_x != list->mouse_x || input->mouse_y != list->mouse_y;
    list->mouse_x = input->mouse_x;
    list->mouse_y = input->mouse_y;
    if (ui_hovers(ui, rect) && (moved || input->wheel != 0 || input->pressed)) {
        touch(view);
    }
    (list->look == APP_LOOK_LIST ? draw_list : draw_grid)(view, rect);
}
