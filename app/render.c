#include "app/options.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/changes.h"
#include "app/io/audio.h"
#include "app/io/rate.h"
#include "app/io/video.h"
#include "app/picture_hash.h"
#include "app/progress.h"
#include "app/render_board.h"
#include "app/scenes.h"
#include "app/stage_times.h"
#include "app/steps.h"
#include "app/stop.h"
#include "base/hash.h"

static const double ENDLESS_SECONDS = 10; /* of a sound without an end */
static const struct base_place NOWHERE = {0};

/* Everything of one rendering; zero until it is prepared, so that freeing needs no order. */
struct rendering {
    const struct app_options *options;
    const char *sound; /* name of the audio */
    struct rend_config config;
    struct app_rate rate;
    uint64_t frames;
    struct app_audio *audio;
    bool flawed; /* the sound broke off, which has been reported */
    struct app_scenes scenes;
    struct app_scene scene; /* that is drawn */
    struct rend_show *show;
    struct app_changes changes;
    bool begun; /* there is a preset that plays */
    struct app_video *video;
    struct app_steps steps;
    uint64_t step;    /* the newest, counted from 1 */
    uint32_t *pixels; /* of the newest step */
    uint32_t *former; /* of the step before, if steps are mixed */
    uint32_t *mixed;
    uint32_t *shown; /* one of them */
    unsigned char *hash_row;
    float *samples; /* of one step */
    uint64_t chain; /* of the frame hashes */
    struct app_progress progress;
    struct app_stage_times times; /* if they are wanted */
    struct base_diag_sink sink;
};

static int fail(const struct rendering *rendering, const char *what)
{
    base_report(&rendering->sink, BASE_ERROR, NOWHERE, NULL, "%s", what);
    return -1;
}

static int check_usage(const struct app_options *options)
{
    const char *what = NULL;
    const char *hint = "see 'froth help render'";
    if (options->input_count == 0) {
        what = "render needs a preset or a folder of presets";
    } else if (options->output == NULL && !options->hash) {
        what = "render needs an output";
        hint = "give it with -o OUT, or ask for --hash";
    } else if (options->hash && options->output != NULL && strcmp(options->output, "-") == 0) {
        what = "--hash and a video cannot both go to standard output";
        hint = "give a file with -o OUT";
    }
    if (what != NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, hint, "%s", what);
    }
    return what == NULL ? 0 : -1;
}

static void configure(struct rendering *rendering)
{
    const struct app_options *options = rendering->options;
    const struct app_size size = app_options_size(options);
    const struct app_size mesh = app_options_mesh(options);
    rendering->rate = app_rate_of(app_options_fps(options));
    rendering->steps = app_steps_of(options, rendering->rate);
    rendering->sound = options->audio != NULL ? options->audio : "demo";
    rendering->config = (struct rend_config){
        .width = size.width,
        .height = size.height,
        .mesh_x = mesh.width,
        .mesh_y = mesh.height,
        .fps = (double)rendering->steps.steps.numerator / rendering->steps.steps.denominator,
        .seed = options->seed,
        .levels = app_options_levels(options),
        .cpu = app_options_cpu(options),
    };
}

static double start_of(const struct app_options *options)
{
    return options->start > 0 ? options->start : 0;
}

static int open_audio(struct rendering *rendering)
{
    const double start = start_of(rendering->options);
    const struct base_place place = {.file = rendering->sound};
    rendering->audio = app_audio_open(rendering->sound, &rendering->sink);
    if (rendering->audio == NULL) {
        return -1;
    }
    const double seconds = app_audio_seconds(rendering->audio);
    if (seconds >= 0 && start > 0 && start >= seconds) {
        base_report(&rendering->sink, BASE_ERROR, place, NULL,
                    "--start is behind the end of the sound, which has %.3f seconds", seconds);
        return -1;
    }
    if (start > 0 &&
        app_audio_seek(rendering->audio, (uint64_t)llround(start * APP_AUDIO_RATE)) != 0) {
        base_report(&rendering->sink, BASE_ERROR, place, NULL,
                    "cannot begin at that place of the sound");
        return -1;
    }
    return 0;
}

static uint64_t length_in_frames(const struct rendering *rendering)
{
    const struct app_options *options = rendering->options;
    if (options->frames > 0) {
        return options->frames;
    }
    if (options->duration > 0) {
        return app_rate_frames(rendering->rate, options->duration);
    }
    const double seconds = app_audio_seconds(rendering->audio);
    const double rest = seconds < 0 ? ENDLESS_SECONDS : seconds - start_of(options);
    return app_rate_frames(rendering->rate, rest < 1e6 ? rest : 1e6);
}

