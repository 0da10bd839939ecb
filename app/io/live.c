#include "app/io/live.h"

#ifdef FROTH_PORTAUDIO

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/io/audio_source.h"
#include "app/io/pulse.h"
#include "engine/feed/sound.h"
#include "base/os/quiet.h"
#include "base/os/thread.h"
#include "late/portaudio.h"

enum {
    FEED_FRAMES = 16384, /* what the feeder is ahead of the device */
    CHUNK_FRAMES = 512,
    BUFFER_FRAMES = 256, /* asked of the device */
    FEEDER_SLEEP_MS = 5,
};

struct app_live {
    bool initialized;
    PaStream *stream;
    char name[APP_LIVE_NAME];
    int channels; /* 1 or 2 */
    int rate;
    struct engine_sound *heard; /* written by the callback */
    atomic_bool lost;
    atomic_bool ended;

    /* Playing only. */
    struct app_audio *source;
    struct app_live_aside *aside; /* NULL: none */
    bool aside_flows;             /* the callback's */
    struct base_ring feed;        /* device's rate; written by the feeder, read by the callback */
    struct engine_resample *feed_resample;
    pthread_t feeder;
    bool feeder_runs;
    atomic_bool stop;
    atomic_bool source_done;
};

static const char hint_input[] = "play a file with --audio FILE or use --audio demo";

/* Returns NULL, or what is wrong. PortAudio asks the sound server too, and would wait for an answer
 * for ever. */
static const char *initialize(void)
{
    const char *lacks = base_late_load(&late_portaudio);
    if (lacks != NULL) {
        return lacks;
    }
    if (app_pulse_hangs()) {
        return Pa_GetErrorText(paTimedOut);
    }
    const int saved = base_quiet_begin();
    const PaError error = Pa_Initialize();
    base_quiet_end(saved);
    return error == paNoError ? NULL : Pa_GetErrorText(error);
}

static void terminate(void)
{
    const int saved = base_quiet_begin();
    (void)Pa_Terminate();
    base_quiet_end(saved);
}

static int capture(const void *input, void *output, unsigned long frames,
                   const PaStreamCallbackTimeInfo *times, PaStreamCallbackFlags flags, void *user)
{
    (void)output;
    (void)times;
    (void)flags;
    const struct app_live *live = user;
    if (input != NULL) {
        (void)engine_sound_add(live->heard, input, frames, (unsigned)live->channels,
                               (uint32_t)live->rate);
    }
    return paContinue;
}

/* Puts what is heard aside in place of the samples. It begins once there is a bit of it, so that it
 * does not falter. */
static void put_aside(struct app_live *live, float *both, size_t count)
{
    enum { AHEAD = 12 /* of a second, one part */ };
    struct app_live_aside *aside = live->aside;
    if (!atomic_load_explicit(&aside->on, memory_order_relaxed)) {
        base_ring_keep(&aside->ring, 0);
        live->aside_flows = false;
        return;
    }
    const size_t waiting = base_ring_waiting(&aside->ring);
    live->aside_flows =
        live->aside_flows ? waiting >= count : waiting >= (size_t)live->rate / AHEAD;
    const size_t got = live->aside_flows ? base_ring_read(&aside->ring, both, count) : 0;
    memset(both + 2 * got, 0, 2 * (count - got) * sizeof *both);
}

/* Takes chunks from the feeder, shows them to the tap and hands them to the device; silence where
 * the feeder is late or the source has ended. */
