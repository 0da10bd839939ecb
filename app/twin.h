/* What a Milkymist One would make of a preset: the hardware twin's account for the operator. */
#ifndef APP_TWIN_H
#define APP_TWIN_H

#include <stdbool.h>

#include "presets/preset.h"
#include "tmu/tmu.h"

/* The preset is compiled with the pipelined scheduler, froth's best. The texture mapper is the
 * machine `milkymist` at the board's clock, that of the thesis with its blocking cache, beside the
 * scan-out of a screen of 640 x 480: the warp of 512 x 512 pixels of 16 bits in squares of 16 x 16,
 * the scaling to the screen and, if the preset stores one, the echo. The warp is followed pixel by
 * pixel, the other two in some of their rows.
 *
 * A frame's time (milkymist-one.md section 7): the coprocessor works on one frame while the mapper
 * and the CPU are at the one before, which need each other: warp, then drawing, then the screen. So
 * it is the longer of the coprocessor's time and of the other two together.
 *
 * Drawing is an estimate, of what the file stores before equations: pixels of borders, motion
 * vectors and wave (of two widths of the picture, twice if thick) at 60 cycles for reading, mixing
 * and writing one, and 2 times 512 lines of the second-level cache to flush at 30 cycles each.
 * Sound, equations that the CPU takes over, and loading registers are left out. */
struct app_twin {
    bool fits;
    char why[160];   /* in words, cut; empty if it fits. All that follows but *_max is then 0 */
    int frame_words; /* of the per-frame program; 0: the CPU runs it */
    int vertex_words;
    int words_max; /* that the chip has room for */
    int registers; /* used by the per-vertex program, and what there are */
    int registers_max;
    double cycles_per_vertex; /* in the whole mesh: writing and vertices in flight included */
    double cycles_per_frame; /* of the coprocessor: the per-frame program and the mesh of 33 x 33 */
    double slots_filled;     /* share of the per-vertex words that issue an operation, 0..1 */
    double hits;             /* of the texel cache in all runs, 0..1 */
    double bandwidth;        /* net, of the memory, in bits per second at the rate below */
    double occupancy;        /* of the memory bus, 0..1, at the rate below */
    double fps;              /* that a board would reach at 80 MHz, if it asked for more than 24 */
    double limits[3];        /* share of a frame's time: coprocessor, texture mapper, drawing */
};

/* Compiles for the board and prices the warp along `mesh` (of the show, any size, at least one
 * cell; values of any kind; NULL: at rest), of which the board's vertices are mixed. Takes some
 * twenty milliseconds: not for the painter. Any thread. Without memory it does not fit, and says
 * so. */
void app_twin_of(struct app_twin *twin, const struct preset *preset, const struct tmu_mesh *mesh);

#endif
