/* A patch as the Milkymist One plays it: plain words, no names, no floats. Made by
 * rend_board_patch_create (board_patch.h); read by the step (board_step.h) on the desktop and on
 * the board.
 *
 * Everything the equations share stands in one array of words, the cells: inputs, parameters,
 * variables, and what one program hands to the other. Words are the coprocessor's: 32-bit floats
 * without infinities (pfpu/alu.h). */
#ifndef RENDERER_BOARD_PROGRAM_H
#define RENDERER_BOARD_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    REND_BOARD_CELLS = 4096,      /* at most, in one patch */
    REND_BOARD_OPERATIONS = 8192, /* at most, in one program */
    REND_BOARD_BINDINGS = 64,     /* at most, in one patch */
    REND_BOARD_NO_CELL = 0xffff,
};

enum rend_board_param {
#define REND_BOARD_KEY(name, variable) REND_BOARD_##name,
#include "renderer/board_params.def"
#define REND_BOARD_OWN(name, value) REND_BOARD_##name,
#include "renderer/board_params.def"
    REND_BOARD_PARAMS
};

enum rend_board_heard {
#define REND_BOARD_INPUT(name) REND_BOARD_IN_##name,
#include "renderer/board_inputs.def"
#define REND_BOARD_CONTROL(name) REND_BOARD_IN_##name,
#include "renderer/board_inputs.def"
    REND_BOARD_INPUTS
};

/* One step of a program in software, in the order of the program. Its result has the index of the
 * step. */
enum rend_board_kind {
    REND_BOARD_NUMBER, /* word */
    REND_BOARD_GET,    /* what the cell held before the program */
    REND_BOARD_SET,    /* at the end of the program the cell gets result arguments[0] */
    REND_BOARD_ALU,    /* opcode of the coprocessor; the condition of an IF is arguments[0] */
    REND_BOARD_OUT,    /* the two words of the vertex: results arguments[0], arguments[1] */
};

struct rend_board_operation {
    uint8_t kind;
    uint8_t opcode;
    uint16_t arguments[3];
    uint32_t word; /* or cell */
};

/* A register of the coprocessor and what stands in it. */
struct rend_board_register {
    uint8_t number;
    uint16_t cell; /* REND_BOARD_NO_CELL: a constant */
    uint32_t word; /* of a constant */
};

/* One program, twice: microcode for the coprocessor and operations for a CPU. Both leave the same
 * words. */
struct rend_board_program {
    const struct rend_board_operation *operations;
    size_t operation_count;
    const uint32_t *words; /* microcode */
    size_t word_count;     /* 0: there is none, the CPU has to do it */
    uint32_t stages;       /* vertices in flight (spec/pfpu.md section 10); at least 1 */
    const struct rend_board_register *loads; /* before the run */
    size_t load_count;
    const struct rend_board_register *results; /* after the run: registers into cells */
    size_t result_count;
};

struct rend_board_value {
    uint16_t cell;
    uint32_t word;
};

enum rend_board_element {
#define PRESET_ELEMENT(name, text) REND_BOARD_ELEMENT_##name,
#include "presets/controls.def"
};

enum rend_board_way {
#define PRESET_WAY(name, text) REND_BOARD_WAY_##name,
#include "presets/controls.def"
};

/* A variable that a MIDI controller sets (presets/controls.def). */
struct rend_board_binding {
    uint16_t cell;
    uint8_t element;    /* enum rend_board_element */
    uint8_t way;        /* enum rend_board_way */
    uint8_t channel;    /* 1 to 16; 0: any */
    uint8_t controller; /* 0 to 127 */
    uint32_t initial;   /* word, until the controller has said anything */
};

struct rend_board_patch {
    size_t cell_count;
    const uint32_t *start; /* of all cells when the patch is loaded: after the init equations */
    const struct rend_board_value *resets; /* that every frame begins with */
    size_t reset_count;
    uint16_t params[REND_BOARD_PARAMS]; /* cells */
    uint16_t inputs[REND_BOARD_INPUTS]; /* cells, or REND_BOARD_NO_CELL: nothing reads it */
    const struct rend_board_binding *bindings;
    size_t binding_count;
    bool needs_cpu; /* per-frame equations need double precision, and so units.run_cpu */
    struct rend_board_program frame;  /* once a frame */
    struct rend_board_program vertex; /* for each vertex; cells 0 and 1 are its column and row */
};

#endif
