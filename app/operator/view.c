/* The operator's view: what runs at the left, a panel at the right. */
#include <stdio.h>

#include "app/operator/state.h"

enum { METER_BANDS = 3, MESSAGE_ROWS = 3 /* of one of them */ };

static const double level_at_end = 2; /* of a bar; 1 is the usual loudness */

uint32_t app_operator_search_id(void)
{
    return ui_id("search", 0);
}

uint32_t app_operator_editor_id(void)
{
    return ui_id("editor", 0);
}

int app_operator_text_size(const struct ui_window_pixels *pixels)
{
    enum { SIZES_ACROSS = 58, SIZES_DOWN = 32 }; /* of the whole view */
    const int across = pixels->width / SIZES_ACROSS;
    const int down = pixels->height / SIZES_DOWN;
    const int least = pixels->text * 3 / 5; /* can still be read */
    const int fits = across < down ? across : down;
    return fits < least ? least : fits < pixels->text ? fits : pixels->text;
}

struct ui_rect app_operator_cut_names(const struct app_operator *view, struct ui_rect *row,
                                      int rows)
{
    const int width = rows * ui_imui_row(view->ui);
    const int most = row->width * 2 / 5;
    struct ui_rect names = ui_cut_left(row, width < most ? width : most);
    (void)ui_cut_right(&names, ui_imui_gap(view->ui));
    return names;
}

void app_operator_cut_label(struct app_operator *view, struct ui_rect *row, const char *text,
                            enum ui_tone tone)
{
    const int width = ui_text_width(ui_imui_font(view->ui), base_span_of(text));
    ui_label(view->ui, ui_cut_right(row, width), text, tone, UI_ALIGN_RIGHT);
    (void)ui_cut_right(row, ui_imui_gap(view->ui));
}

static void order_button(struct app_operator *view, struct ui_rect rect, const char *label,
                         const char *words)
{
    if (ui_button(view->ui, ui_id(words, 0), rect, label)) {
        app_operator_order(view, "%s", words);
    }
}

static void order_toggle(struct app_operator *view, struct ui_rect rect, const char *label,
                         const char *command, bool on)
{
    if (ui_toggle(view->ui, ui_id(command, 1), rect, label, &on)) {
        app_operator_order(view, "%s %s", command, on ? "on" : "off");
    }
}

/* The next of `count` things of the same width that are still to come in the row. */
static struct ui_rect next_of(struct ui_rect *row, int count, int gap)
{
    const struct ui_rect cell = ui_cut_left(row, (row->width - gap * (count - 1)) / count);
    (void)ui_cut_left(row, gap);
    return cell;
}

static int level_height(const struct ui_imui *ui)
{
    return ui_imui_row(ui) * 4 / 5;
}

static int message_row(const struct ui_imui *ui)
{
    return ui_imui_row(ui) * 4 / 5;
}

/* As high as the column leaves it beside all that stands below, with a message. In a low column the
 * message gives way to two rows of it, and what is left of it to the rest. */
static int preview_height(const struct ui_imui *ui, const struct ui_rect *column)
{
    enum { ROWS = 6 /* two of the name, one of times, three of the sound */, GAPS = 5 };
    const int row = ui_imui_row(ui);
    const int below = ROWS * row +
                      (ui_imui_row(ui) * 5 / 4 + ui_imui_gap(ui) + 2 * ui_imui_row(ui)) +
                      METER_BANDS * level_height(ui) + GAPS * ui_imui_gap(ui);
    const int whole = column->width * 9 / 16;
    const int left = column->height - below;
    const int beside_message = left - MESSAGE_ROWS * message_row(ui);
    const int least = left < 2 * row ? left : 2 * row;
    const int height = beside_message < least ? least : beside_message;
    return height < row ? 0 : height < whole ? height : whole;
}

static void draw_preview(struct app_operator *view, struct ui_rect *column)
{
    const struct app_snapshot *now = view->now;
    const struct ui_surface *surface = ui_imui_surface(view->ui);
    struct ui_rect box = ui_cut_top(column, preview_height(view->ui, column));
    ui_fill(surface, box, 0, 255);
    if (now->picture_width > 0 && now->picture_height > 0) {
        const struct ui_rect fit =
            ui_window_letterbox(now->picture_width, now->picture_height, box.width, box.height);
        const struct ui_surface picture = {(uint32_t *)(uintptr_t)now->picture, now->picture_width,
                                           now->picture_height, (size_t)now->picture_width};
        ui_picture(surface, (struct ui_rect){box.x + fit.x, box.y + fit.y, fit.width, fit.height},
                   &picture);
    }
    if (now->blackout || now->frozen) {
        ui_label(view->ui, box, now->blackout ? "BLACKOUT" : "FROZEN", UI_TONE_WARNING,
                 UI_ALIGN_CENTRE);
    }
}

