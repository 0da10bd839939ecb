/* The stages that a preset gives as pixel shaders: their texts, the numbers that they read, what
 * they need to run, and drawing with them (spec/milk-rendering.md section 9). */
#ifndef RENDERER_SHADE_H
#define RENDERER_SHADE_H

#include <stdint.h>

#include "presets/milk/preset.h"
#include "renderer/frame/frame.h"
#include "renderer/picture/blur.h"
#include "renderer/picture/resources.h"
#include "renderer/shader/device.h"
#include "renderer/shader/shader.h"

/* Texts of stages that come without a usable one (spec/milk-rendering.md section 9.1). They hold
 * the preset's stored numbers: what equations make of gamma or echo does not reach them. */

/* The text for a stage that has a shader version but no text: warp and decay, or echo, gamma,
 * shades and filters as the preset's file has them. The arena's memory; the preset may be freed.
 * NULL without memory. */
const struct base_source *rend_default_stage(enum shader_stage stage, const struct preset *preset,
                                             struct base_arena *arena);

/* What a stage with a shader version is made from: the preset's text, or the generated one where
 * that is blank. NULL without memory. */
const struct base_source *rend_stage_text(enum shader_stage stage, const struct preset *preset,
                                          struct base_arena *arena);

/* The text that stands in for one that does not compile: the picture as it is, in the warp stage a
 * little darker. Lives as long as the program. */
const struct base_source *rend_fallback_stage(enum shader_stage stage);

/* The numbers that shaders read and that are the same for all pixels of a frame
 * (spec/milk-rendering.md section 9.2). Chances are pure functions of a seed and, some of them, of
 * the frame's number. */

enum { REND_ROTATIONS = 20, REND_RANDOM_ROTATIONS = 4 };

/* What a preset leaves to chance when it is loaded; the same for both stages. */
struct rend_preset_chances {
    float rand[4];                         /* rand_preset: 0..1 */
    double translation[REND_ROTATIONS][3]; /* -1..1; rotations in the order s d f vf uf */
    double angle[REND_ROTATIONS][3];       /* 0..6.28, about x y z */
    double speed[REND_ROTATIONS][3];       /* radians per second */
};
struct rend_preset_chances rend_preset_chances(uint64_t seed);

/* What each frame leaves to chance; the same for both stages. */
struct rend_frame_chances {
    float rand[4];                                /* rand_frame: 0..1 */
    double translation[REND_RANDOM_ROTATIONS][3]; /* 0..1 */
    double angle[REND_RANDOM_ROTATIONS][3];       /* 0..6.28 */
};
struct rend_frame_chances rend_frame_chances(uint64_t seed, uint64_t frame);

struct rend_uniform_source {
    double time;        /* seconds since the preset was loaded */
    double player_time; /* seconds since the player started */
    double fps;
    double frame;
    double progress;
    double level[REND_BANDS]; /* bass mid treb */
    double level_att[REND_BANDS];
    int width; /* of the canvas */
    int height;
    double q[REND_QS];                /* after the per-frame code */
    float blur_min[REND_BLUR_LEVELS]; /* of rend_blur_ranges */
    float blur_max[REND_BLUR_LEVELS];
    struct rend_frame_chances frame_chances;
    const struct rend_preset_chances *preset_chances;
};

/* Fills every slot. Numbers become 32-bit floats; one that is NaN or too large stays so. */
void rend_uniforms_fill(float out[SHADER_SLOTS], const struct rend_uniform_source *source);

struct preset;
struct rend;
struct rend_frame;
struct rend_patch;

/* A stage of a patch; program NULL: the stage has fixed function. */
struct rend_shader {
    const struct shader_program *program;
    unsigned line; /* of the preset's file at which its text begins; 0: it is not of the file */
    struct rend_resource *stage;
    size_t textures;
    enum rend_source texture[SHADER_TEXTURES_MAX]; /* fixed: noise, pictures of files */
    const struct shader_texture *fixed[SHADER_TEXTURES_MAX];
    struct rend_resource *picture[SHADER_TEXTURES_MAX];
};

/* How many jobs the rows of tiles are divided among, so that many threads end at the same time. */
enum { REND_SHADE_ROW_BANDS = 128 };

/* What a warp has begun with, where its picture stays on the device. */
struct rend_shade_kept {
    const struct tmu_surface *blurred;
    struct rend_blur_settings blur_settings;
    int64_t left;
};

