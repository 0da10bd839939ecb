#include "gpu/gpu.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/spirv/program.h"
#include "renderer/shader/ir/ir.h"

/* A group of a program covers a part of a row of tiles. */
_Static_assert(SHADER_TILE_COLUMNS % (2 * SPIRV_GROUP) == 0 && SHADER_TILE_ROWS % 2 == 0,
               "tiles are whole groups of quads");

struct gpu {
    struct gpu_device *device;
    struct rend_device stages;
    atomic_uint_fast64_t ran;
    atomic_uint_fast64_t refused;
};

/* A stage on the device. */
struct loaded {
    struct gpu *gpu;
    struct spirv_program *program;
    struct gpu_kernel *kernel;
    size_t textures;
    bool fixed[SHADER_TEXTURES_MAX];
    size_t place[SHADER_TEXTURES_MAX]; /* of a texture's first texel */
    size_t texels[SHADER_TEXTURES_MAX];
    size_t numbers; /* that an input may have */
};

static size_t texels_of(const struct shader_texture *texture)
{
    size_t texels = 0;
    for (int i = 0; texture != NULL && i < texture->levels; i++) {
        texels += spirv_level_texels(&texture->level[i]);
    }
    return texels;
}

static void put_texture(struct loaded *loaded, size_t index, const struct shader_texture *texture)
{
    uint32_t *texels =
        gpu_kernel_buffer(loaded->kernel, SPIRV_BUFFER_TEXELS) + loaded->place[index];
    spirv_texture_words(gpu_kernel_buffer(loaded->kernel, SPIRV_BUFFER_TEXTURES) +
                            index * SPIRV_TEXTURE_WORDS,
                        texture, (uint32_t)loaded->place[index]);
    for (int i = 0; texture != NULL && i < texture->levels; i++) {
        const size_t count = spirv_level_texels(&texture->level[i]);
        memcpy(texels, texture->level[i].texels, count * sizeof *texels);
        texels += count;
    }
}

static void unload(void *user)
{
    struct loaded *loaded = user;
    gpu_kernel_free(loaded->kernel);
    spirv_program_free(loaded->program);
    free(loaded);
}

static bool make(struct loaded *loaded, const struct rend_device_stage *stage)
{
    const struct shader_binding *bindings;
    loaded->textures = shader_bindings(stage->program, &bindings);
    loaded->numbers = stage->columns * stage->rows;
    size_t texels = 0;
    for (size_t i = 0; i < loaded->textures; i++) {
        loaded->fixed[i] = stage->fixed[i];
        loaded->place[i] = texels;
        loaded->texels[i] = texels_of(stage->textures[i]);
        texels += loaded->texels[i];
    }
    /* Places are words of 32 bits in a program. */
    if (texels >= UINT32_MAX / sizeof(uint32_t)) {
        return false;
    }
    loaded->program = spirv_program_create(shader_list(stage->program), SPIRV_PIXELS,
                                           gpu_controls(loaded->gpu->device));
    if (loaded->program == NULL) {
        return false;
    }
    const enum shader_input *inputs;
    const size_t bytes[SPIRV_BUFFERS] = {
        [SPIRV_BUFFER_NUMBERS] = spirv_program_numbers(loaded->program) * sizeof(uint32_t),
        [SPIRV_BUFFER_TEXTURES] = (loaded->textures + 1) * SPIRV_TEXTURE_WORDS * sizeof(uint32_t),
        [SPIRV_BUFFER_TEXELS] = (texels + 1) * sizeof(uint32_t),
        [SPIRV_BUFFER_INPUTS] =
            (spirv_program_inputs(loaded->program, &inputs) * loaded->numbers + 1) * sizeof(float),
        [SPIRV_BUFFER_RESULTS] = loaded->numbers * sizeof(uint32_t),
    };
    size_t count = 0;
    const uint32_t *words = spirv_program_words(loaded->program, &count);
    loaded->kernel = gpu_kernel_create(loaded->gpu->device, words, count, bytes);
    if (loaded->kernel == NULL) {
        return false;
    }
    for (size_t i = 0; i < loaded->textures; i++) {
        put_texture(loaded, i, loaded->fixed[i] ? stage->textures[i] : NULL);
    }
    /* A driver may make its code only now: in the thread that loads, not in a frame. Its rows have
     * no length, so that all that it writes lies in the first tile. */
    memset(gpu_kernel_buffer(loaded->kernel, SPIRV_BUFFER_NUMBERS), 0, bytes[SPIRV_BUFFER_NUMBERS]);
    return gpu_kernel_run(loaded->kernel, 1, 1);
}

