#include "app/play_sound.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/io/audio.h"
#include "app/io/live.h"

enum { RETRY_SECONDS = 2 };

struct app_sound {
    const struct base_diag_sink *sink;
    const char *device;       /* listened to; NULL: the default */
    struct app_audio *source; /* NULL: listening */
    struct app_live *live;    /* NULL: lost, or no output */
    bool paced;               /* by the clock, for want of an output */
    bool end_told;
    uint64_t begin; /* of the source, in sound frames */
    uint64_t read;  /* sound frames since the start */
    pthread_t keeper;
    bool keeper_runs;
    sem_t wake;
    atomic_bool quit;
    _Atomic(struct app_live *) broken; /* from the painter to the keeper */
    _Atomic(struct app_live *) fresh;  /* from the keeper to the painter */
};

static void tell(const struct app_sound *sound, enum base_severity severity, const char *text)
{
    base_report(sound->sink, severity, (struct base_place){0}, NULL, "%s", text);
}

static struct app_live *open_live(const struct app_sound *sound, const struct base_diag_sink *sink)
{
    return sound->source != NULL ? app_live_play(sound->source, sink)
                                 : app_live_listen(sound->device, sink);
}

static void wait_retry(struct app_sound *sound)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += RETRY_SECONDS;
    (void)sem_timedwait(&sound->wake, &until);
}

/* Tries until the device is back. */
static void reopen(struct app_sound *sound)
{
    while (!atomic_load(&sound->quit)) {
        struct app_live *live = open_live(sound, NULL);
        if (live != NULL) {
            tell(sound, BASE_NOTE, "the sound device is back");
            atomic_store(&sound->fresh, live);
            return;
        }
        wait_retry(sound);
    }
}

static void *keeper_main(void *argument)
{
    struct app_sound *sound = argument;
    while (!atomic_load(&sound->quit)) {
        (void)sem_wait(&sound->wake);
        struct app_live *broken = atomic_exchange(&sound->broken, NULL);
        if (broken != NULL) {
            tell(sound, BASE_WARNING, "the sound device is lost; waiting for it to come back");
            app_live_close(broken);
            reopen(sound);
        }
    }
    return NULL;
}

static int open_source(struct app_sound *sound, const char *name, double start)
{
    sound->source = app_audio_open(name, sound->sink);
    if (sound->source == NULL) {
        return -1;
    }
    const double seconds = app_audio_seconds(sound->source);
    if (start > 0 && seconds >= 0 && start >= seconds) {
        base_report(sound->sink, BASE_ERROR, (struct base_place){0}, NULL,
                    "--start is behind the end of the sound, which has %.3f seconds", seconds);
        return -1;
    }
    sound->begin = start > 0 ? (uint64_t)(start * APP_AUDIO_RATE + 0.5) : 0;
    if (sound->begin > 0 && app_audio_seek(sound->source, sound->begin) != 0) {
        tell(sound, BASE_WARNING, "this sound cannot start in the middle; it starts at 0");
        sound->begin = 0;
    }
    sound->live = app_live_play(sound->source, NULL);
    if (sound->live == NULL) {
        sound->paced = true;
        tell(sound, BASE_NOTE, "no sound output: the picture goes on without being heard");
    }
    return 0;
}

static int open_sound(struct app_sound *sound, const struct app_options *options)
{
    if (options->audio != NULL) {
        return open_source(sound, options->audio, options->start);
    }
    sound->device = options->audio_device;
    sound->live = app_live_listen(sound->device, sound->device != NULL ? sound->sink : NULL);
    if (sound->live != NULL) {
        if (options->start > 0) {
            tell(sound, BASE_NOTE, "--start means nothing for a sound that is listened to");
        }
        return 0;
    }
    if (sound->device != NULL) {
        return -1;
    }
    tell(sound, BASE_NOTE, "no sound input: playing the built-in tune");
    return open_source(sound, "demo", options->start);
}

struct app_sound *app_sound_open(const struct app_options *options,
                                 const struct base_diag_sink *sink)
{
    struct app_sound *sound = calloc(1, sizeof *sound);
    if (sound == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "not enough memory");
        return NULL;
    }
    sound->sink = sink;
    (void)sem_init(&sound->wake, 0, 0);
    if (open_sound(sound, options) != 0) {
        app_sound_close(sound);
        return NULL;
    }
    sound->keeper_runs =
        sound->live != NULL && pthread_create(&sound->keeper, NULL, keeper_main, sound) == 0;
    return sound;
}

void app_sound_close(struct app_sound *sound)
{
    if (sound == NULL) {
        return;
    }
    if (sound->keeper_runs) {
        atomic_store(&sound->quit, true);
        (void)sem_post(&sound->wake);
        (void)pthread_join(sound->keeper, NULL);
    }
    app_live_close(sound->live);
    app_live_close(atomic_load(&sound->broken));
    app_live_close(atomic_load(&sound->fresh));
    app_audio_close(sound->source);
    (void)sem_destroy(&sound->wake);
    free(sound);
}

static void swap_devices(struct app_sound *sound)
{
    if (sound->live == NULL) {
        sound->live = atomic_exchange(&sound->fresh, NULL);
    } else if (sound->keeper_runs && app_live_lost(sound->live)) {
        atomic_store(&sound->broken, sound->live);
        sound->live = NULL;
        (void)sem_post(&sound->wake);
    }
}

/* A source that lags by more than the sound frames that are wanted jumps ahead; where that is
 * behind its end, nothing is left of it. */
static size_t read_paced(struct app_sound *sound, uint64_t lag, float *interleaved, size_t wanted)
{
    if (lag > wanted && app_audio_seek(sound->source, sound->begin + sound->read - wanted) != 0) {
        return 0;
    }
    return app_audio_read(sound->source, interleaved, wanted);
}

static void tell_end(struct app_sound *sound)
{
    if (!sound->end_told) {
        const char *error = app_audio_error(sound->source);
        sound->end_told = true;
        tell(sound, error == NULL ? BASE_NOTE : BASE_WARNING,
             error == NULL ? "the sound has ended" : error);
    }
}

size_t app_sound_read(struct app_sound *sound, uint64_t due, float *interleaved, size_t frames)
{
    const uint64_t lag = due > sound->read ? due - sound->read : 0;
    const size_t wanted = lag < frames ? (size_t)lag : frames;
    swap_devices(sound);
    size_t given = 0;
    sound->read += lag;
    if (sound->live != NULL && !app_live_ended(sound->live)) {
        return app_live_read(sound->live, interleaved, frames);
    }
    if (sound->live != NULL) {
        tell_end(sound);
    } else if (sound->paced && !sound->end_told && lag > 0) {
        given = read_paced(sound, lag, interleaved, wanted);
        if (given < wanted) {
            tell_end(sound);
        }
    }
    memset(interleaved + 2 * given, 0, (wanted - given) * 2 * sizeof *interleaved);
    return wanted;
}
