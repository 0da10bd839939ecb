/* The panels that look into what runs: text, values, variables, mesh, hardware, keys. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/operator/state.h"
#include "base/os/clock.h"
#include "presets/presets.h"

static const double hardware_seconds = 1; /* between two looks at the estimate */

/* A file is written over only at the second press. */
static void draw_overwrite(struct app_operator *view, struct ui_rect rect)
{
    struct app_operator_text *text = &view->text;
    if (!app_operator_text_changed(view)) {
        text->overwrites = false;
    } else if (ui_button(view->ui, ui_id("overwrite", 0), rect,
                         text->overwrites ? "Sure?" : "Overwrite")) {
        if (text->overwrites) {
            app_operator_overwrite(view);
        }
        text->overwrites = !text->overwrites;
    }
}

/* Goes to the next place of the text, or to the line whose number follows a colon. */
static void find(struct ui_editor *editor, const char *wanted)
{
    if (wanted[0] == ':') {
        ui_editor_go(editor, strtoul(wanted + 1, NULL, 10), 1);
    } else {
        (void)ui_editor_find(editor, base_span_of(wanted));
    }
}

/* Enter goes to the next place each time. */
static void draw_find(struct app_operator *view, struct ui_rect rect)
{
    struct ui_imui *ui = view->ui;
    struct app_operator_text *text = &view->text;
    const struct ui_imui_input *input = ui_imui_input(ui);
    const uint32_t id = ui_id("find", 0);
    const bool typing = ui_imui_has_keyboard(ui, id);
    (void)ui_field(ui, id, rect, text->wanted, sizeof text->wanted, "find text, or :line");
    for (size_t i = 0; i < input->key_count && typing && text->wanted[0] != '\0'; i++) {
        if (strcmp(input->keys[i], "Enter") == 0) {
            find(text->editor, text->wanted);
            ui_imui_focus(ui, id);
        }
    }
}

/* Cuts a piece, as wide as so many rows are high or its share of a narrow bar, off the right end.
 */
static struct ui_rect cut_piece(const struct ui_imui *ui, struct ui_rect *bar, int whole, int rows)
{
    enum { ROWS = 26 /* of all pieces, with their gaps */ };
    const int wanted = rows * ui_imui_row(ui);
    const int share = whole * rows / ROWS;
    const struct ui_rect piece = ui_cut_right(bar, wanted < share ? wanted : share);
    (void)ui_cut_right(bar, ui_imui_gap(ui));
    return piece;
}

void app_panel_editor(struct app_operator *view, struct ui_rect rect)
{
    struct ui_imui *ui = view->ui;
    struct ui_rect bar = ui_cut_bottom(&rect, ui_imui_row(ui));
    const int whole = bar.width;
    if (ui_button(ui, ui_id("save", 0), cut_piece(ui, &bar, whole, 6), "Save as new")) {
        app_operator_save(view, "");
    }
    draw_overwrite(view, cut_piece(ui, &bar, whole, 5));
    if (ui_button(ui, ui_id("revert", 0), cut_piece(ui, &bar, whole, 4), "Revert")) {
        app_operator_revert(view);
    }
    draw_find(view, cut_piece(ui, &bar, whole, 9));
    /* Where the text is from; in a narrow panel in a row of its own. */
    enum { WORDS_ROWS = 10 };
    char words[1400];
    (void)snprintf(words, sizeof words, "%s%s", app_operator_text_changed(view) ? "changed: " : "",
                   view->text.path);
    const int row = ui_imui_row(ui);
    const bool narrow = bar.width < WORDS_ROWS * row;
    ui_label(ui, narrow ? ui_cut_bottom(&rect, row) : bar, words, UI_TONE_FAINT, UI_ALIGN_LEFT);
    (void)ui_cut_bottom(&rect, ui_imui_gap(ui));
    (void)ui_editor_draw(ui, app_operator_editor_id(), rect, view->text.editor);
}

/* ---- values ---- */

static bool is_shown(size_t key)
{
    return preset_keys[key].group == PRESET_GROUP_PRESET;
}

static size_t key_at(size_t row)
{
    size_t key = 0;
    for (size_t seen = 0; key < PRESET_KEY_ROWS; key++) {
        if (is_shown(key) && seen++ == row) {
            break;
        }
    }
    return key;
}

static size_t count_keys(void)
{
    size_t count = 0;
    for (size_t key = 0; key < PRESET_KEY_ROWS; key++) {
        count += is_shown(key);
    }
    return count;
}

