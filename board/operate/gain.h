/* How loud the sound is that the board records, and whether its gain fits. */
#ifndef BOARD_OPERATE_GAIN_H
#define BOARD_OPERATE_GAIN_H

#include <stdint.h>

#include "board/step/step.h"

/* Zero at start. */
struct board_gain {
    uint32_t looks; /* since the last decision */
    uint32_t peak;  /* of the sound in these */
    uint32_t full;  /* looks in which it reached the converter's limits */
};

/* The greatest sample of the newest ones, 0 to 32768. */
uint32_t board_peak(const struct board_hearing *sound);

/* Takes the peak of a frame. Returns by how many steps of 1.5 dB the gain should change: -1 at once
 * where the sound is cut off, 1 where it stays below two fifths of full scale for four seconds, but
 * never up in silence. fps: frames per second. */
int32_t board_gain_step(struct board_gain *gain, uint32_t peak, uint32_t fps);

#endif
