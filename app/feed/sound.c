/* How loud sound is, and for how long there has been none. Plain data, one thread; zero is a meter
 * that has heard nothing. */
#include "app/feed/sound.h"

#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/feed/sound_input.h"
#include "app/io/audio.h"
#include "base/os/clock.h"

enum {
    APP_METER_SLOTS = 10,
    APP_METER_SLOT_FRAMES = APP_AUDIO_RATE / 100,
};

struct app_sound_meter {
    float slots[APP_METER_SLOTS][2]; /* peaks, left and right */
    unsigned slot;                   /* being filled */
    size_t filled;                   /* its frames */
    uint64_t silent;                 /* frames since the last sound */
};

static const float silence = 1e-4f; /* -80 dB */

static void meter_add(struct app_sound_meter *meter, const float *interleaved, size_t frames)
{
    for (size_t i = 0; i < frames; i++) {
        if (meter->filled == APP_METER_SLOT_FRAMES) {
            meter->slot = (meter->slot + 1) % APP_METER_SLOTS;
            meter->slots[meter->slot][0] = meter->slots[meter->slot][1] = 0;
            meter->filled = 0;
        }
        float *peak = meter->slots[meter->slot];
        const float left = fabsf(interleaved[2 * i]);
        const float right = fabsf(interleaved[2 * i + 1]);
        peak[0] = left > peak[0] ? left : peak[0];
        peak[1] = right > peak[1] ? right : peak[1];
        meter->silent = left > silence || right > silence ? 0 : meter->silent + 1;
        meter->filled++;
    }
}

enum {
    RETRY_SECONDS = 2,
    LIST_SECONDS = 5,      /* after which a list of devices is old */
    LIST_WAIT_SECONDS = 2, /* for the first list */
    SILENT_FRAMES = 5 * APP_AUDIO_RATE,
    STARVED_FRAMES = APP_AUDIO_RATE / 10, /* without any, silence takes the place of samples */
};

static const char hint_devices[] = "froth devices lists what there is";

struct app_sound {
    const struct base_diag_sink *sink;
    sem_t wake;

    /* The painter's. */
    struct app_sound_input *input; /* NULL: lost */
    char name[APP_SOUND_NAME];     /* of the last input */
    bool ended;                    /* the source */
    bool silent;
    uint64_t since; /* when the input was taken, in sound frames */
    uint64_t read;  /* sound frames since the start */
    uint64_t starved;
    struct app_sound_meter meter;

    /* Shared by painter and keeper. The painter puts an input that it no longer uses into
     * `retired`: if that is `newest`, its device was lost; if not, another input has taken its
     * place. */
    _Atomic(struct app_sound_input *) retired; /* from the painter */
    _Atomic(struct app_sound_input *) fresh;   /* from the keeper */
    atomic_bool end_seen;                      /* by the painter */
    atomic_bool silence_seen;
    atomic_bool lost; /* by the keeper */
    atomic_bool quit;

    /* The keeper's. */
    pthread_t keeper;
    bool keeper_runs;
    struct app_sound_input *newest;  /* the last one that the painter was given */
    struct app_sound_input *missing; /* lost, and tried again */
    struct app_sound_list list;
    enum app_sound_system tried; /* what was asked for last, whether or not it could be had */
    bool tried_source;
    char tried_id[APP_SOUND_NAME]; /* empty: the usual one */

    /* Between keeper and operator. */
    pthread_mutex_t lock;
    pthread_cond_t listed;
    bool asked; /* for another device */
    char choice[APP_SOUND_NAME];
    bool list_wanted;
    double list_time; /* 0: not yet */
    size_t name_count;
    char names[APP_SOUND_DEVICES][APP_SOUND_NAME];
};

static void tell(const struct app_sound *sound, enum base_severity severity, const char *text)
{
    base_report(sound->sink, severity, (struct base_place){0}, NULL, "%s", text);
}

static void tell_name(const struct app_sound *sound, enum base_severity severity,
                      const char *format, const char *name)
{
    char text[sizeof(((struct base_diag *)NULL)->what)];
    (void)snprintf(text, sizeof text, format, name);
    tell(sound, severity, text);
}

static void publish(struct app_sound *sound, struct app_sound_input *input)
{
    sound->newest = input;
    atomic_store(&sound->lost, false);
    app_sound_input_close(atomic_exchange(&sound->fresh, input));
}

/* Tries to open the device that is missing. */
static bool bring_back(struct app_sound *sound)
{
    if (app_sound_input_reopen(sound->missing, NULL) != 0) {
        return false;
    }
    tell_name(sound, BASE_NOTE, "sound comes from %s again", sound->missing->name);
    publish(sound, sound->missing);
    sound->missing = NULL;
    return true;
}

