#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/play/player.h"
#include "base/os/thread.h"
#include "presets/file.h"

/* ---- where commands come from ---- */

static const struct app_control *const rows[] = {
#define APP_CONTROL(name) &app_control_##name,
#include "app/play/controls.def"
};

enum { ROWS = sizeof rows / sizeof *rows };

struct app_controls {
    void *states[ROWS]; /* NULL: not asked for */
};

static int report_memory(const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "not enough memory");
    return -1;
}

struct app_controls *app_controls_open(const struct app_options *options,
                                       const struct base_diag_sink *sink)
{
    struct app_controls *controls = calloc(1, sizeof *controls);
    if (controls == NULL) {
        (void)report_memory(sink);
        return NULL;
    }
    for (int i = 0; i < ROWS; i++) {
        if (rows[i]->open(&controls->states[i], options, sink) != 0) {
            app_controls_close(controls);
            return NULL;
        }
    }
    return controls;
}

bool app_controls_poll(struct app_controls *controls, bool shown, struct ui_call *call)
{
    for (int i = 0; controls != NULL && i < ROWS; i++) {
        if (controls->states[i] != NULL && rows[i]->poll(controls->states[i], shown, call)) {
            return true;
        }
    }
    return false;
}

void app_controls_close(struct app_controls *controls)
{
    for (int i = ROWS - 1; controls != NULL && i >= 0; i--) {
        if (controls->states[i] != NULL) {
            rows[i]->close(controls->states[i]);
        }
    }
    free(controls);
}

/* Ctrl-C, or a terminal that is closed, ends the show as the command quit does: nothing of the
 * operator's is lost. */
struct signals {
    struct base_stop stop;
    bool told;
};

static int open_signals(void **state, const struct app_options *options,
                        const struct base_diag_sink *sink)
{
    (void)options;
    struct signals *signals = calloc(1, sizeof *signals);
    if (signals == NULL) {
        return report_memory(sink);
    }
    base_stop_begin(&signals->stop);
    *state = signals;
    return 0;
}

static bool poll_signals(void *state, bool shown, struct ui_call *call)
{
    (void)shown;
    struct signals *signals = state;
    if (signals->told || !base_stop_wanted()) {
        return false;
    }
    signals->told = true;
    *call = (struct ui_call){.command = UI_COMMAND_QUIT};
    return true;
}

static void close_signals(void *state)
{
    const struct signals *signals = state;
    base_stop_end(&signals->stop);
    free(state);
}

const struct app_control app_control_signals = {open_signals, poll_signals, close_signals};

/* --do: in their order, so that what needs a preset lets the others wait with it. */
struct first_commands {
    struct ui_call calls[APP_LIST_MAX];
    size_t count;
    size_t given;
};

static int open_first(void **state, const struct app_options *options,
                      const struct base_diag_sink *sink)
{
    const struct app_list *words = &options->first_commands;
    struct first_commands *first = words->count > 0 ? calloc(1, sizeof *first) : NULL;
    if (words->count > 0 && first == NULL) {
        return report_memory(sink);
    }
    for (size_t i = 0; i < words->count; i++) {
        if (ui_call_parse(&first->calls[first->count], base_span_of(words->items[i]),
                          (struct base_place){0}, sink) == 0) {
            first->count++;
        }
    }
    *state = first;
    return 0;
}

static bool poll_first(void *state, bool shown, struct ui_call *call)
{
    struct first_commands *first = state;
    if (first->given == first->count ||
        (!shown && ui_command_rows[first->calls[first->given].command].of_preset)) {
        return false;
    }
    *call = first->calls[first->given++];
    return true;
}

const struct app_control app_control_first_commands = {open_first, poll_first, free};

/* ---- changes of the running preset ---- */

void app_tweaks_forget(struct app_tweaks *tweaks)
{
    tweaks->done = 0;
    tweaks->count = 0;
    memset(tweaks->forgotten, 0, sizeof tweaks->forgotten);
}

