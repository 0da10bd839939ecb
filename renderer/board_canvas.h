/* Runs of the TMU in a frame, and what lies between them (spec/milkymist-one.md section 7). */
#ifndef RENDERER_BOARD_CANVAS_H
#define RENDERER_BOARD_CANVAS_H

#include "renderer/board_step.h"

/* A parameter after the equations, with 16 bits of fraction. */
int32_t rend_board_param(const struct rend_board *board, enum rend_board_param param);

/* The texture that is being drawn: where it stands in memory. */
uint32_t rend_board_texture_at(const struct rend_board *board, bool front);

/* Front texture to back texture along the mesh, with this frame's brightness. */
void rend_board_warp(struct rend_board *board);

/* Motion vectors, borders and wave on the back texture. */
void rend_board_overlay(const struct rend_board *board);

/* Live video and images on the back texture. */
void rend_board_pictures(const struct rend_board *board, const struct rend_board_input *input);

/* The back texture to the screen, and once more for the echo. */
void rend_board_show(const struct rend_board *board);

#endif
