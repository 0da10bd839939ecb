/* The six noise textures that every shader may read (spec/milk-rendering.md section 9.5). They are
 * the same in every run. */
#ifndef RENDERER_SHADER_NOISE_H
#define RENDERER_SHADER_NOISE_H

#include "renderer/shader/texture.h"

enum { SHADER_NOISES = 6 };

/* Once made they only are read, by any number of threads. */
struct shader_noises {
    struct shader_image image[SHADER_NOISES];
};

/* 0, or -1 without memory. */
int shader_noises_create(struct shader_noises *noises);
void shader_noises_free(struct shader_noises *noises);

/* "noise_lq", ...: the name without "sampler_" and prefix; NULL if it is none of the six. */
const struct shader_texture *shader_noises_find(const struct shader_noises *noises,
                                                const char *name);

#endif
