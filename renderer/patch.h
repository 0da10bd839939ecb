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

/* Variables of every namespace, first the same ones at the same index in all. */
enum rend_variable {
#define REND_INPUT(name) REND_VAR_##name,
#include "renderer/frame/inputs.def"
    REND_VAR_EXTRAS,
    REND_VAR_BEFORE_EXTRAS = REND_VAR_EXTRAS - 1,
#define REND_EXTRA(name, family) REND_VAR_##name,
#include "renderer/frame/inputs.def"
    REND_VAR_INPUTS,
    REND_VAR_Q = REND_VAR_INPUTS,       /* q1..q32 */
    REND_VAR_OWN = REND_VAR_Q + REND_QS /* from here on each namespace has its own */
};

/* Inputs that a preset may have as variables of its own, all of a family or none. */
enum rend_family { REND_FAMILY_BEAT = 1, REND_FAMILY_BAR = 2 };

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
extern const enum preset_own_key rend_vertex_motion[REND_VERTEX_MOTIONS];

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

/* Which of the motion values a per-vertex program writes: a bit for each. */
unsigned rend_written_motions(const struct pfpu_program *program);

struct rend_block {
    struct pfpu_scope *scope;
    const struct pfpu_program *init; /* NULL where there is none */
    const struct pfpu_program *run;
    const struct pfpu_lanes *lanes; /* `run` for many items: of vertices and points of waves */
};

/* The pictures of a patch of the board and the variables that say how two of them are drawn: how
 * much, where, how large, which; and how much of the one that stands for live video. */
enum { REND_IMAGES_DRAWN = 2, REND_IMAGE_PARAMS = 5 };

struct rend_images {
    bool any; /* the patch names pictures; else nothing of the rest is set */
    struct rend_resource *picture[PRESET_IMAGES];       /* NULL: none of that number */
    int variable[REND_IMAGES_DRAWN][REND_IMAGE_PARAMS]; /* in the per-frame namespace */
    int video_alpha;                                    /* the same */
};

struct rend_patch {
    struct base_arena arena;
    enum rend_patch_status status;
    uint64_t content; /* names what it was made of; see rend_patch_content */
    double stored[PRESET_KEYS];
    int stored_variable[PRESET_KEYS];       /* index in the per-frame namespace, -1: none */
    struct preset_wave waves[PRESET_WAVES]; /* numbers only */
    struct preset_shape shapes[PRESET_SHAPES];
    double shape_stored[PRESET_SHAPES][PRESET_SHAPE_KEYS];
    int shape_variable[PRESET_SHAPE_KEYS]; /* index in a shape's namespace, -1: none */
    size_t control_count;
    struct preset_binding *controls;    /* without their variables */
    bool spectra;                       /* a custom wave reads the spectrum */
    unsigned own;                       /* bits of enum rend_family: the preset's own variables */
    int dmx_variable[REND_DMX_OUTPUTS]; /* index in the per-frame namespace, -1: none */
    struct rend_shader shader[SHADER_STAGES];
    struct rend_images images;
    int blur_levels;                      /* 0..3, of both stages */
    struct rend_resources *own_resources; /* where nobody gave any; NULL otherwise */
    struct rend_block frame;
    struct rend_block vertex;
    struct rend_block wave_frame[PRESET_WAVES];
    struct rend_block wave_point[PRESET_WAVES];
    struct rend_block shape[PRESET_SHAPES];
};

/* As rend_patch_create; shows the per-frame and per-vertex equations to a dumper on their way. */
struct rend_patch *rend_patch_create_dumping(const struct preset *preset,
                                             struct rend_resources *resources,
                                             const struct pfpu_dumper *dumper,
                                             const struct base_diag_sink *sink);

#endif
