/* Texture machines at several sizes of their caches, which all meet the same runs of the board's
 * texture mapper: the thesis' four meshes, and the frames of a preset. */
#ifndef APP_LAB_MAPPER_MACHINES_H
#define APP_LAB_MAPPER_MACHINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/options/options.h"
#include "base/os/thread.h"
#include "base/text.h"
#include "board/mapper/mapper.h"
#include "renderer/renderer.h"
#include "tmu/models/arch.h"
#include "tmu/models/sim.h"

/* ---- runs of the texture mapper, as the timing models see them ---- */

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

/* The set "copy", enlarged so many times around its upper left corner: 0.1 to 100. */
void app_cache_runs_zoom(struct app_cache_runs *runs, double zoom);

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

/* ---- machines ---- */

enum {
    APP_CACHE_MACHINES_MAX = APP_LIST_MAX,
    APP_CACHE_SIZES_MAX = 32,
    APP_CACHE_OWN_SIZE = 0, /* the one in the machine's file */
};

enum app_cache_state {
    APP_CACHE_RUNS,     /* it is there */
    APP_CACHE_NO_SIZE,  /* the machine cannot have this size */
    APP_CACHE_CONFLICT, /* texels of one pixel would drive each other out */
};

/* One machine at one size. */
struct app_cache_model {
    enum app_cache_state state;
    struct tmu_arch arch;
    struct tmu_sim *sim; /* NULL if it does not run */
};

/* Plain data; zero until it is filled, so that freeing needs no order. */
struct app_cache_bench {
    struct tmu_arch machines[APP_CACHE_MACHINES_MAX];
    size_t machine_count;
    uint32_t sizes[APP_CACHE_SIZES_MAX]; /* bytes, or APP_CACHE_OWN_SIZE; no two are equal */
    size_t size_count;
    size_t asked_count; /* the first ones were asked for, the others are tried where they fit */
    struct app_cache_model *models; /* all sizes of the first machine, then of the second, ... */
};

/* Adds a size that was asked for, which must not follow those of app_cache_sizes_add_usual. False
 * if there are too many. */
bool app_cache_size_add(struct app_cache_bench *bench, uint32_t bytes);

/* Adds what an option --size says: "2K,4096". Returns 0, or -1 with a message. */
int app_cache_sizes_add(struct app_cache_bench *bench, const char *text,
                        const struct base_diag_sink *sink);

/* Adds 2K to 128K, the sizes of the thesis' table, as far as they are not there. */
void app_cache_sizes_add_usual(struct app_cache_bench *bench);

/* "16K", "1000"; the text needs 16 bytes. */
void app_cache_size_text(uint32_t bytes, char *text, size_t size);

/* Adds a machine. name: one that comes with froth, or, if it holds a '/' or a '.', the path of a
 * machine file. With `scan_out` the screen is read from the same memory at the same time; this
 * takes place if the memory has a page model and the file names no other traffic. Returns 0, or -1
 * with a message. */
int app_cache_machine_add(struct app_cache_bench *bench, const char *name, bool scan_out,
                          const struct base_diag_sink *sink);

/* Makes the models. If a machine cannot have a size that was asked for, or texels conflict in it,
 * that is an error which leaves the other models alone. Returns how many such errors there are, or
 * -1 with a message without memory. */
int app_cache_bench_start(struct app_cache_bench *bench, const struct base_diag_sink *sink);
void app_cache_bench_free(struct app_cache_bench *bench);

const struct app_cache_model *app_cache_model_of(const struct app_cache_bench *bench,
                                                 size_t machine, size_t size);

/* Gives the runs to all models. */
void app_cache_bench_feed(struct app_cache_bench *bench, const struct app_cache_runs *runs,
                          struct base_pool *pool);

/* Gives the frames of a preset to all models of so many benches; sound as app_cache_preset_open
 * takes it. Returns 0, or -1 with a message, also where it was stopped. */
int app_cache_feed_preset(struct app_cache_bench *benches, size_t count, const char *path,
                          const char *sound, uint64_t frames, const struct base_diag_sink *sink);

/* Hits of all requests in percent; NaN for a model that does not run. */
double app_cache_hit_percent(const struct app_cache_model *model);

#endif