static bool change(struct app_tweaks *tweaks, struct rend_show *show, struct app_tweak tweak)
{
    if (!rend_show_set_value(show, tweak.key, tweak.after)) {
        return false;
    }
    tweak.after = rend_value(rend_show_front(show), tweak.key);
    if (tweak.after != tweak.before) {
        struct app_tweak *last = tweaks->done > 0 ? &tweaks->items[tweaks->done - 1] : NULL;
        if (last != NULL && last->by_set && tweak.by_set && last->key == tweak.key) {
            last->after = tweak.after;
        } else {
            if (tweaks->done == APP_TWEAKS_DEPTH) {
                tweaks->forgotten[tweaks->items[0].key] = true;
                memmove(tweaks->items, tweaks->items + 1,
                        (APP_TWEAKS_DEPTH - 1) * sizeof *tweaks->items);
                tweaks->done--;
            }
            tweaks->items[tweaks->done++] = tweak;
        }
        tweaks->count = tweaks->done;
    }
    return true;
}

bool app_tweaks_adjust(struct app_tweaks *tweaks, struct rend_show *show, enum ui_command command,
                       double steps)
{
    const struct ui_adjust_row *row = ui_adjust_of(command);
    const struct rend *front = rend_show_front(show);
    const struct preset_key *key = row == NULL ? NULL : preset_key_find(base_span_of(row->key));
    if (key == NULL || front == NULL) {
        return false;
    }
    struct app_tweak tweak = {.key = (size_t)(key - preset_keys)};
    tweak.before = rend_value(front, tweak.key);
    tweak.after = ui_adjust_value(row, tweak.before, steps);
    return change(tweaks, show, tweak);
}

bool app_tweaks_set(struct app_tweaks *tweaks, struct rend_show *show, const char *text)
{
    const struct rend *front = rend_show_front(show);
    const char *blank = strchr(text, ' ');
    if (blank == NULL || front == NULL) {
        return false;
    }
    char *end = NULL;
    const double value = strtod(blank, &end);
    const struct preset_key *key =
        preset_key_find((struct base_span){text, (size_t)(blank - text)});
    if (key == NULL || end == blank || *end != '\0' || !isfinite(value)) {
        return false;
    }
    struct app_tweak tweak = {.key = (size_t)(key - preset_keys), .after = value, .by_set = true};
    tweak.before = rend_value(front, tweak.key);
    return change(tweaks, show, tweak);
}

bool app_tweaks_undo(struct app_tweaks *tweaks, struct rend_show *show)
{
    if (tweaks->done == 0) {
        return false;
    }
    const struct app_tweak *tweak = &tweaks->items[--tweaks->done];
    return rend_show_set_value(show, tweak->key, tweak->before);
}

bool app_tweaks_redo(struct app_tweaks *tweaks, struct rend_show *show)
{
    if (tweaks->done == tweaks->count) {
        return false;
    }
    const struct app_tweak *tweak = &tweaks->items[tweaks->done++];
    return rend_show_set_value(show, tweak->key, tweak->after);
}

void app_tweaks_changed(const struct app_tweaks *tweaks, bool changed[static PRESET_KEY_ROWS])
{
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        changed[i] = tweaks->forgotten[i];
    }
    for (size_t i = 0; i < tweaks->done; i++) {
        changed[tweaks->items[i].key] = true;
    }
}

void app_tweaks_again(const struct app_tweaks *tweaks, struct rend_show *show)
{
    for (size_t i = 0; i < tweaks->done; i++) {
        (void)rend_show_set_newest(show, tweaks->items[i].key, tweaks->items[i].after);
    }
}

/* ---- what each command does ---- */

static void say(struct app_player *player, enum app_note note)
{
    app_operator_note(player->operator_view, note, APP_LIBRARY_NONE, 0, 0);
}

void app_player_step(struct app_player *player, int steps, enum app_loader_change change)
{
    app_auto_shown(&player->vj, player->now, -1);
    app_loader_step(player->loader, steps, change);
}

static void player_next(struct app_player *player, const struct ui_call *call)
{
    app_player_step(player, (int)call->number, APP_CHANGE_SOFT);
}

static void player_cut(struct app_player *player, const struct ui_call *call)
{
    app_player_step(player, (int)call->number, APP_CHANGE_HARD);
}

static void player_previous(struct app_player *player, const struct ui_call *call)
{
    app_player_step(player, -(int)call->number, APP_CHANGE_SOFT);
}

static void player_random(struct app_player *player, const struct ui_call *call)
{
    struct ui_call to = *call;
    player->random = ui_switch_of(call->to, player->random);
    to.to = player->random ? UI_SWITCH_ON : UI_SWITCH_OFF;
    app_operator_do(player->operator_view, &to);
    say(player, player->random ? APP_NOTE_ORDER_RANDOM : APP_NOTE_ORDER_LISTED);
}

