/* What presets share: noise textures, pictures from disk, compiled shader stages. Making things is
 * for one thread at a time; giving them back may happen on any thread. */
#ifndef RENDERER_PICTURE_RESOURCES_H
#define RENDERER_PICTURE_RESOURCES_H

#include <stdbool.h>
#include <stdint.h>

#include "renderer/shader/shader.h"

/* 0xAARRGGBB, row 0 at the top, from malloc. */
struct rend_picture {
    uint32_t *pixels;
    int width; /* 1..SHADER_SIZE_MAX */
    int height;
};

/* A picture that a shader names. */
struct rend_picture_request {
    /* Lower case, without ending. "rand00" to "rand15", alone or followed by "_prefix", stand for
     * any picture, or any whose name begins with the prefix. */
    const char *name;
    const char *preset_path; /* may be NULL */
};

/* Where pictures come from: the renderer itself touches no file. */
struct rend_pictures {
    void *user;
    /* A path, or another text that names the picture; false: there is none. */
    bool (*find)(void *user, const struct rend_picture_request *request, char *path, size_t size);
    /* 0, or -1 after a message. */
    int (*load)(void *user, const char *path, struct rend_picture *picture,
                const struct base_diag_sink *sink);
};

struct rend_resources;

/* pictures: copied; NULL: there are none. NULL without memory. */
struct rend_resources *rend_resources_create(const struct rend_pictures *pictures);
/* Everything taken from it has been given back. NULL is fine. */
void rend_resources_free(struct rend_resources *resources);

struct rend_resource; /* something taken */

/* A stage compiled, or the same one as before: by its text. NULL after an error message. */
struct rend_resource *rend_resource_stage(struct rend_resources *resources, enum shader_stage stage,
                                          const struct base_source *source,
                                          const struct base_diag_sink *sink);
const struct shader_program *rend_resource_program(const struct rend_resource *resource);

/* A picture, or something of its character in its place (standin.h). NULL without memory. */
struct rend_resource *rend_resource_picture(struct rend_resources *resources,
                                            const struct rend_picture_request *request,
                                            const struct base_diag_sink *sink);
const struct shader_texture *rend_resource_texture(const struct rend_resource *resource);
/* Hash of the picture's size and pixels. */
uint64_t rend_resource_content(const struct rend_resource *resource);

void rend_resource_release(struct rend_resource *resource); /* NULL is fine */

/* One of the noise textures; NULL: not one of them, or no memory. */
const struct shader_texture *rend_resource_noise(struct rend_resources *resources,
                                                 const char *name);

/* Pictures in place of those that a shader names and that are not there: drawn by formulas, of the
 * character that the name promises. */

/* The same name always gives the same picture; any name gives one. It tiles, but for sunrise and
 * spectrum from top to bottom. 0, or -1 without memory. */
int rend_standin_draw(struct rend_picture *picture, const char *name);

#endif
