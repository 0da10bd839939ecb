/* What a frame asks of a graphics processor, pass by pass, and what that takes of three at the
 * least.
 *   device_bounds PRESET...
 * Instructions of a pixel: each as one of a lane, both sides of a choice, a loop once, so that one
 * item is drawn on each pixel. Words that it reads of buffers, as if nothing were cached. Bytes of
 * memory: each word of a picture once for each pass that reads or writes it. Bytes over the bus, as
 * gpu/gpu.c moves them where memory is apart. The longest of computing, memory and bus is the
 * bound; prints its median, 90 % and worst for three sizes of pictures. Then the passes that only
 * some frames have. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "presets/file.h"
#include "presets/presets.h"
#include "renderer/shade.h"
#include "programs.h"

enum { PRESETS_MAX = 20000, WORD = 4, QUAD = 4 };

/* The passes of a frame, in their order. */
enum frame_pass { WARP, PLAIN_WARP, OVERLAY, BLUR, COMPOSITE, PLAIN_COMPOSITE, FRAME_PASSES };
static const char *const pass_names[FRAME_PASSES] = {
    "warp, shader", "warp, mesh", "overlay", "blur", "composite, shader", "composite, fixed"};

/* For each pixel of the picture. */
struct cost {
    double instructions;
    double reads;  /* words of buffers */
    double memory; /* bytes */
};

/* What a preset asks for. */
struct frame {
    struct cost of[FRAME_PASSES];
    bool has[FRAME_PASSES];
    size_t blurs;       /* passes */
    double of_a_vertex; /* instructions; 0: the processor moves them all */
};

/* What comes back: the canvas, and the picture. */
enum { BACK = 2 * WORD };

/* What makers say of three devices: lanes by their clock, without instructions that do two things
 * at once; memory; and the bus, which is not there where a device has no memory of its own. */
static const struct device {
    const char *name;
    double instructions; /* a second */
    double memory;       /* bytes a second */
    double bus;          /* 0: none */
} devices[] = {
    {"GeForce RTX 4060 Laptop (3072 lanes, 2.0 GHz; 256 GB/s; PCIe 4.0 x8)", 3072 * 2.0e9, 256e9,
     15.7e9},
    {"Radeon 780M (768 lanes, 2.7 GHz; DDR5-5600, 90 GB/s)", 768 * 2.7e9, 90e9, 0},
    {"Iris Xe G7 (768 lanes, 1.3 GHz; LPDDR4x-4266, 68 GB/s)", 768 * 1.3e9, 68e9, 0},
};

static const struct size {
    const char *name;
    double pixels;
} sizes[] = {{"1280x720", 1280 * 720}, {"1920x1080", 1920 * 1080}, {"3840x2160", 3840 * 2160}};

/* ---- programs ---- */

/* What an invocation carries out: the function that is the program, the last one, with those that
 * it calls, as often as it does. */
static struct cost count_program(const uint32_t *words, size_t count)
{
    enum { HEAD = 5, IDS = 3, FUNCTION = 54, PARAMETER = 55, FUNCTION_END = 56 };
    enum { FUNCTION_CALL = 57 };
    enum { VARIABLE = 59, LOAD = 61, ACCESS_CHAIN = 65, LOOP_MERGE = 246, SELECTION_MERGE = 247 };
    enum { LABEL = 248, VECTOR = 23, CONSTRUCT = 80, EXTRACT = 81, BITCAST = 124 };
    struct of {
        double parts; /* of a type */
        bool place;   /* in a buffer */
        struct cost cost;
    } *of = calloc(words[IDS], sizeof *of); /* by number */
    uint32_t function = 0;
    struct cost last = {0, 0, 0};
    for (size_t at = HEAD; of != NULL && at < count && words[at] >> 16 > 0; at += words[at] >> 16) {
        struct cost *cost = &of[function].cost;
        switch (words[at] & 0xFFFF) {
        case VECTOR:
            of[words[at + 1]].parts = words[at + 3];
            break;
        case FUNCTION:
            function = words[at + 2];
            break;
        case FUNCTION_END:
            last = *cost;
            function = 0;
            break;
        case FUNCTION_CALL: /* functions stand before those that call them */
            cost->instructions += of[words[at + 3]].cost.instructions;
            cost->reads += of[words[at + 3]].cost.reads;
            break;
        case ACCESS_CHAIN:
            of[words[at + 2]].place = true;
            break;
        case PARAMETER:
        case VARIABLE:
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
                const bool read = (words[at] & 0xFFFF) == LOAD && of[words[at + 3]].place;
                cost->instructions += type < words[IDS] && of[type].parts > 1 ? of[type].parts : 1;
                cost->reads += read ? 1 : 0;
            }
            break;
        }
    }
    free(of);
    return last;
}

