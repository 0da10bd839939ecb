#include <math.h>

#include "app/play/player.h"

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
        app_auto_shown(&player->vj, player->now, -1);
    }
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
    const int count = ui_window_monitors(player->window);
    const int step = (int)call->number % count;
    const int next = (ui_window_monitor(player->window) - 1 + step + count) % count + 1;
    ui_window_set_monitor(player->window, call->absolute ? (int)call->number : next);
}

static void player_screenshot(struct app_player *player, const struct ui_call *call)
{
    (void)call;
    app_operator_screenshot(player->operator_view, &player->picture);
}

static void player_help(struct app_player *player, const struct ui_call *call)
{
    player->help_shown = ui_switch_of(call->to, player->help_shown);
    ui_overlay_set_help(player->overlay, player->help_shown);
}

static void player_name(struct app_player *player, const struct ui_call *call)
{
    static const enum app_note notes[UI_NAMES_COUNT] = {
        [UI_NAMES_AT_FIRST] = APP_NOTE_NAME_AT_FIRST,
        [UI_NAMES_ALWAYS] = APP_NOTE_NAME_ALWAYS,
        [UI_NAMES_NEVER] = APP_NOTE_NAME_NEVER,
    };
    (void)call;
    player->names = (player->names + 1) % UI_NAMES_COUNT;
    ui_overlay_set_names(player->overlay, player->names);
    say(player, notes[player->names]);
}

static void player_fps(struct app_player *player, const struct ui_call *call)
{
    player->fps_shown = ui_switch_of(call->to, player->fps_shown);
    ui_overlay_set_fps(player->overlay, player->fps_shown ? player->fps : -1);
}

static void player_meter(struct app_player *player, const struct ui_call *call)
{
    player->meter_shown = ui_switch_of(call->to, player->meter_shown);
    if (!player->meter_shown) {
        ui_overlay_set_meter(player->overlay, NULL);
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

/* Shows the operator's view, then hands over a command for a part of it. */
static void show_view(struct app_player *player, const struct ui_call *call)
{
    static const struct ui_call on = {.command = UI_COMMAND_OPERATOR, .to = UI_SWITCH_ON};
    player_operator(player, &on);
    app_operator_do(player->operator_view, call);
}

/* Escape must not end a show: it leaves the operator's view, else full screen. */
static void player_leave(struct app_player *player, const struct ui_call *call)
{
    (void)call;
    if (player->help_shown) {
        player->help_shown = false;
        ui_overlay_set_help(player->overlay, false);
    } else if (player->view == APP_VIEW_OVERLAY) {
        app_player_set_view(player, APP_VIEW_OFF);
    } else {
        ui_window_set_fullscreen(player->window, false);
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
