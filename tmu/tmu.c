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

enum { COLUMNS_MAX = 256, PADDING = 8 };
enum { COORDINATE_BITS = 40, NEAR_TEXELS = 30000 };
enum { FLAT_PARTS = 512 }; /* of a texel: triangles that are no further apart are one */

/* Coordinates count this for a texel when clamping, for a turn when wrapping. */
static const double one = (double)(1LL << COORDINATE_BITS);

/* A pixel of tmu_diagonal. */
static const double diagonal_pixel = (double)(1LL << 32);

/* One axis of the texture: a vertex at u has the coordinate u * scale - half. */
struct axis {
    double scale;
    double half; /* half a texel: from its corner to its centre */
    double near; /* clamped coordinates of this size and below fit into ramps */
    int size;
};

enum { AXES = 2 };

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
    struct axis axes[AXES]; /* x, y */
    unsigned shift;         /* from coordinates to what ramps hold */
    struct division across;
    struct division down;
    struct column columns[COLUMNS_MAX + 1];
};

/* A part of all rows of pixels, and the columns of the mesh that it crosses. */
struct part {
    int first_pixel; /* a multiple of 16, as kernels like their memory */
    int end_pixel;   /* likewise, or the width */
    int first_column;
    int end_column;
};

/* What is known of the cells of one row of the mesh, as far as the part crosses them. */
struct cells {
    struct part part;
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
        return (struct axis){one * size, one / 2, one * NEAR_TEXELS, size};
    }
    const int turns = address == TMU_MIRROR ? 2 : 1; /* until the picture comes again */
    return (struct axis){one / turns, one / 2 / (turns * size), INFINITY, size};
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
    walk->axes[0] = axis_of(run->address, texture->width);
    walk->axes[1] = axis_of(run->address, texture->height);
    walk->shift = 64 - COORDINATE_BITS - (run->address == TMU_CLAMP ? TMU_POSITION_BITS : 0);
    walk->across = divide(mesh->columns, run->width);
    walk->down = divide(mesh->rows, run->height);
    for (int c = 0; c <= mesh->columns; c++) {
        const int first = first_pixel(&walk->across, c);
        walk->columns[c] = (struct column){first, into_cell(&walk->across, c, first)};
    }
}

/* ---- ramps ---- */

/* Coordinates at the upper and the lower end of a cell's edge. */
struct edge {
    double top[AXES];
    double bottom[AXES];
};

static struct edge edge_at(const struct walk *walk, int row, int column)
{
    const struct tmu_mesh *mesh = walk->mesh;
    const size_t pitch = (size_t)mesh->columns + 1;
    const struct tmu_vertex *top = mesh->vertices + (size_t)(mesh->rows - row) * pitch + column;
    const struct tmu_vertex *bottom = top - pitch;
    const struct axis *x = &walk->axes[0];
    const struct axis *y = &walk->axes[1];
    return (struct edge){
        {(double)top->u * x->scale - x->half, (double)top->v * y->scale - y->half},
        {(double)bottom->u * x->scale - x->half, (double)bottom->v * y->scale - y->half}};
}

