/* The walk over the cells of a mesh: which pixels belong to which cell, and where each of them
 * reads the texture, for whatever draws a run (tmu.h) row by row. Any thread; a walk that has begun
 * stays as it is. */
#ifndef TMU_WALK_H
#define TMU_WALK_H

#include "tmu/kernels.h"

enum { TMU_AXES = 2 }; /* of the texture: x, y */

/* One axis of the texture: a vertex at u has the coordinate u * scale - half. */
struct tmu_axis {
    double scale;
    double half; /* half a texel: from its corner to its centre */
    double near; /* clamped coordinates of this size and below fit into ramps */
    int size;
};

/* How the pixels of one direction divide among the cells. */
struct tmu_division {
    int cells;
    int pixels;
    double per_pixel; /* cells, at most 1 */
};

/* Where the pixels of a mesh column begin, and how far into the cell the first one's centre lies.
 */
struct tmu_column {
    int first;
    double into;
};

struct tmu_walk {
    const struct tmu_mesh *mesh;
    struct tmu_axis axes[TMU_AXES];
    unsigned shift; /* from coordinates to what ramps hold */
    struct tmu_division across;
    struct tmu_division down; /* rows of cells count from the top of the picture here */
    struct tmu_column columns[TMU_COLUMNS_MAX + 1];
};

/* A part of all rows of pixels, and the columns of the mesh that it crosses. */
struct tmu_part {
    int first_pixel; /* a multiple of 16, as kernels like their memory */
    int end_pixel;   /* a multiple of 16, or the width */
    int first_column;
    int end_column;
};

/* What is known of the cells of one row of the mesh, as far as the part crosses them. */
struct tmu_cells {
    struct tmu_part part; /* set before they are entered */
    struct tmu_ramp ramps[TMU_COLUMNS_MAX];
    bool far[TMU_COLUMNS_MAX]; /* clamped, and beyond what ramps hold */
    bool any_far;
    int end; /* the row of pixels behind them */
};

/* Of the run's texture only the size counts. Vertices are not read yet. */
void tmu_walk_begin(struct tmu_walk *walk, const struct tmu_run *run);

struct tmu_part tmu_whole_row(const struct tmu_walk *walk);

/* The first pixel whose centre is not before the cell's edge; `cells` is one too, behind the last.
 */
int tmu_first_pixel(const struct tmu_division *division, int cell);
/* The cell in which a pixel's centre lies. */
int tmu_cell_of(const struct tmu_division *division, int pixel);

/* Sets the ramps of the cells that pixel row y crosses, as they are for this row. They always begin
 * at the cells' first row of pixels, so that the picture does not depend on where a band begins.
 * Far cells have harmless ramps, as have those without pixels. */
void tmu_enter_cells(const struct tmu_walk *walk, int y, struct tmu_cells *cells);

/* Of pixel row y, from a column of the mesh on. */
struct tmu_diagonal tmu_diagonal_of(const struct tmu_walk *walk, int y, int column);

/* Fills in the positions (tmu/kernels.h) of pixel row `row` that lie in far cells, each pixel by
 * itself. The cells are those that it crosses. */
void tmu_place_far(const struct tmu_walk *walk, const struct tmu_cells *cells, int row, uint32_t *x,
                   uint32_t *y);

#endif
