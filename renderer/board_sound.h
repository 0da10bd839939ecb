/* What the board hears (spec/milkymist-one.md section 7, "Audio analysis"). */
#ifndef RENDERER_BOARD_SOUND_H
#define RENDERER_BOARD_SOUND_H

#include "renderer/board_step.h"

enum { REND_BOARD_TAPS = 128 };

/* The filters, by band and tap; tap 0 meets the newest sample. */
extern const int16_t rend_board_taps[REND_BOARD_BANDS][REND_BOARD_TAPS];

/* Takes the samples since the last step: `count` pairs, up to REND_BOARD_SAMPLES. Levels forget
 * the past with each call, as on the board; they do not depend on how long a step is. */
void rend_board_hear(struct rend_board_sound *sound, const int16_t *samples, uint32_t count);

#endif
