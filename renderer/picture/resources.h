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

/* A picture that a preset names. */
struct rend_picture_request {
    /* Lower case, without ending. "rand00" to "rand15", alone or followed by "_prefix", stand for
     * any picture, or any whose name begins with the prefix. */
    const char *name;
    /* The file's whole name, without folders, in whatever letters: no other will do. NULL: any
     * ending will do. */
    const char *file;
    const char *preset_path; /* may be NULL */
    uint64_t seed;           /* of what is any; that of struct rend_pictures applies */
};

/* What a preset may take for its programs, its equations and its pictures, if nothing else is said.
 */
enum { REND_MEMORY = 256 * 1024 * 1024 };

/* A picture may become smaller: each side is halved so often and rounded up. */
enum { REND_HALVINGS_MAX = 7 };

struct rend_extent {
    int width; /* 1..SHADER_SIZE_MAX */
    int height;
    size_t scratch; /* bytes that loading takes beside the picture, however small that becomes */
};

/* Where pictures come from: the renderer itself touches no file. */
struct rend_pictures {
    void *user;
    /* A path, or another text that names the picture; false: there is none. */
    bool (*find)(void *user, const struct rend_picture_request *request, char *path, size_t size);
    /* How large it is, without unpacking it. 0, or -1 after a message. */
    int (*measure)(void *user, const char *path, struct rend_extent *extent,
                   const struct base_diag_sink *sink);
    /* halvings: 0..REND_HALVINGS_MAX; room: bytes that may be in use on the way. 0, or -1 after a
     * message. */
    int (*load)(void *user, const char *path, int halvings, size_t room,
                struct rend_picture *picture, const struct base_diag_sink *sink);
    size_t memory; /* bytes that each preset may take; 0: REND_MEMORY */
    uint64_t seed; /* which pictures stand for any: that of struct rend_config */
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

enum { REND_PICTURES_MAX = SHADER_STAGES * SHADER_TEXTURES_MAX };

/* Takes the pictures of a preset, count up to REND_PICTURES_MAX; the same one may be named several
 * times. Those that were given back stay for the next one as far as the memory of one preset goes
 * beside what is loaded. Loading and keeping them takes no more than `room` bytes: if need be the
 * largest are made smaller, which is said. In place of one that is not there, or cannot be used,
 * stands something of its character (renderer/standin/standin.h), after a warning; *whole then is
 * false. Where nothing finds pictures, stand-ins are what is wanted. Returns 0, or -1 without
 * memory, and nothing is taken. */
int rend_resource_pictures(struct rend_resources *resources,
                           const struct rend_picture_request *requests, size_t count, size_t room,
                           struct rend_resource **taken, bool *whole,
                           const struct base_diag_sink *sink);
const struct shader_texture *rend_resource_texture(const struct rend_resource *resource);
/* Hash of the picture's size and pixels. */
uint64_t rend_resource_content(const struct rend_resource *resource);

/* Bytes that each preset may take. NULL: REND_MEMORY. */
size_t rend_resources_memory(const struct rend_resources *resources);

void rend_resource_release(struct rend_resource *resource); /* NULL is fine */

/* Whether it is the name of one of the noise textures, and that texture; NULL: no memory. */
bool rend_resource_noise(struct rend_resources *resources, const char *name,
                         const struct shader_texture **noise);

#endif
