#include "app/io/audio_source.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fmath.h"
#include "base/os/file.h"

/* ---- for every source ---- */

double app_audio_noise(uint32_t number)
{
    number *= 2654435761u;
    number ^= number >> 15;
    number *= 0x2c1b3c6du;
    number ^= number >> 12;
    number *= 0x297a2d39u;
    number ^= number >> 15;
    return (double)number / 2147483648.0 - 1.0;
}

/* ---- the test signal ---- */

/* The test signal: a kick drum each half second, a hiss each quarter, and a tone of 440 Hz that
 * goes round between the sides. The definition of the tests' sound; it must not change. */

struct test_signal {
    struct app_audio audio;
    uint64_t next;
};

static const double two_pi = 6.283185307179586;

static float clipped(double x)
{
    return (float)(x > 1.0 ? 1.0 : x < -1.0 ? -1.0 : x);
}

static size_t test_read(struct app_audio *audio, float *interleaved, size_t frames)
{
    struct test_signal *signal = (struct test_signal *)audio;
    for (size_t i = 0; i < frames; i++) {
        const uint64_t s = signal->next++;
        const uint32_t number = (uint32_t)s;
        const double since_beat = (double)(s % 22050) / 44100.0;
        const double since_eighth = (double)(s % 11025) / 44100.0;
        const double turn = two_pi * 440.0 * ((double)s / 44100.0);
        const double kick =
            0.8 * base_exp(-12.0 * since_beat) * base_sin(two_pi * 55.0 * since_beat);
        const double hat = 0.25 * base_exp(-60.0 * since_eighth);
        interleaved[2 * i] = clipped(kick + 0.15 * base_sin(turn) + hat * app_audio_noise(number));
        interleaved[2 * i + 1] =
            clipped(kick + 0.15 * base_cos(turn) + hat * app_audio_noise(number + 0x9e3779b9u));
    }
    return frames;
}

static int test_seek(struct app_audio *audio, uint64_t frame)
{
    ((struct test_signal *)audio)->next = frame;
    return 0;
}

static void test_close(struct app_audio *audio)
{
    free(audio);
}

static const struct app_audio_kind test_kind = {test_read, test_seek, test_close};

static struct app_audio *open_test(const struct base_diag_sink *sink)
{
    struct test_signal *signal = calloc(1, sizeof *signal);
    if (signal == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "not enough memory");
        return NULL;
    }
    signal->audio.kind = &test_kind;
    signal->audio.seconds = -1.0;
    return &signal->audio;
}

/* ---- sources by their name ---- */

/* Whether it is the folder of a recording's sound. */
static bool is_recorded(const char *name)
{
    static const char *const firsts[] = {"000001.flac", "000001.wav"};
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts && base_is_folder(name); i++) {
        char first[4096];
        const int size = snprintf(first, sizeof first, "%s/%s", name, firsts[i]);
        if (size > 0 && (size_t)size < sizeof first && access(first, F_OK) == 0) {
            return true;
        }
    }
    return false;
}

typedef struct app_audio *(*opener)(const struct base_diag_sink *sink);

static const struct {
    const char *name;
    opener open;
} built_in[] = {
    {"demo", app_audio_open_demo},
    {"test", open_test},
};

struct app_audio *app_audio_open(const char *name, const struct base_diag_sink *sink)
{
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++) {
        if (strcmp(name, built_in[i].name) == 0) {
            return built_in[i].open(sink);
        }
    }
    return app_audio_is_list(name) ? app_audio_open_list(name, sink)
           : is_recorded(name)     ? app_audio_open_parts(name, sink)
                                   : app_audio_open_file(name, sink);
}

void app_audio_close(struct app_audio *audio)
{
    if (audio != NULL) {
        audio->kind->close(audio);
    }
}

double app_audio_seconds(const struct app_audio *audio)
{
    return audio->seconds;
}

int app_audio_seek(struct app_audio *audio, uint64_t frame)
{
    return audio->kind->seek(audio, frame);
}

size_t app_audio_read(struct app_audio *audio, float *interleaved, size_t frames)
{
    return audio->kind->read(audio, interleaved, frames);
}

void app_audio_stop(struct app_audio *audio)
{
    atomic_store(&audio->stopped, true);
}

