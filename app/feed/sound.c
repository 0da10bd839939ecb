#include "app/feed/sound.h"

#include <ctype.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/feed/ahead.h"
#include "app/io/audio.h"
#include "app/io/live.h"
#include "app/io/pulse.h"
#include "base/os/print.h"
#include "base/os/thread.h"
#include "base/text.h"
#include "engine/resample.h"

/* The devices that sound comes from and goes to, numbered for the operator: those of the sound
 * server first, then PortAudio's. */

enum sound_system { SYSTEM_PULSE, SYSTEM_PORTAUDIO };

struct device {
    enum sound_system system;
    char name[APP_SOUND_NAME]; /* to be shown; no two in a list are the same */
    char id[APP_SOUND_NAME];   /* what its system calls it */
    int inputs;                /* channels; it can be listened to if there are any */
    int outputs;
    bool monitor; /* an input that hears what an output plays */
    bool usual;   /* the usual input or output, or the monitor of the usual output */
};

/* A device's number is its place here. */
struct device_list {
    struct device items[APP_SOUND_DEVICES];
    size_t count;
};

static const char *const system_names[] = {
    [SYSTEM_PULSE] = "pulse", [SYSTEM_PORTAUDIO] = "portaudio"};

_Static_assert((int)APP_PULSE_NAME == (int)APP_SOUND_NAME &&
                   (int)APP_LIVE_NAME == (int)APP_SOUND_NAME,
               "names are copied whole");

static void add(struct device_list *list, const struct device *device)
{
    if (list->count < APP_SOUND_DEVICES) {
        list->items[list->count++] = *device;
    }
}

static bool name_taken(const struct device_list *list, size_t index)
{
    for (size_t i = 0; i < list->count; i++) {
        if (i != index && strcmp(list->items[i].name, list->items[index].name) == 0) {
            return true;
        }
    }
    return false;
}

/* Asks the systems, which may take a second. Returns 0, or -1 with a message if PortAudio does not
 * start; the list then holds what there is without it. */
static int list_fill(struct device_list *list, const struct base_diag_sink *sink)
{
    struct app_pulse_device served[APP_PULSE_DEVICES];
    const size_t served_count = app_pulse_devices(served, APP_PULSE_DEVICES);
    list->count = 0;
    for (size_t i = 0; i < served_count; i++) {
        struct device device = {.system = SYSTEM_PULSE,
                                .inputs = 2,
                                .monitor = served[i].monitor,
                                .usual = served[i].usual};
        memcpy(device.name, served[i].name, sizeof device.name);
        memcpy(device.id, served[i].id, sizeof device.id);
        add(list, &device);
    }
    struct app_live_device found[APP_SOUND_DEVICES];
    size_t found_count = 0;
    const int result = app_live_devices(found, APP_SOUND_DEVICES, &found_count, sink);
    for (size_t i = 0; i < found_count; i++) {
        struct device device = {.system = SYSTEM_PORTAUDIO,
                                .inputs = found[i].inputs,
                                .outputs = found[i].outputs,
                                .usual = found[i].usual_input || found[i].usual_output};
        memcpy(device.name, found[i].name, sizeof device.name);
        memcpy(device.id, found[i].name, sizeof device.id);
        add(list, &device);
    }
    /* Two cards of one make have one name, which gets the card's own behind it. */
    bool shared[APP_SOUND_DEVICES];
    for (size_t i = 0; i < list->count; i++) {
        shared[i] = name_taken(list, i);
    }
    for (size_t i = 0; i < list->count; i++) {
        struct device *device = &list->items[i];
        const size_t length = strlen(device->name);
        if (shared[i]) {
            (void)snprintf(device->name + length, sizeof device->name - length, " (%s)",
                           device->system == SYSTEM_PULSE ? device->id : "PortAudio");
        }
        if (shared[i] && name_taken(list, i)) {
            (void)snprintf(device->name, sizeof device->name, "%zu %.100s", i, device->id);
        }
    }
    return result;
}