static void *load(void *user, const struct rend_device_stage *stage)
{
    struct gpu *gpu = user;
    struct loaded *loaded = calloc(1, sizeof *loaded);
    if (loaded == NULL) {
        return NULL;
    }
    loaded->gpu = gpu;
    if (!make(loaded, stage)) {
        atomic_fetch_add(&gpu->refused, 1);
        unload(loaded);
        return NULL;
    }
    return loaded;
}

static float *input(void *user, enum shader_input input, size_t columns, size_t rows)
{
    struct loaded *loaded = user;
    const enum shader_input *inputs;
    const size_t count =
        columns * rows <= loaded->numbers ? spirv_program_inputs(loaded->program, &inputs) : 0;
    for (size_t k = 0; k < count; k++) {
        if (inputs[k] == input) {
            return (float *)gpu_kernel_buffer(loaded->kernel, SPIRV_BUFFER_INPUTS) +
                   k * columns * rows;
        }
    }
    return NULL;
}

static const uint32_t *run(void *user, const struct shader_frame *frame, size_t columns,
                           size_t rows)
{
    struct loaded *loaded = user;
    if (columns * rows > loaded->numbers) {
        return NULL;
    }
    for (size_t i = 0; i < loaded->textures; i++) {
        if (!loaded->fixed[i]) {
            if (texels_of(frame->textures[i]) != loaded->texels[i]) {
                return NULL;
            }
            put_texture(loaded, i, frame->textures[i]);
        }
    }
    spirv_program_fill(loaded->program, frame->uniforms, frame->textures, (uint32_t)columns,
                       (uint32_t)rows, gpu_kernel_buffer(loaded->kernel, SPIRV_BUFFER_NUMBERS));
    if (!gpu_kernel_run(loaded->kernel, (uint32_t)(columns / 2 / SPIRV_GROUP),
                        (uint32_t)(rows / 2))) {
        return NULL;
    }
    atomic_fetch_add(&loaded->gpu->ran, 1);
    return gpu_kernel_buffer(loaded->kernel, SPIRV_BUFFER_RESULTS);
}

struct gpu *gpu_create(const char *key)
{
    struct gpu *gpu = calloc(1, sizeof *gpu);
    if (gpu == NULL) {
        return NULL;
    }
    gpu->device = gpu_open(key);
    if (gpu->device == NULL) {
        free(gpu);
        return NULL;
    }
    gpu->stages = (struct rend_device){gpu, load, unload, input, run};
    return gpu;
}

void gpu_free(struct gpu *gpu)
{
    if (gpu != NULL) {
        gpu_close(gpu->device);
        free(gpu);
    }
}

uint8_t *gpu_pipelines(const struct gpu *gpu, size_t *size)
{
    return gpu_device_pipelines(gpu->device, size);
}

void gpu_set_pipelines(struct gpu *gpu, const uint8_t *bytes, size_t size)
{
    gpu_device_set_pipelines(gpu->device, bytes, size);
}

const struct rend_device *gpu_stages(const struct gpu *gpu)
{
    return &gpu->stages;
}

struct gpu_account gpu_account(const struct gpu *gpu)
{
    return (struct gpu_account){atomic_load(&gpu->ran), atomic_load(&gpu->refused),
                                gpu_most_memory(gpu->device), gpu_lost(gpu->device),
                                gpu_hangs(gpu->device)};
}