static int playback(const void *input, void *output, unsigned long frames,
                    const PaStreamCallbackTimeInfo *times, PaStreamCallbackFlags flags, void *user)
{
    (void)input;
    (void)times;
    (void)flags;
    struct app_live *live = user;
    const bool done = atomic_load(&live->source_done);
    float *out = output;
    for (size_t at = 0; at < frames;) {
        const size_t count = frames - at < CHUNK_FRAMES ? frames - at : CHUNK_FRAMES;
        float both[2 * CHUNK_FRAMES];
        const size_t got = base_ring_read(&live->feed, both, count);
        (void)engine_sound_add(live->heard, both, got, 2, (uint32_t)live->rate);
        memset(both + 2 * got, 0, 2 * (count - got) * sizeof *both);
        if (live->aside != NULL) {
            put_aside(live, both, count);
        }
        if (live->channels == 2) {
            memcpy(out + 2 * at, both, 2 * count * sizeof *out);
        }
        for (size_t i = 0; live->channels != 2 && i < count; i++) {
            out[at + i] = 0.5f * (both[2 * i] + both[2 * i + 1]);
        }
        at += count;
    }
    if (done && base_ring_waiting(&live->feed) == 0) {
        atomic_store(&live->ended, true);
    }
    return paContinue;
}

/* The device has stopped, asked or not. */
static void finished(void *user)
{
    atomic_store(&((struct app_live *)user)->lost, true);
}

static void feed(struct app_live *live, const float *samples, size_t frames)
{
    size_t fed = 0;
    while (fed < frames && !atomic_load(&live->stop)) {
        fed += base_ring_write(&live->feed, samples + 2 * fed, frames - fed);
        if (fed < frames) {
            const struct timespec pause = {.tv_nsec = FEEDER_SLEEP_MS * 1000000L};
            (void)nanosleep(&pause, NULL);
        }
    }
}

static void *feeder_main(void *argument)
{
    struct app_live *live = argument;
    float samples[2 * CHUNK_FRAMES];
    size_t got = CHUNK_FRAMES;
    while (got == CHUNK_FRAMES && !atomic_load(&live->stop)) {
        got = app_audio_read(live->source, samples, CHUNK_FRAMES);
        if (live->feed_resample == NULL) {
            feed(live, samples, got);
            continue;
        }
        float converted[2 * CHUNK_FRAMES];
        size_t done = 0;
        size_t given = 0;
        size_t used = 0;
        do {
            used = got - done;
            given = engine_resample_run(live->feed_resample, samples + 2 * done, &used, converted,
                                        CHUNK_FRAMES, got < CHUNK_FRAMES);
            done += used;
            feed(live, converted, given);
        } while ((given > 0 || used > 0) && !atomic_load(&live->stop));
    }
    atomic_store(&live->source_done, true);
    return NULL;
}

static bool has_input(PaDeviceIndex device)
{
    const PaDeviceInfo *info = Pa_GetDeviceInfo(device);
    return info != NULL && info->maxInputChannels > 0;
}

/* By its name, or the default; paNoDevice if there is none. */
static PaDeviceIndex find_input(const char *wanted)
{
    if (wanted == NULL) {
        const PaDeviceIndex first = Pa_GetDefaultInputDevice();
        return first >= 0 && has_input(first) ? first : paNoDevice;
    }
    for (PaDeviceIndex i = 0; i < Pa_GetDeviceCount(); i++) {
        if (has_input(i) && strncmp(Pa_GetDeviceInfo(i)->name, wanted, APP_LIVE_NAME - 1) == 0) {
            return i;
        }
    }
    return paNoDevice;
}

/* Opens the stream at our rate or else at the device's own. */
static PaError open_stream(struct app_live *live, PaDeviceIndex device, bool input)
{
    const PaDeviceInfo *info = Pa_GetDeviceInfo(device);
    (void)snprintf(live->name, sizeof live->name, "%s", info->name);
    const int available = input ? info->maxInputChannels : info->maxOutputChannels;
    live->channels = available >= 2 ? 2 : 1;
    const PaStreamParameters parameters = {
        .device = device,
        .channelCount = live->channels,
        .sampleFormat = paFloat32,
        .suggestedLatency = input ? info->defaultLowInputLatency : info->defaultHighOutputLatency,
    };
    const PaStreamParameters *in = input ? &parameters : NULL;
    const PaStreamParameters *out = input ? NULL : &parameters;
    const double rates[2] = {APP_AUDIO_RATE, info->defaultSampleRate};
    PaError error = paInvalidSampleRate;
    const int saved = base_quiet_begin();
    for (int i = 0; i < 2 && live->stream == NULL; i++) {
        live->rate = (int)rates[i];
        error = Pa_OpenStream(&live->stream, in, out, rates[i], BUFFER_FRAMES, paNoFlag,
                              input ? capture : playback, live);
    }
    base_quiet_end(saved);
    return error;
}

