/* The built-in wave of the board: modes 2 to 6 (spec/milkymist-one.md section 7; where its points
 * lie: spec/milk-rendering.md section 7, without aspect, smoothing and alignment). */
#ifndef RENDERER_BOARD_WAVE_H
#define RENDERER_BOARD_WAVE_H

#include "renderer/board_draw.h"
#include "renderer/board_step.h"

enum { REND_BOARD_WAVE_POINTS = 480 };

/* Numbers with 16 bits of fraction. */
struct rend_board_wave {
    int32_t mode;
    int32_t scale;   /* of the samples */
    int32_t mystery; /* of modes 4 and 6 */
    int32_t x;       /* 0..1 from the left */
    int32_t y;       /* 0..1 from the bottom */
    int32_t alpha;
    int32_t color[3];
    bool brighten;
    bool additive;
    bool thick;
    bool dots;
};

bool rend_board_wave_drawn(int32_t mode);

/* The points in pixels of the texture; returns how many: 0 for modes that are not drawn. angle: of
 * mode 5, in 8192nds of a turn. */
uint32_t rend_board_wave_points(const struct rend_board_wave *wave,
                                const struct rend_board_sound *sound, uint32_t angle,
                                struct rend_board_point points[static REND_BOARD_WAVE_POINTS]);

/* alpha 0 where there is nothing to draw. */
struct rend_board_ink rend_board_wave_ink(const struct rend_board_wave *wave,
                                          const struct rend_board_sound *sound);

void rend_board_wave_draw(uint8_t *texture, const struct rend_board_wave *wave,
                          const struct rend_board_sound *sound, uint32_t angle);

#endif
