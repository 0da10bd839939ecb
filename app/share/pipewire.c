/* A camera of PipeWire. The only file that knows libpipewire. */
#include "app/share/target.h"

#ifdef FROTH_PIPEWIRE

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/share/pictures.h"
#include "engine/rate.h"
#include "late/pipewire.h"

enum {
    SIDE_MIN = 16, /* of pictures that can be asked for */
    SIDE_MAX = 8192,
    BUFFERS_MIN = 2,
    BUFFERS = 4,
    BUFFERS_MAX = 8,
    PODS = 1024,      /* bytes of what is said of formats */
    TURN = 500,       /* milliseconds until the next look at how it goes */
    CLEAN_TURNS = 32, /* of which each has one end: see end_turn */
    NANOSECONDS = 1000000000,
};

static const struct format {
    enum spa_video_format spa;
    enum app_pictures_format own;
} formats[] = {
    {SPA_VIDEO_FORMAT_BGRx, APP_PICTURES_BGRX},
    {SPA_VIDEO_FORMAT_YUY2, APP_PICTURES_YUY2},
    {SPA_VIDEO_FORMAT_I420, APP_PICTURES_I420},
};

struct camera {
    struct app_share_target *target;
    struct pw_loop *loop;
    struct pw_context *context;
    struct pw_core *core;
    struct pw_stream *stream;
    struct spa_hook core_hook;
    struct spa_hook stream_hook;
    struct app_pictures *pictures; /* NULL: no format was agreed on */
    struct app_pictures_layout layout;
    const struct app_share_picture *picture; /* to be given with the next buffer */
    double interval; /* seconds between two pictures at the rate that was agreed on */
    double due;      /* the painter's clock at which the next one may go */
    uint64_t number; /* of the next picture */
    bool turns;      /* a picture is on its way through the graph, whose end was not told yet, */
    double turned;   /* since this clock */
    bool stalls;     /* a program that takes the picture does not do its part of the graph, */
    unsigned clean;  /* or did it in so many turns since it last did not */
    bool lost;       /* the server has gone, or has let the stream fall */
    bool refused;    /* it does not take the stream */
};

/* ---- formats ---- */

static struct spa_fraction rate_of(const struct camera *camera)
{
    const struct engine_rate rate = camera->target->format.rate;
    return SPA_FRACTION(rate.numerator, rate.denominator);
}

static struct spa_pod *offer(const struct camera *camera, struct spa_pod_builder *builder)
{
    const struct app_share_format *format = &camera->target->format;
    const struct spa_rectangle size =
        SPA_RECTANGLE((uint32_t)format->width, (uint32_t)format->height);
    const struct spa_rectangle least = SPA_RECTANGLE(SIDE_MIN, SIDE_MIN);
    const struct spa_rectangle most = SPA_RECTANGLE(SIDE_MAX, SIDE_MAX);
    const struct spa_fraction rate = rate_of(camera);
    const struct spa_fraction slowest = SPA_FRACTION(0, 1);
    return spa_pod_builder_add_object(
        builder, SPA_TYPE_OBJECT_Format, SPA_PARAM_EnumFormat, SPA_FORMAT_mediaType,
        SPA_POD_Id(SPA_MEDIA_TYPE_video), SPA_FORMAT_mediaSubtype,
        SPA_POD_Id(SPA_MEDIA_SUBTYPE_raw), SPA_FORMAT_VIDEO_format,
        SPA_POD_CHOICE_ENUM_Id(4, formats[0].spa, formats[0].spa, formats[1].spa, formats[2].spa),
        SPA_FORMAT_VIDEO_size, SPA_POD_CHOICE_RANGE_Rectangle(&size, &least, &most),
        SPA_FORMAT_VIDEO_framerate, SPA_POD_CHOICE_RANGE_Fraction(&rate, &slowest, &rate));
}