static void draw_transport(struct app_operator *view, struct ui_rect *column)
{
    const struct app_snapshot *now = view->now;
    const int gap = ui_imui_gap(view->ui);
    struct ui_rect row = ui_cut_top(column, ui_imui_row(view->ui) * 5 / 4);
    order_button(view, next_of(&row, 3, gap), "Back", "previous");
    order_button(view, next_of(&row, 2, gap), "Next", "next");
    order_button(view, row, "Cut", "cut");
    (void)ui_cut_top(column, gap);
    row = ui_cut_top(column, ui_imui_row(view->ui));
    order_toggle(view, next_of(&row, 2, gap), "Lock", "lock", now->locked);
    order_toggle(view, row, "Random", "random", now->random);
    row = ui_cut_top(column, ui_imui_row(view->ui));
    order_toggle(view, next_of(&row, 2, gap), "Blackout", "blackout", now->blackout);
    order_toggle(view, row, "Freeze", "freeze", now->frozen);
}

static const char *sound_words(const struct app_snapshot *now)
{
    switch (now->sound.state) {
    case APP_SOUND_SILENT:
        return "nothing but silence arrives";
    case APP_SOUND_LOST:
        return "the device is gone; waiting for it";
    default:
        return "";
    }
}

static void draw_level(struct app_operator *view, struct ui_rect row, const char *name,
                       double level, double smoothed)
{
    struct ui_imui *ui = view->ui;
    ui_label(ui, ui_cut_left(&row, 2 * ui_imui_row(ui)), name, UI_TONE_FAINT, UI_ALIGN_LEFT);
    const int inset = ui_imui_row(ui) / 5;
    ui_bar(ui, (struct ui_rect){row.x, row.y + inset, row.width, row.height - 2 * inset},
           level / level_at_end, smoothed / level_at_end, ui_imui_theme(ui)->accent);
}

/* The tempo and the wave, or why there is neither. */
static void draw_beat(struct app_operator *view, struct ui_rect rect)
{
    const struct app_snapshot *now = view->now;
    struct ui_imui *ui = view->ui;
    char text[64];
    if (now->sound.state > APP_SOUND_LISTENING) {
        ui_label(ui, rect, sound_words(now), UI_TONE_WARNING, UI_ALIGN_LEFT);
        return;
    }
    (void)snprintf(text, sizeof text, now->heard.bpm > 0 ? "%.0f bpm" : "no beat", now->heard.bpm);
    ui_label(ui, ui_cut_left(&rect, 4 * ui_imui_row(ui)), text, UI_TONE_FAINT, UI_ALIGN_LEFT);
    ui_curve(ui, rect, now->wave, APP_SNAPSHOT_WAVE, -1, 1, ui_imui_theme(ui)->faint);
}

static void draw_sound(struct app_operator *view, struct ui_rect *column)
{
    static const char *const names[METER_BANDS] = {"bass", "mid", "treb"};
    const struct app_snapshot *now = view->now;
    struct ui_imui *ui = view->ui;
    const int row = ui_imui_row(ui);
    ui_label(ui, ui_cut_top(column, row), now->sound.name, UI_TONE_TEXT, UI_ALIGN_LEFT);
    for (int i = 0; i < METER_BANDS; i++) {
        draw_level(view, ui_cut_top(column, level_height(ui)), names[i], now->heard.level[i],
                   now->heard.level_att[i]);
    }
    draw_beat(view, ui_cut_top(column, row));
    if (ui_button(ui, ui_id("device", 0), ui_cut_top(column, row), "Next sound device")) {
        app_sound_choose(view->setup.sound, "");
    }
}

static enum ui_tone tone_of(enum base_severity severity)
{
    switch (severity) {
    case BASE_ERROR:
        return UI_TONE_ERROR;
    case BASE_WARNING:
        return UI_TONE_WARNING;
    default:
        return UI_TONE_FAINT;
    }
}