static bool contains(const char *text, const char *part)
{
    const struct base_span wanted = base_span_of(part);
    const size_t size = strlen(text);
    for (size_t i = 0; i + wanted.size <= size; i++) {
        if (base_span_equal_nocase((struct base_span){text + i, wanted.size}, wanted)) {
            return true;
        }
    }
    return false;
}

/* The device that can be listened to with this number, this whole name or id, or else the first
 * with a name or id that contains the text. NULL if there is none. */
static const struct device *list_find(const struct device_list *list, const char *text)
{
    char *end = NULL;
    const unsigned long number = strtoul(text, &end, 10);
    if (isdigit((unsigned char)text[0]) && *end == '\0') {
        const bool exists = number < list->count && list->items[number].inputs > 0;
        return exists ? &list->items[number] : NULL;
    }
    const struct device *found = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const struct device *device = &list->items[i];
        if (device->inputs == 0) {
            continue;
        }
        if (strcmp(device->name, text) == 0 || strcmp(device->id, text) == 0) {
            return device;
        }
        if (found == NULL && (contains(device->name, text) || contains(device->id, text))) {
            found = device;
        }
    }
    return found;
}

/* One thing that sound comes from, opened: a device of the sound server, one of PortAudio, or a
 * source (a file, a tune) that is played and heard, or paced by the clock where there is no output.
 * Opening, shutting and closing take their time; one thread at a time. */

struct input {
    char name[APP_SOUND_NAME]; /* for people */
    enum sound_system system;
    char id[APP_SOUND_NAME];  /* of the device; empty: the usual one of its system */
    bool monitor;             /* what an output plays is listened to */
    struct app_pulse *pulse;  /* at most one of pulse and live; neither: shut, or paced */
    struct app_live *live;    /* listening, or playing the source */
    struct app_audio *source; /* NULL: listening */
    struct app_ahead *ahead;  /* reads the source, which the clock paces for want of an output */
    uint64_t begin;           /* where the source starts, in sound frames */
};

static void report(const struct base_diag_sink *sink, enum base_severity severity, const char *text)
{
    base_report(sink, severity, (struct base_place){0}, NULL, "%s", text);
}

/* Closes the device; a source stays where it is. */
static void input_shut(struct input *input)
{
    app_pulse_close(input->pulse);
    app_live_close(input->live);
    input->pulse = NULL;
    input->live = NULL;
}

static void input_close(struct input *input)
{
    if (input != NULL) {
        if (input->source != NULL) {
            app_audio_stop(input->source);
        }
        input_shut(input);
        app_ahead_stop(input->ahead);
        app_audio_close(input->source);
        free(input);
    }
}

static struct input *create(const struct base_diag_sink *sink)
{
    struct input *input = calloc(1, sizeof *input);
    if (input == NULL) {
        report(sink, BASE_ERROR, "not enough memory");
    }
    return input;
}

static void set_name(struct input *input, const char *name)
{
    (void)snprintf(input->name, sizeof input->name, "%s", name);
}

static int attach(struct input *input, const struct base_diag_sink *sink)
{
    const char *id = input->id[0] != '\0' ? input->id : NULL;
    if (input->system == SYSTEM_PULSE) {
        input->pulse = app_pulse_listen(id, sink);
        if (input->pulse != NULL) {
            set_name(input, app_pulse_name(input->pulse));
        }
        return input->pulse != NULL ? 0 : -1;
    }
    input->live = app_live_listen(id, sink);
    if (input->live != NULL) {
        set_name(input, app_live_name(input->live));
    }
    return input->live != NULL ? 0 : -1;
}

/* Listens to a device; id NULL: what the speakers play, or PortAudio's default input. NULL with a
 * message if it cannot be had. */
