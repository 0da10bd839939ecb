/* What the board's CPU draws on the texture: points, lines and rectangles in RGB565, whole numbers
 * only (spec/milkymist-one.md section 7, "Rasterizing per frame"). */
#ifndef RENDERER_BOARD_DRAW_H
#define RENDERER_BOARD_DRAW_H

#include <stdbool.h>
#include <stdint.h>

/* 5, 6 and 5 bits. */
struct rend_board_ink {
    uint8_t red;
    uint8_t green;
    uint8_t blue;
    uint8_t alpha; /* 0..64: opaque */
    bool additive;
};

struct rend_board_point {
    int32_t x;
    int32_t y;
};

/* Components with 16 bits of fraction, kept within 0..1; alpha kept within 0..64. */
struct rend_board_ink rend_board_ink_of(int32_t red, int32_t green, int32_t blue, int32_t alpha);

/* What a pixel becomes. */
uint16_t rend_board_blend(struct rend_board_ink ink, uint16_t under);

/* texture: REND_BOARD_SIDE pixels each way, big-endian. What is outside is left out. */

/* From left and top up to, not including, right and bottom. */
void rend_board_fill(uint8_t *texture, struct rend_board_ink ink, struct rend_board_point from,
                     struct rend_board_point to);

/* Without its last point, so that lines that go on from it blend it once. thick: two pixels wide.
 * At most 2048 pixels away from the texture, either way. */
void rend_board_line(uint8_t *texture, struct rend_board_ink ink, bool thick,
                     struct rend_board_point from, struct rend_board_point to);

#endif
