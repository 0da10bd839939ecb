/* The SPIR-V programs of shader stages, of each preset both that have a shader, those of its
 * vertices' equations, and of the other stages of a frame.
 *   spirv FOLDER PRESET...
 * Writes them; with the controls of a device that has them all and of one that has the fewest, for
 * pictures and for numbers. A file NUMBER-CONTROLS-RESULT.spv each, vertices-NUMBER-CONTROLS.spv;
 * prints how many stages, equations of vertices and programs that were, and how many a device does
 * not run. Exit code 1: one could not be written.
 *   spirv --bounds PRESET...
 * Counts what a frame asks of a device, and what that takes of three at the least: instructions of
 * a pixel, each as one of a lane, both sides of a choice, a loop once, so that one item is drawn on
 * each pixel; bytes over the bus, as gpu/gpu.c moves them; and bytes of the device's memory, each
 * of these once. The longest of the three is the bound; prints its median, 90 % and worst for three
 * sizes of pictures, and the instructions of stages that need no preset. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "gpu/spirv/fixed/blur.h"
#include "gpu/spirv/fixed/cross.h"
#include "gpu/spirv/equations/vertex.h"
#include "gpu/spirv/fixed/mix.h"
#include "gpu/spirv/fixed/overlay.h"
#include "gpu/spirv/program.h"
#include "gpu/spirv/fixed/screen.h"
#include "gpu/spirv/fixed/warp.h"
#include "presets/file.h"
#include "pfpu/host/lines.h"
#include "presets/presets.h"
#include "renderer/patch.h"
#include "renderer/shade.h"
#include "renderer/shader/shader.h"

enum { PATH = 4096, PRESETS_MAX = 20000 };

/* The passes of blurring: weights of a column and of a row, pixels for each of the canvas. */
static const struct pass {
    int columns;
    int rows;
    double pixels;
} passes[] = {{16, 2, 1.0 / 4}, {4, 8, 1.0 / 16},   {16, 2, 1.0 / 64},
              {4, 8, 1.0 / 64}, {16, 2, 1.0 / 256}, {4, 8, 1.0 / 256}};

/* What a frame asks for, for each pixel of it. */
struct cost {
    double instructions;
    double bytes; /* that go over the bus */
};

/* What makers say of three devices: lanes by their clock, without instructions that do two things
 * at once; memory; and the bus, which is the memory where the device has none of its own. */
static const struct device {
    const char *name;
    double instructions; /* a second */
    double memory;       /* bytes a second */
    double bus;
} devices[] = {
    {"GeForce RTX 4060 Laptop (3072 lanes, 2.0 GHz; 256 GB/s; PCIe 4.0 x8)", 3072 * 2.0e9, 256e9,
     15.7e9},
    {"Radeon 780M (768 lanes, 2.7 GHz; DDR5-5600, 90 GB/s)", 768 * 2.7e9, 90e9, 90e9},
    {"Iris Xe G7 (768 lanes, 1.3 GHz; LPDDR4x-4266, 68 GB/s)", 768 * 1.3e9, 68e9, 68e9},
};

static const struct size {
    const char *name;
    double pixels;
} sizes[] = {{"1280x720", 1280 * 720}, {"1920x1080", 1920 * 1080}, {"3840x2160", 3840 * 2160}};

struct work {
    const char *folder;
    size_t stages;
    size_t programs;
    size_t left; /* to the processor */
    size_t meshes;
    size_t meshes_left;
    bool failed;
    bool counts;
    struct cost cost; /* of the preset */
    size_t passes;    /* of blurring that it needs */
    bool warps;       /* with a shader */
};

/* As froth makes it for pictures, where the canvas and what is blurred of it have one level and
 * others have several; or for numbers. */