static struct input *input_listen(enum sound_system system, const char *id,
                                  const struct base_diag_sink *sink)
{
    struct input *input = create(sink);
    if (input == NULL) {
        return NULL;
    }
    input->system = system;
    input->monitor = system == SYSTEM_PULSE && id == NULL;
    (void)snprintf(input->id, sizeof input->id, "%s", id != NULL ? id : "");
    if (attach(input, sink) != 0) {
        input_close(input);
        return NULL;
    }
    return input;
}

/* Plays a source from `start` seconds on. NULL with a message if it cannot be opened. */
static struct input *input_play(const char *name, double start, struct app_live_aside *aside,
                                const struct base_diag_sink *sink)
{
    struct input *input = create(sink);
    if (input == NULL) {
        return NULL;
    }
    input->source = app_audio_open(name, sink);
    const double seconds = input->source != NULL ? app_audio_seconds(input->source) : -1;
    const bool behind_end = start > 0 && seconds >= 0 && start >= seconds;
    if (behind_end) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL,
                    "--start is behind the end of the sound, which has %.3f seconds", seconds);
    }
    if (input->source == NULL || behind_end) {
        input_close(input);
        return NULL;
    }
    input->begin = start > 0 ? (uint64_t)(start * APP_AUDIO_RATE + 0.5) : 0;
    if (input->begin > 0 && app_audio_seek(input->source, input->begin) != 0) {
        report(sink, BASE_WARNING, "this sound cannot start in the middle; it starts at 0");
        input->begin = 0;
    }
    const char *slash = strrchr(name, '/');
    set_name(input, slash != NULL ? slash + 1 : name);
    input->live = app_live_play(input->source, aside, NULL);
    if (input->live != NULL) {
        return input;
    }
    input->ahead = app_ahead_start(input->source, input->begin);
    if (input->ahead == NULL) {
        report(sink, BASE_ERROR, "not enough memory");
        input_close(input);
        return NULL;
    }
    report(sink, BASE_NOTE, "no sound output: the picture goes on without being heard");
    return input;
}

/* How loud sound is, and for how long there has been none. Plain data, one thread; zero is a meter
 * that has heard nothing. */

enum {
    METER_SLOTS = 10,
    METER_SLOT_FRAMES = APP_AUDIO_RATE / 100,
};

struct meter {
    float slots[METER_SLOTS][2]; /* peaks, left and right */
    unsigned slot;               /* being filled */
    size_t filled;               /* its frames */
    uint64_t silent;             /* frames since the last sound */
};

static const float silence = 1e-4f; /* -80 dB */

