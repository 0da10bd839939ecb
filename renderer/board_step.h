/* The pure step of the Milkymist One: (state, input) -> an RGB565 picture of 640x480 pixels.
 *
 *   sound ──> levels ──> per-frame program ──> per-vertex program ──> TMU: warp of 512x512 pixels
 *                             (PFPU)                (PFPU)            motion vectors, borders, wave
 *                                                                     TMU: video, images
 *                                                                     TMU: scaling, echo ──> screen
 *
 * The same C runs on the desktop and, freestanding, on the board's CPU: no floats, no allocation,
 * no library but memcpy and memset; PFPU and TMU stand behind a table of functions. Same patch,
 * sound and inputs give the same bytes on both (spec/milkymist-one.md section 7, spec/pfpu.md,
 * spec/tmu.md). One state belongs to one thread at a time. */
#ifndef RENDERER_BOARD_STEP_H
#define RENDERER_BOARD_STEP_H

#include "renderer/board_program.h"
#include "tmu/chip.h"

enum {
    REND_BOARD_SIDE = 512, /* pixels of the texture */
    REND_BOARD_MESH = 32,  /* squares of the mesh, each way */
    REND_BOARD_WIDTH = 640,
    REND_BOARD_HEIGHT = 480,
    REND_BOARD_RATE = 48000, /* samples per second */
    REND_BOARD_FPS_MIN = 24,
    REND_BOARD_FPS_MAX = 30,
    REND_BOARD_SAMPLES = REND_BOARD_RATE / REND_BOARD_FPS_MIN, /* of a step, at most */
    REND_BOARD_WAVE = 544,                                     /* samples that waves look at */
    REND_BOARD_STAGES = 8,                                     /* vertices in flight, at most */
    REND_BOARD_VERTICES = (REND_BOARD_MESH + 1) * TMU_CHIP_PITCH,
    REND_BOARD_BANDS = 3,
    REND_BOARD_CONTROLS = 12, /* idmx1..8, osc1..4 */
    REND_BOARD_DMX = 8,
    REND_BOARD_IMAGES = 10,
    /* Addresses, in the units' memory. What is behind is free for video and images. */
    REND_BOARD_TEXTURE_BYTES = 2 * REND_BOARD_SIDE * REND_BOARD_SIDE,
    REND_BOARD_SCREEN_AT = 2 * REND_BOARD_TEXTURE_BYTES,
    REND_BOARD_SCREEN_BYTES = 2 * REND_BOARD_WIDTH * REND_BOARD_HEIGHT,
    REND_BOARD_FREE_AT = 2 * REND_BOARD_SCREEN_AT,
};

/* PFPU, TMU and caches: the board's, or their exact models (board_host.h). Registers hold addresses
 * as in the list above; the hardware's driver adds where its memory begins. */
struct rend_board_units {
    void *user;
    uint8_t *memory; /* big-endian pixels, as the CPU sees them; REND_BOARD_FREE_AT bytes at least,
                        32-byte aligned on the board */
    /* Equations in double precision, before run_frame; NULL: patches that need them are refused. */
    void (*run_cpu)(void *user, uint32_t *cells);
    /* Runs patch->frame once. */
    void (*run_frame)(void *user, const struct rend_board_patch *patch, uint32_t *cells);
    /* Runs patch->vertex over the mesh of 33x33: vertex (x, y) to vertices[y * TMU_CHIP_PITCH + x].
     * REND_BOARD_STAGES vertices before the first one may be overwritten, and so may what is no
     * vertex of the mesh. */
    void (*run_vertex)(void *user, const struct rend_board_patch *patch, uint32_t *cells,
                       struct tmu_chip_vertex *vertices);
    /* Draws; the pixels are there when it returns. */
    void (*draw)(void *user, const struct tmu_chip_registers *registers,
                 const struct tmu_chip_vertex *vertices);
    /* Before the CPU touches pixels that the TMU drew, and after: the board's caches. Either may be
     * NULL. */
    void (*begin_pixels)(void *user);
    void (*end_pixels)(void *user);
};

/* Pixels in the units' memory that the TMU can read; width 0: none. */
struct rend_board_picture {
    uint32_t address; /* even */
    uint16_t width;   /* up to 2047 */
    uint16_t height;
};

struct rend_board_input {
    const int16_t *samples;                 /* since the last step: left, right, ... */
    uint32_t sample_count;                  /* pairs, up to REND_BOARD_SAMPLES */
    uint32_t controls[REND_BOARD_CONTROLS]; /* words of idmx1..idmx8, osc1..osc4 */
    /* What MIDI controllers say of parameters: instead of their resets. */
    const struct rend_board_value *settings;
    uint32_t setting_count;
    struct rend_board_picture video;
    struct rend_board_picture images[REND_BOARD_IMAGES]; /* by number */
};

/* A section that changes its layout raises its version. */
enum rend_board_section {
    REND_BOARD_SECTION_CLOCK,
    REND_BOARD_SECTION_SOUND,
    REND_BOARD_SECTION_CANVAS,
    REND_BOARD_SECTION_EQUATIONS,
    REND_BOARD_SECTION_MESH,
    REND_BOARD_SECTIONS
};

struct rend_board_clock {
    uint32_t fps;   /* 24 or 30 */
    uint32_t frame; /* the newest, from 1 */
};

/* Levels with 16 bits of fraction. */
struct rend_board_sound {
    int32_t level[REND_BOARD_BANDS]; /* bass, mid, treb */
    int32_t level_att[REND_BOARD_BANDS];
    int16_t wave[2][REND_BOARD_WAVE]; /* left, right: the newest, oldest first */
};

struct rend_board_canvas {
    uint32_t front;  /* texture that was drawn last: 0 or 1 */
    uint32_t dither; /* what the brightness still owes, 24 bits of fraction */
    uint8_t dmx[REND_BOARD_DMX];
};

struct rend_board {
    unsigned versions[REND_BOARD_SECTIONS];
    const struct rend_board_units *units;
    const struct rend_board_patch *patch; /* NULL: nothing loaded yet */
    struct rend_board_clock clock;
    struct rend_board_sound sound;
    struct rend_board_canvas canvas;
    uint32_t cells[REND_BOARD_CELLS];
    _Alignas(8) struct tmu_chip_vertex before[REND_BOARD_STAGES]; /* for run_vertex */
    struct tmu_chip_vertex mesh[REND_BOARD_VERTICES];
};

/* A black canvas, silence, frame 0. fps: 24 or 30. The units must outlive the state. */
void rend_board_init(struct rend_board *board, const struct rend_board_units *units, uint32_t fps);

/* Starts the patch: variables fresh; canvas, sound and clock go on. The patch must outlive its use.
 * False, and nothing happens, if it needs run_cpu and the units have none. */
bool rend_board_load(struct rend_board *board, const struct rend_board_patch *patch);

/* Draws the next frame into the memory at REND_BOARD_SCREEN_AT. Without a patch nothing happens. */
void rend_board_step(struct rend_board *board, const struct rend_board_input *input);

/* The parts of a step, for a caller that prepares the next picture while this one is painted. They
 * follow each other: rend_board_hear (board_sound.h) takes the samples into `sound`.
 * rend_board_think runs the equations and leaves their results in clock, cells and mesh; a patch
 * must be loaded. rend_board_paint draws the picture from patch, clock, sound, cells and mesh,
 * which may have been copied from another state. */
void rend_board_think(struct rend_board *board, const struct rend_board_input *input);
void rend_board_paint(struct rend_board *board, const struct rend_board_input *input);

#endif
