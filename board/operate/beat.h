/* Beats of the music, in whole numbers, from what the board measures of it anyway: the levels of a
 * frame's sound. A beat is a frame in which the bass, and the other bands with it, rise by more
 * than they have been rising usually, and that comes not much sooner behind the one before than
 * beats have come. It is a drummer's foot, not a tempo: renderer/sound/beat.h hears that, by
 * samples. */
#ifndef BOARD_OPERATE_BEAT_H
#define BOARD_OPERATE_BEAT_H

#include <stdbool.h>
#include <stdint.h>

#include "board/step/step.h"

/* Zero at start. */
struct board_beat {
    int32_t last[BOARD_BANDS]; /* levels of the frame before */
    int32_t mean[BOARD_BANDS]; /* of the last seconds */
    int32_t usual;             /* rise, of the last seconds */
    uint32_t period;           /* 16ths of frames between beats; 0: unknown */
    uint32_t frames;           /* since the last beat */
};

/* Takes the levels of the next frame. True: there is a beat in it. fps: frames per second. */
bool board_beat_hear(struct board_beat *beat, const struct board_hearing *sound, uint32_t fps);

#endif
