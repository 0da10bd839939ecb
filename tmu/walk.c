#include "tmu/walk.h"

#include <assert.h>
#include <math.h>

enum { COORDINATE_BITS = 40, NEAR_TEXELS = 30000 };
enum { FLAT_PARTS = 512 }; /* of a texel: triangles that are no further apart are one */

/* Coordinates count this for a texel when clamping, for a turn when wrapping. */
static const double one = (double)(1LL << COORDINATE_BITS);

/* A pixel of tmu_diagonal. */
static const double diagonal_pixel = (double)(1LL << 32);

/* ---- which pixels belong to which cell ---- */

static struct tmu_division divide(int cells, int pixels)
{
    return (struct tmu_division){cells, pixels, fmin((double)cells / pixels, 1.0)};
}

int tmu_first_pixel(const struct tmu_division *division, int cell)
{
    return (2 * division->pixels * cell + division->cells - 1) / (2 * division->cells);
}

int tmu_cell_of(const struct tmu_division *division, int pixel)
{
    return (2 * pixel + 1) * division->cells / (2 * division->pixels);
}

/* How far into the cell a pixel's centre lies, 0..1. */
static double into_cell(const struct tmu_division *division, int cell, int pixel)
{
    const int past = (2 * pixel + 1) * division->cells - 2 * division->pixels * cell;
    return past / (2.0 * division->pixels);
}

/* ---- what a run of the TMU has throughout ---- */

static struct tmu_axis axis_of(enum tmu_address address, int size)
{
    if (address == TMU_CLAMP) {
        return (struct tmu_axis){one * size, one / 2, one * NEAR_TEXELS, size};
    }
    const int turns = address == TMU_MIRROR ? 2 : 1; /* until the picture comes again */
    return (struct tmu_axis){one / turns, one / 2 / (turns * size), INFINITY, size};
}

void tmu_walk_begin(struct tmu_walk *walk, const struct tmu_run *run)
{
    const struct tmu_surface *texture = run->texture;
    const struct tmu_mesh *mesh = run->mesh;
    assert(mesh->columns >= 1 && mesh->columns <= TMU_COLUMNS_MAX && mesh->rows >= 1);
    assert(run->width >= 1 && run->width <= TMU_SIZE_MAX && run->height >= 1);
    walk->mesh = mesh;
    walk->axes[0] = axis_of(run->address, texture->width);
    walk->axes[1] = axis_of(run->address, texture->height);
    walk->shift = 64 - COORDINATE_BITS - (run->address == TMU_CLAMP ? TMU_POSITION_BITS : 0);
    walk->across = divide(mesh->columns, run->width);
    walk->down = divide(mesh->rows, run->height);
    for (int c = 0; c <= mesh->columns; c++) {
        const int first = tmu_first_pixel(&walk->across, c);
        walk->columns[c] = (struct tmu_column){first, into_cell(&walk->across, c, first)};
    }
}

struct tmu_part tmu_whole_row(const struct tmu_walk *walk)
{
    return (struct tmu_part){0, walk->across.pixels, 0, walk->across.cells};
}

/* ---- ramps ---- */

/* Coordinates at the upper and the lower end of a cell's edge. */
struct edge {
    double top[TMU_AXES];
    double bottom[TMU_AXES];
};

static struct edge edge_at(const struct tmu_walk *walk, int row, int column)
{
    const struct tmu_mesh *mesh = walk->mesh;
    const size_t pitch = (size_t)mesh->columns + 1;
    const struct tmu_vertex *top = mesh->vertices + (size_t)(mesh->rows - row) * pitch + column;
    const struct tmu_vertex *bottom = top - pitch;
    const struct tmu_axis *x = &walk->axes[0];
    const struct tmu_axis *y = &walk->axes[1];
    return (struct edge){
        {(double)top->u * x->scale - x->half, (double)top->v * y->scale - y->half},
        {(double)bottom->u * x->scale - x->half, (double)bottom->v * y->scale - y->half}};
}

static bool is_far(const struct tmu_walk *walk, const struct edge *edge)
{
    bool far = false;
    for (int i = 0; i < TMU_AXES; i++) {
        far |= fabs(edge->top[i]) > walk->axes[i].near;
        far |= fabs(edge->bottom[i]) > walk->axes[i].near;
    }
    return far;
}

/* The coordinates of a triangle: those of the cell's upper left corner, and what is added from one
 * side of the cell to the other. */
struct plane {
    double corner;
    double across;
    double down;
};

static struct plane left_plane(const struct edge *left, const struct edge *right, int axis)
{
    return (struct plane){left->top[axis], right->bottom[axis] - left->bottom[axis],
                          left->bottom[axis] - left->top[axis]};
}

static struct plane right_plane(const struct edge *left, const struct edge *right, int axis)
{
    return (struct plane){left->top[axis], right->top[axis] - left->top[axis],
                          right->bottom[axis] - right->top[axis]};
}

static uint64_t fixed(double value, unsigned shift)
{
    return (uint64_t)(int64_t)value << shift;
}

