#include "app/render_board.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/board_sound.h"
#include "app/io/rate.h"
#include "app/io/video.h"
#include "app/picture_hash.h"
#include "app/progress.h"
#include "app/stop.h"
#include "base/hash.h"
#include "presets/library.h"
#include "renderer/board_host.h"

static const double ENDLESS_SECONDS = 10; /* of a sound without an end */
static const struct base_place NOWHERE = {0};

enum { WIDTH = REND_BOARD_WIDTH, HEIGHT = REND_BOARD_HEIGHT };

/* Zero until it is prepared, so that freeing needs no order. */
struct rendering {
    const struct app_options *options;
    const char *sound_name;
    uint32_t fps;
    uint64_t frames;
    struct app_board_sound sound;
    bool flawed; /* the sound broke off, which has been reported */
    struct preset_list list;
    size_t next;  /* preset of the list */
    uint64_t end; /* the frame, from 0, before which the current one ends */
    struct rend_board_loaded *loaded;
    struct rend_board_host *host;
    struct rend_board *board;
    struct app_video *video;
    uint32_t *pixels;
    unsigned char *hash_row;
    uint64_t chain; /* of the frame hashes */
    struct app_progress progress;
    struct base_diag_sink sink;
    int16_t samples[2 * REND_BOARD_SAMPLES];
};

bool app_render_is_for_board(const struct app_options *options)
{
    return options->target != NULL && strcmp(options->target, "milkymist-one") == 0;
}

static uint32_t rate_of(const struct app_options *options)
{
    return options->fps > 0 ? (uint32_t)options->fps : REND_BOARD_FPS_MIN;
}

int app_render_board_check(const struct app_options *options)
{
    const double fps = options->fps > 0 ? options->fps : REND_BOARD_FPS_MIN;
    const bool sized =
        options->size.width > 0 && (options->size.width != WIDTH || options->size.height != HEIGHT);
    const bool meshed = options->mesh.width > 0 && (options->mesh.width != REND_BOARD_MESH ||
                                                    options->mesh.height != REND_BOARD_MESH);
    const struct {
        bool is;
        const char *what;
        const char *hint;
    } wrongs[] = {
        {sized, "the board's pictures have 640x480 pixels", "leave --size out"},
        {fps != REND_BOARD_FPS_MIN && fps != REND_BOARD_FPS_MAX,
         "the board draws 24 or 30 frames per second", "--fps 24 or --fps 30"},
        {meshed, "the board's mesh has 32x32 squares", "leave --mesh out"},
        {options->step_rate > 0 || options->between != NULL, "the board draws each step once",
         "leave --step-rate and --between out"},
        {options->levels != NULL && strcmp(options->levels, "board") != 0,
         "the board measures with filters of its own", "leave --levels out"},
        {options->stage_times, "the board's stages are not timed", "leave --stage-times out"},
    };
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        if (wrongs[i].is) {
            base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, wrongs[i].hint, "%s",
                        wrongs[i].what);
            return -1;
        }
    }
    return 0;
}

static int fail(const struct rendering *rendering, const char *what)
{
    base_report(&rendering->sink, BASE_ERROR, NOWHERE, NULL, "%s", what);
    return -1;
}

static double start_of(const struct app_options *options)
{
    return options->start > 0 ? options->start : 0;
}

static int open_sound(struct rendering *rendering)
{
    const double start = start_of(rendering->options);
    struct app_audio *audio = app_audio_open(rendering->sound_name, &rendering->sink);
    rendering->sound.audio = audio;
    if (audio == NULL) {
        return -1;
    }
    if (start > 0 && app_audio_seek(audio, (uint64_t)llround(start * APP_AUDIO_RATE)) != 0) {
        base_report(&rendering->sink, BASE_ERROR,
                    (struct base_place){.file = rendering->sound_name}, NULL,
                    "cannot begin at that place of the sound");
        return -1;
    }
    return 0;
}

static uint64_t length_in_frames(const struct rendering *rendering)
{
    const struct app_options *options = rendering->options;
    const struct app_rate rate = {rendering->fps, 1};
    const double seconds = app_audio_seconds(rendering->sound.audio);
    const double rest = seconds < 0 ? ENDLESS_SECONDS : fmax(seconds - start_of(options), 0);
    if (options->frames > 0) {
        return options->frames;
    }
    return app_rate_frames(rate, options->duration > 0 ? options->duration : fmin(rest, 1e6));
}

static int list_presets(struct rendering *rendering)
{
    const struct app_options *options = rendering->options;
    for (size_t i = 0; i < options->input_count; i++) {
        (void)preset_list_add(&rendering->list, options->inputs[i], &rendering->sink);
    }
    return rendering->list.count > 0 ? 0 : fail(rendering, "there is no preset to render");
}

static int allocate(struct rendering *rendering)
{
    const struct app_options *options = rendering->options;
    rendering->host = rend_board_host_create(app_options_cpu(options));
    rendering->board = calloc(1, sizeof *rendering->board);
    rendering->pixels = calloc((size_t)WIDTH * HEIGHT, sizeof *rendering->pixels);
    rendering->hash_row = malloc(4 * (size_t)WIDTH);
    if (rendering->host == NULL || rendering->board == NULL || rendering->pixels == NULL ||
        rendering->hash_row == NULL) {
        return fail(rendering, "not enough memory");
    }
    rend_board_init(rendering->board, rend_board_host_units(rendering->host), rendering->fps);
    return 0;
}

