/* Custom shapes and custom waves made ready for the board: what patch.c hands to items.c. Private
 * to this folder. */
#ifndef BOARD_PATCH_ITEMS_H
#define BOARD_PATCH_ITEMS_H

#include "board/step/program.h"
#include "pfpu/compile/board.h"
#include "pfpu/pfpu.h"
#include "presets/milk/preset.h"

/* What the equations of all items need while they run in double precision. */
struct board_item_cpus;

struct board_items_made {
    const struct preset *preset;
    struct base_arena *arena; /* owns what is made */
    const struct base_diag_sink *sink;
    enum pfpu_board_scheduler scheduler;
    const struct pfpu_scope *frame_scope; /* of the per-frame equations */
    struct board_patch *patch;            /* gets shapes and waves */
    bool need_buffers;                    /* megabuf or gmegabuf is asked for */
    struct board_item_cpus *cpus;
};

/* Turns the board's form of a program into the step's; false with a message without memory or if it
 * is too long. */
typedef bool board_take_program(void *user, const struct pfpu_board_program *from,
                                struct board_program *program);

/* For a sink whose user is another one, or NULL: passes errors on as warnings. What has errors is
 * left out; the preset is drawn all the same. */
void board_report_less(void *user, const struct base_diag *diag);

/* Compiles the enabled items. An item that has errors is left out with a warning. False without
 * memory. */
bool board_items_compile(struct board_items_made *made, board_take_program *take, void *user);

/* Runs their init equations, after the preset's own. False without memory. */
bool board_items_start(struct board_items_made *made, const struct pfpu_instance *frame,
                       struct pfpu_globals *globals);

/* An item's program that the coprocessor cannot run, once. Returns the cycles of its loops. */
uint32_t board_items_run(struct board_item_cpus *cpus, struct pfpu_globals *globals,
                         const struct board_item_program *program, uint32_t *cells);

/* The cells of a scope's variables for rand, @rand0 and on (pfpu/language/lower.h). NULL without
 * memory. */
const uint16_t *board_randoms_of(const struct pfpu_scope *scope, struct base_arena *arena,
                                 size_t *count);

/* Cycles of the loops that a program has gone through, of such a budget. */
uint32_t board_items_loops(const struct pfpu_globals *globals, int64_t budget);

/* The budget that loops of so many cycles use up. */
int64_t board_items_budget(uint32_t cycles);

/* Cycles of a program in software, as the board's processor runs it in double precision. */
uint32_t board_items_price(const struct pfpu_program *program);

#endif
