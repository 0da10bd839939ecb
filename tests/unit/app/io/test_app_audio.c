#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/apart/apart.h"
#include "app/io/audio.h"
#include "app/io/live.h"
#include "base/os/print.h"
#include "base/random.h"

enum { RATE = APP_AUDIO_RATE };

static struct app_audio *open_sound(const char *name)
{
    struct app_audio *audio = app_audio_open(name, &base_diag_stderr);
    assert_non_null(audio);
    return audio;
}

static float *read_at(struct app_audio *audio, uint64_t frame, size_t frames)
{
    float *samples = calloc(frames, 2 * sizeof *samples);
    assert_non_null(samples);
    assert_int_equal(app_audio_seek(audio, frame), 0);
    assert_int_equal(app_audio_read(audio, samples, frames), frames);
    return samples;
}

/* Endless sounds. */

static void check_pieces(struct app_audio *audio, uint64_t start)
{
    enum { FRAMES = RATE / 2 };
    static const size_t sizes[] = {1, 2, 735, 64, 127, 128, 129, 1, 511, 3000, 43};
    float *whole = read_at(audio, start, FRAMES);
    float *pieces = calloc(FRAMES, 2 * sizeof *pieces);
    assert_non_null(pieces);
    assert_int_equal(app_audio_seek(audio, start), 0);
    for (size_t at = 0, i = 0; at < FRAMES; i++) {
        const size_t wanted = sizes[i % (sizeof sizes / sizeof *sizes)];
        const size_t count = wanted < FRAMES - at ? wanted : FRAMES - at;
        assert_int_equal(app_audio_read(audio, pieces + 2 * at, count), count);
        at += count;
    }
    assert_memory_equal(whole, pieces, FRAMES * 2 * sizeof *whole);
    assert_int_equal(app_audio_seek(audio, start + 1001), 0);
    assert_int_equal(app_audio_read(audio, pieces, 5000), 5000);
    assert_memory_equal(whole + 2 * 1001, pieces, 5000 * 2 * sizeof *whole);
    free(whole);
    free(pieces);
}

static void test_pieces_make_the_whole(void **state)
{
    (void)state;
    static const char *const names[] = {"demo", "test"};
    static const uint64_t starts[] = {0, 77, 15 * RATE, 47 * RATE + 13, (uint64_t)1 << 40};
    for (size_t i = 0; i < 2; i++) {
        struct app_audio *audio = open_sound(names[i]);
        assert_true(app_audio_seconds(audio) < 0.0);
        assert_null(app_audio_path(audio));
        assert_null(app_audio_error(audio));
        for (size_t j = 0; j < sizeof starts / sizeof *starts; j++) {
            check_pieces(audio, starts[j]);
        }
        app_audio_close(audio);
    }
}

static double noise(uint32_t x)
{
    x = x * 2654435761u;
    x = x ^ (x >> 15);
    x = x * 0x2c1b3c6du;
    x = x ^ (x >> 12);
    x = x * 0x297a2d39u;
    x = x ^ (x >> 15);
    return x / 2147483648.0 - 1.0;
}

static double clip(double x)
{
    return fmin(1.0, fmax(-1.0, x));
}

static void test_signal_is_the_formula(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    struct app_audio *audio = open_sound("test");
    for (uint64_t s = 0; s < 60 * RATE; s += 331) {
        float *got = read_at(audio, s, 1);
        const double t = (double)s / 44100;
        const double tau = (double)(s % 22050) / 44100;
        const double q = (double)(s % 11025) / 44100;
        const double kick = 0.8 * exp(-12 * tau) * sin(2 * pi * 55 * tau);
        const double hat = 0.25 * exp(-60 * q);
        const double left = clip(kick + 0.15 * sin(2 * pi * 440 * t) + hat * noise((uint32_t)s));
        const double right =
            clip(kick + 0.15 * cos(2 * pi * 440 * t) + hat * noise((uint32_t)s + 0x9E3779B9u));
        assert_true(fabs(got[0] - left) < 1e-6 && fabs(got[1] - right) < 1e-6);
        free(got);
    }
    app_audio_close(audio);
}

struct level {
    double peak;
    double rms;
    double side; /* RMS of the difference of the sides */
    double offset;
};

static struct level measure(const float *samples, size_t frames)
{
    struct level level = {0};
    double squares = 0.0;
    double side = 0.0;
    double sum = 0.0;
    for (size_t i = 0; i < frames; i++) {
        const double left = samples[2 * i];
        const double right = samples[2 * i + 1];
        level.peak = fmax(level.peak, fmax(fabs(left), fabs(right)));
        squares += left * left + right * right;
        side += (left - right) * (left - right);
        sum += left + right;
    }
    level.rms = sqrt(squares / (2.0 * (double)frames));
    level.side = sqrt(side / (2.0 * (double)frames));
    level.offset = sum / (2.0 * (double)frames);
    return level;
}

