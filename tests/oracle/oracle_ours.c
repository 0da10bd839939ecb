#include "base/os/print.h"
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

struct work {
    struct shader_frame frame;
    void *scratch;
};

static bool open_work(struct work *work, const struct oracle_scene *scene,
                      const struct shader_program *program)
{
    *work = (struct work){.frame = {.program = program, .cpu = base_cpu_best()}};
    work->frame.constants = aligned_alloc(64, shader_constants_size(program));
    work->scratch = aligned_alloc(64, shader_scratch_size(program));
    if (work->frame.constants == NULL || work->scratch == NULL) {
        return false;
    }
    memcpy(work->frame.uniforms, scene->uniforms, sizeof scene->uniforms);
    const struct shader_binding *bindings;
    const size_t count = shader_bindings(program, &bindings);
    for (size_t k = 0; k < count; k++) {
        work->frame.textures[k] = oracle_scene_texture(scene, bindings[k].name, bindings[k].volume);
    }
    shader_prepare(&work->frame);
    return true;
}

static void close_work(struct work *work)
{
    free(work->frame.constants);
    free(work->scratch);
}

/* Columns behind the last one are like it. */
static size_t pixel_of(size_t x, size_t y, size_t lane)
{
    const size_t column = x + lane % SHADER_TILE_COLUMNS;
    return (y + lane / SHADER_TILE_COLUMNS) * ORACLE_WIDTH +
           (column < ORACLE_WIDTH ? column : ORACLE_WIDTH - 1);
}

static void draw_tile(const struct work *work, const float (*inputs)[ORACLE_PIXELS], size_t x,
                      size_t y, float (*pixels)[3])
{
    struct shader_tile tile = shader_tile(&work->frame, work->scratch);
    for (size_t input = 0; input < SHADER_INPUTS; input++) {
        for (size_t lane = 0; tile.input[input] != NULL && lane < SHADER_TILE; lane++) {
            tile.input[input][lane] = inputs[input][pixel_of(x, y, lane)];
        }
    }
    (void)shader_run(&work->frame, work->scratch, &tile);
    for (size_t lane = 0; lane < SHADER_TILE; lane++) {
        for (size_t channel = 0; channel < 3; channel++) {
            pixels[pixel_of(x, y, lane)][channel] = tile.ret[channel][lane];
        }
    }
}

bool oracle_ours_draw(const struct oracle_scene *scene, enum shader_stage stage,
                      const struct base_source *source, float (*pixels)[3])
{
    struct shader_program *program = shader_compile(stage, source, &base_diag_stderr);
    if (program == NULL) {
        return false;
    }
    struct work work;
    const bool opened = open_work(&work, scene, program);
    for (size_t y = 0; opened && y < ORACLE_HEIGHT; y += SHADER_TILE_ROWS) {
        for (size_t x = 0; x < ORACLE_WIDTH; x += SHADER_TILE_COLUMNS) {
            draw_tile(&work, scene->inputs[stage], x, y, pixels);
        }
    }
    close_work(&work);
    shader_free(program);
    return opened;
}
