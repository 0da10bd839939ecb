/* Runs of the board's texture mapper, as the timing models see them: the thesis' four meshes, and
 * the frames of a preset. */
#ifndef APP_CACHE_RUNS_H
#define APP_CACHE_RUNS_H

#include <stddef.h>
#include <stdint.h>

#include "renderer/renderer.h"
#include "tmu/chip.h"

enum {
    APP_CACHE_RUNS_MAX = 3,
    APP_CACHE_CELLS = 32, /* of the mesh, in each direction */
    APP_CACHE_CANVAS = 512,
    APP_CACHE_SCREEN_WIDTH = 640,
    APP_CACHE_SCREEN_HEIGHT = 480,
    APP_CACHE_FPS = 30, /* of the thesis */
    APP_CACHE_VERTICES = TMU_CHIP_PITCH * APP_CACHE_CELLS + APP_CACHE_CELLS + 1,
};

struct app_cache_run {
    struct tmu_chip_registers registers;
    struct tmu_chip_vertex vertices[APP_CACHE_VERTICES];
};

/* What follows one another without a pause. Large: for the heap. */
struct app_cache_runs {
    size_t count;
    struct app_cache_run runs[APP_CACHE_RUNS_MAX];
};

/* The one run of a set of the thesis (spec/tmu.md section 6): "copy", "zoomin", "zoomout",
 * "rotozoom". */
void app_cache_runs_set(struct app_cache_runs *runs, const char *set);

/* The runs of a frame as the board's firmware makes them (spec/milkymist-one.md section 7): the
 * warp, the scaling to the screen, and the echo if there is one. The mesh has APP_CACHE_CELLS
 * columns and rows. Frames take turns with the buffers in memory. */
void app_cache_runs_frame(struct app_cache_runs *runs, const struct rend_mapping *mapping,
                          uint64_t frame);

#endif