static void player_lock(struct app_player *player, const struct ui_call *call)
{
    const bool locked = ui_switch_of(call->to, player->locked);
    if (locked == player->locked) {
        return;
    }
    player->locked = locked;
    app_auto_shown(&player->vj, player->now, -1);
    say(player, player->locked ? APP_NOTE_LOCKED : APP_NOTE_NOT_LOCKED);
}

static void player_advance(struct app_player *player, const struct ui_call *call)
{
    if (call->number > 0) {
        player->vj.advance = call->number;
        player->vj.vary = fmin(player->vj.vary, 0.9 * player->vj.advance);
        app_auto_shown(&player->vj, player->now, -1);
    }
}

static void player_vary(struct app_player *player, const struct ui_call *call)
{
    player->vj.vary = fmin(fmax(call->number, 0), 0.9 * player->vj.advance);
    app_auto_shown(&player->vj, player->now, -1);
}

static void player_hard(struct app_player *player, const struct ui_call *call)
{
    player->vj.hard = ui_switch_of(call->to, player->vj.hard);
}

static void player_cut_on_beat(struct app_player *player, const struct ui_call *call)
{
    player->vj.beats = (unsigned)fmin(fmax(call->number, 0), UI_CALL_NUMBER_MAX);
    player->vj.heard = 0;
}

static void player_cut_on_loud(struct app_player *player, const struct ui_call *call)
{
    player->cut_on_loud = fmax(call->number, 0);
    player->is_loud = false;
    rend_loud_start(&player->loud, player->cut_on_loud > 0 ? player->cut_on_loud : 1);
}

static void player_blackout(struct app_player *player, const struct ui_call *call)
{
    player->blackout = ui_switch_of(call->to, player->blackout);
    say(player, player->blackout ? APP_NOTE_BLACKOUT : APP_NOTE_NO_BLACKOUT);
}

static void player_freeze(struct app_player *player, const struct ui_call *call)
{
    player->frozen = ui_switch_of(call->to, player->frozen);
    player->steps_asked = 0;
    say(player, player->frozen ? APP_NOTE_FROZEN : APP_NOTE_NOT_FROZEN);
}

static void player_step(struct app_player *player, const struct ui_call *call)
{
    if (!player->frozen) {
        player->frozen = true;
        say(player, APP_NOTE_FROZEN);
    }
    const double asked = player->steps_asked + fmax(call->number, 0);
    player->steps_asked = (unsigned)fmin(asked, UI_CALL_NUMBER_MAX);
}

static void player_fullscreen(struct app_player *player, const struct ui_call *call)
{
    ui_window_set_fullscreen(player->window,
                             ui_switch_of(call->to, ui_window_is_fullscreen(player->window)));
}

static void player_monitor(struct app_player *player, const struct ui_call *call)
{
    const char *wish =
        call->text + (call->text[0] == '='); /* as in the numbers of other commands */
    if (!ui_window_set_monitor(player->window, wish)) {
        app_operator_note_of(player->operator_view, APP_NOTE_NO_MONITOR, wish);
    }
}

static void player_screenshot(struct app_player *player, const struct ui_call *call)
{
    (void)call;
    app_operator_screenshot(player->operator_view, &player->picture);
}

/* Where there is an operator's view, a key draws nothing on the picture: what it asks for is in the
 * view's tab of keys. A key takes away what is drawn; a word draws it. */
static bool is_for_view(struct app_player *player, bool told, bool drawn)
{
    static const struct ui_call keys = {.command = UI_COMMAND_PANEL, .text = "keys"};
    if (player->view == APP_VIEW_OFF || told || drawn) {
        return false;
    }
    app_operator_do(player->operator_view, &keys);
    return true;
}

static void player_help(struct app_player *player, const struct ui_call *call)
{
    if (!is_for_view(player, call->to != UI_SWITCH_OTHER, player->help_shown)) {
        player->help_shown = ui_switch_of(call->to, player->help_shown);
        ui_overlay_set_help(player->overlay, player->help_shown);
    }
}

