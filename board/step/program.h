/* A patch as the Milkymist One plays it: plain words, no names, no floats. Made by
 * board_patch_create (board/patch/patch.h); read by the step (step.h) on the desktop and on
 * the board.
 *
 * Everything the equations share stands in one array of words, the cells: inputs, parameters,
 * variables, and what one program hands to the other. Words are the coprocessor's: 32-bit floats
 * without infinities (pfpu/machine/machine.h). */
#ifndef BOARD_STEP_PROGRAM_H
#define BOARD_STEP_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BOARD_CELLS = 4096,      /* at most, in one patch */
    BOARD_OPERATIONS = 8192, /* at most, in one program */
    BOARD_BINDINGS = 128,    /* at most, in one patch */
    BOARD_VIDEO = 32, /* pictures that one patch may name; number of the one that stands for live
                         video */
    BOARD_IMAGES = BOARD_VIDEO + 1,
    BOARD_SHAPES = 4, /* custom ones, at most; each is drawn several times */
    BOARD_CUSTOM_WAVES = 4,
    BOARD_ITEM_CELLS = 8192, /* of all custom shapes and waves, at most */
    BOARD_NO_CELL = 0xffff,
};

enum board_param {
#define BOARD_KEY(name, variable) BOARD_##name,
#include "board/language/params.def"
#define BOARD_OWN(name, value) BOARD_##name,
#include "board/language/params.def"
    BOARD_PARAMS
};

enum board_heard {
#define BOARD_INPUT(name) BOARD_IN_##name,
#include "board/step/inputs.def"
#define BOARD_CONTROL(name) BOARD_IN_##name,
#include "board/step/inputs.def"
    BOARD_INPUTS
};

/* One step of a program in software, in the order of the program. Its result has the index of the
 * step. */
enum board_kind {
    BOARD_NUMBER, /* word */
    BOARD_GET,    /* what the cell held before the program */
    BOARD_SET,    /* at the end of the program the cell gets result arguments[0] */
    BOARD_ALU,    /* opcode of the coprocessor; the condition of an IF is arguments[0] */
    BOARD_OUT,    /* the two words of the vertex: results arguments[0], arguments[1] */
};

struct board_operation {
    uint8_t kind;
    uint8_t opcode;
    uint16_t arguments[3];
    uint32_t word; /* or cell */
};

/* A register of the coprocessor and what stands in it. */
struct board_register {
    uint8_t number;
    uint16_t cell; /* BOARD_NO_CELL: a constant */
    uint32_t word; /* of a constant */
};

/* One program, twice: microcode for the coprocessor and operations for a CPU. Both leave the same
 * words. */
struct board_program {
    const struct board_operation *operations;
    size_t operation_count;
    const uint32_t *words; /* microcode */
    size_t word_count;     /* 0: there is none, the CPU has to do it */
    uint32_t stages;       /* vertices in flight (spec/pfpu.md section 10); at least 1 */
    const struct board_register *loads; /* before the run */
    size_t load_count;
    const struct board_register *results; /* after the run: registers into cells */
    size_t result_count;
};

struct board_value {
    uint16_t cell;
    uint32_t word;
};

enum board_element {
#define PRESET_ELEMENT(name, text) BOARD_ELEMENT_##name,
#include "presets/milk/controls.def"
};

enum board_way {
#define PRESET_WAY(name, text) BOARD_WAY_##name,
#include "presets/milk/controls.def"
};

/* A variable that a MIDI controller sets (presets/milk/controls.def). */
struct board_binding {
    uint16_t cell;
    uint8_t element;    /* enum board_element */
    uint8_t way;        /* enum board_way */
    uint8_t channel;    /* 1 to 16; 0: any */
    uint8_t controller; /* 0 to 127 */
    uint32_t initial;   /* word, until the controller has said anything */
};

/* The equations of a custom shape or wave: a program in cells of its own, which are words of an
 * array that all of these share. */
struct board_copy {
    bool of_item; /* from: a cell of all those of items; else of the patch's */
    uint16_t from;
    uint16_t to; /* of the program's own cells */
};

struct board_item_program {
    struct board_program program; /* with keys from `first` on */
    uint16_t first;
    uint16_t number;         /* of the patch's item programs */
    bool on_cpu;             /* in double precision: units.run_item does it by its number */
    uint32_t cost;           /* of a run, in cycles */
    const uint16_t *randoms; /* own cells that get another board_random before each run */
    size_t random_count;
    /* What it begins with: values, then what other programs have left. */
    const struct board_value *resets;
    size_t reset_count;
    const struct board_copy *copies;
    size_t copy_count;
};

/* The fields of shapes as in presets/milk/keys.def. */
enum board_shape_field {
#define PRESET_SHAPE(field, ...) BOARD_SHAPE_##field,
#include "presets/milk/keys.def"
    BOARD_SHAPE_FIELDS
};

enum board_point_field {
    BOARD_POINT_sample,
    BOARD_POINT_value1,
    BOARD_POINT_value2,
    BOARD_POINT_x,
    BOARD_POINT_y,
    BOARD_POINT_r,
    BOARD_POINT_g,
    BOARD_POINT_b,
    BOARD_POINT_a,
    BOARD_POINT_FIELDS
};

/* Cells are the program's own. */
struct board_shape_item {
    struct board_item_program program;
    uint32_t instances;
    uint16_t instance; /* cell, or BOARD_NO_CELL */
    uint16_t fields[BOARD_SHAPE_FIELDS];
};

