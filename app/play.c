#include <stdlib.h>

#include "app/io/audio.h"
#include "app/options.h"
#include "app/play_inputs.h"
#include "app/player.h"

enum {
    DEFAULT_WIDTH = 1280,
    DEFAULT_HEIGHT = 720,
    DEFAULT_MESH_X = 48,
    DEFAULT_MESH_Y = 36,
    DEFAULT_FPS = 60,
    FALLBACK_SECONDS = 10,
    THREADS_MAX = 64,
    SOUND_FRAMES_MIN = 4096,
    SOUND_FRAMES_MAX = 4 * APP_AUDIO_RATE,
};

static size_t thread_count(const struct app_options *options)
{
    const size_t wanted = options->threads > 0 ? (size_t)options->threads : base_processor_count();
    return wanted < THREADS_MAX ? wanted : THREADS_MAX;
}

static int open_renderer(struct app_player *player, int width, int height)
{
    const struct app_options *options = player->options;
    player->pool = base_pool_create(thread_count(options));
    const struct rend_config config = {
        .width = width,
        .height = height,
        .mesh_x = options->mesh.width > 0 ? options->mesh.width : DEFAULT_MESH_X,
        .mesh_y = options->mesh.height > 0 ? options->mesh.height : DEFAULT_MESH_Y,
        .fps = player->fps,
        .seed = options->seed,
        .cpu = app_options_cpu(options),
        .pool = player->pool,
    };
    player->rend = rend_create(&config);
    player->picture =
        (struct ui_surface){.width = width, .height = height, .stride = (size_t)width};
    player->picture.pixels = calloc((size_t)width * (size_t)height, sizeof(uint32_t));
    const double per_frame = 4 * APP_AUDIO_RATE / player->fps;
    player->sample_frames = per_frame < SOUND_FRAMES_MIN   ? SOUND_FRAMES_MIN
                            : per_frame > SOUND_FRAMES_MAX ? SOUND_FRAMES_MAX
                                                           : (size_t)per_frame;
    player->samples = calloc(player->sample_frames, 2 * sizeof *player->samples);
    player->overlay = ui_overlay_create(width, height, &base_diag_stderr);
    if (player->rend == NULL || player->picture.pixels == NULL || player->samples == NULL ||
        player->overlay == NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){0}, "try a smaller --size",
                    "not enough memory for pictures of %dx%d", width, height);
        return -1;
    }
    return 0;
}

static int open_rest(struct app_player *player, int width, int height)
{
    player->sound = app_sound_open(player->options, &base_diag_stderr);
    if (player->sound == NULL || open_renderer(player, width, height) != 0) {
        return -1;
    }
    const char *note = app_sound_note(player->sound);
    if (note != NULL) {
        ui_overlay_set_message(player->overlay, note, 0);
    }
    player->loader = app_loader_start(player->list, player->options->seed, &base_diag_stderr);
    return player->loader == NULL ? -1 : 0;
}

static void close_player(struct app_player *player)
{
    rend_free(player->rend);
    if (player->loader != NULL) {
        app_loader_retire(player->loader, player->current);
        app_loader_stop(player->loader);
    }
    app_sound_close(player->sound);
    ui_overlay_free(player->overlay);
    free(player->samples);
    free(player->picture.pixels);
    base_pool_destroy(player->pool);
    ui_window_close(player->window);
}

/* Without a display, what would have been seen goes to a video. */
static int render_instead(const struct app_options *options, const char *folder)
{
    struct app_options changed = *options;
    changed.command = APP_RENDER;
    changed.output = "froth-demo.mp4";
    changed.audio = options->audio != NULL ? options->audio : "demo";
    changed.audio_device = NULL;
    if (options->input_count == 0) {
        changed.inputs = &folder;
        changed.input_count = 1;
    }
    if (options->size.width == 0) {
        changed.size = (struct app_size){DEFAULT_WIDTH, DEFAULT_HEIGHT};
    }
    if (options->duration < 0) {
        changed.duration = FALLBACK_SECONDS;
    }
    base_report(&base_diag_stderr, BASE_NOTE, (struct base_place){0}, NULL,
                "painting %g seconds into %s instead of a window", changed.duration,
                changed.output);
    return app_render(&changed);
}

static int play_list(const struct app_options *options, const struct preset_list *list,
                     const char *folder)
{
    const bool sized = options->size.width > 0;
    const int width = sized ? options->size.width : DEFAULT_WIDTH;
    const int height = sized ? options->size.height : DEFAULT_HEIGHT;
    struct app_player player = {.options = options, .list = list};
    player.fps = options->fps > 0 ? options->fps : DEFAULT_FPS;
    const struct ui_window_config config = {"froth", width, height, options->fullscreen};
    player.window = ui_window_open(&config, &base_diag_stderr);
    if (player.window == NULL) {
        return render_instead(options, folder);
    }
    player.failed = open_rest(&player, width, height) != 0;
    if (!player.failed) {
        app_player_run(&player);
    }
    close_player(&player);
    return player.failed ? APP_EXIT_FAILED : APP_EXIT_DONE;
}

int app_play(const struct app_options *options)
{
    struct preset_list list = {0};
    char folder[APP_PLAY_PATH_MAX];
    int result = APP_EXIT_FAILED;
    if (app_play_inputs(&list, options, folder, &base_diag_stderr) == 0) {
        result = play_list(options, &list, folder);
    }
    preset_list_free(&list);
    return result;
}
