/* An oracle for shaders: a stage is drawn by our own compiler and executor, and again by glslang,
 * SPIRV-Cross and a software GL, from the same text, textures, uniforms and inputs.
 * One thread. Functions that give a bool have complained on standard error where it is false. */
#ifndef TESTS_ORACLE_ORACLE_H
#define TESTS_ORACLE_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "renderer/shader/texture/texture.h"
#include "renderer/shader/shader.h"

enum { ORACLE_WIDTH = 320, ORACLE_HEIGHT = 240, ORACLE_PIXELS = ORACLE_WIDTH * ORACLE_HEIGHT };
enum { ORACLE_NAME = 96, ORACLE_SAMPLERS_MAX = 48, ORACLE_SIZES_MAX = 32 };

/* Floats of the block of uniforms: all slots, vectors and matrices once more, sizes. */
enum { ORACLE_BLOCK = 4096 };

/* ---- oracle_scene.c: what both sides read ---- */

enum { ORACLE_BLURS = 3, ORACLE_PICTURES = 3, ORACLE_VOLUME = 1 };
struct oracle_scene {
    struct shader_image canvas;
    struct shader_image blur[ORACLE_BLURS];
    struct shader_image picture[ORACLE_PICTURES]; /* for names of picture files */
    struct shader_image volume;                   /* for names of volumes nobody knows */
    struct shader_noises noises;
    float uniforms[SHADER_SLOTS];
    float inputs[SHADER_STAGES][SHADER_INPUTS][ORACLE_PIXELS];
};

/* levels: whether noise and pictures have their smaller levels. */
bool oracle_scene_open(struct oracle_scene *scene, bool levels);
void oracle_scene_close(struct oracle_scene *scene);

/* The texture of a name as in struct shader_binding. */
const struct shader_texture *oracle_scene_texture(const struct oracle_scene *scene,
                                                  const char *name, bool volume);

/* ---- oracle_text.c: the text of a stage as HLSL of today ---- */

struct oracle_sampler {
    char name[ORACLE_NAME]; /* as the text writes it */
    bool volume;
};

struct oracle_text {
    char *hlsl; /* malloc'ed */
    struct oracle_sampler samplers[ORACLE_SAMPLERS_MAX];
    size_t sampler_count;
    char sizes[ORACLE_SIZES_MAX][ORACLE_NAME]; /* texsize_NAME, in the order of the block's end */
    size_t size_count;
};

bool oracle_text_make(struct oracle_text *text, enum shader_stage stage,
                      const struct base_source *source);
void oracle_text_free(struct oracle_text *text);

/* Fills the block of uniforms that the text declares; floats used. */
size_t oracle_text_block(const struct oracle_text *text, const struct oracle_scene *scene,
                         float block[ORACLE_BLOCK]);

/* ---- oracle_tools.c: programs of others ---- */

/* Whether the programs can be started at all. */
bool oracle_tools_present(void);

/* GLSL from HLSL, malloc'ed; NULL where a program refuses the text, with its words in *refusal
 * (malloc'ed or NULL). Files of this stage begin with `path`. rounded: textures are read with
 * weights of 8 bits and a detail as ours are, else as the GL does. */
char *oracle_translate(const char *hlsl, const char *path, bool rounded, char **refusal);

/* ---- oracle_gl.c: drawing there ---- */

struct oracle_gl;
struct oracle_gl *oracle_gl_open(void); /* NULL without a software GL */
void oracle_gl_close(struct oracle_gl *gl);

/* Red, green, blue of all pixels, not clamped. nudged: inputs are one step of a float off, to
 * see what hangs on the last bit. */
bool oracle_gl_draw(struct oracle_gl *gl, const struct oracle_scene *scene, enum shader_stage stage,
                    const struct oracle_text *text, const char *glsl, bool nudged,
                    float (*pixels)[3]);

/* ---- oracle_ours.c: drawing here ---- */

bool oracle_ours_draw(const struct oracle_scene *scene, enum shader_stage stage,
                      const struct base_source *source, float (*pixels)[3]);

#endif
