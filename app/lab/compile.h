/* What a program costs on the board. */
#ifndef APP_LAB_COMPILE_H
#define APP_LAB_COMPILE_H

#include <stdio.h>

#include "board/host/listing.h"

/* The clock that the hardware's papers count with, in MHz. */
enum { APP_COMPILE_PAPER_MHZ = 100 };

struct app_compile_stats {
    const char *name; /* of the preset, which must stay */
    const char *target;
    const char *scheduler;
    const char *program;
    bool per_frame;        /* run once per frame, else for each vertex */
    bool equations_on_cpu; /* of per_frame: the CPU computes the equations, the program only what is
                              the same for all vertices */
    bool on_cpu;           /* no microcode: the rest but load_ms is 0 */
    unsigned operations;   /* VECTOUT included, as everywhere */
    unsigned words;        /* up to the VECTOUT, it included */
    unsigned stages;
    unsigned registers;
    unsigned critical_path;
    unsigned bound;       /* of the words */
    double per_operation; /* words */
    unsigned cycles;      /* of a vertex, or of the run per frame; writing included */
    unsigned columns;     /* vertices of a row; the machine runs columns + stages - 1 */
    unsigned mhz;         /* the target's clock */
    double load_ms;       /* compiling both programs took */
};

struct app_compile_stats app_compile_stats_of(struct board_listing *patch, bool per_frame);

#endif
