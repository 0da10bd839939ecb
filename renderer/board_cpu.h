/* Equations of the board in double precision: the init equations, and what the coprocessor cannot
 * do. */
#ifndef RENDERER_BOARD_CPU_H
#define RENDERER_BOARD_CPU_H

#include "pfpu/board.h"
#include "presets/preset.h"
#include "renderer/board_patch.h"

/* After the last program has been compiled into the board's scopes. The programs outlive it, the
 * arena too. NULL without memory. */
struct rend_board_cpu *rend_board_cpu_create(const struct pfpu_board *board,
                                             struct base_arena *arena, uint64_t seed);
void rend_board_cpu_free(struct rend_board_cpu *cpu); /* NULL is fine */

/* Sets what the preset stores and runs the init equations (NULL: there are none). Returns the
 * variables of the frame scope, of the cpu. */
const struct pfpu_instance *rend_board_cpu_begin(struct rend_board_cpu *cpu,
                                                 const struct pfpu_program *init,
                                                 const struct preset *preset, unsigned fps);

/* Notes which cells rend_board_cpu_run reads. */
void rend_board_cpu_bind(struct rend_board_cpu *cpu, const struct rend_board_patch *patch);

#endif