struct rend_section_shaders {
    struct shader_frame frame[SHADER_STAGES];
    uint8_t *scratch;      /* threads * scratch_size bytes */
    size_t scratch_size;   /* a multiple of 64 */
    size_t threads;        /* that paint: jobs at a time */
    struct rend_blur blur; /* where a stage reads it */
    bool blurs;
    struct tmu_surface small; /* of stages that are computed smaller than the picture */
    struct rend_preset_chances chances;
    int32_t *cell;  /* by column of pixels: the column of the mesh that it lies in, */
    float *within;  /* how far into that, 0..1, */
    float *column;  /* and its place in the picture, 0..1, */
    int32_t *cells; /* by row of pixels: the row of the mesh that it lies in, from below, */
    float *up;      /* how far into that, 0..1, */
    float *row;     /* and its place in the picture, 0..1 */
    const struct rend_device *device; /* NULL: none */
    bool device_failed;               /* once, and is not asked again */
    void *canvas_on_device;           /* what it knows the canvas by; NULL: it does not, */
    void *on_device[SHADER_STAGES];   /* and the stages */
    void *blur_on_device;             /* likewise what is blurred there, */
    void *overlay_on_device;          /* and what is drawn on the warped picture, */
    struct rend_list *list;           /* which is noted here, */
    int coming;                       /* and the room where the canvas comes to, */
    void *warp_on_device;             /* and stages that have no shader */
    void *composite_on_device;
    struct rend_device_composite_row *composite_rows; /* of the picture, that are handed over */
    void *cross_on_device;                            /* likewise a transition to it */
    bool shown_stays; /* the newest picture was drawn there, and is wanted later, if at all */
    int list_rests;   /* frames that are not tried, since there was no room */
    void *vertices_on_device; /* where those of the mesh read, */
    double *line_numbers;     /* with these numbers of the equations */
    struct rend_shade_kept kept;
    bool sent[REND_SOURCES]; /* it holds these as they are; the last picture, which is the
                                        same from a composite to the next warp */
    /* Where the device has blurred, it can be done again here, as long as the surface is not drawn
     * on: until the next warp. */
    const struct tmu_surface *blurred; /* NULL: `blur` is as it should be */
    struct rend_blur_settings blur_settings;
    int divisor[SHADER_STAGES]; /* 1..REND_DIVISOR_MAX */
    bool exhausted;             /* a loop used up its budget in this frame */
    int64_t left;               /* cost that what is drawn may still have in this frame */
    bool unpaid[SHADER_STAGES]; /* that was used up; what was missing is black */
};

/* Memory for the patch's stages; 0, or -1 without. */
int rend_shade_load(struct rend_section_shaders *shaders, const struct rend *rend,
                    const struct rend_patch *patch);
void rend_shade_free(struct rend_section_shaders *shaders);

/* The last picture was changed since its composite. */
void rend_shade_forget(struct rend_section_shaders *shaders);

/* Blurs here what the device has blurred. */
void rend_shade_fetch_blur(struct rend *rend);

/* All pictures were changed, the blurred ones too. */
void rend_shade_renew(struct rend_section_shaders *shaders);

/* Uniforms of the frame; after the per-frame equations. */
void rend_shade_begin(struct rend *rend, const struct rend_frame *frame);

/* Warp: from the last picture, guarded, onto the new one. Whether that stays on the device, as it
 * only does where it may, and is not here: what is drawn on it is noted (renderer/offload.h). */
bool rend_shade_warp(struct rend *rend, const struct tmu_surface *last,
                     const struct tmu_surface *current, bool may_stay);

/* The same here, in the same frame, after a warp whose picture stayed there. The blurred pictures
 * may be made already. */
void rend_shade_again(struct rend *rend, const struct tmu_surface *last,
                      const struct tmu_surface *current);

/* The blurred pictures, of the last picture. What `before` does comes before the processor blurs,
 * as long as the pictures of the frame before are there. */
void rend_shade_blur(struct rend *rend, const struct rend_frame *frame,
                     const struct tmu_surface *last, const struct base_beside *before);

/* Composite: from the new picture, guarded, to what is shown. */
struct rend_shade_comp {
    double time; /* of the frame */
    const struct tmu_surface *current;
    uint32_t *pixels;
    size_t stride;
    bool may_stay; /* what is shown, on the device */
    bool wanted;   /* as of struct rend_input */
    /* Done while a device may draw; the picture is here after that. NULL: it is here. */
    const struct base_beside *beside;
};

/* Whether what is shown stays on the device. */
bool rend_shade_comp(struct rend *rend, const struct rend_shade_comp *comp);

/* The same here, of the newest picture, which stayed there; without cost. Before the next warp. */
void rend_shade_comp_again(struct rend *rend, const struct rend_shade_comp *comp);

#endif
