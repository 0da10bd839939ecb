/* What a frame draws (spec/milkymist-one.md section 7): runs of the TMU, and between them points,
 * lines and rectangles by the CPU, in RGB565 and whole numbers only. */
#ifndef BOARD_STEP_DRAW_H
#define BOARD_STEP_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "board/step/step.h"

/* 5, 6 and 5 bits. */
struct board_ink {
    uint8_t red;
    uint8_t green;
    uint8_t blue;
    uint8_t alpha; /* 0..64: opaque */
    bool additive;
};

struct board_point {
    int32_t x;
    int32_t y;
};

/* Components with 16 bits of fraction, kept within 0..1; alpha kept within 0..64. */
struct board_ink board_ink_of(int32_t red, int32_t green, int32_t blue, int32_t alpha);

/* What a pixel becomes. */
uint16_t board_blend(struct board_ink ink, uint16_t under);

/* texture: BOARD_SIDE pixels each way, big-endian. What is outside is left out. */

/* From left and top up to, not including, right and bottom. */
void board_fill(uint8_t *texture, struct board_ink ink, struct board_point from,
                struct board_point to);

/* Without its last point, so that lines that go on from it blend it once. thick: two pixels wide.
 * At most 2048 pixels away from the texture, either way. */
void board_line(uint8_t *texture, struct board_ink ink, bool thick, struct board_point from,
                struct board_point to);

/* The built-in wave, of the modes of presets/milk/wave_modes.def (spec/milkymist-one.md section 7;
 * where its points lie: spec/milk-rendering.md section 7, without smoothing and alignment; the
 * modes that the board's own software draws without aspect). */

enum { BOARD_WAVE_POINTS = 480 };

/* Numbers with 16 bits of fraction. */
struct board_wave {
    int32_t mode;
    int32_t scale;   /* of the samples */
    int32_t mystery; /* of modes 0, 1, 4, 6 and 7 */
    int32_t x;       /* 0..1 from the left */
    int32_t y;       /* 0..1 from the bottom */
    int32_t alpha;
    int32_t treb; /* level, of mode 3 */
    int32_t color[3];
    bool brighten;
    bool additive;
    bool thick;
    bool dots;
};

/* What a number means as a mode: 0 to 7, or -1 for nothing. own: as the board's own software has
 * it, which draws some of the modes and takes no number for another. */
int32_t board_wave_mode(int32_t number, bool own);

/* The points in pixels of the texture; returns how many: 0 for what is no mode. angle: 0.3 radians
 * a second since the start, in 8192nds of a turn. */
uint32_t board_wave_points(const struct board_wave *wave, const struct board_hearing *sound,
                           uint32_t angle, struct board_point points[static BOARD_WAVE_POINTS]);

/* alpha 0 where there is nothing to draw. */
struct board_ink board_wave_ink(const struct board_wave *wave);

/* A line all of whose points are one is seen as a dot. */
void board_wave_draw(uint8_t *texture, const struct board_wave *wave,
                     const struct board_hearing *sound, uint32_t angle);

/* A parameter after the equations, with 16 bits of fraction. */
int32_t board_param(const struct board *board, enum board_param param);

/* What the images of this frame's parameters take of the texture mapper's time. */
uint32_t board_image_cycles(const struct board *board);

/* What the inside of a textured shape takes of it; 0 where there is none. */
uint32_t board_textured_cycles(const struct board_drawn_shape *shape);

#endif
