/* The texture mapping unit for the host: a mesh of texture coordinates over a grid of rectangles,
 * each of them two triangles on both sides of the diagonal from its upper left to its lower right
 * corner, in which coordinates are linear (spec/milk-rendering.md section 3), on 8 bits per channel
 * at any size. (The board's unit knows rectangles only: board/mapper.)
 *
 * Pixels are 32-bit words 0x00RRGGBB. */
#ifndef TMU_TMU_H
#define TMU_TMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"
#include "base/os/thread.h"

enum { TMU_SIZE_MAX = 8192 };   /* width and height of a surface */
enum { TMU_COLUMNS_MAX = 256 }; /* of the mesh of a run */

/* A picture with a guard column at the right and a guard row below, which hold the opposite edge,
 * so that a bilinear fetch needs no test. stride counts pixels and is at least width + 8; the
 * memory holds stride * (height + 1) pixels. */
struct tmu_surface {
    uint32_t *pixels; /* row 0 is the top */
    int width;
    int height;
    size_t stride;
};

/* Allocates a black surface; pixels is NULL without memory. Sizes 1..TMU_SIZE_MAX. All of its
 * memory has been written, so that drawing does not wait for pages. */
struct tmu_surface tmu_surface_create(int width, int height);
void tmu_surface_free(struct tmu_surface *surface);

/* Where texels beyond the edge come from. */
enum tmu_address {
    TMU_WRAP,   /* from the opposite edge */
    TMU_CLAMP,  /* the edge itself */
    TMU_MIRROR, /* back from the edge */
    TMU_ADDRESSES
};

/* Fills the guard with the opposite edges. Needed before sampling whenever pixels changed. */
void tmu_surface_guard(struct tmu_surface *surface);

/* Where a vertex reads the texture: u 0..1 from left to right, v 0..1 from top to bottom, values
 * from -1e4 to 1e4 are allowed. */
struct tmu_vertex {
    float u;
    float v;
};

/* (columns + 1) * (rows + 1) vertices, row 0 at the BOTTOM of the picture, each row from left to
 * right (spec/milk-rendering.md section 1). They divide the destination evenly. */
struct tmu_mesh {
    const struct tmu_vertex *vertices;
    int columns;
    int rows;
};

/* Pixel kernels of one CPU level; all levels give the same bits as BASE_CPU_PLAIN. */
struct tmu_kernels;
const struct tmu_kernels *tmu_kernels_for(enum base_cpu_level level);

/* What a run of the TMU draws: a picture of any size. */
struct tmu_run {
    const struct tmu_surface *texture; /* guarded */
    const struct tmu_mesh *mesh;       /* at most TMU_COLUMNS_MAX columns */
    enum tmu_address address;
    unsigned decay; /* 0..255; colours come out times decay / 255 */
    int width;      /* 1..TMU_SIZE_MAX */
    int height;
};

/* Draws rows first..first + count - 1 of the run's picture: each pixel is a bilinear sample rounded
 * to 8 bits, then times decay rounded once more (tmu/kernels.h has the exact formula). stride
 * counts pixels; each row may be written up to 7 pixels beyond its width. How rows are divided
 * among calls does not change them. */
void tmu_rows(const struct tmu_kernels *kernels, const struct tmu_run *run, int first, int count,
              uint32_t *pixels, size_t stride);

/* A run whose mesh is one cell, upright though it may be turned over: all pixels of a column read
 * the same column of the texture, and all of a row the same row, of which most serve two rows of
 * pixels. Gives the pixels of tmu_rows. */
struct tmu_upright {
    const struct tmu_kernels *kernels;
    struct tmu_run run;
    uint32_t x[TMU_SIZE_MAX + 8]; /* positions of columns, as kernels have them */
};

/* What one thread has of the last two rows of a block of columns. */
enum { TMU_UPRIGHT_BLOCK = 1024 };
struct tmu_upright_sums {
    int row[2]; /* of the texture; -1: none */
    int16_t of[2][4 * TMU_UPRIGHT_BLOCK];
};

void tmu_upright_begin(struct tmu_upright *upright, const struct tmu_kernels *kernels,
                       const struct tmu_run *run);

/* Positions of rows first..first + count - 1. */
void tmu_upright_rows(const struct tmu_upright *upright, int first, int count, uint32_t *y);

/* Draws count (1..TMU_UPRIGHT_BLOCK) pixels of a row at that position, from `column` on, a multiple
 * of 8; as many as up to the next multiple of 8 may be written. The sums hold no rows (-1) or those
 * of the same block. */
void tmu_upright_block(const struct tmu_upright *upright, struct tmu_upright_sums *sums, int column,
                       size_t count, uint32_t y, uint32_t *pixels);

/* Draws all of dst, which is not src, in bands of rows on the pool; beside is
 * base_pool_run_beside's. */
void tmu_warp(const struct tmu_kernels *kernels, struct base_pool *pool, struct tmu_surface *dst,
              const struct tmu_surface *src, const struct tmu_mesh *mesh, enum tmu_address address,
              unsigned decay, const struct base_beside *beside);

#endif
