#include "board/operate/gain.h"

enum {
    FULL = 32700,
    LOW = 13000,
    SILENT = 200,
    CUT_OFF = 2,  /* frames that reach the limits before the gain goes down */
    PATIENCE = 4, /* seconds before it goes up */
};

uint32_t board_peak(const struct board_hearing *sound)
{
    uint32_t peak = 0;
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < BOARD_WAVE; i++) {
            const int32_t sample = sound->wave[side][i];
            const uint32_t size = (uint32_t)(sample < 0 ? -sample : sample);
            peak = size > peak ? size : peak;
        }
    }
    return peak;
}

int32_t board_gain_step(struct board_gain *gain, uint32_t peak, uint32_t fps)
{
    gain->looks++;
    gain->peak = peak > gain->peak ? peak : gain->peak;
    gain->full += peak >= FULL ? 1 : 0;
    const bool is_cut = gain->full >= CUT_OFF;
    if (!is_cut && gain->looks < PATIENCE * fps) {
        return 0;
    }
    const bool is_low = gain->peak < LOW && gain->peak > SILENT;
    *gain = (struct board_gain){.looks = 0};
    return is_cut ? -1 : is_low ? 1 : 0;
}
