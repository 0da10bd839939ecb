/* The pure step of the Milkymist One: (state, input) -> an RGB565 picture of 640x480 pixels.
 *
 *   sound ──> levels ──> per-frame program ──> per-vertex program ──> TMU: warp of 512x512 pixels
 *                             (PFPU)                (PFPU)            motion vectors, shapes,
 * waves, borders TMU: video, images TMU: scaling, echo ──> screen
 *
 * The same C runs on the desktop and, freestanding, on the board's CPU: no floats, no allocation,
 * no library but memcpy and memset; PFPU and TMU stand behind a table of functions. Same patch,
 * sound and inputs give the same bytes on both (spec/milkymist-one.md section 7, spec/pfpu.md,
 * spec/tmu.md). One state belongs to one thread at a time. */
#ifndef BOARD_STEP_STEP_H
#define BOARD_STEP_STEP_H

#include "board/mapper/mapper.h"
#include "board/step/items.h"
#include "board/step/program.h"

enum {
    BOARD_SIDE = 512, /* pixels of the texture */
    BOARD_MESH = 32,  /* squares of the mesh, each way */
    BOARD_WIDTH = 640,
    BOARD_HEIGHT = 480,
    BOARD_RATE = 48000, /* samples per second */
    BOARD_FPS_MIN = 24,
    BOARD_FPS_MAX = 30,
    BOARD_SAMPLES = BOARD_RATE / BOARD_FPS_MIN, /* of a step, at most */
    BOARD_WAVE = 544,                           /* samples that waves look at */
    BOARD_STAGES = 8,                           /* vertices in flight, at most */
    BOARD_VERTICES = (BOARD_MESH + 1) * BOARD_MAPPER_PITCH,
    BOARD_BANDS = 3,
    BOARD_CONTROLS = 12, /* idmx1..8, osc1..4 */
    BOARD_DMX = 8,
    /* Addresses, in the units' memory. What is behind is free for video and images. */
    BOARD_TEXTURE_BYTES = 2 * BOARD_SIDE * BOARD_SIDE,
    BOARD_SCREEN_AT = 2 * BOARD_TEXTURE_BYTES,
    BOARD_PICTURE_BYTES = 2 * BOARD_WIDTH * BOARD_HEIGHT,
    BOARD_FREE_AT = 2 * BOARD_SCREEN_AT,
};

/* PFPU, TMU and caches: the board's, or their exact models (board/host/host.h). Registers hold
 * addresses as in the list above; the hardware's driver adds where its memory begins. */
struct board_units {
    void *user;
    uint8_t *memory; /* big-endian pixels, as the CPU sees them; BOARD_FREE_AT bytes at least,
                        32-byte aligned on the board */
    /* Equations in double precision, before run_frame; NULL: patches that need them are refused.
     * Returns the cycles of loops, as run_item; these pause after about `most` cycles. *done: false
     * where they have, and the cells are as they were. */
    uint32_t (*run_cpu)(void *user, uint32_t *cells, uint32_t most, bool *done);
    /* Runs patch->frame once. */
    void (*run_frame)(void *user, const struct board_patch *patch, uint32_t *cells);
    /* Runs patch->vertex over the mesh of 33x33: vertex (x, y) to vertices[y * BOARD_MAPPER_PITCH +
     * x]. BOARD_STAGES vertices before the first one may be overwritten, and so may what is no
     * vertex of the mesh. */
    void (*run_vertex)(void *user, const struct board_patch *patch, uint32_t *cells,
                       struct board_mapper_vertex *vertices);
    /* Runs the equations of a custom shape or wave once; cells: its own. Returns the cycles of
     * loops, which the program's cost does not hold: the same on all machines. */
    uint32_t (*run_item)(void *user, const struct board_patch *patch,
                         const struct board_item_program *program, uint32_t *cells);
    /* Called between one item and the next, so that others may have the processor; NULL: nobody. */
    void (*give_way)(void *user);
    /* Draws; the pixels are there when it returns. */
    void (*draw)(void *user, const struct board_mapper_registers *registers,
                 const struct board_mapper_vertex *vertices);
    /* Before the CPU touches pixels that the TMU drew, and after: the board's caches. Either may be
     * NULL. */
    void (*begin_pixels)(void *user);
    void (*end_pixels)(void *user);
};

