#include "gpu/blur.h"

#include <stdlib.h>

#include "gpu/spirv/fixed/blur.h"
#include "gpu/spirv/read.h"

/* A pass on the device. */
struct pass {
    struct gpu_kernel *kernel;
    struct gpu_memory *numbers;
    struct gpu_memory *records; /* of columns and rows */
    size_t record_words;
    uint32_t columns; /* groups */
    uint32_t rows;
};

struct gpu_blur {
    struct gpu_device *device;
    struct gpu_pictures pictures;
    struct gpu_memory *between; /* what passes make that are no pictures */
    struct pass pass[REND_DEVICE_PASSES];
    size_t passes;
};

void gpu_blur_free(struct gpu_blur *blur)
{
    if (blur == NULL) {
        return;
    }
    for (size_t i = 0; i < blur->passes; i++) {
        gpu_kernel_free(blur->pass[i].kernel);
    }
    for (size_t i = 0; i < blur->passes; i++) {
        gpu_memory_free(blur->pass[i].numbers);
        gpu_memory_free(blur->pass[i].records);
    }
    gpu_memory_free(blur->between);
    free(blur);
}

static size_t axis_words(const struct rend_device_axis *axis)
{
    return (size_t)axis->count * spirv_blur_record_words(axis->taps);
}

static void put_records(uint32_t *words, const struct rend_device_axis *axis)
{
    const size_t record = spirv_blur_record_words(axis->taps);
    for (int i = 0; i < axis->count; i++, words += record) {
        const int16_t *weights = axis->weights + (size_t)i * (size_t)axis->taps;
        words[SPIRV_BLUR_FIRST] = (uint32_t)(axis->first[i] + SPIRV_BLUR_BEFORE);
        words[SPIRV_BLUR_LIGHT] = gpu_bits(axis->light != NULL ? axis->light[i] : 0.0f);
        for (int k = 0; k < axis->taps; k += 2) {
            words[SPIRV_BLUR_WEIGHTS + k / 2] =
                (uint32_t)(uint16_t)weights[k] | (uint32_t)(uint16_t)weights[k + 1] << 16;
        }
    }
}

/* Where pass `number` reads or writes: a picture, or what lies between two. */
struct room {
    struct gpu_memory *memory;
    uint32_t first;
    uint32_t pitch;
};

static struct room room_of(const struct gpu_blur *blur, bool picture, size_t number, int width)
{
    if (!picture) {
        return (struct room){blur->between, 0, (uint32_t)width};
    }
    return (struct room){blur->pictures.memory, (uint32_t)blur->pictures.first[number],
                         (uint32_t)blur->pictures.pitch[number]};
}

static bool make_pass(struct gpu_blur *blur, size_t number, const struct rend_device_blur *made)
{
    struct pass *pass = &blur->pass[number];
    const struct rend_device_axis *columns = &made->columns[number];
    const struct rend_device_axis *rows = &made->rows[number];
    const bool makes_picture = number % 2 != 0;
    const size_t picture = (number + 1) / 2; /* MAIN is 0, then the blurred ones */
    const struct room from = room_of(blur, !makes_picture, picture, columns->source);
    const struct room to = room_of(blur, makes_picture, picture, columns->count);
    const size_t wide = axis_words(columns);
    pass->record_words = wide + axis_words(rows);
    /* Behind a picture its first column stands again, and below it its first row. */
    const uint32_t last_column = (uint32_t)columns->count - (makes_picture ? 0 : 1);
    const uint32_t last_row = (uint32_t)rows->count - (makes_picture ? 0 : 1);
    pass->columns = last_column / SPIRV_BLUR_GROUP + 1;
    pass->rows = last_row + 1;
    pass->numbers = gpu_memory_create(blur->device, SPIRV_BLUR_NUMBERS * sizeof(uint32_t));
    pass->records = gpu_memory_create(blur->device, pass->record_words * sizeof(uint32_t));
    if (pass->numbers == NULL || pass->records == NULL) {
        return false;
    }
    uint32_t *words = gpu_memory_words(pass->numbers);
    words[SPIRV_BLUR_SOURCE] = from.first;
    words[SPIRV_BLUR_SOURCE_PITCH] = from.pitch;
    words[SPIRV_BLUR_RIGHT] = (uint32_t)columns->source - 1;
    words[SPIRV_BLUR_BOTTOM] = (uint32_t)rows->source - 1;
    words[SPIRV_BLUR_TARGET] = to.first;
    words[SPIRV_BLUR_TARGET_PITCH] = to.pitch;
    words[SPIRV_BLUR_WIDTH] = (uint32_t)columns->count;
    words[SPIRV_BLUR_HEIGHT] = (uint32_t)rows->count;
    words[SPIRV_BLUR_LAST_COLUMN] = last_column;
    words[SPIRV_BLUR_LAST_ROW] = last_row;
    words[SPIRV_BLUR_ROWS] = (uint32_t)wide;
    put_records(gpu_memory_words(pass->records), columns);
    put_records(gpu_memory_words(pass->records) + wide, rows);
    struct gpu_memory *memory[SPIRV_BUFFERS] = {NULL};
    memory[SPIRV_BUFFER_NUMBERS] = pass->numbers;
    memory[SPIRV_BUFFER_PLACES] = pass->records;
    memory[SPIRV_BUFFER_PICTURES] = from.memory;
    memory[SPIRV_BUFFER_RESULTS] = to.memory;
    size_t count = 0;
    uint32_t *program =
        spirv_blur_words(columns->taps, rows->taps, gpu_controls(blur->device), &count);
    pass->kernel = gpu_kernel_take(blur->device, program, count, memory);
    return pass->kernel != NULL;
}

