#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "app/apart/apart.h"
#include "app/io/live.h"
#include "app/io/pulse.h"
#include "app/feed/sound.h"
#include "../../patience.h"

/* Devices made for the test take the place of the real ones when this program is linked. */
struct app_live {
    struct app_audio *source;
    char name[APP_LIVE_NAME];
};

struct app_pulse {
    char name[APP_PULSE_NAME];
};

static struct {
    atomic_int inputs;   /* how many attempts to listen will succeed */
    atomic_int outputs;  /* and to play */
    atomic_int monitors; /* and to listen to the sound server */
    atomic_int open;
    atomic_bool lost;
    atomic_bool ended;
    atomic_bool starves;
    atomic_int dropped; /* sound frames */
    _Atomic float level;
} devices;

static bool take(atomic_int *left)
{
    if (atomic_load(left) == 0) {
        return false;
    }
    atomic_fetch_sub(left, 1);
    atomic_fetch_add(&devices.open, 1);
    return true;
}

static struct app_live *open_if(atomic_int *left, struct app_audio *source)
{
    if (!take(left)) {
        return NULL;
    }
    struct app_live *live = calloc(1, sizeof *live);
    live->source = source;
    return live;
}

static size_t give(float *interleaved, size_t frames)
{
    const size_t given = atomic_load(&devices.starves) ? 0 : frames < 100 ? frames : 100;
    for (size_t i = 0; i < given; i++) {
        interleaved[2 * i] = atomic_load(&devices.level);
        interleaved[2 * i + 1] = atomic_load(&devices.level) / -2;
    }
    return given;
}

int app_live_devices(struct app_live_device *found, size_t most, size_t *count,
                     const struct base_diag_sink *sink)
{
    (void)sink;
    static const struct app_live_device all[] = {
        {.name = "Speaker", .outputs = 2, .usual_output = true},
        {.name = "Headset", .inputs = 1, .usual_input = true},
        {.name = "Set", .inputs = 2},
    };
    *count = most < 3 ? most : 3;
    memcpy(found, all, *count * sizeof *all);
    return 0;
}

struct app_live *app_live_listen(const char *device, const struct base_diag_sink *sink)
{
    struct app_live *live = open_if(&devices.inputs, NULL);
    if (live == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "no %s", device);
    } else {
        (void)snprintf(live->name, sizeof live->name, "%s", device != NULL ? device : "Headset");
    }
    return live;
}

struct app_live *app_live_play(struct app_audio *source, struct app_live_aside *aside,
                               const struct base_diag_sink *sink)
{
    (void)aside;
    (void)sink;
    return open_if(&devices.outputs, source);
}

void app_live_close(struct app_live *live)
{
    if (live != NULL) {
        atomic_fetch_sub(&devices.open, 1);
        free(live);
    }
}

size_t app_live_read(struct app_live *live, float *interleaved, size_t frames)
{
    (void)live;
    return give(interleaved, frames);
}

size_t app_live_dropped(const struct app_live *live)
{
    (void)live;
    return (size_t)atomic_load(&devices.dropped);
}

bool app_live_ended(const struct app_live *live)
{
    return live->source != NULL && atomic_load(&devices.ended);
}

bool app_live_lost(const struct app_live *live)
{
    (void)live;
    return atomic_load(&devices.lost);
}

const char *app_live_name(const struct app_live *live)
{
    return live->name;
}

size_t app_pulse_devices(struct app_pulse_device *found, size_t most)
{
    static const struct app_pulse_device all[] = {
        {"speaker.monitor", "Monitor of Speaker", true, true},
        {"hdmi.monitor", "Monitor of Screen", true, false},
        {"headset", "Headset", false, true},
    };
    const size_t count = most < 3 ? most : 3;
    memcpy(found, all, count * sizeof *all);
    return count;
}

struct app_pulse *app_pulse_listen(const char *id, const struct base_diag_sink *sink)
{
    if (!take(&devices.monitors)) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "no %s", id);
        return NULL;
    }
    struct app_pulse *pulse = calloc(1, sizeof *pulse);
    (void)snprintf(pulse->name, sizeof pulse->name, "%s", id != NULL ? id : "the usual");
    return pulse;
}

