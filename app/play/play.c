#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/device/device.h"
#include "app/io/audio.h"
#include "app/loading/loading.h"
#include "app/options/options.h"
#include "app/osc/osc.h"
#include "app/play/player.h"
#include "base/os/file.h"
#include "base/os/print.h"
#include "base/os/quiet.h"
#include "presets/library/find.h"

/* What `play` does where there is no display. */

enum { SECONDS = 10, PRESETS = 4, NAMES_MAX = 1000, NAME_SIZE = 32 };

static const struct base_place NOWHERE = {0};

/* Some presets of the folder, from all over it: each is to be seen for a while. */
static int paint_some(struct app_options *options, const char *folder)
{
    struct preset_list list = {0};
    const char *some[PRESETS];
    if (preset_list_add(&list, folder, &base_diag_stderr) != 0) {
        return APP_EXIT_FAILED;
    }
    options->inputs = some;
    options->input_count = list.count < PRESETS ? list.count : PRESETS;
    for (size_t i = 0; i < options->input_count; i++) {
        some[i] = list.paths[i * list.count / options->input_count];
    }
    options->advance = -1; /* all of them, however long a show would have stayed with one */
    const int result = app_render(options);
    preset_list_free(&list);
    return result;
}

/* Renders what would have been seen to froth-demo.mp4 in the current folder, or to froth-demo-2.mp4
 * and so on where that is taken; an odd size becomes even, as videos need it. folder: what is
 * played if the options name no preset. Returns an enum app_exit; prints its own messages. */
static int play_instead(const struct app_options *options, const char *folder)
{
    char name[NAME_SIZE] = "froth-demo.mp4";
    struct stat status;
    for (int i = 2; lstat(name, &status) == 0; i++) {
        if (i > NAMES_MAX) {
            base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, "use froth render and -o",
                        "there are too many files froth-demo-N.mp4");
            return APP_EXIT_FAILED;
        }
        (void)snprintf(name, sizeof name, "froth-demo-%d.mp4", i);
    }
    struct app_options changed = *options;
    changed.command = APP_RENDER;
    changed.output = name;
    changed.size = (struct app_size){options->size.width + options->size.width % 2,
                                     options->size.height + options->size.height % 2};
    changed.audio = options->audio != NULL ? options->audio : "demo";
    changed.audio_device = NULL;
    if (options->audio_device != NULL) {
        base_report(&base_diag_stderr, BASE_NOTE, NOWHERE, NULL,
                    "--audio-device is for a window; the built-in tune is heard in its place");
    }
    if (options->duration < 0) {
        changed.duration = SECONDS;
    }
    if (options->share.count + options->stream.count > 0) {
        base_report(&base_diag_stderr, BASE_NOTE, NOWHERE, NULL,
                    "--share and --stream are for a window; nothing is shared");
    }
    base_report(&base_diag_stderr, BASE_NOTE, NOWHERE, NULL,
                "painting %g second%s into %s instead of a window", changed.duration,
                changed.duration == 1 ? "" : "s", name);
    return options->input_count == 0 ? paint_some(&changed, folder) : app_render(&changed);
}

/* The window: opening, running, closing. */

enum {
    PATH_SIZE = 4096,
};

/* Tells whether an option has this value; not given, it has the first one of options.def. */
static bool is_chosen(const char *given, const char *word)
{
    return given != NULL && strcmp(given, word) == 0;
}

static double advance_of(const struct app_options *options)
{
    static const double usual = 30; /* seconds */
    return options->advance > 0 ? options->advance : usual;
}

/* A frame of any preset ends within half a second: what drawing may cost (rend_frame_cost), and the
 * pixels of a picture, for each thread. Without AVX2 they are so many times fewer. */
enum { THREAD_COST = 300 * 1000 * 1000, THREAD_PIXELS = 1 << 21 };

static int times_as_slow(const struct app_options *options)
{
    static const int times[BASE_CPU_LEVEL_COUNT] = BASE_CPU_LEVELS(20, 3, 1, 1);
    return times[app_options_cpu(options)];
}

static int times_as_small(const struct app_options *options)
{
    static const int times[BASE_CPU_LEVEL_COUNT] = BASE_CPU_LEVELS(4, 2, 1, 1);
    return times[app_options_cpu(options)];
}

static int64_t frame_cost(const struct app_options *options)
{
    const int64_t threads = (int64_t)app_options_threads(options);
    return THREAD_COST * threads / times_as_slow(options);
}