struct board_wave_item {
    struct board_item_program frame;
    struct board_item_program point;
    uint16_t samples; /* of the frame program */
    uint16_t tint[4];
    uint16_t in[BOARD_POINT_FIELDS];  /* of the point program; BOARD_NO_CELL: it does not ask */
    uint16_t out[BOARD_POINT_FIELDS]; /* from x on */
    int32_t sep;
    int32_t scaling;   /* 16 bits of fraction, as the next one */
    int32_t smoothing; /* share of the point before, 0..1 */
    bool spectrum;
    bool dots;
    bool thick;
    bool additive;
};

/* Pixels in the units' memory that the TMU can read; width 0: none. */
struct board_picture {
    uint32_t address; /* even */
    uint16_t width;   /* up to 2047 */
    uint16_t height;
};

struct board_patch {
    size_t cell_count;
    const uint32_t *start; /* of all cells when the patch is loaded: after the init equations */
    const struct board_value *resets; /* that every frame begins with */
    size_t reset_count;
    uint16_t params[BOARD_PARAMS]; /* cells */
    uint16_t inputs[BOARD_INPUTS]; /* cells, or BOARD_NO_CELL: nothing reads it */
    const uint16_t *randoms;       /* cells that get another board_random in each frame */
    size_t random_count;
    uint32_t seed; /* of those */
    const struct board_binding *bindings;
    size_t binding_count;
    bool own;          /* of the board's own language: drawn as its own software does */
    bool needs_cpu;    /* per-frame equations need double precision, and so units.run_cpu */
    uint32_t cpu_cost; /* cycles of that, in a frame */
    const uint32_t *item_start; /* of all item cells when the patch is loaded */
    size_t item_cell_count;
    const struct board_shape_item *shapes;
    size_t shape_count;
    const struct board_wave_item *waves;
    size_t wave_count;
    const char *image_names[BOARD_IMAGES];     /* files as the patch has them; NULL: none */
    struct board_picture images[BOARD_IMAGES]; /* by number; set by who loads these files */
    struct board_program frame;                /* once a frame */
    struct board_program vertex; /* for each vertex; cells 0 and 1 are its column and row */
};

/* Words of the coprocessor and numbers with a fixed point: whole arithmetic, for the board's CPU.
 */

/* A number with 16 bits of fraction. */
enum { BOARD_ONE = 1 << 16 };

/* The word's number times 2^bits, cut toward zero and kept within an int32_t. bits: 0..24. */
int32_t board_fixed(uint32_t word, unsigned bits);

/* value / 2^bits as a word, cut toward zero. bits: 0..63. */
uint32_t board_word(int64_t value, unsigned bits);

/* The next random number from 1 up to 2, as a word. state: any number but 0 at first. */
uint32_t board_random(uint32_t *state);

/* Sine and cosine by the coprocessor's table, with 16 bits of fraction. angle: in steps of 1/8192
 * turn. */
int32_t board_sine(uint32_t angle);
int32_t board_cosine(uint32_t angle);

/* The product of two numbers with 16 bits of fraction, rounded down; it must fit. In halves, for
 * the board has no product of 64 bits. */
static inline int32_t board_times(int32_t a, int32_t b)
{
    const uint32_t low_a = (uint32_t)a & UINT16_MAX;
    const uint32_t low_b = (uint32_t)b & UINT16_MAX;
    return (int32_t)((uint32_t)(a >> 16) * (uint32_t)b + low_a * (uint32_t)(b >> 16) +
                     (low_a * low_b >> 16));
}

static inline int32_t board_clamp(int32_t value, int32_t low, int32_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* Programs of the coprocessor in software, as the board's CPU runs them where there is no
 * microcode. */

/* Runs the operations once. values: room for operation_count words. out: the two words of the
 * vertex, unchanged if there are none. */
void board_run(const struct board_program *program, uint32_t *cells, uint32_t *values,
               uint32_t out[2]);

/* MIDI controllers and the variables that a patch has bound to them (presets/milk/controls.def).
 * The same on the desktop and on the board. One state belongs to one thread at a time. */

enum { BOARD_MIDI_CHANNELS = 16, BOARD_MIDI_CONTROLLERS = 128 };

/* What has become of a binding. */
struct board_turned {
    int32_t steps; /* of 127 for a whole range */
    bool down;
    bool moved; /* since the patch was loaded, or before if it says a place */
};

struct board_midi {
    const struct board_patch *patch; /* NULL: none yet */
    uint8_t status;                  /* of the message that is being received; 0: none */
    uint8_t first;                   /* its first byte */
    bool has_first;
    /* What each controller has said last, and one more; 0: nothing. */
    uint8_t places[BOARD_MIDI_CHANNELS][BOARD_MIDI_CONTROLLERS];
    struct board_turned turned[BOARD_BINDINGS];
    struct board_value settings[BOARD_BINDINGS]; /* for board_input */
    uint32_t setting_count;
};

/* Nothing has been heard. */
void board_midi_init(struct board_midi *midi);

/* Another patch: faders, pots and whatever is down are where they were, all else begins anew. The
 * patch must outlive its use. */
void board_midi_load(struct board_midi *midi, const struct board_patch *patch);

/* The next byte of the line, whatever it is. */
void board_midi_hear(struct board_midi *midi, uint8_t byte);

#endif
