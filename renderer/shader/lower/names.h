/* Finds small numbers by name: a table that is filled once and only grows. */
#ifndef RENDERER_SHADER_LOWER_NAMES_H
#define RENDERER_SHADER_LOWER_NAMES_H

#include <stdbool.h>

#include "base/text.h"
#include "renderer/shader/ir/stage.h"
#include "renderer/shader/texture/texture.h"

enum { SHADER_NAMES_MAX = 384, SHADER_NAMES_NONE = UINT16_MAX };

struct shader_names {
    struct shader_names_row {
        struct base_span name; /* size 0: free */
        uint16_t number;
    } rows[512]; /* a power of two, more than SHADER_NAMES_MAX */
};

/* A zeroed table is empty. The name's bytes must stay. A name that is there already keeps its
 * number. At most SHADER_NAMES_MAX names. */
void shader_names_add(struct shader_names *names, const char *name, uint16_t number);

/* SHADER_NAMES_NONE if it is not there. Case counts. */
uint16_t shader_names_find(const struct shader_names *names, struct base_span name);

/* Names of samplers and what they say (spec/milk-rendering.md section 9.3). */

struct shader_sampler_name {
    char texture[SHADER_TEXTURE_NAME]; /* as in struct shader_binding */
    struct shader_sampler sampler;
    bool volume; /* true for noise volumes; lowering sets it when it meets sampler3D or tex3D */
    bool flat;   /* the canvas and its blurred copies: opaque, without smaller levels */
};

/* Takes "sampler_", "texsize_" or neither, and one prefix such as "FW_", off a name. false if what
 * is left is empty or too long. */
bool shader_sampler_name(struct base_span name, struct shader_sampler_name *result);

/* Whether the name begins with "texsize_". */
bool shader_names_size(struct base_span name);

/* 1 to 3 for blur1 to blur3, else 0. */
int shader_blur_level(const char *texture);

#endif
