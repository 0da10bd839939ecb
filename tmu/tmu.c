#include "tmu/tmu.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tmu/kernels.h"
#include "tmu/walk.h"

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

enum { PADDING = 8 };

/* What a run has throughout. */
struct drawing {
    const struct tmu_kernels *kernels;
    tmu_ramps ramps;
    struct tmu_sampler sampler;
    struct tmu_walk walk;
};

static void begin_drawing(struct drawing *drawing, const struct tmu_kernels *kernels,
                          const struct tmu_run *run)
{
    const struct tmu_surface *texture = run->texture;
    drawing->kernels = kernels;
    drawing->ramps = kernels->ramps[run->address];
    drawing->sampler =
        (struct tmu_sampler){texture->pixels, (uint32_t)texture->stride, (uint32_t)texture->width,
                             (uint32_t)texture->height, tmu_keep_of(run->decay)};
    tmu_walk_begin(&drawing->walk, run);
}

/* ---- rows ---- */

/* Where the pixels of a row read the texture, and behind them up to a multiple of PADDING. Rows
 * come one after the other; cells are entered with the first. */
static void place_row(const struct drawing *drawing, int row, bool first, struct tmu_cells *cells,
                      uint32_t *x, uint32_t *y)
{
    const struct tmu_walk *walk = &drawing->walk;
    const struct tmu_part *part = &cells->part;
    if (first || row == cells->end) {
        tmu_enter_cells(walk, row, cells);
    }
    drawing->ramps(x, y, cells->ramps + part->first_column,
                   (size_t)(part->end_column - part->first_column),
                   tmu_diagonal_of(walk, row, part->first_column), &drawing->sampler);
    if (cells->any_far) {
        tmu_place_far(walk, cells, row, x, y);
    }
    for (size_t i = (size_t)walk->across.pixels; i % PADDING != 0; i++) {
        x[i] = 0;
        y[i] = 0;
    }
}

/* pixels: of the first row, from its first column on. */
static void draw_rows(const struct drawing *drawing, const struct tmu_part *part, int first,
                      int count, uint32_t *pixels, size_t stride)
{
    struct tmu_cells cells;
    _Alignas(64) uint32_t x[TMU_SIZE_MAX + PADDING];
    _Alignas(64) uint32_t y[TMU_SIZE_MAX + PADDING];
    const int from = part->first_pixel;
    cells.part = *part;
    for (int row = first; row < first + count; row++) {
        place_row(drawing, row, row == first, &cells, x, y);
        drawing->kernels->sample(pixels + from, x + from, y + from,
                                 (size_t)(part->end_pixel - from), &drawing->sampler);
        pixels += stride;
    }
}

void tmu_rows(const struct tmu_kernels *kernels, const struct tmu_run *run, int first, int count,
              uint32_t *pixels, size_t stride)
{
    struct drawing drawing;
    begin_drawing(&drawing, kernels, run);
    const struct tmu_part part = tmu_whole_row(&drawing.walk);
    draw_rows(&drawing, &part, first, count, pixels, stride);
}

/* ---- upright runs ---- */

void tmu_upright_begin(struct tmu_upright *upright, const struct tmu_kernels *kernels,
                       const struct tmu_run *run)
{
    assert(run->mesh->columns == 1 && run->mesh->rows == 1);
    struct drawing drawing;
    struct tmu_cells cells;
    _Alignas(64) uint32_t y[TMU_SIZE_MAX + PADDING];
    upright->kernels = kernels;
    upright->run = *run;
    begin_drawing(&drawing, kernels, run);
    cells.part = tmu_whole_row(&drawing.walk);
    place_row(&drawing, 0, true, &cells, upright->x, y);
}

/* As the leftmost column of the run has them, which a picture of one column does. */
void tmu_upright_rows(const struct tmu_upright *upright, int first, int count, uint32_t *y)
{
    struct drawing drawing;
    struct tmu_cells cells;
    uint32_t x_of_row[PADDING];
    uint32_t y_of_row[PADDING];
    struct tmu_run narrow = upright->run;
    narrow.width = 1;
    begin_drawing(&drawing, upright->kernels, &narrow);
    cells.part = tmu_whole_row(&drawing.walk);
    for (int row = first; row < first + count; row++) {
        place_row(&drawing, row, row == first, &cells, x_of_row, y_of_row);
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
    struct drawing drawing;
    struct tmu_surface *dst;
    int per_band;  /* rows of cells, or 1 */
    int bands_per; /* row of cells, or 1 */
    int parts;     /* of a row */
};

static int first_of_band(const struct job *job, int band)
{
    const struct tmu_division *down = &job->drawing.walk.down;
    const int row = band / job->bands_per * job->per_band;
    const int first = tmu_first_pixel(down, row < down->cells ? row : down->cells);
    const int end = tmu_first_pixel(down, row < down->cells ? row + 1 : down->cells);
    return first + (end - first) * (band % job->bands_per) / job->bands_per;
}

static struct tmu_part part_of(const struct job *job, int number)
{
    const struct tmu_division *across = &job->drawing.walk.across;
    const int blocks = across->pixels / PART_BLOCK;
    const int first = blocks * number / job->parts * PART_BLOCK;
    const int end =
        number + 1 < job->parts ? blocks * (number + 1) / job->parts * PART_BLOCK : across->pixels;
    return (struct tmu_part){first, end, tmu_cell_of(across, first),
                             tmu_cell_of(across, end - 1) + 1};
}

static void warp_job(void *user, size_t number)
{
    const struct job *job = user;
    const struct tmu_surface *dst = job->dst;
    const int band = (int)number / job->parts;
    const int first = first_of_band(job, band);
    const int end = first_of_band(job, band + 1);
    if (first < end) {
        const struct tmu_part part = job->parts > 1 ? part_of(job, (int)number % job->parts)
                                                    : tmu_whole_row(&job->drawing.walk);
        draw_rows(&job->drawing, &part, first, end - first,
                  dst->pixels + (size_t)first * dst->stride, dst->stride);
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
    begin_drawing(&job.drawing, kernels, &run);
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
