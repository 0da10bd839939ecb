#include "app/player.h"

/* On standard error only: the picture may hang on a stage. */
static void say(const struct app_player *player, const char *text)
{
    base_report(&player->sink, BASE_NOTE, (struct base_place){0}, NULL, "%s", text);
}

void app_player_step(struct app_player *player, int steps, enum app_loader_change change)
{
    player->switched = player->now;
    app_loader_step(player->loader, steps, change);
}

static void do_next(struct app_player *player)
{
    app_player_step(player, 1, APP_CHANGE_SOFT);
}

static void do_cut(struct app_player *player)
{
    app_player_step(player, 1, APP_CHANGE_HARD);
}

static void do_previous(struct app_player *player)
{
    app_player_step(player, -1, APP_CHANGE_SOFT);
}

static void do_random(struct app_player *player)
{
    player->random = !player->random;
    app_loader_random(player->loader, player->random);
    say(player, player->random ? "random order" : "order as listed");
}

static void do_lock(struct app_player *player)
{
    player->locked = !player->locked;
    player->switched = player->now;
    say(player, player->locked ? "locked" : "not locked");
}

static void do_fullscreen(struct app_player *player)
{
    ui_window_toggle_fullscreen(player->window);
}

static void do_help(struct app_player *player)
{
    player->help_shown = !player->help_shown;
    ui_overlay_set_help(player->overlay, player->help_shown);
}

static void do_name(struct app_player *player)
{
    static const char *const answers[UI_NAMES_COUNT] = {
        [UI_NAMES_AT_FIRST] = "name: at first",
        [UI_NAMES_ALWAYS] = "name: always",
        [UI_NAMES_NEVER] = "name: never",
    };
    player->names = (player->names + 1) % UI_NAMES_COUNT;
    ui_overlay_set_names(player->overlay, player->names);
    say(player, answers[player->names]);
}

static void do_fps(struct app_player *player)
{
    player->fps_shown = !player->fps_shown;
    ui_overlay_set_fps(player->overlay, player->fps_shown ? player->fps : -1);
}

static void do_meter(struct app_player *player)
{
    player->meter_shown = !player->meter_shown;
    if (!player->meter_shown) {
        ui_overlay_set_meter(player->overlay, NULL);
    }
}

static void do_quit(struct app_player *player)
{
    player->quit = true;
}

static void (*const actions[UI_COMMAND_COUNT])(struct app_player *player) = {
    [UI_COMMAND_NEXT] = do_next,
    [UI_COMMAND_CUT] = do_cut,
    [UI_COMMAND_PREVIOUS] = do_previous,
    [UI_COMMAND_RANDOM] = do_random,
    [UI_COMMAND_LOCK] = do_lock,
    [UI_COMMAND_HELP] = do_help,
    [UI_COMMAND_FULLSCREEN] = do_fullscreen,
    [UI_COMMAND_NAME] = do_name,
    [UI_COMMAND_FPS] = do_fps,
    [UI_COMMAND_METER] = do_meter,
    [UI_COMMAND_QUIT] = do_quit,
};

void app_player_obey(struct app_player *player, enum ui_command command)
{
    if (command != UI_COMMAND_NONE) {
        actions[command](player);
    }
}