void app_pulse_close(struct app_pulse *pulse)
{
    if (pulse != NULL) {
        atomic_fetch_sub(&devices.open, 1);
        free(pulse);
    }
}

size_t app_pulse_read(struct app_pulse *pulse, float *interleaved, size_t frames)
{
    (void)pulse;
    return give(interleaved, frames);
}

size_t app_pulse_dropped(const struct app_pulse *pulse)
{
    (void)pulse;
    return (size_t)atomic_load(&devices.dropped);
}

bool app_pulse_lost(const struct app_pulse *pulse)
{
    (void)pulse;
    return atomic_load(&devices.lost);
}

const char *app_pulse_name(const struct app_pulse *pulse)
{
    return pulse->name;
}

enum { FRAMES = 2000 };

static struct base_diag_list list;
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static float samples[2 * FRAMES];
static uint64_t clock_frames;

/* Messages come from the keeper's thread too. */
static void receive(void *user, const struct base_diag *diag)
{
    const struct base_diag_sink sink = base_diag_list_sink(user);
    (void)pthread_mutex_lock(&list_lock);
    sink.receive(sink.user, diag);
    (void)pthread_mutex_unlock(&list_lock);
}

static size_t told(enum base_severity severity)
{
    (void)pthread_mutex_lock(&list_lock);
    const size_t count = list.by_severity[severity];
    (void)pthread_mutex_unlock(&list_lock);
    return count;
}

static void pause_briefly(void)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
}

static void wait_told(enum base_severity severity, size_t count)
{
    for (double until = 0; told(severity) < count && wait_more(&until);) {
    }
    assert_int_equal(told(severity), count);
}

static struct app_sound *open_at(int inputs, int outputs, const char *audio, const char *device,
                                 double start)
{
    atomic_store(&devices.inputs, inputs);
    atomic_store(&devices.outputs, outputs);
    atomic_store(&devices.lost, false);
    atomic_store(&devices.ended, false);
    atomic_store(&devices.starves, false);
    atomic_store(&devices.level, 0.5f);
    memset(&list, 0, sizeof list);
    clock_frames = 0;
    static const struct base_diag_sink sink = {receive, &list};
    const struct app_options options = {.audio = audio, .audio_device = device, .start = start};
    struct app_sound *sound = app_sound_open(&options, &sink);
    atomic_store(&devices.monitors, 0);
    return sound;
}

static struct app_sound *open_with(int inputs, int outputs, const char *audio, const char *device)
{
    return open_at(inputs, outputs, audio, device, -1);
}

/* Reads frames of a picture until a state and a name are there. */
static void wait_state(struct app_sound *sound, enum app_sound_state state, const char *name)
{
    struct app_sound_status status = {0};
    for (double until = 0; wait_more(&until);) {
        clock_frames += 735;
        assert_true(app_sound_read(sound, clock_frames, samples, FRAMES) <= FRAMES);
        app_sound_status(sound, &status);
        if (status.state == state && strcmp(status.name, name) == 0) {
            return;
        }
    }
    fail_msg("%d %s instead of %d %s", status.state, status.name, state, name);
}

static bool silent(size_t frames)
{
    for (size_t i = 0; i < 2 * frames; i++) {
        if (samples[i] != 0) {
            return false;
        }
    }
    return true;
}

static void listens_where_there_is_an_input(void **state)
{
    (void)state;
    struct app_sound *sound = open_with(1, 0, NULL, NULL);
    assert_non_null(sound);
    assert_int_equal(app_sound_read(sound, 735, samples, FRAMES), 100);
    assert_int_equal(list.count, 0);
    app_sound_close(sound);
    assert_int_equal(atomic_load(&devices.open), 0);
}

