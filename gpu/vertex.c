#include "gpu/vertex.h"

#include <stdlib.h>

#include "base/fmath.h"
#include "gpu/spirv/equations/elementary.h"
#include "gpu/spirv/equations/vertex.h"
#include "gpu/spirv/read.h"
#include "pfpu/host/lines.h"

struct gpu_vertex {
    size_t vertices;
    size_t line_numbers;
    struct gpu_memory *numbers;
    struct gpu_memory *tables;
    struct gpu_memory *places;
    struct gpu_memory *results;
    struct gpu_kernel *kernel;
};

void gpu_vertex_free(struct gpu_vertex *vertex)
{
    if (vertex != NULL) {
        gpu_kernel_free(vertex->kernel);
        gpu_memory_free(vertex->numbers);
        gpu_memory_free(vertex->tables);
        gpu_memory_free(vertex->places);
        gpu_memory_free(vertex->results);
        free(vertex);
    }
}

/* All sizes in bytes. */
static size_t numbers_size(const struct gpu_vertex *vertex)
{
    return SPIRV_VERTEX_LINES * sizeof(uint32_t) + vertex->line_numbers * sizeof(double);
}

static size_t places_size(const struct gpu_vertex *vertex)
{
    return vertex->vertices * SPIRV_VERTEX_RECORD * sizeof(uint32_t);
}

static size_t results_size(const struct gpu_vertex *vertex)
{
    return 2 * vertex->vertices * sizeof(uint32_t);
}

static void put_places(uint32_t *words, const struct rend_device_mesh *mesh)
{
    for (size_t i = 0; i < mesh->vertices; i++, words += SPIRV_VERTEX_RECORD) {
        words[SPIRV_VERTEX_REST_X] = gpu_bits(mesh->rest_x[i]);
        words[SPIRV_VERTEX_REST_Y] = gpu_bits(mesh->rest_y[i]);
        for (size_t k = 0; k < REND_DEVICE_PLACE; k++) {
            words[SPIRV_VERTEX_PLACE + k] = gpu_bits((float)mesh->place[k][i]);
        }
    }
}

static bool make(struct gpu_vertex *vertex, struct gpu_device *device,
                 const struct rend_device_mesh *mesh)
{
    vertex->numbers = gpu_memory_create(device, numbers_size(vertex));
    vertex->tables = gpu_memory_create(device, SPIRV_TABLE_WORDS * sizeof(uint32_t));
    vertex->places = gpu_memory_create(device, places_size(vertex));
    vertex->results = gpu_memory_create(device, results_size(vertex));
    if (vertex->numbers == NULL || vertex->tables == NULL || vertex->places == NULL ||
        vertex->results == NULL) {
        return false;
    }
    gpu_memory_words(vertex->numbers)[SPIRV_VERTEX_LAST] = (uint32_t)vertex->vertices - 1;
    spirv_put_tables(gpu_memory_words(vertex->tables));
    put_places(gpu_memory_words(vertex->places), mesh);
    size_t count = 0;
    uint32_t *program =
        spirv_vertex_words(mesh->lines, mesh->written, gpu_controls(device), &count);
    struct gpu_memory *memory[SPIRV_BUFFERS] = {NULL};
    memory[SPIRV_BUFFER_NUMBERS] = vertex->numbers;
    memory[SPIRV_BUFFER_TEXELS] = vertex->tables;
    memory[SPIRV_BUFFER_PLACES] = vertex->places;
    memory[SPIRV_BUFFER_RESULTS] = vertex->results;
    vertex->kernel = gpu_kernel_take(device, program, count, memory);
    return vertex->kernel != NULL;
}

/* What never changes goes to the device with a first run. */
static bool run_once(struct gpu_vertex *vertex)
{
    const struct gpu_order order = {
        .columns = 1,
        .rows = 1,
        .sent = {gpu_whole(vertex->numbers, numbers_size(vertex)),
                 gpu_whole(vertex->tables, SPIRV_TABLE_WORDS * sizeof(uint32_t)),
                 gpu_whole(vertex->places, places_size(vertex))},
        .sent_count = 3,
    };
    if (!gpu_kernel_run(vertex->kernel, &order)) {
        return false;
    }
    gpu_memory_seal(vertex->tables);
    gpu_memory_seal(vertex->places);
    return true;
}

struct gpu_vertex *gpu_vertex_create(struct gpu_device *device, const struct rend_device_mesh *mesh)
{
    if (!gpu_controls(device).doubles || !spirv_vertex_takes(mesh->lines)) {
        return NULL;
    }
    struct gpu_vertex *vertex = calloc(1, sizeof *vertex);
    if (vertex == NULL) {
        return NULL;
    }
    vertex->vertices = mesh->vertices;
    vertex->line_numbers = mesh->lines->number_count;
    if (!make(vertex, device, mesh) || !run_once(vertex)) {
        gpu_vertex_free(vertex);
        return NULL;
    }
    return vertex;
}

/* ---- frames ---- */

static void put_numbers(const struct gpu_vertex *vertex, const struct rend_device_moving *moving)
{
    enum { ROT = 2 };
    uint32_t *words = gpu_memory_words(vertex->numbers);
    const double rot = (double)moving->motion[ROT];
    words[SPIRV_VERTEX_RIGHT] = gpu_bits(moving->aspect_x);
    words[SPIRV_VERTEX_DOWN] = gpu_bits(moving->aspect_y);
    words[SPIRV_VERTEX_SCALE] = gpu_bits(moving->inverse_scale);
    memcpy(words + SPIRV_VERTEX_TERM, moving->term, sizeof moving->term);
    memcpy(words + SPIRV_VERTEX_PHASE, moving->phase, sizeof moving->phase);
    memcpy(words + SPIRV_VERTEX_MOTION, moving->motion, sizeof moving->motion);
    words[SPIRV_VERTEX_SINE] = gpu_bits((float)base_sin(rot));
    words[SPIRV_VERTEX_COSINE] = gpu_bits((float)base_cos(rot));
    if (vertex->line_numbers > 0) {
        memcpy(words + SPIRV_VERTEX_LINES, moving->numbers,
               vertex->line_numbers * sizeof *moving->numbers);
    }
}

bool gpu_vertex_start(struct gpu_vertex *vertex, const struct rend_device_moving *moving)
{
    /* One whose vertices nobody wanted may still run. */
    if (!gpu_kernel_wait(vertex->kernel)) {
        return false;
    }
    put_numbers(vertex, moving);
    const struct gpu_order order = {
        .columns = ((uint32_t)vertex->vertices - 1) / SPIRV_VERTEX_GROUP + 1,
        .rows = 1,
        .sent = {gpu_whole(vertex->numbers, numbers_size(vertex))},
        .sent_count = 1,
        .fetched = gpu_whole(vertex->results, results_size(vertex)),
    };
    return gpu_kernels_start(&vertex->kernel, &order, 1);
}

const float *gpu_vertex_wait(struct gpu_vertex *vertex)
{
    return gpu_kernel_wait(vertex->kernel) ? (const float *)gpu_memory_words(vertex->results)
                                           : NULL;
}
