/* The operator's view: what runs at the left, a panel at the right. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/operator/state.h"
#include "base/os/thread.h"

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

uint32_t app_operator_find_id(void)
{
    return ui_id("find", 0);
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

/* Words in the dark on a colour. */
static void draw_band(struct app_operator *view, struct ui_rect rect, const char *text,
                      uint32_t colour, enum ui_align align)
{
    ui_imui_fill(view->ui, rect, ui_imui_gap(view->ui) / 2, colour, 255);
    (void)ui_cut_left(&rect, ui_imui_gap(view->ui));
    (void)ui_cut_right(&rect, ui_imui_gap(view->ui));
    ui_label(view->ui, rect, text, UI_TONE_DARK, align);
}

/* A key of the command that works while a field has the keyboard too, or else any; empty: none. */
static void key_of(const struct app_operator *view, enum ui_command command, char *text,
                   size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < ui_bindings_count(view->setup.bindings); i++) {
        const struct ui_binding *row = ui_bindings_at(view->setup.bindings, i);
        if (row->call.command == command && (text[0] == '\0' || !ui_key_edits(row->key))) {
            (void)snprintf(text, size, "%s", row->key);
        }
    }
}

/* What the audience sees instead of the show, and its colour; NULL: it sees the show. */
static const char *off_air(const struct app_snapshot *now, uint32_t *colour)
{
    const bool past = now->past.frame > 0;
    *colour = now->blackout ? ui_theme_dark.black
              : past        ? ui_theme_dark.accent
                            : ui_theme_dark.frozen;
    return now->blackout ? "BLACKOUT" : past ? "PAST" : now->frozen ? "FROZEN" : NULL;
}

/* The same in words, or when the next preset comes. */
static void draw_air(struct app_operator *view, struct ui_rect rect)
{
    const struct app_snapshot *now = view->now;
    char text[160];
    char key[UI_KEY_NAME];
    uint32_t colour;
    const char *air = off_air(now, &colour);
    if (air != NULL) {
        const bool past = !now->blackout && now->past.frame > 0;
        key_of(view,
               now->blackout ? UI_COMMAND_BLACKOUT
               : past        ? UI_COMMAND_LIVE
                             : UI_COMMAND_FREEZE,
               key, sizeof key);
        (void)snprintf(text, sizeof text, "%s: %s, %s ends it%s", air,
                       now->blackout ? "nothing is seen"
                       : past        ? "what was is seen again"
                                     : "the picture stands still",
                       key[0] != '\0' ? key : "live",
                       now->frozen && !past && now->blackout ? "; FROZEN too" : "");
        draw_band(view, rect, text, colour, UI_ALIGN_LEFT);
    } else if (now->left >= 0) {
        (void)snprintf(text, sizeof text, "next in %.0f s", now->left);
        ui_label(view->ui, rect, text, UI_TONE_FAINT, UI_ALIGN_LEFT);
    } else {
        ui_label(view->ui, rect, now->locked ? "locked: it stays" : "stays", UI_TONE_FAINT,
                 UI_ALIGN_LEFT);
    }
}

/* What must not be missed, along the upper edge: what the audience sees, who gets the keys, whether
 * frames come in time. */
