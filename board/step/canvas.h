/* Runs of the TMU in a frame, and what lies between them (spec/milkymist-one.md section 7). */
#ifndef BOARD_STEP_CANVAS_H
#define BOARD_STEP_CANVAS_H

#include "board/step/step.h"

/* A parameter after the equations, with 16 bits of fraction. */
int32_t board_param(const struct board *board, enum board_param param);

/* The texture that is being drawn: where it stands in memory. */
uint32_t board_texture_at(const struct board *board, bool front);

/* Front texture to back texture along the mesh, with this frame's brightness. */
void board_warp(struct board *board);

/* Motion vectors, borders and wave on the back texture. */
void board_overlay(const struct board *board);

/* Live video and images on the back texture. */
void board_pictures(const struct board *board, const struct board_input *input);

/* The back texture to the screen, and once more for the echo. */
void board_scale(const struct board *board);

#endif