static void meter_add(struct meter *meter, const float *interleaved, size_t frames)
{
    for (size_t i = 0; i < frames; i++) {
        if (meter->filled == METER_SLOT_FRAMES) {
            meter->slot = (meter->slot + 1) % METER_SLOTS;
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
    PAST_FRAMES = 1 << 15,                /* of another time, at the device's rate, that wait */
    STARVED_FRAMES = APP_AUDIO_RATE / 10, /* without any, silence takes the place of samples */
};

static const char hint_devices[] = "froth devices lists what there is";

struct app_sound {
    const struct base_diag_sink *sink;
    sem_t wake;

    /* The painter's. */
    struct input *input;       /* NULL: lost */
    char name[APP_SOUND_NAME]; /* of the last input */
    bool ended;                /* the source */
    bool silent;
    uint64_t since; /* when the input was taken, in sound frames */
    uint64_t read;  /* sound frames since the start */
    uint64_t starved;
    uint64_t dropped;        /* sound frames that were never read */
    uint64_t dropped_before; /* of them, those of former inputs */
    struct meter meter;

    /* What is heard of another time; written to by who puts it. */
    struct app_live_aside past;
    struct engine_resample *past_resample; /* to the rate below; NULL: it is that of the sound */
    int past_rate;                         /* 0: none yet */

    /* Shared by painter and keeper. The painter puts an input that it no longer uses into
     * `retired`: if that is `newest`, its device was lost; if not, another input has taken its
     * place. */
    _Atomic(struct input *) retired; /* from the painter */
    _Atomic(struct input *) fresh;   /* from the keeper */
    atomic_bool end_seen;            /* by the painter */
    atomic_bool silence_seen;
    atomic_bool lost; /* by the keeper */
    atomic_bool quit;

    /* The keeper's. */
    pthread_t keeper;
    bool keeper_runs;
    struct input *newest;  /* the last one that the painter was given */
    struct input *missing; /* lost, and tried again */
    struct device_list list;
    enum sound_system tried; /* what was asked for last, whether or not it could be had */
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

static void publish(struct app_sound *sound, struct input *input)
{
    sound->newest = input;
    atomic_store(&sound->lost, false);
    input_close(atomic_exchange(&sound->fresh, input));
}

/* Tries to open the device that is missing. */
static bool bring_back(struct app_sound *sound)
{
    struct input *input = sound->missing;
    if (input->source == NULL) {
        (void)attach(input, NULL);
    } else {
        input->live = app_live_play(input->source, &sound->past, NULL);
    }
    if (input->pulse == NULL && input->live == NULL) {
        return false;
    }
    tell_name(sound, BASE_NOTE, "sound comes from %s again", input->name);
    publish(sound, input);
    sound->missing = NULL;
    return true;
}

static void remember(struct app_sound *sound, enum sound_system system, const char *id)
{
    sound->tried_source = false;
    sound->tried = system;
    (void)snprintf(sound->tried_id, sizeof sound->tried_id, "%s", id != NULL ? id : "");
}

static struct input *open_tune(struct app_sound *sound)
{
    sound->tried_source = true;
    return input_play("demo", 0, &sound->past, sound->sink);
}

/* follow: the monitor of the usual output stands for what the speakers play. */
static struct input *open_device(struct app_sound *sound, const struct device *device, bool follow)
{
    const bool usual = follow && device->monitor && device->usual;
    remember(sound, device->system, device->id);
    struct input *input = input_listen(device->system, usual ? NULL : device->id, sound->sink);
    if (input != NULL) {
        input->monitor = device->monitor;
    }
    return input;
}

static struct input *open_named(struct app_sound *sound, const char *name)
{
    (void)list_fill(&sound->list, NULL);
    const struct device *device = list_find(&sound->list, name);
    if (device == NULL) {
        base_report(sound->sink, BASE_ERROR, (struct base_place){0}, hint_devices,
                    "no sound input fits '%s'", name);
        return NULL;
    }
    return open_device(sound, device, false);
}

static struct input *open_next(struct app_sound *sound)
{
    const struct device *items = sound->list.items;
    (void)list_fill(&sound->list, NULL);
    /* The place of the device asked for last; that of the built-in tune is behind them all. */
    const size_t tune = sound->list.count;
    size_t place = sound->tried_source ? tune : 0;
    for (; place < tune; place++) {
        const bool usual = items[place].usual && items[place].inputs > 0;
        if (items[place].system == sound->tried &&
            (sound->tried_id[0] != '\0' ? strcmp(items[place].id, sound->tried_id) == 0 : usual)) {
            break;
        }
    }
    do {
        place = (place + 1) % (tune + 1);
    } while (place < tune && items[place].inputs == 0);
    return place < tune ? open_device(sound, &items[place], true) : open_tune(sound);
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
        struct input *input = choice[0] == '\0'             ? open_next(sound)
                              : strcmp(choice, "demo") == 0 ? open_tune(sound)
                                                            : open_named(sound, choice);
        if (input != NULL) {
            input_close(sound->missing);
            sound->missing = NULL;
            tell_name(sound, BASE_NOTE, "sound comes from %s now", input->name);
            publish(sound, input);
        }
    } else if (sound->missing != NULL) {
        (void)bring_back(sound);
    }
    if (list_wanted) {
        (void)list_fill(&sound->list, NULL);
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
        const struct input *newest = sound->newest;
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
            struct input *input = atomic_exchange(&sound->retired, NULL);
            if (input != NULL && input == sound->newest) {
                /* A device that is gone may be there again at once, as the usual output is when it
                 * becomes another one. */
                char name[APP_SOUND_NAME];
                memcpy(name, input->name, sizeof name);
                input_shut(input);
                sound->newest = NULL;
                sound->missing = input;
                if (!bring_back(sound)) {
                    atomic_store(&sound->lost, true);
                    tell_name(sound, BASE_WARNING,
                              "the sound device is lost: %s; waiting for it to come back", name);
                }
            } else {
                input_close(input);
            }
            serve(sound);
        }
    }
    return NULL;
}

static struct input *open_asked(struct app_sound *sound, const struct app_options *options)
{
    if (options->audio != NULL) {
        sound->tried_source = true;
        return input_play(options->audio, options->start, &sound->past, sound->sink);
    }
    struct input *input = NULL;
    if (options->audio_device != NULL) {
        input = open_named(sound, options->audio_device);
    } else {
        const enum sound_system systems[] = {SYSTEM_PULSE, SYSTEM_PORTAUDIO};
        for (size_t i = 0; i < 2 && input == NULL; i++) {
            remember(sound, systems[i], NULL);
            input = input_listen(systems[i], NULL, NULL);
        }
    }
    if (input != NULL && options->start > 0) {
        tell(sound, BASE_NOTE, "--start means nothing for a sound that is listened to");
    }
    if (input == NULL && options->audio_device == NULL) {
        tell(sound, BASE_NOTE, "no sound input: playing the built-in tune");
        sound->tried_source = true;
        input = input_play("demo", options->start, &sound->past, sound->sink);
    }
    return input;
}

static void take_input(struct app_sound *sound, struct input *input)
{
    sound->input = input;
    memcpy(sound->name, input->name, sizeof sound->name);
    sound->ended = false;
    sound->silent = false;
    sound->meter = (struct meter){0};
    sound->starved = 0;
    sound->since = sound->read;
    sound->dropped_before = sound->dropped;
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
    if (base_ring_init(&sound->past.ring, PAST_FRAMES) != 0) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "not enough memory");
        free(sound);
        return NULL;
    }
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
    input_close(sound->input);
    input_close(sound->missing);
    input_close(atomic_load(&sound->retired));
    input_close(atomic_load(&sound->fresh));
    base_ring_free(&sound->past.ring);
    engine_resample_destroy(sound->past_resample);
    (void)pthread_cond_destroy(&sound->listed);
    (void)pthread_mutex_destroy(&sound->lock);
    (void)sem_destroy(&sound->wake);
    free(sound);
}