static int allocate(struct rendering *rendering)
{
    const size_t width = (size_t)rendering->config.width;
    const size_t pixels = width * (size_t)rendering->config.height;
    const size_t samples = (size_t)app_rate_samples(rendering->steps.steps, 1) + 1;
    const bool blends = rendering->steps.blends;
    rendering->pixels = calloc(pixels, sizeof(uint32_t));
    rendering->former = blends ? calloc(pixels, sizeof(uint32_t)) : NULL;
    rendering->mixed = blends ? calloc(pixels, sizeof(uint32_t)) : NULL;
    rendering->hash_row = malloc(4 * width);
    rendering->samples = malloc(2 * samples * sizeof(float));
    rendering->show = rend_show_create(&rendering->config);
    if (rendering->pixels == NULL || rendering->hash_row == NULL || rendering->samples == NULL ||
        rendering->show == NULL ||
        (blends && (rendering->former == NULL || rendering->mixed == NULL))) {
        return fail(rendering, "not enough memory");
    }
    const int divisor = app_options_shaders(rendering->options);
    const int divisors[REND_SHADER_STAGES] = {divisor, divisor};
    rend_show_set_divisors(rendering->show, divisors);
    return 0;
}

static int open_video(struct rendering *rendering)
{
    const struct app_options *options = rendering->options;
    if (options->output == NULL) {
        return 0;
    }
    const struct app_video_format format = {
        .width = rendering->config.width,
        .height = rendering->config.height,
        .fps = (double)rendering->rate.numerator / rendering->rate.denominator,
        .frames = rendering->frames,
        .audio = rendering->sound,
        .audio_start = start_of(options),
    };
    rendering->video = app_video_open(options->output, &format, &rendering->sink);
    return rendering->video != NULL ? 0 : -1;
}

static struct base_pool *start_pool(const struct rendering *rendering)
{
    struct base_pool *pool = base_pool_create(app_options_threads(rendering->options));
    if (pool == NULL) {
        base_report(&rendering->sink, BASE_WARNING, NOWHERE, NULL,
                    "threads cannot be started; one paints everything");
    }
    return pool;
}

/* Presets that the show no longer uses. */
static void free_retired(struct rendering *rendering)
{
    struct rend_cue *cue = rend_show_retired(rendering->show);
    for (; cue != NULL; cue = rend_show_retired(rendering->show)) {
        struct rend_patch *patch = rend_cue_user(cue);
        rend_cue_free(cue);
        rend_patch_free(patch);
    }
}

/* Hands the scene's patch over to the show. */
static int take_patch(struct rendering *rendering, struct app_scene *scene, double seconds)
{
    const struct rend_moment moment = rend_show_moment(rendering->show);
    struct rend_change change = app_changes_next(&rendering->changes, seconds / 2);
    change.planned = seconds;
    change.user = scene->patch;
    struct rend_cue *cue =
        rend_cue_create(&rendering->config, scene->patch, &change, &moment, &rendering->sink);
    if (cue == NULL) {
        return -1;
    }
    rend_show_take(rendering->show, cue);
    scene->patch = NULL;
    rendering->begun = true;
    return 0;
}

/* Loads the scene that begins with this frame (from 0), if one does. When no other loads, or there
 * is no memory for it, the former one goes on; only the first must load. */
static int change_scene(struct rendering *rendering, uint64_t frame)
{
    struct app_scene *scene = &rendering->scene;
    if (frame < scene->end) {
        return 0;
    }
    struct app_scene next = {.end = rendering->frames};
    if (app_scenes_load(&rendering->scenes, frame, &next, &rendering->sink) != 0) {
        scene->end = next.end;
        return rendering->begun
                   ? 0
                   : fail(rendering,
                          app_stop_wanted() ? "stopped" : "there is no preset to render");
    }
    const double seconds = app_rate_seconds(rendering->rate, next.end - frame);
    if (take_patch(rendering, &next, seconds) != 0) {
        scene->end = next.end;
        app_scene_free(&next);
        return rendering->begun ? 0 : -1;
    }
    *scene = next;
    return 0;
}

static void note_short_shares(const struct rendering *rendering)
{
    const size_t presets = rendering->scenes.list.count;
    const double seconds = app_rate_seconds(rendering->rate, rendering->frames);
    if (presets > 1 && seconds < (double)presets) {
        base_report(&rendering->sink, BASE_NOTE, NOWHERE, "--duration makes it longer",
                    "%zu presets share %.3g seconds, less than one each", presets, seconds);
    }
}

static int prepare(struct rendering *rendering)
{
    const struct app_options *options = rendering->options;
    configure(rendering);
    rendering->config.pool = start_pool(rendering);
    if (options->stage_times) {
        app_stage_times_begin(&rendering->times);
        rendering->config.observer = &rendering->times.observer;
    }
    if (open_audio(rendering) != 0) {
        return -1;
    }
    rendering->frames = length_in_frames(rendering);
    if (app_scenes_open(&rendering->scenes, options, rendering->frames, &rendering->sink) != 0 ||
        allocate(rendering) != 0 || change_scene(rendering, 0) != 0) {
        return -1;
    }
    note_short_shares(rendering);
    return open_video(rendering);
}

