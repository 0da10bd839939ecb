#include "gpu/overlay.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/spirv/fixed/overlay.h"
#include "gpu/spirv/read.h"
#include "renderer/draw/list.h"

/* Draws the list on a copy of the canvas, where the warped picture will lie; or on that where it
 * lies, since textures are still read from the canvas; or makes the canvas of what lies there,
 * without a list if it is drawn already. */
enum { FROM_CANVAS, IN_PLACE, TO_CANVAS, RUNS };

struct gpu_overlay {
    struct gpu_device *device;
    struct gpu_pictures pictures;
    struct gpu_overlay_size size;
    struct gpu_memory *list;
    struct gpu_memory *numbers[RUNS];
    struct gpu_kernel *kernel[RUNS];
    struct gpu_kernel *started; /* the one to wait for */
};

void gpu_overlay_free(struct gpu_overlay *overlay)
{
    if (overlay == NULL) {
        return;
    }
    for (int i = 0; i < RUNS; i++) {
        gpu_kernel_free(overlay->kernel[i]);
    }
    for (int i = 0; i < RUNS; i++) {
        gpu_memory_free(overlay->numbers[i]);
    }
    gpu_memory_free(overlay->list);
    free(overlay);
}

static void put_numbers(const struct gpu_overlay *overlay, int run)
{
    const struct gpu_pictures *pictures = &overlay->pictures;
    const uint32_t width = (uint32_t)overlay->size.width;
    const uint32_t height = (uint32_t)overlay->size.height;
    const uint32_t canvas = (uint32_t)pictures->first[REND_SOURCE_MAIN];
    const uint32_t pitch = (uint32_t)pictures->pitch[REND_SOURCE_MAIN];
    const bool behind = run == TO_CANVAS;
    const bool before = run == FROM_CANVAS;
    uint32_t *words = gpu_memory_words(overlay->numbers[run]);
    words[SPIRV_OVERLAY_WIDTH] = width;
    words[SPIRV_OVERLAY_HEIGHT] = height;
    words[SPIRV_OVERLAY_COLUMNS] = behind ? width + 1 : width;
    words[SPIRV_OVERLAY_SOURCE] = before ? canvas : 0;
    words[SPIRV_OVERLAY_SOURCE_PITCH] = before ? pitch : (uint32_t)overlay->size.pitch;
    words[SPIRV_OVERLAY_TARGET] = behind ? canvas : 0;
    words[SPIRV_OVERLAY_TARGET_PITCH] = behind ? pitch : (uint32_t)overlay->size.pitch;
    words[SPIRV_OVERLAY_TEXTURE] = canvas;
    words[SPIRV_OVERLAY_TEXTURE_PITCH] = pitch;
    words[SPIRV_OVERLAY_TILES] = (width + REND_LIST_COLUMNS - 1) / REND_LIST_COLUMNS;
    words[SPIRV_OVERLAY_LISTED] = 0;
}

static struct gpu_order order_of(const struct gpu_overlay *overlay, int run)
{
    const uint32_t *words = gpu_memory_words(overlay->numbers[run]);
    return (struct gpu_order){
        .columns = (words[SPIRV_OVERLAY_COLUMNS] - 1) / SPIRV_OVERLAY_GROUP + 1,
        .rows = words[SPIRV_OVERLAY_HEIGHT] + (run == TO_CANVAS ? 1 : 0),
        .sent = {gpu_whole(overlay->numbers[run], SPIRV_OVERLAY_NUMBERS * sizeof(uint32_t))},
        .sent_count = 1,
    };
}

