#include "gpu/mix.h"

#include <stdlib.h>

#include "gpu/spirv/fixed/mix.h"
#include "gpu/spirv/read.h"

_Static_assert(sizeof(struct rend_device_composite_row) == SPIRV_MIX_ROW_WORDS * sizeof(uint32_t),
               "rows go to the device as they are");

struct gpu_mix {
    struct gpu_device *device;
    struct gpu_pictures pictures;
    struct gpu_mix_size size;
    struct gpu_kernel *kernel;
    struct gpu_memory *numbers;
    struct gpu_memory *places; /* of columns and rows */
};

void gpu_mix_free(struct gpu_mix *mix)
{
    if (mix == NULL) {
        return;
    }
    gpu_kernel_free(mix->kernel);
    gpu_memory_free(mix->numbers);
    gpu_memory_free(mix->places);
    free(mix);
}

static size_t columns_size(const struct gpu_mix *mix)
{
    return (size_t)mix->size.width * sizeof(uint32_t);
}

static size_t rows_size(const struct gpu_mix *mix)
{
    return (size_t)mix->size.height * sizeof(struct rend_device_composite_row);
}

static struct gpu_part numbers_of(const struct gpu_mix *mix)
{
    return gpu_whole(mix->numbers, SPIRV_MIX_NUMBERS * sizeof(uint32_t));
}

static bool make(struct gpu_mix *mix, struct gpu_memory *results)
{
    const size_t places = columns_size(mix) + rows_size(mix);
    mix->numbers = gpu_memory_create(mix->device, SPIRV_MIX_NUMBERS * sizeof(uint32_t));
    mix->places = gpu_memory_create(mix->device, places);
    if (mix->numbers == NULL || mix->places == NULL) {
        return false;
    }
    uint32_t *words = gpu_memory_words(mix->numbers);
    words[SPIRV_MIX_SOURCE] = (uint32_t)mix->pictures.first[REND_SOURCE_MAIN];
    words[SPIRV_MIX_SOURCE_PITCH] = (uint32_t)mix->pictures.pitch[REND_SOURCE_MAIN];
    words[SPIRV_MIX_TARGET_PITCH] = (uint32_t)mix->size.pitch;
    words[SPIRV_MIX_RIGHT] = (uint32_t)mix->size.width - 1;
    words[SPIRV_MIX_BOTTOM] = (uint32_t)mix->size.height - 1;
    struct gpu_memory *memory[SPIRV_BUFFERS] = {NULL};
    memory[SPIRV_BUFFER_NUMBERS] = mix->numbers;
    memory[SPIRV_BUFFER_PLACES] = mix->places;
    memory[SPIRV_BUFFER_PICTURES] = mix->pictures.memory;
    memory[SPIRV_BUFFER_RESULTS] = results;
    size_t count = 0;
    uint32_t *program = spirv_mix_words(gpu_controls(mix->device), &count);
    mix->kernel = gpu_kernel_take(mix->device, program, count, memory);
    return mix->kernel != NULL;
}

/* As the stages: a driver may make its code only now. Places that a frame does not send are read
 * all the same, and hold 0 from here on. */
static bool run_once(struct gpu_mix *mix)
{
    const struct gpu_order order = {
        .columns = 1,
        .rows = 1,
        .sent = {numbers_of(mix), gpu_whole(mix->places, columns_size(mix) + rows_size(mix))},
        .sent_count = 2,
    };
    return gpu_kernel_run(mix->kernel, &order);
}

struct gpu_mix *gpu_mix_create(struct gpu_device *device, const struct gpu_pictures *pictures,
                               struct gpu_memory *results, const struct gpu_mix_size *size)
{
    struct gpu_mix *mix = calloc(1, sizeof *mix);
    if (mix == NULL) {
        return NULL;
    }
    mix->device = device;
    mix->pictures = *pictures;
    mix->size = *size;
    if (!make(mix, results) || !run_once(mix)) {
        gpu_mix_free(mix);
        return NULL;
    }
    return mix;
}

static void send(struct gpu_order *order, struct gpu_part part)
{
    order->sent[order->sent_count++] = part;
}

struct gpu_kernel *gpu_mix_kernel(struct gpu_mix *mix)
{
    return mix->kernel;
}

void gpu_mix_prepare(struct gpu_mix *mix, const struct rend_device_composite *composite,
                     struct gpu_order *order)
{
    const bool echo = composite->columns != NULL;
    uint32_t *words = gpu_memory_words(mix->numbers);
    words[SPIRV_MIX_WEIGHT] = (uint32_t)composite->weight[0];
    words[SPIRV_MIX_ECHO_WEIGHT] = (uint32_t)composite->weight[1];
    words[SPIRV_MIX_FILTERS] = composite->filters;
    words[SPIRV_MIX_SHADED] = composite->shaded;
    words[SPIRV_MIX_ECHO] = echo;
    *order = (struct gpu_order){
        .columns = ((uint32_t)mix->size.width - 1) / SPIRV_MIX_GROUP + 1,
        .rows = (uint32_t)mix->size.height,
    };
    send(order, numbers_of(mix));
    uint32_t *places = gpu_memory_words(mix->places);
    if (echo) {
        memcpy(places, composite->columns, columns_size(mix));
        send(order, gpu_whole(mix->places, columns_size(mix)));
    }
    if (echo || composite->shaded) {
        memcpy(places + mix->size.width, composite->rows, rows_size(mix));
        send(order, (struct gpu_part){mix->places, columns_size(mix), rows_size(mix)});
    }
    if (composite->renewed) {
        const struct gpu_pictures *pictures = &mix->pictures;
        send(order, (struct gpu_part){pictures->memory,
                                      pictures->first[REND_SOURCE_MAIN] * sizeof(uint32_t),
                                      pictures->texels[REND_SOURCE_MAIN] * sizeof(uint32_t)});
    }
}
