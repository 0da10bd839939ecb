#include "app/io/pulse.h"

#ifdef FROTH_PULSE

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/io/audio_source.h"
#include "engine/feed/sound.h"
#include "base/os/quiet.h"
#include "base/os/thread.h"
#include "late/pulse.h"

enum {
    CHUNK_FRAMES = 512,
    FRAGMENT_FRAMES = APP_AUDIO_RATE / 200, /* how often the server sends */
    FRAME_BYTES = 2 * sizeof(float),
    LIST_MILLISECONDS = 1000,
    LISTEN_MILLISECONDS = 2000,
};

/* A connection to the server. What the loop's thread touches too is guarded by the loop's lock. */
struct server {
    pa_threaded_mainloop *loop;
    bool loop_runs;
    pa_context *context;
    pa_time_event *timer;
    bool expired; /* the time for what is being waited for is over */
};

struct app_pulse {
    struct server server;
    pa_stream *stream;
    struct engine_sound *heard; /* written by the loop's thread */
    atomic_bool lost;
    char output[APP_PULSE_NAME];
    struct app_pulse_device device;
};

struct listing {
    struct server *server;
    struct app_pulse_device *devices;
    size_t most;
    size_t count;
    char output[APP_PULSE_NAME]; /* the usual ones */
    char input[APP_PULSE_NAME];
};

static void copy_name(char *to, const char *from)
{
    (void)snprintf(to, APP_PULSE_NAME, "%s", from != NULL ? from : "");
}

static void context_changed(pa_context *context, void *user)
{
    (void)context;
    pa_threaded_mainloop_signal(((struct server *)user)->loop, 0);
}

static void time_over(pa_mainloop_api *api, pa_time_event *event, const struct timeval *time,
                      void *user)
{
    (void)api;
    (void)event;
    (void)time;
    struct server *server = user;
    server->expired = true;
    pa_threaded_mainloop_signal(server->loop, 0);
}

static bool context_good(const struct server *server)
{
    return PA_CONTEXT_IS_GOOD(pa_context_get_state(server->context));
}

/* Connects and, whether or not that succeeds, is to be closed. Leaves the loop locked if it does.
 */
static bool open_server(struct server *server, unsigned milliseconds)
{
    server->loop = base_late_load(&late_pulse) == NULL ? pa_threaded_mainloop_new() : NULL;
    if (server->loop == NULL) {
        return false;
    }
    const int saved = base_quiet_begin();
    server->context = pa_context_new(pa_threaded_mainloop_get_api(server->loop), "froth");
    if (server->context != NULL) {
        pa_context_set_state_callback(server->context, context_changed, server);
        server->loop_runs =
            pa_context_connect(server->context, NULL, PA_CONTEXT_NOAUTOSPAWN, NULL) == 0 &&
            pa_threaded_mainloop_start(server->loop) == 0;
    }
    base_quiet_end(saved);
    if (!server->loop_runs) {
        return false;
    }
    pa_threaded_mainloop_lock(server->loop);
    server->timer = pa_context_rttime_new(
        server->context, pa_rtclock_now() + milliseconds * PA_USEC_PER_MSEC, time_over, server);
    while (!server->expired && context_good(server) &&
           pa_context_get_state(server->context) != PA_CONTEXT_READY) {
        pa_threaded_mainloop_wait(server->loop);
    }
    const bool ready = pa_context_get_state(server->context) == PA_CONTEXT_READY;
    if (!ready) {
        pa_threaded_mainloop_unlock(server->loop);
    }
    return ready;
}

/* The loop is locked. */
static void stop_timer(struct server *server)
{
    if (server->timer != NULL) {
        pa_threaded_mainloop_get_api(server->loop)->time_free(server->timer);
        server->timer = NULL;
    }
}

/* The loop is not locked. */
static void close_server(struct server *server)
{
    if (server->loop_runs) {
        pa_threaded_mainloop_stop(server->loop);
    }
    stop_timer(server);
    if (server->context != NULL) {
        pa_context_set_state_callback(server->context, NULL, NULL);
        pa_context_disconnect(server->context);
        pa_context_unref(server->context);
    }
    if (server->loop != NULL) {
        pa_threaded_mainloop_free(server->loop);
    }
}

/* Waits for the answer to a question and frees it; false if none came. */
static bool finish(struct server *server, pa_operation *question)
{
    if (question == NULL) {
        return false;
    }
    while (!server->expired && context_good(server) &&
           pa_operation_get_state(question) == PA_OPERATION_RUNNING) {
        pa_threaded_mainloop_wait(server->loop);
    }
    const bool done = pa_operation_get_state(question) == PA_OPERATION_DONE;
    if (!done) {
        pa_operation_cancel(question);
    }
    pa_operation_unref(question);
    return done;
}

static void take_usual(pa_context *context, const pa_server_info *info, void *user)
{
    (void)context;
    struct listing *listing = user;
    if (info != NULL) {
        copy_name(listing->output, info->default_sink_name);
        copy_name(listing->input, info->default_source_name);
    }
    pa_threaded_mainloop_signal(listing->server->loop, 0);
}

