#include <stdlib.h>

#include "app/check/check.h"
#include "app/io/audio.h"
#include "app/io/picture.h"
#include "app/io/rate.h"
#include "app/loading/resources.h"
#include "app/render/running_order.h"
#include "base/hash.h"
#include "base/os/clock.h"
#include "presets/presets.h"
#include "renderer/renderer.h"

void app_check_watch_picture(struct app_check_watch *watch, const uint32_t *pixels, size_t count)
{
    const uint64_t hash = base_hash(BASE_HASH_START, pixels, count * sizeof *pixels);
    if (watch->pictures == 0) {
        watch->first_hash = hash;
    }
    watch->changed = watch->changed || hash != watch->first_hash;
    watch->seen = watch->seen || !app_picture_is_black(pixels, count);
    watch->pictures++;
}

struct run {
    const struct app_check_settings *settings;
    const char *path;
    struct app_check_talk talk;
    unsigned events; /* of all frames */
    struct base_diag_sink sink;
    struct preset preset;
    struct rend_resources *resources;
    struct rend_patch *patch;
    struct base_pool *pool; /* NULL: one thread */
    struct rend *rend;
    struct app_audio *audio;
    uint32_t *pixels;
    float *sound;
    struct app_rate rate;
    double fps;
    struct app_check_figures figures;
};

static int no_memory(struct run *run)
{
    base_report(&run->sink, BASE_ERROR, (struct base_place){.file = run->path}, NULL,
                "not enough memory");
    return -1;
}

static int load(struct run *run)
{
    const struct app_check_settings *settings = run->settings;
    const double start = base_clock_seconds();
    if (preset_read_file(&run->preset, run->path, &run->sink) != 0) {
        return -1;
    }
    run->resources = app_resources_create(settings->textures);
    run->patch = rend_patch_create(&run->preset, run->resources, &run->sink);
    if (run->patch == NULL) {
        return -1;
    }
    run->figures.load_ms = (base_clock_seconds() - start) * 1e3;
    if (settings->threads > 1 && (run->pool = base_pool_create(settings->threads)) == NULL) {
        return no_memory(run);
    }
    run->rend = rend_create(&(struct rend_config){
        .width = settings->width,
        .height = settings->height,
        .mesh_x = settings->mesh_x,
        .mesh_y = settings->mesh_y,
        .fps = run->fps,
        .seed = settings->seed,
        .levels = settings->levels,
        .cpu = settings->cpu,
        .pool = run->pool,
    });
    if (run->rend == NULL) {
        return no_memory(run);
    }
    if (rend_load(run->rend, run->patch, 0, &run->sink) != 0) {
        return -1;
    }
    const int divisors[REND_SHADER_STAGES] = {settings->divisor, settings->divisor};
    rend_set_divisors(run->rend, divisors);
    return 0;
}

static int open_sound(struct run *run)
{
    run->audio = app_audio_open(run->settings->audio, &run->sink);
    if (run->audio == NULL) {
        return -1;
    }
    const size_t samples = (size_t)app_rate_samples(run->rate, 1) + 1;
    run->sound = calloc(samples, 2 * sizeof *run->sound);
    run->pixels =
        calloc((size_t)run->settings->width * (size_t)run->settings->height, sizeof *run->pixels);
    return run->sound == NULL || run->pixels == NULL ? no_memory(run) : 0;
}

static enum app_check_status check(struct run *run)
{
    if (load(run) != 0 || open_sound(run) != 0) {
        return APP_CHECK_ERROR;
    }
    const struct app_check_settings *settings = run->settings;
    const size_t count = (size_t)settings->width * (size_t)settings->height;
    struct app_check_watch watch = {0};
    double total = 0;
    for (uint64_t frame = 1; frame <= settings->frames; frame++) {
        const uint64_t before = app_rate_samples(run->rate, frame - 1);
        const size_t wanted = (size_t)(app_rate_samples(run->rate, frame) - before);
        const struct rend_input input = {
            .frame = frame,
            .time = app_rate_seconds(run->rate, frame),
            .fps = run->fps,
            .audio = run->sound,
            .audio_frames = app_audio_read(run->audio, run->sound, wanted),
        };
        const double start = app_check_milliseconds();
        run->events |= rend_step(run->rend, &input, run->pixels, (size_t)settings->width);
        total += app_check_milliseconds() - start;
        if (frame > settings->frames / 2) {
            app_check_watch_picture(&watch, run->pixels, count);
        }
    }
    run->figures.frame_ms = total / (double)settings->frames;
    run->figures.black = !watch.seen;
    run->figures.frozen = watch.pictures > 1 && !watch.changed;
    struct app_scene scene = {.path = run->path};
    app_scene_warn(&scene, run->events, &run->sink);
    const bool whole =
        run->talk.errors == 0 && run->events == 0 && rend_patch_status(run->patch) == REND_PATCH_OK;
    return whole ? APP_CHECK_OK : APP_CHECK_DEGRADED;
}

void app_check_run(const struct app_check_settings *settings, const char *path, int out)
{
    struct run run = {.settings = settings, .path = path, .talk = {.out = out}};
    run.rate = app_rate_of(settings->fps);
    run.fps = app_rate_value(run.rate);
    run.sink = app_check_talk_sink(&run.talk);
    const enum app_check_status status = check(&run);
    app_check_talk_end(&run.talk);
    app_check_send_outcome(out, status, &run.figures);
    app_audio_close(run.audio);
    rend_free(run.rend);
    base_pool_destroy(run.pool);
    rend_patch_free(run.patch);
    rend_resources_free(run.resources);
    preset_free(&run.preset);
    free(run.sound);
    free(run.pixels);
}