static const struct spirv_controls controls = {
    .round_to_even = true, .keep_denormals = true, .keep_specials = true};

static struct cost count_other(uint32_t *(*words_of)(struct spirv_controls controls, size_t *count))
{
    size_t count = 0;
    uint32_t *words = words_of(controls, &count);
    const struct cost cost = words != NULL ? count_program(words, count) : (struct cost){0, 0, 0};
    free(words);
    return cost;
}

static void set_pass(struct frame *frame, enum frame_pass pass, struct cost cost, double memory)
{
    frame->has[pass] = true;
    frame->of[pass] = cost;
    frame->of[pass].memory = memory;
}

/* ---- presets ---- */

/* False: the processor draws it. */
static bool take_stage(struct frame *frame, enum shader_stage stage, const struct base_source *text)
{
    struct shader_program *shader = text != NULL ? shader_compile(stage, text, NULL) : NULL;
    struct spirv_program *program = NULL;
    size_t count = 0;
    if (shader != NULL) {
        const struct spirv_purpose purpose = purpose_of(shader, stage, SPIRV_PIXELS, true);
        program = spirv_program_create(shader_list(shader), &purpose);
    }
    if (program == NULL) {
        shader_free(shader);
        return false;
    }
    const uint32_t *words = spirv_program_words(program, &count);
    struct cost cost = count_program(words, count);
    cost.instructions /= QUAD;
    cost.reads /= QUAD;
    const struct shader_binding *bindings;
    const size_t bound = shader_bindings(shader, &bindings);
    for (size_t i = 0; i < bound; i++) {
        if (strncmp(bindings[i].name, "blur", 4) == 0) {
            const size_t needed = 2 * (size_t)(bindings[i].name[4] - '0');
            frame->blurs = needed > frame->blurs ? needed : frame->blurs;
        }
    }
    /* It reads the canvas and writes what it draws. */
    set_pass(frame, stage == SHADER_WARP ? WARP : COMPOSITE, cost, 2 * WORD);
    spirv_program_free(program);
    shader_free(shader);
    return true;
}

static void take_blurs(struct frame *frame)
{
    struct cost sum = {0, 0, 0};
    double source = 1;
    for (size_t i = 0; i < frame->blurs && i < PASSES; i++) {
        size_t count = 0;
        uint32_t *words = spirv_blur_words(passes[i].columns, passes[i].rows, controls, &count);
        if (words != NULL) {
            const struct cost cost = count_program(words, count);
            sum.instructions += cost.instructions * passes[i].pixels;
            sum.reads += cost.reads * passes[i].pixels;
            sum.memory += WORD * (source + passes[i].pixels);
        }
        source = passes[i].pixels;
        free(words);
    }
    if (frame->blurs > 0) {
        set_pass(frame, BLUR, sum, sum.memory);
    }
}

static void take_vertices(struct frame *frame, const struct preset *preset)
{
    bool there = false;
    bool taken = false;
    size_t count = 0;
    uint32_t *words = vertex_words(preset, true, &there, &taken, &count);
    frame->of_a_vertex = words != NULL ? count_program(words, count).instructions : 0;
    free(words);
}

/* Whether the device draws all of its frames. */
static bool take_preset(struct frame *frame, const char *path)
{
    struct base_arena arena = {0};
    struct preset preset;
    bool good = true;
    *frame = (struct frame){.blurs = 0};
    if (preset_read_file(&preset, path, NULL) != 0) {
        return false;
    }
    if (preset.warp_shader != 0) {
        good = take_stage(frame, SHADER_WARP, rend_stage_text(SHADER_WARP, &preset, &arena));
    } else {
        set_pass(frame, PLAIN_WARP, count_other(spirv_warp_words), 2 * WORD);
    }
    set_pass(frame, OVERLAY, count_other(spirv_overlay_words), 2 * WORD);
    if (good && preset.comp_shader != 0) {
        good = take_stage(frame, SHADER_COMP, rend_stage_text(SHADER_COMP, &preset, &arena));
    } else {
        set_pass(frame, PLAIN_COMPOSITE, count_other(spirv_mix_words), 2 * WORD);
    }
    take_blurs(frame);
    take_vertices(frame, &preset);
    preset_free(&preset);
    base_arena_free(&arena);
    return good;
}

