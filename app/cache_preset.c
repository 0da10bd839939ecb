#include "app/cache_preset.h"

#include <stdlib.h>
#include <string.h>

#include "app/io/audio.h"
#include "app/patch.h"

enum { SAMPLES = REND_AUDIO_RATE / APP_CACHE_FPS };

struct app_cache_preset {
    struct rend_patch *patch;
    struct app_audio *audio;
    struct rend *rend;
    uint32_t *pixels;
    uint64_t frame; /* the last one, counted from 1 */
    float samples[2 * SAMPLES];
};

void app_cache_preset_close(struct app_cache_preset *preset)
{
    if (preset == NULL) {
        return;
    }
    rend_free(preset->rend);
    app_audio_close(preset->audio);
    rend_patch_free(preset->patch);
    free(preset->pixels);
    free(preset);
}

static struct app_cache_preset *refuse(struct app_cache_preset *preset, const char *path,
                                       const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = path}, NULL, "not enough memory");
    app_cache_preset_close(preset);
    return NULL;
}

struct app_cache_preset *app_cache_preset_open(const char *path, const char *sound,
                                               struct base_pool *pool,
                                               const struct base_diag_sink *sink)
{
    const struct rend_config config = {
        .width = APP_CACHE_CANVAS,
        .height = APP_CACHE_CANVAS,
        .mesh_x = APP_CACHE_CELLS,
        .mesh_y = APP_CACHE_CELLS,
        .fps = APP_CACHE_FPS,
        .cpu = base_cpu_best(),
        .pool = pool,
    };
    struct app_cache_preset *preset = calloc(1, sizeof *preset);
    if (preset == NULL) {
        return refuse(preset, path, sink);
    }
    preset->patch = app_patch_load(path, NULL, NULL, sink);
    preset->audio = preset->patch != NULL ? app_audio_open(sound, sink) : NULL;
    if (preset->audio == NULL) {
        app_cache_preset_close(preset);
        return NULL;
    }
    preset->rend = rend_create(&config);
    preset->pixels = calloc((size_t)APP_CACHE_CANVAS * APP_CACHE_CANVAS, sizeof *preset->pixels);
    if (preset->rend == NULL || preset->pixels == NULL) {
        return refuse(preset, path, sink);
    }
    if (rend_load(preset->rend, preset->patch, 0, sink) != 0) {
        app_cache_preset_close(preset);
        return NULL;
    }
    return preset;
}

void app_cache_preset_next(struct app_cache_preset *preset, struct app_cache_runs *runs)
{
    const size_t got = app_audio_read(preset->audio, preset->samples, SAMPLES);
    memset(preset->samples + 2 * got, 0, 2 * (SAMPLES - got) * sizeof *preset->samples);
    preset->frame++;
    const struct rend_input input = {
        .frame = preset->frame,
        .time = (double)preset->frame / APP_CACHE_FPS,
        .fps = APP_CACHE_FPS,
        .audio = preset->samples,
        .audio_frames = SAMPLES,
    };
    (void)rend_step(preset->rend, &input, preset->pixels, APP_CACHE_CANVAS);
    const struct rend_mapping mapping = rend_mapping(preset->rend);
    app_cache_runs_frame(runs, &mapping, preset->frame);
}