static int rank(const struct app_pulse_device *device)
{
    return (device->monitor ? 0 : 2) + (device->usual ? 0 : 1);
}

static void take_source(pa_context *context, const pa_source_info *info, int end, void *user)
{
    (void)context;
    struct listing *listing = user;
    if (end != 0 || info == NULL) {
        pa_threaded_mainloop_signal(listing->server->loop, 0);
        return;
    }
    if (info->name == NULL || strlen(info->name) >= APP_PULSE_NAME) {
        return;
    }
    struct app_pulse_device device = {.monitor = info->monitor_of_sink != PA_INVALID_INDEX};
    copy_name(device.id, info->name);
    copy_name(device.name, info->description != NULL ? info->description : info->name);
    if (device.monitor) {
        device.usual = info->monitor_of_sink_name != NULL &&
                       strcmp(info->monitor_of_sink_name, listing->output) == 0;
    } else {
        device.usual = strcmp(info->name, listing->input) == 0;
    }
    /* Keeps the list in order; what no longer fits falls off its end. */
    size_t at = listing->count;
    while (at > 0 && rank(&listing->devices[at - 1]) > rank(&device)) {
        at--;
    }
    if (at < listing->most) {
        listing->count += listing->count < listing->most;
        memmove(&listing->devices[at + 1], &listing->devices[at],
                (listing->count - 1 - at) * sizeof device);
        listing->devices[at] = device;
    }
}

/* The loop is locked. */
static bool list_sources(struct listing *listing)
{
    struct server *server = listing->server;
    return finish(server, pa_context_get_server_info(server->context, take_usual, listing)) &&
           finish(server, pa_context_get_source_info_list(server->context, take_source, listing));
}

size_t app_pulse_devices(struct app_pulse_device *devices, size_t most)
{
    struct server server = {0};
    struct listing listing = {.server = &server, .devices = devices, .most = most};
    bool listed = false;
    if (most > 0 && open_server(&server, LIST_MILLISECONDS)) {
        listed = list_sources(&listing);
        pa_threaded_mainloop_unlock(server.loop);
    }
    close_server(&server);
    return listed ? listing.count : 0;
}

bool app_pulse_hangs(void)
{
    struct server server = {0};
    const bool answers = open_server(&server, LIST_MILLISECONDS);
    if (answers) {
        pa_threaded_mainloop_unlock(server.loop);
    }
    close_server(&server);
    return !answers && server.expired;
}

static void capture(pa_stream *stream, size_t bytes, void *user)
{
    (void)bytes;
    struct app_pulse *pulse = user;
    const void *peeked = NULL;
    size_t size = 0;
    while (pa_stream_peek(stream, &peeked, &size) == 0 && size > 0) {
        const unsigned char *data = peeked;
        /* data NULL: a hole, which is silence. */
        const size_t frames = size / FRAME_BYTES;
        float both[2 * CHUNK_FRAMES] = {0};
        for (size_t done = 0; done < frames;) {
            const size_t count = frames - done < CHUNK_FRAMES ? frames - done : CHUNK_FRAMES;
            if (data != NULL) {
                memcpy(both, data + done * FRAME_BYTES, count * FRAME_BYTES);
            }
            (void)engine_sound_add(pulse->heard, both, count, 2, APP_AUDIO_RATE);
            done += count;
        }
        (void)pa_stream_drop(stream);
    }
}

static void stream_changed(pa_stream *stream, void *user)
{
    struct app_pulse *pulse = user;
    if (!PA_STREAM_IS_GOOD(pa_stream_get_state(stream))) {
        atomic_store(&pulse->lost, true);
    }
    pa_threaded_mainloop_signal(pulse->server.loop, 0);
}

static void compare_usual(pa_context *context, const pa_server_info *info, void *user)
{
    (void)context;
    struct app_pulse *pulse = user;
    if (info != NULL && info->default_sink_name != NULL &&
        strcmp(info->default_sink_name, pulse->output) != 0) {
        atomic_store(&pulse->lost, true);
    }
}

static void ask_usual(struct app_pulse *pulse)
{
    pa_operation *question =
        pa_context_get_server_info(pulse->server.context, compare_usual, pulse);
    if (question != NULL) {
        pa_operation_unref(question);
    }
}

static void server_changed(pa_context *context, pa_subscription_event_type_t event, uint32_t index,
                           void *user)
{
    (void)context;
    (void)event;
    (void)index;
    ask_usual(user);
}

/* The source with this id; NULL: the monitor of the usual output. */
static bool find_source(struct app_pulse *pulse, const char *id)
{
    struct app_pulse_device devices[APP_PULSE_DEVICES];
    struct listing listing = {
        .server = &pulse->server, .devices = devices, .most = APP_PULSE_DEVICES};
    if (!list_sources(&listing)) {
        return false;
    }
    copy_name(pulse->output, listing.output);
    for (size_t i = 0; i < listing.count; i++) {
        const struct app_pulse_device *device = &devices[i];
        if (id != NULL ? strcmp(device->id, id) == 0 : device->monitor && device->usual) {
            pulse->device = *device;
            return true;
        }
    }
    return false;
}