void app_sound_play_past(struct app_sound *sound, bool on)
{
    atomic_store_explicit(&sound->past.on, on, memory_order_relaxed);
}

void app_sound_put_past(struct app_sound *sound, const float *interleaved, size_t frames)
{
    enum { CHUNK = 1024 };
    const int rate = atomic_load(&sound->past.rate);
    if (rate != sound->past_rate) {
        engine_resample_destroy(sound->past_resample);
        sound->past_resample =
            rate != 0 && rate != APP_AUDIO_RATE
                ? engine_resample_create(APP_AUDIO_RATE, rate, ENGINE_RESAMPLE_LIVE)
                : NULL;
        sound->past_rate = rate;
    }
    if (rate == APP_AUDIO_RATE) {
        (void)base_ring_write(&sound->past.ring, interleaved, frames);
    }
    while (sound->past_resample != NULL && frames > 0) {
        float out[2 * CHUNK];
        size_t used = frames;
        const size_t made =
            engine_resample_run(sound->past_resample, interleaved, &used, out, CHUNK, false);
        (void)base_ring_write(&sound->past.ring, out, made);
        interleaved += 2 * used;
        frames = used == 0 && made == 0 ? 0 : frames - used;
    }
}

/* Takes a new input, or gives a lost one back. Both need the place of a retired input, which the
 * keeper empties soon. */
