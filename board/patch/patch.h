/* From a preset to what the Milkymist One plays (board/step/program.h). Needs floats and
 * memory. */
#ifndef BOARD_PATCH_PATCH_H
#define BOARD_PATCH_PATCH_H

#include "board/step/program.h"
#include "pfpu/compile/board.h"
#include "pfpu/pfpu.h"
#include "presets/milk/preset.h"

/* ---- compiling: the place where presets and the coprocessor's compiler meet ---- */

/* Compiles the per-frame and per-vertex equations. Errors: see pfpu_board_compile; what else of the
 * preset the board does not draw is a warning each. The result lives in the arena and refers to
 * nothing of the preset. Any thread. */
enum pfpu_status board_compile(const struct preset *preset, const struct pfpu_target *target,
                               enum pfpu_board_scheduler scheduler, struct base_arena *arena,
                               const struct base_diag_sink *sink, struct pfpu_board **board);

/* What all presets have in common, made once for many compilations, one after the other. */
struct board_common {
    struct base_arena arena; /* owns the rest */
    struct pfpu_scope *scope;
    struct pfpu_motion *motion;
};

/* False, with nothing to free, without memory. */
bool board_common_init(struct board_common *common);
void board_common_free(struct board_common *common);

/* A scope with the variables that per-frame and per-vertex equations share. common: NULL for none.
 * NULL without memory. */
struct pfpu_scope *board_scope(const struct board_common *common, struct base_arena *arena);

/* The same with a frame scope of the caller's, made by board_scope, in which other programs
 * may have been compiled before; NULL: PFPU_NO_MEMORY. common, dumper: NULL for none. */
enum pfpu_status board_compile_in(const struct preset *preset, const struct pfpu_target *target,
                                  enum pfpu_board_scheduler scheduler,
                                  const struct board_common *common, struct pfpu_scope *frame_scope,
                                  const struct pfpu_dumper *dumper, struct base_arena *arena,
                                  const struct base_diag_sink *sink, struct pfpu_board **board);

/* ---- a patch ---- */

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

/* The per-frame equations and what the CPU computes for the vertices. Their loops pause after about
 * `most` cycles: *done is then false, the cells are as they were, and the next call goes on.
 * Returns the cycles of loops. */
uint32_t board_cpu_run(struct board_cpu *cpu, uint32_t *cells, uint32_t most, bool *done);

/* The equations of a custom shape or wave that are on_cpu, once. Returns the cycles of their loops.
 */
uint32_t board_cpu_run_item(struct board_cpu *cpu, const struct board_item_program *program,
                            uint32_t *cells);

#endif
