#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/io/live.h"
#include "app/play_sound.h"

/* Devices made for the test take the place of the real ones when this program is linked. */
struct app_live {
    struct app_audio *source;
};

static struct {
    atomic_int inputs;  /* how many attempts to listen will succeed */
    atomic_int outputs; /* and to play */
    atomic_int open;
    atomic_bool lost;
    atomic_bool ended;
} devices;

static struct app_live *open_if(atomic_int *left, struct app_audio *source)
{
    if (atomic_load(left) == 0) {
        return NULL;
    }
    atomic_fetch_sub(left, 1);
    atomic_fetch_add(&devices.open, 1);
    struct app_live *live = calloc(1, sizeof *live);
    live->source = source;
    return live;
}

struct app_live *app_live_listen(const char *device, const struct base_diag_sink *sink)
{
    struct app_live *live = open_if(&devices.inputs, NULL);
    if (live == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "no %s", device);
    }
    return live;
}

struct app_live *app_live_play(struct app_audio *source, const struct base_diag_sink *sink)
{
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
    const size_t given = frames < 100 ? frames : 100;
    for (size_t i = 0; i < 2 * given; i++) {
        interleaved[i] = 0.5f;
    }
    return given;
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

enum { FRAMES = 2000 };

static struct base_diag_list list;
static float samples[2 * FRAMES];

static struct app_sound *open_at(int inputs, int outputs, const char *audio, const char *device,
                                 double start)
{
    atomic_store(&devices.inputs, inputs);
    atomic_store(&devices.outputs, outputs);
    atomic_store(&devices.lost, false);
    atomic_store(&devices.ended, false);
    memset(&list, 0, sizeof list);
    static struct base_diag_sink sink;
    sink = base_diag_list_sink(&list);
    const struct app_options options = {.audio = audio, .audio_device = device, .start = start};
    return app_sound_open(&options, &sink);
}

static struct app_sound *open_with(int inputs, int outputs, const char *audio, const char *device)
{
    return open_at(inputs, outputs, audio, device, -1);
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

static void the_clock_paces_a_source_without_output(void **state)
{
    (void)state;
    struct app_sound *sound = open_with(0, 0, "test", NULL);
    assert_non_null(sound);
    struct app_audio *reference = app_audio_open("test", NULL);
    float expected[2 * FRAMES];
    assert_int_equal(app_audio_read(reference, expected, FRAMES), FRAMES);
    assert_int_equal(app_sound_read(sound, 735, samples, FRAMES), 735);
    assert_memory_equal(samples, expected, 735 * 2 * sizeof *samples);
    assert_int_equal(app_sound_read(sound, 735, samples, FRAMES), 0);
    assert_int_equal(app_sound_read(sound, 700, samples, FRAMES), 0);
    assert_int_equal(app_sound_read(sound, 1000, samples, FRAMES), 300 - 35);
    assert_memory_equal(samples, expected + 2 * 735, 265 * 2 * sizeof *samples);
    /* After a stall the newest part is given. */
    assert_int_equal(app_sound_read(sound, 100000, samples, FRAMES), FRAMES);
    assert_int_equal(app_audio_seek(reference, 100000 - FRAMES), 0);
    assert_int_equal(app_audio_read(reference, expected, FRAMES), FRAMES);
    assert_memory_equal(samples, expected, sizeof expected);
    app_audio_close(reference);
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
    assert_int_equal(list.count, 1);
    app_sound_close(sound);
}

static void a_lost_device_comes_back(void **state)
{
    (void)state;
    struct app_sound *sound = open_with(1, 0, NULL, NULL);
    uint64_t due = 735;
    assert_int_equal(app_sound_read(sound, due, samples, FRAMES), 100);
    atomic_store(&devices.lost, true);
    bool back = false;
    for (int i = 0; i < 500 && !back; i++) {
        due += 735;
        memset(samples, 1, sizeof samples);
        const size_t given = app_sound_read(sound, due, samples, FRAMES);
        back = given == 100;
        assert_true(back || (given == 735 && silent(735)));
        if (i == 20) {
            atomic_store(&devices.lost, false);
            atomic_store(&devices.inputs, 1);
        }
        (void)nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
    }
    assert_true(back);
    app_sound_close(sound);
    assert_int_equal(list.by_severity[BASE_WARNING], 1);
    assert_int_equal(atomic_load(&devices.open), 0);
}

static void closing_does_not_wait_for_a_lost_device(void **state)
{
    (void)state;
    struct app_sound *sound = open_with(1, 0, NULL, NULL);
    atomic_store(&devices.lost, true);
    (void)app_sound_read(sound, 735, samples, FRAMES);
    (void)nanosleep(&(struct timespec){.tv_nsec = 100 * 1000 * 1000}, NULL);
    struct timespec begin;
    struct timespec end;
    (void)clock_gettime(CLOCK_MONOTONIC, &begin);
    app_sound_close(sound);
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    assert_true(end.tv_sec - begin.tv_sec <= 1);
    assert_int_equal(atomic_load(&devices.open), 0);
}

enum { WAV_FRAMES = APP_AUDIO_RATE };
static char wav_path[] = "/tmp/froth_sound_XXXXXX";

static void put_number(FILE *file, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        (void)fputc((int)(value >> 8 * i & 255), file);
    }
}

/* One second of a constant, mono, 8 bits. */
static int make_wav(void **state)
{
    (void)state;
    const int descriptor = mkstemp(wav_path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (file == NULL) {
        return -1;
    }
    (void)fputs("RIFF", file);
    put_number(file, 36 + WAV_FRAMES, 4);
    (void)fputs("WAVEfmt ", file);
    put_number(file, 16, 4);
    put_number(file, 1, 2);
    put_number(file, 1, 2);
    put_number(file, APP_AUDIO_RATE, 4);
    put_number(file, APP_AUDIO_RATE, 4);
    put_number(file, 1, 2);
    put_number(file, 8, 2);
    (void)fputs("data", file);
    put_number(file, WAV_FRAMES, 4);
    for (int i = 0; i < WAV_FRAMES; i++) {
        (void)fputc(192, file);
    }
    return fclose(file);
}

static int remove_wav(void **state)
{
    (void)state;
    return unlink(wav_path);
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
    assert_int_equal(app_sound_read(sound, 735, samples, FRAMES), 735);
    assert_false(silent(735));
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
    assert_int_equal(app_sound_read(sound, 735, samples, FRAMES), 735);
    assert_false(silent(735));
    const size_t told = list.count;
    for (uint64_t due = 10 * WAV_FRAMES; due < 10 * WAV_FRAMES + 5 * 735; due += 735) {
        memset(samples, 1, sizeof samples);
        const size_t given = app_sound_read(sound, due, samples, FRAMES);
        assert_true(given >= 735 && silent(given));
    }
    assert_int_equal(list.count, told + 1);
    assert_string_equal(list.items[told].what, "the sound has ended");
    app_sound_close(sound);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listens_where_there_is_an_input),
        cmocka_unit_test(plays_the_tune_where_there_is_none),
        cmocka_unit_test(refuses_what_was_asked_for_and_is_not_there),
        cmocka_unit_test(the_clock_paces_a_source_without_output),
        cmocka_unit_test(silence_follows_the_end),
        cmocka_unit_test(a_lost_device_comes_back),
        cmocka_unit_test(closing_does_not_wait_for_a_lost_device),
        cmocka_unit_test(start_must_lie_in_the_sound),
        cmocka_unit_test(start_means_nothing_while_listening),
        cmocka_unit_test(a_stall_over_the_end_ends_a_paced_sound),
    };
    return cmocka_run_group_tests(tests, make_wav, remove_wav);
}
