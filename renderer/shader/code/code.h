/* A compiled stage as the executor sees it. */
#ifndef RENDERER_SHADER_CODE_CODE_H
#define RENDERER_SHADER_CODE_CODE_H

#include "renderer/shader/ir/ir.h"

/* Operations of the executor: those of the IR that compute, and some that do two at once. */
enum shader_code_op {
#define SHADER_CODE(NAME, ...) SHADER_CODE_##NAME,
#include "renderer/shader/code/code.def"
    SHADER_CODE_COUNT
};

/* Operations of a few instructions each, which are worth bringing together (order.h,
 * native/native.h); the others are functions, reads and control. */
static inline bool shader_is_arithmetic(enum shader_code_op op)
{
    return op < SHADER_CODE_SIN || (op > SHADER_CODE_ACOS && op < SHADER_CODE_READ2);
}

/* Where a number stands, in bytes from where the scratch begins: registers of SHADER_TILE lanes,
 * behind them the constants, scalars of SHADER_LANES equal numbers. Code of the frame knows scalars
 * alone, from where the constants begin. Truths are all bits set or all clear. */
typedef uint32_t shader_place;
enum {
    SHADER_REGISTER_SIZE = SHADER_TILE * sizeof(float),
    SHADER_SCALAR_SIZE = SHADER_LANES * sizeof(float),
    SHADER_REGISTERS_MAX = 1 << 13,
};

struct shader_code {
    uint16_t op;
    uint16_t index;         /* of a fetch */
    uint8_t equal;          /* bit k: argument k is a scalar; code of the frame: none is set */
    bool grid;              /* reads: u depends on the column alone, v on the row */
    uint16_t run;           /* operations from this one on that a function does as well; 0: none */
    uint32_t target;        /* jumps: instruction to go on with; with a run: which function */
    uint32_t cost;          /* of the list up to and with this instruction, each taken once */
    shader_place result[4]; /* reads: components, SHADER_PLACE_NONE where not wanted; else [0] */
    shader_place argument[4];
};
#define SHADER_PLACE_NONE UINT32_MAX

/* What does a run of operations, for one level of the processor (native/native.h): tile and scratch
 * are where the registers begin. */
typedef void (*shader_native_run)(unsigned char *tile, const unsigned char *scratch,
                                  const void *numbers);
struct shader_native {
    const shader_native_run *run; /* NULL: there are none */
    const void *numbers;          /* for them */
    void *memory;
    size_t bytes;
};

/* Budget of one run of a tile: instructions after which all loops end. Counted at the end of each
 * round: those of the loop's body. */
enum { SHADER_BUDGET = 1 << 15 };

struct shader_program {
    struct base_arena arena;
    struct shader_ir ir; /* for dump, statistics and the reference */
    enum shader_stage stage;
    struct shader_code *frame; /* once per frame; all places are scalars */
    size_t frame_count;
    struct shader_code *pixel;
    size_t pixel_count;
    size_t registers;
    size_t scalars;
    const float *numbers; /* scalars 0..number_count - 1 hold these from the start */
    size_t number_count;
    struct shader_uniform_place {
        uint16_t index; /* as of SHADER_OP_UNIFORM */
        uint32_t scalar;
    } * uniforms;
    size_t uniform_count;
    int input[SHADER_INPUTS]; /* register in which an input is expected, -1: not read; a run may
                                 overwrite it */
    shader_place ret[3];      /* registers: the emitter copies where it must */
    struct shader_stats stats;
    struct shader_native native[BASE_CPU_LEVEL_COUNT];
};

/* Turns IR that shader_ir_finish has been through into code of the program, whose arena and ir
 * are set. False without memory. */
bool shader_emit(struct shader_program *program);

#endif
