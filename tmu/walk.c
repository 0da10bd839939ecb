/* The walk over the rectangles of the mesh: which pixels belong to which cell, and where each of
 * them reads the texture. */
#include "tmu/kernels.h"

#include <assert.h>

enum { BAND_ROWS = 16, COLUMNS_MAX = 256 };

/* Where the pixels of a mesh column begin, and how far into the cell the first one's centre lies.
 */
struct column {
    int first;
    double into;
};

struct warp_job {
    const struct tmu_kernels *kernels;
    struct tmu_surface *dst;
    struct tmu_sampler sampler;
    const struct tmu_mesh *mesh;
    enum tmu_address address;
    struct column columns[COLUMNS_MAX + 1];
};

struct turns {
    double u;
    double v;
};

/* Vertex coordinate in turns from the centre of texel 0. */
static double turns_of(float coordinate, uint32_t size)
{
    return ((double)coordinate - 0.5 / size) * TMU_TURN;
}

static struct turns between(const struct tmu_vertex *top, const struct tmu_vertex *bottom, double t,
                            const struct warp_job *job)
{
    const struct tmu_sampler *sampler = &job->sampler;
    const double u0 = turns_of(top->u, sampler->width);
    const double v0 = turns_of(top->v, sampler->height);
    const double u1 = turns_of(bottom->u, sampler->width);
    const double v1 = turns_of(bottom->v, sampler->height);
    return (struct turns){u0 + (u1 - u0) * t, v0 + (v1 - v0) * t};
}

/* Rounded, modulo 2^32: 2^42 makes any coordinate positive and counts as 0. */
static uint32_t low_bits(double value)
{
    return (uint32_t)(uint64_t)(int64_t)(value + 4398046511104.5);
}

/* Clamped coordinates that do not fit the kernels' ramps: each pixel is limited by itself. */
static void ramp_far(int32_t *out, double start, double step, size_t count)
{
    const double limit = 2.0 * TMU_TURN;
    for (size_t i = 0; i < count; i++) {
        const double value = start + (double)i * step;
        out[i] = (int32_t)(value < -limit ? -limit : value > limit ? limit : value);
    }
}

static void ramp(const struct warp_job *job, int32_t *out, double start, double step, size_t count)
{
    const double reach = 7.0 * TMU_TURN;
    const double end = start + step * (double)count;
    const bool near = start > -reach && start < reach && end > -reach && end < reach;
    if (job->address == TMU_CLAMP && !near) {
        ramp_far(out, start, step, count);
    } else {
        job->kernels->ramp(out, low_bits(start), low_bits(step), count);
    }
}

/* Coordinates of all pixels of row y: vertically along the cell edges, then horizontally. */
static void row_coordinates(const struct warp_job *job, int y, int32_t *u, int32_t *v)
{
    const struct tmu_mesh *mesh = job->mesh;
    const int height = job->dst->height;
    const int along = (2 * y + 1) * mesh->rows;
    const int row = along / (2 * height);
    const double into = (double)(along - row * 2 * height) / (2.0 * height);
    const struct tmu_vertex *top =
        mesh->vertices + (size_t)(mesh->rows - row) * ((size_t)mesh->columns + 1);
    const struct tmu_vertex *bottom = top - (mesh->columns + 1);
    const double per_pixel = (double)mesh->columns / job->dst->width;
    struct turns left = between(top, bottom, into, job);
    for (int c = 0; c < mesh->columns; c++) {
        const struct turns right = between(top + c + 1, bottom + c + 1, into, job);
        const struct turns across = {right.u - left.u, right.v - left.v};
        const struct column *column = &job->columns[c];
        const size_t count = (size_t)(column[1].first - column->first);
        ramp(job, u + column->first, left.u + across.u * column->into, across.u * per_pixel, count);
        ramp(job, v + column->first, left.v + across.v * column->into, across.v * per_pixel, count);
        left = right;
    }
}

static void warp_band(void *user, size_t band)
{
    const struct warp_job *job = user;
    int32_t u[TMU_SIZE_MAX + 8];
    int32_t v[TMU_SIZE_MAX + 8];
    const int width = job->dst->width;
    for (int i = 0; i < 8; i++) {
        u[width + i] = 0;
        v[width + i] = 0;
    }
    const tmu_sample_row sample =
        job->address == TMU_WRAP ? job->kernels->wrap : job->kernels->clamp;
    const int first = (int)band * BAND_ROWS;
    for (int y = first; y < first + BAND_ROWS && y < job->dst->height; y++) {
        row_coordinates(job, y, u, v);
        sample(job->dst->pixels + (size_t)y * job->dst->stride, u, v, (size_t)width, &job->sampler);
    }
}

static void divide_columns(struct column *columns, int count, int width)
{
    for (int c = 0; c <= count; c++) {
        /* the first pixel whose centre (2x + 1) / 2 is not left of the cell's edge c * width /
         * count */
        const int first = (2 * width * c - count + 2 * count - 1) / (2 * count);
        columns[c].first = c == 0 ? 0 : first;
        columns[c].into =
            (double)((2 * columns[c].first + 1) * count - 2 * width * c) / (2.0 * width);
    }
    columns[count].first = width;
}

void tmu_warp(const struct tmu_kernels *kernels, struct base_pool *pool, struct tmu_surface *dst,
              const struct tmu_surface *src, const struct tmu_mesh *mesh, enum tmu_address address,
              unsigned decay)
{
    assert(dst->pixels != src->pixels && decay <= 255);
    assert(mesh->columns >= 1 && mesh->columns <= COLUMNS_MAX && mesh->rows >= 1);
    struct warp_job job = {
        .kernels = kernels,
        .dst = dst,
        .sampler = {src->pixels, (uint32_t)src->stride, (uint32_t)src->width, (uint32_t)src->height,
                    decay},
        .mesh = mesh,
        .address = address,
    };
    divide_columns(job.columns, mesh->columns, dst->width);
    const size_t bands = ((size_t)dst->height + BAND_ROWS - 1) / BAND_ROWS;
    base_pool_run(pool, warp_band, &job, bands);
}