static void swap_inputs(struct app_sound *sound)
{
    if (atomic_load(&sound->retired) != NULL) {
        return;
    }
    struct input *former = sound->input;
    struct input *fresh = atomic_exchange(&sound->fresh, NULL);
    if (fresh != NULL) {
        take_input(sound, fresh);
    } else if (former != NULL &&
               (former->pulse != NULL ? app_pulse_lost(former->pulse)
                                      : former->live != NULL && app_live_lost(former->live))) {
        sound->input = NULL;
    } else {
        return;
    }
    if (former != NULL) {
        atomic_store(&sound->retired, former);
        (void)sem_post(&sound->wake);
    }
}

static size_t read_any(struct app_sound *sound, uint64_t due, float *interleaved, size_t frames)
{
    const uint64_t lag = due > sound->read ? due - sound->read : 0;
    const size_t wanted = lag < frames ? (size_t)lag : frames;
    size_t given = 0;
    sound->read += lag;
    /* Samples of a device come at its own pace. */
    if (sound->input != NULL && sound->input->ahead == NULL &&
        (sound->input->live == NULL || !app_live_ended(sound->input->live))) {
        given = sound->input->pulse != NULL
                    ? app_pulse_read(sound->input->pulse, interleaved, frames)
                    : app_live_read(sound->input->live, interleaved, frames);
        sound->dropped = sound->dropped_before + (sound->input->pulse != NULL
                                                      ? app_pulse_dropped(sound->input->pulse)
                                                      : app_live_dropped(sound->input->live));
        sound->starved = given > 0 ? 0 : sound->starved + lag;
        if (sound->starved <= STARVED_FRAMES) {
            return given;
        }
    } else if (sound->input != NULL) {
        struct app_ahead *ahead = sound->input->ahead;
        bool ends = ahead == NULL;
        if (ahead != NULL && !sound->ended && lag > 0) {
            const uint64_t at = sound->input->begin + (sound->read - sound->since) - wanted;
            given = app_ahead_read(ahead, at, interleaved, wanted);
            ends = app_ahead_ended(ahead);
            sound->dropped += lag - (ends ? wanted : given);
            given = wanted;
        }
        if (!sound->ended && ends) {
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
        float peak = 0;
        for (int i = 0; i < METER_SLOTS; i++) {
            const float level = sound->meter.slots[i][side];
            peak = level > peak ? level : peak;
        }
        status->peak[side] = peak > 1 ? 1 : peak;
    }
}

uint64_t app_sound_dropped(const struct app_sound *sound)
{
    return sound->dropped;
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

/* A device in a line, for people or as JSON. */

static void print_json(const struct device *device, size_t number, FILE *out)
{
    (void)fprintf(out, "{\"number\":%zu,\"name\":", number);
    base_json_string(out, device->name);
    (void)fprintf(out, ",\"system\":\"%s\",\"inputs\":%d,\"outputs\":%d,\"monitor\":%s,",
                  system_names[device->system], device->inputs, device->outputs,
                  device->monitor ? "true" : "false");
    (void)fprintf(out, "\"usual\":%s}\n", device->usual ? "true" : "false");
}

static void print_plain(const struct device *device, size_t number, FILE *out)
{
    (void)fprintf(out, "%3zu  ", number);
    base_plain(out, device->name);
    (void)fprintf(out, "  (%s, ", system_names[device->system]);
    if (device->system == SYSTEM_PULSE) {
        (void)fputs(device->monitor ? "what an output plays" : "input", out);
    } else {
        (void)fprintf(out, "%d in, %d out", device->inputs, device->outputs);
    }
    (void)fputs(device->usual ? ", usual)\n" : ")\n", out);
}

int app_sound_list(bool json, FILE *out, const struct base_diag_sink *sink)
{
    struct device_list list;
    const int result = list_fill(&list, sink);
    for (size_t i = 0; i < list.count; i++) {
        (json ? print_json : print_plain)(&list.items[i], i, out);
    }
    if (list.count == 0 && !json) {
        (void)fputs("no sound devices found\n", out);
    }
    return result;
}
