/* What a frame costs the board, counted in cycles before it is drawn: in whole numbers and from the
 * patch's values alone, so that all machines leave out the same (spec/milkymist-one.md section 7).
 * Private to this folder. */
#ifndef BOARD_STEP_COST_H
#define BOARD_STEP_COST_H

#include <stdint.h>

#include "board/step/step.h"

enum {
    BOARD_CLOCK = 80 * 1000 * 1000,
    BOARD_TURNS_MAX = 64, /* of borders and vectors, and of equations */
};

/* One square that the texture mapper draws. */
struct board_square {
    struct board_mapper_vertex size; /* pixels, up to 2047 */
    uint32_t seen;                   /* of them, within the target */
    /* Texels from left to right, and from top to bottom, in coordinates. */
    struct board_mapper_vertex across;
    struct board_mapper_vertex down;
    bool blends; /* reads what is under it */
};

/* Of the texture mapper, its start included. */
uint32_t board_cost_square(const struct board_square *square);

/* Of the equations in double precision: each so many'th frame computes them, when a run has taken
 * so many cycles. At least 1. */
uint32_t board_cost_turns(const struct board *board, uint32_t cycles);

/* After so many cycles their loops pause until the next frame. */
uint32_t board_cost_part(const struct board *board);

/* After the equations of the frame and the mesh: counts what has to be drawn in any case, and
 * leaves in items what of borders, motion vectors and echo is, and what remains for custom shapes
 * and waves. equations: cycles of a frame that the processor has spent on them, in the mean. */
void board_cost_begin(struct board *board, uint32_t equations);

#endif
