#include <limits.h>
#include <math.h>
#include <samplerate.h>
#include <stdlib.h>
#include <string.h>

#include "app/io/audio_source.h"
#include "base/fmath.h"

typedef struct app_audio *(*opener)(const struct base_diag_sink *sink);

static const struct {
    const char *name;
    opener open;
} built_in[] = {
    {"demo", app_audio_open_demo},
    {"test", app_audio_open_test},
};

struct app_audio *app_audio_open(const char *name, const struct base_diag_sink *sink)
{
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++) {
        if (strcmp(name, built_in[i].name) == 0) {
            return built_in[i].open(sink);
        }
    }
    return app_audio_open_file(name, sink);
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

const char *app_audio_error(const struct app_audio *audio)
{
    return audio->error[0] != '\0' ? audio->error : NULL;
}

const char *app_audio_path(const struct app_audio *audio)
{
    return audio->path;
}

void app_audio_clean(float *samples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const float sample = isfinite(samples[i]) ? samples[i] : 0.0f;
        samples[i] = sample > 1.0f ? 1.0f : sample < -1.0f ? -1.0f : sample;
    }
}

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

struct app_resample {
    SRC_STATE *state;
    double ratio; /* frames out for each frame in */
};

struct app_resample *app_resample_create(int from, int to, enum app_resample_quality quality)
{
    if (from <= 0 || to <= 0 || !src_is_valid_ratio((double)to / from)) {
        return NULL;
    }
    struct app_resample *resample = calloc(1, sizeof *resample);
    if (resample == NULL) {
        return NULL;
    }
    int error = 0;
    const int type = quality == APP_RESAMPLE_LIVE ? SRC_SINC_FASTEST : SRC_SINC_MEDIUM_QUALITY;
    resample->ratio = (double)to / from;
    resample->state = src_new(type, 2, &error);
    if (resample->state == NULL) {
        free(resample);
        return NULL;
    }
    return resample;
}

void app_resample_destroy(struct app_resample *resample)
{
    if (resample != NULL) {
        (void)src_delete(resample->state);
        free(resample);
    }
}

void app_resample_reset(struct app_resample *resample)
{
    (void)src_reset(resample->state);
}

static long clamped(size_t frames)
{
    return frames > INT_MAX / 4 ? INT_MAX / 4 : (long)frames;
}

size_t app_resample_run(struct app_resample *resample, const float *in, size_t *frames_in,
                        float *out, size_t frames_out, bool last)
{
    SRC_DATA data = {
        .data_in = in,
        .data_out = out,
        .input_frames = clamped(*frames_in),
        .output_frames = clamped(frames_out),
        .end_of_input = last,
        .src_ratio = resample->ratio,
    };
    *frames_in = 0;
    if (src_process(resample->state, &data) != 0) {
        return 0;
    }
    *frames_in = (size_t)data.input_frames_used;
    return (size_t)data.output_frames_gen;
}

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

static void compute_frame(uint64_t s, float frame[2])
{
    const double since_beat = (double)(s % 22050) / 44100.0;
    const double since_eighth = (double)(s % 11025) / 44100.0;
    const double turn = two_pi * 440.0 * ((double)s / 44100.0);
    const double kick = 0.8 * base_exp(-12.0 * since_beat) * base_sin(two_pi * 55.0 * since_beat);
    const double hat = 0.25 * base_exp(-60.0 * since_eighth);
    const uint32_t number = (uint32_t)s;
    frame[0] = clipped(kick + 0.15 * base_sin(turn) + hat * app_audio_noise(number));
    frame[1] = clipped(kick + 0.15 * base_cos(turn) + hat * app_audio_noise(number + 0x9e3779b9u));
}

static size_t test_read(struct app_audio *audio, float *interleaved, size_t frames)
{
    struct test_signal *signal = (struct test_signal *)audio;
    for (size_t i = 0; i < frames; i++) {
        compute_frame(signal->next++, interleaved + 2 * i);
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

struct app_audio *app_audio_open_test(const struct base_diag_sink *sink)
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