const char *app_audio_error(const struct app_audio *audio)
{
    return audio->error[0] != '\0' ? audio->error : NULL;
}

const char *app_audio_path(const struct app_audio *audio)
{
    return audio->path;
}

int app_audio_file(const struct app_audio *audio)
{
    return audio->path != NULL ? audio->file : -1;
}

/* ---- sound into a file ---- */

enum {
    HEADER = 44,
    PAIR = 4,
    CHANNELS = 2,
    BITS = 16,
    PCM = 1,
    FORMAT_BYTES = 16,
};

static const uint32_t BYTES_MAX = UINT32_MAX - HEADER; /* that a header can tell */

struct app_wave {
    const char *name;
    char *part;
    FILE *file;
    uint32_t rate;
    uint32_t bytes;
    int error; /* of the first pair that did not go out */
};

static void put(uint8_t *bytes, uint32_t value, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(value >> 8 * i);
    }
}

static bool write_header(const struct app_wave *wave)
{
    uint8_t bytes[HEADER] = "RIFF....WAVEfmt ";
    put(bytes + 4, HEADER - 8 + wave->bytes, 4);
    put(bytes + 16, FORMAT_BYTES, 4);
    put(bytes + 20, PCM, 2);
    put(bytes + 22, CHANNELS, 2);
    put(bytes + 24, wave->rate, 4);
    put(bytes + 28, wave->rate * PAIR, 4);
    put(bytes + 32, PAIR, 2);
    put(bytes + 34, BITS, 2);
    memcpy(bytes + 36, "data", 4);
    put(bytes + 40, wave->bytes, 4);
    return fwrite(bytes, 1, HEADER, wave->file) == HEADER;
}

static void report(const struct base_diag_sink *sink, const char *name, int error)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = name}, NULL, "cannot write: %s",
                strerror(error));
}

struct app_wave *app_wave_create(const char *name, uint32_t rate, const struct base_diag_sink *sink)
{
    /* What stands at the name would give way to the file at the end. */
    struct stat facts;
    if (stat(name, &facts) == 0 && !S_ISREG(facts.st_mode)) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = name}, "name a new file",
                    "cannot write: not an ordinary file");
        return NULL;
    }
    struct app_wave *wave = calloc(1, sizeof *wave);
    if (wave == NULL) {
        report(sink, name, ENOMEM);
        return NULL;
    }
    *wave = (struct app_wave){.name = name, .rate = rate, .part = base_part_of(name, ".part")};
    const int descriptor =
        wave->part != NULL && base_folder_make_above(name) == 0 ? base_part_create(wave->part) : -1;
    wave->file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (wave->file == NULL || !write_header(wave)) {
        report(sink, name, wave->part != NULL ? errno : ENOMEM);
        app_wave_discard(wave);
        return NULL;
    }
    return wave;
}

void app_wave_put(struct app_wave *wave, const int16_t pair[2])
{
    uint8_t bytes[PAIR];
    put(bytes, (uint16_t)pair[0], 2);
    put(bytes + 2, (uint16_t)pair[1], 2);
    if (wave->bytes <= BYTES_MAX - PAIR) {
        const bool written = fwrite(bytes, 1, PAIR, wave->file) == PAIR;
        wave->error = written || wave->error != 0 ? wave->error : errno;
        wave->bytes += PAIR;
    }
}

int app_wave_finish(struct app_wave *wave, const struct base_diag_sink *sink)
{
    bool good = wave->error == 0 && fseek(wave->file, 0, SEEK_SET) == 0 && write_header(wave);
    int error = wave->error != 0 ? wave->error : errno;
    if (fclose(wave->file) != 0) {
        error = good ? errno : error;
        good = false;
    }
    wave->file = NULL;
    if (good && rename(wave->part, wave->name) != 0) {
        error = errno;
        good = false;
    }
    if (!good) {
        report(sink, wave->name, error);
    }
    app_wave_discard(wave);
    return good ? 0 : -1;
}

void app_wave_discard(struct app_wave *wave)
{
    if (wave == NULL) {
        return;
    }
    if (wave->file != NULL) {
        (void)fclose(wave->file);
    }
    if (wave->part != NULL) {
        (void)unlink(wave->part);
    }
    free(wave->part);
    free(wave);
}
