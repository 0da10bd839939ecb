#include "app/library_paint.h"

#include <stdlib.h>

#include "app/check.h"
#include "app/clock.h"
#include "app/io/audio.h"
#include "app/library.h"
#include "app/resources.h"
#include "app/whole_file.h"
#include "base/file.h"
#include "presets/preset.h"
#include "renderer/renderer.h"
#include "renderer/resources.h"

enum {
    FPS = 30,
    SAMPLES = APP_AUDIO_RATE / FPS,
    STEPS = 90,      /* before the picture is taken, */
    STEPS_MORE = 90, /* as many more while it is black, */
    STEPS_LOOK = 10, /* looked at so often */
    MESH_X = 24,
    MESH_Y = 18,
    PRESETS_MAX = 32, /* painted with the same resources, whose memory grows */
};

static const double seconds_max = 2; /* of processor time */

void app_painter_free(struct app_painter *painter)
{
    rend_resources_free(painter->resources);
    painter->resources = NULL;
    painter->painted = 0;
}

struct painting {
    struct app_painter *painter;
    struct rend *rend;
    struct app_audio *audio;
    uint32_t *pixels;
    double started;
};

static enum app_painted draw(const struct painting *painting)
{
    float sound[2 * SAMPLES];
    for (uint64_t frame = 1; frame <= STEPS + STEPS_MORE; frame++) {
        if (!painting->painter->may_go_on(painting->painter->user)) {
            return APP_PAINT_CHANGED;
        }
        const struct rend_input input = {
            .frame = frame,
            .time = (double)frame / FPS,
            .fps = FPS,
            .audio = sound,
            .audio_frames = app_audio_read(painting->audio, sound, SAMPLES),
        };
        (void)rend_step(painting->rend, &input, painting->pixels, APP_THUMBNAIL_WIDTH);
        if (app_clock_busy() - painting->started > seconds_max) {
            return APP_PAINT_FAILED;
        }
        if (frame >= STEPS && frame % STEPS_LOOK == 0 &&
            !app_check_picture_black(painting->pixels,
                                     (size_t)APP_THUMBNAIL_WIDTH * APP_THUMBNAIL_HEIGHT)) {
            break;
        }
    }
    return APP_PAINTED;
}

static enum app_painted paint_patch(struct app_painter *painter, const struct rend_patch *patch,
                                    double started, uint32_t *pixels)
{
    struct painting painting = {.painter = painter, .pixels = pixels, .started = started};
    painting.audio = app_audio_open("demo", NULL);
    painting.rend = rend_create(&(struct rend_config){
        .width = APP_THUMBNAIL_WIDTH,
        .height = APP_THUMBNAIL_HEIGHT,
        .mesh_x = MESH_X,
        .mesh_y = MESH_Y,
        .fps = FPS,
        .cpu = base_cpu_best(),
    });
    enum app_painted result = APP_PAINT_FAILED;
    if (painting.audio != NULL && painting.rend != NULL &&
        rend_load(painting.rend, patch, 0, NULL) == 0) {
        result = draw(&painting);
    }
    rend_free(painting.rend);
    app_audio_close(painting.audio);
    return result;
}

static bool take_resources(struct app_painter *painter)
{
    if (painter->painted == PRESETS_MAX) {
        app_painter_free(painter);
    }
    if (painter->resources == NULL) {
        painter->resources = app_resources_create(painter->textures);
    }
    painter->painted++;
    return painter->resources != NULL;
}

static enum app_painted paint_data(struct app_painter *painter, const char *path, const char *data,
                                   size_t size, uint32_t *pixels)
{
    const double started = app_clock_busy();
    struct preset preset;
    if (!take_resources(painter) || preset_read(&preset, path, data, size, NULL) != 0) {
        return APP_PAINT_FAILED;
    }
    struct rend_patch *patch = rend_patch_create(&preset, painter->resources, NULL);
    preset_free(&preset);
    const enum app_painted result =
        patch != NULL ? paint_patch(painter, patch, started, pixels) : APP_PAINT_FAILED;
    rend_patch_free(patch);
    return result;
}

enum app_painted app_paint(struct app_painter *painter, const char *path, uint64_t content,
                           uint32_t *pixels)
{
    size_t size;
    char *data = base_file_read(path, APP_CONTENT_MAX, &size, NULL);
    const bool same = data != NULL && app_content_hash(data, size) == content;
    const enum app_painted result =
        same ? paint_data(painter, path, data, size, pixels) : APP_PAINT_CHANGED;
    free(data);
    return result;
}
