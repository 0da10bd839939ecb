/* A preset compiled for the host: the place where presets and pfpu meet. Immutable after creation.
 */
#ifndef RENDERER_PATCH_H
#define RENDERER_PATCH_H

#include "base/arena.h"
#include "pfpu/host/lanes.h"
#include "pfpu/pfpu.h"
#include "presets/milk/preset.h"
#include "renderer/frame/frame.h"
#include "renderer/renderer.h"
#include "renderer/shade.h"

/* Rows of keys.def that belong to the whole preset. */
enum rend_stored {
#define REND_STORED_PRESET(field) REND_STORED_##field,
#define REND_STORED_WAVE(field)
#define REND_STORED_SHAPE(field)
#define PRESET_KEY(group, field, ...) REND_STORED_##group(field)
#include "presets/milk/keys.def"
#undef REND_STORED_PRESET
#undef REND_STORED_WAVE
#undef REND_STORED_SHAPE
    REND_STORED_COUNT
};

/* Variables of every namespace, first the same ones at the same index in all. */
enum rend_variable {
#define REND_INPUT(name) REND_VAR_##name,
#include "renderer/frame/inputs.def"
    REND_VAR_EXTRAS,
    REND_VAR_BEFORE_EXTRAS = REND_VAR_EXTRAS - 1,
#define REND_EXTRA(name) REND_VAR_##name,
#include "renderer/frame/inputs.def"
    REND_VAR_INPUTS,
    REND_VAR_Q = REND_VAR_INPUTS,       /* q1..q32 */
    REND_VAR_OWN = REND_VAR_Q + REND_QS /* from here on each namespace has its own */
};

/* Per-frame and per-vertex namespaces. */
enum {
#define REND_GEOMETRY(name) REND_VAR_##name,
    REND_VAR_GEOMETRY = REND_VAR_OWN - 1,
#include "renderer/frame/inputs.def"
    REND_VAR_FRAME_OWN
};
enum { REND_VAR_MONITOR = REND_VAR_FRAME_OWN, REND_VAR_STORED };

/* Per-vertex namespace: x y rad ang, then the ten motion values. */
enum { REND_VERTEX_PLACE = 4, REND_VERTEX_MOTIONS = 10 };
enum { REND_VAR_PLACE = REND_VAR_FRAME_OWN, REND_VAR_MOTION = REND_VAR_PLACE + REND_VERTEX_PLACE };
extern const enum rend_stored rend_vertex_motion[REND_VERTEX_MOTIONS];

/* Ports of the lanes. Vertices: in come place and motion values, out come the motion values that
 * the program writes, in their order. Points: in come sample, values, x y and colour, out come x y
 * and colour. */
enum { REND_POINT_INPUTS = 9, REND_POINT_OUTPUTS = 6 };

/* Wave and shape namespaces: t1..t8, then. */
enum { REND_VAR_T = REND_VAR_OWN, REND_VAR_ITEM = REND_VAR_T + REND_TS };
enum { REND_WAVE_R = REND_VAR_ITEM, REND_WAVE_SAMPLES = REND_WAVE_R + 4 };
enum {
    REND_POINT_SAMPLE = REND_VAR_ITEM,
    REND_POINT_VALUE1,
    REND_POINT_VALUE2,
    REND_POINT_X,
    REND_POINT_Y,
    REND_POINT_R
};
enum { REND_SHAPE_INSTANCE = REND_VAR_ITEM };
/* Rows of keys.def that belong to a shape. */
enum rend_shape_field {
#define REND_SHAPE_PRESET(field)
#define REND_SHAPE_WAVE(field)
#define REND_SHAPE_SHAPE(field)       REND_SHAPE_##field,
#define PRESET_KEY(group, field, ...) REND_SHAPE_##group(field)
#include "presets/milk/keys.def"
#undef REND_SHAPE_PRESET
#undef REND_SHAPE_WAVE
#undef REND_SHAPE_SHAPE
    REND_SHAPE_FIELDS
};

struct rend_block {
    struct pfpu_scope *scope;
    const struct pfpu_program *init; /* NULL where there is none */
    const struct pfpu_program *run;
    const struct pfpu_lanes *lanes; /* `run` for many items: of vertices and points of waves */
};

struct rend_patch {
    struct base_arena arena;
    enum rend_patch_status status;
    double stored[REND_STORED_COUNT];
    int stored_variable[REND_STORED_COUNT]; /* index in the per-frame namespace, -1: none */
    struct preset_wave waves[PRESET_WAVES]; /* numbers only */
    struct preset_shape shapes[PRESET_SHAPES];
    double shape_stored[PRESET_SHAPES][REND_SHAPE_FIELDS];
    int shape_variable[REND_SHAPE_FIELDS]; /* index in a shape's namespace, -1: none */
    bool spectra;                          /* a custom wave reads the spectrum */
    bool own_extras;                       /* the extra inputs are variables of the preset's own */
    struct rend_shader shader[SHADER_STAGES];
    int blur_levels;                      /* 0..3, of both stages */
    struct rend_resources *own_resources; /* where nobody gave any; NULL otherwise */
    struct rend_block frame;
    struct rend_block vertex;
    struct rend_block wave_frame[PRESET_WAVES];
    struct rend_block wave_point[PRESET_WAVES];
    struct rend_block shape[PRESET_SHAPES];
};

#endif