static void draw_running(struct app_operator *view, struct ui_rect column)
{
    struct ui_imui *ui = view->ui;
    const int gap = ui_imui_gap(ui);
    draw_preview(view, &column);
    (void)ui_cut_top(&column, gap);
    struct app_library_entry entry;
    ui_label(ui, ui_cut_top(&column, ui_imui_row(ui)), view->now->name, UI_TONE_ACCENT,
             UI_ALIGN_LEFT);
    struct ui_rect opinion = ui_cut_top(&column, ui_imui_row(ui));
    if (app_library_entry(view->setup.library, view->now->number, &entry)) {
        int stars = entry.stars;
        if (ui_stars(ui, ui_id("running stars", 0), ui_cut_left(&opinion, opinion.width * 3 / 5),
                     &stars)) {
            app_library_rate(view->setup.library, entry.number, stars);
        }
        bool favourite = entry.favourite;
        if (ui_toggle(ui, ui_id("running favourite", 0), opinion, "favourite", &favourite)) {
            app_library_favourite(view->setup.library, entry.number, favourite);
        }
    }
    (void)ui_cut_top(&column, gap);
    draw_transport(view, &column);
    (void)ui_cut_top(&column, gap);
    const struct app_snapshot *now = view->now;
    char text[160];
    struct ui_rect row = ui_cut_top(&column, ui_imui_row(ui));
    (void)snprintf(text, sizeof text, "%.1f fps   %.1f ms", now->fps, now->drawing);
    app_operator_cut_label(view, &row, text, UI_TONE_FAINT);
    if (now->left >= 0) {
        (void)snprintf(text, sizeof text, "next in %.0f s", now->left);
    } else {
        (void)snprintf(text, sizeof text, "stays");
    }
    ui_label(ui, row, text, UI_TONE_FAINT, UI_ALIGN_LEFT);
    (void)ui_cut_top(&column, gap);
    draw_sound(view, &column);
    (void)ui_cut_top(&column, gap);
    /* The newest at the top; as many as there is room for. */
    const int high = message_row(ui);
    for (size_t i = 0; i < view->message_count && column.height >= high; i++) {
        const struct app_message *message = &view->messages[i];
        struct ui_rect rect = column;
        (void)ui_cut_bottom(&rect, column.height - MESSAGE_ROWS * high);
        (void)ui_cut_top(&column,
                         ui_words(ui, rect, high, message->text, tone_of(message->severity)));
    }
}

void app_operator_draw(struct app_operator *view, const struct ui_surface *surface)
{
    enum { COLUMN_ROWS = 14, COLUMN_SHARE = 3 };
    const int gap = ui_imui_gap(view->ui);
    struct ui_rect rect = {0, 0, surface->width, surface->height};
    ui_fill(surface, rect, ui_imui_theme(view->ui)->ground, 255);
    rect = ui_inset(rect, gap);
    const int wanted = COLUMN_ROWS * ui_imui_row(view->ui);
    const int most = rect.width / COLUMN_SHARE;
    const struct ui_rect column = ui_cut_left(&rect, wanted < most ? wanted : most);
    (void)ui_cut_left(&rect, 2 * gap);
    draw_running(view, column);
    static const char *const tabs[APP_PANEL_COUNT] = {
#define APP_PANEL(id, name, tab, draw) [APP_PANEL_##id] = tab,
#include "app/operator/panels.def"
    };
    static void (*const draw[APP_PANEL_COUNT])(struct app_operator *, struct ui_rect) = {
#define APP_PANEL(id, name, tab, function) [APP_PANEL_##id] = function,
#include "app/operator/panels.def"
    };
    struct ui_rect bar = ui_cut_top(&rect, ui_imui_row(view->ui) * 5 / 4);
    const size_t chosen =
        ui_tabs(view->ui, ui_id("panels", 0), bar, tabs, APP_PANEL_COUNT, (size_t)view->panel);
    if (chosen != (size_t)view->panel) {
        view->panel = (enum app_panel)chosen;
        ui_imui_focus(view->ui, chosen == APP_PANEL_EDITOR ? app_operator_editor_id() : 0);
    }
    (void)ui_cut_top(&rect, ui_imui_gap(view->ui));
    draw[view->panel](view, rect);
}
