/* The SPIR-V programs of shader stages, of each preset both that have a shader, those of its
 * vertices' equations, and of the other stages of a frame.
 *   spirv FOLDER PRESET...
 * Writes them; with the controls of a device that has them all and of one that has the fewest, for
 * pictures and for numbers. A file NUMBER-CONTROLS-RESULT.spv each, vertices-NUMBER-CONTROLS.spv;
 * prints how many stages, equations of vertices and programs that were, and how many a device does
 * not run. Exit code 1: one could not be written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "presets/file.h"
#include "presets/presets.h"
#include "renderer/shade.h"
#include "renderer/shader/shader.h"
#include "programs.h"

enum { PATH = 4096 };

struct work {
    const char *folder;
    size_t stages;
    size_t programs;
    size_t left; /* to the processor */
    size_t meshes;
    size_t meshes_left;
    bool failed;
};

static void write_words(struct work *work, const char *path, const uint32_t *words, size_t count)
{
    FILE *file = count > 0 ? fopen(path, "wb") : NULL;
    const bool written = file != NULL && fwrite(words, sizeof *words, count, file) == count;
    if (file == NULL || fclose(file) != 0 || !written) {
        (void)fprintf(stderr, "%s: it could not be written\n", path);
        work->failed = true;
    }
    work->programs++;
}

static void write_program(struct work *work, const struct shader_program *shader,
                          enum shader_stage stage, unsigned controls, enum spirv_result result)
{
    const struct spirv_purpose purpose = purpose_of(shader, stage, result, controls != 0);
    struct spirv_program *program = spirv_program_create(shader_list(shader), &purpose);
    char path[PATH];
    size_t count = 0;
    if (program == NULL) {
        work->left++;
        return;
    }
    const uint32_t *words = spirv_program_words(program, &count);
    (void)snprintf(path, sizeof path, "%s/%05zu-%u-%u.spv", work->folder, work->stages, controls,
                   (unsigned)result);
    write_words(work, path, words, count);
    spirv_program_free(program);
}

static void write_blurs(struct work *work)
{
    for (unsigned i = 0; i < 4; i++) {
        const struct spirv_controls controls = {
            .round_to_even = true, .keep_denormals = i / 2 != 0, .keep_specials = true};
        char path[PATH];
        size_t count = 0;
        uint32_t *words =
            spirv_blur_words(passes[i % 2].columns, passes[i % 2].rows, controls, &count);
        (void)snprintf(path, sizeof path, "%s/blur-%u.spv", work->folder, i);
        write_words(work, path, words, words != NULL ? count : 0);
        free(words);
    }
}

static void write_others(struct work *work)
{
    for (unsigned i = 0; i < 2 * OTHERS; i++) {
        const struct spirv_controls controls = {
            .round_to_even = true, .keep_denormals = i % 2 != 0, .keep_specials = true};
        char path[PATH];
        size_t count = 0;
        uint32_t *words = others[i / 2].words(controls, &count);
        (void)snprintf(path, sizeof path, "%s/%s-%u.spv", work->folder, others[i / 2].name, i % 2);
        write_words(work, path, words, words != NULL ? count : 0);
        free(words);
    }
}

static void write_vertices(struct work *work, const struct preset *preset)
{
    bool there = false;
    bool taken = true;
    for (unsigned i = 0; i < 2 && taken; i++) {
        char path[PATH];
        size_t count = 0;
        uint32_t *words = vertex_words(preset, i != 0, &there, &taken, &count);
        work->meshes += there && i == 0 ? 1 : 0;
        if (taken) {
            (void)snprintf(path, sizeof path, "%s/vertices-%05zu-%u.spv", work->folder,
                           work->meshes, i);
            write_words(work, path, words, words != NULL ? count : 0);
        }
        free(words);
    }
    work->meshes_left += there && !taken ? 1 : 0;
}

static void take(struct work *work, enum shader_stage stage, const struct base_source *text)
{
    struct shader_program *shader = text != NULL ? shader_compile(stage, text, NULL) : NULL;
    if (shader == NULL) {
        return;
    }
    work->stages++;
    for (unsigned controls = 0; controls < 2; controls++) {
        write_program(work, shader, stage, controls, SPIRV_PIXELS);
        write_program(work, shader, stage, controls, SPIRV_NUMBERS);
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
    write_vertices(work, &preset);
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
    write_blurs(&work);
    write_others(&work);
    printf(
        "%zu stages and equations of %zu meshes, %zu programs, %zu and %zu left to the processor\n",
        work.stages, work.meshes, work.programs, work.left, work.meshes_left);
    return work.failed ? 1 : 0;
}
