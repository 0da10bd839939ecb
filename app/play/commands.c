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

bool app_controls_poll(struct app_controls *controls, bool shown, struct engine_call *call)
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

static bool poll_signals(void *state, bool shown, struct engine_call *call)
{
    (void)shown;
    struct signals *signals = state;
    if (signals->told || !base_stop_wanted()) {
        return false;
    }
    signals->told = true;
    *call = (struct engine_call){.command = UI_COMMAND_QUIT};
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
    struct engine_call calls[APP_LIST_MAX];
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

static bool poll_first(void *state, bool shown, struct engine_call *call)
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

static void say(struct app_player *player, enum app_note note)
{
    app_operator_note(player->operator_view, note, APP_LIBRARY_NONE, 0, 0);
}

/* ---- what the show asks of others ---- */

static void step_presets(void *user, int steps, bool hard)
{
    const struct app_player *player = user;
    engine_loader_step(player->loader, steps, hard);
}

static bool is_alone(void *user)
{
    const struct app_player *player = user;
    return engine_loader_alone(player->loader);
}

static void order(void *user, bool random)
{
    struct app_player *player = user;
    const struct engine_call call = {.command = UI_COMMAND_RANDOM,
                                     .to = random ? ENGINE_SWITCH_ON : ENGINE_SWITCH_OFF};
    app_operator_do(player->operator_view, &call);
}

static void blend(void *user, double seconds)
{
    struct app_player *player = user;
    const struct engine_call call = {.command = UI_COMMAND_BLEND, .number = seconds};
    app_operator_do(player->operator_view, &call);
}

static bool take_transition(void *user, const char *name)
{
    struct app_player *player = user;
    struct engine_call call = {.command = UI_COMMAND_TRANSITION};
    const size_t length = strlen(name);
    if (length < sizeof call.text) {
        memcpy(call.text, name, length + 1);
    }
    app_operator_do(player->operator_view, &call);
    return true; /* the operator says when there is none of this name */
}

struct engine_supply app_player_supply(struct app_player *player)
{
    return (struct engine_supply){player, step_presets, is_alone, order, blend, take_transition};
}

/* What is said of a command of the show. */
static const struct {
    unsigned command;
    bool of_change; /* only where it changed something */
    enum app_note on;
    enum app_note off;
} said[] = {
    {UI_COMMAND_RANDOM, false, APP_NOTE_ORDER_RANDOM, APP_NOTE_ORDER_LISTED},
    {UI_COMMAND_LOCK, true, APP_NOTE_LOCKED, APP_NOTE_NOT_LOCKED},
    {UI_COMMAND_BLACKOUT, false, APP_NOTE_BLACKOUT, APP_NOTE_NO_BLACKOUT},
    {UI_COMMAND_FREEZE, false, APP_NOTE_FROZEN, APP_NOTE_NOT_FROZEN},
};

static void player_show(struct app_player *player, const struct engine_call *call)
{
    const bool frozen = engine_state(player->engine)->frozen;
    const double before = engine_tell(player->engine, call->command);
    const bool done = engine_obey(player->engine, call);
    const bool undoes = call->command == UI_COMMAND_UNDO || call->command == UI_COMMAND_REDO;
    if (!done && ui_command_rows[call->command].of_preset) {
        say(player, !undoes                            ? APP_NOTE_NOT_CHANGED
                    : call->command == UI_COMMAND_UNDO ? APP_NOTE_NOTHING_TO_UNDO
                                                       : APP_NOTE_NOTHING_TO_REDO);
    }
    if (call->command == UI_COMMAND_STEP && !frozen) {
        say(player, APP_NOTE_FROZEN);
    }
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        const double now = engine_tell(player->engine, call->command);
        if (said[i].command == call->command && (!said[i].of_change || now != before)) {
            say(player, now != 0 ? said[i].on : said[i].off);
        }
    }
}

/* ---- what each command of the window does ---- */

static void player_fullscreen(struct app_player *player, const struct engine_call *call)
{
    ui_window_set_fullscreen(player->window,
                             engine_switch_of(call->to, ui_window_is_fullscreen(player->window)));
}

static void player_monitor(struct app_player *player, const struct engine_call *call)
{
    const char *wish =
        call->text + (call->text[0] == '='); /* as in the numbers of other commands */
    if (!ui_window_set_monitor(player->window, wish)) {
        app_operator_note_of(player->operator_view, APP_NOTE_NO_MONITOR, wish);
    }
}

