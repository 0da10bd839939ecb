/* Names of samplers and what they say (spec/milk-rendering.md section 9.3). */
#ifndef RENDERER_SHADER_SAMPLERS_H
#define RENDERER_SHADER_SAMPLERS_H

#include <stdbool.h>

#include "base/span.h"
#include "renderer/shader/shader.h"

struct shader_sampler_name {
    char texture[SHADER_TEXTURE_NAME]; /* as in struct shader_binding */
    struct shader_sampler sampler;
    bool volume; /* true for noise volumes; lowering sets it when it meets sampler3D or tex3D */
    bool flat;   /* the canvas and its blurred copies: opaque, without smaller levels */
};

/* Takes "sampler_", "texsize_" or neither, and one prefix such as "FW_", off a name. false if what
 * is left is empty or too long. */
bool shader_sampler_name(struct base_span name, struct shader_sampler_name *result);

/* Whether the name begins with "sampler_" or "texsize_". */
bool shader_names_sampler(struct base_span name);
bool shader_names_size(struct base_span name);

/* 1 to 3 for blur1 to blur3, else 0. */
int shader_blur_level(const char *texture);

#endif
