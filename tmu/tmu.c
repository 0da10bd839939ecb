#include "tmu/tmu.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tmu/kernels.h"

enum { GUARD = 1, TAIL = 8, STRIDE_STEP = 16, ALIGNMENT = 64 };

struct tmu_surface tmu_surface_create(int width, int height)
{
    assert(width >= 1 && width <= TMU_SIZE_MAX && height >= 1 && height <= TMU_SIZE_MAX);
    struct tmu_surface surface = {.width = width, .height = height};
    surface.stride = ((size_t)width + TAIL + STRIDE_STEP - 1) / STRIDE_STEP * (size_t)STRIDE_STEP;
    const size_t bytes = surface.stride * ((size_t)height + GUARD) * sizeof *surface.pixels;
    surface.pixels = aligned_alloc(ALIGNMENT, bytes);
    if (surface.pixels != NULL) {
        memset(surface.pixels, 0, bytes);
    }
    return surface;
}

void tmu_surface_free(struct tmu_surface *surface)
{
    free(surface->pixels);
    surface->pixels = NULL;
}

/* What is there already is not written again: the lines that other threads have of it stay good. */
void tmu_surface_guard(struct tmu_surface *surface)
{
    const size_t width = (size_t)surface->width;
    const size_t height = (size_t)surface->height;
    const size_t bytes = (width + 1) * sizeof *surface->pixels;
    uint32_t *below = surface->pixels + height * surface->stride;
    for (size_t y = 0; y < height; y++) {
        uint32_t *row = surface->pixels + y * surface->stride;
        if (row[width] != row[0]) {
            row[width] = row[0];
        }
    }
    if (memcmp(below, surface->pixels, bytes) != 0) {
        memcpy(below, surface->pixels, bytes);
    }
}

/* The walk over the cells of the mesh: which pixels belong to which cell, and where each of them
 * reads the texture. */

enum { BAND_ROWS = 16, COLUMNS_MAX = 256, PADDING = 8 };
enum { COORDINATE_BITS = 40, NEAR_TEXELS = 30000 };

/* Coordinates count this for a texel when clamping, for a turn when wrapping. */
static const double one = (double)(1LL << COORDINATE_BITS);

/* One axis of the texture: a vertex at u has the coordinate u * scale - half, which times 2^shift
 * is what ramps hold. */
struct axis {
    double scale;
    double half; /* half a texel: from its corner to its centre */
    double near; /* clamped coordinates of this size and below fit into ramps */
    int size;
    unsigned shift;
};

/* How the pixels of one direction divide among the cells. */
struct division {
    int cells;
    int pixels;
    double per_pixel; /* cells, at most 1 */
};

/* Where the pixels of a mesh column begin, and how far into the cell the first one's centre lies.
 */
struct column {
    int first;
    double into;
};

struct walk {
    const struct tmu_kernels *kernels;
    const struct tmu_mesh *mesh;
    tmu_ramps ramps;
    struct tmu_sampler sampler;
    struct axis x;
    struct axis y;
    struct division across;
    struct division down;
    struct column columns[COLUMNS_MAX + 1];
};

/* What is known of the cells of one row of the mesh. */
struct cells {
    struct tmu_ramp ramps[COLUMNS_MAX];
    bool far[COLUMNS_MAX]; /* clamped, and beyond what ramps hold */
    bool any_far;
    int end; /* the row of pixels behind them */
};

/* ---- which pixels belong to which cell ---- */

static struct division divide(int cells, int pixels)
{
    return (struct division){cells, pixels, fmin((double)cells / pixels, 1.0)};
}

/* The first pixel whose centre is not before the cell's edge. */
static int first_pixel(const struct division *division, int cell)
{
    return (2 * division->pixels * cell + division->cells - 1) / (2 * division->cells);
}

static int cell_of(const struct division *division, int pixel)
{
    return (2 * pixel + 1) * division->cells / (2 * division->pixels);
}

/* How far into the cell a pixel's centre lies, 0..1. */
static double into_cell(const struct division *division, int cell, int pixel)
{
    const int past = (2 * pixel + 1) * division->cells - 2 * division->pixels * cell;
    return past / (2.0 * division->pixels);
}

/* ---- what a run of the TMU has throughout ---- */

static struct axis axis_of(enum tmu_address address, int size)
{
    if (address == TMU_CLAMP) {
        return (struct axis){one * size, one / 2, one * NEAR_TEXELS, size,
                             64 - TMU_POSITION_BITS - COORDINATE_BITS};
    }
    const int turns = address == TMU_MIRROR ? 2 : 1; /* until the picture comes again */
    return (struct axis){one / turns, one / 2 / (turns * size), INFINITY, size,
                         64 - COORDINATE_BITS};
}