static bool agree(struct camera *camera, const struct spa_pod *param)
{
    struct spa_video_info_raw info = {0};
    if (spa_format_video_raw_parse(param, &info) < 0) {
        return false;
    }
    const struct format *format = formats;
    while (format < formats + sizeof formats / sizeof *formats && format->spa != info.format) {
        format++;
    }
    if (format == formats + sizeof formats / sizeof *formats || info.size.width < SIDE_MIN ||
        info.size.height < SIDE_MIN || info.size.width > SIDE_MAX || info.size.height > SIDE_MAX ||
        (format->own != APP_PICTURES_BGRX &&
         (info.size.width % 2 != 0 || info.size.height % 2 != 0))) {
        return false;
    }
    camera->layout =
        (struct app_pictures_layout){format->own, (int)info.size.width, (int)info.size.height};
    camera->interval =
        info.framerate.num > 0 ? (double)info.framerate.denom / info.framerate.num : 0;
    camera->due = 0;
    camera->pictures = app_pictures_open(camera->target->format.width,
                                         camera->target->format.height, &camera->layout);
    return camera->pictures != NULL;
}

static void take_format(void *user, uint32_t id, const struct spa_pod *param)
{
    struct camera *camera = user;
    if (id != SPA_PARAM_Format) {
        return;
    }
    app_pictures_close(camera->pictures);
    camera->pictures = NULL;
    if (param == NULL) {
        return;
    }
    if (!agree(camera, param)) {
        (void)pw_stream_set_error(camera->stream, -EINVAL, "froth has no such pictures");
        return;
    }
    unsigned char room[PODS];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(room, sizeof room);
    const struct spa_pod *params[2];
    const int size = (int)app_pictures_size(&camera->layout);
    const int stride = (int)app_pictures_stride(&camera->layout);
    params[0] = spa_pod_builder_add_object(
        &builder, SPA_TYPE_OBJECT_ParamBuffers, SPA_PARAM_Buffers, SPA_PARAM_BUFFERS_buffers,
        SPA_POD_CHOICE_RANGE_Int(BUFFERS, BUFFERS_MIN, BUFFERS_MAX), SPA_PARAM_BUFFERS_blocks,
        SPA_POD_Int(1), SPA_PARAM_BUFFERS_size, SPA_POD_Int(size), SPA_PARAM_BUFFERS_stride,
        SPA_POD_Int(stride), SPA_PARAM_BUFFERS_dataType,
        SPA_POD_CHOICE_FLAGS_Int((1 << SPA_DATA_MemFd) | (1 << SPA_DATA_MemPtr)));
    params[1] = spa_pod_builder_add_object(&builder, SPA_TYPE_OBJECT_ParamMeta, SPA_PARAM_Meta,
                                           SPA_PARAM_META_type, SPA_POD_Id(SPA_META_Header),
                                           SPA_PARAM_META_size,
                                           SPA_POD_Int((int)sizeof(struct spa_meta_header)));
    (void)pw_stream_update_params(camera->stream, params, 2);
}

/* ---- pictures ---- */

static void fill(struct camera *camera, struct spa_buffer *buffer)
{
    if (buffer->n_datas == 0) {
        return;
    }
    struct spa_data *data = &buffer->datas[0];
    const size_t size = app_pictures_size(&camera->layout);
    const bool fits = data->data != NULL && data->maxsize >= size;
    if (fits) {
        app_pictures_convert(camera->pictures, camera->picture->pixels, data->data);
    }
    data->chunk->offset = 0;
    data->chunk->size = fits ? (uint32_t)size : 0;
    data->chunk->stride = (int32_t)app_pictures_stride(&camera->layout);
    data->chunk->flags = fits ? SPA_CHUNK_FLAG_NONE : (int32_t)SPA_CHUNK_FLAG_CORRUPTED;
    struct spa_meta_header *header =
        spa_buffer_find_meta_data(buffer, SPA_META_Header, sizeof *header);
    if (header != NULL) {
        *header = (struct spa_meta_header){.pts = (int64_t)(base_clock_seconds() * NANOSECONDS),
                                           .seq = camera->number};
    }
    camera->number++;
}

static void process(void *user)
{
    struct camera *camera = user;
    if (camera->pictures == NULL || camera->picture == NULL) {
        return;
    }
    struct pw_buffer *buffer = pw_stream_dequeue_buffer(camera->stream);
    if (buffer == NULL) {
        return; /* the reader has them all */
    }
    fill(camera, buffer->buffer);
    camera->picture = NULL;
    if (!camera->turns) {
        app_share_arrived(camera->target);
    }
    (void)pw_stream_queue_buffer(camera->stream, buffer);
}