static void player_name(struct app_player *player, const struct ui_call *call)
{
    static const struct {
        const char *word;
        enum app_note note;
    } ways[UI_NAMES_COUNT] = {
        [UI_NAMES_NEVER] = {"never", APP_NOTE_NAME_NEVER},
        [UI_NAMES_AT_FIRST] = {"first", APP_NOTE_NAME_AT_FIRST},
        [UI_NAMES_ALWAYS] = {"always", APP_NOTE_NAME_ALWAYS},
    };
    const bool told = call->text[0] != '\0';
    enum ui_overlay_names names =
        player->view == APP_VIEW_OFF ? (player->names + 1) % UI_NAMES_COUNT : UI_NAMES_NEVER;
    if (is_for_view(player, told, player->names != UI_NAMES_NEVER)) {
        return;
    }
    if (told) {
        names = UI_NAMES_NEVER;
        while (names < UI_NAMES_COUNT && strcmp(ways[names].word, call->text) != 0) {
            names++;
        }
        if (names == UI_NAMES_COUNT) {
            app_operator_note_of(player->operator_view, APP_NOTE_NO_NAMES, call->text);
            return;
        }
    }
    player->names = names;
    ui_overlay_set_names(player->overlay, names);
    ui_overlay_show_name(player->overlay, player->now);
    say(player, ways[names].note);
}

static void player_fps(struct app_player *player, const struct ui_call *call)
{
    if (!is_for_view(player, call->to != UI_SWITCH_OTHER, player->fps_shown)) {
        player->fps_shown = ui_switch_of(call->to, player->fps_shown);
        ui_overlay_set_fps(player->overlay, player->fps_shown ? player->fps : -1);
    }
}

static void player_meter(struct app_player *player, const struct ui_call *call)
{
    if (!is_for_view(player, call->to != UI_SWITCH_OTHER, player->meter_shown)) {
        player->meter_shown = ui_switch_of(call->to, player->meter_shown);
        if (!player->meter_shown) {
            ui_overlay_set_meter(player->overlay, NULL);
        }
    }
}

static void player_set(struct app_player *player, const struct ui_call *call)
{
    if (!app_tweaks_set(&player->tweaks, player->show, call->text)) {
        say(player, APP_NOTE_NOT_CHANGED);
    }
}

static void player_adjust(struct app_player *player, const struct ui_call *call)
{
    if (!app_tweaks_adjust(&player->tweaks, player->show, call->command, call->number)) {
        say(player, APP_NOTE_NOT_CHANGED);
    }
}

static void player_undo(struct app_player *player, const struct ui_call *call)
{
    (void)call;
    if (!app_tweaks_undo(&player->tweaks, player->show)) {
        say(player, APP_NOTE_NOTHING_TO_UNDO);
    }
}

static void player_redo(struct app_player *player, const struct ui_call *call)
{
    (void)call;
    if (!app_tweaks_redo(&player->tweaks, player->show)) {
        say(player, APP_NOTE_NOTHING_TO_REDO);
    }
}

static void player_operator(struct app_player *player, const struct ui_call *call)
{
    const bool on = ui_switch_of(call->to, player->view != APP_VIEW_OFF);
    if (on != (player->view != APP_VIEW_OFF)) {
        const bool room = ui_window_monitors(player->window) > 1;
        app_player_set_view(player, !on ? APP_VIEW_OFF : room ? APP_VIEW_WINDOW : APP_VIEW_OVERLAY);
    }
}

/* Each step is a pixel of the text at least, and begins at the size that is seen. */
static void player_ui_scale(struct app_player *player, const struct ui_call *call)
{
    static const double percent = 100;
    const struct ui_window_pixels seen = app_player_view_pixels(player);
    const int from = seen.width > 0          ? app_operator_text_size(&seen)
                     : player->view_text > 0 ? player->view_text
                                             : UI_WINDOW_TEXT;
    const double change = UI_WINDOW_TEXT * call->number / percent;
    const double step = fabs(change) < 1 ? copysign(1, change) : round(change);
    if (call->absolute && call->number <= 0) {
        player->view_text = 0;
        say(player, APP_NOTE_UI_SCALE_AUTOMATIC);
        return;
    }
    const double wanted = call->absolute ? round(change) : from + step;
    struct ui_window_pixels then = seen;
    then.text = (int)fmax(UI_WINDOW_TEXT / 2.0, fmin(wanted, 4 * UI_WINDOW_TEXT));
    const int text = seen.width > 0 ? app_operator_text_size(&then) : then.text;
    const bool moves = step > 0 ? text > from : text < from;
    if (call->absolute || moves) { /* not beyond what the view can hold */
        player->view_text = then.text;
    }
    app_operator_note(player->operator_view, APP_NOTE_UI_SCALE, APP_LIBRARY_NONE,
                      round(percent * (call->absolute || moves ? text : from) / UI_WINDOW_TEXT), 0);
}

