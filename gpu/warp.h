/* The warp along a mesh, made on the device: the pixels of tmu_warp (tmu/tmu.h). */
#ifndef GPU_WARP_H
#define GPU_WARP_H

#include "gpu/blur.h"
#include "gpu/kernel.h"
#include "tmu/tmu.h"

struct gpu_warp_size {
    int width; /* of the picture, which the texture has too: 1..TMU_SIZE_MAX */
    int height;
    size_t pitch; /* of results, in pixels: at least the width */
    int mesh_x;   /* cells of the mesh: 1..TMU_COLUMNS_MAX, */
    int mesh_y;   /* at least 1 */
};

struct gpu_warp;

/* The texture is REND_SOURCE_MAIN of the pictures, without a guard, since none is read. The
 * device, the pictures' memory and the results, at least pitch * height words, outlive it. Runs
 * once, so that the driver's code is made now: the first pixels of the results have no meaning
 * then. NULL without memory or where the device refuses. Any thread. */
struct gpu_warp *gpu_warp_create(struct gpu_device *device, const struct gpu_pictures *pictures,
                                 struct gpu_memory *results, const struct gpu_warp_size *size);
void gpu_warp_free(struct gpu_warp *warp); /* NULL is fine */

/* Waits for what ran before. false: the device is lost. */
bool gpu_warp_wait(struct gpu_warp *warp);

/* Puts the numbers of a frame in place; what ran before with the kernel has ended. Gives the
 * kernel, which is the warp's, and the order to run it with, of which nothing is fetched and the
 * texture is not sent. address: TMU_WRAP or TMU_CLAMP; decay: 0..255; the mesh has the size that
 * was said. NULL: the mesh reads so far outside a clamped texture, 30000 texels, that only doubles
 * can say where; the processor draws this frame. One thread at a time. */
struct gpu_kernel *gpu_warp_prepare(struct gpu_warp *warp, const struct tmu_mesh *mesh,
                                    enum tmu_address address, unsigned decay,
                                    struct gpu_order *order);

#endif