static void the_speakers_come_first(void **state)
{
    (void)state;
    atomic_store(&devices.monitors, 1);
    struct app_sound *sound = open_with(1, 1, NULL, NULL);
    assert_non_null(sound);
    wait_state(sound, APP_SOUND_LISTENING, "the usual");
    assert_int_equal(atomic_load(&devices.inputs), 1);
    assert_int_equal(told(BASE_NOTE) + told(BASE_WARNING), 0);
    app_sound_close(sound);
    assert_int_equal(atomic_load(&devices.open), 0);
}

static void a_device_has_a_number_a_name_and_an_id(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *opened;
    } cases[] = {
        {"0", "speaker.monitor"},
        {"1", "hdmi.monitor"},
        {"Screen", "hdmi.monitor"},
        {"4", "Headset"},
        {"set", "headset"},
        {"Set", "Set"},
        {"HDMI", "hdmi.monitor"},
        {"headset", "headset"},
        {"Headset (PortAudio)", "Headset"}, /* which two have */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        atomic_store(&devices.monitors, 1);
        struct app_sound *sound = open_with(1, 0, NULL, cases[i].text);
        assert_non_null(sound);
        wait_state(sound, APP_SOUND_LISTENING, cases[i].opened);
        app_sound_close(sound);
    }
    static const char *const wrong[] = {"3", "6", "-1", "99999999999999999999", "Speakers", "1x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        atomic_store(&devices.monitors, 1);
        assert_null(open_with(1, 1, NULL, wrong[i]));
        assert_int_equal(told(BASE_ERROR), 1);
    }
}

static void another_device_while_running(void **state)
{
    (void)state;
    struct app_sound *sound = open_with(1, 0, NULL, NULL);
    wait_state(sound, APP_SOUND_LISTENING, "Headset");
    atomic_store(&devices.monitors, 1);
    app_sound_choose(sound, "screen");
    wait_state(sound, APP_SOUND_LISTENING, "hdmi.monitor");
    wait_told(BASE_NOTE, 1);
    app_sound_choose(sound, "demo");
    wait_state(sound, APP_SOUND_PLAYING, "demo");
    wait_told(BASE_NOTE, 3); /* one: no output */
    assert_true(app_sound_read(sound, clock_frames += 735, samples, FRAMES) == 735);
    /* What is not there or does not open changes nothing. */
    app_sound_choose(sound, "Nowhere");
    wait_told(BASE_ERROR, 1);
    app_sound_choose(sound, "1");
    wait_told(BASE_ERROR, 2);
    wait_state(sound, APP_SOUND_PLAYING, "demo");
    for (double until = 0; atomic_load(&devices.open) > 0 && wait_more(&until);) {
    }
    assert_int_equal(atomic_load(&devices.open), 0);
    app_sound_close(sound);
}

static void the_next_device_and_round_the_end(void **state)
{
    (void)state;
    static const char *const order[] = {"hdmi.monitor", "headset", "Headset", "Set"};
    atomic_store(&devices.monitors, 1);
    struct app_sound *sound = open_with(0, 0, NULL, NULL);
    wait_state(sound, APP_SOUND_LISTENING, "the usual");
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        atomic_store(&devices.monitors, 1);
        atomic_store(&devices.inputs, 1);
        app_sound_choose(sound, "");
        wait_state(sound, APP_SOUND_LISTENING, order[i]);
    }
    app_sound_choose(sound, "");
    wait_state(sound, APP_SOUND_PLAYING, "demo");
    /* One that does not open is not tried for ever. */
    atomic_store(&devices.monitors, 0);
    app_sound_choose(sound, "");
    wait_told(BASE_ERROR, 1);
    atomic_store(&devices.monitors, 1);
    app_sound_choose(sound, "");
    wait_state(sound, APP_SOUND_LISTENING, "hdmi.monitor");
    app_sound_close(sound);
    assert_int_equal(atomic_load(&devices.open), 0);
}

