/* What a program costs on the board. */
#ifndef APP_COMPILE_STATS_H
#define APP_COMPILE_STATS_H

#include <stdio.h>

#include "app/board_patch.h"

/* The clock that the hardware's papers count with; the board runs at 80 MHz. */
#define APP_COMPILE_HERTZ 100e6

struct app_compile_stats {
    const char *name; /* of the preset */
    const char *target;
    const char *scheduler;
    const char *program;
    bool on_cpu;           /* no microcode: the rest is 0 */
    unsigned instructions; /* VECTOUT included */
    unsigned words;        /* up to the VECTOUT */
    unsigned stages;
    unsigned registers;
    unsigned critical_path;
    unsigned bound;         /* the larger of the two lower bounds of one vertex */
    double per_instruction; /* words */
    double cycles;   /* for one vertex in a whole mesh, writing and further columns included */
    double vertices; /* per second at APP_COMPILE_HERTZ */
    double load_ms;  /* compiling both programs took */
};

struct app_compile_stats app_compile_stats_of(const struct app_board_patch *patch, bool per_frame);
void app_compile_stats_print(FILE *out, const struct app_compile_stats *stats, bool json);

#endif