/* Value k of a ramp whose pixels begin `into` down the cell. */
static void set_value(const struct tmu_walk *walk, const struct plane *plane, double into,
                      double into_column, int k, struct tmu_ramp *ramp)
{
    ramp->at[k] =
        fixed(plane->corner + plane->down * into + plane->across * into_column, walk->shift);
    ramp->per_row[k] = fixed(plane->down * walk->down.per_pixel, walk->shift);
    ramp->step[k] = (uint32_t)(fixed(plane->across * walk->across.per_pixel, walk->shift) >> 32);
}

static void set_ramp(const struct tmu_walk *walk, const struct edge *left, const struct edge *right,
                     double into, double into_column, struct tmu_ramp *ramp)
{
    bool flat = true;
    for (int i = 0; i < TMU_AXES; i++) {
        const struct plane a = left_plane(left, right, i);
        const struct plane b = right_plane(left, right, i);
        flat &= fabs(a.across - b.across) * FLAT_PARTS <= 2 * walk->axes[i].half;
        set_value(walk, &a, into, into_column, TMU_LEFT_X + i, ramp);
        set_value(walk, &b, into, into_column, TMU_RIGHT_X + i, ramp);
    }
    ramp->flat = flat ? ramp->end : 0;
}

void tmu_enter_cells(const struct tmu_walk *walk, int y, struct tmu_cells *cells)
{
    const struct tmu_part *part = &cells->part;
    const int row = tmu_cell_of(&walk->down, y);
    const int first = tmu_first_pixel(&walk->down, row);
    const double into = into_cell(&walk->down, row, first);
    /* The one that ends a cell begins the next. */
    struct edge edges[2];
    bool is_far_there[2];
    edges[part->first_column & 1] = edge_at(walk, row, part->first_column);
    is_far_there[part->first_column & 1] = is_far(walk, &edges[part->first_column & 1]);
    cells->any_far = false;
    cells->end = tmu_first_pixel(&walk->down, row + 1);
    for (int c = part->first_column; c < part->end_column; c++) {
        const struct tmu_column *pixels = &walk->columns[c];
        const struct edge *left = &edges[c & 1];
        struct edge *right = &edges[~c & 1];
        *right = edge_at(walk, row, c + 1);
        is_far_there[~c & 1] = is_far(walk, right);
        struct tmu_ramp *ramp = &cells->ramps[c];
        ramp->first = (uint32_t)pixels[0].first;
        ramp->end = (uint32_t)pixels[1].first;
        cells->far[c] = (is_far_there[0] || is_far_there[1]) && ramp->first < ramp->end;
        cells->any_far |= cells->far[c];
        if (!cells->far[c] && ramp->first < ramp->end) {
            set_ramp(walk, left, right, into, pixels->into, ramp);
        } else {
            *ramp = (struct tmu_ramp){.first = ramp->first, .end = ramp->end};
        }
        for (size_t k = 0; k < TMU_RAMP_VALUES && y != first; k++) {
            ramp->at[k] += ramp->per_row[k] * (uint64_t)(y - first);
        }
    }
}

struct tmu_diagonal tmu_diagonal_of(const struct tmu_walk *walk, int y, int column)
{
    const double pitch = (double)walk->across.pixels / walk->across.cells;
    const double down = into_cell(&walk->down, tmu_cell_of(&walk->down, y), y);
    const uint64_t per_cell = (uint64_t)(pitch * diagonal_pixel);
    return (struct tmu_diagonal){
        (uint64_t)((down * pitch + 0.5) * diagonal_pixel) + per_cell * (uint64_t)column, per_cell};
}

/* ---- far cells: each pixel by itself ---- */

static void place_far(const struct tmu_walk *walk, int row, int column, double into, int axis,
                      uint32_t *positions)
{
    const struct edge left = edge_at(walk, row, column);
    const struct edge right = edge_at(walk, row, column + 1);
    const struct plane planes[2] = {left_plane(&left, &right, axis),
                                    right_plane(&left, &right, axis)};
    for (int i = walk->columns[column].first; i < walk->columns[column + 1].first; i++) {
        const double across = into_cell(&walk->across, column, i);
        const struct plane *plane = &planes[across > into ? 1 : 0];
        const double texel = (plane->corner + plane->down * into + plane->across * across) / one;
        positions[i] = (uint32_t)(fmin(fmax(texel, 0.0), walk->axes[axis].size - 1) * TMU_TEXEL);
    }
}

void tmu_place_far(const struct tmu_walk *walk, const struct tmu_cells *cells, int row, uint32_t *x,
                   uint32_t *y)
{
    const int cell_row = tmu_cell_of(&walk->down, row);
    const double into = into_cell(&walk->down, cell_row, row);
    for (int c = cells->part.first_column; c < cells->part.end_column; c++) {
        if (cells->far[c]) {
            place_far(walk, cell_row, c, into, 0, x);
            place_far(walk, cell_row, c, into, 1, y);
        }
    }
}
