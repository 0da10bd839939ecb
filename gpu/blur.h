/* Blurred pictures of a canvas, made on the device. */
#ifndef GPU_BLUR_H
#define GPU_BLUR_H

#include "gpu/kernel.h"
#include "renderer/shader/device.h"

/* Where pictures stand, one behind the other, by texels. */
struct gpu_pictures {
    struct gpu_memory *memory;
    const size_t *first;  /* of each its first one, */
    const size_t *texels; /* how many it has */
    const size_t *pitch;  /* and from row to row */
};

struct gpu_blur;

/* The pictures, and what the struct points to, outlive it. NULL without memory or where the device
 * refuses. Any thread. */
struct gpu_blur *gpu_blur_create(struct gpu_device *device, const struct gpu_pictures *pictures,
                                 const struct rend_device_blur *made);
void gpu_blur_free(struct gpu_blur *blur); /* NULL is fine */

/* Begins to blur: what runs later on the device sees it. Until gpu_blur_wait the canvas is read.
 * false: the device is lost. */
bool gpu_blur_start(struct gpu_blur *blur, const struct rend_device_blurring *numbers);
void gpu_blur_wait(struct gpu_blur *blur);

#endif