static void draw_value(struct app_operator *view, struct ui_rect rect, size_t key)
{
    struct ui_imui *ui = view->ui;
    const struct preset_key *row = &preset_keys[key];
    double value = view->now->values[key];
    ui_label(ui, app_operator_cut_names(view, &rect, 9), row->key, UI_TONE_TEXT, UI_ALIGN_LEFT);
    rect = ui_inset(rect, 1);
    bool changed = false;
    if (row->type == PRESET_TYPE_IS_SWITCH) {
        bool on = value != 0;
        changed = ui_toggle(ui, ui_id("value", (uint32_t)key), rect, on ? "on" : "off", &on);
        value = on;
    } else {
        changed = ui_slider(ui, ui_id("value", (uint32_t)key), rect, &value, row->low, row->high);
    }
    if (changed) {
        app_operator_order(view, "set %s %.9g", row->key, value);
    }
}

void app_panel_values(struct app_operator *view, struct ui_rect rect)
{
    struct ui_imui *ui = view->ui;
    const int height = ui_imui_row(ui);
    struct ui_rect bar = ui_cut_bottom(&rect, height);
    if (ui_button(ui, ui_id("undo", 0), ui_cut_left(&bar, 4 * height), "Undo")) {
        app_operator_order(view, "undo");
    }
    (void)ui_cut_left(&bar, ui_imui_gap(ui));
    if (ui_button(ui, ui_id("redo", 0), ui_cut_left(&bar, 4 * height), "Redo")) {
        app_operator_order(view, "redo");
    }
    (void)ui_cut_bottom(&rect, ui_imui_gap(ui));
    const struct ui_rows rows = ui_rows_begin(ui, ui_id("values", 0), rect, count_keys(), height,
                                              SIZE_MAX, &view->values_scroll);
    ui_clip_begin(ui, rows.rect);
    for (size_t row = rows.first; row < rows.end; row++) {
        draw_value(view, ui_rows_rect(&rows, row, height), key_at(row));
    }
    ui_clip_end(ui);
}

/* ---- variables ---- */

void app_panel_variables(struct app_operator *view, struct ui_rect rect)
{
    struct ui_imui *ui = view->ui;
    const int height = ui_imui_row(ui) * 4 / 5;
    size_t fits[APP_SNAPSHOT_VARIABLES];
    size_t count = 0;
    (void)ui_field(ui, ui_id("variables filter", 0), ui_cut_top(&rect, ui_imui_row(ui) * 5 / 4),
                   view->variables_filter, sizeof view->variables_filter, "name contains");
    (void)ui_cut_top(&rect, ui_imui_gap(ui));
    for (size_t i = 0; i < view->now->variable_count; i++) {
        if (strstr(view->now->variables[i].name, view->variables_filter) != NULL) {
            fits[count++] = i;
        }
    }
    const struct ui_rows rows = ui_rows_begin(ui, ui_id("variables", 0), rect, count, height,
                                              SIZE_MAX, &view->variables_scroll);
    ui_clip_begin(ui, rows.rect);
    for (size_t row = rows.first; row < rows.end; row++) {
        char value[40];
        struct ui_rect line = ui_rows_rect(&rows, row, height);
        const struct rend_variable_view *variable = &view->now->variables[fits[row]];
        (void)snprintf(value, sizeof value, "%.6g", variable->value);
        ui_label(ui, app_operator_cut_names(view, &line, 10), variable->name, UI_TONE_TEXT,
                 UI_ALIGN_LEFT);
        ui_label(ui, ui_cut_left(&line, 6 * ui_imui_row(ui)), value, UI_TONE_ACCENT,
                 UI_ALIGN_RIGHT);
    }
    ui_clip_end(ui);
}

/* ---- mesh ---- */

/* Where the vertex reads the last picture, from the middle of `rect` outwards. */
static void place_vertex(const struct app_snapshot *now, struct ui_rect rect, int column, int row,
                         int *x, int *y)
{
    const struct tmu_vertex *vertex = &now->vertices[row * (now->mesh_columns + 1) + column];
    const double u = vertex->u > -1 && vertex->u < 2 ? (double)vertex->u : -1;
    const double v = vertex->v > -1 && vertex->v < 2 ? (double)vertex->v : -1;
    *x = rect.x + (int)(u * rect.width);
    *y = rect.y + (int)(v * rect.height);
}

static void draw_cell(struct app_operator *view, struct ui_rect rect, int column, int row)
{
    const struct app_snapshot *now = view->now;
    const struct ui_surface part = ui_surface_part(ui_imui_surface(view->ui), rect);
    const struct ui_rect local = {0, 0, rect.width, rect.height};
    const uint32_t colour = ui_imui_theme(view->ui)->accent;
    int x0 = 0;
    int y0 = 0;
    int x1 = 0;
    int y1 = 0;
    place_vertex(now, local, column, row, &x0, &y0);
    if (column < now->mesh_columns) {
        place_vertex(now, local, column + 1, row, &x1, &y1);
        ui_line(&part, x0, y0, x1, y1, colour, 150);
    }
    if (row < now->mesh_rows) {
        place_vertex(now, local, column, row + 1, &x1, &y1);
        ui_line(&part, x0, y0, x1, y1, colour, 150);
    }
}

