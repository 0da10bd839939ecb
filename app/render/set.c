#include "app/render/set.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench/bench.h"
#include "app/device/device.h"
#include "app/render/film.h"
#include "app/set/set.h"
#include "app/set/sheets.h"
#include "base/os/file.h"
#include "base/os/print.h"
#include "engine/embed/program.h"
#include "presets/file.h"
#include "presets/library/find.h"

static const struct base_place NOWHERE = {0};

struct rendering {
    struct app_options options; /* with what the set has */
    struct app_film film;
    struct app_set set;
    struct engine_device *device; /* NULL: the processor */
    struct app_set_play *play;
    struct app_stage_times times; /* if they are wanted */
    struct app_time from;         /* when the step began that is under way */
    char sound[4096 + 16];
    bool flawed;
};

bool app_render_is_set(const struct app_options *options)
{
    return options->input_count == 1 && app_set_is(options->inputs[0]);
}

static int check_usage(const struct app_options *options)
{
    const struct {
        bool is;
        const char *what;
    } wrongs[] = {
        {options->audio != NULL, "a set has its own sound"},
        {app_render_is_for_board(options), "a set is drawn by this machine"},
        {options->light != NULL || options->light_recording != NULL, "a set has its own light"},
        {options->seed != 0 || options->mesh.width > 0 || options->levels != NULL ||
             options->step_rate.numerator > 0 || options->between != NULL || options->tempo > 0,
         "a set knows its seed, mesh, levels, steps and tempo"},
        {options->transition != NULL || options->blend >= 0 || options->memory > 0,
         "a set knows its transitions and the memory of its presets"},
    };
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        if (wrongs[i].is) {
            base_report(&base_diag_stderr, BASE_ERROR, NOWHERE,
                        "leave the option out, or change events.yaml", "%s", wrongs[i].what);
            return 1;
        }
    }
    return 0;
}

static void receive(void *user, const struct base_diag *diag)
{
    struct rendering *rendering = user;
    rendering->flawed = rendering->flawed || diag->severity == BASE_ERROR;
    rendering->film.sink.receive(rendering->film.sink.user, diag);
}

static void count_step(void *user, unsigned events)
{
    struct rendering *rendering = user;
    (void)events;
    app_stage_times_count(&rendering->times, rendering->from);
    rendering->from = app_stage_times_now(&rendering->times);
}

static const uint32_t *draw(void *user, uint64_t number)
{
    struct rendering *rendering = user;
    (void)number;
    if (rendering->options.stage_times) {
        rendering->from = app_stage_times_now(&rendering->times);
    }
    engine_device_watch(rendering->device, &rendering->film.sink);
    return app_set_play_next(rendering->play);
}

static void bring(void *user)
{
    struct rendering *rendering = user;
    if (rendering->options.stage_times) {
        rendering->from = app_stage_times_now(&rendering->times);
    }
    app_set_play_bring(rendering->play);
    engine_device_watch(rendering->device, &rendering->film.sink);
    if (rendering->options.stage_times) {
        app_stage_times_count_more(&rendering->times, rendering->from);
    }
}

/* Pictures from --from to --to, or as long as --duration and --frames say. */
static uint64_t count_frames(const struct app_options *options, struct engine_rate rate,
                             uint64_t most, double from, double to)
{
    uint64_t frames = most;
    if (options->frames > 0) {
        frames = options->frames;
    } else if (options->duration > 0) {
        frames = engine_rate_frames(rate, options->duration);
    } else if (to > from) {
        frames = engine_rate_frames(rate, to - from);
    }
    return frames < most ? frames : most;
}

