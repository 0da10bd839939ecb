/* A window's picture, made on a device: the show's, black beside it, and what lies over it. All
 * functions belong to the thread that shows; another one may create it. */
#ifndef GPU_SCREEN_H
#define GPU_SCREEN_H

#include "gpu/kernel.h"

struct gpu_screen;

/* A part of a window or of a picture, in pixels. */
struct gpu_place {
    int x;
    int y;
    int width;
    int height;
};

/* A picture of 0x00RRGGBB, either the processor's or in memory of the device, from its first word
 * on; with a width and a height below 2^15. */
struct gpu_screen_picture {
    const uint32_t *pixels;   /* NULL: */
    struct gpu_memory *there; /* it is here */
    size_t pitch;             /* from row to row, in pixels */
    int width;
    int height;
};

/* It has no size yet. fetched: what is made comes to the processor as well. NULL without memory or
 * where the device refuses. */
struct gpu_screen *gpu_screen_create(struct gpu_device *device, bool fetched);
void gpu_screen_free(struct gpu_screen *screen); /* NULL is fine */

/* Of the window, in pixels: above 0, below 2^15. false: there is no memory for it, and there is no
 * size now. */
bool gpu_screen_resize(struct gpu_screen *screen, int width, int height);

/* Takes over a part of what lies over the picture, which is as large as `whole` says and scaled to
 * the window; waits until the device has read what was there. Where it gets another size all of it
 * is to be taken over. false: there is no memory for it, or the device is lost. */
bool gpu_screen_lay(struct gpu_screen *screen, const struct gpu_screen_picture *whole,
                    const struct gpu_place *part);

struct gpu_screen_order {
    struct gpu_screen_picture picture;
    struct gpu_place place; /* of the picture in the window, to which it is scaled */
    bool covered;           /* with what was laid over it */
    int step; /* for a small picture, of each so many-th pixel; 0: none is wanted, and the last one
                 is forgotten */
};

/* Begins to make it, after all that was started on the device before. A picture of the processor's
 * is copied before it returns. false: the device is lost, or there is no memory. */
bool gpu_screen_draw(struct gpu_screen *screen, const struct gpu_screen_order *order);

/* Waits until that has ended: the memory of the picture is no longer read. false: the device is
 * lost. */
bool gpu_screen_wait(struct gpu_screen *screen);

/* What was made: rows of as many words as the window has columns, 0xFFRRGGBB. Until the next
 * gpu_screen_resize. */
struct gpu_memory *gpu_screen_made(const struct gpu_screen *screen);

/* The last small picture that has come, without waiting for one that is under way: of every
 * step-th pixel of every step-th row, from step / 2 on. Until the next gpu_screen_draw. NULL: none
 * has. */
const uint32_t *gpu_screen_small(struct gpu_screen *screen, int *width, int *height);

#endif
