/* A transition to a canvas, made on the device. */
#ifndef GPU_CROSS_H
#define GPU_CROSS_H

#include "gpu/kernel.h"
#include "renderer/shader/device.h"

struct gpu_cross_size {
    int width; /* of the picture */
    int height;
    size_t pitch; /* of results, in pixels; a multiple of 64 */
};

struct gpu_cross;

/* Mixes into results, which have `height` rows of `pitch` pixels and outlive it. when: as of
 * rend_device.load_cross; copied. NULL without memory or where the device refuses. Any thread. */
struct gpu_cross *gpu_cross_create(struct gpu_device *device, struct gpu_memory *results,
                                   const struct gpu_cross_size *size, const uint16_t *when);
void gpu_cross_free(struct gpu_cross *cross); /* NULL is fine */

/* Waits until its kernel has ended, puts the numbers of a frame in place, and gives the kernel, and
 * the order to run it with, by which nothing is fetched; NULL: the device is lost. leaving: results
 * of the same size, which outlive the run. The thread that steps. */
struct gpu_kernel *gpu_cross_prepare(struct gpu_cross *cross, struct gpu_memory *leaving,
                                     const struct rend_device_crossing *crossing,
                                     struct gpu_order *order);

#endif
