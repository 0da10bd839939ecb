/* What is drawn on the warped picture, on the device: a display list makes the canvas of it. */
#ifndef GPU_OVERLAY_H
#define GPU_OVERLAY_H

#include "gpu/blur.h"

struct gpu_overlay_size {
    int width; /* of the picture */
    int height;
    size_t pitch; /* of the warped one */
    size_t words; /* of lists, at most */
};

struct gpu_overlay;

/* Of the pictures the first is the canvas; results: the warped picture. All of them outlive it.
 * NULL without memory or where the device refuses. Any thread. */
struct gpu_overlay *gpu_overlay_create(struct gpu_device *device,
                                       const struct gpu_pictures *pictures,
                                       struct gpu_memory *results,
                                       const struct gpu_overlay_size *size);
void gpu_overlay_free(struct gpu_overlay *overlay); /* NULL is fine */

/* Begins to draw on the canvas as it is; what follows sees it. The warped picture is not there yet.
 * false: the device is lost. */
bool gpu_overlay_change(struct gpu_overlay *overlay, const uint32_t *list, size_t words);

/* Waits until no change reads or writes the canvas. */
void gpu_overlay_settle(struct gpu_overlay *overlay);

/* Begins to draw on the warped picture, and to copy the canvas that this makes to a memory, with
 * the columns and rows that stand behind it again. textured: an item reads the canvas as it was.
 * false: the device is lost. */
bool gpu_overlay_start(struct gpu_overlay *overlay, const struct rend_device_overlay *list,
                       struct gpu_memory *to);

/* Waits until it is there. false: the device is lost. */
bool gpu_overlay_wait(struct gpu_overlay *overlay);

#endif
