#include "gpu/cross.h"

#include <stdlib.h>

#include "gpu/spirv/fixed/cross.h"
#include "gpu/spirv/read.h"

struct gpu_cross {
    struct gpu_device *device;
    struct gpu_cross_size size;
    struct gpu_kernel *kernel;
    struct gpu_memory *numbers;
    struct gpu_memory *when;
};

void gpu_cross_free(struct gpu_cross *cross)
{
    if (cross == NULL) {
        return;
    }
    gpu_kernel_free(cross->kernel);
    gpu_memory_free(cross->numbers);
    gpu_memory_free(cross->when);
    free(cross);
}

static size_t when_size(const struct gpu_cross *cross, const uint16_t *when)
{
    const size_t pixels = (size_t)cross->size.width * (size_t)cross->size.height;
    return when != NULL ? (pixels + 1) / 2 * sizeof(uint32_t) : sizeof(uint32_t);
}

static struct gpu_part numbers_of(const struct gpu_cross *cross)
{
    return gpu_whole(cross->numbers, SPIRV_CROSS_NUMBERS * sizeof(uint32_t));
}

static void put_when(const struct gpu_cross *cross, const uint16_t *when)
{
    uint32_t *words = gpu_memory_words(cross->when);
    const size_t pixels = (size_t)cross->size.width * (size_t)cross->size.height;
    for (size_t i = 0; i < pixels; i += 2) {
        words[i / 2] = when[i] | (i + 1 < pixels ? (uint32_t)when[i + 1] << 16 : 0);
    }
}

static bool make(struct gpu_cross *cross, struct gpu_memory *results, const uint16_t *when)
{
    cross->numbers = gpu_memory_create(cross->device, SPIRV_CROSS_NUMBERS * sizeof(uint32_t));
    cross->when = gpu_memory_create(cross->device, when_size(cross, when));
    if (cross->numbers == NULL || cross->when == NULL) {
        return false;
    }
    uint32_t *words = gpu_memory_words(cross->numbers);
    words[SPIRV_CROSS_PITCH] = (uint32_t)cross->size.pitch;
    words[SPIRV_CROSS_WIDTH] = (uint32_t)cross->size.width;
    words[SPIRV_CROSS_LIT] = when == NULL;
    if (when != NULL) {
        put_when(cross, when);
    }
    struct gpu_memory *memory[SPIRV_BUFFERS] = {NULL};
    memory[SPIRV_BUFFER_NUMBERS] = cross->numbers;
    memory[SPIRV_BUFFER_PLACES] = cross->when;
    memory[SPIRV_BUFFER_PICTURES] = results;
    memory[SPIRV_BUFFER_RESULTS] = results;
    size_t count = 0;
    uint32_t *program = spirv_cross_words(gpu_controls(cross->device), &count);
    cross->kernel = gpu_kernel_take(cross->device, program, count, memory);
    return cross->kernel != NULL;
}

/* As the stages: a driver may make its code only now. What never changes goes to the device with
 * it. */
static bool run_once(struct gpu_cross *cross, const uint16_t *when)
{
    const struct gpu_order order = {
        .columns = 1,
        .rows = 1,
        .sent = {numbers_of(cross), gpu_whole(cross->when, when_size(cross, when))},
        .sent_count = 2,
    };
    if (!gpu_kernel_run(cross->kernel, &order)) {
        return false;
    }
    gpu_memory_seal(cross->when);
    return true;
}

struct gpu_cross *gpu_cross_create(struct gpu_device *device, struct gpu_memory *results,
                                   const struct gpu_cross_size *size, const uint16_t *when)
{
    struct gpu_cross *cross = calloc(1, sizeof *cross);
    if (cross == NULL) {
        return NULL;
    }
    cross->device = device;
    cross->size = *size;
    if (!make(cross, results, when) || !run_once(cross, when)) {
        gpu_cross_free(cross);
        return NULL;
    }
    return cross;
}

struct gpu_kernel *gpu_cross_prepare(struct gpu_cross *cross, struct gpu_memory *leaving,
                                     const struct rend_device_crossing *crossing,
                                     struct gpu_order *order)
{
    if (!gpu_kernel_wait(cross->kernel)) {
        return NULL;
    }
    uint32_t *words = gpu_memory_words(cross->numbers);
    words[SPIRV_CROSS_OFFSET] = (uint32_t)crossing->offset;
    words[SPIRV_CROSS_LIMIT] = (uint32_t)crossing->limit;
    words[SPIRV_CROSS_SCALE] = (uint32_t)crossing->scale;
    gpu_kernel_bind(cross->kernel, SPIRV_BUFFER_PICTURES, leaving);
    *order = (struct gpu_order){
        .columns = (uint32_t)(cross->size.pitch / SPIRV_CROSS_GROUP),
        .rows = (uint32_t)cross->size.height,
        .sent = {numbers_of(cross)},
        .sent_count = 1,
    };
    return cross->kernel;
}
