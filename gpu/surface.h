/* What a window shows, from a device's memory. All functions belong to the thread that opened the
 * window. */
#ifndef GPU_SURFACE_H
#define GPU_SURFACE_H

#include "gpu/kernel.h"

/* A window, of whoever knows windows. */
struct gpu_window {
    void *user;
    /* Makes its VkSurfaceKHR for a VkInstance; 0: that cannot be. */
    uint64_t (*make_surface)(void *user, void *instance);
    void (*size)(void *user, int *width, int *height); /* in pixels; 0: it is not to be seen */
};

struct gpu_surface;

enum gpu_surface_answer {
    GPU_SURFACE_READY,
    GPU_SURFACE_BUSY, /* nothing can be shown at the moment */
    GPU_SURFACE_LOST  /* nor ever again */
};

/* vsync: each picture is shown for a refresh of the display at least, and gpu_surface_begin waits
 * for it; else the newest one is shown as soon as can be. The window outlives it. NULL where the
 * device cannot show pictures in this window, or there is no memory. */
struct gpu_surface *gpu_surface_create(struct gpu_device *device, const struct gpu_window *window,
                                       bool vsync);
/* A device that hangs keeps what it has. NULL is fine. */
void gpu_surface_free(struct gpu_surface *surface);

/* Waits until a picture can be shown, and says how large, in pixels below 2^15: at most a tenth of
 * a second, and not at all where it has waited so long in vain, until one could be shown. Where it
 * is ready gpu_surface_show follows, or nothing. */
enum gpu_surface_answer gpu_surface_begin(struct gpu_surface *surface, int *width, int *height);

/* Shows a picture of that size, after all that was started on the device before: words 0xFFRRGGBB,
 * row by row. It is read until the next gpu_surface_show has answered, or another size is asked
 * for. Waits for the copy before this one, at a device of software for its own; after two seconds,
 * or half a minute of one of software, the device counts as hung. */
enum gpu_surface_answer gpu_surface_show(struct gpu_surface *surface,
                                         const struct gpu_memory *picture);

#endif