static int prepare(struct rendering *rendering, const struct base_diag_sink *sink)
{
    struct app_options *options = &rendering->options;
    struct app_set *set = &rendering->set;
    const double from = fmax(options->from, 0);
    const double to = fmax(options->to, 0);
    if (app_set_open(set, options->inputs[0], sink) != 0) {
        return -1;
    }
    if (options->to >= 0 && to <= from) {
        base_report(sink, BASE_ERROR, NOWHERE, "--from 1:10:00 --to 1:14:00",
                    "--from is a time of the set before that of --to");
        return 1;
    }
    if (app_device_open(options, &rendering->device, sink) != 0) {
        return -1;
    }
    if (options->stage_times) {
        app_stage_times_begin(&rendering->times);
    }
    const struct app_set_wishes wishes = {
        .size = options->size,
        .rate = options->fps,
        .as_shown = options->as_shown,
        .from = from,
        .shaders = options->shaders != NULL ? app_options_shaders(options) : 0,
        .threads = app_options_threads(options),
        .cpu = app_options_cpu(options),
        .device = engine_device_stages(rendering->device),
        .later = rendering->device != NULL,
        .turns = rendering->device != NULL ? APP_FILM_PICTURES_BROUGHT : APP_FILM_PICTURES,
        .observer = options->stage_times ? &rendering->times.observer : NULL,
        .textures = options->textures,
        .stepped = options->stage_times ? count_step : NULL,
        .user = rendering,
    };
    rendering->play = app_set_play_open(set, &wishes, sink);
    if (rendering->play == NULL) {
        return -1;
    }
    const struct engine_rate rate = app_set_play_rate(rendering->play);
    options->frames = count_frames(options, rate, app_set_play_frames(rendering->play), from, to);
    if (options->frames == 0) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = set->folder}, NULL,
                    "there are no pictures in this part of the set");
        return -1;
    }
    const bool heard = set->frames[set->frame_count - 1].heard > 0;
    (void)snprintf(rendering->sound, sizeof rendering->sound, "%s/sound", set->folder);
    options->audio = heard ? rendering->sound : NULL;
    options->start = from;
    rendering->film.silent = !heard;
    return app_film_open(&rendering->film, options, app_set_play_size(rendering->play), rate);
}

static bool is_video(const char *output)
{
    const char *dot = output != NULL && strcmp(output, "-") != 0 ? strrchr(output, '.') : NULL;
    return dot != NULL && strcmp(dot, ".png") != 0;
}

/* The preset that is shown at the end. */
static int write_snapshot(const struct rendering *rendering, const char *path,
                          const struct base_diag_sink *sink)
{
    char file[4096 + 16];
    size_t size = 0;
    enum preset_language language = PRESET_LANGUAGE_MILK;
    char *text = instance_text(app_set_play_show(rendering->play), &size, &language);
    if (text == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = path}, NULL,
                    "there is no preset at the end of this part of the set");
        return -1;
    }
    const char *ending = language == PRESET_LANGUAGE_BOARD ? ".fnp" : ".milk";
    (void)snprintf(file, sizeof file, "%s%s", path, preset_is_file_name(path) ? "" : ending);
    const struct base_span words = {text, size};
    (void)base_folder_make_above(file); /* what is wrong with it, writing the file says */
    const int result = rendering->options.overwrite ? preset_edit_save(file, words, sink)
                                                    : preset_edit_save_new(file, words, sink);
    free(text);
    return result;
}

static int make(struct rendering *rendering)
{
    struct app_film *film = &rendering->film;
    const struct app_options *options = &rendering->options;
    const double rate = engine_rate_value(film->rate);
    const struct app_video_chapter *chapters = NULL;
    const double to = options->start + (double)options->frames / rate;
    const size_t count = app_set_chapters(&rendering->set, options->start, to, &chapters);
    film->chapters = chapters;
    film->chapter_count = count;
    const struct app_film_painter painter = {draw, rendering->device != NULL ? bring : NULL,
                                             rendering};
    if (app_film_make(film, &painter) != 0) {
        return -1;
    }
    if (is_video(options->output) &&
        app_set_sheets_write(options->output, chapters, count, rate) != 0) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){.file = options->output},
                    NULL, "the cue sheet beside it cannot be written: %s", strerror(errno));
        return -1;
    }
    if (options->snapshot != NULL &&
        write_snapshot(rendering, options->snapshot, &base_diag_stderr) != 0) {
        return -1;
    }
    return rendering->flawed ? -1 : 0;
}

int app_render_set(const struct app_options *options)
{
    struct rendering rendering = {.options = *options};
    const struct base_diag_sink sink = {receive, &rendering};
    if (check_usage(options) != 0) {
        return 1;
    }
    rendering.film.sink = base_diag_stderr;
    int result = prepare(&rendering, &sink);
    if (result == 0) {
        result = make(&rendering);
        app_stage_times_print(&rendering.times, stderr);
        if (options->stage_times) {
            app_device_print_account(stderr, rendering.device);
        }
    }
    app_film_close(&rendering.film);
    app_set_play_close(rendering.play);
    app_device_close(rendering.device, &rendering.film.sink);
    app_set_close(&rendering.set);
    return result;
}
