/* Runs of the board's texture mapper, as the timing models see them: the thesis' four meshes, and
 * the frames of a preset. */
#ifndef APP_LAB_MAPPER_RUNS_H
#define APP_LAB_MAPPER_RUNS_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/os/thread.h"
#include "board/mapper/mapper.h"
#include "renderer/renderer.h"
#include "tmu/models/arch.h"

enum {
    APP_CACHE_RUNS_MAX = 3,
    APP_CACHE_CELLS = 32, /* of the mesh, in each direction */
    APP_CACHE_CANVAS = 512,
    APP_CACHE_SCREEN_WIDTH = 640,
    APP_CACHE_SCREEN_HEIGHT = 480,
    APP_CACHE_FPS = 30, /* of the thesis */
    APP_CACHE_VERTICES = BOARD_MAPPER_PITCH * APP_CACHE_CELLS + APP_CACHE_CELLS + 1,
};

struct app_cache_run {
    struct board_mapper_registers registers;
    struct board_mapper_vertex vertices[APP_CACHE_VERTICES];
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

/* A preset as the board would play it: canvas of 512 x 512, 32 x 32 squares, 30 frames per second.
 * What is kept of each frame are the runs of the texture mapper. */

struct app_cache_preset;

/* sound: as app_audio_open takes it. The pool must outlive the preset; sound and path are kept by
 * reference. NULL with a message if the preset or the sound cannot be read. */
struct app_cache_preset *app_cache_preset_open(const char *path, const char *sound,
                                               struct base_pool *pool,
                                               const struct base_diag_sink *sink);
void app_cache_preset_close(struct app_cache_preset *preset); /* NULL is fine */

/* Draws the next frame. Behind the end of the sound there is silence. */
void app_cache_preset_next(struct app_cache_preset *preset, struct app_cache_runs *runs);

/* What a texture machine shows of a set: its filter, its levels of detail, a test picture. */

/* Draws the run of a set (512x512, wrapped) and writes NAME.png. Returns 0, or -1 with a message.
 * The process must ignore SIGPIPE. */
int app_cache_picture(const struct tmu_arch *arch, const struct app_cache_run *run,
                      const char *path, const struct base_diag_sink *sink);

#endif
