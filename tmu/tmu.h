/* The texture mapping unit for the host: a mesh of texture coordinates over a grid of rectangles,
 * interpolated inside each rectangle first vertically, then horizontally, as the TMU does
 * (tmu.md section 3), on 8 bits per channel at any size.
 *
 * Pixels are 32-bit words 0x00RRGGBB. */
#ifndef TMU_TMU_H
#define TMU_TMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"
#include "base/thread.h"

enum { TMU_SIZE_MAX = 8192 }; /* width and height of a surface */

/* A picture with two guard columns at the right and two guard rows below, which hold what lies
 * beyond the edge, so that a bilinear fetch needs no test. stride counts pixels and is at least
 * width + 8; the memory holds stride * (height + 2) pixels. */
struct tmu_surface {
    uint32_t *pixels; /* row 0 is the top */
    int width;
    int height;
    size_t stride;
};

/* Allocates a black surface; pixels is NULL without memory. Sizes 1..TMU_SIZE_MAX. */
struct tmu_surface tmu_surface_create(int width, int height);
void tmu_surface_free(struct tmu_surface *surface);

enum tmu_address { TMU_WRAP, TMU_CLAMP, TMU_MIRROR };

/* Fills the guard columns and rows for an address mode. Needed before sampling whenever pixels
 * changed. */
void tmu_surface_guard(struct tmu_surface *surface, enum tmu_address address);

/* Where a vertex reads the texture: u 0..1 from left to right, v 0..1 from top to bottom, values
 * from -1e4 to 1e4 are allowed. */
struct tmu_vertex {
    float u;
    float v;
};

/* (columns + 1) * (rows + 1) vertices, row 0 at the BOTTOM of the picture, each row from left to
 * right (milk-rendering.md section 1). They divide the destination evenly. */
struct tmu_mesh {
    const struct tmu_vertex *vertices;
    int columns;
    int rows;
};

/* Pixel kernels of one CPU level; all levels give the same bits as BASE_CPU_PLAIN. */
struct tmu_kernels;
const struct tmu_kernels *tmu_kernels_for(enum base_cpu_level level);

/* Draws every pixel of dst: texel = round(bilinear(src)), pixel = round(texel * decay / 255).
 * decay 0..255. dst and src differ; src must
 * have its guard filled for `address`. Bands of rows run on the pool; the result does not depend on
 * it. */
void tmu_warp(const struct tmu_kernels *kernels, struct base_pool *pool, struct tmu_surface *dst,
              const struct tmu_surface *src, const struct tmu_mesh *mesh, enum tmu_address address,
              unsigned decay);

#endif
