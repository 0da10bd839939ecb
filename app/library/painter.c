#include "app/library/painter.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/io/audio.h"
#include "app/io/picture.h"
#include "app/video/video.h"
#include "base/os/file.h"
#include "base/os/thread.h"
#include "engine/loading.h"
#include "renderer/renderer.h"

enum {
    FPS = 30,
    SAMPLES = APP_AUDIO_RATE / FPS,
    STEPS_FIRST = 40, /* before the first picture is looked at, */
    STEPS = 120,      /* until the last one, */
    STEPS_MORE = 60,  /* and more while all were black; */
    STEPS_LOOK = 10,  /* looked at so often */
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

double app_thumbnail_life(const uint32_t *pixels, size_t count)
{
    static const double dark = 8;
    double sum = 0;
    double squares = 0;
    double colour = 0;
    for (size_t i = 0; i < count; i++) {
        const int parts[3] = {pixels[i] >> 16 & 0xFF, pixels[i] >> 8 & 0xFF, pixels[i] & 0xFF};
        int least = 255;
        int most = 0;
        for (int k = 0; k < 3; k++) {
            least = parts[k] < least ? parts[k] : least;
            most = parts[k] > most ? parts[k] : most;
        }
        const double light = (parts[0] + 2 * parts[1] + parts[2]) / 4.0;
        sum += light;
        squares += light * light;
        colour += most - least;
    }
    const double mean = sum / (double)count;
    const double spread = sqrt(fmax(squares / (double)count - mean * mean, 0));
    const double life = spread + colour / (double)count / 2;
    return mean < dark ? life * mean / dark : life;
}

/* Of the pictures that are looked at the liveliest is kept. */
static enum app_painted draw(const struct painting *painting)
{
    float sound[2 * SAMPLES];
    uint32_t *now = malloc(APP_THUMBNAIL_PIXELS * sizeof *now);
    double best = -1;
    bool in_time = now != NULL;
    for (uint64_t frame = 1; in_time && frame <= STEPS + STEPS_MORE; frame++) {
        if (!painting->painter->may_go_on(painting->painter->user)) {
            free(now);
            return APP_PAINT_CHANGED;
        }
        const struct rend_input input = {
            .frame = frame,
            .time = (double)frame / FPS,
            .fps = FPS,
            .audio = sound,
            .audio_frames = app_audio_read(painting->audio, sound, SAMPLES),
        };
        (void)rend_step(painting->rend, &input, now, APP_THUMBNAIL_WIDTH);
        in_time = base_clock_busy() - painting->started <= seconds_max;
        if (frame >= STEPS_FIRST && frame % STEPS_LOOK == 0) {
            const double life = app_thumbnail_life(now, APP_THUMBNAIL_PIXELS);
            if (life >= best) {
                best = life;
                memcpy(painting->pixels, now, APP_THUMBNAIL_PIXELS * sizeof *now);
            }
            if (frame >= STEPS && !app_picture_is_black(painting->pixels, APP_THUMBNAIL_PIXELS)) {
                break;
            }
        }
    }
    free(now);
    return in_time || best > 0 ? APP_PAINTED : APP_PAINT_FAILED;
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
        .cpu = painter->cpu,
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

enum app_painted app_painter_paint(struct app_painter *painter, const char *path, uint64_t content,
                                   uint32_t *pixels)
{
    size_t size;
    char *data = base_file_read(path, BASE_CONTENT_MAX, &size, NULL);
    if (data == NULL || base_content_hash(data, size) != content) {
        free(data);
        return APP_PAINT_CHANGED;
    }
    const double started = base_clock_busy();
    if (painter->painted == PRESETS_MAX) {
        app_painter_free(painter);
    }
    if (painter->resources == NULL) {
        painter->resources = app_resources_create(&painter->textures, 0, painter->memory);
    }
    painter->painted++;
    struct rend_patch *patch = NULL;
    if (painter->resources != NULL) {
        patch =
            engine_patch_load(path, (struct base_span){data, size}, painter->resources, NULL, NULL);
    }
    const enum app_painted result =
        patch != NULL ? paint_patch(painter, patch, started, pixels) : APP_PAINT_FAILED;
    rend_patch_free(patch);
    free(data);
    return result;
}

void app_painter_grey(uint32_t *pixels)
{
    enum { GREY = 0x404040 };
    for (size_t i = 0; i < APP_THUMBNAIL_PIXELS; i++) {
        pixels[i] = GREY;
    }
}

bool app_thumbnail_path(const char *folder, uint64_t content, char *path, size_t size)
{
    const int length = snprintf(path, size, "%s/%016" PRIx64 ".png", folder, content);
    return length >= 0 && (size_t)length < size;
}

bool app_thumbnail_is_name(const char *name)
{
    enum { DIGITS = 16 };
    return strspn(name, "0123456789abcdef") == DIGITS && strcmp(name + DIGITS, ".png") == 0;
}

bool app_thumbnail_is_there(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
}

int app_painter_write(const char *path, const uint32_t *pixels, uint64_t *bytes)
{
    struct stat status;
    const struct app_video_format format = {
        .width = APP_THUMBNAIL_WIDTH, .height = APP_THUMBNAIL_HEIGHT, .rate = {30, 1}, .frames = 1};
    struct app_video *video = app_video_open(path, &format, NULL);
    if (video == NULL || app_video_frame(video, pixels) != 0) {
        app_video_discard(video);
        return -1;
    }
    if (app_video_finish(video) != 0 || stat(path, &status) != 0) {
        return -1;
    }
    *bytes = (uint64_t)status.st_size;
    return 0;
}