/* The size that the options ask for, or a smaller one of the same shape. */
static struct app_size drawn_size(const struct app_options *options)
{
    struct app_size size = app_options_size(options);
    const int64_t threads = (int64_t)app_options_threads(options);
    const int64_t most = THREAD_PIXELS * threads / times_as_small(options);
    const double pixels = (double)size.width * size.height;
    const double scale = sqrt((double)most / pixels);
    if (scale < 1) {
        size.width = (int)fmax(size.width * scale, REND_SIZE_MIN);
        size.height = (int)fmax(size.height * scale, REND_SIZE_MIN);
    }
    return size;
}

/* Values that a show begins with and that are commands as well. */
static void set_values(struct app_player *player)
{
    const struct app_options *options = player->options;
    (void)froth_set(player->show, "vary", fmax(options->advance_vary, 0));
    (void)froth_set(player->show, "cut-on-beat", (double)options->cut_on_beat);
    (void)froth_set(player->show, "cut-on-loud", fmax(options->cut_on_loud, 0));
    (void)froth_set(player->show, "wait-beats", (double)options->wait_beats);
    if (options->tempo > 0) {
        (void)froth_set(player->show, "tempo", options->tempo);
    }
    if (options->clock != NULL) {
        char words[32];
        (void)snprintf(words, sizeof words, "clock %s", options->clock);
        (void)froth_do(player->show, words);
    }
    (void)froth_set(player->show, "hard", is_chosen(options->change, "hard"));
    (void)froth_set_adaptive(player->show, player->fixed_divisor == 0);
}

/* Recordings are of a show from its beginning where --record asks for that. */
static int open_recorder(struct app_player *player, const struct froth_config *config)
{
    static const double gigabyte = 1e9;
    static const double usual = 20;
    const struct app_options *options = player->options;
    struct app_set_head head = {.config = *config, .speed = player->speed};
    head.cost = frame_cost(options);
    (void)snprintf(head.froth, sizeof head.froth, "%s", FROTH_VERSION);
    (void)snprintf(head.transition, sizeof head.transition, "%s",
                   config->transition != NULL ? config->transition : "");
    const double space = options->record_space > 0 ? options->record_space : usual;
    const size_t keep = app_options_keep(options);
    player->past = keep > 0 ? app_set_past_create(&head, keep) : NULL;
    if (keep > 0 && player->past == NULL) {
        base_report(&player->sink, BASE_ERROR, NOWHERE, "try a smaller --keep",
                    "not enough memory to keep the last minutes of the show");
        return -1;
    }
    player->recorder =
        app_set_recorder_create(&head, (uint64_t)(space * gigabyte), player->past, &player->sink);
    if (player->recorder == NULL || options->record == NULL || player->resume.state != NULL) {
        return player->recorder != NULL ? 0 : -1;
    }
    return app_set_recorder_begin(player->recorder,
                                  is_chosen(options->record, "always") ? NULL : options->record);
}

/* The show as it stood when its recording was cut off; recorded on, if that is asked for. */
static int resume_show(struct app_player *player)
{
    struct app_set_resume *resume = &player->resume;
    const char *name = player->options->record;
    if (app_set_state_give(player->show, resume->state, resume->size, &player->sink) != 0) {
        return -1;
    }
    app_set_resume_free(resume);
    player->base = froth_frame(player->show);
    if (name != NULL) {
        app_set_recorder_want(player->recorder, is_chosen(name, "always") ? NULL : name);
    }
    return 0;
}

static void hear_past(void *user, const float *samples, size_t frames)
{
    const struct app_player *player = user;
    if (player->sound != NULL) {
        app_sound_put_past(player->sound, samples, frames);
    }
}