static void another_device_ends_waiting_for_a_lost_one(void **state)
{
    (void)state;
    struct app_sound *sound = open_with(1, 0, NULL, NULL);
    wait_state(sound, APP_SOUND_LISTENING, "Headset");
    atomic_store(&devices.lost, true);
    wait_state(sound, APP_SOUND_LOST, "Headset");
    wait_told(BASE_WARNING, 1);
    atomic_store(&devices.lost, false);
    atomic_store(&devices.monitors, 1);
    app_sound_choose(sound, "0");
    wait_state(sound, APP_SOUND_LISTENING, "speaker.monitor");
    atomic_store(&devices.inputs, 1);
    for (int i = 0; i < 250; i++) {
        pause_briefly();
    }
    wait_state(sound, APP_SOUND_LISTENING, "speaker.monitor");
    assert_int_equal(atomic_load(&devices.inputs), 1);
    assert_int_equal(told(BASE_WARNING), 1);
    app_sound_close(sound);
    assert_int_equal(atomic_load(&devices.open), 0);
}

static void requests_in_a_hurry(void **state)
{
    (void)state;
    struct app_sound *sound = open_with(1, 0, NULL, NULL);
    for (int i = 0; i < 300; i++) {
        atomic_store(&devices.monitors, 1);
        atomic_store(&devices.inputs, 1);
        atomic_store(&devices.lost, i % 7 == 3);
        app_sound_choose(sound, i % 3 == 0 ? "1" : i % 3 == 1 ? "5" : "demo");
        (void)app_sound_read(sound, clock_frames += 735, samples, FRAMES);
        (void)nanosleep(&(struct timespec){.tv_nsec = i % 5 * 100 * 1000}, NULL);
    }
    atomic_store(&devices.lost, false);
    atomic_store(&devices.monitors, 1);
    app_sound_choose(sound, "1");
    wait_state(sound, APP_SOUND_LISTENING, "hdmi.monitor");
    app_sound_close(sound);
    assert_int_equal(atomic_load(&devices.open), 0);
}

static void silence_is_told_once(void **state)
{
    (void)state;
    atomic_store(&devices.monitors, 1);
    struct app_sound *sound = open_with(0, 0, NULL, NULL);
    struct app_sound_status status;
    for (int spell = 1; spell <= 2; spell++) {
        atomic_store(&devices.level, 0.00001f);
        for (int i = 0; i < 2204; i++) {
            (void)app_sound_read(sound, 0, samples, FRAMES);
        }
        app_sound_status(sound, &status);
        assert_int_equal(status.state, APP_SOUND_LISTENING);
        assert_true(app_sound_is_heard(sound));
        for (int i = 0; i < 3000; i++) {
            (void)app_sound_read(sound, 0, samples, FRAMES);
        }
        app_sound_status(sound, &status);
        assert_int_equal(status.state, APP_SOUND_SILENT);
        assert_false(app_sound_is_heard(sound));
        wait_told(BASE_NOTE, (size_t)spell);
        atomic_store(&devices.level, 0.5f);
        (void)app_sound_read(sound, 0, samples, FRAMES);
        app_sound_status(sound, &status);
        assert_int_equal(status.state, APP_SOUND_LISTENING);
    }
    app_sound_close(sound);
    assert_non_null(strstr(list.items[0].what, "nothing but silence arrives from the usual"));
    assert_int_equal(list.by_severity[BASE_NOTE], 2);
}

static void a_device_without_samples_is_silence(void **state)
{
    (void)state;
    struct app_sound *sound = open_with(1, 0, NULL, NULL);
    assert_int_equal(app_sound_read(sound, clock_frames += 735, samples, FRAMES), 100);
    atomic_store(&devices.starves, true);
    for (int i = 0; i < 6; i++) { /* a tenth of a second */
        assert_int_equal(app_sound_read(sound, clock_frames += 735, samples, FRAMES), 0);
    }
    for (int i = 0; i < 400; i++) {
        memset(samples, 1, sizeof samples);
        assert_int_equal(app_sound_read(sound, clock_frames += 735, samples, FRAMES), 735);
        assert_true(silent(735));
    }
    wait_told(BASE_NOTE, 1);
    atomic_store(&devices.starves, false);
    assert_int_equal(app_sound_read(sound, clock_frames += 735, samples, FRAMES), 100);
    app_sound_close(sound);
}

