#include "board/operate/beat.h"

enum {
    WEIGHT_BASS = 4,
    SHARES = 6,      /* all weights */
    MEMORY = 6,      /* the means forget by halves in 2^6 frames */
    FLOOR = 1 << 10, /* of a level, 16 bits of fraction: silence makes no beats */
    UNIT = 256,      /* a rise by the mean */
    RISE_MAX = 16 * UNIT,
    LEAST_RISE = UNIT / 3,
    FASTEST = 200, /* beats per minute */
    SLOWEST = 60,
    MINUTE = 60,
    PART = 16,
};

/* How much a band has risen, in units of what it has been. */
static int32_t rise_of(struct board_beat *beat, int band, int32_t level)
{
    const int32_t mean = beat->mean[band];
    const int32_t rise = level - beat->last[band];
    beat->last[band] = level;
    beat->mean[band] = mean + ((level - mean) >> MEMORY);
    if (rise <= 0) {
        return 0;
    }
    const int64_t units = (int64_t)rise * UNIT / (mean + FLOOR);
    return units < RISE_MAX ? (int32_t)units : RISE_MAX;
}

bool board_beat_hear(struct board_beat *beat, const struct board_hearing *sound, uint32_t fps)
{
    int32_t rise = 0;
    for (int band = 0; band < BOARD_BANDS; band++) {
        rise += rise_of(beat, band, sound->level[band]) * (band == 0 ? WEIGHT_BASS : 1);
    }
    rise /= SHARES;
    const int32_t usual = beat->usual;
    beat->usual = usual + ((rise - usual) >> MEMORY);
    const uint32_t shortest = fps * MINUTE * PART / FASTEST;
    const uint32_t longest = fps * MINUTE * PART / SLOWEST;
    const uint32_t expected = beat->period * 3 / 4;
    const uint32_t gap = ++beat->frames * PART;
    if (rise < LEAST_RISE || rise < 2 * usual || gap < shortest || gap < expected) {
        return false;
    }
    if (gap <= longest) {
        beat->period = beat->period == 0 ? gap : (3 * beat->period + gap) / 4;
    }
    beat->frames = 0;
    return true;
}