/* ---- bounds ---- */

static void print_passes(const struct frame *frames, size_t count)
{
    double all = 0;
    printf("%-18s %8s %12s %6s %7s\n", "pass", "presets", "instructions", "reads", "memory");
    for (int pass = 0; pass < FRAME_PASSES; pass++) {
        struct cost sum = {0, 0, 0};
        double presets = 0;
        for (size_t i = 0; i < count; i++) {
            if (frames[i].has[pass]) {
                presets++;
                sum.instructions += frames[i].of[pass].instructions;
                sum.reads += frames[i].of[pass].reads;
                sum.memory += frames[i].of[pass].memory;
            }
        }
        all += sum.instructions / (double)count;
        if (presets > 0) {
            printf("%-18s %8.0f %12.0f %6.0f %7.1f\n", pass_names[pass], presets,
                   sum.instructions / presets, sum.reads / presets, sum.memory / presets);
        }
    }
    printf("%zu presets: %.0f instructions for a pixel, on average; %d bytes come back\n", count,
           all, (int)BACK);
    double vertex = 0;
    size_t meshes = 0;
    for (size_t i = 0; i < count; i++) {
        vertex += frames[i].of_a_vertex;
        meshes += frames[i].of_a_vertex > 0;
    }
    if (meshes > 0) {
        printf("equations of %zu: %.0f instructions for a vertex, in floats of 64 bits\n", meshes,
               vertex / (double)meshes);
    }
}

static int compare_numbers(const void *a, const void *b)
{
    const double left = *(const double *)a;
    const double right = *(const double *)b;
    return (left > right) - (left < right);
}

enum limit { COMPUTING, MEMORY, BUS, LIMITS };

/* Milliseconds, and what holds it up. */
static double bound(const struct device *device, const struct frame *frame, double pixels,
                    enum limit *limit)
{
    struct cost sum = {0, 0, 0};
    for (int pass = 0; pass < FRAME_PASSES; pass++) {
        sum.instructions += frame->of[pass].instructions;
        sum.memory += frame->of[pass].memory;
    }
    /* What goes over a bus is read once more; where there is none, the canvas is copied. */
    sum.memory += BACK;
    const double takes[LIMITS] = {
        sum.instructions / device->instructions,
        sum.memory / device->memory,
        device->bus > 0 ? BACK / device->bus : 0,
    };
    *limit = COMPUTING;
    for (int i = MEMORY; i < LIMITS; i++) {
        *limit = takes[i] > takes[*limit] ? (enum limit)i : *limit;
    }
    return 1e3 * pixels * takes[*limit];
}

static void print_bounds(const struct frame *frames, size_t count)
{
    static double ms[PRESETS_MAX];
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
        printf("%s\n", devices[d].name);
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            size_t by[LIMITS] = {0, 0, 0};
            for (size_t i = 0; i < count; i++) {
                enum limit limit;
                ms[i] = bound(&devices[d], &frames[i], sizes[k].pixels, &limit);
                by[limit]++;
            }
            qsort(ms, count, sizeof *ms, compare_numbers);
            printf("    %-10s at least %6.2f ms, 90 %% %6.2f, worst %6.2f; held up by computing "
                   "%zu, memory %zu, the bus %zu\n",
                   sizes[k].name, ms[count / 2], ms[count * 9 / 10], ms[count - 1], by[COMPUTING],
                   by[MEMORY], by[BUS]);
        }
    }
}

int main(int argc, char **argv)
{
    static struct frame frames[PRESETS_MAX];
    size_t count = 0;
    size_t left = 0;
    for (int i = 1; i < argc && count < PRESETS_MAX; i++) {
        if (take_preset(&frames[count], argv[i])) {
            count++;
        } else {
            left++;
        }
    }
    if (count == 0) {
        (void)fprintf(stderr, "usage: see the head of tests/spirv/bounds.c\n");
        return 2;
    }
    print_passes(frames, count);
    printf("%zu are left out: a stage of them stays with the processor, or they cannot be read\n",
           left);
    print_bounds(frames, count);
    for (size_t i = 0; i < OTHERS; i++) {
        const struct cost cost = count_other(others[i].words);
        printf("%-18s %8s %12.0f %6.0f\n", others[i].name, "", cost.instructions, cost.reads);
    }
    return 0;
}
