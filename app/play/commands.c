#include <math.h>
#include <string.h>

#include "app/play/player.h"
#include "base/os/thread.h"
#include "presets/file.h"

static void say(struct app_player *player, enum app_note note)
{
    if (player->hushed) {
        return;
    }
    player->told++;
    app_operator_note(player->operator_view, note, APP_LIBRARY_NONE, 0, 0);
}

static void say_of(struct app_player *player, enum app_note note, const char *name)
{
    if (!player->hushed) {
        player->told++;
        app_operator_note_of(player->operator_view, note, name);
    }
}

/* ---- what the show asks of others ---- */

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
    return (struct engine_supply){
        .user = player, .random = order, .blend = blend, .transition = take_transition};
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
    if (!done && call->command == UI_COMMAND_CLOCK) {
        say_of(player, APP_NOTE_NO_CLOCK, call->text);
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
        say_of(player, APP_NOTE_NO_MONITOR, wish);
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

static const char *const names_words[UI_NAMES_COUNT] = {
    [UI_NAMES_NEVER] = "never", [UI_NAMES_AT_FIRST] = "first", [UI_NAMES_ALWAYS] = "always"};

/* The way that a word names; UI_NAMES_COUNT: none of them. */
static enum ui_overlay_names names_of(const char *word)
{
    enum ui_overlay_names names = UI_NAMES_NEVER;
    while (names < UI_NAMES_COUNT && strcmp(names_words[names], word) != 0) {
        names++;
    }
    return names;
}

static void player_name(struct app_player *player, const struct engine_call *call)
{
    static const enum app_note notes[UI_NAMES_COUNT] = {
        [UI_NAMES_NEVER] = APP_NOTE_NAME_NEVER,
        [UI_NAMES_AT_FIRST] = APP_NOTE_NAME_AT_FIRST,
        [UI_NAMES_ALWAYS] = APP_NOTE_NAME_ALWAYS,
    };
    const bool told = call->text[0] != '\0';
    enum ui_overlay_names names =
        player->view == APP_VIEW_OFF ? (player->names + 1) % UI_NAMES_COUNT : UI_NAMES_NEVER;
    if (is_for_view(player, told, player->names != UI_NAMES_NEVER)) {
        return;
    }
    if (told) {
        names = names_of(call->text);
        if (names == UI_NAMES_COUNT) {
            say_of(player, APP_NOTE_NO_NAMES, call->text);
            return;
        }
    }
    player->names = names;
    ui_overlay_set_names(player->overlay, names);
    ui_overlay_show_name(player->overlay, player->now);
    say(player, notes[names]);
}

static void player_title(struct app_player *player, const struct engine_call *call)
{
    const bool told = call->text[0] != '\0';
    const enum ui_overlay_names names = told ? names_of(call->text) : player->titled;
    if (names == UI_NAMES_COUNT) {
        say_of(player, APP_NOTE_NO_NAMES, call->text);
        return;
    }
    player->titled = names;
    player->title_asked = false;
    if (names == UI_NAMES_NEVER && told) {
        player->titled_at = -INFINITY;
        return;
    }
    app_titles_want(player->titles);
    player->titled_at = player->now;
    player->title_asked = app_titles_card(player->titles) == NULL;
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
    if (!player->hushed) {
        player->told++;
        app_operator_note(player->operator_view, APP_NOTE_UI_SCALE, APP_LIBRARY_NONE,
                          round(percent * (call->absolute || moves ? text : from) / UI_WINDOW_TEXT),
                          0);
    }
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
    } else if (app_midi_learns(player->midi)) {
        app_midi_learn(player->midi, false);
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

static bool is_told(const struct app_player *player, const struct app_operator_told *told)
{
    return told->known && player->current != NULL && told->preset == player->current->number;
}

static const struct app_name *shown_name(const struct app_player *player)
{
    return player->current != NULL ? app_presets_name(player->current) : NULL;
}

static void player_learn(struct app_player *player, const struct engine_call *call)
{
    if (player->midi == NULL) {
        say(player, APP_NOTE_NO_MIDI);
        return;
    }
    app_midi_learn(player->midi, engine_switch_of(call->to, app_midi_learns(player->midi)));
}

static void player_forget(struct app_player *player, const struct engine_call *call)
{
    if (player->midi == NULL) {
        say(player, APP_NOTE_NO_MIDI);
    } else {
        app_midi_forget(player->midi,
                        call->absolute && call->number > 0 ? (unsigned)call->number : 0);
    }
}

static double tell_fullscreen(const struct app_player *player)
{
    return ui_window_is_fullscreen(player->window);
}

static double tell_fps(const struct app_player *player)
{
    return player->fps_shown;
}

static double tell_meter(const struct app_player *player)
{
    return player->meter_shown;
}

static double tell_help(const struct app_player *player)
{
    return player->help_shown;
}

static double tell_operator(const struct app_player *player)
{
    return player->view != APP_VIEW_OFF;
}

static double tell_learn(const struct app_player *player)
{
    return app_midi_learns(player->midi);
}

static double tell_ui_scale(const struct app_player *player)
{
    static const double percent = 100;
    return percent * player->view_text / UI_WINDOW_TEXT;
}

/* What the library has of the preset that is shown: as the operator told it last, or, before he has
 * told of this one, as it was when it was loaded. */
static double tell_favourite(const struct app_player *player)
{
    const struct app_operator_told *told = app_operator_told(player->operator_view);
    const struct app_name *name = shown_name(player);
    return is_told(player, told) ? told->favourite : name != NULL && name->favourite;
}

static double tell_rate(const struct app_player *player)
{
    const struct app_operator_told *told = app_operator_told(player->operator_view);
    const struct app_name *name = shown_name(player);
    return is_told(player, told) ? told->stars : name != NULL ? name->stars : 0;
}

static void player_record(struct app_player *player, const struct engine_call *call)
{
    app_set_recorder_switch(player->recorder,
                            engine_switch_of(call->to, app_set_recorder_is_on(player->recorder)));
}

static void player_clip(struct app_player *player, const struct engine_call *call)
{
    (void)call;
    if (!app_set_recorder_clip(player->recorder, player->show)) {
        say(player, APP_NOTE_NO_CLIP);
    }
}

/* Whether there is a way back, which else is told; *folder: of the recording, NULL: there is none.
 */
static bool has_past(struct app_player *player, const char **folder)
{
    *folder = app_set_recorder_folder(player->recorder);
    const bool has = player->past != NULL || *folder != NULL;
    if (!has) {
        say(player, APP_NOTE_NO_PAST);
    }
    return has;
}

static void player_rewind(struct app_player *player, const struct engine_call *call)
{
    static const double seconds = 5;
    const char *folder;
    if (!has_past(player, &folder)) {
        return;
    }
    if (call->absolute) {
        app_set_rewind_to(player->rewind, folder, fmax(call->number, 0));
    } else {
        app_set_rewind_back(player->rewind, folder, seconds * call->number);
    }
}

static void player_rewind_frame(struct app_player *player, const struct engine_call *call)
{
    const char *folder;
    if (has_past(player, &folder)) {
        app_set_rewind_step(player->rewind, folder, (int)call->number);
    }
}

static void player_loop(struct app_player *player, const struct engine_call *call)
{
    static const double usual = 120; /* where no beat is known */
    const double bpm = engine_state(player->engine)->tempo.now.bpm;
    const char *folder;
    if (has_past(player, &folder)) {
        app_set_rewind_loop(player->rewind, folder, fmax(call->number, 0), bpm > 0 ? bpm : usual);
    }
}

static void player_live(struct app_player *player, const struct engine_call *call)
{
    (void)call;
    app_set_rewind_live(player->rewind);
}

static double tell_record(const struct app_player *player)
{
    return app_set_recorder_is_on(player->recorder);
}

static void player_unpair(struct app_player *player, const struct engine_call *call)
{
    (void)call;
    app_remote_unpair(player->remote);
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
#define SETS(function, tell)                                   function
#define OPERATOR(function)                                     hand_over
#define BOTH(painter, operators)                               painter
#define VIEW(function)                                         show_view
#define LASTS(who, tell, low, high)                            who
#define OF_PRESET(who)                                         who
#define UI_COMMAND(id, name, group, argument, keys, help, who) [UI_COMMAND_##id] = who,
#include "ui/commands.def"
};

static double (*const tellers[UI_COMMAND_COUNT])(const struct app_player *player) = {
#define PAINTER(function)                                      NULL
#define SETS(function, tell)                                   tell
#define OPERATOR(function)                                     NULL
#define BOTH(painter, operators)                               NULL
#define VIEW(function)                                         NULL
#define LASTS(who, tell, low, high)                            tell
#define OF_PRESET(who)                                         who
#define UI_COMMAND(id, name, group, argument, keys, help, who) [UI_COMMAND_##id] = who,
#include "ui/commands.def"
};

double app_player_tell(const struct app_player *player, unsigned value)
{
    const struct rend *front = rend_show_front(engine_show(player->engine));
    if (value >= APP_VALUE_KEYS) {
        return front != NULL ? rend_value(front, value - APP_VALUE_KEYS) : 0;
    }
    if (value < ENGINE_COMMAND_COUNT) {
        return engine_tells(value) ? engine_tell(player->engine, value) : 0;
    }
    return tellers[value] != NULL ? tellers[value](player) : 0;
}

static void put(char *to, const char *text)
{
    const size_t size = strnlen(text, APP_TEXT_SIZE - 1);
    memcpy(to, text, size);
    to[size] = '\0';
}

static void text_monitor(const struct app_player *player, char *to)
{
    put(to, ui_window_monitor_name(player->window));
}

static void text_name(const struct app_player *player, char *to)
{
    put(to, names_words[player->names]);
}

static void text_title(const struct app_player *player, char *to)
{
    put(to, names_words[player->titled]);
}

static void text_clock(const struct app_player *player, char *to)
{
    put(to, engine_tempo_name(engine_state(player->engine)->tempo.choice));
}

static void text_device(const struct app_player *player, char *to)
{
    struct app_sound_status status;
    app_sound_status(player->sound, &status);
    put(to, status.name);
}

void app_player_texts(const struct app_player *player, char (*texts)[APP_TEXT_SIZE])
{
    const struct app_operator_told *told = app_operator_told(player->operator_view);
#define TELL_PAINTER(text, tell)        tell(player, texts[text])
#define TELL_OPERATOR(text, tell)       memcpy(texts[text], told->texts[text], APP_TEXT_SIZE)
#define APP_TEXT(id, whose, tell, help) TELL_##whose(APP_TEXT_##id, tell);
#include "app/control/texts.def"
}

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

/* ---- what comes in by the door ---- */

enum { TOLD_IN_A_SECOND = 16 };

/* A source that floods does not fill the operator's messages as well. */
static void hush(struct app_player *player)
{
    const double clock = base_clock_seconds();
    if (clock - player->told_since >= 1) {
        player->told_since = clock;
        player->told = 0;
    }
    player->hushed = player->told >= TOLD_IN_A_SECOND;
}

static void obey_source(void *user, enum app_source source, const struct engine_call *call)
{
    struct app_player *player = user;
    if (source != APP_SOURCE_MIDI && app_midi_touch(player->midi, call, 0)) {
        return;
    }
    if (app_source_rows[source].is_user) {
        app_player_obey_user(player, call);
        return;
    }
    hush(player);
    app_player_obey(player, call);
    player->hushed = false;
}

static void set_value(void *user, unsigned value, double number)
{
    struct app_player *player = user;
    struct engine_call call;
    if (app_midi_touch(player->midi, NULL, value)) {
        return;
    }
    hush(player);
    if (value >= APP_VALUE_KEYS) {
        (void)engine_put(player->engine, base_span_of(preset_keys[value - APP_VALUE_KEYS].key),
                         number);
    } else if (app_value_call(value, number, &call) &&
               (call.to == ENGINE_SWITCH_OTHER || handlers[value] == hand_over ||
                (app_player_tell(player, value) != 0) != (call.to == ENGINE_SWITCH_ON))) {
        app_player_obey(player, &call);
    }
    player->hushed = false;
}

static bool is_ready(void *user)
{
    const struct app_player *player = user;
    return !app_operator_is_busy(player->operator_view);
}

struct app_taker app_player_taker(struct app_player *player)
{
    return (struct app_taker){player, obey_source, set_value, is_ready};
}

void app_player_give(struct app_player *player, enum app_source source,
                     const struct engine_call *call)
{
    const struct app_taker taker = app_player_taker(player);
    (void)app_inlet_call(app_door_inlet(player->door, source), call);
    app_door_take_from(player->door, source, player->counters.frames > 0, &taker);
}