struct board_input {
    const int16_t *samples;            /* since the last step: left, right, ... */
    uint32_t sample_count;             /* pairs, up to BOARD_SAMPLES */
    uint32_t controls[BOARD_CONTROLS]; /* words of idmx1..idmx8, osc1..osc4 */
    /* What MIDI controllers say of parameters: instead of their resets. */
    const struct board_value *settings;
    uint32_t setting_count;
    uint32_t dim; /* by how many 64ths the screen is darker than the picture, up to 64 */
    struct board_picture video;
};

/* A section that changes its layout raises its version. */
enum board_section {
    BOARD_SECTION_CLOCK,
    BOARD_SECTION_SOUND,
    BOARD_SECTION_CANVAS,
    BOARD_SECTION_EQUATIONS,
    BOARD_SECTION_MESH,
    BOARD_SECTION_ITEMS,
    BOARD_SECTIONS
};

struct board_clock {
    uint32_t fps;   /* 24 or 30 */
    uint32_t frame; /* the newest, from 1 */
};

/* Levels with 16 bits of fraction. */
struct board_hearing {
    int32_t level[BOARD_BANDS]; /* bass, mid, treb */
    int32_t level_att[BOARD_BANDS];
    int64_t usual[BOARD_BANDS];  /* level, in the long run; 32 bits of fraction */
    uint32_t heard;              /* pairs of samples, while they are few */
    int16_t wave[2][BOARD_WAVE]; /* left, right: the newest, oldest first */
};

struct board_canvas {
    uint32_t front;  /* texture that was drawn last: 0 or 1 */
    uint32_t dither; /* what the brightness still owes, 24 bits of fraction */
    uint8_t dmx[BOARD_DMX];
};

struct board {
    unsigned versions[BOARD_SECTIONS];
    const struct board_units *units;
    const struct board_patch *patch; /* NULL: nothing loaded yet */
    struct board_clock clock;
    struct board_hearing sound;
    struct board_canvas canvas;
    struct board_items items; /* what board_think leaves for board_paint */
    struct board_cuts cuts;
    uint32_t random;       /* state of board_random, for the equations */
    uint32_t parts;        /* frames that equations in double precision have taken up to now */
    uint32_t hold;         /* frames that still keep what the per-frame equations have left */
    uint32_t frame_cycles; /* of those in double precision, in the mean */
    uint32_t cells[BOARD_CELLS];
    uint32_t item_cells[BOARD_ITEM_CELLS];
    _Alignas(8) struct board_mapper_vertex before[BOARD_STAGES]; /* for run_vertex */
    struct board_mapper_vertex mesh[BOARD_VERTICES];
};

/* A black canvas, silence, frame 0. fps: 24 or 30. The units must outlive the state. */
void board_init(struct board *board, const struct board_units *units, uint32_t fps);

/* Starts the patch: variables fresh; canvas, sound and clock go on. The patch must outlive its use.
 * False, and nothing happens, if it needs run_cpu and the units have none. */
bool board_load(struct board *board, const struct board_patch *patch);

/* Draws the next frame into the memory at BOARD_SCREEN_AT. Without a patch nothing happens. */
void board_step(struct board *board, const struct board_input *input);

/* The parts of a step, for a caller that prepares the next picture while this one is painted. They
 * follow each other: board_hear takes the samples into `sound`.
 * board_think runs the equations and leaves their results in clock, cells and mesh; a patch
 * must be loaded. board_paint draws the picture from patch, clock, sound, items, cells and mesh,
 * which may have been copied from another state. */
void board_think(struct board *board, const struct board_input *input);
void board_paint(struct board *board, const struct board_input *input);

/* What the board hears (spec/milkymist-one.md section 7, "Audio analysis"). */

enum { BOARD_TAPS = 128 };

/* The filters, by band and tap; tap 0 meets the newest sample. */
extern const int16_t board_taps[BOARD_BANDS][BOARD_TAPS];

/* Takes the samples since the last step: `count` pairs, up to BOARD_SAMPLES. Levels forget
 * the past with each call, as on the board; they do not depend on how long a step is. */
void board_hear(struct board_hearing *sound, const int16_t *samples, uint32_t count);

/* A level, bass, mid or treb, or the attenuated one, as equations get it: own: as it is, as on the
 * board; else against what is usual, as MilkDrop has it (spec/milk-rendering.md section 12), so
 * that the loudness does not count; 1 in silence. Up to 64. */
int32_t board_level(const struct board_hearing *sound, int band, bool attenuated, bool own);

#endif
