#include "gpu/proof/numbers.h"

#include <stdlib.h>
#include <string.h>

enum { COLOURS = 3 };

struct gpu_numbers {
    struct gpu_device *device;
    const struct shader_texture *textures[SHADER_TEXTURES_MAX];
    size_t bindings;
    struct spirv_source sources[SHADER_TEXTURES_MAX];
    struct spirv_program *program;
    struct gpu_kernel *kernel;
    struct gpu_memory *memory[SPIRV_BUFFERS];
    size_t size[SPIRV_BUFFERS]; /* in bytes */
};

void gpu_numbers_free(struct gpu_numbers *numbers)
{
    if (numbers != NULL) {
        gpu_kernel_free(numbers->kernel);
        spirv_program_free(numbers->program);
        for (int i = 0; i < SPIRV_BUFFERS; i++) {
            gpu_memory_free(numbers->memory[i]);
        }
        free(numbers);
    }
}

/* Textures stand behind each other; gives how many texels they have. */
static size_t find_sources(struct gpu_numbers *numbers)
{
    size_t texels = 0;
    for (size_t i = 0; i < numbers->bindings; i++) {
        const struct shader_texture *texture = numbers->textures[i];
        numbers->sources[i] = (struct spirv_source){texture, SPIRV_BUFFER_TEXELS, (uint32_t)texels};
        texels += spirv_texture_texels(texture);
    }
    return texels;
}

static bool make_memory(struct gpu_numbers *numbers, size_t texels)
{
    const enum shader_input *inputs;
    const size_t sizes[SPIRV_BUFFERS] = {
        [SPIRV_BUFFER_NUMBERS] = spirv_program_numbers(numbers->program) * sizeof(uint32_t),
        [SPIRV_BUFFER_TEXTURES] = (numbers->bindings + 1) * SPIRV_TEXTURE_WORDS * sizeof(uint32_t),
        [SPIRV_BUFFER_TEXELS] = (texels + 1) * sizeof(uint32_t),
        [SPIRV_BUFFER_PICTURES] = sizeof(uint32_t),
        [SPIRV_BUFFER_PLACES] = sizeof(uint32_t),
        [SPIRV_BUFFER_INPUTS] =
            (spirv_program_inputs(numbers->program, &inputs) * GPU_NUMBERS + 1) * sizeof(float),
        [SPIRV_BUFFER_RESULTS] = (size_t)GPU_NUMBERS * COLOURS * sizeof(uint32_t),
    };
    memcpy(numbers->size, sizes, sizeof sizes);
    for (int i = 0; i < SPIRV_BUFFERS; i++) {
        numbers->memory[i] = gpu_memory_create(numbers->device, sizes[i]);
        if (numbers->memory[i] == NULL) {
            return false;
        }
    }
    return true;
}

static void put_textures(struct gpu_numbers *numbers)
{
    uint32_t *words = gpu_memory_words(numbers->memory[SPIRV_BUFFER_TEXTURES]);
    uint32_t *texels = gpu_memory_words(numbers->memory[SPIRV_BUFFER_TEXELS]);
    for (size_t i = 0; i < numbers->bindings; i++, words += SPIRV_TEXTURE_WORDS) {
        spirv_source_words(words, &numbers->sources[i]);
        spirv_source_texels(texels, &numbers->sources[i]);
    }
}

struct gpu_numbers *gpu_numbers_create(struct gpu_device *device, const struct shader_ir *ir,
                                       const struct shader_texture *const *textures)
{
    struct gpu_numbers *numbers = calloc(1, sizeof *numbers);
    if (numbers == NULL) {
        return NULL;
    }
    numbers->device = device;
    numbers->bindings = ir->binding_count;
    memcpy(numbers->textures, textures, numbers->bindings * sizeof *textures);
    const size_t texels = find_sources(numbers);
    const struct spirv_purpose purpose = {
        .result = SPIRV_NUMBERS, .sources = numbers->sources, .controls = gpu_controls(device)};
    numbers->program = spirv_program_create(ir, &purpose);
    if (numbers->program != NULL && make_memory(numbers, texels)) {
        size_t count = 0;
        const uint32_t *words = spirv_program_words(numbers->program, &count);
        put_textures(numbers);
        numbers->kernel = gpu_kernel_create(device, words, count, numbers->memory);
    }
    if (numbers->kernel == NULL) {
        gpu_numbers_free(numbers);
        return NULL;
    }
    return numbers;
}

const float *gpu_numbers_run(struct gpu_numbers *numbers, const float *const inputs[SHADER_INPUTS],
                             const float *uniforms)
{
    const enum shader_input *read;
    const size_t count = spirv_program_inputs(numbers->program, &read);
    float *planes = (float *)gpu_memory_words(numbers->memory[SPIRV_BUFFER_INPUTS]);
    for (size_t k = 0; k < count; k++) {
        memcpy(planes + k * GPU_NUMBERS, inputs[read[k]], GPU_NUMBERS * sizeof *planes);
    }
    uint32_t *words = gpu_memory_words(numbers->memory[SPIRV_BUFFER_NUMBERS]);
    words[SPIRV_NUMBER_PITCH] = GPU_NUMBERS_COLUMNS;
    words[SPIRV_NUMBER_PLANE] = GPU_NUMBERS;
    spirv_program_fill(numbers->program, uniforms, numbers->textures, words);
    struct gpu_order order = {.columns = GPU_NUMBERS_COLUMNS / 2 / SPIRV_GROUP,
                              .rows = GPU_NUMBERS_ROWS / 2};
    for (int i = 0; i < SPIRV_BUFFER_WRITABLE; i++) {
        order.sent[order.sent_count++] = (struct gpu_part){numbers->memory[i], 0, numbers->size[i]};
    }
    order.fetched = (struct gpu_part){numbers->memory[SPIRV_BUFFER_WRITABLE], 0,
                                      numbers->size[SPIRV_BUFFER_WRITABLE]};
    return gpu_kernel_run(numbers->kernel, &order)
               ? (const float *)gpu_memory_words(numbers->memory[SPIRV_BUFFER_RESULTS])
               : NULL;
}
