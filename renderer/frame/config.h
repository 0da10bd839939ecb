/* How a rend is set up: sizes, sound, threads, and who watches it. */
#ifndef RENDERER_FRAME_CONFIG_H
#define RENDERER_FRAME_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cpu.h"

struct base_pool;
struct rend_device;

enum {
    REND_SIZE_MIN = 16,
    REND_SIZE_MAX = 8192,
    REND_MESH_MAX_X = 192,
    REND_MESH_MAX_Y = 144,
    REND_AUDIO_RATE = 44100, /* samples per second of the audio input */
};

/* What measures the loudness of bass, mid and treb. */
enum rend_levels {
    REND_LEVELS_FFT,   /* the Fourier transform, as MilkDrop does */
    REND_LEVELS_FIR,   /* filters in the time domain with the same bands; see sound/analysis.h */
    REND_LEVELS_BOARD, /* filters with the bands of the Milkymist One */
};

enum rend_stage {
#define REND_STAGE(name, ...) REND_STAGE_##name,
#include "renderer/frame/stages.def"
    REND_STAGES,
    REND_STAGE_NONE = REND_STAGES
};

/* Watching the stages of a frame from outside: the renderer has no clock itself, but tells a caller
 * that has one when each stage begins and ends. Called on the thread of rend_step, when all work on
 * what was before is done; a stage within another begins and ends within it. A frame without a
 * patch has the analysis only. */
struct rend_observer {
    void *user;
    void (*stage)(void *user, enum rend_stage stage, bool begins);
};

struct rend_config {
    int width; /* REND_SIZE_MIN..REND_SIZE_MAX */
    int height;
    int mesh_x; /* cells; 2..REND_MESH_MAX_X; 48 x 36 is MilkDrop's default */
    int mesh_y;
    double fps; /* > 0: what init programs see before the first step; later rend_input's counts */
    uint64_t seed;
    enum rend_levels levels;
    enum base_cpu_level cpu;
    struct base_pool *pool;               /* may be NULL; must outlive the rend */
    const struct rend_observer *observer; /* NULL: nobody watches; must outlive the rend */
    const struct rend_device *device;     /* NULL: none; must outlive the rend */
    int64_t cost; /* that drawing a frame may have (rend_frame_cost); 0: by its pixels */
};

/* What drawing a frame may cost: shader stages and, where the caller limits it, shapes and lines
 * together with them. A unit is about a nanosecond of one thread with AVX2, but it is counted, so
 * that the same is left out on every machine. Without a limit of the caller's the shader stages may
 * cost several times what those of the most costly preset that is known do. */
static inline int64_t rend_frame_cost(const struct rend_config *config)
{
    enum { BASE = 500 * 1000 * 1000, PIXEL = 2000 };
    return config->cost > 0 ? config->cost : BASE + (int64_t)config->width * config->height * PIXEL;
}

#endif