static void report_initialize(const char *error, const char *hint,
                              const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, (struct base_place){0}, hint,
                "the sound system does not start: %s", error);
}

static struct app_live *create(const struct base_diag_sink *sink)
{
    struct app_live *live = calloc(1, sizeof *live);
    if (live != NULL) {
        live->heard = engine_sound_create(ENGINE_RESAMPLE_LIVE);
    }
    if (live == NULL || live->heard == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "not enough memory");
        free(live);
        return NULL;
    }
    const char *error = initialize();
    if (error != NULL) {
        report_initialize(error, hint_input, sink);
        app_live_close(live);
        return NULL;
    }
    live->initialized = true;
    return live;
}

/* Prepares for the rate that the device was opened with. */
static bool prepare_rate(struct app_live *live)
{
    if (engine_sound_expect(live->heard, (uint32_t)live->rate) != 0) {
        return false;
    }
    if (live->rate == APP_AUDIO_RATE || live->source == NULL) {
        return true;
    }
    live->feed_resample = engine_resample_create(APP_AUDIO_RATE, live->rate, ENGINE_RESAMPLE_LIVE);
    return live->feed_resample != NULL;
}

static PaError start(struct app_live *live)
{
    (void)Pa_SetStreamFinishedCallback(live->stream, finished);
    const int saved = base_quiet_begin();
    const PaError error = Pa_StartStream(live->stream);
    base_quiet_end(saved);
    return error;
}

/* Reports, frees, and returns NULL. */
static struct app_live *give_up(struct app_live *live, const struct base_diag_sink *sink,
                                const char *what, PaError error)
{
    base_report(sink, BASE_ERROR, (struct base_place){0}, "froth devices lists what there is",
                "cannot open the sound %s: %s", what, Pa_GetErrorText(error));
    app_live_close(live);
    return NULL;
}

struct app_live *app_live_listen(const char *name, const struct base_diag_sink *sink)
{
    struct app_live *live = create(sink);
    if (live == NULL) {
        return NULL;
    }
    const PaDeviceIndex index = find_input(name);
    if (index == paNoDevice) {
        if (name == NULL) {
            base_report(sink, BASE_ERROR, (struct base_place){0}, hint_input,
                        "no sound input found");
        } else {
            base_report(sink, BASE_ERROR, (struct base_place){0},
                        "froth devices lists what there is", "there is no sound input '%s'", name);
        }
        app_live_close(live);
        return NULL;
    }
    PaError error = open_stream(live, index, true);
    if (error == paNoError && !prepare_rate(live)) {
        error = paInvalidSampleRate;
    }
    if (error == paNoError) {
        error = start(live);
    }
    return error == paNoError ? live : give_up(live, sink, "input", error);
}

struct app_live *app_live_play(struct app_audio *source, struct app_live_aside *aside,
                               const struct base_diag_sink *sink)
{
    struct app_live *live = create(sink);
    if (live == NULL) {
        return NULL;
    }
    live->source = source;
    live->aside = aside;
    const PaDeviceIndex index = Pa_GetDefaultOutputDevice();
    if (index < 0) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "no sound output found");
        app_live_close(live);
        return NULL;
    }
    PaError error = open_stream(live, index, false);
    if (error == paNoError && !prepare_rate(live)) {
        error = paInvalidSampleRate;
    }
    if (error == paNoError && aside != NULL) {
        atomic_store(&aside->rate, live->rate);
    }
    if (error == paNoError) {
        live->feeder_runs = base_ring_init(&live->feed, FEED_FRAMES) == 0 &&
                            pthread_create(&live->feeder, NULL, feeder_main, live) == 0;
        error = live->feeder_runs ? paNoError : paInsufficientMemory;
    }
    if (error == paNoError) {
        error = start(live);
    }
    return error == paNoError ? live : give_up(live, sink, "output", error);
}