/* A program that is stopped lets one turn not end; the library gives up that one with the next, and
 * from then on tells of two ends of every eighth turn or so, for as long as the program stands. */
static void end_turn(void *user)
{
    struct camera *camera = user;
    if (!camera->turns) {
        camera->clean = 0;
    } else if (!camera->stalls) {
        app_share_arrived(camera->target);
    } else if (++camera->clean == CLEAN_TURNS) {
        camera->stalls = false;
    }
    camera->turns = false;
}

/* A reader that wants fewer pictures gets them evenly. */
static bool is_due(struct camera *camera, double seconds)
{
    static const double early = 0.1; /* of an interval */
    if (seconds < camera->due - early * camera->interval) {
        return false;
    }
    const double next = camera->due + camera->interval;
    camera->due = next > seconds ? next : seconds + camera->interval;
    return true;
}

static const double turn_seconds = 1; /* until the end of a turn is given up */

static void wake(void *user, int descriptor, uint32_t mask)
{
    struct camera *camera = user;
    (void)descriptor;
    (void)mask;
    app_share_woken(camera->target);
    const struct app_share_picture *picture = app_share_take(camera->target);
    if (picture == NULL || camera->stream == NULL || camera->pictures == NULL ||
        pw_stream_get_state(camera->stream, NULL) != PW_STREAM_STATE_STREAMING) {
        return;
    }
    if (!is_due(camera, picture->seconds)) {
        app_share_arrived(camera->target);
        return;
    }
    const double clock = base_clock_seconds();
    if (camera->turns && !camera->stalls && clock - camera->turned < turn_seconds) {
        return;
    }
    if (camera->turns) {
        camera->stalls = true;
        camera->clean = 0;
    }
    camera->picture = picture;
    /* Where something else drives the graph, it asks for the picture. */
    camera->turns = pw_stream_is_driving(camera->stream);
    camera->turned = clock;
    if (camera->turns) {
        (void)pw_stream_trigger_process(camera->stream);
    }
}

/* ---- the server ---- */

static void take_state(void *user, enum pw_stream_state old, enum pw_stream_state state,
                       const char *error)
{
    struct camera *camera = user;
    struct app_share_target *target = camera->target;
    (void)error;
    const bool was = old == PW_STREAM_STATE_STREAMING;
    const bool is = state == PW_STREAM_STATE_STREAMING;
    if (state == PW_STREAM_STATE_PAUSED && old < PW_STREAM_STATE_PAUSED) {
        app_share_well(target, "the picture is there, as a camera with the name froth");
    }
    if (state == PW_STREAM_STATE_ERROR ||
        (state == PW_STREAM_STATE_UNCONNECTED && old > PW_STREAM_STATE_UNCONNECTED)) {
        camera->lost = true;
    }
    if (was == is) {
        return;
    }
    camera->picture = NULL;
    camera->turns = camera->stalls = false;
    atomic_store(&target->wanted, is);
    app_share_set_taken(target, is);
    if (is) {
        app_share_say(target, BASE_NOTE, NULL, "a program takes the picture, %dx%d",
                      camera->layout.width, camera->layout.height);
    } else if (!camera->lost) {
        app_share_say(target, BASE_NOTE, NULL, "no program takes the picture any more");
    }
}

static void take_error(void *user, uint32_t id, int number, int result, const char *message)
{
    struct camera *camera = user;
    (void)number;
    (void)message;
    if (id == PW_ID_CORE && result == -EPIPE) {
        camera->lost = true;
    }
}

static const struct pw_core_events core_events = {PW_VERSION_CORE_EVENTS, .error = take_error};
static const struct pw_stream_events stream_events = {
    PW_VERSION_STREAM_EVENTS, .state_changed = take_state, .param_changed = take_format,
    .process = process, .trigger_done = end_turn};

