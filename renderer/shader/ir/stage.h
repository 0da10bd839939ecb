/* What a stage of pixel shaders is to whoever compiles or runs one: its uniforms, its inputs, its
 * textures, its tiles, its cost. */
#ifndef RENDERER_SHADER_IR_STAGE_H
#define RENDERER_SHADER_IR_STAGE_H

#include <stdbool.h>
#include <stddef.h>

enum shader_stage { SHADER_WARP, SHADER_COMP, SHADER_STAGES };

/* Numbers that are the same for all pixels of a frame: rows of uniforms.def, each with rows *
 * columns slots from SHADER_SLOT_name on, matrices row by row. */
enum shader_slot {
#define SHADER_UNIFORM(name, rows, columns, reserved)                                              \
    SHADER_SLOT_##name, SHADER_LAST_##name = SHADER_SLOT_##name + (rows) * (columns)-1,
#include "renderer/shader/ir/uniforms.def"
    SHADER_SLOTS
};

/* Numbers that differ from pixel to pixel, in lanes. */
enum shader_input {
    SHADER_INPUT_U,
    SHADER_INPUT_V,
    SHADER_INPUT_U_ORIG, /* warp only; in comp uv_orig is uv */
    SHADER_INPUT_V_ORIG,
    SHADER_INPUT_RAD,
    SHADER_INPUT_ANG,
    SHADER_INPUT_HUE_R, /* comp only */
    SHADER_INPUT_HUE_G,
    SHADER_INPUT_HUE_B,
    SHADER_INPUTS
};

/* Pixels that one run works on: TILE_ROWS rows of TILE_COLUMNS pixels, upper row first, so that
 * 2x2 quads lie in one tile. */
enum {
    SHADER_TILE_COLUMNS = 128,
    SHADER_TILE_ROWS = 2,
    SHADER_TILE = SHADER_TILE_COLUMNS * SHADER_TILE_ROWS,
};

/* A texture that a stage reads. */
enum { SHADER_TEXTURES_MAX = 24, SHADER_TEXTURE_NAME = 64 };
struct shader_binding {
    char name[SHADER_TEXTURE_NAME]; /* without "sampler_" and prefix, in lower case */
    bool volume;
};

/* What a stage costs. */
struct shader_stats {
    size_t operations;       /* per pixel, loops counted once */
    size_t frame_operations; /* once per frame */
    size_t reads;            /* of textures, per pixel, loops counted once */
    size_t loops;
    size_t registers;        /* of SHADER_TILE lanes */
    double ms_per_megapixel; /* a rough estimate of processor time, from a table of costs */
};

#endif