static void remember(struct app_sound *sound, enum app_sound_system system, const char *id)
{
    sound->tried_source = false;
    sound->tried = system;
    (void)snprintf(sound->tried_id, sizeof sound->tried_id, "%s", id != NULL ? id : "");
}

/* Returns the place in the list of the device asked for last; the end for a source. */
static size_t tried_place(const struct app_sound *sound)
{
    for (size_t i = 0; i < sound->list.count && !sound->tried_source; i++) {
        const struct app_sound_device *device = &sound->list.items[i];
        const bool usual = device->usual && device->inputs > 0;
        if (device->system == sound->tried &&
            (sound->tried_id[0] != '\0' ? strcmp(device->id, sound->tried_id) == 0 : usual)) {
            return i;
        }
    }
    return sound->list.count;
}

static struct app_sound_input *open_tune(struct app_sound *sound)
{
    sound->tried_source = true;
    return app_sound_input_play("demo", 0, sound->sink);
}

/* follow: the monitor of the usual output stands for what the speakers play. */
static struct app_sound_input *open_device(struct app_sound *sound,
                                           const struct app_sound_device *device, bool follow)
{
    const bool usual = follow && device->monitor && device->usual;
    remember(sound, device->system, device->id);
    struct app_sound_input *input =
        app_sound_input_listen(device->system, usual ? NULL : device->id, sound->sink);
    if (input != NULL) {
        input->monitor = device->monitor;
    }
    return input;
}

static struct app_sound_input *open_named(struct app_sound *sound, const char *name)
{
    (void)app_sound_list_fill(&sound->list, NULL);
    const struct app_sound_device *device = app_sound_list_find(&sound->list, name);
    if (device == NULL) {
        base_report(sound->sink, BASE_ERROR, (struct base_place){0}, hint_devices,
                    "no sound input fits '%s'", name);
        return NULL;
    }
    return open_device(sound, device, false);
}

static struct app_sound_input *open_next(struct app_sound *sound)
{
    (void)app_sound_list_fill(&sound->list, NULL);
    /* The device behind the one asked for last; NULL: the built-in tune, which is behind them all.
     */
    const size_t places = sound->list.count + 1;
    size_t place = tried_place(sound);
    do {
        place = (place + 1) % places;
    } while (place < sound->list.count && sound->list.items[place].inputs == 0);
    const struct app_sound_device *device =
        place < sound->list.count ? &sound->list.items[place] : NULL;
    return device != NULL ? open_device(sound, device, true) : open_tune(sound);
}

/* Carries out what the operator has asked for. */
static void serve(struct app_sound *sound)
{
    char choice[APP_SOUND_NAME];
    (void)pthread_mutex_lock(&sound->lock);
    const bool asked = sound->asked;
    const bool list_wanted = sound->list_wanted;
    sound->asked = false;
    memcpy(choice, sound->choice, sizeof choice);
    (void)pthread_mutex_unlock(&sound->lock);
    if (asked) {
        struct app_sound_input *input = choice[0] == '\0'             ? open_next(sound)
                                        : strcmp(choice, "demo") == 0 ? open_tune(sound)
                                                                      : open_named(sound, choice);
        if (input != NULL) {
            app_sound_input_close(sound->missing);
            sound->missing = NULL;
            tell_name(sound, BASE_NOTE, "sound comes from %s now", input->name);
            publish(sound, input);
        }
    } else if (sound->missing != NULL) {
        (void)bring_back(sound);
    }
    if (list_wanted) {
        (void)app_sound_list_fill(&sound->list, NULL);
        (void)pthread_mutex_lock(&sound->lock);
        sound->name_count = 0;
        for (size_t i = 0; i < sound->list.count; i++) {
            if (sound->list.items[i].inputs > 0) {
                memcpy(sound->names[sound->name_count++], sound->list.items[i].name,
                       APP_SOUND_NAME);
            }
        }
        sound->list_wanted = false;
        sound->list_time = base_clock_seconds();
        (void)pthread_cond_broadcast(&sound->listed);
        (void)pthread_mutex_unlock(&sound->lock);
    }
}

