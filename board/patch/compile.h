/* A preset compiled for the Milkymist One: the place where presets and the coprocessor's compiler
 * meet. */
#ifndef BOARD_PATCH_COMPILE_H
#define BOARD_PATCH_COMPILE_H

#include "pfpu/compile/board.h"
#include "pfpu/pfpu.h"
#include "presets/milk/preset.h"

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

/* What the board's equations call what the preset stores. */

/* What a variable holds at the beginning of each frame, besides params.def. */
struct board_reset {
    const char *name;
    bool stored; /* what the preset stores; else value */
    double value;
};

extern const struct board_reset board_resets[];
extern const size_t board_reset_count;

enum { BOARD_Q_NAME = 4 };

/* "q1" to "q99" into name, which it returns. */
const char *board_q_name(int number, char name[BOARD_Q_NAME]);

/* What the preset stores for the variable; 0 if it stores nothing. */
double board_stored(const struct preset *preset, const char *name);

#endif