static void test_tune_levels(void **state)
{
    (void)state;
    struct app_audio *audio = open_sound("demo");
    double loudest = 0.0;
    double softest = 1.0;
    for (uint64_t second = 0; second < 34; second += 2) {
        float *samples = read_at(audio, second * RATE, 2 * RATE);
        const struct level level = measure(samples, 2 * RATE);
        assert_true(level.peak < 0.97);
        assert_true(level.rms > 0.05);
        assert_true(level.side > 0.02);
        assert_true(fabs(level.offset) < 0.01);
        loudest = fmax(loudest, level.rms);
        softest = fmin(softest, level.rms);
        free(samples);
    }
    assert_true(loudest > 2.0 * softest);
    app_audio_close(audio);
}

/* The tune is the sound of example pictures: a change must be meant. */
static void test_tune_is_unchanged(void **state)
{
    (void)state;
    struct app_audio *audio = open_sound("demo");
    uint64_t hash = BASE_HASH_START;
    for (uint64_t second = 0; second < 40; second += 3) {
        float *samples = read_at(audio, second * RATE, RATE / 4);
        for (size_t i = 0; i < RATE / 4 * 2; i++) {
            uint32_t bits = 0;
            memcpy(&bits, &samples[i], sizeof bits);
            const unsigned char bytes[4] = {(unsigned char)bits, (unsigned char)(bits >> 8),
                                            (unsigned char)(bits >> 16),
                                            (unsigned char)(bits >> 24)};
            hash = base_hash(hash, bytes, sizeof bytes);
        }
        free(samples);
    }
    app_audio_close(audio);
    assert_int_equal(hash, 0x24a6b55a2f7375d2u);
}

/* Sound files, made by hand in a folder of their own. */

struct folder {
    char path[64];
    char file[96];
};

static int make_folder(void **state)
{
    struct folder *folder = calloc(1, sizeof *folder);
    if (folder == NULL) {
        return -1;
    }
    (void)snprintf(folder->path, sizeof folder->path, "/tmp/froth-audio-XXXXXX");
    if (mkdtemp(folder->path) == NULL) {
        free(folder);
        return -1;
    }
    (void)snprintf(folder->file, sizeof folder->file, "%s/sound.wav", folder->path);
    *state = folder;
    return 0;
}

static int remove_folder(void **state)
{
    struct folder *folder = *state;
    (void)unlink(folder->file);
    (void)rmdir(folder->path);
    free(folder);
    return 0;
}

struct wav {
    uint32_t format; /* 1: whole numbers, 3: float */
    uint32_t channels;
    uint32_t rate;
    uint32_t bits;
    uint32_t claimed; /* bytes of data in the header */
};

static void put(FILE *file, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        (void)fputc((int)(value >> (8 * i) & 255), file);
    }
}

static FILE *begin_wav(const char *path, const struct wav *wav)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    const uint32_t frame = wav->channels * wav->bits / 8;
    (void)fputs("RIFF", file);
    put(file, 36 + wav->claimed, 4);
    (void)fputs("WAVEfmt ", file);
    put(file, 16, 4);
    put(file, wav->format, 2);
    put(file, wav->channels, 2);
    put(file, wav->rate, 4);
    put(file, wav->rate * frame, 4);
    put(file, frame, 2);
    put(file, wav->bits, 2);
    (void)fputs("data", file);
    put(file, wav->claimed, 4);
    return file;
}

/* 16-bit sine; channel c has the loudness 1 / (c + 2). */
static void write_sine(const char *path, uint32_t channels, uint32_t rate, uint32_t frames,
                       double frequency)
{
    const struct wav wav = {1, channels, rate, 16, frames * channels * 2};
    FILE *file = begin_wav(path, &wav);
    for (uint32_t i = 0; i < frames; i++) {
        const double value = sin(6.283185307179586 * frequency * i / rate);
        for (uint32_t c = 0; c < channels; c++) {
            put(file, (uint32_t)(int32_t)lrint(value / (c + 2.0) * 32767.0), 2);
        }
    }
    (void)fclose(file);
}