static void *keeper_main(void *argument)
{
    struct app_sound *sound = argument;
    bool quit = false;
    while (!quit) {
        if (sound->missing == NULL) {
            (void)sem_wait(&sound->wake);
        } else {
            base_clock_wait(&sound->wake, RETRY_SECONDS);
        }
        quit = atomic_load(&sound->quit);
        const struct app_sound_input *newest = sound->newest;
        const bool ended = atomic_exchange(&sound->end_seen, false);
        const bool silent = atomic_exchange(&sound->silence_seen, false);
        if (ended && newest != NULL && newest->source != NULL) {
            const char *error = app_audio_error(newest->source);
            if (error == NULL) {
                tell(sound, BASE_NOTE, "the sound has ended");
            } else {
                tell_name(sound, BASE_WARNING, "the sound breaks off: %s", error);
            }
        }
        if (silent && newest != NULL && newest->source == NULL) {
            base_report(sound->sink, BASE_NOTE, (struct base_place){0},
                        newest->monitor
                            ? "play some music, or choose another device of froth devices"
                            : "is it muted or turned down? froth devices lists what else there is",
                        "nothing but silence arrives from %s", newest->name);
        }
        if (!quit) {
            struct app_sound_input *input = atomic_exchange(&sound->retired, NULL);
            if (input != NULL && input == sound->newest) {
                /* A device that is gone may be there again at once, as the usual output is when it
                 * becomes another one. */
                char name[APP_SOUND_NAME];
                memcpy(name, input->name, sizeof name);
                app_sound_input_shut(input);
                sound->newest = NULL;
                sound->missing = input;
                if (!bring_back(sound)) {
                    atomic_store(&sound->lost, true);
                    tell_name(sound, BASE_WARNING,
                              "the sound device is lost: %s; waiting for it to come back", name);
                }
            } else {
                app_sound_input_close(input);
            }
            serve(sound);
        }
    }
    return NULL;
}

static struct app_sound_input *open_asked(struct app_sound *sound,
                                          const struct app_options *options)
{
    if (options->audio != NULL) {
        sound->tried_source = true;
        return app_sound_input_play(options->audio, options->start, sound->sink);
    }
    struct app_sound_input *input = NULL;
    if (options->audio_device != NULL) {
        input = open_named(sound, options->audio_device);
    } else {
        const enum app_sound_system systems[] = {APP_SOUND_PULSE, APP_SOUND_PORTAUDIO};
        for (size_t i = 0; i < 2 && input == NULL; i++) {
            remember(sound, systems[i], NULL);
            input = app_sound_input_listen(systems[i], NULL, NULL);
        }
    }
    if (input != NULL && options->start > 0) {
        tell(sound, BASE_NOTE, "--start means nothing for a sound that is listened to");
    }
    if (input == NULL && options->audio_device == NULL) {
        tell(sound, BASE_NOTE, "no sound input: playing the built-in tune");
        sound->tried_source = true;
        input = app_sound_input_play("demo", options->start, sound->sink);
    }
    return input;
}

static void take_input(struct app_sound *sound, struct app_sound_input *input)
{
    sound->input = input;
    memcpy(sound->name, input->name, sizeof sound->name);
    sound->ended = false;
    sound->silent = false;
    sound->meter = (struct app_sound_meter){0};
    sound->starved = 0;
    sound->since = sound->read;
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
    (void)pthread_mutex_init(&sound->lock, NULL);
    base_clock_condition_init(&sound->listed);
    sound->newest = open_asked(sound, options);
    if (sound->newest != NULL) {
        take_input(sound, sound->newest);
        sound->keeper_runs = pthread_create(&sound->keeper, NULL, keeper_main, sound) == 0;
        if (!sound->keeper_runs) {
            tell(sound, BASE_ERROR, "no thread can be started for the sound");
        }
    }
    if (!sound->keeper_runs) {
        app_sound_close(sound);
        return NULL;
    }
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
    app_sound_input_close(sound->input);
    app_sound_input_close(sound->missing);
    app_sound_input_close(atomic_load(&sound->retired));
    app_sound_input_close(atomic_load(&sound->fresh));
    (void)pthread_cond_destroy(&sound->listed);
    (void)pthread_mutex_destroy(&sound->lock);
    (void)sem_destroy(&sound->wake);
    free(sound);
}

/* Takes a new input, or gives a lost one back. Both need the place of a retired input, which the
 * keeper empties soon. */
static void swap_inputs(struct app_sound *sound)
{
    if (atomic_load(&sound->retired) != NULL) {
        return;
    }
    struct app_sound_input *former = sound->input;
    struct app_sound_input *fresh = atomic_exchange(&sound->fresh, NULL);
    if (fresh != NULL) {
        take_input(sound, fresh);
    } else if (former != NULL && app_sound_input_lost(former)) {
        sound->input = NULL;
    } else {
        return;
    }
    if (former != NULL) {
        atomic_store(&sound->retired, former);
        (void)sem_post(&sound->wake);
    }
}

