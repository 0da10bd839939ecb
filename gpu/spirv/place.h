/* What differs from pixel to pixel before a shader runs, made on the device from what each column,
 * each row and each vertex of the mesh has: the numbers of renderer/shade.c, in the same steps. */
#ifndef GPU_SPIRV_PLACE_H
#define GPU_SPIRV_PLACE_H

#include "gpu/spirv/words.h"
#include "renderer/shader/ir/stage.h"

/* Words of SPIRV_BUFFER_PLACES: these of each column, those of each row, then u and v of each
 * vertex. */
enum spirv_column_word {
    SPIRV_COLUMN_CELL,   /* of the mesh, in which it lies */
    SPIRV_COLUMN_WITHIN, /* a float: how far into that, 0..1 */
    SPIRV_COLUMN_PLACE,  /* a float: its place in the picture, 0..1 */
    SPIRV_COLUMN_WORDS
};
enum spirv_row_word {
    SPIRV_ROW_VERTEX, /* the first one of the lower row of the cells in which it lies */
    SPIRV_ROW_WITHIN,
    SPIRV_ROW_PLACE,
    SPIRV_ROW_WORDS
};

/* Words of SPIRV_BUFFER_NUMBERS. */
enum spirv_number_word {
    SPIRV_NUMBER_PITCH,    /* pixels of a row, of inputs and results */
    SPIRV_NUMBER_PLANE,    /* words from an input to the next one */
    SPIRV_NUMBER_ROWS,     /* where those of the first row stand among places, */
    SPIRV_NUMBER_VERTICES, /* and those of the first vertex */
    SPIRV_NUMBER_ACROSS,   /* vertices of a row of the mesh */
    SPIRV_NUMBER_RIGHT,    /* floats: the aspect, with the sign that directions have, */
    SPIRV_NUMBER_DOWN,
    SPIRV_NUMBER_RADIUS, /* and what makes the radius 1 in a corner; */
    SPIRV_NUMBER_HUE,    /* of each colour the shades of four corners */
    SPIRV_NUMBER_FIRST = SPIRV_NUMBER_HUE + 3 * 4
};

/* The pixels of an invocation. */
struct spirv_quad {
    struct spirv *module;
    enum shader_stage stage;
    uint32_t x; /* of its first pixel */
    uint32_t y;
    uint32_t centred[2]; /* 0: not made yet */
};

/* The input's FLOATS, in the function of the whole program. */
uint32_t spirv_place_input(struct spirv_quad *quad, enum shader_input input);

#endif