static void test_channels(void **state)
{
    const struct folder *folder = *state;
    for (uint32_t channels = 1; channels <= 6; channels++) {
        write_sine(folder->file, channels, RATE, 5000, 300.0);
        struct app_audio *audio = open_sound(folder->file);
        assert_string_equal(app_audio_path(audio), folder->file);
        assert_true(fabs(app_audio_seconds(audio) - 5000.0 / RATE) < 1e-9);
        float *samples = read_at(audio, 0, 5000);
        const double right = channels == 1 ? 2.0 : 3.0;
        for (int i = 0; i < 5000; i++) {
            const double value = sin(6.283185307179586 * 300.0 * i / RATE);
            assert_true(fabs(samples[2 * i] - value / 2.0) < 1e-4);
            assert_true(fabs(samples[2 * i + 1] - value / right) < 1e-4);
        }
        free(samples);
        float more[2];
        assert_int_equal(app_audio_read(audio, more, 1), 0);
        assert_null(app_audio_error(audio));
        assert_int_equal(app_audio_seek(audio, 5000), 0);
        assert_int_equal(app_audio_seek(audio, 5002), -1);
        app_audio_close(audio);
    }
}

static void test_eight_bits(void **state)
{
    const struct folder *folder = *state;
    const struct wav wav = {1, 1, RATE, 8, 256};
    FILE *file = begin_wav(folder->file, &wav);
    for (uint32_t i = 0; i < 256; i++) {
        put(file, i, 1);
    }
    (void)fclose(file);
    struct app_audio *audio = open_sound(folder->file);
    float *samples = read_at(audio, 0, 256);
    for (int i = 0; i < 256; i++) {
        assert_true(fabs(samples[2 * i] - (i - 128) / 128.0) < 1e-6);
        assert_true(samples[2 * i] == samples[2 * i + 1]);
    }
    free(samples);
    app_audio_close(audio);
}

static void test_wild_floats_are_tamed(void **state)
{
    const struct folder *folder = *state;
    static const float given[] = {0.5f, NAN, INFINITY, -INFINITY, 2.0f, -7.0f, 1e38f, -0.25f};
    static const float wanted[] = {0.5f, 0.0f, 0.0f, 0.0f, 1.0f, -1.0f, 1.0f, -0.25f};
    const struct wav wav = {3, 1, RATE, 32, sizeof given};
    FILE *file = begin_wav(folder->file, &wav);
    for (size_t i = 0; i < 8; i++) {
        uint32_t bits = 0;
        memcpy(&bits, &given[i], sizeof bits);
        put(file, bits, 4);
    }
    (void)fclose(file);
    struct app_audio *audio = open_sound(folder->file);
    float *samples = read_at(audio, 0, 8);
    for (size_t i = 0; i < 8; i++) {
        assert_true(samples[2 * i] == wanted[i] && samples[2 * i + 1] == wanted[i]);
    }
    free(samples);
    app_audio_close(audio);
}

static const uint32_t rates[] = {8000, 11025, 22050, 32000, 48000, 96000, 192000, 44101};

static void test_rates_keep_the_pitch(void **state)
{
    const struct folder *folder = *state;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        write_sine(folder->file, 2, rates[i], rates[i], 1000.0);
        struct app_audio *audio = open_sound(folder->file);
        float *samples = calloc(2 * RATE, 2 * sizeof *samples);
        assert_non_null(samples);
        const size_t got = app_audio_read(audio, samples, 2 * RATE);
        assert_true(got + 2 >= RATE && got <= RATE + 2);
        int rises = 0;
        for (size_t j = 1000; j < 1000 + RATE / 2; j++) {
            rises += samples[2 * j] < 0.0f && samples[2 * j + 2] >= 0.0f;
        }
        assert_in_range(rises, 499, 501);
        for (size_t j = 1000; j < RATE - 1000; j++) {
            const double value = 0.5 * sin(6.283185307179586 * 1000.0 * (double)j / RATE);
            assert_true(fabs(samples[2 * j] - value) < 2e-3);
        }
        free(samples);
        app_audio_close(audio);
    }
}

static void test_seek_at_other_rates(void **state)
{
    const struct folder *folder = *state;
    static const uint64_t places[] = {30000, 0, 12345, 5, 40000};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        write_sine(folder->file, 2, rates[i], rates[i], 777.0);
        struct app_audio *audio = open_sound(folder->file);
        float *whole = read_at(audio, 0, RATE - 10);
        for (size_t j = 0; j < sizeof places / sizeof *places; j++) {
            float *piece = read_at(audio, places[j], 2000);
            for (size_t k = 0; k < 4000; k++) {
                assert_true(fabs(piece[k] - whole[2 * places[j] + k]) < 1e-5);
            }
            free(piece);
        }
        free(whole);
        app_audio_close(audio);
    }
}