static void draw_status(struct app_operator *view, struct ui_rect row)
{
    static const double seconds = 5; /* for which late frames are a warning */
    const struct app_snapshot *now = view->now;
    struct ui_imui *ui = view->ui;
    const int gap = ui_imui_gap(ui);
    const double clock = base_clock_seconds();
    if (now->counters.late > view->late) {
        view->late_seen = clock;
    }
    view->late = now->counters.late;
    const bool late = view->late_seen > 0 && clock - view->late_seen < seconds;
    char text[160];
    (void)snprintf(text, sizeof text, "%" PRIu64 " late", now->counters.late);
    app_operator_cut_label(view, &row, text, late ? UI_TONE_ERROR : UI_TONE_FAINT);
    (void)snprintf(text, sizeof text, "%.1f fps   %.1f ms", now->fps, now->drawing);
    app_operator_cut_label(view, &row, text, UI_TONE_FAINT);
    if (now->counters.targets > 0) {
        (void)snprintf(text, sizeof text, "shared %u of %u   %" PRIu64 " left out",
                       now->counters.taken, now->counters.targets, now->counters.left_out);
        app_operator_cut_label(view, &row, text, UI_TONE_FAINT);
    }
    if (ui_imui_wants_keys(ui)) {
        static const char typing[] = "TYPING: Escape ends it";
        static const char elsewhere[] = "keys go to the show";
        const char *words = now->keys_elsewhere ? elsewhere : typing;
        const int width = ui_text_width(ui_imui_font(ui), base_span_of(words)) + 2 * gap;
        const struct ui_rect band = ui_cut_right(&row, width);
        (void)ui_cut_right(&row, gap);
        draw_band(view, band, words,
                  now->keys_elsewhere ? ui_theme_dark.raised : ui_theme_dark.accent,
                  UI_ALIGN_CENTRE);
    }
    draw_air(view, row);
}

/* As high as the column leaves it beside all that stands below, with a message. In a low column the
 * message gives way to two rows of it, and what is left of it to the rest. */
static void draw_preview(struct app_operator *view, struct ui_rect *column)
{
    enum { ROWS = 6 /* two of the name, four of the sound */, GAPS = 4 };
    const struct app_snapshot *now = view->now;
    const struct ui_surface *surface = ui_imui_surface(view->ui);
    const int row = ui_imui_row(view->ui);
    const int gap = ui_imui_gap(view->ui);
    const int transport = row * 5 / 4 + gap + 2 * row;
    const int below = ROWS * row + transport + METER_BANDS * level_height(view->ui) + GAPS * gap;
    const int whole = column->width * 9 / 16;
    const int left = column->height - below;
    const int beside_message = left - MESSAGE_ROWS * message_row(view->ui);
    const int least = left < 2 * row ? left : 2 * row;
    const int height = beside_message < least ? least : beside_message;
    struct ui_rect box = ui_cut_top(column, height < row ? 0 : height < whole ? height : whole);
    ui_fill(surface, box, 0, 255);
    if (now->picture_width > 0 && now->picture_height > 0 && box.width > 0 && box.height > 0) {
        const struct ui_rect fit =
            ui_window_letterbox(now->picture_width, now->picture_height, box.width, box.height);
        const struct ui_surface picture = {(uint32_t *)(uintptr_t)now->picture, now->picture_width,
                                           now->picture_height, (size_t)now->picture_width};
        ui_picture(surface, (struct ui_rect){box.x + fit.x, box.y + fit.y, fit.width, fit.height},
                   &picture);
    }
    uint32_t colour;
    const char *air = off_air(now, &colour);
    if (air != NULL) {
        /* A past that is looked at is not hidden by its name. */
        struct ui_rect band = box;
        (void)ui_cut_top(&band, colour == ui_theme_dark.accent ? box.height - row
                                                               : (box.height - row) / 2);
        draw_band(view, ui_cut_top(&band, row), air, colour, UI_ALIGN_CENTRE);
    }
}

/* What a button or a switch says: its name and the key that does the same. */
static void name_control(const struct app_operator *view, const char *name, const char *command,
                         char *text, size_t size)
{
    char key[UI_KEY_NAME];
    key_of(view, ui_command_by_name(base_span_of(command)), key, sizeof key);
    (void)snprintf(text, size, "%s %s", name, key[0] == 'F' ? key : "");
}

bool app_operator_text_button(struct app_operator *view, struct ui_rect *rect, struct ui_rect *row,
                              uint32_t id, const char *text)
{
    enum { ROWS_LEFT = 5 };
    struct ui_imui *ui = view->ui;
    const int width = ui_text_width(ui_imui_font(ui), base_span_of(text)) + 2 * ui_imui_gap(ui);
    const int height = ui_imui_row(ui);
    if (rect != NULL && width > row->width && row->width < rect->width &&
        rect->height > ROWS_LEFT * height) {
        (void)ui_cut_top(rect, ui_imui_gap(ui) / 2);
        *row = ui_cut_top(rect, height);
    }
    const struct ui_rect button = ui_cut_left(row, width);
    (void)ui_cut_left(row, ui_imui_gap(ui));
    return ui_button(ui, id, button, text);
}