static bool is_far(const struct walk *walk, const struct edge *edge)
{
    bool far = false;
    for (int i = 0; i < AXES; i++) {
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
static void set_value(const struct walk *walk, const struct plane *plane, double into,
                      double into_column, int k, struct tmu_ramp *ramp)
{
    ramp->at[k] =
        fixed(plane->corner + plane->down * into + plane->across * into_column, walk->shift);
    ramp->per_row[k] = fixed(plane->down * walk->down.per_pixel, walk->shift);
    ramp->step[k] = (uint32_t)(fixed(plane->across * walk->across.per_pixel, walk->shift) >> 32);
}

static void set_ramp(const struct walk *walk, const struct edge *left, const struct edge *right,
                     double into, double into_column, struct tmu_ramp *ramp)
{
    bool flat = true;
    for (int i = 0; i < AXES; i++) {
        const struct plane a = left_plane(left, right, i);
        const struct plane b = right_plane(left, right, i);
        flat &= fabs(a.across - b.across) * FLAT_PARTS <= 2 * walk->axes[i].half;
        set_value(walk, &a, into, into_column, TMU_LEFT_X + i, ramp);
        set_value(walk, &b, into, into_column, TMU_RIGHT_X + i, ramp);
    }
    ramp->flat = flat ? ramp->end : 0;
}

/* The cells that pixel row y crosses. Ramps always begin at the cells' first row of pixels, so that
 * the picture does not depend on where a band begins. Far cells keep harmless ramps, as do those
 * without pixels. */
static void enter_cells(const struct walk *walk, int y, struct cells *cells)
{
    const struct part *part = &cells->part;
    const int row = cell_of(&walk->down, y);
    const int first = first_pixel(&walk->down, row);
    const double into = into_cell(&walk->down, row, first);
    /* The one that ends a cell begins the next. */
    struct edge edges[2];
    bool is_far_there[2];
    edges[part->first_column & 1] = edge_at(walk, row, part->first_column);
    is_far_there[part->first_column & 1] = is_far(walk, &edges[part->first_column & 1]);
    cells->any_far = false;
    cells->end = first_pixel(&walk->down, row + 1);
    for (int c = part->first_column; c < part->end_column; c++) {
        const struct column *pixels = &walk->columns[c];
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

/* From a column of the mesh on. */
static struct tmu_diagonal diagonal_of(const struct walk *walk, int y, int column)
{
    const double pitch = (double)walk->across.pixels / walk->across.cells;
    const double down = into_cell(&walk->down, cell_of(&walk->down, y), y);
    const uint64_t per_cell = (uint64_t)(pitch * diagonal_pixel);
    return (struct tmu_diagonal){
        (uint64_t)((down * pitch + 0.5) * diagonal_pixel) + per_cell * (uint64_t)column, per_cell};
}

/* ---- far cells: each pixel by itself ---- */

static void place_far(const struct walk *walk, int row, int column, double into, int axis,
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

/* ---- rows ---- */

/* Where the pixels of a row read the texture, and behind them up to a multiple of PADDING. Rows
 * come one after the other; cells are entered with the first. */
static void place_row(const struct walk *walk, int row, bool first, struct cells *cells,
                      uint32_t *x, uint32_t *y)
{
    const struct part *part = &cells->part;
    if (first || row == cells->end) {
        enter_cells(walk, row, cells);
    }
    walk->ramps(x, y, cells->ramps + part->first_column,
                (size_t)(part->end_column - part->first_column),
                diagonal_of(walk, row, part->first_column), &walk->sampler);
    if (cells->any_far) {
        const int cell_row = cell_of(&walk->down, row);
        const double into = into_cell(&walk->down, cell_row, row);
        for (int c = part->first_column; c < part->end_column; c++) {
            if (cells->far[c]) {
                place_far(walk, cell_row, c, into, 0, x);
                place_far(walk, cell_row, c, into, 1, y);
            }
        }
    }
    for (size_t i = (size_t)walk->across.pixels; i % PADDING != 0; i++) {
        x[i] = 0;
        y[i] = 0;
    }
}

/* pixels: of the first row, from its first column on. */
static void walk_rows(const struct walk *walk, const struct part *part, int first, int count,
                      uint32_t *pixels, size_t stride)
{
    struct cells cells;
    _Alignas(64) uint32_t x[TMU_SIZE_MAX + PADDING];
    _Alignas(64) uint32_t y[TMU_SIZE_MAX + PADDING];
    const int from = part->first_pixel;
    cells.part = *part;
    for (int row = first; row < first + count; row++) {
        place_row(walk, row, row == first, &cells, x, y);
        walk->kernels->sample(pixels + from, x + from, y + from, (size_t)(part->end_pixel - from),
                              &walk->sampler);
        pixels += stride;
    }
}

static struct part whole_row(const struct walk *walk)
{
    return (struct part){0, walk->across.pixels, 0, walk->across.cells};
}

void tmu_rows(const struct tmu_kernels *kernels, const struct tmu_run *run, int first, int count,
              uint32_t *pixels, size_t stride)
{
    struct walk walk;
    begin_walk(&walk, kernels, run);
    const struct part part = whole_row(&walk);
    walk_rows(&walk, &part, first, count, pixels, stride);
}

/* ---- upright runs ---- */

void tmu_upright_begin(struct tmu_upright *upright, const struct tmu_kernels *kernels,
                       const struct tmu_run *run)
{
    assert(run->mesh->columns == 1 && run->mesh->rows == 1);
    struct walk walk;
    struct cells cells;
    _Alignas(64) uint32_t y[TMU_SIZE_MAX + PADDING];
    upright->kernels = kernels;
    upright->run = *run;
    begin_walk(&walk, kernels, run);
    cells.part = whole_row(&walk);
    place_row(&walk, 0, true, &cells, upright->x, y);
}

/* As the leftmost column of the run has them, which a picture of one column does. */
void tmu_upright_rows(const struct tmu_upright *upright, int first, int count, uint32_t *y)
{
    struct walk walk;
    struct cells cells;
    uint32_t x_of_row[PADDING];
    uint32_t y_of_row[PADDING];
    struct tmu_run narrow = upright->run;
    narrow.width = 1;
    begin_walk(&walk, upright->kernels, &narrow);
    cells.part = whole_row(&walk);
    for (int row = first; row < first + count; row++) {
        place_row(&walk, row, row == first, &cells, x_of_row, y_of_row);
        y[row - first] = y_of_row[0];
    }
}

void tmu_upright_block(const struct tmu_upright *upright, struct tmu_upright_sums *sums, int column,
                       size_t count, uint32_t y, uint32_t *pixels)
{
    assert(count <= TMU_UPRIGHT_BLOCK && column % PADDING == 0);
    const struct tmu_surface *texture = upright->run.texture;
    const int row = (int)(y >> TMU_POSITION_BITS);
    for (int i = row; i <= row + 1; i++) {
        if (sums->row[i & 1] != i) {
            upright->kernels->across(sums->of[i & 1], texture->pixels + (size_t)i * texture->stride,
                                     upright->x + column, count);
            sums->row[i & 1] = i;
        }
    }
    upright->kernels->down(pixels, sums->of[row & 1], sums->of[~row & 1], y, count,
                           tmu_keep_of(upright->run.decay));
}

/* Jobs of several threads: rows where cells are low; pixels; and pixels of a row, at least, since
 * places that were only just stored come late. */
enum { ROWS_LEAST = 6, JOB_PIXELS = 7 * 1024, PART_LEAST = 480, PART_BLOCK = 16 };

/* A run in jobs: to enter cells is dear, so they are divided across before they are divided down.
 */
struct job {
    struct walk walk;
    struct tmu_surface *dst;
    int per_band;  /* rows of cells, or 1 */
    int bands_per; /* row of cells, or 1 */
    int parts;     /* of a row */
};

static int first_of_band(const struct job *job, int band)
{
    const struct division *down = &job->walk.down;
    const int row = band / job->bands_per * job->per_band;
    const int first = first_pixel(down, row < down->cells ? row : down->cells);
    const int end = first_pixel(down, row < down->cells ? row + 1 : down->cells);
    return first + (end - first) * (band % job->bands_per) / job->bands_per;
}

static struct part part_of(const struct job *job, int number)
{
    const struct division *across = &job->walk.across;
    const int blocks = across->pixels / PART_BLOCK;
    const int first = blocks * number / job->parts * PART_BLOCK;
    const int end =
        number + 1 < job->parts ? blocks * (number + 1) / job->parts * PART_BLOCK : across->pixels;
    return (struct part){first, end, cell_of(across, first), cell_of(across, end - 1) + 1};
}

static void warp_job(void *user, size_t number)
{
    const struct job *job = user;
    const struct tmu_surface *dst = job->dst;
    const int band = (int)number / job->parts;
    const int first = first_of_band(job, band);
    const int end = first_of_band(job, band + 1);
    if (first < end) {
        const struct part part =
            job->parts > 1 ? part_of(job, (int)number % job->parts) : whole_row(&job->walk);
        walk_rows(&job->walk, &part, first, end - first, dst->pixels + (size_t)first * dst->stride,
                  dst->stride);
    }
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

void tmu_warp(const struct tmu_kernels *kernels, struct base_pool *pool, struct tmu_surface *dst,
              const struct tmu_surface *src, const struct tmu_mesh *mesh, enum tmu_address address,
              unsigned decay, const struct base_beside *beside)
{
    assert(dst->pixels != src->pixels && decay <= 255);
    const struct tmu_run run = {src, mesh, address, decay, dst->width, dst->height};
    struct job job = {.dst = dst, .per_band = 1, .bands_per = 1, .parts = 1};
    begin_walk(&job.walk, kernels, &run);
    if (base_pool_threads(pool) > 1) {
        const int rows = (dst->height + mesh->rows - 1) / mesh->rows;
        job.per_band = rows < ROWS_LEAST ? ROWS_LEAST / rows : 1;
        const int wanted = larger(rows * job.per_band * dst->width / JOB_PIXELS, 1);
        const int most = larger(dst->width / PART_LEAST, 1);
        job.parts = wanted < most ? wanted : most;
        job.bands_per = larger(wanted / job.parts, 1);
    }
    const int groups = (mesh->rows + job.per_band - 1) / job.per_band;
    base_pool_run_beside(pool, beside, warp_job, &job,
                         (size_t)groups * (size_t)job.bands_per * (size_t)job.parts);
}
