/* From a preset to what the Milkymist One plays (board/step/program.h). Needs floats and
 * memory. */
#ifndef BOARD_PATCH_PATCH_H
#define BOARD_PATCH_PATCH_H

#include "board/patch/compile.h"
#include "board/step/program.h"
#include "pfpu/compile/board.h"
#include "presets/milk/preset.h"

/* The equations that the board's CPU does in double precision, with their variables. */
struct board_cpu;

struct board_loaded {
    struct board_patch patch;
    const struct pfpu_board *compiled;
    struct board_cpu *cpu;
    struct base_arena arena; /* owns all of this */
};

/* Compiles for the board, quickly, with vertices in flight, and runs the init equations: fps is
 * what they see, seed starts their random numbers. What the board does not draw is a warning, what
 * does not fit an error, both with file and line where there is one. NULL with a message if there
 * was an error or memory is short. The preset may be freed afterwards; common (NULL: none) outlives
 * the patch. Any thread, but one at a time with the same common. */
struct board_loaded *board_patch_create(const struct board_common *common,
                                        const struct preset *preset, unsigned fps, uint64_t seed,
                                        const struct base_diag_sink *sink);

/* The same with another scheduler. Each has its own form of the programs, so words of the mesh, and
 * with them pixels, may differ in their last bits. */
struct board_loaded *board_patch_schedule(const struct board_common *common,
                                          const struct preset *preset,
                                          enum pfpu_board_scheduler scheduler, unsigned fps,
                                          uint64_t seed, const struct base_diag_sink *sink);
void board_patch_free(struct board_loaded *loaded); /* NULL is fine */

/* The per-frame equations and what the CPU computes for the vertices. */
void board_cpu_run(struct board_cpu *cpu, uint32_t *cells);

/* Equations in double precision: the init equations, and what the coprocessor cannot do. */

/* After the last program has been compiled into the board's scopes. The programs outlive it, the
 * arena too. NULL without memory. */
struct board_cpu *board_cpu_create(const struct pfpu_board *board, struct base_arena *arena,
                                   uint64_t seed);
void board_cpu_free(struct board_cpu *cpu); /* NULL is fine */

/* Sets what the preset stores and runs the init equations (NULL: there are none). Returns the
 * variables of the frame scope, of the cpu. */
const struct pfpu_instance *board_cpu_begin(struct board_cpu *cpu, const struct pfpu_program *init,
                                            const struct preset *preset, unsigned fps);

/* Notes which cells board_cpu_run reads. */
void board_cpu_bind(struct board_cpu *cpu, const struct board_patch *patch);

#endif