static int open_show(struct app_player *player, int width, int height)
{
    const struct app_options *options = player->options;
    struct froth_config config = app_show_config(options, (struct app_size){width, height});
    config.advance = advance_of(options);
    config.random = is_chosen(options->order, "random");
    player->blends = config.between != 0;
    player->textures = (struct app_textures){options->textures, &player->leaves};
    player->presets = (struct app_presets){player->library, player->overlay, APP_VERDICT_UNKNOWN};
    const struct rend_pictures found = app_pictures_of(&player->textures, options);
    if (open_recorder(player, &config) != 0) {
        return -1;
    }
    const struct rend_pictures pictures = app_set_recorder_pictures(player->recorder, &found);
    const struct instance_extras extras = {
        .cpu = app_options_cpu(options),
        .cost = frame_cost(options),
        .speed = player->speed,
        .device = engine_device_stages(player->device),
        .sink = &player->sink,
        .pictures = &pictures,
        .in_place = true,
        .source = app_presets_source(&player->presets),
        .dresser = app_presets_dresser(&player->presets),
        .watches = true,
        .opens = options->input_count == 0 && player->fixed_divisor == 0,
        .resumes = player->resume.state != NULL,
        .supply = app_player_supply(player),
        .watcher = app_set_recorder_watcher(player->recorder),
        .took = app_player_took,
        .adapted = app_player_adapted,
        .stepped = app_player_stepped,
        .user = player,
    };
    int result = FROTH_OK;
    player->show = instance_create(&config, &extras, &result);
    if (player->show == NULL) {
        base_report(&player->sink, BASE_ERROR, NOWHERE, "try a smaller --size", "%s",
                    froth_result_text(result));
        return -1;
    }
    const struct app_set_rewind_setup back = {.past = player->past,
                                              .size = {width, height},
                                              .threads = (size_t)config.threads,
                                              .cpu = extras.cpu,
                                              .textures = options->textures,
                                              .hear = hear_past,
                                              .user = player};
    player->rewind = app_set_rewind_create(&back, &player->sink);
    if (player->rewind == NULL) {
        return -1;
    }
    player->seen_past = (struct ui_surface){NULL, width, height, (size_t)width};
    player->engine = instance_engine(player->show);
    player->loader = instance_loader(player->show);
    set_values(player);
    return 0;
}

static int open_pictures(struct app_player *player, int width, int height)
{
    const struct app_options *options = player->options;
    player->hash_row = malloc(3 * (size_t)width);
    base_content_stream_begin(&player->hashed);
    player->samples = calloc(2 * (size_t)APP_AUDIO_KEPT, sizeof *player->samples);
    player->overlay = ui_overlay_create(width, height, &player->sink);
    const size_t pixels = (size_t)width * (size_t)height;
    player->picture =
        (struct ui_surface){calloc(pixels, sizeof(uint32_t)), width, height, (size_t)width};
    player->black =
        (struct ui_surface){calloc(pixels, sizeof(uint32_t)), width, height, (size_t)width};
    if (player->picture.pixels == NULL || player->black.pixels == NULL || player->samples == NULL ||
        player->hash_row == NULL || player->overlay == NULL) {
        base_report(&player->sink, BASE_ERROR, (struct base_place){0}, "try a smaller --size",
                    "not enough memory for pictures of %dx%d", width, height);
        return -1;
    }
    ui_overlay_set_bindings(player->overlay, player->bindings, &player->sink);
    player->names = (enum ui_overlay_names)app_options_names(options);
    ui_overlay_set_names(player->overlay, player->names);
    return 0;
}

static const struct app_source_way *const ways[APP_SOURCE_COUNT] = {
#define APP_SOURCE(id, name, way, who, when, help)    &app_source_##way,
#define APP_SOURCE_PAINTER(id, name, who, when, help) NULL,
#include "app/control/sources.def"
};
/* The sound that is played, where it is a file. */
static const char *sound_file(const struct app_options *options)
{
    const char *sound = options->audio;
    return sound == NULL || strcmp(sound, "demo") == 0 || strcmp(sound, "test") == 0 ? NULL : sound;
}

static int open_rest(struct app_player *player, int width, int height)
{
    player->door = app_door_open(ways, player->options, &player->sink);
    if (player->door == NULL ||
        app_light_open(&player->light, player->options, width, height, &player->sink) != 0 ||
        app_light_start(player->light, app_door_inlet(player->door, APP_SOURCE_LIGHT)) != 0 ||
        app_midi_open(&player->midi, player->options, &player->sink) != 0 ||
        app_midi_start(player->midi, app_door_inlet(player->door, APP_SOURCE_MIDI)) != 0) {
        return -1;
    }
    player->tempo = app_tempo_open(player->options, &player->sink);
    if (player->tempo == NULL) {
        return -1;
    }
    player->bindings = app_config_bindings(player->options, &player->sink);
    player->sound =
        player->bindings != NULL ? app_sound_open(player->options, &player->sink) : NULL;
    player->fixed_divisor = app_options_shaders(player->options);
    if (player->sound == NULL || open_pictures(player, width, height) != 0 ||
        open_show(player, width, height) != 0) {
        return -1;
    }
    const struct app_share_format shared = {width, height, app_options_fps(player->options)};
    if (app_share_open(&player->share, player->options, &shared, &player->sink) != 0) {
        return -1;
    }
    const struct app_titles_setup titles = {width, height, sound_file(player->options)};
    player->titled = (enum ui_overlay_names)app_options_titles(player->options);
    player->titled_at = -INFINITY;
    player->titles = app_titles_open(&titles, &player->sink);
    if (player->titles == NULL) {
        return -1;
    }
    if (player->titled != UI_NAMES_NEVER) {
        app_titles_want(player->titles);
    }
    const struct app_operator_setup operator_setup = {.library = player->library,
                                                      .past = player->past,
                                                      .loader = player->loader,
                                                      .sound = player->sound,
                                                      .bindings = player->bindings,
                                                      .messages = player->messages,
                                                      .door = player->door,
                                                      .midi = player->midi,
                                                      .device = player->device,
                                                      .width = width,
                                                      .height = height};
    player->operator_view = app_operator_start(&operator_setup, &player->sink);
    if (player->operator_view == NULL ||
        (player->resume.state != NULL && resume_show(player) != 0)) {
        return -1;
    }
    const struct app_remote_setup remote = {.options = player->options,
                                            .inlet =
                                                app_door_inlet(player->door, APP_SOURCE_REMOTE),
                                            .library = player->library,
                                            .terminal = &player->out,
                                            .width = width,
                                            .height = height};
    return app_remote_open(&player->remote, &remote, &player->sink);
}

