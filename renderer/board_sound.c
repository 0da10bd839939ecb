#include "renderer/board_sound.h"

#include <string.h>

enum {
    EACH = 8, /* samples from output to output */
    FOUR = 4, /* outputs that are computed at once */
    TAP_SHIFT = 15,
    ENERGY_SHIFT = 15,
    FULL = REND_BOARD_RATE / REND_BOARD_FPS_MIN, /* samples that the divisors are made for */
};

const int16_t rend_board_taps[REND_BOARD_BANDS][REND_BOARD_TAPS] = {
#include "renderer/board_taps.inc"
};

static const uint32_t divisors[REND_BOARD_BANDS] = {1200000, 400000, 252000};

static inline void add(int32_t sums[static FOUR], int32_t tap, const int32_t samples[static FOUR])
{
    sums[0] += (tap * samples[0]) >> TAP_SHIFT;
    sums[1] += (tap * samples[1]) >> TAP_SHIFT;
    sums[2] += (tap * samples[2]) >> TAP_SHIFT;
    sums[3] += (tap * samples[3]) >> TAP_SHIFT;
}

/* FOUR outputs of each band, in one loop: each sample and each tap is read once. newest: the newest
 * sample of the first output, behind REND_BOARD_TAPS - 1 others. */
static void filter(const int16_t *newest, int32_t sums[static REND_BOARD_BANDS][FOUR])
{
    int32_t bass[FOUR] = {0};
    int32_t mid[FOUR] = {0};
    int32_t treb[FOUR] = {0};
    for (size_t k = 0; k < REND_BOARD_TAPS; k++, newest--) {
        const int32_t samples[FOUR] = {newest[0], newest[EACH], newest[2 * EACH], newest[3 * EACH]};
        add(bass, rend_board_taps[0][k], samples);
        add(mid, rend_board_taps[1][k], samples);
        add(treb, rend_board_taps[2][k], samples);
    }
    memcpy(sums[0], bass, sizeof bass);
    memcpy(sums[1], mid, sizeof mid);
    memcpy(sums[2], treb, sizeof treb);
}

static uint32_t energy_of(int32_t output)
{
    const uint32_t size = output < 0 ? 0 - (uint32_t)output : (uint32_t)output;
    return size <= UINT16_MAX ? (size * size) >> ENERGY_SHIFT
                              : (uint32_t)(((uint64_t)size * size) >> ENERGY_SHIFT);
}

/* mono: `count` samples, REND_BOARD_TAPS of silence before them, room for three outputs behind. */
static void measure(const int16_t *mono, uint32_t count, uint64_t energy[static REND_BOARD_BANDS])
{
    const uint32_t outputs = count / EACH;
    for (uint32_t first = 0; first < outputs; first += FOUR) {
        int32_t sums[REND_BOARD_BANDS][FOUR];
        filter(mono + EACH * first + EACH - 1, sums);
        for (uint32_t i = 0; i < FOUR && first + i < outputs; i++) {
            for (int band = 0; band < REND_BOARD_BANDS; band++) {
                energy[band] += energy_of(sums[band][i]);
            }
        }
    }
}

static int32_t level_of(int band, uint64_t energy, uint32_t count)
{
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
    int16_t padded[REND_BOARD_TAPS + REND_BOARD_SAMPLES + FOUR * EACH];
    int16_t *mono = padded + REND_BOARD_TAPS;
    uint64_t energy[REND_BOARD_BANDS] = {0};
    count = count < REND_BOARD_SAMPLES ? count : REND_BOARD_SAMPLES;
    memset(padded, 0, REND_BOARD_TAPS * sizeof *padded);
    memset(mono + count, 0, FOUR * EACH * sizeof *mono);
    for (uint32_t i = 0; i < count; i++) {
        mono[i] = (int16_t)(((int32_t)samples[2 * i] + samples[2 * i + 1]) >> 1);
    }
    measure(mono, count, energy);
    for (int band = 0; band < REND_BOARD_BANDS; band++) {
        sound->level[band] = level_of(band, energy[band], count);
        sound->level_att[band] = (3 * sound->level_att[band] + 2 * sound->level[band]) / 5;
    }
    if (count > 0) {
        keep_wave(sound, samples, count);
    }
}
