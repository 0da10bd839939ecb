/* What the board's equations call what the preset stores. */
#ifndef RENDERER_BOARD_NAMES_H
#define RENDERER_BOARD_NAMES_H

#include "pfpu/pfpu.h"
#include "presets/preset.h"

/* What a variable holds at the beginning of each frame, besides board_params.def. */
struct rend_board_reset {
    const char *name;
    bool stored; /* what the preset stores; else value */
    double value;
};

extern const struct rend_board_reset rend_board_resets[];
extern const size_t rend_board_reset_count;

enum { REND_BOARD_Q_NAME = 4 };

/* "q1" to "q99" into name, which it returns. */
const char *rend_board_q_name(int number, char name[REND_BOARD_Q_NAME]);

/* What the preset stores for the variable; 0 if it stores nothing. */
double rend_board_stored(const struct preset *preset, const char *name);

#endif
