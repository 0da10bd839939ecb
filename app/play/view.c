/* The player and its windows: what happens in them, and what they show. */
#include <stdlib.h>
#include <string.h>

#include "app/play/player.h"
#include "base/os/clock.h"

static const double view_seconds = 1 / 30.0; /* between two showings of the operator's window */

enum { VIEW_WIDTH = 1180, VIEW_HEIGHT = 760 };

void app_player_set_view(struct app_player *player, enum app_view view)
{
    if (view == APP_VIEW_WINDOW &&
        !ui_window_open_operator(player->window, VIEW_WIDTH, VIEW_HEIGHT)) {
        app_operator_note(player->operator_view, APP_NOTE_NO_OPERATOR_WINDOW, APP_LIBRARY_NONE, 0,
                          0);
        view = APP_VIEW_OVERLAY;
    }
    if (view != APP_VIEW_WINDOW) {
        ui_window_close_operator(player->window);
    }
    player->view = view;
}

static void obey_key(struct app_player *player, const struct ui_event *event)
{
    const struct ui_call *call =
        event->key[0] != '\0' ? ui_bindings_find(player->bindings, event->key) : NULL;
    const bool repeats =
        call != NULL && ui_command_rows[call->command].argument == UI_ARGUMENT_STEP;
    if (call != NULL && (!event->repeat || repeats)) {
        app_player_obey(player, call);
    }
}

/* The mouse is the operator's where his view is seen, else that of the bindings. */
static void obey_mouse(struct app_player *player, const struct ui_event *event)
{
    static const char twice[] = "MouseDouble";
    struct ui_event named = *event;
    const bool in_view = player->view == APP_VIEW_OVERLAY ||
                         (player->view == APP_VIEW_WINDOW && event->operator_window);
    if (in_view) {
        app_operator_event(player->operator_view, event);
        return;
    }
    if (event->kind == UI_EVENT_PRESS && event->clicks == 2 &&
        strcmp(event->key, "MouseLeft") == 0) {
        memcpy(named.key, twice, sizeof twice);
    }
    if (event->kind == UI_EVENT_PRESS || event->kind == UI_EVENT_WHEEL) {
        obey_key(player, &named);
    }
}

/* A key that types nothing is a command while a text is edited as well. */
static bool types_nothing(const struct app_player *player, const char *key)
{
    const struct ui_call *call = ui_bindings_find(player->bindings, key);
    const bool function = key[0] == 'F' && key[1] >= '1' && key[1] <= '9';
    const bool saves =
        strncmp(key, "Ctrl+", 5) == 0 && call != NULL && call->command == UI_COMMAND_SAVE;
    return function || saves;
}

static void obey_keyboard(struct app_player *player, const struct ui_event *event)
{
    const bool operators =
        player->view != APP_VIEW_OFF && app_operator_has_keyboard(player->operator_view);
    if (operators && !types_nothing(player, event->key)) {
        if (strcmp(event->key, "Ctrl+V") == 0) {
            app_operator_paste(player->operator_view, ui_window_clipboard());
        }
        app_operator_event(player->operator_view, event);
    } else {
        obey_key(player, event);
    }
}

void app_player_events(struct app_player *player)
{
    struct ui_event event;
    struct ui_call call;
    while (ui_window_poll(player->window, &event)) {
        switch (event.kind) {
        case UI_EVENT_QUIT:
            player->quit = true;
            break;
        case UI_EVENT_CLOSE:
            app_player_set_view(player, APP_VIEW_OFF);
            break;
        case UI_EVENT_KEY:
        case UI_EVENT_TEXT:
            obey_keyboard(player, &event);
            break;
        default:
            obey_mouse(player, &event);
        }
    }
    while (app_controls_poll(player->controls, &call) ||
           app_operator_call(player->operator_view, &call)) {
        app_player_obey(player, &call);
    }
    char *copied = app_operator_copied(player->operator_view);
    if (copied != NULL) {
        ui_window_set_clipboard(copied);
        free(copied);
    }
}

void app_player_report(struct app_player *player)
{
    struct app_snapshot *snapshot = app_operator_snapshot(player->operator_view);
    /* The operator draws nothing where there is nothing to be seen. */
    static const struct ui_window_pixels none = {0};
    snapshot->view = player->view != APP_VIEW_OFF ? ui_window_pixels(player->window) : none;
    const bool seen = snapshot->view.width > 0;
    const struct app_loaded *current = player->current;
    snapshot->now = player->now;
    snapshot->fps = player->shown_fps;
    snapshot->drawing = player->drawing;
    snapshot->version = player->version;
    if (current != NULL) {
        memcpy(snapshot->path, current->path, sizeof snapshot->path);
        memcpy(snapshot->name, current->name, sizeof snapshot->name);
        snapshot->number = current->number;
    }
    snapshot->locked = player->locked;
    snapshot->random = player->random;
    snapshot->frozen = player->frozen;
    snapshot->blackout = player->blackout;
    snapshot->fullscreen = ui_window_is_fullscreen(player->window);
    snapshot->left = app_player_stays(player) ? -1 : player->vj.due - player->now;
    snapshot->counters = player->counters;
    app_tweaks_changed(&player->tweaks, snapshot->changed);
    app_sound_status(player->sound, &snapshot->sound);
    app_snapshot_of_show(snapshot, player->show, seen);
    app_player_show_tempo(player, &snapshot->heard);
    if (seen) {
        memcpy(snapshot->wave, player->wave, sizeof snapshot->wave);
        app_snapshot_picture(snapshot, &player->picture);
    }
    app_operator_publish(player->operator_view);
    app_library_idle(player->library, player->drawing < 500 / player->fps);
    bool fresh = false;
    const double clock = base_clock_seconds();
    if (player->view == APP_VIEW_WINDOW && clock >= player->view_due) {
        const struct ui_surface *surface = app_operator_surface(player->operator_view, &fresh);
        if (surface != NULL && fresh) {
            player->view_due = clock + view_seconds;
            ui_window_present_operator(player->window, surface);
        }
    }
}

void app_player_present(struct app_player *player)
{
    bool fresh = false;
    const struct ui_surface *view = player->view == APP_VIEW_OVERLAY
                                        ? app_operator_surface(player->operator_view, &fresh)
                                        : NULL;
    ui_window_present(player->window, player->blackout ? &player->black : &player->picture, view);
}
