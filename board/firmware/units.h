/* Coprocessor and texture mapper through their registers, for tasks; the picture output. */
#ifndef BOARD_FIRMWARE_UNITS_H
#define BOARD_FIRMWARE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board/firmware/trap.h"
#include "board/mapper/mapper.h"
#include "board/step/step.h"

struct board_pfpu {
    struct board_tasks *tasks;
    volatile bool done;
    volatile uint32_t runs;
    const struct board_program *loaded;                /* whose code it has; NULL: unknown */
    _Alignas(8) struct board_mapper_vertex nowhere[1]; /* where runs without a mesh write */
    uint32_t values[BOARD_OPERATIONS];                 /* of programs that the processor runs */
};

void board_pfpu_begin(struct board_pfpu *pfpu, struct board_interrupt_handlers *handlers,
                      struct board_tasks *tasks);

/* run_frame and run_vertex of struct board_units, for a task: it waits. */
void board_pfpu_run_frame(struct board_pfpu *pfpu, const struct board_patch *patch,
                          uint32_t *cells);
void board_pfpu_run_vertex(struct board_pfpu *pfpu, const struct board_patch *patch,
                           uint32_t *cells, struct board_mapper_vertex *vertices);

/* Runs a program once, as run_item of struct board_units; returns when it is done: the next one
 * follows too soon for waiting. */
void board_pfpu_run_item(struct board_pfpu *pfpu, const struct board_program *program,
                         uint32_t *cells);

/* The texture mapper through its registers. */

struct board_tmu {
    struct board_tasks *tasks;
    volatile bool done;
    volatile uint32_t runs;
};

void board_tmu_begin(struct board_tmu *tmu, struct board_interrupt_handlers *handlers,
                     struct board_tasks *tasks);

/* Draws, for a task: it waits. Registers hold addresses in memory; `vertices` is theirs. */
void board_tmu_draw(struct board_tmu *tmu, const struct board_mapper_registers *registers);

/* The picture output: 640x480, RGB565, first pixel first, drawn in one of three frames while
 * another one is shown. */

enum { BOARD_SCREEN_WIDTH = 640, BOARD_SCREEN_HEIGHT = 480, BOARD_SCREEN_FRAMES = 3 };
enum { BOARD_SCREEN_BYTES = BOARD_SCREEN_WIDTH * BOARD_SCREEN_HEIGHT * 2 };

struct board_screen {
    uint16_t *frames[BOARD_SCREEN_FRAMES];
};

/* Clears the frames and shows the first. memory: BOARD_SCREEN_FRAMES * BOARD_SCREEN_BYTES, at a
 * multiple of 32, the caller's for as long as the screen is used. */
void board_screen_begin(struct board_screen *screen, uint16_t *memory);

/* A frame that is neither shown nor waiting to be; never waits. Its pixels are of some earlier
 * frame. */
uint16_t *board_screen_draw(const struct board_screen *screen);

/* Shows this frame from the next picture on; one that was waiting and has not been shown never is.
 * The processor has not touched it since the memory's cache was flushed. */
void board_screen_present(const uint16_t *frame);

/* Whether the frame shown last is seen, and not still waiting. */
bool board_screen_is_shown(void);

#endif