static void peaks_are_of_the_last_tenth_of_a_second(void **state)
{
    (void)state;
    struct app_sound *sound = open_with(1, 0, NULL, NULL);
    struct app_sound_status status;
    app_sound_status(sound, &status);
    assert_true(status.peak[0] == 0 && status.peak[1] == 0);
    atomic_store(&devices.level, 3.0f);
    (void)app_sound_read(sound, 0, samples, FRAMES);
    app_sound_status(sound, &status);
    assert_true(status.peak[0] == 1 && status.peak[1] == 1);
    atomic_store(&devices.level, 0.25f);
    for (int i = 0; i < 39; i++) {
        (void)app_sound_read(sound, 0, samples, FRAMES);
    }
    app_sound_status(sound, &status);
    assert_true(status.peak[0] == 1);
    for (int i = 0; i < 8; i++) {
        (void)app_sound_read(sound, 0, samples, FRAMES);
    }
    app_sound_status(sound, &status);
    assert_true(status.peak[0] == 0.25f && status.peak[1] == 0.125f);
    app_sound_close(sound);
}

static void the_devices_for_the_operator(void **state)
{
    (void)state;
    static const char *const expected[] = {"Monitor of Speaker", "Monitor of Screen",
                                           "Headset (headset)", "Headset (PortAudio)", "Set"};
    struct app_sound *sound = open_with(1, 0, NULL, NULL);
    char names[APP_SOUND_DEVICES][APP_SOUND_NAME];
    size_t count = 0;
    for (double until = 0; count == 0 && wait_more(&until);) {
        count = app_sound_devices(sound, names, APP_SOUND_DEVICES);
    }
    assert_int_equal(count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(names[i], expected[i]);
    }
    assert_int_equal(app_sound_devices(sound, names, 2), 2);
    app_sound_close(sound);
}

static void plays_the_tune_where_there_is_none(void **state)
{
    (void)state;
    struct app_sound *sound = open_with(0, 1, NULL, NULL);
    assert_non_null(sound);
    assert_int_equal(list.by_severity[BASE_NOTE], 1);
    assert_int_equal(app_sound_read(sound, 735, samples, FRAMES), 100);
    app_sound_close(sound);
    assert_int_equal(atomic_load(&devices.open), 0);
}

static void refuses_what_was_asked_for_and_is_not_there(void **state)
{
    (void)state;
    assert_null(open_with(0, 1, NULL, "Nowhere"));
    assert_int_equal(list.by_severity[BASE_ERROR], 1);
    assert_null(open_with(1, 1, "/nonexistent/sound.wav", NULL));
    assert_true(list.by_severity[BASE_ERROR] >= 1);
    assert_int_equal(atomic_load(&devices.open), 0);
}

/* Goes on by `step` frames at a time until a whole picture's sound has come. What comes late is
 * silence; all else stands where the test signal has it. */
static void hear_the_signal(struct app_sound *sound, struct app_audio *reference, uint64_t step)
{
    float expected[2 * FRAMES];
    bool whole = false;
    for (double until = 0; !whole && wait_more(&until);) {
        clock_frames += step;
        const size_t given = step < FRAMES ? step : FRAMES;
        assert_int_equal(app_sound_read(sound, clock_frames, samples, FRAMES), given);
        assert_int_equal(app_audio_seek(reference, clock_frames - given), 0);
        assert_int_equal(app_audio_read(reference, expected, given), given);
        whole = true;
        for (size_t k = 0; k < given; k++) {
            const bool same = memcmp(samples + 2 * k, expected + 2 * k, 2 * sizeof *samples) == 0;
            assert_true(same || (samples[2 * k] == 0 && samples[2 * k + 1] == 0));
            whole = whole && same;
        }
        step = 735;
        pause_briefly();
    }
    assert_true(whole);
}

