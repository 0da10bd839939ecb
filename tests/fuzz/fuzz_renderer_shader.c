/* Shaders: the text of a stage up to the first zero byte, then numbers for its uniforms. It is
 * refused with a message, or runs over a tile and computes the same at every level of the
 * processor, and writes nowhere else. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "renderer/shader/shader.h"

enum { LINES_MAX = 512, PICTURE = 16, VOLUME = 8, GUARD = 64, CANARY = 0xA5 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    enum shader_stage stage;
    const char *text;
    size_t size;
    const uint8_t *numbers;
    size_t number_count;
};

static struct input split(const uint8_t *data, size_t size)
{
    const uint8_t *end = size > 0 ? memchr(data, 0, size) : NULL;
    struct input input = {.stage = SHADER_COMP, .text = (const char *)data, .size = size};
    if (end != NULL) {
        input.size = (size_t)(end - data);
        input.numbers = end + 1;
        input.number_count = size - input.size - 1;
        input.stage = input.number_count % 2 == 0 ? SHADER_COMP : SHADER_WARP;
    }
    return input;
}

static struct shader_program *compile(const struct input *input)
{
    static struct base_source_line lines[LINES_MAX];
    static struct base_diag_list messages;
    messages = (struct base_diag_list){.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    const char *at = input->text;
    const char *const end = input->text + input->size;
    size_t count = 0;
    while (at < end && count < LINES_MAX) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop == NULL || count == LINES_MAX - 1 ? end : stop;
        lines[count] = (struct base_source_line){{at, (size_t)(stop - at)}, (uint32_t)count + 1, 1};
        count++;
        at = stop + 1;
    }
    const struct base_source source = {"fuzz", lines, count};
    struct shader_program *program = shader_compile(input->stage, &source, &sink);
    if (program == NULL && messages.by_severity[BASE_ERROR] == 0) {
        abort();
    }
    return program;
}

static const struct shader_texture *texture_of(const struct shader_binding *binding)
{
    static struct shader_image images[2];
    if (images[0].memory == NULL) {
        static uint32_t texels[VOLUME * VOLUME * VOLUME];
        struct base_rng rng;
        base_rng_seed(&rng, 3, 1);
        for (size_t i = 0; i < sizeof texels / sizeof *texels; i++) {
            texels[i] = base_rng_next(&rng);
        }
        if (shader_image_create(&images[0], texels, PICTURE, PICTURE, PICTURE, 1) != 0 ||
            shader_image_create(&images[1], texels, VOLUME, VOLUME, VOLUME, VOLUME) != 0) {
            abort();
        }
    }
    return &images[binding->volume ? 1 : 0].texture;
}

/* Each byte is a number between -8 and 8, or an odd one. */
static float number_of(uint8_t byte)
{
    static const float odd[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 1e-40f, 1e9f, -0.0f};
    return byte < 248 ? (float)(byte - 124) * 0.0625f : odd[byte - 248];
}

static void fill_frame(const struct input *input, struct shader_frame *frame)
{
    for (size_t i = 0; i < SHADER_SLOTS; i++) {
        const size_t count = input->number_count;
        frame->uniforms[i] =
            count == 0 ? (float)(i % 7) * 0.25f : number_of(input->numbers[i % count]);
    }
    const struct shader_binding *bindings;
    const size_t count = shader_bindings(frame->program, &bindings);
    for (size_t i = 0; i < count; i++) {
        frame->textures[i] = texture_of(&bindings[i]);
    }
}

static void *guarded_alloc(size_t size)
{
    unsigned char *memory = aligned_alloc(64, size + 2 * GUARD);
    if (memory == NULL) {
        abort();
    }
    memset(memory, CANARY, size + 2 * GUARD);
    return memory + GUARD;
}

static void guarded_free(void *memory, size_t size)
{
    unsigned char *bytes = memory;
    for (size_t i = 0; i < GUARD; i++) {
        if (bytes[size + i] != CANARY || *(bytes - 1 - i) != CANARY) {
            abort();
        }
    }
    free(bytes - GUARD);
}

/* Anything, but that pixels lie in columns and rows. */
static void fill_inputs(const struct shader_tile *tile, enum shader_stage stage)
{
    float *u = tile->input[stage == SHADER_COMP ? SHADER_INPUT_U : SHADER_INPUT_U_ORIG];
    float *v = tile->input[stage == SHADER_COMP ? SHADER_INPUT_V : SHADER_INPUT_V_ORIG];
    struct base_rng rng;
    base_rng_seed(&rng, 9, 2);
    for (size_t k = 0; k < SHADER_INPUTS; k++) {
        for (size_t i = 0; i < SHADER_TILE; i++) {
            const float number = (float)base_rng_next(&rng) * 0x1p-31f - 0.5f;
            if (tile->input[k] != NULL) {
                tile->input[k][i] = number;
            }
        }
    }
    for (size_t i = 0; i < SHADER_TILE; i++) {
        if (u != NULL) {
            u[i] = u[i % SHADER_TILE_COLUMNS];
        }
        if (v != NULL) {
            v[i] = v[i - i % SHADER_TILE_COLUMNS];
        }
    }
}

static bool run(const struct shader_frame *given, enum shader_stage stage,
                enum base_cpu_level level, float ret[3][SHADER_TILE])
{
    struct shader_frame frame = *given;
    const size_t constants_size = shader_constants_size(frame.program);
    const size_t scratch_size = shader_scratch_size(frame.program);
    void *scratch = guarded_alloc(scratch_size);
    frame.constants = guarded_alloc(constants_size);
    frame.cpu = level;
    shader_prepare(&frame);
    struct shader_tile tile = shader_tile(&frame, scratch);
    fill_inputs(&tile, stage);
    const bool whole = shader_run(&frame, scratch, &tile);
    for (int i = 0; i < 3; i++) {
        memcpy(ret[i], tile.ret[i], sizeof ret[i]);
    }
    guarded_free(frame.constants, constants_size);
    guarded_free(scratch, scratch_size);
    return whole;
}

static bool same(const float *a, const float *b)
{
    for (size_t i = 0; i < SHADER_TILE; i++) {
        if (!(isnan(a[i]) && isnan(b[i])) && memcmp(&a[i], &b[i], sizeof *a) != 0) {
            return false;
        }
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static float best[3][SHADER_TILE];
    static float plain[3][SHADER_TILE];
    const struct input input = split(data, size);
    struct shader_program *program = compile(&input);
    if (program == NULL) {
        return 0;
    }
    struct shader_frame frame = {.program = program};
    fill_frame(&input, &frame);
    const bool whole = run(&frame, input.stage, base_cpu_best(), best);
    if (run(&frame, input.stage, BASE_CPU_PLAIN, plain) != whole) {
        abort();
    }
    for (int i = 0; i < 3; i++) {
        if (!same(best[i], plain[i])) {
            abort();
        }
    }
    shader_free(program);
    return 0;
}
