/* From a preset to what the Milkymist One plays (board_program.h). For the desktop: needs floats
 * and memory. */
#ifndef RENDERER_BOARD_PATCH_H
#define RENDERER_BOARD_PATCH_H

#include "renderer/board.h"
#include "renderer/board_program.h"

/* The equations that the board's CPU does in double precision, with their variables. */
struct rend_board_cpu;

struct rend_board_loaded {
    struct rend_board_patch patch;
    const struct pfpu_board *compiled;
    struct rend_board_cpu *cpu;
    struct base_arena arena; /* owns all of this */
};

/* Compiles for the board, quickly, with vertices in flight, and runs the init equations: fps is
 * what they see, seed starts their random numbers. What the board does not draw is a warning, what
 * does not fit an error, both with file and line where there is one. NULL with a message if there
 * was an error or memory is short. The preset may be freed afterwards; common (NULL: none) outlives
 * the patch. Any thread, but one at a time with the same common. */
struct rend_board_loaded *rend_board_patch_create(const struct rend_board_common *common,
                                                  const struct preset *preset, unsigned fps,
                                                  uint64_t seed, const struct base_diag_sink *sink);

/* The same with another scheduler. Each has its own form of the programs, so words of the mesh, and
 * with them pixels, may differ in their last bits. */
struct rend_board_loaded *rend_board_patch_schedule(const struct rend_board_common *common,
                                                    const struct preset *preset,
                                                    enum pfpu_board_scheduler scheduler,
                                                    unsigned fps, uint64_t seed,
                                                    const struct base_diag_sink *sink);
void rend_board_patch_free(struct rend_board_loaded *loaded); /* NULL is fine */

/* The per-frame equations and what the CPU computes for the vertices. */
void rend_board_cpu_run(struct rend_board_cpu *cpu, uint32_t *cells);

#endif
