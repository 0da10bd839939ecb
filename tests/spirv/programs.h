/* The programs that tools look at, made as froth makes them. */
#ifndef TESTS_SPIRV_PROGRAMS_H
#define TESTS_SPIRV_PROGRAMS_H

#include <string.h>

#include "base/arena.h"
#include "gpu/spirv/equations/vertex.h"
#include "gpu/spirv/fixed/blur.h"
#include "gpu/spirv/fixed/cross.h"
#include "gpu/spirv/fixed/mix.h"
#include "gpu/spirv/fixed/overlay.h"
#include "gpu/spirv/fixed/screen.h"
#include "gpu/spirv/fixed/warp.h"
#include "gpu/spirv/program.h"
#include "pfpu/host/lines.h"
#include "presets/presets.h"
#include "renderer/patch.h"
#include "renderer/shader/shader.h"

/* The passes of blurring: weights of a column and of a row, pixels for each of the canvas. */
static const struct pass {
    int columns;
    int rows;
    double pixels;
} passes[] = {{16, 2, 1.0 / 4}, {4, 8, 1.0 / 16},   {16, 2, 1.0 / 64},
              {4, 8, 1.0 / 64}, {16, 2, 1.0 / 256}, {4, 8, 1.0 / 256}};
enum { PASSES = sizeof passes / sizeof *passes };

/* As froth makes it for pictures, where the canvas and what is blurred of it have one level and
 * others have several; or for numbers. */
static inline struct spirv_purpose purpose_of(const struct shader_program *shader,
                                              enum shader_stage stage, enum spirv_result result,
                                              bool denormals)
{
    static const struct shader_texture one = {
        .levels = 1,
        .opaque = true,
        .level = {{.width = 640, .height = 480, .depth = 1, .pitch = 641}}};
    static const struct shader_texture several = {
        .levels = 2,
        .level = {{.width = 256, .height = 256, .depth = 1, .pitch = 257},
                  {.width = 128, .height = 128, .depth = 1, .pitch = 129}}};
    static struct spirv_source sources[SHADER_TEXTURES_MAX];
    const struct shader_binding *bindings;
    const size_t count = shader_bindings(shader, &bindings);
    for (size_t i = 0; i < count; i++) {
        const bool moves =
            strcmp(bindings[i].name, "main") == 0 || strncmp(bindings[i].name, "blur", 4) == 0;
        sources[i] = (struct spirv_source){moves ? &one : &several,
                                           moves ? SPIRV_BUFFER_PICTURES : SPIRV_BUFFER_TEXELS,
                                           (uint32_t)(1000 * i)};
    }
    return (struct spirv_purpose){
        .result = result,
        .places = result == SPIRV_PIXELS,
        .stage = stage,
        .sources = sources,
        .controls = {true, denormals, true},
    };
}

/* The programs of stages that need no preset. */
static const struct {
    const char *name;
    uint32_t *(*words)(struct spirv_controls controls, size_t *count);
} others[] = {
    {"cross", spirv_cross_words},   {"mix", spirv_mix_words},     {"overlay", spirv_overlay_words},
    {"screen", spirv_screen_words}, {"small", spirv_small_words}, {"warp", spirv_warp_words},
};
enum { OTHERS = sizeof others / sizeof *others };

/* The program of a preset's equations of vertices, for the caller to free; NULL: it could not be
 * made. *there: the preset has some; *taken: a device runs them, else there is no program. */
static inline uint32_t *vertex_words(const struct preset *preset, bool denormals, bool *there,
                                     bool *taken, size_t *count)
{
    const struct spirv_controls controls = {.round_to_even = true,
                                            .keep_denormals = denormals,
                                            .keep_specials = true,
                                            .doubles = true,
                                            .keep_denormal_doubles = denormals};
    struct base_arena arena = {0};
    struct rend_patch *patch = rend_patch_create(preset, NULL, NULL);
    const struct pfpu_lanes *lanes = patch != NULL ? patch->vertex.lanes : NULL;
    const struct pfpu_lines *lines = lanes != NULL ? pfpu_lines_create(lanes, &arena) : NULL;
    uint32_t *words = NULL;
    *there = lanes != NULL;
    *taken = lines != NULL && spirv_vertex_takes(lines);
    if (*taken) {
        words = spirv_vertex_words(lines, rend_written_motions(patch->vertex.run), controls, count);
    }
    rend_patch_free(patch);
    base_arena_free(&arena);
    return words;
}

#endif