static void begin_walk(struct walk *walk, const struct tmu_kernels *kernels,
                       const struct tmu_run *run)
{
    const struct tmu_surface *texture = run->texture;
    const struct tmu_mesh *mesh = run->mesh;
    assert(mesh->columns >= 1 && mesh->columns <= COLUMNS_MAX && mesh->rows >= 1);
    assert(run->width >= 1 && run->width <= TMU_SIZE_MAX && run->height >= 1);
    walk->kernels = kernels;
    walk->mesh = mesh;
    walk->ramps = kernels->ramps[run->address];
    walk->sampler =
        (struct tmu_sampler){texture->pixels, (uint32_t)texture->stride, (uint32_t)texture->width,
                             (uint32_t)texture->height, tmu_keep_of(run->decay)};
    walk->x = axis_of(run->address, texture->width);
    walk->y = axis_of(run->address, texture->height);
    walk->across = divide(mesh->columns, run->width);
    walk->down = divide(mesh->rows, run->height);
    for (int c = 0; c <= mesh->columns; c++) {
        const int first = first_pixel(&walk->across, c);
        walk->columns[c] = (struct column){first, into_cell(&walk->across, c, first)};
    }
}

/* ---- ramps ---- */

/* Coordinates of one axis at the corners of a cell, and how they change down its edges. */
struct cell {
    double left;
    double right;
    double left_down;
    double right_down;
};

static struct cell cell_between(float top_left, float top_right, float bottom_left,
                                float bottom_right, const struct axis *axis)
{
    const double left = (double)top_left * axis->scale - axis->half;
    const double right = (double)top_right * axis->scale - axis->half;
    return (struct cell){left, right, (double)bottom_left * axis->scale - axis->half - left,
                         (double)bottom_right * axis->scale - axis->half - right};
}

static bool is_far(const struct cell *cell, const struct axis *axis)
{
    return fabs(cell->left) > axis->near || fabs(cell->right) > axis->near ||
           fabs(cell->left + cell->left_down) > axis->near ||
           fabs(cell->right + cell->right_down) > axis->near;
}

static uint64_t fixed(double value, unsigned shift)
{
    return (uint64_t)(int64_t)value << shift;
}

/* One axis of a ramp whose pixels lie `into` down the cell: vertically along the cell's edges, then
 * horizontally. */
static void set_ramp(const struct walk *walk, const struct cell *cell, double into,
                     double into_column, unsigned shift, uint64_t *at, uint64_t *per_row)
{
    const double left = cell->left + cell->left_down * into;
    const double width = cell->right + cell->right_down * into - left;
    const double left_down = cell->left_down * walk->down.per_pixel;
    const double width_down = (cell->right_down - cell->left_down) * walk->down.per_pixel;
    at[0] = fixed(left + width * into_column, shift);
    at[1] = fixed(width * walk->across.per_pixel, shift);
    per_row[0] = fixed(left_down + width_down * into_column, shift);
    per_row[1] = fixed(width_down * walk->across.per_pixel, shift);
}

struct corners {
    const struct tmu_vertex *top; /* left, right */
    const struct tmu_vertex *bottom;
};

static struct corners corners_of(const struct tmu_mesh *mesh, int row, int column)
{
    const size_t pitch = (size_t)mesh->columns + 1;
    const struct tmu_vertex *top = mesh->vertices + (size_t)(mesh->rows - row) * pitch + column;
    return (struct corners){top, top - pitch};
}

static struct cell cell_x(const struct walk *walk, int row, int column)
{
    const struct corners c = corners_of(walk->mesh, row, column);
    return cell_between(c.top[0].u, c.top[1].u, c.bottom[0].u, c.bottom[1].u, &walk->x);
}

static struct cell cell_y(const struct walk *walk, int row, int column)
{
    const struct corners c = corners_of(walk->mesh, row, column);
    return cell_between(c.top[0].v, c.top[1].v, c.bottom[0].v, c.bottom[1].v, &walk->y);
}

/* Returns false for a far cell; it keeps a harmless ramp, as does one without pixels. */
static bool set_cell(const struct walk *walk, int row, int column, double into,
                     struct tmu_ramp *ramp)
{
    const struct column *pixels = &walk->columns[column];
    const struct cell x = cell_x(walk, row, column);
    const struct cell y = cell_y(walk, row, column);
    *ramp = (struct tmu_ramp){.first = (uint32_t)pixels[0].first,
                              .count = (uint32_t)(pixels[1].first - pixels[0].first)};
    if (ramp->count == 0) {
        return true;
    }
    if (is_far(&x, &walk->x) || is_far(&y, &walk->y)) {
        return false;
    }
    set_ramp(walk, &x, into, pixels->into, walk->x.shift, ramp->at + TMU_X, ramp->per_row + TMU_X);
    set_ramp(walk, &y, into, pixels->into, walk->y.shift, ramp->at + TMU_Y, ramp->per_row + TMU_Y);
    return true;
}

