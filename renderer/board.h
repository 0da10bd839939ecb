/* A preset compiled for the Milkymist One: the place where presets and the coprocessor's compiler
 * meet. */
#ifndef RENDERER_BOARD_H
#define RENDERER_BOARD_H

#include "pfpu/board.h"
#include "presets/preset.h"

/* Compiles the per-frame and per-vertex equations. Errors: see pfpu_board_compile; what else of the
 * preset the board does not draw is a warning each. The result lives in the arena and refers to
 * nothing of the preset. Any thread. */
enum pfpu_status rend_board_compile(const struct preset *preset, const struct pfpu_target *target,
                                    enum pfpu_board_scheduler scheduler, struct base_arena *arena,
                                    const struct base_diag_sink *sink, struct pfpu_board **board);

/* What all presets have in common, made once for many compilations, one after the other. */
struct rend_board_common {
    struct base_arena arena; /* owns the rest */
    struct pfpu_scope *scope;
    struct pfpu_motion *motion;
};

/* False, with nothing to free, without memory. */
bool rend_board_common_init(struct rend_board_common *common);
void rend_board_common_free(struct rend_board_common *common);

/* A scope with the variables that per-frame and per-vertex equations share. common: NULL for none.
 * NULL without memory. */
struct pfpu_scope *rend_board_scope(const struct rend_board_common *common,
                                    struct base_arena *arena);

/* The same with a frame scope of the caller's, made by rend_board_scope, in which other programs
 * may have been compiled before; NULL: PFPU_NO_MEMORY. common: NULL for none. */
enum pfpu_status
rend_board_compile_in(const struct preset *preset, const struct pfpu_target *target,
                      enum pfpu_board_scheduler scheduler, const struct rend_board_common *common,
                      struct pfpu_scope *frame_scope, struct base_arena *arena,
                      const struct base_diag_sink *sink, struct pfpu_board **board);

#endif