static bool open_stream(struct app_pulse *pulse)
{
    const pa_sample_spec format = {
        .format = PA_SAMPLE_FLOAT32NE, .rate = APP_AUDIO_RATE, .channels = 2};
    const pa_buffer_attr buffer = {.maxlength = UINT32_MAX,
                                   .fragsize = FRAGMENT_FRAMES * FRAME_BYTES};
    pulse->stream = pa_stream_new(pulse->server.context, "picture", &format, NULL);
    if (pulse->stream == NULL) {
        return false;
    }
    pa_stream_set_read_callback(pulse->stream, capture, pulse);
    pa_stream_set_state_callback(pulse->stream, stream_changed, pulse);
    if (pa_stream_connect_record(pulse->stream, pulse->device.id, &buffer,
                                 PA_STREAM_ADJUST_LATENCY | PA_STREAM_DONT_MOVE) != 0) {
        return false;
    }
    while (!pulse->server.expired && !atomic_load(&pulse->lost) &&
           pa_stream_get_state(pulse->stream) == PA_STREAM_CREATING) {
        pa_threaded_mainloop_wait(pulse->server.loop);
    }
    return pa_stream_get_state(pulse->stream) == PA_STREAM_READY;
}

struct app_pulse *app_pulse_listen(const char *id, const struct base_diag_sink *sink)
{
    struct app_pulse *pulse = calloc(1, sizeof *pulse);
    if (pulse != NULL) {
        pulse->heard = engine_sound_create(ENGINE_RESAMPLE_LIVE);
    }
    if (pulse == NULL || pulse->heard == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "not enough memory");
        free(pulse);
        return NULL;
    }
    const char *lacks = base_late_load(&late_pulse);
    const char *error = lacks != NULL ? lacks : "the sound server does not answer";
    if (open_server(&pulse->server, LISTEN_MILLISECONDS)) {
        const bool found = find_source(pulse, id);
        const bool opened = found && open_stream(pulse);
        if (opened && id == NULL) {
            /* Hear of changes from now on, and of one that came before. */
            pa_context *context = pulse->server.context;
            pa_context_set_subscribe_callback(context, server_changed, pulse);
            pa_operation *question =
                pa_context_subscribe(context, PA_SUBSCRIPTION_MASK_SERVER, NULL, NULL);
            if (question != NULL) {
                pa_operation_unref(question);
            }
            ask_usual(pulse);
        }
        stop_timer(&pulse->server);
        pa_threaded_mainloop_unlock(pulse->server.loop);
        error = !found ? "the sound server has no such input" : opened ? NULL : "it does not open";
    }
    if (error != NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, "froth devices lists what there is",
                    "cannot listen to %s: %s", id != NULL ? id : "what the speakers play", error);
        app_pulse_close(pulse);
        return NULL;
    }
    return pulse;
}

void app_pulse_close(struct app_pulse *pulse)
{
    if (pulse == NULL) {
        return;
    }
    if (pulse->server.loop_runs) {
        pa_threaded_mainloop_stop(pulse->server.loop);
        pulse->server.loop_runs = false;
    }
    if (pulse->stream != NULL) {
        pa_stream_set_state_callback(pulse->stream, NULL, NULL);
        pa_stream_set_read_callback(pulse->stream, NULL, NULL);
        (void)pa_stream_disconnect(pulse->stream);
        pa_stream_unref(pulse->stream);
    }
    close_server(&pulse->server);
    engine_sound_free(pulse->heard);
    free(pulse);
}

size_t app_pulse_read(struct app_pulse *pulse, float *interleaved, size_t frames)
{
    engine_sound_keep(pulse->heard, frames);
    return engine_sound_read(pulse->heard, interleaved, frames);
}

size_t app_pulse_dropped(const struct app_pulse *pulse)
{
    return engine_sound_dropped(pulse->heard);
}

bool app_pulse_lost(const struct app_pulse *pulse)
{
    return atomic_load(&pulse->lost);
}

const char *app_pulse_name(const struct app_pulse *pulse)
{
    return pulse->device.name;
}

#else

size_t app_pulse_devices(struct app_pulse_device *devices, size_t most)
{
    (void)devices;
    (void)most;
    return 0;
}

bool app_pulse_hangs(void)
{
    return false;
}

struct app_pulse *app_pulse_listen(const char *id, const struct base_diag_sink *sink)
{
    (void)id;
    base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "froth was built without libpulse");
    return NULL;
}

void app_pulse_close(struct app_pulse *pulse)
{
    (void)pulse;
}

size_t app_pulse_read(struct app_pulse *pulse, float *interleaved, size_t frames)
{
    (void)pulse;
    (void)interleaved;
    (void)frames;
    return 0;
}

size_t app_pulse_dropped(const struct app_pulse *pulse)
{
    (void)pulse;
    return 0;
}

bool app_pulse_lost(const struct app_pulse *pulse)
{
    (void)pulse;
    return true;
}

const char *app_pulse_name(const struct app_pulse *pulse)
{
    (void)pulse;
    return "";
}

#endif
