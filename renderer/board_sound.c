#include "renderer/board_sound.h"

#include <string.h>

enum {
    EACH = 8, /* samples from output to output */
    TAP_SHIFT = 15,
    ENERGY_SHIFT = 15,
    FULL = REND_BOARD_RATE / REND_BOARD_FPS_MIN, /* samples that the divisors are made for */
};

const int16_t rend_board_taps[REND_BOARD_BANDS][REND_BOARD_TAPS] = {
#include "renderer/board_taps.inc"
};

static const uint32_t divisors[REND_BOARD_BANDS] = {1200000, 400000, 252000};

/* One output: newest is the place of the newest sample, before the first one is silence. */
static int32_t filter(const int16_t *taps, const int16_t *mono, uint32_t newest)
{
    int32_t sum = 0;
    for (uint32_t k = 0; k < REND_BOARD_TAPS && k <= newest; k++) {
        sum += ((int32_t)taps[k] * mono[newest - k]) >> TAP_SHIFT;
    }
    return sum;
}

static int32_t measure(int band, const int16_t *mono, uint32_t count)
{
    uint64_t energy = 0;
    for (uint32_t at = EACH - 1; at < count; at += EACH) {
        const int64_t r = filter(rend_board_taps[band], mono, at);
        energy += (uint64_t)(r * r) >> ENERGY_SHIFT;
    }
    return count == 0 ? 0 : (int32_t)((energy << 16) * FULL / ((uint64_t)divisors[band] * count));
}

/* The newest samples, after what is left of the older ones. */
static void keep_wave(struct rend_board_sound *sound, const int16_t *samples, uint32_t count)
{
    const uint32_t fresh = count < REND_BOARD_WAVE ? count : REND_BOARD_WAVE;
    const int16_t *first = samples + 2 * (count - fresh);
    for (int side = 0; side < 2; side++) {
        int16_t *wave = sound->wave[side];
        memmove(wave, wave + fresh, (REND_BOARD_WAVE - fresh) * sizeof *wave);
        for (uint32_t i = 0; i < fresh; i++) {
            wave[REND_BOARD_WAVE - fresh + i] = first[2 * i + (uint32_t)side];
        }
    }
}

void rend_board_hear(struct rend_board_sound *sound, const int16_t *samples, uint32_t count)
{
    int16_t mono[REND_BOARD_SAMPLES];
    count = count < REND_BOARD_SAMPLES ? count : REND_BOARD_SAMPLES;
    for (uint32_t i = 0; i < count; i++) {
        mono[i] = (int16_t)(((int32_t)samples[2 * i] + samples[2 * i + 1]) >> 1);
    }
    for (int band = 0; band < REND_BOARD_BANDS; band++) {
        sound->level[band] = measure(band, mono, count);
        sound->level_att[band] = (3 * sound->level_att[band] + 2 * sound->level[band]) / 5;
    }
    if (count > 0) {
        keep_wave(sound, samples, count);
    }
}
