/* All mutable state of the renderer, in sections. What of it lasts from frame to frame is saved by
 * save.c, which also knows what is made from the configuration or is scratch memory. */
#ifndef RENDERER_STATE_H
#define RENDERER_STATE_H

#include "renderer/patch.h"
#include "renderer/renderer.h"
#include "renderer/shade.h"
#include "renderer/sound/analysis.h"
#include "tmu/tmu.h"

/* The two pictures: what was shown last (source of the warp) and what is being drawn. */
struct rend_section_canvas {
    struct tmu_surface surface[2];
    int current; /* the one being drawn */
    bool lent;   /* their memory is a device's (renderer/offload.h) */
};

struct rend_section_equations {
    struct base_arena arena; /* owns what the instances point to */
    struct pfpu_globals globals;
    int64_t plain_left;         /* what programs may still cost in this frame beside their loops */
    double stored[PRESET_KEYS]; /* the patch's, with what was changed since it was loaded */
    struct pfpu_instance frame;
    struct pfpu_instance vertex;
    struct pfpu_instance wave_frame[PRESET_WAVES];
    struct pfpu_instance wave_point[PRESET_WAVES];
    struct pfpu_instance shape[PRESET_SHAPES];
    double *lanes_work;                     /* scratch memory of all programs in lanes */
    size_t parts;                           /* of the mesh, each of which has such memory */
    struct rend_shape_queue *shape_queue;   /* scratch memory of the shapes */
    struct rend_waves *waves;               /* scratch memory of the waves */
    double q_init[REND_QS];                 /* after preset init */
    double wave_t[PRESET_WAVES][REND_TS];   /* after the wave's init */
    double shape_t[PRESET_SHAPES][REND_TS]; /* after the shape's init */
    double start_time;                      /* player time at which the patch was loaded */
    double planned_seconds;                 /* for `progress`; 0: unknown */
};

/* Arrays of one number per vertex, row 0 at the bottom. */
struct rend_section_mesh {
    struct tmu_vertex *vertices;         /* of the newest frame */
    float *ndc_x;                        /* at rest; depends on the size only */
    float *ndc_y;                        /* the same */
    double *place[REND_VERTEX_PLACE];    /* the same: x y rad ang */
    double *motion[REND_VERTEX_MOTIONS]; /* what the program made of the motion values */
    bool drawn;                          /* vertices hold a frame */
};

/* Random numbers of the player, chosen once from the seed. */
struct rend_section_chance {
    double shade_phase[3]; /* blue, green, red: R2, R1, R3 of spec/milk-rendering.md section 6 */
};

struct rend {
    struct rend_config config;
    const struct rend_patch *patch; /* NULL: nothing loaded yet */
    const struct tmu_kernels *kernels;
    struct rend_spectrum *spectrum;
    struct rend_clock clock;   /* of the newest frame */
    struct rend_values values; /* of the newest frame */
    int64_t spent;             /* cost of the newest frame; of one that was cut short, all */
    int64_t fill;              /* cost that shapes and lines may have in this frame, */
    int64_t fill_left;         /* and still have; negative: more was wanted */
    struct rend_section_canvas canvas;
    struct rend_analysis sound;
    struct rend_section_equations equations;
    struct rend_section_mesh mesh;
    struct rend_section_chance chance;
    struct rend_section_shaders shaders;
};

#endif
