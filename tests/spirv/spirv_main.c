/* Writes the SPIR-V programs of shader stages: spirv FOLDER PRESET...
 *
 * Of each preset both stages that have a shader; with the controls of a device that has them all
 * and of one that has the fewest, for pictures and for numbers. A file NUMBER-CONTROLS-RESULT.spv
 * each; prints how many stages and programs that were, and how many a device does not run. Exit
 * code 1: one could not be written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "gpu/spirv/program.h"
#include "presets/file.h"
#include "presets/presets.h"
#include "renderer/shade.h"
#include "renderer/shader/shader.h"

enum { PATH = 4096 };

struct work {
    const char *folder;
    size_t stages;
    size_t programs;
    size_t left; /* to the processor */
    bool failed;
};

static void write_program(struct work *work, const struct shader_ir *ir, unsigned controls,
                          enum spirv_result result)
{
    const struct spirv_controls given = {true, controls != 0, true};
    struct spirv_program *program = spirv_program_create(ir, result, given);
    char path[PATH];
    size_t count = 0;
    if (program == NULL) {
        work->left++;
        return;
    }
    const uint32_t *words = spirv_program_words(program, &count);
    (void)snprintf(path, sizeof path, "%s/%05zu-%u-%u.spv", work->folder, work->stages, controls,
                   (unsigned)result);
    FILE *file = fopen(path, "wb");
    const bool written = file != NULL && fwrite(words, sizeof *words, count, file) == count;
    if (file == NULL || fclose(file) != 0 || !written) {
        (void)fprintf(stderr, "%s: it could not be written\n", path);
        work->failed = true;
    }
    work->programs++;
    spirv_program_free(program);
}

static void take(struct work *work, enum shader_stage stage, const struct base_source *text)
{
    struct shader_program *shader = text != NULL ? shader_compile(stage, text, NULL) : NULL;
    if (shader == NULL) {
        return;
    }
    work->stages++;
    for (unsigned controls = 0; controls < 2; controls++) {
        write_program(work, shader_list(shader), controls, SPIRV_PIXELS);
        write_program(work, shader_list(shader), controls, SPIRV_NUMBERS);
    }
    shader_free(shader);
}

static void take_preset(struct work *work, const char *path)
{
    struct base_arena arena = {0};
    struct preset preset;
    if (preset_read_file(&preset, path, NULL) != 0) {
        return;
    }
    if (preset.warp_shader != 0) {
        take(work, SHADER_WARP, rend_stage_text(SHADER_WARP, &preset, &arena));
    }
    if (preset.comp_shader != 0) {
        take(work, SHADER_COMP, rend_stage_text(SHADER_COMP, &preset, &arena));
    }
    preset_free(&preset);
    base_arena_free(&arena);
}

int main(int argc, char **argv)
{
    struct work work = {.folder = argc > 1 ? argv[1] : NULL};
    if (argc < 3) {
        (void)fprintf(stderr, "usage: see the head of tests/spirv/spirv_main.c\n");
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        take_preset(&work, argv[i]);
    }
    printf("%zu stages, %zu programs, %zu left to the processor\n", work.stages, work.programs,
           work.left);
    return work.failed ? 1 : 0;
}
