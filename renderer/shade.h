/* The stages that a preset gives as pixel shaders: what they need to run, and drawing with them
 * (spec/milk-rendering.md section 9). */
#ifndef RENDERER_SHADE_H
#define RENDERER_SHADE_H

#include "renderer/blur.h"
#include "renderer/resources.h"
#include "renderer/uniforms.h"

struct preset;
struct rend;
struct rend_frame;
struct rend_patch;

/* What a texture of a stage is. */
enum rend_texture {
    REND_TEXTURE_FIXED, /* noise, pictures */
    REND_TEXTURE_MAIN,
    REND_TEXTURE_BLUR1,
    REND_TEXTURE_BLUR2,
    REND_TEXTURE_BLUR3,
};

/* A stage of a patch; program NULL: the stage has fixed function. */
struct rend_shader {
    const struct shader_program *program;
    struct rend_resource *stage;
    size_t textures;
    enum rend_texture texture[SHADER_TEXTURES_MAX];
    const struct shader_texture *fixed[SHADER_TEXTURES_MAX];
    struct rend_resource *picture[SHADER_TEXTURES_MAX];
};

/* patch_shaders.c: compiles the stages of the preset that have a shader. What does not compile
 * falls back with a message, and the patch is degraded. false without memory. */
bool rend_patch_shaders(struct rend_patch *patch, const struct preset *preset,
                        struct rend_resources *resources, const struct base_diag_sink *sink);
void rend_patch_shaders_free(struct rend_patch *patch);

/* How many jobs the rows of tiles are divided among, each with scratch memory of its own. */
enum { REND_SHADE_BANDS = 32 };

struct rend_section_shaders {
    struct shader_frame frame[SHADER_STAGES];
    uint8_t *scratch;      /* REND_SHADE_BANDS * scratch_size bytes */
    size_t scratch_size;   /* a multiple of 64 */
    struct rend_blur blur; /* where a stage reads it */
    bool blurs;
    struct tmu_surface small; /* of stages that are computed smaller than the picture */
    struct rend_preset_chances chances;
    int32_t *cell;              /* by column of pixels: the column of the mesh that it lies in, */
    float *within;              /* how far into that, 0..1, */
    float *column;              /* and its place in the picture, 0..1 */
    int divisor[SHADER_STAGES]; /* 1..REND_DIVISOR_MAX */
    bool exhausted;             /* a loop used up its budget in this frame */
};

/* Memory for the patch's stages; 0, or -1 without. */
int rend_shade_load(struct rend_section_shaders *shaders, const struct rend *rend,
                    const struct rend_patch *patch);
void rend_shade_free(struct rend_section_shaders *shaders);

/* Uniforms of the frame; after the per-frame equations. */
void rend_shade_begin(struct rend *rend, const struct rend_frame *frame);

/* Warp: from the last picture, guarded, onto the new one. */
void rend_shade_warp(struct rend *rend, const struct tmu_surface *last,
                     const struct tmu_surface *current);

/* The blurred pictures, of the last picture. */
void rend_shade_blur(struct rend *rend, const struct rend_frame *frame,
                     const struct tmu_surface *last);

/* Composite: from the new picture, guarded, to what is shown. */
void rend_shade_comp(struct rend *rend, const struct rend_frame *frame,
                     const struct tmu_surface *current, uint32_t *pixels, size_t stride);

#endif