/* As the stages: what never changes goes to the device with a first run. */
static bool run_once(struct pass *pass)
{
    const struct gpu_order order = {
        .columns = 1,
        .rows = 1,
        .sent = {gpu_whole(pass->numbers, SPIRV_BLUR_NUMBERS * sizeof(uint32_t)),
                 gpu_whole(pass->records, pass->record_words * sizeof(uint32_t))},
        .sent_count = 2,
    };
    if (!gpu_kernel_run(pass->kernel, &order)) {
        return false;
    }
    gpu_memory_seal(pass->records);
    return true;
}

struct gpu_blur *gpu_blur_create(struct gpu_device *device, const struct gpu_pictures *pictures,
                                 const struct rend_device_blur *made)
{
    struct gpu_blur *blur = calloc(1, sizeof *blur);
    if (blur == NULL) {
        return NULL;
    }
    blur->device = device;
    blur->pictures = *pictures;
    blur->passes = made->passes;
    const size_t texels = (size_t)made->columns[0].count * (size_t)made->rows[0].count;
    blur->between = gpu_memory_create(device, texels * sizeof(uint32_t));
    bool good = blur->between != NULL;
    for (size_t i = 0; i < blur->passes && good; i++) {
        good = make_pass(blur, i, made) && run_once(&blur->pass[i]);
    }
    if (!good) {
        gpu_blur_free(blur);
        return NULL;
    }
    return blur;
}

void gpu_blur_wait(struct gpu_blur *blur)
{
    (void)gpu_kernel_wait(blur->pass[0].kernel);
}

bool gpu_blur_start(struct gpu_blur *blur, const struct rend_device_blurring *numbers)
{
    struct gpu_kernel *kernels[REND_DEVICE_PASSES];
    struct gpu_order orders[REND_DEVICE_PASSES];
    gpu_blur_wait(blur);
    for (size_t i = 0; i < blur->passes; i++) {
        const struct pass *pass = &blur->pass[i];
        const float darken = i == 1 ? numbers->darken : 0.0f;
        uint32_t *words = gpu_memory_words(pass->numbers);
        words[SPIRV_BLUR_SCALE] = gpu_bits(numbers->scale[i]);
        words[SPIRV_BLUR_BIAS] = gpu_bits(numbers->bias[i]);
        words[SPIRV_BLUR_ALWAYS] = gpu_bits(1.0f - darken);
        words[SPIRV_BLUR_DARKEN] = gpu_bits(darken);
        kernels[i] = pass->kernel;
        orders[i] = (struct gpu_order){
            .columns = pass->columns,
            .rows = pass->rows,
            .sent = {gpu_whole(pass->numbers, SPIRV_BLUR_NUMBERS * sizeof(uint32_t))},
            .sent_count = 1,
        };
    }
    if (numbers->renewed) {
        const struct gpu_pictures *pictures = &blur->pictures;
        orders[0].sent[orders[0].sent_count++] = (struct gpu_part){
            pictures->memory, pictures->first[REND_SOURCE_MAIN] * sizeof(uint32_t),
            pictures->texels[REND_SOURCE_MAIN] * sizeof(uint32_t)};
    }
    return gpu_kernels_start(kernels, orders, blur->passes);
}