static void the_clock_paces_a_source_without_output(void **state)
{
    (void)state;
    struct app_sound *sound = open_with(0, 0, "test", NULL);
    assert_non_null(sound);
    struct app_audio *reference = app_audio_open("test", NULL);
    hear_the_signal(sound, reference, 735);
    assert_int_equal(app_sound_read(sound, clock_frames, samples, FRAMES), 0);
    assert_int_equal(app_sound_read(sound, clock_frames - 35, samples, FRAMES), 0);
    hear_the_signal(sound, reference, 265);
    /* After a stall the newest part is given, near or far. */
    const uint64_t before = app_sound_dropped(sound);
    hear_the_signal(sound, reference, 100000);
    assert_true(app_sound_dropped(sound) - before >= 100000 - FRAMES);
    hear_the_signal(sound, reference, 100 * APP_AUDIO_RATE);
    app_audio_close(reference);
    app_sound_close(sound);
}

/* Frames that a device had to drop are told, of all devices since the start. */
static void what_was_dropped_is_counted(void **state)
{
    (void)state;
    struct app_sound *sound = open_with(1, 0, NULL, NULL);
    assert_int_equal(app_sound_read(sound, 735, samples, FRAMES), 100);
    assert_int_equal(app_sound_dropped(sound), 0);
    atomic_store(&devices.dropped, 50);
    assert_int_equal(app_sound_read(sound, 735, samples, FRAMES), 100);
    assert_int_equal(app_sound_dropped(sound), 50);
    atomic_store(&devices.monitors, 1);
    app_sound_choose(sound, "screen");
    atomic_store(&devices.dropped, 7);
    wait_state(sound, APP_SOUND_LISTENING, "hdmi.monitor");
    const uint64_t before = app_sound_dropped(sound);
    atomic_store(&devices.dropped, 10);
    assert_int_equal(app_sound_read(sound, 735, samples, FRAMES), 100);
    assert_int_equal(app_sound_dropped(sound), before + 3);
    atomic_store(&devices.dropped, 0);
    app_sound_close(sound);
}

static void silence_follows_the_end(void **state)
{
    (void)state;
    struct app_sound *sound = open_with(0, 1, "test", NULL);
    assert_int_equal(app_sound_read(sound, 735, samples, FRAMES), 100);
    atomic_store(&devices.ended, true);
    for (uint64_t due = 1470; due < 7350; due += 735) {
        memset(samples, 1, sizeof samples);
        assert_int_equal(app_sound_read(sound, due, samples, FRAMES), 735);
        assert_true(silent(735));
    }
    app_sound_close(sound);
    assert_int_equal(list.count, 1);
}

static void a_lost_device_comes_back(void **state)
{
    (void)state;
    struct app_sound *sound = open_with(1, 0, NULL, NULL);
    uint64_t due = 735;
    assert_int_equal(app_sound_read(sound, due, samples, FRAMES), 100);
    atomic_store(&devices.lost, true);
    bool back = false;
    bool waits = false;
    for (double until = 0; !back && wait_more(&until);) {
        struct app_sound_status status;
        due += 735;
        memset(samples, 1, sizeof samples);
        const size_t given = app_sound_read(sound, due, samples, FRAMES);
        back = given == 100;
        assert_true(back || (given == 735 && silent(735)));
        app_sound_status(sound, &status);
        if (!waits && status.state == APP_SOUND_LOST) {
            assert_false(app_sound_is_heard(sound));
            atomic_store(&devices.lost, false);
            atomic_store(&devices.inputs, 1);
            waits = true;
        }
    }
    assert_true(back && app_sound_is_heard(sound));
    app_sound_close(sound);
    assert_int_equal(list.by_severity[BASE_WARNING], 1);
    assert_int_equal(list.by_severity[BASE_NOTE], 1);
    assert_int_equal(atomic_load(&devices.open), 0);
}

/* The device is tried again every other second. A busy machine may hold anything once. */
static void closing_does_not_wait_for_a_lost_device(void **state)
{
    (void)state;
    enum { TRIES = 30 };
    double least = 100;
    for (int i = 0; i < TRIES && least > 0.5; i++) {
        struct app_sound *sound = open_with(1, 0, NULL, NULL);
        atomic_store(&devices.lost, true);
        wait_state(sound, APP_SOUND_LOST, "Headset");
        const double began = base_clock_seconds();
        app_sound_close(sound);
        const double took = base_clock_seconds() - began;
        least = took < least ? took : least;
        assert_int_equal(atomic_load(&devices.open), 0);
    }
    assert_true(least <= 0.5);
}