void app_panel_mesh(struct app_operator *view, struct ui_rect rect)
{
    const struct app_snapshot *now = view->now;
    struct ui_imui *ui = view->ui;
    const struct ui_rect words = ui_cut_top(&rect, ui_imui_row(ui));
    if (now->mesh_columns == 0) {
        ui_label(ui, words, "the mesh is too fine to be drawn here", UI_TONE_FAINT, UI_ALIGN_LEFT);
        return;
    }
    ui_label(ui, words, "where each vertex reads the last picture", UI_TONE_FAINT, UI_ALIGN_LEFT);
    ui_fill(ui_imui_surface(ui), rect, ui_imui_theme(ui)->panel, 255);
    for (int row = 0; row <= now->mesh_rows; row++) {
        for (int column = 0; column <= now->mesh_columns; column++) {
            draw_cell(view, rect, column, row);
        }
    }
}

/* ---- hardware ---- */

static void fact(struct app_operator *view, struct ui_rect *rect, const char *name,
                 const char *format, double value, double more)
{
    char text[120];
    struct ui_imui *ui = view->ui;
    const int height = ui_imui_row(ui);
    struct ui_rect row = ui_cut_top(rect, height);
    (void)snprintf(text, sizeof text, format, value, more);
    ui_label(ui, app_operator_cut_names(view, &row, 12), name, UI_TONE_FAINT, UI_ALIGN_LEFT);
    if (ui_text_width(ui_imui_font(ui), base_span_of(text)) > row.width) {
        row.height += ui_cut_top(rect, height).height;
    }
    (void)ui_words(ui, row, height, text, UI_TONE_TEXT);
}

static void share(struct app_operator *view, struct ui_rect *rect, const char *name, double value)
{
    struct ui_imui *ui = view->ui;
    struct ui_rect row = ui_cut_top(rect, ui_imui_row(ui));
    ui_label(ui, app_operator_cut_names(view, &row, 12), name, UI_TONE_FAINT, UI_ALIGN_LEFT);
    ui_bar(ui, ui_inset(row, ui_imui_row(ui) / 4), value, value, ui_imui_theme(ui)->accent);
}

void app_panel_hardware(struct app_operator *view, struct ui_rect rect)
{
    const struct app_board_estimate *estimate = &view->hardware.estimate;
    struct ui_imui *ui = view->ui;
    if (view->now->path[0] == '\0') {
        return;
    }
    struct app_operator_hardware *hardware = &view->hardware;
    const struct app_snapshot *now = view->now;
    struct preset preset;
    const double clock = base_clock_seconds();
    if (strcmp(hardware->path, now->path) != 0 || clock - hardware->asked >= hardware_seconds) {
        hardware->asked = clock;
        (void)snprintf(hardware->path, sizeof hardware->path, "%s", now->path);
        hardware->known = preset_read_file(&preset, now->path, NULL) == 0;
        if (hardware->known) {
            const struct tmu_mesh mesh = {now->vertices, now->mesh_columns, now->mesh_rows};
            app_board_estimate_make(&hardware->estimate, &preset,
                                    now->mesh_columns > 0 ? &mesh : NULL);
            preset_free(&preset);
        }
    }
    if (!view->hardware.known) {
        ui_label(ui, ui_cut_top(&rect, ui_imui_row(ui)), "its file cannot be read", UI_TONE_WARNING,
                 UI_ALIGN_LEFT);
        return;
    }
    ui_label(ui, ui_cut_top(&rect, ui_imui_row(ui)),
             estimate->fits ? "fits the Milkymist One" : "does not fit the Milkymist One",
             estimate->fits ? UI_TONE_ACCENT : UI_TONE_WARNING, UI_ALIGN_LEFT);
    if (!estimate->fits) {
        (void)ui_words(ui, rect, ui_imui_row(ui), estimate->why, UI_TONE_TEXT);
        return;
    }
    fact(view, &rect, "per frame", "%.0f of %.0f words", estimate->frame_words,
         estimate->words_max);
    fact(view, &rect, "per vertex", "%.0f of %.0f words", estimate->vertex_words,
         estimate->words_max);
    fact(view, &rect, "registers", "%.0f of %.0f", estimate->registers, estimate->registers_max);
    fact(view, &rect, "coprocessor", "%.0f cycles a vertex, %.0f a frame",
         estimate->cycles_per_vertex, estimate->cycles_per_frame);
    fact(view, &rect, "memory", "%.0f Mbit/s, bus %.0f %% busy", estimate->bandwidth / 1e6,
         estimate->occupancy * 100);
    fact(view, &rect, "a board would reach",
         estimate->processor_equations ? "at most %.1f frames per second, less what equations take"
                                       : "%.1f frames per second",
         estimate->fps, 0);
    share(view, &rect, "slots filled", estimate->slots_filled);
    share(view, &rect, "texel cache hits", estimate->hits);
    share(view, &rect, "coprocessor busy", estimate->busy[0]);
    share(view, &rect, "texture mapper busy", estimate->busy[1]);
    share(view, &rect, "processor busy", estimate->busy[2]);
}

