#include <string.h>

#include "renderer/default_stage.h"
#include "renderer/patch.h"

struct shading {
    struct rend_patch *patch;
    const struct preset *preset;
    struct rend_resources *resources;
    const struct base_diag_sink *sink;
};

static bool bind_picture(const struct shading *shading, struct rend_shader *shader, size_t slot,
                         const char *name)
{
    const struct rend_picture_request request = {name, shading->preset->path};
    shader->picture[slot] = rend_resource_picture(shading->resources, &request, shading->sink);
    if (shader->picture[slot] == NULL) {
        return false;
    }
    shader->fixed[slot] = rend_resource_texture(shader->picture[slot]);
    return true;
}

static bool bind_texture(const struct shading *shading, struct rend_shader *shader, size_t slot,
                         const struct shader_binding *binding)
{
    static const struct {
        const char *name;
        enum rend_texture texture;
    } canvases[] = {{"main", REND_TEXTURE_MAIN},
                    {"blur1", REND_TEXTURE_BLUR1},
                    {"blur2", REND_TEXTURE_BLUR2},
                    {"blur3", REND_TEXTURE_BLUR3}};
    for (size_t i = 0; i < sizeof canvases / sizeof *canvases; i++) {
        if (strcmp(binding->name, canvases[i].name) == 0) {
            shader->texture[slot] = canvases[i].texture;
            return true;
        }
    }
    shader->texture[slot] = REND_TEXTURE_FIXED;
    shader->fixed[slot] = rend_resource_noise(shading->resources, binding->name);
    return shader->fixed[slot] != NULL || bind_picture(shading, shader, slot, binding->name);
}

static bool bind_textures(const struct shading *shading, struct rend_shader *shader)
{
    const struct shader_binding *bindings;
    shader->textures = shader_bindings(shader->program, &bindings);
    for (size_t i = 0; i < shader->textures; i++) {
        if (!bind_texture(shading, shader, i, &bindings[i])) {
            return false;
        }
    }
    return true;
}

/* The stage's own text, or what stands in for it. */
static bool make_stage(const struct shading *shading, enum shader_stage stage,
                       const struct base_source *text)
{
    struct rend_patch *patch = shading->patch;
    struct rend_shader *shader = &patch->shader[stage];
    shader->stage = rend_resource_stage(shading->resources, stage, text, shading->sink);
    if (shader->stage == NULL) {
        patch->status = REND_PATCH_DEGRADED;
        text = rend_fallback_stage(stage);
        shader->stage = rend_resource_stage(shading->resources, stage, text, shading->sink);
    }
    if (shader->stage == NULL) {
        return false;
    }
    shader->program = rend_resource_program(shader->stage);
    const int levels = shader_blur_levels(shader->program);
    patch->blur_levels = levels > patch->blur_levels ? levels : patch->blur_levels;
    return bind_textures(shading, shader);
}

static bool stage_of(const struct shading *shading, enum shader_stage stage, int32_t model)
{
    if (model == 0) {
        return true;
    }
    const struct base_source *text =
        rend_stage_text(stage, shading->preset, &shading->patch->arena);
    return text != NULL && make_stage(shading, stage, text);
}

bool rend_patch_shaders(struct rend_patch *patch, const struct preset *preset,
                        struct rend_resources *resources, const struct base_diag_sink *sink)
{
    if (preset->warp_shader == 0 && preset->comp_shader == 0) {
        return true;
    }
    if (resources == NULL) {
        patch->own_resources = rend_resources_create(NULL);
        resources = patch->own_resources;
    }
    const struct shading shading = {patch, preset, resources, sink};
    return resources != NULL && stage_of(&shading, SHADER_WARP, preset->warp_shader) &&
           stage_of(&shading, SHADER_COMP, preset->comp_shader);
}

void rend_patch_shaders_free(struct rend_patch *patch)
{
    for (size_t i = 0; i < SHADER_STAGES; i++) {
        struct rend_shader *shader = &patch->shader[i];
        for (size_t k = 0; k < shader->textures; k++) {
            rend_resource_release(shader->picture[k]);
        }
        rend_resource_release(shader->stage);
    }
    rend_resources_free(patch->own_resources);
}