static int open_video(struct rendering *rendering)
{
    const struct app_options *options = rendering->options;
    const struct app_video_format format = {
        .width = WIDTH,
        .height = HEIGHT,
        .fps = rendering->fps,
        .frames = rendering->frames,
        .audio = rendering->sound_name,
        .audio_start = start_of(options),
    };
    if (options->output == NULL) {
        return 0;
    }
    rendering->video = app_video_open(options->output, &format, &rendering->sink);
    return rendering->video != NULL ? 0 : -1;
}

static struct rend_board_loaded *load(const struct rendering *rendering, const char *path)
{
    struct preset preset;
    if (preset_read_file(&preset, path, &rendering->sink) != 0) {
        return NULL;
    }
    struct rend_board_loaded *loaded = rend_board_patch_create(
        &preset, rendering->fps, rendering->options->seed, &rendering->sink);
    preset_free(&preset);
    return loaded;
}

static int take(struct rendering *rendering, struct rend_board_loaded *loaded)
{
    if (rend_board_host_take(rendering->host, loaded) != 0) {
        rend_board_patch_free(loaded);
        return fail(rendering, "not enough memory");
    }
    (void)rend_board_load(rendering->board, &loaded->patch);
    rend_board_patch_free(rendering->loaded);
    rendering->loaded = loaded;
    return 0;
}

/* The next preset that loads, where one ends: each gets the same part of the frames. When there is
 * none the former one goes on; only the first must load. */
static int change_preset(struct rendering *rendering, uint64_t frame)
{
    while (frame >= rendering->end && rendering->next < rendering->list.count &&
           !app_stop_wanted()) {
        const uint64_t left = rendering->frames - frame;
        const uint64_t presets = rendering->list.count - rendering->next;
        struct rend_board_loaded *loaded =
            load(rendering, rendering->list.paths[rendering->next++]);
        if (loaded != NULL) {
            rendering->end = frame + (presets < left ? left / presets : 1);
            return take(rendering, loaded);
        }
    }
    return rendering->loaded != NULL ? 0 : fail(rendering, "there is no preset to render");
}

static int prepare(struct rendering *rendering)
{
    if (open_sound(rendering) != 0 || list_presets(rendering) != 0) {
        return -1;
    }
    rendering->frames = length_in_frames(rendering);
    return allocate(rendering) != 0 || change_preset(rendering, 0) != 0 ? -1
                                                                        : open_video(rendering);
}

static void release(struct rendering *rendering)
{
    app_video_discard(rendering->video);
    rend_board_patch_free(rendering->loaded);
    rend_board_host_free(rendering->host);
    preset_list_free(&rendering->list);
    app_audio_close(rendering->sound.audio);
    free(rendering->board);
    free(rendering->pixels);
    free(rendering->hash_row);
}

static void step(struct rendering *rendering)
{
    const uint32_t count = REND_BOARD_RATE / rendering->fps;
    const struct rend_board_input input = {.samples = rendering->samples, .sample_count = count};
    app_board_sound_read(&rendering->sound, rendering->samples, count);
    const char *error = app_audio_error(rendering->sound.audio);
    if (error != NULL && !rendering->flawed) {
        rendering->flawed = true;
        base_report(&rendering->sink, BASE_WARNING,
                    (struct base_place){.file = rendering->sound_name}, NULL,
                    "the sound breaks off, silence follows: %s", error);
    }
    rend_board_step(rendering->board, &input);
    rend_board_host_show(rendering->host, rendering->pixels, WIDTH);
}

static int fail_printing(const struct rendering *rendering)
{
    const int reason = errno;
    base_report(&rendering->sink, BASE_ERROR, NOWHERE, NULL, "standard output: %s",
                strerror(reason));
    return -1;
}

static int put_out(struct rendering *rendering, uint64_t number)
{
    if (rendering->options->hash) {
        const uint64_t hash =
            app_picture_hash(rendering->pixels, WIDTH, HEIGHT, rendering->hash_row);
        rendering->chain = app_picture_hash_chain(rendering->chain, hash);
        app_progress_clear(&rendering->progress);
        if (printf("frame %" PRIu64 " %016" PRIx64 "\n", number, hash) < 0) {
            return fail_printing(rendering);
        }
    }
    return rendering->video != NULL ? app_video_frame(rendering->video, rendering->pixels) : 0;
}

static int render_frames(struct rendering *rendering)
{
    for (uint64_t number = 1; number <= rendering->frames; number++) {
        if (app_stop_wanted()) {
            return fail(rendering, "stopped");
        }
        if (change_preset(rendering, number - 1) != 0) {
            return -1;
        }
        step(rendering);
        if (put_out(rendering, number) != 0) {
            return -1;
        }
        app_progress_step(&rendering->progress, number);
    }
    return 0;
}

static int finish(struct rendering *rendering)
{
    if (rendering->options->hash &&
        (printf("all %016" PRIx64 "\n", rendering->chain) < 0 || fflush(stdout) != 0)) {
        return fail_printing(rendering);
    }
    struct app_video *video = rendering->video;
    rendering->video = NULL;
    return video != NULL ? app_video_finish(video) : 0;
}

static int render(struct rendering *rendering)
{
    if (prepare(rendering) != 0) {
        return -1;
    }
    app_progress_begin(&rendering->progress, stderr, "frames", rendering->frames);
    rendering->sink = app_progress_sink(&rendering->progress);
    int result = render_frames(rendering);
    result = result == 0 ? finish(rendering) : result;
    app_progress_end(&rendering->progress, rendering->frames, result == 0);
    return result;
}

int app_render_board(const struct app_options *options)
{
    struct rendering rendering = {
        .options = options,
        .sound_name = options->audio != NULL ? options->audio : "demo",
        .fps = rate_of(options),
        .chain = BASE_HASH_START,
        .sink = base_diag_stderr,
    };
    const int result = render(&rendering);
    release(&rendering);
    return result;
}
