/* What a Milkymist One would make of a preset: an estimate of its work, for the operator. */
#ifndef APP_BOARD_ESTIMATE_H
#define APP_BOARD_ESTIMATE_H

#include <stdbool.h>

#include "presets/milk/preset.h"
#include "tmu/tmu.h"

/* The preset is compiled with the scheduler `quick`, which is the one that the board's own program
 * uses. The texture mapper is that of the twin (board/twin/units.h), beside the scan-out of a
 * screen of 640 x 480: the warp of 512 x 512 pixels of 16 bits in squares of 16 x 16, the scaling
 * to the screen and, if the preset stores one, the echo. The warp is followed pixel by pixel, the
 * other two in some of their rows.
 *
 * The coprocessor's work, the texture mapper's together with the CPU's painting, and all of the
 * CPU's work overlap (spec/milkymist-one.md): a frame takes as long as the longest of the three. A
 * frame that is left out saves the CPU the analysis of its sound.
 *
 * The CPU's work is that of a frame, as measured on the twin, and an estimate of what
 * it draws with the values that the file stores, before any equations: borders and motion vectors
 * by their pixels, and a wave by its mode alone (one cost for a line, twice that for two, another
 * for one that crosses itself or goes round; none if it is not seen). Equations that the CPU takes
 * over are left out. Custom shapes and waves cost the CPU what the board's own count of their
 * cycles says (board/step/items.h) of some frames in silence, and so do pictures of patches the
 * texture mapper; the other units' part of them is left out. */
struct app_board_estimate {
    bool fits;       /* `froth check --target milkymist-one` does not refuse it */
    bool whole;      /* nor does it call it degraded: all of it is drawn */
    char why[160];   /* it does not fit, or is not whole, in words, cut. If it does not fit, all
                        that follows but *_max is 0 */
    int frame_words; /* of the per-frame program; 0: the CPU runs it */
    int vertex_words;
    int words_max; /* that the chip has room for */
    int registers; /* used by the per-vertex program, and what there are */
    int registers_max;
    double cycles_per_vertex; /* in the whole mesh: writing and vertices in flight included */
    double cycles_per_frame; /* of the coprocessor: the per-frame program and the mesh of 33 x 33 */
    double slots_filled;     /* share of the per-vertex words that issue an operation, 0..1 */
    double hits;             /* of the texel cache in all runs, 0..1 */
    double fps;              /* that a board would reach at 80 MHz, if it asked for more than 24 */
    bool processor_equations; /* the CPU computes some, which makes it fewer */
    double mapper_cycles;     /* of the texture mapper for a frame */
    double processor_cycles;  /* of the CPU, with the sound at 24 frames per second */
    /* At that rate, but at most 24 frames per second. */
    double bandwidth; /* net, of the memory, in bits per second */
    double occupancy; /* of the memory bus, 0..1 */
    double busy[3];   /* 0..1: coprocessor, texture mapper, processor */
};

/* Compiles for the board and prices the warp along `mesh` (of the show, any size, at least one
 * cell; values of any kind; NULL: at rest), between whose vertices the board's are interpolated.
 * Takes some twenty milliseconds, with custom shapes or waves some more: not for the painter. Any
 * thread. Without memory it does not fit, and says so. */
void app_board_estimate_make(struct app_board_estimate *estimate, const struct preset *preset,
                             const struct tmu_mesh *mesh);

/* Whether there is anything to be seen of a preset on a board, found out as `froth check` does: in
 * the second half of five seconds to the built-in tune. A picture at a time, so that whoever shows
 * other things meanwhile does not stop. One thread at a time. */
struct app_board_look;

enum app_board_seen { APP_BOARD_UNSURE, APP_BOARD_BLACK, APP_BOARD_LIT };

/* NULL where the board refuses it, and without memory. */
struct app_board_look *app_board_look_create(const struct preset *preset);
void app_board_look_free(struct app_board_look *look); /* NULL is fine */

/* Draws the next picture, unless the answer is known. Takes some ten milliseconds. */
enum app_board_seen app_board_look_step(struct app_board_look *look);

#endif