/* The cells that pixel row y crosses. Ramps always begin at the cells' first row of pixels, so that
 * the picture does not depend on where a band begins. */
static void enter_cells(const struct walk *walk, int y, struct cells *cells)
{
    const int row = cell_of(&walk->down, y);
    const int first = first_pixel(&walk->down, row);
    const double into = into_cell(&walk->down, row, first);
    cells->any_far = false;
    cells->end = first_pixel(&walk->down, row + 1);
    for (int c = 0; c < walk->mesh->columns; c++) {
        struct tmu_ramp *ramp = &cells->ramps[c];
        cells->far[c] = !set_cell(walk, row, c, into, ramp);
        cells->any_far |= cells->far[c];
        for (size_t k = 0; k < TMU_RAMP_VALUES; k++) {
            ramp->at[k] += ramp->per_row[k] * (uint64_t)(y - first);
        }
    }
}

/* ---- far cells: each pixel by itself ---- */

static void place_far(const struct walk *walk, const struct cell *cell, double into, int column,
                      const struct axis *axis, uint32_t *positions)
{
    const double left = cell->left + cell->left_down * into;
    const double width = cell->right + cell->right_down * into - left;
    for (int i = walk->columns[column].first; i < walk->columns[column + 1].first; i++) {
        const double texel = (left + width * into_cell(&walk->across, column, i)) / one;
        positions[i] = (uint32_t)(fmin(fmax(texel, 0.0), axis->size - 1) * TMU_TEXEL);
    }
}

/* ---- rows ---- */

static void walk_rows(const struct walk *walk, int first, int count, uint32_t *pixels,
                      size_t stride)
{
    struct cells cells;
    const size_t width = (size_t)walk->across.pixels;
    _Alignas(64) uint32_t x[TMU_SIZE_MAX + PADDING];
    _Alignas(64) uint32_t y[TMU_SIZE_MAX + PADDING];
    for (int row = first; row < first + count; row++) {
        if (row == first || row == cells.end) {
            enter_cells(walk, row, &cells);
        }
        walk->ramps(x, y, cells.ramps, (size_t)walk->mesh->columns, &walk->sampler);
        if (cells.any_far) {
            const int cell_row = cell_of(&walk->down, row);
            const double into = into_cell(&walk->down, cell_row, row);
            for (int c = 0; c < walk->mesh->columns; c++) {
                if (cells.far[c]) {
                    const struct cell across = cell_x(walk, cell_row, c);
                    const struct cell down = cell_y(walk, cell_row, c);
                    place_far(walk, &across, into, c, &walk->x, x);
                    place_far(walk, &down, into, c, &walk->y, y);
                }
            }
        }
        for (size_t i = width; i % PADDING != 0; i++) {
            x[i] = 0;
            y[i] = 0;
        }
        walk->kernels->sample(pixels, x, y, width, &walk->sampler);
        pixels += stride;
    }
}

void tmu_rows(const struct tmu_kernels *kernels, const struct tmu_run *run, int first, int count,
              uint32_t *pixels, size_t stride)
{
    struct walk walk;
    begin_walk(&walk, kernels, run);
    walk_rows(&walk, first, count, pixels, stride);
}

struct job {
    struct walk walk;
    struct tmu_surface *dst;
};

static void warp_row_band(void *user, size_t band)
{
    const struct job *job = user;
    const struct tmu_surface *dst = job->dst;
    const int first = (int)band * BAND_ROWS;
    const int left = dst->height - first;
    walk_rows(&job->walk, first, left < BAND_ROWS ? left : BAND_ROWS,
              dst->pixels + (size_t)first * dst->stride, dst->stride);
}

void tmu_warp(const struct tmu_kernels *kernels, struct base_pool *pool, struct tmu_surface *dst,
              const struct tmu_surface *src, const struct tmu_mesh *mesh, enum tmu_address address,
              unsigned decay)
{
    assert(dst->pixels != src->pixels && decay <= 255);
    const struct tmu_run run = {src, mesh, address, decay, dst->width, dst->height};
    struct job job;
    job.dst = dst;
    begin_walk(&job.walk, kernels, &run);
    const size_t row_bands = ((size_t)dst->height + BAND_ROWS - 1) / BAND_ROWS;
    base_pool_run(pool, warp_row_band, &job, row_bands);
}
