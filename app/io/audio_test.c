/* The test signal: a kick drum each half second, a hiss each quarter, and a tone of 440 Hz that
 * goes round between the sides. The definition of the tests' sound; it must not change. */
#include "app/io/audio_source.h"

#include <stdlib.h>

#include "base/fmath.h"

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