/* ---- sound ---- */

/* Row 0 is the tune that needs no device. */
static void draw_device(struct app_operator *view, struct ui_rect rect, size_t row)
{
    struct ui_imui *ui = view->ui;
    const char *name = row == 0 ? "demo" : view->devices.names[row - 1];
    const bool heard = strcmp(name, view->now->sound.name) == 0;
    struct ui_rect label = rect;
    ui_row_ground(ui, rect, heard);
    (void)ui_cut_left(&label, ui_imui_gap(ui));
    ui_label(ui, label, row == 0 ? "the built-in tune" : name,
             heard ? UI_TONE_ACCENT : UI_TONE_TEXT, UI_ALIGN_LEFT);
    if (ui_clicked(ui, rect)) {
        app_sound_choose(view->setup.sound, name);
    }
}

void app_panel_sound(struct app_operator *view, struct ui_rect rect)
{
    struct ui_imui *ui = view->ui;
    const int height = ui_imui_row(ui) * 5 / 4;
    const float *peak = view->now->sound.peak;
    static const double seconds = 3; /* between two looks at the list */
    struct app_operator_devices *devices = &view->devices;
    const double clock = base_clock_seconds();
    if (devices->asked == 0 || clock - devices->asked > seconds) {
        devices->asked = clock;
        devices->count = app_sound_devices(view->setup.sound, devices->names, APP_SOUND_DEVICES);
    }
    ui_label(ui, ui_cut_top(&rect, ui_imui_row(ui)), "what froth hears; click another one",
             UI_TONE_FAINT, UI_ALIGN_LEFT);
    for (int side = 0; side < 2; side++) {
        ui_bar(ui, ui_inset(ui_cut_top(&rect, ui_imui_row(ui)), ui_imui_gap(ui) / 2),
               (double)peak[side], (double)peak[side], ui_imui_theme(ui)->accent);
    }
    (void)ui_cut_top(&rect, ui_imui_gap(ui));
    const struct ui_rows rows =
        ui_rows_begin(ui, ui_id("devices", 0), rect, view->devices.count + 1, height, SIZE_MAX,
                      &view->devices.scroll);
    ui_clip_begin(ui, rows.rect);
    for (size_t row = rows.first; row < rows.end; row++) {
        draw_device(view, ui_rows_rect(&rows, row, height), row);
    }
    ui_clip_end(ui);
}

/* ---- keys ---- */

/* In a narrow panel what the command does stands below it. */
static void draw_command(struct app_operator *view, struct ui_rect rect, enum ui_command command,
                         bool narrow)
{
    char keys[128];
    struct ui_imui *ui = view->ui;
    if (narrow) {
        (void)ui_cut_bottom(&rect, ui_imui_gap(ui));
    }
    struct ui_rect line = narrow ? ui_cut_top(&rect, rect.height / 2) : rect;
    ui_bindings_keys(view->setup.bindings, command, keys, sizeof keys);
    ui_label(ui, app_operator_cut_names(view, &line, 9), keys, UI_TONE_ACCENT, UI_ALIGN_LEFT);
    ui_label(ui, ui_cut_left(&line, 6 * ui_imui_row(ui)), ui_command_rows[command].name,
             UI_TONE_TEXT, UI_ALIGN_LEFT);
    ui_label(ui, narrow ? rect : line, ui_command_rows[command].help, UI_TONE_FAINT, UI_ALIGN_LEFT);
}

void app_panel_keys(struct app_operator *view, struct ui_rect rect)
{
    enum { WIDE_ROWS = 25 };
    struct ui_imui *ui = view->ui;
    const bool narrow = rect.width < WIDE_ROWS * ui_imui_row(ui);
    const int line = ui_imui_row(ui) * 4 / 5;
    const int height = narrow ? 2 * line + ui_imui_gap(ui) : line;
    const struct ui_rows rows = ui_rows_begin(ui, ui_id("keys", 0), rect, UI_COMMAND_COUNT - 1,
                                              height, SIZE_MAX, &view->keys_scroll);
    ui_clip_begin(ui, rows.rect);
    for (size_t row = rows.first; row < rows.end; row++) {
        draw_command(view, ui_rows_rect(&rows, row, height), (enum ui_command)(row + 1), narrow);
    }
    ui_clip_end(ui);
}
