/* What a Milkymist One would make of a preset: the hardware twin's account for the operator. */
#ifndef APP_TWIN_H
#define APP_TWIN_H

#include <stdbool.h>

#include "presets/preset.h"
#include "tmu/tmu.h"

struct app_twin {
    bool fits;
    char why[160];   /* in words, if it does not fit */
    int frame_words; /* of the per-frame program, and what the chip has room for */
    int vertex_words;
    int words_max;
    int registers; /* used by the per-vertex program, and what there are */
    int registers_max;
    double cycles_per_vertex;
    double cycles_per_frame; /* of the coprocessor, on its mesh */
    double slots_filled;     /* share of the program's words that issue an operation, 0..1 */
    double hits;             /* of the texel cache, 0..1 */
    double bandwidth;        /* net, of the memory, in bits per second at the rate below */
    double occupancy;        /* of the memory bus, 0..1, at the rate below */
    double fps;              /* that a board would reach at 80 MHz, units overlapped */
    double limits[3];        /* share of a frame's time: coprocessor, texture mapper, drawing */
};

/* Compiles for the board and prices the warp along `mesh` (of the show, any size; NULL: at rest).
 * Takes up to some ten milliseconds: not for the painter. Without memory it does not fit, and says
 * so. */
void app_twin_of(struct app_twin *twin, const struct preset *preset, const struct tmu_mesh *mesh);

#endif