/* Shows the operator's view, then hands over a command for a part of it. */
static void show_view(struct app_player *player, const struct ui_call *call)
{
    static const struct ui_call on = {.command = UI_COMMAND_OPERATOR, .to = UI_SWITCH_ON};
    player_operator(player, &on);
    app_operator_do(player->operator_view, call);
}

/* Leaves one thing after the other; with an operator's window the show's full screen is none of
 * them. */
static void player_leave(struct app_player *player, const struct ui_call *call)
{
    (void)call;
    if (player->help_shown) {
        player->help_shown = false;
        ui_overlay_set_help(player->overlay, false);
    } else if (player->view == APP_VIEW_OVERLAY) {
        app_player_set_view(player, APP_VIEW_OFF);
    } else if (player->view == APP_VIEW_OFF) {
        ui_window_set_fullscreen(player->window, false);
    } else if (app_player_asks(player) != APP_ASKS_NOTHING) {
        player->asks = APP_ASKS_NOTHING;
    } else if (ui_window_is_fullscreen(player->window)) {
        say(player, APP_NOTE_STAYS);
    }
}

static void player_quit(struct app_player *player, const struct ui_call *call)
{
    (void)call;
    player->quit = true;
}

/* Commands that only the operator's thread may carry out. */
static void hand_over(struct app_player *player, const struct ui_call *call)
{
    app_operator_do(player->operator_view, call);
}

static void (*const handlers[UI_COMMAND_COUNT])(struct app_player *player,
                                                const struct ui_call *call) = {
#define PAINTER(function)                                      function
#define OPERATOR(function)                                     hand_over
#define BOTH(painter, operators)                               painter
#define VIEW(function)                                         show_view
#define OF_PRESET(who)                                         who
#define UI_COMMAND(id, name, group, argument, keys, help, who) [UI_COMMAND_##id] = who,
#include "ui/commands.def"
#define UI_ADJUST(id, ...) [UI_COMMAND_ADJUST_##id] = player_adjust,
#include "ui/adjust.def"
};

void app_player_obey(struct app_player *player, const struct ui_call *call)
{
    if (call->command != UI_COMMAND_NONE) {
        handlers[call->command](player, call);
    }
}

/* ---- what is asked about first ---- */

/* What the command would do to a running show. */
static enum app_question question_of(const struct app_player *player, const struct ui_call *call)
{
    const bool full = ui_window_is_fullscreen(player->window);
    const bool leaves =
        call->command == UI_COMMAND_LEAVE && !player->help_shown && player->view == APP_VIEW_OFF;
    const bool windowed = call->command == UI_COMMAND_FULLSCREEN && !ui_switch_of(call->to, full);
    if (full && (leaves || windowed)) {
        return APP_ASKS_WINDOW;
    }
    const bool runs = full || player->view == APP_VIEW_WINDOW;
    return call->command == UI_COMMAND_QUIT && runs ? APP_ASKS_QUIT : APP_ASKS_NOTHING;
}

static const double again_seconds = 2;
static const double asks_seconds = 8;

enum app_question app_player_asks(const struct app_player *player)
{
    const bool due = base_clock_seconds() - player->asked_at <= asks_seconds;
    return due ? player->asks : APP_ASKS_NOTHING;
}

void app_player_obey_user(struct app_player *player, const struct ui_call *call)
{
    const enum app_question question = question_of(player, call);
    const double clock = base_clock_seconds();
    const bool again = question == player->asks && clock - player->asked_at <= again_seconds;
    if (question == APP_ASKS_NOTHING) {
        app_player_obey(player, call);
    } else if (again) {
        player->asks = APP_ASKS_NOTHING;
        app_player_obey(player, call);
    } else {
        player->asks = question;
        player->asked_at = clock;
        player->asked++;
        say(player, question == APP_ASKS_QUIT ? APP_NOTE_ASKS_QUIT : APP_NOTE_ASKS_WINDOW);
    }
}