static void test_truncated(void **state)
{
    const struct folder *folder = *state;
    const struct wav wav = {1, 2, RATE, 16, 400000000};
    FILE *file = begin_wav(folder->file, &wav);
    for (uint32_t i = 0; i < 1001; i++) {
        put(file, i, 2);
    }
    (void)fclose(file);
    struct app_audio *audio = open_sound(folder->file);
    float samples[2 * 1000];
    assert_in_range(app_audio_read(audio, samples, 1000), 500, 501);
    assert_int_equal(app_audio_read(audio, samples, 1000), 0);
    app_audio_close(audio);
}

static void refuse(const char *path, const char *part)
{
    struct base_diag_list list = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&list);
    assert_null(app_audio_open(path, &sink));
    assert_int_equal(list.by_severity[BASE_ERROR], 1);
    assert_int_equal(list.items[0].severity, BASE_ERROR); /* notes may follow */
    assert_int_equal(list.by_severity[BASE_WARNING], 0);
    if (strstr(list.items[0].what, part) == NULL) {
        fail_msg("'%s' does not say '%s'", list.items[0].what, part);
    }
}

/* A sound that ffmpeg reads: its length, and the same samples wherever reading begins. */
static void test_seek_through_ffmpeg(void **state)
{
    const struct folder *folder = *state;
    static const uint64_t places[] = {30000, 0, 1, 50000};
    char command[512];
    (void)snprintf(command, sizeof command,
                   "ffmpeg -v error -y -f lavfi -i "
                   "'aevalsrc=0.5*sin(5000*t*t)|0.3*random(0):s=48000:d=1.25' -f mp4 '%s'",
                   folder->file);
    assert_int_equal(system(command), 0);
    struct app_audio *audio = open_sound(folder->file);
    assert_true(fabs(app_audio_seconds(audio) - 1.25) < 0.03);
    assert_string_equal(app_audio_path(audio), folder->file);
    float *whole = read_at(audio, 0, 54000);
    assert_true(measure(whole, 54000).rms > 0.1);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        float *piece = read_at(audio, places[i], 2000);
        assert_memory_equal(piece, whole + 2 * places[i], 2000 * 2 * sizeof *piece);
        free(piece);
    }
    free(whole);
    float rest[2 * 4096];
    assert_int_equal(app_audio_seek(audio, 54000), 0);
    assert_true(app_audio_read(audio, rest, 4096) < 4096);
    assert_int_equal(app_audio_read(audio, rest, 4096), 0);
    assert_null(app_audio_error(audio));
    assert_int_equal(app_audio_seek(audio, 60000), -1);
    app_audio_close(audio);
}

static void test_refused_headers(void **state)
{
    const struct folder *folder = *state;
    static const struct wav table[] = {
        {1, 2, RATE, 16, 0},        {1, 0, RATE, 16, 64},
        {1, 65535, RATE, 16, 64},   {1, 2, 0, 16, 64},
        {1, 2, 1, 16, 64},          {1, 2, 0x7fffffff, 16, 64},
        {1, 2, 0xffffffff, 16, 64}, {0x1234, 2, RATE, 16, 64},
        {1, 2, RATE, 77, 64},       {1, 2000, 0x7fffffff, 8, 64},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        FILE *file = begin_wav(folder->file, &table[i]);
        for (uint32_t j = 0; j < table[i].claimed / 4; j++) {
            put(file, j, 4);
        }
        (void)fclose(file);
        refuse(folder->file, "");
    }
}

static void test_refused_files(void **state)
{
    const struct folder *folder = *state;
    refuse(folder->path, "folder");
    refuse("/nowhere/sound.wav", "cannot open");
    refuse("/dev/null", "device");
    FILE *file = fopen(folder->file, "wb");
    assert_non_null(file);
    (void)fclose(file);
    refuse(folder->file, "empty");
    file = fopen(folder->file, "wb");
    assert_non_null(file);
    (void)fputs("per_frame_1=q1 = bass;\nThis is no sound.\n", file);
    (void)fclose(file);
    refuse(folder->file, "cannot read");
}

/* Live sound, in a process of its own: sound libraries leave memory behind. What the process wrote
 * to standard error is returned. */
static size_t chatter_of(void (*play)(void), char *text, size_t size)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)dup2(ends[1], STDERR_FILENO);
        play();
        _exit(0);
    }
    (void)close(ends[1]);
    size_t used = 0;
    ssize_t got = 1;
    while (got > 0 && used < size - 1) {
        got = read(ends[0], text + used, size - 1 - used);
        used += got > 0 ? (size_t)got : 0;
    }
    text[used] = '\0';
    (void)close(ends[0]);
    int status = 0;
    assert_true(waitpid(child, &status, 0) == child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return used;
}