static void order_button(struct app_operator *view, struct ui_rect rect, const char *name,
                         const char *command)
{
    char text[64];
    name_control(view, name, command, text, sizeof text);
    if (ui_button(view->ui, ui_id(command, 0), rect, text)) {
        app_operator_order(view, "%s", command);
    }
}

static void order_toggle(struct app_operator *view, struct ui_rect rect, const char *name,
                         const char *command, bool on)
{
    char text[64];
    name_control(view, name, command, text, sizeof text);
    if (ui_toggle(view->ui, ui_id(command, 1), rect, text, &on)) {
        app_operator_order(view, "%s %s", command, on ? "on" : "off");
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

/* The tempo and who drives it, the beats of the bar, and a button to tap. */
static void draw_tempo(struct app_operator *view, struct ui_rect rect)
{
    const struct app_snapshot *now = view->now;
    struct ui_imui *ui = view->ui;
    const int row = ui_imui_row(ui);
    const int gap = ui_imui_gap(ui);
    const bool beats = now->clock != ENGINE_TEMPO_SOURCES && now->heard.bpm > 0;
    char text[64];
    if (ui_button(ui, ui_id("tap", 0), ui_cut_right(&rect, 2 * row), "Tap")) {
        app_operator_order(view, "tap");
    }
    (void)ui_cut_right(&rect, gap);
    struct ui_rect bar = ui_cut_right(&rect, 2 * row);
    (void)ui_cut_right(&rect, gap);
    const double beat = now->heard.bar_phase * ENGINE_TEMPO_BAR;
    for (int i = 0; i < ENGINE_TEMPO_BAR; i++) {
        const struct ui_rect box = ui_inset(next_of(&bar, ENGINE_TEMPO_BAR - i, 0), gap / 4 + 1);
        const bool lit = beats && (int)beat == i;
        ui_imui_fill(ui, box, 0, lit ? ui_imui_theme(ui)->accent : ui_imui_theme(ui)->faint,
                     lit ? 255 : 64);
    }
    (void)snprintf(text, sizeof text, beats ? "%.1f bpm, %s%s" : "no beat", now->heard.bpm,
                   engine_tempo_name(now->clock), now->clock_stands ? " stands" : "");
    ui_label(ui, rect, text, beats ? UI_TONE_TEXT : UI_TONE_FAINT, UI_ALIGN_LEFT);
}

static void draw_sound(struct app_operator *view, struct ui_rect *column)
{
    static const char *const names[METER_BANDS] = {"bass", "mid", "treb"};
    const struct app_snapshot *now = view->now;
    struct ui_imui *ui = view->ui;
    const int row = ui_imui_row(ui);
    ui_label(ui, ui_cut_top(column, row), now->sound.name, UI_TONE_TEXT, UI_ALIGN_LEFT);
    for (int i = 0; i < METER_BANDS; i++) {
        struct ui_rect bar = ui_cut_top(column, level_height(ui));
        const int inset = row / 5;
        ui_label(ui, ui_cut_left(&bar, 2 * row), names[i], UI_TONE_FAINT, UI_ALIGN_LEFT);
        ui_bar(ui, (struct ui_rect){bar.x, bar.y + inset, bar.width, bar.height - 2 * inset},
               now->heard.level[i] / level_at_end, now->heard.level_att[i] / level_at_end,
               ui_imui_theme(ui)->accent);
    }
    draw_tempo(view, ui_cut_top(column, row));
    /* The wave, or why there is none. */
    const struct ui_rect wave = ui_cut_top(column, row);
    if (now->sound.state > APP_SOUND_LISTENING) {
        ui_label(ui, wave,
                 now->sound.state == APP_SOUND_SILENT ? "nothing but silence arrives"
                                                      : "the device is gone; waiting for it",
                 UI_TONE_WARNING, UI_ALIGN_LEFT);
    } else {
        ui_curve(ui, wave, now->wave, APP_SNAPSHOT_WAVE, -1, 1, ui_imui_theme(ui)->faint);
    }
    if (ui_button(ui, ui_id("device", 0), ui_cut_top(column, row), "Next sound device")) {
        app_sound_choose(view->setup.sound, "");
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
    draw_sound(view, &column);
    (void)ui_cut_top(&column, gap);
    /* The newest at the top; as many as there is room for. */
    const int high = message_row(ui);
    for (size_t i = 0; i < view->message_count && column.height >= high; i++) {
        const struct app_message *message = &view->messages[i];
        struct ui_rect rect = column;
        const enum ui_tone tone = message->severity == BASE_ERROR     ? UI_TONE_ERROR
                                  : message->severity == BASE_WARNING ? UI_TONE_WARNING
                                                                      : UI_TONE_FAINT;
        char text[APP_MESSAGE_SIZE + 16];
        char times[16] = "";
        if (message->times > 1) {
            (void)snprintf(times, sizeof times, "%u\xC3\x97 ", message->times);
        }
        (void)snprintf(text, sizeof text, "%s%s", times, message->text);
        (void)ui_cut_bottom(&rect, column.height - MESSAGE_ROWS * high);
        (void)ui_cut_top(&column, ui_words(ui, rect, high, text, tone));
    }
}

/* Asks before the show ends or leaves its full screen. */
static void draw_question(struct app_operator *view, struct ui_rect *rect)
{
    static const struct {
        const char *question;
        const char *yes;
        const char *words; /* what yes orders */
        const char *no;
    } rows[] = {
        [APP_ASKS_WINDOW] = {"Leave the full screen? The same key once more does.", "Leave it",
                             "fullscreen off", "Stay"},
        [APP_ASKS_QUIT] = {"End the show? The same key once more does.", "End it", "quit", "Go on"},
    };
    enum { BUTTON_ROWS = 5 };
    const struct app_snapshot *now = view->now;
    struct ui_imui *ui = view->ui;
    const int row = ui_imui_row(ui);
    const int gap = ui_imui_gap(ui);
    if (now->asks == APP_ASKS_NOTHING || view->waved == now->asked) {
        return;
    }
    struct ui_rect bar = ui_cut_top(rect, row * 3 / 2 + 2 * gap);
    (void)ui_cut_top(rect, gap);
    ui_imui_fill(ui, bar, gap / 2, ui_theme_dark.warning, 255);
    bar = ui_inset(bar, gap);
    const struct ui_rect no = ui_cut_right(&bar, BUTTON_ROWS * row);
    (void)ui_cut_right(&bar, gap);
    const struct ui_rect yes = ui_cut_right(&bar, BUTTON_ROWS * row);
    if (ui_button(ui, ui_id("no", 0), no, rows[now->asks].no)) {
        view->waved = now->asked;
    }
    if (ui_button(ui, ui_id("yes", 0), yes, rows[now->asks].yes)) {
        app_operator_order(view, "%s", rows[now->asks].words);
        view->waved = now->asked;
    }
    ui_label(ui, bar, rows[now->asks].question, UI_TONE_DARK, UI_ALIGN_LEFT);
}

void app_operator_draw(struct app_operator *view, const struct ui_surface *surface)
{
    enum { COLUMN_ROWS = 14, COLUMN_SHARE = 3 };
    const int gap = ui_imui_gap(view->ui);
    struct ui_rect rect = {0, 0, surface->width, surface->height};
    ui_fill(surface, rect, ui_imui_theme(view->ui)->ground, 255);
    uint32_t colour;
    if (off_air(view->now, &colour) != NULL) {
        ui_frame_round(surface, rect, 0, gap * 2 / 3, colour);
    }
    rect = ui_inset(rect, gap);
    draw_question(view, &rect);
    draw_status(view, ui_cut_top(&rect, ui_imui_row(view->ui)));
    (void)ui_cut_top(&rect, gap);
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
        ui_imui_focus(view->ui, 0);
    }
    (void)ui_cut_top(&rect, ui_imui_gap(view->ui));
    draw[view->panel](view, rect);
}