static void release(struct rendering *rendering)
{
    app_video_discard(rendering->video);
    if (rendering->show != NULL) {
        rend_show_end(rendering->show);
        free_retired(rendering);
        rend_show_free(rendering->show);
    }
    app_scene_free(&rendering->scene);
    app_scenes_close(&rendering->scenes);
    app_audio_close(rendering->audio);
    base_pool_destroy(rendering->config.pool);
    free(rendering->samples);
    free(rendering->hash_row);
    free(rendering->pixels);
    free(rendering->former);
    free(rendering->mixed);
}

/* Behind the end of the sound, and where it breaks off, there is silence. */
static void read_samples(struct rendering *rendering, size_t count)
{
    const size_t got = app_audio_read(rendering->audio, rendering->samples, count);
    memset(rendering->samples + 2 * got, 0, 2 * (count - got) * sizeof(float));
    const char *error = got < count ? app_audio_error(rendering->audio) : NULL;
    if (error != NULL && !rendering->flawed) {
        rendering->flawed = true;
        base_report(&rendering->sink, BASE_WARNING, (struct base_place){.file = rendering->sound},
                    NULL, "the sound breaks off, silence follows: %s", error);
    }
}

static int print_hash(struct rendering *rendering, uint64_t number)
{
    const uint64_t hash = app_picture_hash(rendering->shown, rendering->config.width,
                                           rendering->config.height, rendering->hash_row);
    rendering->chain = app_picture_hash_chain(rendering->chain, hash);
    app_progress_clear(&rendering->progress);
    return printf("frame %" PRIu64 " %016" PRIx64 "\n", number, hash) < 0 ? -1 : 0;
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
    if (rendering->options->hash && print_hash(rendering, number) != 0) {
        return fail_printing(rendering);
    }
    return rendering->video != NULL ? app_video_frame(rendering->video, rendering->shown) : 0;
}

static unsigned step(struct rendering *rendering, const struct rend_input *input)
{
    const size_t width = (size_t)rendering->config.width;
    const bool timed = rendering->options->stage_times;
    const struct app_time from =
        timed ? app_stage_times_now(&rendering->times) : (struct app_time){0};
    const unsigned events = rend_show_step(rendering->show, input, rendering->pixels, width);
    if (timed) {
        app_stage_times_count(&rendering->times, from);
    }
    free_retired(rendering);
    return events;
}

static void make_step(struct rendering *rendering)
{
    const struct app_rate rate = rendering->steps.steps;
    const uint64_t samples_before = app_rate_samples(rate, rendering->step);
    const uint64_t number = ++rendering->step;
    const size_t samples = (size_t)(app_rate_samples(rate, number) - samples_before);
    if (rendering->steps.blends) {
        uint32_t *former = rendering->former;
        rendering->former = rendering->pixels;
        rendering->pixels = former;
    }
    read_samples(rendering, samples);
    const struct rend_input input = {
        .frame = number,
        .time = app_rate_seconds(rate, number),
        .fps = rendering->config.fps,
        .audio = rendering->samples,
        .audio_frames = samples,
    };
    app_scene_warn(&rendering->scene, step(rendering, &input), &rendering->sink);
}

/* Chooses or makes the picture of frame `number`. */
static void show(struct rendering *rendering, uint64_t number)
{
    const unsigned weight = app_steps_weight(&rendering->steps, number);
    rendering->shown = rendering->pixels;
    if (weight < APP_STEPS_WHOLE) {
        const struct rend_weights weights = rend_weights_even(weight);
        const size_t pixels = (size_t)rendering->config.width * (size_t)rendering->config.height;
        rend_cross_for(rendering->config.cpu)(rendering->mixed, rendering->former,
                                              rendering->pixels, NULL, pixels, &weights);
        rendering->shown = rendering->mixed;
    }
}

/* Draws frame `number`, counted from 1. */
static int render_frame(struct rendering *rendering, uint64_t number)
{
    if (change_scene(rendering, number - 1) != 0) {
        return -1;
    }
    const uint64_t due = app_steps_due(&rendering->steps, number);
    while (rendering->step < due) {
        make_step(rendering);
    }
    show(rendering, number);
    return put_out(rendering, number);
}

static int render_frames(struct rendering *rendering)
{
    for (uint64_t number = 1; number <= rendering->frames; number++) {
        if (app_stop_wanted()) {
            return fail(rendering, "stopped");
        }
        if (render_frame(rendering, number) != 0) {
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
    app_stage_times_print(&rendering->times, stderr);
    return result;
}

static int render_on_host(const struct app_options *options)
{
    struct rendering rendering = {
        .options = options,
        .changes = app_changes_of(options),
        .chain = BASE_HASH_START,
        .sink = base_diag_stderr,
    };
    const int result = render(&rendering);
    release(&rendering);
    return result;
}

int app_render(const struct app_options *options)
{
    const bool for_board = app_render_is_for_board(options);
    if (check_usage(options) != 0 || (for_board && app_render_board_check(options) != 0)) {
        return APP_EXIT_USAGE;
    }
    struct app_stop stop;
    app_stop_begin(&stop);
    const int result = for_board ? app_render_board(options) : render_on_host(options);
    app_stop_end(&stop);
    return result == 0 ? APP_EXIT_DONE : APP_EXIT_FAILED;
}
