/* Reads of textures on a device, as renderer/shader/texture/texture.h defines them, from words in
 * buffers; and how textures stand there. */
#ifndef GPU_SPIRV_READ_H
#define GPU_SPIRV_READ_H

#include "gpu/spirv/words.h"
#include "renderer/shader/ir/ir.h"

/* What a module's buffers hold. */
enum spirv_buffer {
    SPIRV_BUFFER_NUMBERS,  /* numbers that are the same for all pixels */
    SPIRV_BUFFER_TEXTURES, /* of each binding SPIRV_TEXTURE_WORDS, where it has several levels */
    SPIRV_BUFFER_TEXELS,   /* of textures that stay as they are */
    SPIRV_BUFFER_PICTURES, /* those of the others */
    SPIRV_BUFFER_PLACES,   /* of pixels: program.h */
    SPIRV_BUFFER_INPUTS,
    SPIRV_BUFFER_RESULTS,
};

/* Words of a binding: levels (0: there is no texture), whether it is opaque, then of each level
 * these. */
enum spirv_level_word {
    SPIRV_LEVEL_WIDTH,
    SPIRV_LEVEL_HEIGHT,
    SPIRV_LEVEL_DEPTH,
    SPIRV_LEVEL_PITCH,
    SPIRV_LEVEL_SLICE,
    SPIRV_LEVEL_FIRST, /* its first texel's place in its buffer */
    SPIRV_LEVEL_WORDS
};
enum {
    SPIRV_TEXTURE_LEVELS,
    SPIRV_TEXTURE_OPAQUE,
    SPIRV_TEXTURE_FIRST_LEVEL,
    SPIRV_TEXTURE_WORDS = SPIRV_TEXTURE_FIRST_LEVEL + SHADER_LEVELS_MAX * SPIRV_LEVEL_WORDS
};

/* How many texels a texture has in its buffer; 0 for NULL. */
size_t spirv_texture_texels(const struct shader_texture *texture);

/* A texture as a program knows it. */
struct spirv_source {
    const struct shader_texture
        *texture;    /* its levels, without their texels; NULL: there is none */
    unsigned texels; /* SPIRV_BUFFER_PICTURES or SPIRV_BUFFER_TEXELS */
    uint32_t first;  /* place of its first texel there */
};

/* Fills a source's words; where its first level stands in its buffer, the others stand right
 * behind. */
void spirv_source_words(uint32_t words[SPIRV_TEXTURE_WORDS], const struct spirv_source *source);
/* Copies all its texels to where they stand in its buffer. */
void spirv_source_texels(uint32_t *buffer, const struct spirv_source *source);

/* A read with its arguments (FLOATS) in the order of ops.def, from sources by binding; gives a
 * TEXEL. */
uint32_t spirv_read_texture(struct spirv *module, enum shader_op op,
                            const struct shader_fetch *fetch, const struct spirv_source *sources,
                            const uint32_t *arguments);

#endif