static void player_screenshot(struct app_player *player, const struct engine_call *call)
{
    (void)call;
    app_operator_screenshot(player->operator_view, &player->picture);
}

/* Where there is an operator's view, a key draws nothing on the picture: what it asks for is in the
 * view's tab of keys. A key takes away what is drawn; a word draws it. */
static bool is_for_view(struct app_player *player, bool told, bool drawn)
{
    static const struct engine_call keys = {.command = UI_COMMAND_PANEL, .text = "keys"};
    if (player->view == APP_VIEW_OFF || told || drawn) {
        return false;
    }
    app_operator_do(player->operator_view, &keys);
    return true;
}

static void player_help(struct app_player *player, const struct engine_call *call)
{
    if (!is_for_view(player, call->to != ENGINE_SWITCH_OTHER, player->help_shown)) {
        player->help_shown = engine_switch_of(call->to, player->help_shown);
        ui_overlay_set_help(player->overlay, player->help_shown);
    }
}

static void player_name(struct app_player *player, const struct engine_call *call)
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

static void player_fps(struct app_player *player, const struct engine_call *call)
{
    if (!is_for_view(player, call->to != ENGINE_SWITCH_OTHER, player->fps_shown)) {
        player->fps_shown = engine_switch_of(call->to, player->fps_shown);
        ui_overlay_set_fps(player->overlay, player->fps_shown ? player->fps : -1);
    }
}

static void player_meter(struct app_player *player, const struct engine_call *call)
{
    if (!is_for_view(player, call->to != ENGINE_SWITCH_OTHER, player->meter_shown)) {
        player->meter_shown = engine_switch_of(call->to, player->meter_shown);
        if (!player->meter_shown) {
            ui_overlay_set_meter(player->overlay, NULL);
        }
    }
}

static void player_operator(struct app_player *player, const struct engine_call *call)
{
    const bool on = engine_switch_of(call->to, player->view != APP_VIEW_OFF);
    if (on != (player->view != APP_VIEW_OFF)) {
        const bool room = ui_window_monitors(player->window) > 1;
        app_player_set_view(player, !on ? APP_VIEW_OFF : room ? APP_VIEW_WINDOW : APP_VIEW_OVERLAY);
    }
}

/* Each step is a pixel of the text at least, and begins at the size that is seen. */
static void player_ui_scale(struct app_player *player, const struct engine_call *call)
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
static void show_view(struct app_player *player, const struct engine_call *call)
{
    static const struct engine_call on = {.command = UI_COMMAND_OPERATOR, .to = ENGINE_SWITCH_ON};
    player_operator(player, &on);
    app_operator_do(player->operator_view, call);
}

/* Leaves one thing after the other; with an operator's window the show's full screen is none of
 * them. */
static void player_leave(struct app_player *player, const struct engine_call *call)
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

static void player_quit(struct app_player *player, const struct engine_call *call)
{
    (void)call;
    player->quit = true;
}

/* Commands that only the operator's thread may carry out. */
static void hand_over(struct app_player *player, const struct engine_call *call)
{
    app_operator_do(player->operator_view, call);
}

static void (*const handlers[UI_COMMAND_COUNT])(struct app_player *player,
                                                const struct engine_call *call) = {
#define PAINTER(function)                                      function
#define OPERATOR(function)                                     hand_over
#define BOTH(painter, operators)                               painter
#define VIEW(function)                                         show_view
#define OF_PRESET(who)                                         who
#define UI_COMMAND(id, name, group, argument, keys, help, who) [UI_COMMAND_##id] = who,
#include "ui/commands.def"
};

void app_player_obey(struct app_player *player, const struct engine_call *call)
{
    if (call->command >= UI_COMMAND_OWN_FIRST) {
        handlers[call->command](player, call);
    } else if (call->command != UI_COMMAND_NONE) {
        player_show(player, call);
    }
}

/* ---- what is asked about first ---- */

/* What the command would do to a running show. */
static enum app_question question_of(const struct app_player *player,
                                     const struct engine_call *call)
{
    const bool full = ui_window_is_fullscreen(player->window);
    const bool leaves =
        call->command == UI_COMMAND_LEAVE && !player->help_shown && player->view == APP_VIEW_OFF;
    const bool windowed =
        call->command == UI_COMMAND_FULLSCREEN && !engine_switch_of(call->to, full);
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

void app_player_obey_user(struct app_player *player, const struct engine_call *call)
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
