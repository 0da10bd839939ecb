#include "renderer/picture/resources.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "renderer/shader/texture/texture.h"

/* Things that nobody uses any more are kept up to these numbers, the newest first; pictures also up
 * to so many texels together. */
enum { STAGES_KEPT = 32, PICTURES_KEPT = 16, TEXELS_KEPT = 64 * 1024 * 1024, PATH_SIZE = 4096 };

enum kind { STAGE, PICTURE };

struct rend_resource {
    struct rend_resource *next;
    enum kind kind;
    atomic_int users;
    char *key; /* of a picture: where it comes from; of a stage: its text */
    size_t key_size;
    enum shader_stage stage;
    struct shader_program *program;
    struct shader_image image;
    uint64_t content; /* of a picture */
};

struct rend_resources {
    struct rend_pictures pictures;
    struct rend_resource *newest;
    struct shader_noises noises;
    bool has_noises;
};

struct rend_resources *rend_resources_create(const struct rend_pictures *pictures)
{
    struct rend_resources *resources = calloc(1, sizeof *resources);
    if (resources != NULL && pictures != NULL) {
        resources->pictures = *pictures;
    }
    return resources;
}

static void free_resource(struct rend_resource *resource)
{
    shader_free(resource->program);
    shader_image_free(&resource->image);
    free(resource->key);
    free(resource);
}

void rend_resources_free(struct rend_resources *resources)
{
    if (resources == NULL) {
        return;
    }
    while (resources->newest != NULL) {
        struct rend_resource *resource = resources->newest;
        resources->newest = resource->next;
        free_resource(resource);
    }
    if (resources->has_noises) {
        shader_noises_free(&resources->noises);
    }
    free(resources);
}

/* Of the largest level; 0 for a stage. */
static size_t texels_of(const struct rend_resource *resource)
{
    const struct shader_level *level = &resource->image.texture.level[0];
    return (size_t)level->width * (size_t)level->height;
}

static void drop_old(struct rend_resources *resources, enum kind kind, size_t keep)
{
    struct rend_resource **link = &resources->newest;
    size_t seen = 0;
    size_t texels = 0;
    while (*link != NULL) {
        struct rend_resource *resource = *link;
        const bool counts = resource->kind == kind;
        seen += counts ? 1 : 0;
        texels += counts ? texels_of(resource) : 0;
        const bool too_many = seen > keep || texels > TEXELS_KEPT;
        if (counts && too_many && atomic_load(&resource->users) == 0) {
            *link = resource->next;
            free_resource(resource);
        } else {
            link = &resource->next;
        }
    }
}

static struct rend_resource *find(struct rend_resources *resources, enum kind kind,
                                  enum shader_stage stage, const char *key, size_t size)
{
    for (struct rend_resource *r = resources->newest; r != NULL; r = r->next) {
        if (r->kind == kind && r->stage == stage && r->key_size == size &&
            memcmp(r->key, key, size) == 0) {
            atomic_fetch_add(&r->users, 1);
            return r;
        }
    }
    return NULL;
}

/* Takes key over. */
static struct rend_resource *add(struct rend_resources *resources, enum kind kind, char *key,
                                 size_t size)
{
    struct rend_resource *resource = calloc(1, sizeof *resource);
    if (resource == NULL) {
        free(key);
        return NULL;
    }
    resource->kind = kind;
    resource->key = key;
    resource->key_size = size;
    atomic_init(&resource->users, 1);
    resource->next = resources->newest;
    resources->newest = resource;
    return resource;
}

static void remove_newest(struct rend_resources *resources)
{
    struct rend_resource *resource = resources->newest;
    resources->newest = resource->next;
    free_resource(resource);
}

void rend_resource_release(struct rend_resource *resource)
{
    if (resource != NULL) {
        atomic_fetch_sub(&resource->users, 1);
    }
}

/* ---- stages ---- */