static void close_player(struct app_player *player)
{
    app_operator_stop(player->operator_view);
    atomic_store(&player->leaves, true);
    app_set_recorder_switch(player->recorder, false);
    ui_window_close(player->window); /* it may still read the last picture of the show */
    player->counters.stages = engine_device_account(player->device).ran;
    player->counters.by_device = app_screen_count(player->screen);
    app_screen_free(player->screen);
    froth_free(player->show);
    app_device_close(player->device, &player->sink);
    app_set_recorder_close(player->recorder);
    app_set_rewind_close(player->rewind);
    app_set_past_free(player->past);
    app_sound_close(player->sound);
    app_titles_close(player->titles);
    ui_overlay_free(player->overlay);
    ui_bindings_free(player->bindings);
    free(player->samples);
    free(player->hash_row);
    free(player->picture.pixels);
    free(player->black.pixels);
    app_share_close(player->share);
    app_light_close(player->light);
    app_remote_close(player->remote);
    app_midi_close(player->midi);
    app_tempo_close(player->tempo);
    for (unsigned i = 0; player->door != NULL && i < APP_SOURCE_COUNT; i++) {
        player->came[i] = app_inlet_counts(app_door_inlet(player->door, (enum app_source)i));
    }
    app_door_close(player->door);
}

static void print_times(const char *what, const struct app_frame_times *times, double fps)
{
    const double limit = 2000 / fps;
    (void)fprintf(
        stderr,
        "%s: %llu frames, 50 %%: %.1f ms, 99 %%: %.1f ms, longest: %.1f ms, over %.1f ms: "
        "%llu\n",
        what, (unsigned long long)times->count, app_frame_times_percentile(times, 50),
        app_frame_times_percentile(times, 99), app_frame_times_percentile(times, 100), limit,
        (unsigned long long)app_frame_times_over(times, limit));
}

static void print_end(const struct app_player *player)
{
    if (player->options->frame_times) {
        print_times("drawing", &player->work, player->fps);
        for (size_t i = 0; i < player->late.count; i++) {
            const struct app_late_frame *late = &player->late.frames[i];
            struct app_library_entry entry = {.name = "?"};
            (void)app_library_entry(player->library, late->preset, &entry);
            (void)fprintf(stderr, "  %.1f ms, %.1f at work, at %.1f s: %s", 1000 * late->seconds,
                          1000 * late->busy, late->at, late->changes ? "change to " : "");
            base_plain(stderr, entry.name);
            (void)fputc('\n', stderr);
        }
        print_times("apart", &player->apart, player->fps);
    }
    if (player->options->counters) {
        app_counters_print(stderr, &player->counters);
        for (unsigned i = 0; i < APP_SOURCE_COUNT; i++) {
            app_inlet_print(stderr, (enum app_source)i, &player->came[i]);
        }
    }
}

