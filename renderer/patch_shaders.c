#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "renderer/patch.h"
#include "renderer/shade.h"

enum { LINES_MAX = 16, LINE_SIZE = 128, NUMBER_SIZE = 32, LARGEST = 1000000 };

/* Lines as they are written; the arena's memory. */
struct text {
    struct base_arena *arena;
    struct base_source *source;
    struct base_source_line *lines;
};

__attribute__((format(printf, 2, 3))) static void line(struct text *text, const char *format, ...)
{
    char buffer[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    const size_t count = text->source->count;
    const char *copy = base_arena_text(text->arena, buffer, (size_t)size);
    if (copy != NULL) {
        text->lines[count] =
            (struct base_source_line){{copy, (size_t)size}, (uint32_t)count + 1, 1};
        text->source->count++;
    }
}

/* A number as text. */
struct number {
    char text[NUMBER_SIZE];
};

/* With two or three decimals, whatever the locale. Numbers far off are cut. */
static struct number number(double value, int decimals)
{
    const int unit = decimals == 2 ? 100 : 1000;
    const double most = LARGEST;
    const double near = value > -most ? fmin(value, most) : -most;
    const long long whole = (long long)floor(fabs(near) * unit + 0.5);
    struct number result;
    (void)snprintf(result.text, sizeof result.text, "%s%lld.%0*lld",
                   near < 0 && whole != 0 ? "-" : "", whole / unit, decimals, whole % unit);
    return result;
}

static void warp_body(struct text *text, const struct preset *preset)
{
    line(text, "    ret = tex2D(%s, uv).xyz * %s;",
         preset->wrap != 0 ? "sampler_main" : "sampler_fc_main", number(preset->decay, 2).text);
}

static void comp_body(struct text *text, const struct preset *preset)
{
    const double least = 0.005; /* prints as more than 0.00 */
    line(text, "    ret = tex2D(sampler_main, uv).xyz;");
    if ((double)preset->echo_alpha >= least) {
        /* The picture and a larger or smaller one over it. */
        const int32_t orientation = (preset->echo_orient % 4 + 4) % 4;
        const struct number size = number(1 / (double)preset->echo_zoom, 3);
        line(text, "    float2 echo_uv = (uv - 0.5) * %s * float2(%s, %s) + 0.5;", size.text,
             (orientation & 1) != 0 ? "-1" : "1", (orientation & 2) != 0 ? "-1" : "1");
        line(text, "    ret = lerp(ret, tex2D(sampler_main, echo_uv).xyz, %s);",
             number(preset->echo_alpha, 2).text);
    }
    line(text, "    ret *= %s;", number(preset->gamma, 2).text);
    if ((double)preset->shader >= least) {
        const double strength = fmin((double)preset->shader, 1);
        line(text, "    ret *= %s + %s * hue_shader;", number(1 - strength, 2).text,
             number(strength, 2).text);
    }
    const struct {
        int32_t on;
        const char *line;
    } filters[] = {
        {preset->brighten, "    ret = sqrt(ret);"},
        {preset->darken, "    ret *= ret;"},
        {preset->solarize, "    ret = ret * (1 - ret) * 4;"},
        {preset->invert, "    ret = 1 - ret;"},
    };
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        if (filters[i].on != 0) {
            line(text, "%s", filters[i].line);
        }
    }
}

static const struct {
    const char *name;
    void (*body)(struct text *text, const struct preset *preset);
} defaults[SHADER_STAGES] = {
    [SHADER_WARP] = {"default warp shader", warp_body},
    [SHADER_COMP] = {"default comp shader", comp_body},
};

const struct base_source *rend_default_stage(enum shader_stage stage, const struct preset *preset,
                                             struct base_arena *arena)
{
    struct text text = {.arena = arena,
                        .source = base_arena_alloc(arena, sizeof *text.source),
                        .lines = base_arena_array(arena, LINES_MAX, sizeof *text.lines)};
    if (text.source == NULL || text.lines == NULL) {
        return NULL;
    }
    *text.source = (struct base_source){.file = defaults[stage].name, .lines = text.lines};
    line(&text, "shader_body");
    line(&text, "{");
    defaults[stage].body(&text, preset);
    line(&text, "}");
    return arena->failed ? NULL : text.source;
}

#define LINE(text, number)                                                                         \
    {                                                                                              \
        {text, sizeof(text) - 1}, number, 1                                                        \
    }

static const struct base_source_line fallback_warp[] = {
    LINE("shader_body", 1),
    LINE("{", 2),
    LINE("    ret = tex2D(sampler_main, uv).xyz - 0.004;", 3),
    LINE("}", 4),
};

static const struct base_source_line fallback_comp[] = {
    LINE("shader_body", 1),
    LINE("{", 2),
    LINE("    ret = tex2D(sampler_main, uv).xyz;", 3),
    LINE("}", 4),
};

static const struct base_source fallbacks[SHADER_STAGES] = {
    [SHADER_WARP] = {"fallback warp shader", fallback_warp, 4},
    [SHADER_COMP] = {"fallback comp shader", fallback_comp, 4},
};

const struct base_source *rend_fallback_stage(enum shader_stage stage)
{
    return &fallbacks[stage];
}

static bool is_blank(const struct base_source *text)
{
    for (size_t i = 0; i < text->count; i++) {
        const struct base_span line = text->lines[i].text;
        for (size_t k = 0; k < line.size; k++) {
            if (line.data[k] != ' ' && line.data[k] != '\t') {
                return false;
            }
        }
    }
    return true;
}

const struct base_source *rend_stage_text(enum shader_stage stage, const struct preset *preset,
                                          struct base_arena *arena)
{
    const struct base_source *own = stage == SHADER_WARP ? &preset->warp_code : &preset->comp_code;
    return is_blank(own) ? rend_default_stage(stage, preset, arena) : own;
}

struct shading {
    struct rend_patch *patch;
    const struct preset *preset;
    struct rend_resources *resources;
    const struct base_diag_sink *sink;
};

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
    if (shader->fixed[slot] == NULL) {
        const struct rend_picture_request request = {binding->name, shading->preset->path};
        shader->picture[slot] = rend_resource_picture(shading->resources, &request, shading->sink);
        if (shader->picture[slot] == NULL) {
            return false;
        }
        shader->fixed[slot] = rend_resource_texture(shader->picture[slot]);
    }
    return true;
}

static bool stage_of(const struct shading *shading, enum shader_stage stage, int32_t model)
{
    if (model == 0) {
        return true;
    }
    const struct base_source *text =
        rend_stage_text(stage, shading->preset, &shading->patch->arena);
    if (text == NULL) {
        return false;
    }
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
    const struct shader_binding *bindings;
    shader->textures = shader_bindings(shader->program, &bindings);
    for (size_t i = 0; i < shader->textures; i++) {
        if (!bind_texture(shading, shader, i, &bindings[i])) {
            return false;
        }
    }
    return true;
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