enum { WAV_FRAMES = APP_AUDIO_RATE };
static char wav_path[] = "/tmp/froth_sound_XXXXXX";

static void put_number(FILE *file, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        (void)fputc((int)(value >> 8 * i & 255), file);
    }
}

/* A constant, mono, 8 bits. */
static int write_wav(char *path, uint32_t frames)
{
    const int descriptor = mkstemp(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (file == NULL) {
        return -1;
    }
    (void)fputs("RIFF", file);
    put_number(file, 36 + frames, 4);
    (void)fputs("WAVEfmt ", file);
    put_number(file, 16, 4);
    put_number(file, 1, 2);
    put_number(file, 1, 2);
    put_number(file, APP_AUDIO_RATE, 4);
    put_number(file, APP_AUDIO_RATE, 4);
    put_number(file, 1, 2);
    put_number(file, 8, 2);
    (void)fputs("data", file);
    put_number(file, frames, 4);
    for (uint32_t i = 0; i < frames; i++) {
        (void)fputc(192, file);
    }
    return fclose(file);
}

static int make_wav(void **state)
{
    (void)state;
    return write_wav(wav_path, WAV_FRAMES);
}

static int remove_wav(void **state)
{
    (void)state;
    return unlink(wav_path);
}

/* Reads on until there is more than silence. */
static void wait_heard(struct app_sound *sound)
{
    bool heard = false;
    for (double until = 0; !heard && wait_more(&until);) {
        clock_frames += 7;
        assert_int_equal(app_sound_read(sound, clock_frames, samples, FRAMES), 7);
        heard = !silent(7);
    }
    assert_true(heard);
}

/* The one child of a process; 0: it has none. */
static pid_t child_of(pid_t parent)
{
    pid_t found = 0;
    DIR *all = opendir("/proc");
    const struct dirent *entry;
    assert_non_null(all);
    while ((entry = readdir(all)) != NULL) {
        char path[300];
        char text[300] = "";
        (void)snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        FILE *file = atoi(entry->d_name) > 0 ? fopen(path, "r") : NULL;
        if (file != NULL) {
            const char *end = fgets(text, sizeof text, file) != NULL ? strrchr(text, ')') : NULL;
            int of = 0;
            if (end != NULL && sscanf(end, ") %*c %d", &of) == 1 && of == parent) {
                found = (pid_t)atoi(entry->d_name);
            }
            (void)fclose(file);
        }
    }
    (void)closedir(all);
    return found;
}

/* Whether neither the reads nor the end of a sound have waited for its decoder, which stands still.
 */
static bool waits_for_no_decoder(const char *path, double seconds)
{
    enum { STEP = 735 };
    struct app_sound *sound = open_with(0, 0, path, NULL);
    assert_non_null(sound);
    wait_heard(sound);
    const pid_t starter = child_of(getpid());
    const pid_t decoder = starter > 0 ? child_of(starter) : 0;
    assert_true(decoder > 0);
    assert_int_equal(kill(decoder, SIGSTOP), 0);
    double longest = 0;
    bool hangs = false;
    while ((double)clock_frames < (seconds - 1) * APP_AUDIO_RATE) {
        const double before = base_clock_seconds();
        clock_frames += STEP;
        assert_int_equal(app_sound_read(sound, clock_frames, samples, FRAMES), STEP);
        const double took = base_clock_seconds() - before;
        longest = took > longest ? took : longest;
        if (!hangs) {
            /* What was read ahead comes first. Who leaps over more than that begins anew there,
             * with another decoder; this goes on until the thread waits. */
            const bool late = silent(STEP);
            (void)nanosleep(&(struct timespec){.tv_nsec = (late ? 200 : 1) * 1000000L}, NULL);
            clock_frames += STEP;
            assert_int_equal(app_sound_read(sound, clock_frames, samples, FRAMES), STEP);
            hangs = late && silent(STEP);
        }
    }
    assert_true(hangs);
    assert_true(silent(STEP));
    const double before = base_clock_seconds();
    const bool quiet = told(BASE_WARNING) == 0;
    app_sound_close(sound);
    return longest < 2 && quiet && base_clock_seconds() - before < 1;
}

/* A decoder that stands still holds neither the pictures of a show nor its end; a busy machine may
 * hold anything once. */
static void a_decoder_that_hangs_is_silence(void **state)
{
    (void)state;
    enum { SECONDS = 30, TRIES = 10 };
    char path[] = "/tmp/froth_sound_XXXXXX";
    bool well = false;
    assert_int_equal(write_wav(path, SECONDS * APP_AUDIO_RATE), 0);
    for (int i = 0; i < TRIES && !well; i++) {
        well = waits_for_no_decoder(path, SECONDS);
    }
    assert_true(well);
    assert_int_equal(unlink(path), 0);
}

static void start_must_lie_in_the_sound(void **state)
{
    (void)state;
    assert_null(open_at(0, 0, wav_path, NULL, 1));
    assert_int_equal(list.by_severity[BASE_ERROR], 1);
    assert_non_null(strstr(list.items[0].what, "behind the end"));
    assert_int_equal(list.count, 1);
    struct app_sound *sound = open_at(0, 0, wav_path, NULL, 0.5);
    assert_non_null(sound);
    wait_heard(sound);
    app_sound_close(sound);
}

static void start_means_nothing_while_listening(void **state)
{
    (void)state;
    struct app_sound *sound = open_at(1, 0, NULL, NULL, 5);
    assert_non_null(sound);
    assert_int_equal(list.by_severity[BASE_NOTE], 1);
    assert_non_null(strstr(list.items[0].what, "--start"));
    app_sound_close(sound);
}

static void a_stall_over_the_end_ends_a_paced_sound(void **state)
{
    (void)state;
    struct app_sound *sound = open_with(0, 0, wav_path, NULL);
    assert_non_null(sound);
    wait_heard(sound);
    assert_int_equal(told(BASE_NOTE), 1);
    uint64_t due = 10 * WAV_FRAMES;
    for (double until = 0; told(BASE_NOTE) < 2 && wait_more(&until); due += 735) {
        memset(samples, 1, sizeof samples);
        const size_t given = app_sound_read(sound, due, samples, FRAMES);
        assert_true(given >= 735 && silent(given));
    }
    app_sound_close(sound);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.items[1].what, "the sound has ended");
}