static struct spirv_purpose purpose_of(const struct shader_program *shader, enum shader_stage stage,
                                       enum spirv_result result, bool denormals)
{
    static const struct shader_texture one = {
        .levels = 1, .level = {{.width = 640, .height = 480, .depth = 1, .pitch = 641}}};
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

/* The programs of stages that need no preset. */
static const struct {
    const char *name;
    uint32_t *(*words)(struct spirv_controls controls, size_t *count);
} others[] = {
    {"cross", spirv_cross_words},   {"mix", spirv_mix_words},     {"overlay", spirv_overlay_words},
    {"screen", spirv_screen_words}, {"small", spirv_small_words}, {"warp", spirv_warp_words},
};
enum { OTHERS = sizeof others / sizeof *others };

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
    struct base_arena arena = {0};
    struct rend_patch *patch = rend_patch_create(preset, NULL, NULL);
    const struct pfpu_lanes *lanes = patch != NULL ? patch->vertex.lanes : NULL;
    const struct pfpu_lines *lines = lanes != NULL ? pfpu_lines_create(lanes, &arena) : NULL;
    work->meshes += lanes != NULL ? 1 : 0;
    if (lines == NULL || !spirv_vertex_takes(lines)) {
        work->meshes_left += lanes != NULL ? 1 : 0;
        lines = NULL;
    }
    for (unsigned i = 0; lines != NULL && i < 2; i++) {
        const struct spirv_controls controls = {.round_to_even = true,
                                                .keep_denormals = i != 0,
                                                .keep_specials = true,
                                                .doubles = true,
                                                .keep_denormal_doubles = i != 0};
        char path[PATH];
        size_t count = 0;
        uint32_t *words =
            spirv_vertex_words(lines, rend_written_motions(patch->vertex.run), controls, &count);
        (void)snprintf(path, sizeof path, "%s/vertices-%05zu-%u.spv", work->folder, work->meshes,
                       i);
        write_words(work, path, words, words != NULL ? count : 0);
        free(words);
    }
    rend_patch_free(patch);
    base_arena_free(&arena);
}

/* Instructions of a lane that an invocation carries out, both sides of a choice, one for each part
 * of a vector: those of the function that is the program, the last one, and of those that it
 * calls, as often as it does. */
static double count_instructions(const uint32_t *words, size_t count)
{
    enum { HEAD = 5, IDS = 3, FUNCTION = 54, FUNCTION_END = 56, FUNCTION_CALL = 57 };
    enum { VARIABLE = 59, ACCESS_CHAIN = 65, LOOP_MERGE = 246, SELECTION_MERGE = 247 };
    enum { LABEL = 248, VECTOR = 23 };
    enum { CONSTRUCT = 80, EXTRACT = 81, BITCAST = 124 };
    double *of = calloc(words[IDS], sizeof *of); /* of a function or a type, by its number */
    uint32_t function = 0;
    double last = 0;
    for (size_t at = HEAD; of != NULL && at < count && words[at] >> 16 > 0; at += words[at] >> 16) {
        switch (words[at] & 0xFFFF) {
        case VECTOR:
            of[words[at + 1]] = words[at + 3];
            break;
        case FUNCTION:
            function = words[at + 2];
            break;
        case FUNCTION_END:
            last = of[function];
            function = 0;
            break;
        case FUNCTION_CALL: /* functions stand before those that call them */
            of[function] += of[words[at + 3]];
            break;
        case VARIABLE:
        case ACCESS_CHAIN:
        case LOOP_MERGE:
        case SELECTION_MERGE:
        case LABEL:
        case CONSTRUCT: /* these move nothing on devices that compute lane by lane */
        case EXTRACT:
        case BITCAST:
            break;
        default:
            if (function != 0) {
                const uint32_t type = words[at] >> 16 > 2 ? words[at + 1] : 0;
                of[function] += type < words[IDS] && of[type] > 1 ? of[type] : 1;
            }
            break;
        }
    }
    free(of);
    return last;
}

static void count_program(struct work *work, const struct shader_program *shader,
                          enum shader_stage stage)
{
    const struct spirv_purpose purpose = purpose_of(shader, stage, SPIRV_PIXELS, true);
    struct spirv_program *program = spirv_program_create(shader_list(shader), &purpose);
    size_t count = 0;
    if (program == NULL) {
        work->left++;
        return;
    }
    const uint32_t *words = spirv_program_words(program, &count);
    /* An invocation has four pixels. */
    work->cost.instructions += count_instructions(words, count) / 4;
    work->warps = work->warps || stage == SHADER_WARP;
    /* What is shown comes back. */
    work->cost.bytes += stage == SHADER_COMP ? sizeof(uint32_t) : 0;
    work->programs++;
    spirv_program_free(program);
    const struct shader_binding *bindings;
    const size_t bound = shader_bindings(shader, &bindings);
    for (size_t i = 0; i < bound; i++) {
        if (strncmp(bindings[i].name, "blur", 4) == 0) {
            const size_t needed = 2 * (size_t)(bindings[i].name[4] - '0');
            work->passes = needed > work->passes ? needed : work->passes;
        }
    }
}