static void disconnect(struct camera *camera)
{
    if (camera->stream != NULL) {
        spa_hook_remove(&camera->stream_hook);
        pw_stream_destroy(camera->stream);
    }
    if (camera->core != NULL) {
        spa_hook_remove(&camera->core_hook);
        (void)pw_core_disconnect(camera->core);
    }
    if (camera->context != NULL) {
        pw_context_destroy(camera->context);
    }
    app_pictures_close(camera->pictures);
    camera->stream = NULL;
    camera->core = NULL;
    camera->context = NULL;
    camera->pictures = NULL;
    camera->picture = NULL;
    camera->lost = false;
    atomic_store(&camera->target->wanted, false);
    app_share_set_taken(camera->target, false);
}

static bool connect(struct camera *camera)
{
    unsigned char room[PODS];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(room, sizeof room);
    camera->context = pw_context_new(camera->loop, NULL, 0);
    camera->core = camera->context != NULL ? pw_context_connect(camera->context, NULL, 0) : NULL;
    if (camera->core == NULL) {
        return false;
    }
    pw_core_add_listener(camera->core, &camera->core_hook, &core_events, camera);
    camera->stream = pw_stream_new(camera->core, "froth",
                                   pw_properties_new(PW_KEY_MEDIA_CLASS, "Video/Source",
                                                     PW_KEY_MEDIA_ROLE, "Camera", PW_KEY_NODE_NAME,
                                                     "froth", PW_KEY_NODE_DESCRIPTION, "froth",
                                                     PW_KEY_NODE_NICK, "froth", NULL));
    if (camera->stream == NULL) {
        return false;
    }
    pw_stream_add_listener(camera->stream, &camera->stream_hook, &stream_events, camera);
    const struct spa_pod *params[1] = {offer(camera, &builder)};
    return pw_stream_connect(camera->stream, PW_DIRECTION_OUTPUT, PW_ID_ANY,
                             PW_STREAM_FLAG_DRIVER | PW_STREAM_FLAG_MAP_BUFFERS, params, 1) == 0;
}

/* Connects again when it is time for it, and lets go what is lost. */
static double keep_connected(struct camera *camera, double retry)
{
    static const char no_server[] = "there is no PipeWire server; waiting for it";
    static const char lost[] = "the PipeWire server has gone; waiting for it to come back";
    struct app_share_target *target = camera->target;
    const double clock = base_clock_seconds();
    if (camera->lost) {
        disconnect(camera);
        (void)app_share_away(target, "the show goes on", lost);
        return clock + APP_SHARE_RETRY;
    }
    if (camera->core == NULL && clock >= retry) {
        if (!connect(camera)) {
            disconnect(camera);
            (void)app_share_away(target, NULL, no_server);
        }
        return clock + APP_SHARE_RETRY;
    }
    return retry;
}

const char *app_share_load_pipewire(void)
{
    return base_late_load(&late_pipewire);
}

void app_share_run_pipewire(struct app_share_target *target)
{
    struct camera camera = {.target = target};
    pw_init(NULL, NULL);
    pw_log_set_level(SPA_LOG_LEVEL_NONE);
    camera.loop = pw_loop_new(NULL);
    struct spa_source *source =
        camera.loop != NULL
            ? pw_loop_add_io(camera.loop, target->wake[0], SPA_IO_IN, false, wake, &camera)
            : NULL;
    if (source == NULL) {
        app_share_wrong(target, NULL, "PipeWire's library does not start");
    } else {
        double retry = 0;
        pw_loop_enter(camera.loop);
        while (!atomic_load(&target->quit)) {
            retry = keep_connected(&camera, retry);
            (void)pw_loop_iterate(camera.loop, TURN);
            app_share_watch(target);
        }
        disconnect(&camera);
        pw_loop_leave(camera.loop);
        pw_loop_destroy_source(camera.loop, source);
    }
    if (camera.loop != NULL) {
        pw_loop_destroy(camera.loop);
    }
    pw_deinit();
}

#else

const char *app_share_load_pipewire(void)
{
    return "build it with its library (Debian: libpipewire-0.3-dev)";
}

void app_share_run_pipewire(struct app_share_target *target)
{
    app_share_wrong(target, NULL, "this froth was built without PipeWire");
}

#endif
