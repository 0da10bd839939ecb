#include "app/sound_meter.h"

#include <math.h>

static const float silence = 1e-4f; /* -80 dB */

static void begin_slot(struct app_sound_meter *meter)
{
    meter->slot = (meter->slot + 1) % APP_METER_SLOTS;
    meter->slots[meter->slot][0] = meter->slots[meter->slot][1] = 0;
    meter->filled = 0;
}

void app_sound_meter_add(struct app_sound_meter *meter, const float *interleaved, size_t frames)
{
    for (size_t i = 0; i < frames; i++) {
        if (meter->filled == APP_METER_SLOT_FRAMES) {
            begin_slot(meter);
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

void app_sound_meter_peak(const struct app_sound_meter *meter, float peak[2])
{
    for (int side = 0; side < 2; side++) {
        peak[side] = 0;
        for (int i = 0; i < APP_METER_SLOTS; i++) {
            const float level = meter->slots[i][side];
            peak[side] = level > peak[side] ? level : peak[side];
        }
        peak[side] = peak[side] > 1 ? 1 : peak[side];
    }
}