void app_live_close(struct app_live *live)
{
    if (live == NULL) {
        return;
    }
    if (live->stream != NULL) {
        const int saved = base_quiet_begin();
        (void)Pa_AbortStream(live->stream);
        (void)Pa_CloseStream(live->stream);
        base_quiet_end(saved);
    }
    atomic_store(&live->stop, true);
    if (live->feeder_runs) {
        (void)pthread_join(live->feeder, NULL);
    }
    if (live->initialized) {
        terminate();
    }
    engine_resample_destroy(live->feed_resample);
    engine_sound_free(live->heard);
    base_ring_free(&live->feed);
    free(live);
}

size_t app_live_read(struct app_live *live, float *interleaved, size_t frames)
{
    engine_sound_keep(live->heard, frames);
    return engine_sound_read(live->heard, interleaved, frames);
}

bool app_live_ended(const struct app_live *live)
{
    return atomic_load(&live->ended);
}

size_t app_live_dropped(const struct app_live *live)
{
    return engine_sound_dropped(live->heard);
}

bool app_live_lost(const struct app_live *live)
{
    return atomic_load(&live->lost) || Pa_IsStreamActive(live->stream) != 1;
}

const char *app_live_name(const struct app_live *live)
{
    return live->name;
}

int app_live_devices(struct app_live_device *devices, size_t most, size_t *count,
                     const struct base_diag_sink *sink)
{
    *count = 0;
    const char *error = initialize();
    if (error != NULL) {
        report_initialize(error, NULL, sink);
        return -1;
    }
    const PaDeviceIndex all = Pa_GetDeviceCount();
    for (PaDeviceIndex i = 0; i < all && *count < most; i++) {
        const PaDeviceInfo *info = Pa_GetDeviceInfo(i);
        struct app_live_device *device = &devices[(*count)++];
        *device = (struct app_live_device){
            .inputs = info->maxInputChannels,
            .outputs = info->maxOutputChannels,
            .usual_input = i == Pa_GetDefaultInputDevice(),
            .usual_output = i == Pa_GetDefaultOutputDevice(),
        };
        (void)snprintf(device->name, sizeof device->name, "%s", info->name);
    }
    terminate();
    return 0;
}

#else

static void report_not_built(const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, (struct base_place){0}, NULL,
                "froth was built without PortAudio");
}

struct app_live *app_live_listen(const char *name, const struct base_diag_sink *sink)
{
    (void)name;
    report_not_built(sink);
    return NULL;
}

struct app_live *app_live_play(struct app_audio *source, struct app_live_aside *aside,
                               const struct base_diag_sink *sink)
{
    (void)source;
    (void)aside;
    report_not_built(sink);
    return NULL;
}

void app_live_close(struct app_live *live)
{
    (void)live;
}

size_t app_live_read(struct app_live *live, float *interleaved, size_t frames)
{
    (void)live;
    (void)interleaved;
    (void)frames;
    return 0;
}

bool app_live_ended(const struct app_live *live)
{
    (void)live;
    return true;
}

size_t app_live_dropped(const struct app_live *live)
{
    (void)live;
    return 0;
}

bool app_live_lost(const struct app_live *live)
{
    (void)live;
    return true;
}

const char *app_live_name(const struct app_live *live)
{
    (void)live;
    return "";
}

int app_live_devices(struct app_live_device *devices, size_t most, size_t *count,
                     const struct base_diag_sink *sink)
{
    (void)devices;
    (void)most;
    *count = 0;
    report_not_built(sink);
    return -1;
}

#endif
