/* Instruments of the built-in tune. Each adds one block of sound; none remembers anything, so that
 * every block can be computed by itself. Times are in seconds since the start of the note. */
#ifndef APP_IO_AUDIO_VOICE_H
#define APP_IO_AUDIO_VOICE_H

#include <stdint.h>

enum {
    APP_VOICE_BLOCK = 128, /* frames */
    APP_VOICE_PARTIALS = 8,
    APP_VOICE_NOISE_PAST = 16,
};

struct app_voice_bus {
    double left[APP_VOICE_BLOCK];
    double right[APP_VOICE_BLOCK];
};

/* White noise of a block; the block begins at [APP_VOICE_NOISE_PAST], before it is its past. */
struct app_voice_noise {
    double left[APP_VOICE_BLOCK + APP_VOICE_NOISE_PAST];
    double right[APP_VOICE_BLOCK + APP_VOICE_NOISE_PAST];
};

void app_voice_make_noise(struct app_voice_noise *noise, uint64_t first_frame);

/* Loudness of each side. */
struct app_voice_gain {
    double left;
    double right;
};

/* A sum of harmonics whose loudness goes in a straight line through the block. */
struct app_voice_tone {
    double cycles;    /* phase at the start of the block, in cycles */
    double frequency; /* Hz; partials at or over half the sample rate must be left out */
    int partials;     /* 1..APP_VOICE_PARTIALS */
    double from[APP_VOICE_PARTIALS];
    double to[APP_VOICE_PARTIALS];
    struct app_voice_gain gain;
};

void app_voice_add_tone(struct app_voice_bus *bus, const struct app_voice_tone *tone);

/* Sets the loudness of all partials at both ends of the block: partial n gets
 * loudness * brightness^(n-1). */
struct app_voice_shape {
    double loudness;
    double brightness;
};
void app_voice_set_shape(struct app_voice_tone *tone, struct app_voice_shape from,
                         struct app_voice_shape to);

/* A drum: a sine falling from a high to a low pitch. */
void app_voice_add_kick(struct app_voice_bus *bus, double time, double loudness);

/* Noise of which the copy `delay` frames earlier is taken away: the smaller the delay, the
 * brighter. loudness goes in a straight line through the block. delay: 1..APP_VOICE_NOISE_PAST - 1.
 */
struct app_voice_hiss {
    int delay;
    double from;
    double to;
    struct app_voice_gain gain;
};
void app_voice_add_hiss(struct app_voice_bus *bus, const struct app_voice_noise *noise,
                        const struct app_voice_hiss *hiss);

#endif
