/* The fixed composite stage of a canvas, made on the device. */
#ifndef GPU_MIX_H
#define GPU_MIX_H

#include "gpu/blur.h"
#include "gpu/kernel.h"
#include "renderer/shader/device.h"

struct gpu_mix_size {
    int width; /* of the canvas */
    int height;
    size_t pitch; /* of results, in pixels */
};

struct gpu_mix;

/* Reads REND_SOURCE_MAIN. Results have room for `height` rows of `pitch` pixels, of which `width`
 * are written; some of them already here. Pictures, what the struct points to, and results outlive
 * it. NULL without memory or where the device refuses. Any thread. */
struct gpu_mix *gpu_mix_create(struct gpu_device *device, const struct gpu_pictures *pictures,
                               struct gpu_memory *results, const struct gpu_mix_size *size);
void gpu_mix_free(struct gpu_mix *mix); /* NULL is fine */

/* The mix's own. */
struct gpu_kernel *gpu_mix_kernel(struct gpu_mix *mix);

/* Puts the numbers of a frame in place, and gives the order to run the kernel with, by which
 * nothing is fetched. Not while that runs. The thread that steps. */
void gpu_mix_prepare(struct gpu_mix *mix, const struct rend_device_composite *composite,
                     struct gpu_order *order);

#endif