/* A source that lags by more than the sound frames that are wanted jumps ahead; where that is
 * behind its end, nothing is left of it. */
static size_t read_paced(struct app_sound *sound, uint64_t lag, float *interleaved, size_t wanted)
{
    struct app_sound_input *input = sound->input;
    const uint64_t at = input->begin + (sound->read - sound->since) - wanted;
    if (lag > wanted && app_audio_seek(input->source, at) != 0) {
        return 0;
    }
    return app_audio_read(input->source, interleaved, wanted);
}

static size_t read_any(struct app_sound *sound, uint64_t due, float *interleaved, size_t frames)
{
    const uint64_t lag = due > sound->read ? due - sound->read : 0;
    const size_t wanted = lag < frames ? (size_t)lag : frames;
    size_t given = 0;
    sound->read += lag;
    /* Samples of a device come at its own pace. */
    if (sound->input != NULL && !sound->input->paced &&
        (sound->input->live == NULL || !app_live_ended(sound->input->live))) {
        given = sound->input->pulse != NULL
                    ? app_pulse_read(sound->input->pulse, interleaved, frames)
                    : app_live_read(sound->input->live, interleaved, frames);
        sound->starved = given > 0 ? 0 : sound->starved + lag;
        if (sound->starved <= STARVED_FRAMES) {
            return given;
        }
    } else if (sound->input != NULL) {
        if (sound->input->paced && !sound->ended && lag > 0) {
            given = read_paced(sound, lag, interleaved, wanted);
        }
        if (!sound->ended && (!sound->input->paced || given < wanted)) {
            sound->ended = true;
            atomic_store(&sound->end_seen, true);
            (void)sem_post(&sound->wake);
        }
    }
    memset(interleaved + 2 * given, 0, (wanted - given) * 2 * sizeof *interleaved);
    return wanted;
}

size_t app_sound_read(struct app_sound *sound, uint64_t due, float *interleaved, size_t frames)
{
    swap_inputs(sound);
    const size_t given = read_any(sound, due, interleaved, frames);
    meter_add(&sound->meter, interleaved, given);
    const bool silent = sound->input != NULL && sound->input->source == NULL &&
                        sound->meter.silent >= SILENT_FRAMES;
    if (silent && !sound->silent) {
        atomic_store(&sound->silence_seen, true);
        (void)sem_post(&sound->wake);
    }
    sound->silent = silent;
    return given;
}

void app_sound_choose(struct app_sound *sound, const char *device)
{
    (void)pthread_mutex_lock(&sound->lock);
    (void)snprintf(sound->choice, sizeof sound->choice, "%s", device);
    sound->asked = true;
    (void)pthread_mutex_unlock(&sound->lock);
    (void)sem_post(&sound->wake);
}

void app_sound_status(struct app_sound *sound, struct app_sound_status *status)
{
    if (atomic_load(&sound->lost)) {
        status->state = APP_SOUND_LOST;
    } else if (sound->input != NULL && sound->input->source != NULL) {
        status->state = APP_SOUND_PLAYING;
    } else {
        status->state = sound->silent ? APP_SOUND_SILENT : APP_SOUND_LISTENING;
    }
    memcpy(status->name, sound->name, sizeof status->name);
    /* The peaks of the last tenth of a second, 0..1. */
    for (int side = 0; side < 2; side++) {
        status->peak[side] = 0;
        for (int i = 0; i < APP_METER_SLOTS; i++) {
            const float level = sound->meter.slots[i][side];
            status->peak[side] = level > status->peak[side] ? level : status->peak[side];
        }
        status->peak[side] = status->peak[side] > 1 ? 1 : status->peak[side];
    }
}

bool app_sound_is_heard(const struct app_sound *sound)
{
    return !atomic_load(&sound->lost) && sound->meter.silent < SILENT_FRAMES;
}

size_t app_sound_devices(struct app_sound *sound, char (*names)[APP_SOUND_NAME], size_t most)
{
    (void)pthread_mutex_lock(&sound->lock);
    if (sound->list_time <= 0 || base_clock_seconds() - sound->list_time > LIST_SECONDS) {
        sound->list_wanted = true;
        (void)sem_post(&sound->wake);
    }
    const double until = base_clock_seconds() + LIST_WAIT_SECONDS;
    bool waits = true;
    while (sound->list_time <= 0 && waits) {
        waits = base_clock_wait_until(&sound->listed, &sound->lock, until);
    }
    const size_t count = sound->name_count < most ? sound->name_count : most;
    memcpy(names, sound->names, count * sizeof *names);
    (void)pthread_mutex_unlock(&sound->lock);
    return count;
}