int main(void)
{
    /* The process that starts decoders becomes a child of this one. */
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    (void)app_apart_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listens_where_there_is_an_input),
        cmocka_unit_test(the_speakers_come_first),
        cmocka_unit_test(a_device_has_a_number_a_name_and_an_id),
        cmocka_unit_test(another_device_while_running),
        cmocka_unit_test(the_next_device_and_round_the_end),
        cmocka_unit_test(another_device_ends_waiting_for_a_lost_one),
        cmocka_unit_test(requests_in_a_hurry),
        cmocka_unit_test(silence_is_told_once),
        cmocka_unit_test(a_device_without_samples_is_silence),
        cmocka_unit_test(peaks_are_of_the_last_tenth_of_a_second),
        cmocka_unit_test(the_devices_for_the_operator),
        cmocka_unit_test(plays_the_tune_where_there_is_none),
        cmocka_unit_test(refuses_what_was_asked_for_and_is_not_there),
        cmocka_unit_test(the_clock_paces_a_source_without_output),
        cmocka_unit_test(what_was_dropped_is_counted),
        cmocka_unit_test(silence_follows_the_end),
        cmocka_unit_test(a_lost_device_comes_back),
        cmocka_unit_test(closing_does_not_wait_for_a_lost_device),
        cmocka_unit_test(a_decoder_that_hangs_is_silence),
        cmocka_unit_test(start_must_lie_in_the_sound),
        cmocka_unit_test(start_means_nothing_while_listening),
        cmocka_unit_test(a_stall_over_the_end_ends_a_paced_sound),
    };
    return cmocka_run_group_tests(tests, make_wav, remove_wav);
}