/* The lines with an end each. */
static char *text_of(const struct base_source *source, size_t *size)
{
    *size = 0;
    for (size_t i = 0; i < source->count; i++) {
        *size += source->lines[i].text.size + 1;
    }
    char *text = malloc(*size + 1);
    size_t at = 0;
    for (size_t i = 0; i < source->count && text != NULL; i++) {
        const struct base_span line = source->lines[i].text;
        if (line.size > 0) {
            memcpy(text + at, line.data, line.size);
        }
        at += line.size;
        text[at++] = '\n';
    }
    return text;
}

struct rend_resource *rend_resource_stage(struct rend_resources *resources, enum shader_stage stage,
                                          const struct base_source *source,
                                          const struct base_diag_sink *sink)
{
    const struct base_place place = {.file = source->file};
    size_t size = 0;
    char *key = text_of(source, &size);
    struct rend_resource *resource = key != NULL ? find(resources, STAGE, stage, key, size) : NULL;
    if (resource != NULL) {
        free(key);
        return resource;
    }
    drop_old(resources, STAGE, STAGES_KEPT);
    resource = key != NULL ? add(resources, STAGE, key, size) : NULL;
    if (resource == NULL) {
        base_report(sink, BASE_ERROR, place, NULL, "not enough memory to compile the shader");
        return NULL;
    }
    resource->stage = stage;
    resource->program = shader_compile(stage, source, sink);
    if (resource->program == NULL) {
        remove_newest(resources);
        return NULL;
    }
    return resource;
}

const struct shader_program *rend_resource_program(const struct rend_resource *resource)
{
    return resource->program;
}

/* ---- pictures ---- */

static bool make_picture(struct rend_resources *resources, const char *path, const char *name,
                         struct rend_picture *picture, const struct base_diag_sink *sink)
{
    const struct rend_pictures *source = &resources->pictures;
    if (path != NULL && source->load(source->user, path, picture, sink) == 0) {
        return true;
    }
    return rend_standin_draw(picture, name) == 0;
}

static uint64_t content_of(const struct rend_picture *picture)
{
    const uint8_t size[4] = {(uint8_t)picture->width, (uint8_t)(picture->width >> 8),
                             (uint8_t)picture->height, (uint8_t)(picture->height >> 8)};
    const size_t pixels = (size_t)picture->width * (size_t)picture->height;
    const uint64_t hash = base_hash(BASE_HASH_START, size, sizeof size);
    return base_hash(hash, picture->pixels, pixels * sizeof *picture->pixels);
}

struct rend_resource *rend_resource_picture(struct rend_resources *resources,
                                            const struct rend_picture_request *request,
                                            const struct base_diag_sink *sink)
{
    const struct rend_pictures *source = &resources->pictures;
    char path[PATH_SIZE];
    const bool found =
        source->find != NULL && source->find(source->user, request, path, sizeof path);
    const char *key = found ? path : request->name;
    const size_t size = strlen(key) + 1;
    struct rend_resource *resource = find(resources, PICTURE, SHADER_WARP, key, size);
    if (resource != NULL) {
        return resource;
    }
    drop_old(resources, PICTURE, PICTURES_KEPT);
    char *copy = malloc(size);
    if (copy == NULL) {
        return NULL;
    }
    memcpy(copy, key, size);
    struct rend_picture picture = {0};
    resource = add(resources, PICTURE, copy, size);
    const bool good = resource != NULL &&
                      make_picture(resources, found ? path : NULL, request->name, &picture, sink) &&
                      shader_image_create(&resource->image, picture.pixels, (size_t)picture.width,
                                          picture.width, picture.height, 1) == 0;
    if (good) {
        resource->content = content_of(&picture);
    }
    free(picture.pixels);
    if (resource != NULL && !good) {
        remove_newest(resources);
        return NULL;
    }
    return resource;
}

const struct shader_texture *rend_resource_texture(const struct rend_resource *resource)
{
    return &resource->image.texture;
}

uint64_t rend_resource_content(const struct rend_resource *resource)
{
    return resource->content;
}

const struct shader_texture *rend_resource_noise(struct rend_resources *resources, const char *name)
{
    if (!resources->has_noises && shader_noises_create(&resources->noises) != 0) {
        return NULL;
    }
    resources->has_noises = true;
    return shader_noises_find(&resources->noises, name);
}