static void listen_to_nothing(void)
{
    struct base_diag_list list = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&list);
    struct app_live *live = app_live_listen("no such device", &sink);
    if (live != NULL || list.count != 1) {
        _exit(1);
    }
    live = app_live_listen("999999999999999999999", &sink);
    if (live != NULL || list.count != 2) {
        _exit(2);
    }
    struct app_live_device devices[4];
    size_t count = 5;
    if (app_live_devices(devices, 4, &count, NULL) != 0 || count > 4) {
        _exit(3);
    }
}

static void test_live_is_quiet(void **state)
{
    (void)state;
    char text[1024];
    const size_t size = chatter_of(listen_to_nothing, text, sizeof text);
    if (size != 0) {
        fail_msg("standard error got: %s", text);
    }
}

/* Whether or not there is a device: opens it or says why not. */
static void try_default_devices(void)
{
    struct base_diag_list list = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&list);
    struct app_audio *audio = app_audio_open("demo", &sink);
    struct app_live *in = app_live_listen(NULL, &sink);
    struct app_live *out = app_live_play(audio, NULL, &sink);
    const size_t refused = (in == NULL ? 1u : 0u) + (out == NULL ? 1u : 0u);
    if (list.count != refused) {
        _exit(1);
    }
    app_live_close(out);
    app_live_close(in);
    app_audio_close(audio);
}

/* What stands at a name that cannot be written stays, and nothing is left beside it. */
static void test_waves_that_cannot_be_written(void **state)
{
    const struct folder *folder = *state;
    struct base_diag_list messages = {.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    assert_null(app_wave_create(folder->path, 44100, &sink));
    assert_string_equal(messages.items[0].what, "cannot write: not an ordinary file");
    assert_null(app_wave_create("/proc/none/x.wav", 44100, &sink));
    assert_string_equal(messages.items[1].what, "cannot write: No such file or directory");
    struct app_wave *wave = app_wave_create(folder->file, 44100, &sink);
    assert_non_null(wave);
    app_wave_put(wave, (const int16_t[2]){1, -1});
    assert_int_equal(mkdir(folder->file, 0700), 0);
    assert_int_equal(app_wave_finish(wave, &sink), -1);
    assert_string_equal(messages.items[2].what, "cannot write: Is a directory");
    assert_int_equal(messages.count, 3);
    assert_int_equal(rmdir(folder->file), 0);
    wave = app_wave_create(folder->file, 44100, &sink);
    assert_non_null(wave);
    app_wave_discard(wave);
    app_wave_discard(NULL);
    assert_int_equal(access(folder->file, F_OK), -1);
}

/* Its own reader takes what was written. */
static void test_waves_are_sound(void **state)
{
    const struct folder *folder = *state;
    float samples[6];
    struct app_wave *wave = app_wave_create(folder->file, RATE, NULL);
    assert_non_null(wave);
    app_wave_put(wave, (const int16_t[2]){16384, -32768});
    app_wave_put(wave, (const int16_t[2]){0, 8192});
    assert_int_equal(app_wave_finish(wave, NULL), 0);
    struct app_audio *audio = open_sound(folder->file);
    assert_int_equal(app_audio_read(audio, samples, 3), 2);
    assert_float_equal(samples[0], 0.5f, 0);
    assert_float_equal(samples[1], -1.0f, 0);
    assert_float_equal(samples[2], 0.0f, 0);
    assert_float_equal(samples[3], 0.25f, 0);
    app_audio_close(audio);
}

static void test_live_devices_or_reasons(void **state)
{
    (void)state;
    char text[1024];
    assert_int_equal(chatter_of(try_default_devices, text, sizeof text), 0);
}

#define FILE_TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    (void)app_apart_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_make_the_whole),
        cmocka_unit_test(test_signal_is_the_formula),
        cmocka_unit_test(test_tune_levels),
        cmocka_unit_test(test_tune_is_unchanged),
        FILE_TEST(test_channels),
        FILE_TEST(test_eight_bits),
        FILE_TEST(test_wild_floats_are_tamed),
        FILE_TEST(test_rates_keep_the_pitch),
        FILE_TEST(test_seek_at_other_rates),
        FILE_TEST(test_truncated),
        FILE_TEST(test_seek_through_ffmpeg),
        FILE_TEST(test_refused_headers),
        FILE_TEST(test_refused_files),
        FILE_TEST(test_waves_that_cannot_be_written),
        FILE_TEST(test_waves_are_sound),
        cmocka_unit_test(test_live_is_quiet),
        cmocka_unit_test(test_live_devices_or_reasons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