static bool make_run(struct gpu_overlay *overlay, int run, const uint32_t *program, size_t count,
                     struct gpu_memory *results)
{
    struct gpu_memory *memory[SPIRV_BUFFERS] = {NULL};
    overlay->numbers[run] =
        gpu_memory_create(overlay->device, SPIRV_OVERLAY_NUMBERS * sizeof(uint32_t));
    if (overlay->numbers[run] == NULL) {
        return false;
    }
    put_numbers(overlay, run);
    memory[SPIRV_BUFFER_NUMBERS] = overlay->numbers[run];
    memory[SPIRV_BUFFER_PLACES] = overlay->list;
    memory[SPIRV_BUFFER_TEXELS] = run == FROM_CANVAS ? overlay->pictures.memory : results;
    memory[SPIRV_BUFFER_PICTURES] = run == IN_PLACE ? overlay->pictures.memory : NULL;
    memory[SPIRV_BUFFER_RESULTS] = run == TO_CANVAS ? overlay->pictures.memory : results;
    overlay->kernel[run] = gpu_kernel_create(overlay->device, program, count, memory);
    if (overlay->kernel[run] == NULL) {
        return false;
    }
    /* A driver may make its code only when it runs first. */
    struct gpu_order order = order_of(overlay, run);
    order.columns = order.rows = 1;
    return gpu_kernel_run(overlay->kernel[run], &order);
}

struct gpu_overlay *gpu_overlay_create(struct gpu_device *device,
                                       const struct gpu_pictures *pictures,
                                       struct gpu_memory *results,
                                       const struct gpu_overlay_size *size)
{
    struct gpu_overlay *overlay = calloc(1, sizeof *overlay);
    if (overlay == NULL) {
        return NULL;
    }
    overlay->device = device;
    overlay->pictures = *pictures;
    overlay->size = *size;
    overlay->list = gpu_memory_create(device, size->words * sizeof(uint32_t));
    size_t count = 0;
    uint32_t *program = spirv_overlay_words(gpu_controls(device), &count);
    bool good = overlay->list != NULL && program != NULL;
    for (int i = 0; i < RUNS && good; i++) {
        good = make_run(overlay, i, program, count, results);
    }
    free(program);
    if (!good) {
        gpu_overlay_free(overlay);
        return NULL;
    }
    return overlay;
}

/* Begins with a run, which draws the list, and what makes the canvas of it; gives whether the
 * device is still there. What used the list before has ended. */
static bool start(struct gpu_overlay *overlay, int listed, const uint32_t *list, size_t words,
                  struct gpu_memory *to)
{
    const struct gpu_pictures *pictures = &overlay->pictures;
    struct gpu_kernel *kernels[2] = {overlay->kernel[listed], overlay->kernel[TO_CANVAS]};
    struct gpu_order orders[2] = {order_of(overlay, listed), order_of(overlay, TO_CANVAS)};
    const size_t count = listed == TO_CANVAS ? 1 : 2;
    memcpy(gpu_memory_words(overlay->list), list, words * sizeof *list);
    gpu_memory_words(overlay->numbers[TO_CANVAS])[SPIRV_OVERLAY_LISTED] = 0;
    gpu_memory_words(overlay->numbers[listed])[SPIRV_OVERLAY_LISTED] = 1;
    orders[0].sent[orders[0].sent_count++] = gpu_whole(overlay->list, words * sizeof *list);
    if (to != NULL) {
        orders[count - 1].fetched = (struct gpu_part){
            pictures->memory, pictures->first[REND_SOURCE_MAIN] * sizeof(uint32_t),
            pictures->texels[REND_SOURCE_MAIN] * sizeof(uint32_t)};
        orders[count - 1].to = to;
    }
    return gpu_kernels_start(kernels, orders, count);
}

bool gpu_overlay_change(struct gpu_overlay *overlay, const uint32_t *list, size_t words)
{
    return start(overlay, FROM_CANVAS, list, words, NULL);
}

void gpu_overlay_settle(struct gpu_overlay *overlay)
{
    (void)gpu_kernel_wait(overlay->kernel[FROM_CANVAS]);
}

bool gpu_overlay_start(struct gpu_overlay *overlay, const struct rend_device_overlay *list,
                       struct gpu_memory *to)
{
    const int listed = list->textured ? IN_PLACE : TO_CANVAS;
    overlay->started = overlay->kernel[listed];
    return gpu_kernel_wait(overlay->kernel[FROM_CANVAS]) &&
           start(overlay, listed, list->words, list->count, to);
}

bool gpu_overlay_wait(struct gpu_overlay *overlay)
{
    return gpu_kernel_wait(overlay->started);
}