static void count_blurs(struct work *work)
{
    for (size_t i = 0; i < work->passes && i < sizeof passes / sizeof *passes; i++) {
        const struct spirv_controls controls = {
            .round_to_even = true, .keep_denormals = true, .keep_specials = true};
        size_t count = 0;
        uint32_t *words = spirv_blur_words(passes[i].columns, passes[i].rows, controls, &count);
        work->cost.instructions +=
            words != NULL ? count_instructions(words, count) * passes[i].pixels : 0;
        free(words);
    }
}

static double count_other(uint32_t *(*words_of)(struct spirv_controls controls, size_t *count))
{
    const struct spirv_controls controls = {
        .round_to_even = true, .keep_denormals = true, .keep_specials = true};
    size_t count = 0;
    uint32_t *words = words_of(controls, &count);
    const double instructions = words != NULL ? count_instructions(words, count) : 0;
    free(words);
    return instructions;
}

/* What shaders leave: the warp, if it has none, and what is drawn on it; the canvas comes back. */
static void count_canvas(struct work *work)
{
    if (work->programs > 0) {
        work->cost.instructions += count_other(spirv_overlay_words);
        work->cost.instructions += work->warps ? 0 : count_other(spirv_warp_words);
        work->cost.bytes += sizeof(uint32_t);
    }
}

static void take(struct work *work, enum shader_stage stage, const struct base_source *text)
{
    struct shader_program *shader = text != NULL ? shader_compile(stage, text, NULL) : NULL;
    if (shader == NULL) {
        return;
    }
    work->stages++;
    if (work->counts) {
        count_program(work, shader, stage);
        shader_free(shader);
        return;
    }
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
    if (!work->counts) {
        write_vertices(work, &preset);
    }
    preset_free(&preset);
    base_arena_free(&arena);
}

static int compare_numbers(const void *a, const void *b)
{
    const double left = *(const double *)a;
    const double right = *(const double *)b;
    return (left > right) - (left < right);
}

static double largest(double a, double b, double c)
{
    const double ab = a > b ? a : b;
    return ab > c ? ab : c;
}

static void print_bounds(const struct cost *costs, size_t count)
{
    static double ms[PRESETS_MAX];
    double instructions = 0;
    double bytes = 0;
    for (size_t i = 0; i < count; i++) {
        instructions += costs[i].instructions / (double)count;
        bytes += costs[i].bytes / (double)count;
    }
    printf("%zu presets: %.0f instructions and %.1f bytes over the bus for a pixel, on average\n",
           count, instructions, bytes);
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
        const struct device *device = &devices[d];
        printf("%s\n", device->name);
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            size_t by_bus = 0;
            for (size_t i = 0; i < count; i++) {
                const double pixels = 1e3 * sizes[k].pixels;
                const double bus = pixels * costs[i].bytes / device->bus;
                const double compute = pixels * costs[i].instructions / device->instructions;
                ms[i] = largest(compute, bus, pixels * costs[i].bytes / device->memory);
                by_bus += bus >= ms[i];
            }
            qsort(ms, count, sizeof *ms, compare_numbers);
            printf("    %-10s at least %6.2f ms, 90 %% %6.2f, worst %6.2f; the bus holds up %zu\n",
                   sizes[k].name, ms[count / 2], ms[count * 9 / 10], ms[count - 1], by_bus);
        }
    }
}

int main(int argc, char **argv)
{
    static struct cost costs[PRESETS_MAX];
    size_t count = 0;
    struct work work = {.folder = argc > 1 ? argv[1] : NULL};
    if (argc < 3) {
        (void)fprintf(stderr, "usage: see the head of tests/spirv/spirv_main.c\n");
        return 2;
    }
    work.counts = strcmp(argv[1], "--bounds") == 0;
    for (int i = 2; i < argc; i++) {
        work.cost = (struct cost){0, 0};
        work.passes = 0;
        work.programs = work.counts ? 0 : work.programs;
        work.warps = false;
        take_preset(&work, argv[i]);
        count_blurs(&work);
        count_canvas(&work);
        if (work.cost.bytes > 0 && count < PRESETS_MAX) {
            costs[count++] = work.cost;
        }
    }
    if (work.counts && count > 0) {
        print_bounds(costs, count);
        for (size_t i = 0; i < OTHERS; i++) {
            printf("%s: %.0f instructions for a pixel\n", others[i].name,
                   count_other(others[i].words));
        }
        return 0;
    }
    write_blurs(&work);
    write_others(&work);
    printf(
        "%zu stages and equations of %zu meshes, %zu programs, %zu and %zu left to the processor\n",
        work.stages, work.meshes, work.programs, work.left, work.meshes_left);
    return work.failed ? 1 : 0;
}