static int play_library(struct app_player *player, const char *folder)
{
    const struct app_options *options = player->options;
    const struct app_size wanted = app_options_size(options);
    const struct app_size size = drawn_size(options);
    player->rate = app_options_fps(options);
    player->fps = engine_rate_value(player->rate);
    player->speed = options->speed > 0 ? options->speed : 1;
    struct ui_window_config config = {.title = "froth",
                                      .width = size.width,
                                      .height = size.height,
                                      .fullscreen = options->fullscreen,
                                      .monitor = options->monitor,
                                      .vsync = !is_chosen(options->vsync, "off")};
    struct base_overheard *overheard =
        player->output >= 0 ? base_overheard_begin(&player->sink) : NULL;
    enum ui_window_result window = UI_WINDOW_FAILED;
    if (app_device_open_to_show(options, &player->device, &player->sink) == 0) {
        player->screen = app_screen_create(engine_device_of(player->device));
        config.screen = app_screen_face(player->screen);
        window = ui_window_open(&player->window, &config, &player->sink);
    }
    if (window != UI_WINDOW_OPEN) {
        app_screen_free(player->screen);
        app_device_close(player->device, &player->sink);
        base_overheard_end(overheard);
        return window == UI_WINDOW_NO_DISPLAY ? play_instead(options, folder) : APP_EXIT_FAILED;
    }
    if (size.width < wanted.width) {
        base_report(&player->sink, BASE_NOTE, NOWHERE, "each of --threads draws a part of it",
                    "pictures are drawn with %dx%d pixels, so that frames come in time", size.width,
                    size.height);
    }
    player->failed = open_rest(player, size.width, size.height) != 0;
    if (!player->failed) {
        player->view_text =
            options->ui_scale > 0 ? (int)(UI_WINDOW_TEXT * options->ui_scale + 0.5) : 0;
        const char *view = options->operator_view;
        app_player_set_view(player, is_chosen(view, "window")    ? APP_VIEW_WINDOW
                                    : is_chosen(view, "overlay") ? APP_VIEW_OVERLAY
                                                                 : APP_VIEW_OFF);
        app_player_run(player);
    }
    close_player(player);
    base_overheard_end(overheard);
    if (!player->failed) {
        print_end(player);
    }
    return player->failed ? APP_EXIT_FAILED : APP_EXIT_DONE;
}

static const char *folder_or_none(bool wanted, enum base_folder folder, char *path, size_t size)
{
    return wanted && base_folder_path(folder, "", path, size) ? path : NULL;
}

static struct app_library *open_library(const struct app_options *options,
                                        const struct app_play_paths *paths,
                                        const struct base_diag_sink *sink)
{
    char data[PATH_SIZE];
    char cache[PATH_SIZE];
    const bool kept = !options->no_library;
    const struct app_library_setup setup = {
        .paths = paths->paths,
        .path_count = paths->count,
        .data = folder_or_none(kept, BASE_FOLDER_DATA, data, sizeof data),
        .cache = folder_or_none(kept, BASE_FOLDER_CACHE, cache, sizeof cache),
        .seed = options->seed,
        .thumbnails = kept,
        .textures = options->textures,
        .memory = app_options_memory(options),
        .words = options->words,
    };
    struct app_library *library = app_library_open(&setup, sink);
    if (library != NULL && is_chosen(options->order, "random")) {
        app_library_random(library, true);
    }
    return library;
}

int app_play(const struct app_options *options)
{
    if (options->audio != NULL && options->audio_device != NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){0}, "give one of them",
                    "--audio plays a sound, --audio-device listens to one");
        return APP_EXIT_USAGE;
    }
    const int shares = app_share_check(options, &base_diag_stderr);
    if (shares != APP_EXIT_DONE) {
        return shares;
    }
    struct app_play_paths paths;
    struct app_options resumed;
    struct app_player player = {.options = options, .output = -1};
    if (options->resume != NULL) {
        if (app_set_resume_read(&player.resume, options->resume, &base_diag_stderr) != 0) {
            return APP_EXIT_FAILED;
        }
        resumed = *options;
        app_set_resume_options(&player.resume, &resumed);
        player.options = options = &resumed;
    }
    int result = APP_EXIT_FAILED;
    /* Messages keep their way out while a sound library is kept quiet. */
    player.output = base_quiet_keep();
    player.out = player.output >= 0 ? base_diag_descriptor_sink(&player.output) : base_diag_stderr;
    (void)base_logger_open(&player.log, player.options->log, player.options->log_level,
                           &player.out);
    const struct base_diag_sink log = base_logger_sink(&player.log);
    player.messages = app_messages_create(&log);
    player.sink = player.messages != NULL ? app_messages_sink(player.messages) : player.out;
    if (player.messages != NULL && app_play_paths_of(&paths, options, &player.sink) == 0) {
        player.library = open_library(options, &paths, &player.sink);
        if (player.library != NULL && app_library_wait(player.library)) {
            result = play_library(&player, paths.shipped);
        }
        app_library_close(player.library);
    }
    app_set_resume_free(&player.resume);
    app_messages_free(player.messages);
    base_logger_close(&player.log);
    if (player.output >= 0) {
        (void)close(player.output);
    }
    return result;
}
