/* The panels of panels.def but the library, in its order: the show, and what looks into the preset
 * that runs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/operator/state.h"
#include "base/os/thread.h"
#include "presets/presets.h"

/* ---- editor ---- */

/* Enter goes to the next place of the text each time, or to the line whose number follows a colon.
 */
static void draw_find(struct app_operator *view, struct ui_rect rect)
{
    struct ui_imui *ui = view->ui;
    struct app_operator_text *text = &view->text;
    const struct ui_imui_input *input = ui_imui_input(ui);
    const uint32_t id = app_operator_find_id();
    const bool typing = ui_imui_has_keyboard(ui, id);
    (void)ui_field(ui, id, rect, text->wanted, sizeof text->wanted, "find text, or :line");
    for (size_t i = 0; i < input->key_count && typing && text->wanted[0] != '\0'; i++) {
        if (strcmp(input->keys[i], "Enter") == 0) {
            if (text->wanted[0] == ':') {
                ui_editor_go(text->editor, strtoul(text->wanted + 1, NULL, 10), 1);
            } else if (!ui_editor_find(text->editor, base_span_of(text->wanted))) {
                app_operator_say(view, BASE_NOTE, "'%s' is not in this text", text->wanted);
            }
            ui_imui_focus(ui, id);
        } else if (strcmp(input->keys[i], "Escape") == 0) {
            ui_imui_focus(ui, 0);
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

/* Whether another version of the format is meant. */
static void draw_question(struct app_operator *view, struct ui_rect rect)
{
    struct ui_imui *ui = view->ui;
    const struct app_operator_text *text = &view->text;
    const int whole = rect.width;
    char words[160];
    (void)snprintf(words, sizeof words, "Keep %d", text->version);
    const struct ui_rect keep = cut_piece(ui, &rect, whole, 5);
    if (ui_button(ui, ui_id("keep version", 0), keep, words)) {
        app_operator_change_version(view, false);
        return;
    }
    const struct ui_rect change = cut_piece(ui, &rect, whole, 5);
    if (ui_button(ui, ui_id("change version", 0), change, "Change it")) {
        app_operator_change_version(view, true);
        return;
    }
    ui_imui_fill(ui, rect, ui_imui_gap(ui) / 2, ui_imui_theme(ui)->warning, 255);
    (void)ui_cut_left(&rect, ui_imui_gap(ui));
    (void)snprintf(words, sizeof words, "Format version %d becomes %d: another picture",
                   text->version, text->asked_version);
    ui_label(ui, rect, words, UI_TONE_DARK, UI_ALIGN_LEFT);
}

void app_panel_editor(struct app_operator *view, struct ui_rect rect)
{
    struct ui_imui *ui = view->ui;
    struct ui_rect bar = ui_cut_bottom(&rect, ui_imui_row(ui));
    const int whole = bar.width;
    if (ui_button(ui, ui_id("save", 0), cut_piece(ui, &bar, whole, 6), "Save as new")) {
        app_operator_save(view, "");
    }
    /* A file is written over only at the second press. */
    struct app_operator_text *text = &view->text;
    const struct ui_rect overwrite = cut_piece(ui, &bar, whole, 5);
    if (!app_operator_text_changed(view)) {
        text->overwrites = false;
    } else if (ui_button(ui, ui_id("overwrite", 0), overwrite,
                         text->overwrites ? "Sure?" : "Overwrite")) {
        if (text->overwrites) {
            app_operator_overwrite(view);
        }
        text->overwrites = !text->overwrites;
    }
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
    if (view->text.asked_version != 0) {
        draw_question(view, ui_cut_top(&rect, ui_imui_row(ui) * 5 / 4));
        (void)ui_cut_top(&rect, ui_imui_gap(ui));
    }
    (void)ui_editor_draw(ui, app_operator_editor_id(), rect, view->text.editor);
}

/* ---- what the show does by itself ---- */

struct control {
    const char *label;
    const char *command;
    double value;
    double low;
    double high;
    const char *none; /* what 0 means; NULL: just that */
};

static void draw_control(struct app_operator *view, struct ui_rect *rect,
                         const struct control *control)
{
    enum { NAME_ROWS = 11, NONE_ROWS = 5 };
    struct ui_imui *ui = view->ui;
    struct ui_rect row = ui_cut_top(rect, ui_imui_row(ui) * 5 / 4);
    (void)ui_cut_top(rect, ui_imui_gap(ui) / 2);
    ui_label(ui, app_operator_cut_names(view, &row, NAME_ROWS), control->label, UI_TONE_TEXT,
             UI_ALIGN_LEFT);
    const int width = NONE_ROWS * ui_imui_row(ui);
    struct ui_rect none = ui_cut_right(&row, width < row.width / 3 ? width : row.width / 3);
    (void)ui_cut_left(&none, ui_imui_gap(ui));
    if (control->none != NULL && control->value <= 0) {
        ui_label(ui, none, control->none, UI_TONE_FAINT, UI_ALIGN_LEFT);
    }
    double value = control->value;
    if (ui_slider(ui, ui_id(control->command, 2), ui_inset(row, 2), &value, control->low,
                  control->high)) {
        /* Whole seconds and beats; a tenth of what is small. */
        const double steps = control->high > 16 ? 1 : 10;
        app_operator_order(view, "%s %.9g", control->command, round(value * steps) / steps);
    }
}

static const char runs[] = "\xE2\x96\xB6 ";

static void draw_transitions(struct app_operator *view, struct ui_rect *rect,
                             const struct engine_changes *changes)
{
    struct ui_imui *ui = view->ui;
    ui_label(ui, ui_cut_top(rect, ui_imui_row(ui) * 5 / 4), "transition", UI_TONE_TEXT,
             UI_ALIGN_LEFT);
    struct ui_rect row = ui_cut_top(rect, ui_imui_row(ui));
    for (int i = -2; i < REND_TRANSITIONS; i++) {
        char text[64];
        const char *name = i == -2   ? "random"
                           : i == -1 ? "cut"
                                     : rend_transition_name((enum rend_transition)i);
        const bool chosen =
            i == -2   ? changes->random
            : i == -1 ? changes->cut
                      : !changes->random && !changes->cut && (int)changes->transition == i;
        (void)snprintf(text, sizeof text, "%s%s", chosen ? runs : "", name);
        if (app_operator_text_button(view, rect, &row, ui_id("transition", (uint32_t)(i + 2)),
                                     text)) {
            app_operator_order(view, "transition %s", name);
        }
    }
    (void)ui_cut_top(rect, ui_imui_gap(ui));
}

static void draw_clocks(struct app_operator *view, struct ui_rect *rect)
{
    struct ui_imui *ui = view->ui;
    const struct app_snapshot *now = view->now;
    ui_label(ui, ui_cut_top(rect, ui_imui_row(ui) * 5 / 4), "who drives the beat", UI_TONE_TEXT,
             UI_ALIGN_LEFT);
    struct ui_rect row = ui_cut_top(rect, ui_imui_row(ui));
    for (unsigned i = 0; i <= ENGINE_TEMPO_SOURCES; i++) {
        const enum engine_tempo_source source = i > 0 ? i - 1 : ENGINE_TEMPO_SOURCES;
        char text[64];
        if (source == ENGINE_TEMPO_HOST) {
            continue;
        }
        (void)snprintf(text, sizeof text, "%s%s", source == now->clock_wanted ? runs : "",
                       engine_tempo_name(source));
        if (app_operator_text_button(view, rect, &row, ui_id("clock", i), text)) {
            app_operator_order(view, "clock %s", engine_tempo_name(source));
        }
    }
    (void)ui_cut_top(rect, ui_imui_gap(ui));
}

void app_panel_show(struct app_operator *view, struct ui_rect rect)
{
    struct ui_imui *ui = view->ui;
    const struct app_snapshot *now = view->now;
    const struct engine_changes changes = engine_loader_changes(view->setup.loader);
    const struct control controls[] = {
        {"a preset stays, seconds", "advance", now->advance, 1, 180, NULL},
        {"more or less by chance", "vary", now->vary, 0, 60, "always the same"},
        {"a transition takes, seconds", "blend", changes.seconds, 0, 10, "cuts"},
        {"cut on each Nth beat", "cut-on-beat", now->cut_on_beat, 0, 64, "never"},
        {"cut where it is loud", "cut-on-loud", now->cut_on_loud, 0, 4, "never"},
        {"changes wait for each Nth beat", "wait-beats", now->wait_beats, 0, 32, "at once"},
        {"the beat comes later, ms", "nudge", now->nudge, -200, 200, NULL},
    };
    for (size_t i = 0; i < sizeof controls / sizeof *controls; i++) {
        draw_control(view, &rect, &controls[i]);
    }
    const struct {
        const char *label;
        const char *command;
        bool on;
    } toggles[] = {
        {"by chance, by your stars; else in order", "random", now->random},
        {"hard cuts also when the time is over", "hard", now->hard},
        {"stay with this preset", "lock", now->locked},
    };
    for (size_t i = 0; i < sizeof toggles / sizeof *toggles; i++) {
        bool on = toggles[i].on;
        if (ui_toggle(ui, ui_id(toggles[i].command, 3), ui_cut_top(&rect, ui_imui_row(ui)),
                      toggles[i].label, &on)) {
            app_operator_order(view, "%s %s", toggles[i].command, on ? "on" : "off");
        }
        (void)ui_cut_top(&rect, ui_imui_gap(ui) / 2);
    }
    draw_transitions(view, &rect, &changes);
    draw_clocks(view, &rect);
}

/* ---- values ---- */

static void draw_value(struct app_operator *view, struct ui_rect rect, size_t key)
{
    struct ui_imui *ui = view->ui;
    const struct preset_key *row = &preset_keys[key];
    double value = view->now->shown.values[key];
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
    size_t shown[PRESET_KEY_ROWS];
    size_t count = 0;
    for (size_t key = 0; key < PRESET_KEY_ROWS; key++) {
        if (preset_keys[key].group == PRESET_GROUP_PRESET) {
            shown[count++] = key;
        }
    }
    const struct ui_rows rows =
        ui_rows_begin(ui, ui_id("values", 0), rect, count, height, SIZE_MAX, &view->values_scroll);
    ui_clip_begin(ui, rows.rect);
    for (size_t row = rows.first; row < rows.end; row++) {
        draw_value(view, ui_rows_rect(&rows, row, height), shown[row]);
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

static const double hardware_seconds = 1; /* between two looks at the estimate */

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
        const bool other = strcmp(hardware->path, now->path) != 0;
        hardware->asked = clock;
        (void)snprintf(hardware->path, sizeof hardware->path, "%s", now->path);
        hardware->known = preset_read_file(&preset, now->path, NULL) == 0;
        if (hardware->known) {
            const struct tmu_mesh mesh = {now->vertices, now->mesh_columns, now->mesh_rows};
            app_board_estimate_make(&hardware->estimate, &preset,
                                    now->mesh_columns > 0 ? &mesh : NULL);
            if (other) {
                app_board_look_free(hardware->look);
                hardware->look = app_board_look_create(&preset);
                hardware->seen = APP_BOARD_UNSURE;
            }
            preset_free(&preset);
        }
    }
    if (hardware->look != NULL) {
        hardware->seen = app_board_look_step(hardware->look);
        if (hardware->seen != APP_BOARD_UNSURE) {
            app_board_look_free(hardware->look);
            hardware->look = NULL;
        }
    }
    if (!view->hardware.known) {
        ui_label(ui, ui_cut_top(&rect, ui_imui_row(ui)), "its file cannot be read", UI_TONE_WARNING,
                 UI_ALIGN_LEFT);
        return;
    }
    const bool black = estimate->fits && hardware->seen == APP_BOARD_BLACK;
    ui_label(ui, ui_cut_top(&rect, ui_imui_row(ui)),
             !estimate->fits    ? "does not fit the Milkymist One"
             : black            ? "is black on the Milkymist One"
             : !estimate->whole ? "loses something on the Milkymist One"
                                : "fits the Milkymist One",
             estimate->whole && !black ? UI_TONE_ACCENT : UI_TONE_WARNING, UI_ALIGN_LEFT);
    if (estimate->fits && !estimate->whole) {
        (void)ui_cut_top(&rect, ui_words(ui, rect, ui_imui_row(ui), estimate->why, UI_TONE_TEXT));
    }
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
    const struct ui_rows rows = ui_rows_begin(ui, ui_id("devices", 0), rect, devices->count + 1,
                                              height, SIZE_MAX, &devices->scroll);
    ui_clip_begin(ui, rows.rect);
    for (size_t row = rows.first; row < rows.end; row++) {
        /* Row 0 is the tune that needs no device. */
        const struct ui_rect place = ui_rows_rect(&rows, row, height);
        const char *name = row == 0 ? "demo" : devices->names[row - 1];
        const bool heard = strcmp(name, view->now->sound.name) == 0;
        struct ui_rect label = place;
        ui_row_ground(ui, place, heard);
        (void)ui_cut_left(&label, ui_imui_gap(ui));
        ui_label(ui, label, row == 0 ? "the built-in tune" : name,
                 heard ? UI_TONE_ACCENT : UI_TONE_TEXT, UI_ALIGN_LEFT);
        if (ui_clicked(ui, place)) {
            app_sound_choose(view->setup.sound, name);
        }
    }
    ui_clip_end(ui);
}

/* ---- control ---- */

/* A source in two lines: its name with what it says of itself, and what has come. */
static void draw_source(struct app_operator *view, struct ui_rect place, enum app_source source)
{
    struct ui_imui *ui = view->ui;
    struct app_inlet_state state;
    char text[200];
    app_door_state(view->setup.door, source, &state);
    const struct app_inlet_counts *counts = &state.counts;
    struct ui_rect first = ui_cut_top(&place, place.height / 2);
    ui_label(ui, app_operator_cut_names(view, &first, 3), app_source_rows[source].name,
             state.runs ? UI_TONE_ACCENT : UI_TONE_FAINT, UI_ALIGN_LEFT);
    (void)snprintf(text, sizeof text, "%s%s",
                   state.text[0] != '\0' ? state.text : app_source_rows[source].help,
                   view->now->over_picture ? "" : state.whisper);
    ui_label(ui, first, text, UI_TONE_TEXT, UI_ALIGN_LEFT);
    (void)app_operator_cut_names(view, &place, 3);
    (void)snprintf(text, sizeof text, "commands %llu, values %llu",
                   (unsigned long long)counts->calls, (unsigned long long)counts->values);
    ui_label(ui, ui_cut_left(&place, place.width * 2 / 5), text, UI_TONE_FAINT, UI_ALIGN_LEFT);
    (void)snprintf(text, sizeof text, "dropped %llu, replaced %llu, refused %llu",
                   (unsigned long long)counts->dropped, (unsigned long long)counts->replaced,
                   (unsigned long long)counts->refused);
    ui_label(ui, place, text,
             counts->dropped + counts->refused > 0 ? UI_TONE_WARNING : UI_TONE_FAINT,
             UI_ALIGN_LEFT);
}

void app_panel_control(struct app_operator *view, struct ui_rect rect)
{
    struct ui_imui *ui = view->ui;
    const int height = 2 * (ui_imui_row(ui) * 4 / 5) + ui_imui_gap(ui);
    ui_label(ui, ui_cut_top(&rect, ui_imui_row(ui)), "what gives commands and values to the show",
             UI_TONE_FAINT, UI_ALIGN_LEFT);
    (void)ui_cut_top(&rect, ui_imui_gap(ui));
    const size_t count = view->setup.door != NULL ? APP_SOURCE_COUNT : 0;
    const struct ui_rows rows = ui_rows_begin(ui, ui_id("control", 0), rect, count, height,
                                              SIZE_MAX, &view->control_scroll);
    ui_clip_begin(ui, rows.rect);
    for (size_t row = rows.first; row < rows.end; row++) {
        struct ui_rect place = ui_rows_rect(&rows, row, height);
        (void)ui_cut_bottom(&place, ui_imui_gap(ui));
        draw_source(view, place, (enum app_source)row);
    }
    ui_clip_end(ui);
}

/* ---- MIDI ---- */

static void draw_midi_devices(struct app_operator *view, struct ui_rect *rect,
                              const struct app_midi_status *status)
{
    struct ui_imui *ui = view->ui;
    char text[200];
    /* Those that are there come first. */
    if (status->device_count == 0 || (!status->sequencer && !status->devices[0].there)) {
        ui_label(ui, ui_cut_top(rect, ui_imui_row(ui)),
                 status->sequencer
                     ? "no device is there: plug one in"
                     : "no sequencer was found, so that only paths of --midi are heard",
                 UI_TONE_FAINT, UI_ALIGN_LEFT);
    }
    for (size_t i = 0; i < status->device_count; i++) {
        struct ui_rect line = ui_cut_top(rect, ui_imui_row(ui));
        const bool there = status->devices[i].there;
        ui_label(ui, ui_cut_left(&line, line.width / 2), status->devices[i].name,
                 there ? UI_TONE_ACCENT : UI_TONE_FAINT, UI_ALIGN_LEFT);
        (void)snprintf(text, sizeof text, "messages %llu%s",
                       (unsigned long long)status->devices[i].messages,
                       status->devices[i].mapped ? "" : ", no map");
        ui_label(ui, line, there ? text : "is not there", there ? UI_TONE_FAINT : UI_TONE_WARNING,
                 UI_ALIGN_LEFT);
    }
    (void)ui_cut_top(rect, ui_imui_gap(ui));
}

/* What was learnt, each with a button that takes it back. */
static void draw_learnt(struct app_operator *view, struct ui_rect rect,
                        const struct app_midi_status *status)
{
    struct ui_imui *ui = view->ui;
    const int height = ui_imui_row(ui);
    const struct ui_rows rows = ui_rows_begin(ui, ui_id("learnt", 0), rect, status->learnt_count,
                                              height, SIZE_MAX, &view->learnt_scroll);
    ui_clip_begin(ui, rows.rect);
    for (size_t row = rows.first; row < rows.end; row++) {
        struct ui_rect place = ui_rows_rect(&rows, row, height);
        if (app_operator_text_button(view, NULL, &place, ui_id("forget", (uint32_t)row),
                                     "Forget")) {
            app_operator_order(view, "forget =%zu", row + 1);
        }
        ui_label(ui, place, status->learnt[row], UI_TONE_TEXT, UI_ALIGN_LEFT);
    }
    ui_clip_end(ui);
}

void app_panel_midi(struct app_operator *view, struct ui_rect rect)
{
    struct ui_imui *ui = view->ui;
    struct app_midi_status status;
    if (view->setup.midi == NULL) {
        ui_label(ui, ui_cut_top(&rect, ui_imui_row(ui)), "MIDI is off: --midi off", UI_TONE_FAINT,
                 UI_ALIGN_LEFT);
        return;
    }
    app_midi_status(view->setup.midi, &status);
    draw_midi_devices(view, &rect, &status);
    ui_label(ui, ui_cut_top(&rect, ui_imui_row(ui)), status.heard, UI_TONE_TEXT, UI_ALIGN_LEFT);
    (void)ui_cut_top(&rect, ui_imui_gap(ui));
    struct ui_rect bar = ui_cut_top(&rect, ui_imui_row(ui));
    if (app_operator_text_button(view, &rect, &bar, ui_id("learn", 0),
                                 status.learns ? "Stop" : "Learn")) {
        app_operator_order(view, "learn %s", status.learns ? "off" : "on");
    }
    (void)ui_cut_left(&bar, ui_imui_gap(ui));
    ui_label(ui, bar,
             status.learns ? status.learning : "move a control, then touch what it is to move",
             status.learns ? UI_TONE_WARNING : UI_TONE_FAINT, UI_ALIGN_LEFT);
    (void)ui_cut_top(&rect, ui_imui_gap(ui));
    draw_learnt(view, rect, &status);
}

/* ---- keys ---- */

/* What the keys for it show on the picture where there is no view, and buttons that draw it there
 * nonetheless. */
static void draw_answers(struct app_operator *view, struct ui_rect *rect)
{
    enum { ANSWERS = 3 };
    const struct app_snapshot *now = view->now;
    struct ui_imui *ui = view->ui;
    const int row = ui_imui_row(ui);
    char text[ANSWERS][320];
    const double *level = now->heard.level;
    (void)snprintf(text[0], sizeof text[0], "%s", now->name);
    (void)snprintf(text[1], sizeof text[1], "bass %.1f  mid %.1f  treb %.1f  %.0f bpm", level[0],
                   level[1], level[2], now->heard.bpm);
    (void)snprintf(text[2], sizeof text[2], "%.1f frames per second", now->fps);
    const struct {
        enum ui_command command;
        const char *on;
        const char *off;
        bool drawn;
    } rows[ANSWERS] = {{UI_COMMAND_NAME, "name always", "name never", now->names_drawn},
                       {UI_COMMAND_METER, "meter on", "meter off", now->meter_drawn},
                       {UI_COMMAND_FPS, "fps on", "fps off", now->fps_drawn}};
    for (size_t i = 0; i < ANSWERS; i++) {
        struct ui_rect line = ui_cut_top(rect, row);
        char keys[64];
        bool drawn = rows[i].drawn;
        ui_bindings_keys(view->setup.bindings, rows[i].command, keys, sizeof keys);
        ui_label(ui, ui_cut_left(&line, 2 * row), keys, UI_TONE_ACCENT, UI_ALIGN_LEFT);
        const struct ui_rect toggle = ui_cut_right(&line, 7 * row);
        ui_label(ui, line, text[i], UI_TONE_TEXT, UI_ALIGN_LEFT);
        if (ui_toggle(ui, ui_id(rows[i].on, 0), toggle, "on the picture", &drawn)) {
            app_operator_order(view, "%s", drawn ? rows[i].on : rows[i].off);
        }
    }
    (void)ui_cut_top(rect, ui_imui_gap(ui));
}

void app_panel_keys(struct app_operator *view, struct ui_rect rect)
{
    draw_answers(view, &rect);
    enum { WIDE_ROWS = 25 };
    struct ui_imui *ui = view->ui;
    const bool narrow = rect.width < WIDE_ROWS * ui_imui_row(ui);
    const int line = ui_imui_row(ui) * 4 / 5;
    const int height = narrow ? 2 * line + ui_imui_gap(ui) : line;
    const struct ui_rows rows = ui_rows_begin(ui, ui_id("keys", 0), rect, UI_COMMAND_COUNT - 1,
                                              height, SIZE_MAX, &view->keys_scroll);
    ui_clip_begin(ui, rows.rect);
    for (size_t row = rows.first; row < rows.end; row++) {
        char keys[128];
        const enum ui_command command = (enum ui_command)(row + 1);
        struct ui_rect place = ui_rows_rect(&rows, row, height);
        if (narrow) {
            (void)ui_cut_bottom(&place, ui_imui_gap(ui));
        }
        /* In a narrow panel what the command does stands below it. */
        struct ui_rect names = narrow ? ui_cut_top(&place, place.height / 2) : place;
        ui_bindings_keys(view->setup.bindings, command, keys, sizeof keys);
        ui_label(ui, app_operator_cut_names(view, &names, 9), keys, UI_TONE_ACCENT, UI_ALIGN_LEFT);
        ui_label(ui, ui_cut_left(&names, 6 * ui_imui_row(ui)), ui_command_rows[command].name,
                 UI_TONE_TEXT, UI_ALIGN_LEFT);
        ui_label(ui, narrow ? place : names, ui_command_rows[command].help, UI_TONE_FAINT,
                 UI_ALIGN_LEFT);
    }
    ui_clip_end(ui);
}
