/* How loud sound is, and for how long there has been none. Plain data, one thread; zero is a meter
 * that has heard nothing. */
#ifndef APP_SOUND_METER_H
#define APP_SOUND_METER_H

#include <stddef.h>
#include <stdint.h>

#include "app/io/audio.h"

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

void app_sound_meter_add(struct app_sound_meter *meter, const float *interleaved, size_t frames);

/* Left and right, of the last tenth of a second, 0..1. */
void app_sound_meter_peak(const struct app_sound_meter *meter, float peak[2]);

#endif
