/* The show: three tasks. The first measures a block of sound, the second runs the equations on the
 * block before it, with the coprocessor, the third paints the frame before that, with the texture
 * mapper. So processor, coprocessor and texture mapper work at the same time. */
#ifndef BOARD_FIRMWARE_SHOW_H
#define BOARD_FIRMWARE_SHOW_H

#include "board/firmware/inputs.h"
#include "board/firmware/units.h"
#include "board/operate/beat.h"
#include "board/operate/text.h"
#include "board/patch/patch.h"
#include "board/picture/picture.h"
#include "board/step/program.h"

/* Behind what the step draws on stand the pictures of two patches: of the one that is shown and of
 * the one that is made ready. */
enum { BOARD_SHOW_MEMORY = BOARD_FREE_AT + 2 * BOARD_PICTURES_BYTES };

/* What a show has done; the task writes. */
struct board_show_account {
    volatile uint32_t frames;
    volatile uint32_t skipped;    /* blocks of sound for which there was no frame in time */
    volatile uint32_t cycles;     /* of painting the last frame */
    volatile uint32_t cycles_max; /* of all */
    volatile uint32_t first;      /* cycle of the first picture */
    /* The most that a frame of the patch left out (struct board_cuts). */
    volatile uint32_t thin;
    volatile uint32_t shapes_cut;
    volatile uint32_t points_cut;
    volatile uint32_t overlay_turns;
    volatile uint32_t equation_turns;
    volatile bool echo_cut;
};

struct board_show {
    struct board_units units;
    struct board *thinker; /* state of the second task: equations */
    struct board *painter; /* of the third: canvas */
    struct board_pfpu *pfpu;
    struct board_tmu tmu;
    struct board_tasks *tasks;
    struct board_screen *screen;
    struct board_sound *sound;
    struct board_inputs *inputs;
    struct board_midi midi;     /* of the task that thinks */
    struct board_hearing heard; /* by the task that measures */
    struct board_hearing ready; /* what it has measured, while `measured` is true */
    bool measured;
    bool thought;    /* the thinker holds a frame that the painter has not taken */
    uint16_t *frame; /* being drawn */
    bool exact;      /* a frame for each block, each frame is seen: however late */
    uint32_t heavy;  /* cycles of painting that leave too few for others */
    uint32_t least;  /* cycles of a frame that the program needs to get on at all */
    uint32_t left;   /* cycles that it has had by the last frame */
    uint32_t poor;   /* frames in a row in which it had less */
    volatile bool
        generous; /* where frames are heavy every other one is left out, for the program */
    const struct board_loaded *volatile next; /* set by the program */
    const struct board_loaded *volatile current;
    const struct board_patch *volatile painting; /* NULL between frames */
    struct board_caption caption;
    uint16_t *volatile panel; /* what is laid over the picture (text.h), of which no cache holds a
                                 pixel; NULL: nothing */
    volatile uint32_t dim;    /* as of a step's input */
    struct board_beat beat;   /* of the task that measures */
    volatile uint32_t beats;  /* that it has heard */
    struct board_show_account account;
};

/* Fills in all but `tasks`, `screen`, `sound` and `inputs`, which are set. memory:
 * BOARD_SHOW_MEMORY bytes, at a multiple of 32. False without memory. */
bool board_show_begin(struct board_show *show, struct board_interrupt_handlers *handlers,
                      uint8_t *memory, uint32_t fps);

/* The patch from the next frame on. Waits until the show has taken it: what was there before may
 * then be freed. Not for tasks. */
void board_show_load(struct board_show *show, const struct board_loaded *loaded);

/* Whether the program wants more of the processor: where frames are heavy, every other one is left
 * out. */
void board_show_spare(struct board_show *show, bool wanted);

/* The tasks, in their order; user: the show. */
void board_show_paint(void *user);
void board_show_think(void *user);
void board_show_hear(void *user);

#endif
