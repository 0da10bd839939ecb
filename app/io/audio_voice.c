#include "app/io/audio_voice.h"

#include <assert.h>
#include <math.h>

#include "app/io/audio_source.h"
#include "base/fmath.h"

static const double two_pi = 6.283185307179586;
static const double frame_seconds = 1.0 / APP_AUDIO_RATE;

void app_voice_make_noise(struct app_voice_noise *noise, uint64_t first_frame)
{
    const uint32_t first = (uint32_t)first_frame - APP_VOICE_NOISE_PAST;
    for (uint32_t i = 0; i < APP_VOICE_BLOCK + APP_VOICE_NOISE_PAST; i++) {
        noise->left[i] = app_audio_noise(first + i);
        noise->right[i] = app_audio_noise(first + i + 0x85ebca6bu);
    }
}

void app_voice_set_shape(struct app_voice_tone *tone, struct app_voice_shape from,
                         struct app_voice_shape to)
{
    for (int i = 0; i < tone->partials; i++) {
        tone->from[i] = from.loudness;
        tone->to[i] = to.loudness;
        from.loudness *= from.brightness;
        to.loudness *= to.brightness;
    }
}

struct wave {
    double sine[APP_VOICE_BLOCK];
    double cosine[APP_VOICE_BLOCK];
};

/* Four points are computed, and turned on by four frames again and again. */
static void make_wave(struct wave *wave, double start, double turn)
{
    enum { STRIDE = 4 };
    for (int i = 0; i < STRIDE; i++) {
        wave->sine[i] = base_sin(start + i * turn);
        wave->cosine[i] = base_cos(start + i * turn);
    }
    const double turn_sine = base_sin(STRIDE * turn);
    const double turn_cosine = base_cos(STRIDE * turn);
    for (int i = STRIDE; i < APP_VOICE_BLOCK; i++) {
        const double sine = wave->sine[i - STRIDE];
        const double cosine = wave->cosine[i - STRIDE];
        wave->sine[i] = sine * turn_cosine + cosine * turn_sine;
        wave->cosine[i] = cosine * turn_cosine - sine * turn_sine;
    }
}

/* Partial n + 1 with Clenshaw's recurrence, for the whole block: newer and older are the sums of
 * the two partials above. */
static void add_partial(const struct wave *wave, double from, double to, double *restrict newer,
                        double *restrict older)
{
    const double change = (to - from) * (1.0 / APP_VOICE_BLOCK);
    for (int i = 0; i < APP_VOICE_BLOCK; i++) {
        const double sum = from + change * i + 2.0 * wave->cosine[i] * newer[i] - older[i];
        older[i] = newer[i];
        newer[i] = sum;
    }
}

void app_voice_add_tone(struct app_voice_bus *bus, const struct app_voice_tone *tone)
{
    assert(tone->partials >= 1 && tone->partials <= APP_VOICE_PARTIALS);
    struct wave wave;
    make_wave(&wave, two_pi * (tone->cycles - floor(tone->cycles)),
              two_pi * tone->frequency * frame_seconds);
    double newer[APP_VOICE_BLOCK] = {0.0};
    double older[APP_VOICE_BLOCK] = {0.0};
    for (int n = tone->partials - 1; n >= 0; n--) {
        add_partial(&wave, tone->from[n], tone->to[n], newer, older);
    }
    for (int i = 0; i < APP_VOICE_BLOCK; i++) {
        const double value = newer[i] * wave.sine[i];
        bus->left[i] += value * tone->gain.left;
        bus->right[i] += value * tone->gain.right;
    }
}

void app_voice_add_kick(struct app_voice_bus *bus, double time, double loudness)
{
    static const double low = 47.0;     /* Hz */
    static const double fall = 190.0;   /* Hz above it at the start */
    static const double speed = 32.0;   /* of the fall, 1/s */
    static const double decay = 7.5;    /* 1/s */
    static const double attack = 800.0; /* 1/s */
    const double fall_step = base_exp(-speed * frame_seconds);
    const double decay_step = base_exp(-decay * frame_seconds);
    double fallen = base_exp(-speed * time);
    double level = loudness * base_exp(-decay * time);
    for (int i = 0; i < APP_VOICE_BLOCK; i++) {
        const double cycles = low * time + fall / speed * (1.0 - fallen);
        const double rise = time * attack < 1.0 ? time * attack : 1.0;
        const double value = level * rise * base_sin(two_pi * cycles);
        bus->left[i] += value;
        bus->right[i] += value;
        time += frame_seconds;
        fallen *= fall_step;
        level *= decay_step;
    }
}

void app_voice_add_hiss(struct app_voice_bus *bus, const struct app_voice_noise *noise,
                        const struct app_voice_hiss *hiss)
{
    assert(hiss->delay >= 1 && hiss->delay < APP_VOICE_NOISE_PAST);
    const double *left = noise->left + APP_VOICE_NOISE_PAST;
    const double *right = noise->right + APP_VOICE_NOISE_PAST;
    const double change = (hiss->to - hiss->from) * (1.0 / APP_VOICE_BLOCK);
    double level = hiss->from;
    for (int i = 0; i < APP_VOICE_BLOCK; i++) {
        bus->left[i] += level * hiss->gain.left * (left[i] - left[i - hiss->delay]);
        bus->right[i] += level * hiss->gain.right * (right[i] - right[i - hiss->delay]);
        level += change;
    }
}
