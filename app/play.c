#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/io/audio.h"
#include "app/io/quiet.h"
#include "app/options.h"
#include "app/play_inputs.h"
#include "app/play_instead.h"
#include "app/player.h"

enum {
    SOUND_FRAMES_MIN = 4096,
    SOUND_FRAMES_MAX = 4 * APP_AUDIO_RATE,
};

static const double USUAL_ADVANCE = 30; /* seconds */

static int open_renderer(struct app_player *player, int width, int height,
                         struct rend_config *setup)
{
    const struct app_options *options = player->options;
    const struct app_size mesh = app_options_mesh(options);
    player->pool = base_pool_create(app_options_threads(options));
    const struct rend_config config = {
        .width = width,
        .height = height,
        .mesh_x = mesh.width,
        .mesh_y = mesh.height,
        .fps = (double)player->steps.steps.numerator / player->steps.steps.denominator,
        .seed = options->seed,
        .levels = app_options_levels(options),
        .cpu = app_options_cpu(options),
        .pool = player->pool,
    };
    *setup = config;
    player->fixed_divisor = app_options_shaders(player->options);
    player->show = rend_show_create(&config);
    player->picture =
        (struct ui_surface){.width = width, .height = height, .stride = (size_t)width};
    player->picture.pixels = calloc((size_t)width * (size_t)height, sizeof(uint32_t));
    const size_t pixels = (size_t)width * (size_t)height;
    player->newest = player->steps.blends ? calloc(pixels, sizeof(uint32_t)) : NULL;
    player->former = player->steps.blends ? calloc(pixels, sizeof(uint32_t)) : NULL;
    const double per_frame = 4 * APP_AUDIO_RATE / config.fps;
    player->sample_frames = per_frame < SOUND_FRAMES_MIN   ? SOUND_FRAMES_MIN
                            : per_frame > SOUND_FRAMES_MAX ? SOUND_FRAMES_MAX
                                                           : (size_t)per_frame;
    player->samples = calloc(player->sample_frames, 2 * sizeof *player->samples);
    player->overlay = ui_overlay_create(width, height, &player->sink);
    if (player->show == NULL || player->picture.pixels == NULL || player->samples == NULL ||
        player->overlay == NULL ||
        (player->steps.blends && (player->newest == NULL || player->former == NULL))) {
        base_report(&player->sink, BASE_ERROR, (struct base_place){0}, "try a smaller --size",
                    "not enough memory for pictures of %dx%d", width, height);
        return -1;
    }
    return 0;
}

static int open_rest(struct app_player *player, int width, int height)
{
    struct app_loader_setup setup = {.list = player->list,
                                     .seed = player->options->seed,
                                     .changes = app_changes_of(player->options),
                                     .planned = player->advance,
                                     .textures = player->options->textures};
    player->sound = app_sound_open(player->options, &player->sink);
    if (player->sound == NULL || open_renderer(player, width, height, &setup.config) != 0) {
        return -1;
    }
    player->loader = app_loader_start(&setup, &player->sink);
    return player->loader == NULL ? -1 : 0;
}

static void close_player(struct app_player *player)
{
    if (player->loader != NULL) {
        rend_show_end(player->show);
        app_player_retire(player);
        app_loader_stop(player->loader);
    }
    rend_show_free(player->show);
    app_sound_close(player->sound);
    ui_overlay_free(player->overlay);
    free(player->samples);
    free(player->picture.pixels);
    free(player->newest);
    free(player->former);
    base_pool_destroy(player->pool);
    ui_window_close(player->window);
    if (player->messages >= 0) {
        (void)close(player->messages);
    }
}

/* Messages keep their way out while a sound library is kept quiet. */
static void keep_messages(struct app_player *player)
{
    player->messages = app_quiet_keep();
    player->sink =
        player->messages >= 0 ? base_diag_descriptor_sink(&player->messages) : base_diag_stderr;
}

static void print_times(const char *what, const struct app_frame_times *times)
{
    (void)fprintf(stderr, "%s: %llu frames, 50 %%: %.1f ms, 99 %%: %.1f ms, longest: %.1f ms\n",
                  what, (unsigned long long)times->count, app_frame_times_percentile(times, 50),
                  app_frame_times_percentile(times, 99), app_frame_times_percentile(times, 100));
}

static int play_window(struct app_player *player, int width, int height)
{
    keep_messages(player);
    player->failed = open_rest(player, width, height) != 0;
    if (!player->failed) {
        app_player_run(player);
    }
    if (!player->failed && player->options->frame_times) {
        print_times("drawing", &player->work);
        print_times("apart", &player->apart);
    }
    close_player(player);
    return player->failed ? APP_EXIT_FAILED : APP_EXIT_DONE;
}

static int play_list(const struct app_options *options, const struct preset_list *list,
                     const char *folder)
{
    const struct app_size size = app_options_size(options);
    struct app_player player = {.options = options, .list = list};
    player.fps = app_options_fps(options);
    rend_loud_start(&player.loud, options->cut_on_loud > 0 ? options->cut_on_loud : 1);
    player.advance = options->advance > 0 ? options->advance : USUAL_ADVANCE;
    player.steps = app_steps_of(options, app_rate_of(player.fps));
    const struct ui_window_config config = {"froth", size.width, size.height, options->fullscreen};
    switch (ui_window_open(&player.window, &config, &base_diag_stderr)) {
    case UI_WINDOW_OPEN:
        return play_window(&player, size.width, size.height);
    case UI_WINDOW_NO_DISPLAY:
        return app_play_instead(options, folder);
    default:
        return APP_EXIT_FAILED;
    }
}

int app_play(const struct app_options *options)
{
    if (options->audio != NULL && options->audio_device != NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){0}, "give one of them",
                    "--audio plays a sound, --audio-device listens to one");
        return APP_EXIT_USAGE;
    }
    struct preset_list list = {0};
    char folder[APP_PLAY_PATH_MAX];
    int result = APP_EXIT_FAILED;
    if (app_play_inputs(&list, options, folder, &base_diag_stderr) == 0) {
        result = play_list(options, &list, folder);
    }
    preset_list_free(&list);
    return result;
}
