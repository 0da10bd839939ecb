/* What presets share. */
#include "renderer/picture/resources.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "renderer/shader/texture/texture.h"
#include "renderer/standin/standin.h"

/* Things that nobody uses any more are kept up to these numbers, the newest first; pictures also as
 * far as the memory of one preset goes. */
enum { STAGES_KEPT = 32, PICTURES_KEPT = 16, PATH_SIZE = 4096 };

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

/* bytes: that pictures may take, 0 for stages. */
static void drop_old(struct rend_resources *resources, enum kind kind, size_t keep, size_t bytes)
{
    struct rend_resource **link = &resources->newest;
    size_t seen = 0;
    size_t used = 0;
    while (*link != NULL) {
        struct rend_resource *resource = *link;
        const bool counts = resource->kind == kind;
        seen += counts ? 1 : 0;
        if (counts && kind == PICTURE) {
            const struct shader_level *level = &resource->image.texture.level[0];
            used += shader_image_bytes(level->width, level->height, 1);
        }
        const bool too_many = seen > keep || used > bytes;
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

size_t rend_resources_memory(const struct rend_resources *resources)
{
    const size_t memory = resources != NULL ? resources->pictures.memory : 0;
    return memory > 0 ? memory : REND_MEMORY;
}

void rend_resource_release(struct rend_resource *resource)
{
    if (resource != NULL) {
        atomic_fetch_sub(&resource->users, 1);
    }
}

/* ---- stages ---- */

struct rend_resource *rend_resource_stage(struct rend_resources *resources, enum shader_stage stage,
                                          const struct base_source *source,
                                          const struct base_diag_sink *sink)
{
    const struct base_place place = {.file = source->file};
    /* The lines with an end each. */
    size_t size = 0;
    for (size_t i = 0; i < source->count; i++) {
        size += source->lines[i].text.size + 1;
    }
    char *key = malloc(size + 1);
    size_t at = 0;
    for (size_t i = 0; i < source->count && key != NULL; i++) {
        const struct base_span line = source->lines[i].text;
        if (line.size > 0) {
            memcpy(key + at, line.data, line.size);
        }
        at += line.size;
        key[at++] = '\n';
    }
    struct rend_resource *resource = key != NULL ? find(resources, STAGE, stage, key, size) : NULL;
    if (resource != NULL) {
        free(key);
        return resource;
    }
    drop_old(resources, STAGE, STAGES_KEPT, 0);
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

enum { SIDE_LEAST = 64, KEY_SIZE = PATH_SIZE + 1 };

/* One that is wanted, before and after it is known how large it may be. */
struct wish {
    struct rend_picture_request request;
    struct rend_resource *resource;
    struct rend_extent extent;
    int halvings;
    bool usable;             /* else something stands in for it */
    const struct wish *same; /* before this one, of the same picture; NULL: none */
    char path[PATH_SIZE];
};

struct plan {
    size_t count;
    struct wish *order[REND_PICTURES_MAX]; /* as they are loaded */
    struct wish wishes[REND_PICTURES_MAX];
};

static size_t reduced(int side, int halvings)
{
    return ((size_t)side + ((size_t)1 << halvings) - 1) >> halvings;
}

/* What it takes as a texture. */
static size_t bytes_of(const struct wish *wish)
{
    return wish->usable && wish->same == NULL
               ? shader_image_bytes((int)reduced(wish->extent.width, wish->halvings),
                                    (int)reduced(wish->extent.height, wish->halvings), 1)
               : 0;
}

/* The most that is in use while it is loaded: first what its file asks for, with the pixels, then
 * these and the texture. */
static size_t peak_of(const struct wish *wish)
{
    const size_t pixels = reduced(wish->extent.width, wish->halvings) *
                          reduced(wish->extent.height, wish->halvings) * sizeof(uint32_t);
    const size_t texture = bytes_of(wish);
    const size_t beside = wish->extent.scratch > texture ? wish->extent.scratch : texture;
    return texture > 0 ? pixels + beside : 0;
}

static void warn(const struct wish *wish, const struct base_diag_sink *sink, const char *hint,
                 const char *what)
{
    base_report(sink, BASE_WARNING, (struct base_place){.file = wish->request.preset_path}, hint,
                what, wish->request.name);
}

static void look_for(const struct rend_resources *resources, struct plan *plan, size_t index,
                     const struct base_diag_sink *sink)
{
    const struct rend_pictures *source = &resources->pictures;
    struct wish *wish = &plan->wishes[index];
    wish->usable = source->find != NULL &&
                   source->find(source->user, &wish->request, wish->path, sizeof wish->path);
    for (size_t i = 0; i < index; i++) {
        const struct wish *other = &plan->wishes[i];
        if (wish->usable ? strcmp(other->path, wish->path) == 0
                         : strcmp(other->request.name, wish->request.name) == 0) {
            wish->same = other;
            return;
        }
    }
    if (source->find == NULL) {
        return;
    }
    if (!wish->usable) {
        wish->path[0] = '\0';
        warn(wish, sink, "another takes its place; --textures names a folder",
             "there is no picture '%.120s'");
    } else if (source->measure(source->user, wish->path, &wish->extent, sink) != 0) {
        wish->usable = false;
    }
}

/* Makes the largest of the first ones smaller until this one can be loaded after those before it.
 */
static void make_room(struct plan *plan, size_t last, size_t room,
                      const struct base_diag_sink *sink)
{
    for (;;) {
        struct wish *largest = NULL;
        size_t before = 0;
        for (size_t i = 0; i <= last; i++) {
            struct wish *wish = plan->order[i];
            const bool divisible = wish->halvings < REND_HALVINGS_MAX &&
                                   (reduced(wish->extent.width, wish->halvings) > SIDE_LEAST ||
                                    reduced(wish->extent.height, wish->halvings) > SIDE_LEAST);
            if (divisible && bytes_of(wish) > (largest != NULL ? bytes_of(largest) : 0)) {
                largest = wish;
            }
            before += i < last ? bytes_of(wish) : 0;
        }
        struct wish *wish = plan->order[last];
        const size_t peak = peak_of(wish);
        if (peak == 0 || (before <= room && peak <= room - before)) {
            return;
        }
        if (largest != NULL && wish->extent.scratch <= room) {
            largest->halvings++;
        } else {
            wish->usable = false;
            warn(wish, sink, "another takes its place; --memory gives a preset more",
                 "there is not enough memory for the picture '%.120s'");
        }
    }
}

static void tell_reduced(const struct wish *wish, size_t room, const struct base_diag_sink *sink)
{
    if (bytes_of(wish) > 0 && wish->halvings > 0) {
        const int width = (int)reduced(wish->extent.width, wish->halvings);
        const int height = (int)reduced(wish->extent.height, wish->halvings);
        base_report(sink, BASE_NOTE, (struct base_place){.file = wish->request.preset_path},
                    "--memory gives a preset more",
                    "the picture '%.120s' is made smaller, from %dx%d to %dx%d, for all of them to "
                    "fit into %zu MiB",
                    wish->request.name, wish->extent.width, wish->extent.height, width, height,
                    room >> 20);
    }
}

/* The path and how often it is halved, or the name of what it stands in for. */
static size_t key_of(const struct wish *wish, char key[KEY_SIZE])
{
    const char *text = wish->usable ? wish->path : wish->request.name;
    const size_t size = strlen(text) + 1;
    memcpy(key, text, size);
    key[size] = (char)wish->halvings;
    return size + (wish->usable ? 1 : 0);
}

static struct rend_resource *find_wish(struct rend_resources *resources, const struct wish *wish)
{
    char key[KEY_SIZE];
    const size_t size = key_of(wish, key);
    return find(resources, PICTURE, SHADER_WARP, key, size);
}

static struct rend_resource *make_picture(struct rend_resources *resources, const struct wish *wish,
                                          struct rend_picture *picture)
{
    char key[KEY_SIZE];
    const size_t size = key_of(wish, key);
    char *copy = malloc(size);
    if (copy == NULL) {
        return NULL;
    }
    memcpy(copy, key, size);
    struct rend_resource *resource = add(resources, PICTURE, copy, size);
    if (resource == NULL) {
        return NULL;
    }
    if (shader_image_create(&resource->image, picture->pixels, (size_t)picture->width,
                            picture->width, picture->height, 1) != 0) {
        remove_newest(resources);
        return NULL;
    }
    const uint8_t sides[4] = {(uint8_t)picture->width, (uint8_t)(picture->width >> 8),
                              (uint8_t)picture->height, (uint8_t)(picture->height >> 8)};
    const size_t pixels = (size_t)picture->width * (size_t)picture->height;
    const uint64_t hash = base_hash(BASE_HASH_START, sides, sizeof sides);
    resource->content = base_hash(hash, picture->pixels, pixels * sizeof *picture->pixels);
    return resource;
}

/* False without memory. */
static bool draw_standin(struct rend_picture *picture, const char *name)
{
    const size_t side = REND_STANDIN_SIDE;
    *picture = (struct rend_picture){malloc(side * side * sizeof *picture->pixels),
                                     REND_STANDIN_SIDE, REND_STANDIN_SIDE};
    if (picture->pixels != NULL) {
        rend_standin_paint(picture->pixels, REND_STANDIN_SIDE, name);
    }
    return picture->pixels != NULL;
}

static struct rend_resource *load_wish(struct rend_resources *resources, struct wish *wish,
                                       size_t room, const struct base_diag_sink *sink)
{
    const struct rend_pictures *source = &resources->pictures;
    struct rend_picture picture = {0};
    struct rend_resource *resource = NULL;
    if (wish->usable) {
        wish->usable =
            source->load(source->user, wish->path, wish->halvings, room, &picture, sink) == 0;
        resource = wish->usable ? make_picture(resources, wish, &picture) : NULL;
        free(picture.pixels);
        if (wish->usable && resource == NULL) {
            wish->usable = false;
            warn(wish, sink, "another takes its place",
                 "there is not enough memory for the picture '%.120s'");
        }
    }
    if (resource == NULL && (resource = find_wish(resources, wish)) == NULL &&
        draw_standin(&picture, wish->request.name)) {
        resource = make_picture(resources, wish, &picture);
        free(picture.pixels);
    }
    return resource;
}

static bool take(struct rend_resources *resources, struct plan *plan, size_t room,
                 const struct base_diag_sink *sink)
{
    /* What takes most on the way comes first, while there is most room. */
    for (size_t i = 0; i < plan->count; i++) {
        look_for(resources, plan, i, sink);
        size_t at = i;
        for (; at > 0 && plan->order[at - 1]->extent.scratch < plan->wishes[i].extent.scratch;
             at--) {
            plan->order[at] = plan->order[at - 1];
        }
        plan->order[at] = &plan->wishes[i];
    }
    for (size_t i = 0; i < plan->count; i++) {
        make_room(plan, i, room, sink);
    }
    /* Pictures of before that are there stay; others make room for the most that is in use. */
    size_t needed = 0;
    size_t before = 0;
    for (size_t i = 0; i < plan->count; i++) {
        struct wish *wish = plan->order[i];
        tell_reduced(wish, room, sink);
        wish->resource = wish->same != NULL ? NULL : find_wish(resources, wish);
        if (wish->resource == NULL) {
            const size_t peak = before + peak_of(wish);
            needed = peak > needed ? peak : needed;
            before += bytes_of(wish);
        }
    }
    const size_t memory = rend_resources_memory(resources);
    drop_old(resources, PICTURE, PICTURES_KEPT, needed < memory ? memory - needed : 0);
    size_t used = 0;
    for (size_t i = 0; i < plan->count; i++) {
        struct wish *wish = plan->order[i];
        if (wish->resource == NULL && wish->same == NULL) {
            wish->resource = load_wish(resources, wish, room - used, sink);
            if (wish->resource == NULL) {
                return false;
            }
        }
        used += bytes_of(wish);
    }
    return true;
}

int rend_resource_pictures(struct rend_resources *resources,
                           const struct rend_picture_request *requests, size_t count, size_t room,
                           struct rend_resource **taken, bool *whole,
                           const struct base_diag_sink *sink)
{
    struct plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL) {
        return -1;
    }
    plan->count = count;
    for (size_t i = 0; i < count; i++) {
        plan->wishes[i].request = requests[i];
        plan->wishes[i].request.seed = resources->pictures.seed;
    }
    const bool good = take(resources, plan, room, sink);
    *whole = true;
    for (size_t i = 0; i < count; i++) {
        struct wish *wish = &plan->wishes[i];
        const struct wish *first = wish->same != NULL ? wish->same : wish;
        taken[i] = first->resource;
        *whole = *whole && (first->usable || resources->pictures.find == NULL);
        if (wish->same != NULL && good) {
            atomic_fetch_add(&taken[i]->users, 1);
        } else if (!good) {
            rend_resource_release(wish->resource);
        }
    }
    free(plan);
    return good ? 0 : -1;
}

const struct shader_texture *rend_resource_texture(const struct rend_resource *resource)
{
    return &resource->image.texture;
}

uint64_t rend_resource_content(const struct rend_resource *resource)
{
    return resource->content;
}

bool rend_resource_noise(struct rend_resources *resources, const char *name,
                         const struct shader_texture **noise)
{
    *noise = shader_noises_find(&resources->noises, name);
    const bool named = *noise != NULL;
    if (named && !resources->has_noises) {
        resources->has_noises = shader_noises_create(&resources->noises) == 0;
        *noise = resources->has_noises ? *noise : NULL;
    }
    return named;
}
