#include "gpu/warp.h"

#include <assert.h>
#include <stdlib.h>

#include "gpu/spirv/read.h"
#include "gpu/spirv/fixed/warp.h"
#include "tmu/walk.h"

_Static_assert((int)TMU_SIZE_MAX <= (int)SPIRV_WARP_SIZE_MAX, "programs hold all sizes");

struct gpu_warp {
    struct gpu_warp_size size;
    struct gpu_memory *numbers;
    struct gpu_memory *places; /* of columns, rows and cells */
    struct gpu_kernel *kernel;
    size_t cells; /* words of places before them */
    size_t words; /* of places */
};

void gpu_warp_free(struct gpu_warp *warp)
{
    if (warp != NULL) {
        gpu_kernel_free(warp->kernel);
        gpu_memory_free(warp->numbers);
        gpu_memory_free(warp->places);
        free(warp);
    }
}

static uint32_t upper_word(uint64_t number)
{
    return (uint32_t)(number >> 32);
}

/* Of the texture the walk wants the size alone. */
static void begin_walk(const struct gpu_warp *warp, const struct tmu_mesh *mesh,
                       enum tmu_address address, struct tmu_walk *walk)
{
    const struct gpu_warp_size *size = &warp->size;
    const struct tmu_surface texture = {.width = size->width, .height = size->height};
    const struct tmu_run run = {.texture = &texture,
                                .mesh = mesh,
                                .address = address,
                                .width = size->width,
                                .height = size->height};
    tmu_walk_begin(walk, &run);
}

/* ---- what stays as it is ---- */

static void put_place(uint32_t *words, size_t cell, int past, uint64_t turn)
{
    words[SPIRV_WARP_CELL] = (uint32_t)cell;
    words[SPIRV_WARP_PAST] = (uint32_t)past;
    words[SPIRV_WARP_TURN] = upper_word(turn);
    words[SPIRV_WARP_TURN_LOW] = (uint32_t)turn;
}

static void put_columns_and_rows(const struct gpu_warp *warp)
{
    const struct gpu_warp_size *size = &warp->size;
    const struct tmu_mesh mesh = {NULL, size->mesh_x, size->mesh_y};
    const size_t cells_of_row = (size_t)size->mesh_x * SPIRV_WARP_CELL_WORDS;
    uint32_t *words = gpu_memory_words(warp->places);
    struct tmu_walk walk;
    begin_walk(warp, &mesh, TMU_WRAP, &walk);
    const uint64_t pitch = tmu_diagonal_of(&walk, 0, 0).pitch;
    for (int x = 0; x < size->width; x++, words += SPIRV_WARP_PLACE_WORDS) {
        const int cell = tmu_cell_of(&walk.across, x);
        put_place(words, (size_t)cell * SPIRV_WARP_CELL_WORDS, x - walk.columns[cell].first,
                  pitch * (uint64_t)cell);
    }
    for (int y = 0; y < size->height; y++, words += SPIRV_WARP_PLACE_WORDS) {
        const int cell = tmu_cell_of(&walk.down, y);
        put_place(words, warp->cells + (size_t)cell * cells_of_row,
                  y - tmu_first_pixel(&walk.down, cell), tmu_diagonal_of(&walk, y, 0).at);
    }
}

static void put_sizes(const struct gpu_warp *warp, const struct gpu_pictures *pictures)
{
    const struct gpu_warp_size *size = &warp->size;
    uint32_t *words = gpu_memory_words(warp->numbers);
    words[SPIRV_WARP_TEXTURE] = (uint32_t)pictures->first[REND_SOURCE_MAIN];
    words[SPIRV_WARP_TEXTURE_PITCH] = (uint32_t)pictures->pitch[REND_SOURCE_MAIN];
    words[SPIRV_WARP_WIDTH] = (uint32_t)size->width;
    words[SPIRV_WARP_HEIGHT] = (uint32_t)size->height;
    words[SPIRV_WARP_PITCH] = (uint32_t)size->pitch;
    words[SPIRV_WARP_LAST_COLUMN] = (uint32_t)size->width - 1;
    words[SPIRV_WARP_LAST_ROW] = (uint32_t)size->height - 1;
    words[SPIRV_WARP_ROWS] = (uint32_t)size->width * SPIRV_WARP_PLACE_WORDS;
}

static bool make(struct gpu_warp *warp, struct gpu_device *device,
                 const struct gpu_pictures *pictures, struct gpu_memory *results)
{
    warp->numbers = gpu_memory_create(device, SPIRV_WARP_NUMBERS * sizeof(uint32_t));
    warp->places = gpu_memory_create(device, warp->words * sizeof(uint32_t));
    if (warp->numbers == NULL || warp->places == NULL) {
        return false;
    }
    put_sizes(warp, pictures);
    put_columns_and_rows(warp);
    struct gpu_memory *memory[SPIRV_BUFFERS] = {NULL};
    memory[SPIRV_BUFFER_NUMBERS] = warp->numbers;
    memory[SPIRV_BUFFER_PLACES] = warp->places;
    memory[SPIRV_BUFFER_PICTURES] = pictures->memory;
    memory[SPIRV_BUFFER_RESULTS] = results;
    size_t count = 0;
    uint32_t *program = spirv_warp_words(gpu_controls(device), &count);
    warp->kernel = gpu_kernel_take(device, program, count, memory);
    return warp->kernel != NULL;
}

/* As the stages: what never changes goes to the device with a first run. */
static bool run_once(struct gpu_warp *warp)
{
    const struct gpu_order order = {
        .columns = 1,
        .rows = 1,
        .sent = {gpu_whole(warp->numbers, SPIRV_WARP_NUMBERS * sizeof(uint32_t)),
                 gpu_whole(warp->places, warp->words * sizeof(uint32_t))},
        .sent_count = 2,
    };
    return gpu_kernel_run(warp->kernel, &order);
}

struct gpu_warp *gpu_warp_create(struct gpu_device *device, const struct gpu_pictures *pictures,
                                 struct gpu_memory *results, const struct gpu_warp_size *size)
{
    assert(size->width >= 1 && size->width <= TMU_SIZE_MAX);
    assert(size->height >= 1 && size->height <= TMU_SIZE_MAX);
    struct gpu_warp *warp = calloc(1, sizeof *warp);
    if (warp == NULL) {
        return NULL;
    }
    warp->size = *size;
    warp->cells = ((size_t)size->width + (size_t)size->height) * SPIRV_WARP_PLACE_WORDS;
    warp->words = warp->cells + (size_t)size->mesh_x * (size_t)size->mesh_y * SPIRV_WARP_CELL_WORDS;
    if (!make(warp, device, pictures, results) || !run_once(warp)) {
        gpu_warp_free(warp);
        return NULL;
    }
    return warp;
}

/* ---- frames ---- */

/* Where the left triangle serves for both, it stands in place of the right one. */
static void put_cell(uint32_t *words, const struct tmu_ramp *ramp)
{
    for (int k = 0; k < TMU_RAMP_VALUES; k++, words += SPIRV_WARP_RAMP_WORDS) {
        const int from = ramp->flat > 0 ? k % TMU_AXES : k;
        words[SPIRV_WARP_AT] = upper_word(ramp->at[from]);
        words[SPIRV_WARP_AT_LOW] = (uint32_t)ramp->at[from];
        words[SPIRV_WARP_PER_ROW] = upper_word(ramp->per_row[from]);
        words[SPIRV_WARP_PER_ROW_LOW] = (uint32_t)ramp->per_row[from];
        words[SPIRV_WARP_STEP] = ramp->step[from];
    }
}

/* Rows of cells without pixels stay as they are. false: cells are far. */
static bool put_cells(uint32_t *words, const struct tmu_walk *walk)
{
    const size_t across = (size_t)walk->across.cells;
    struct tmu_cells cells;
    cells.part = tmu_whole_row(walk);
    for (int y = 0; y < walk->down.pixels; y = cells.end) {
        const size_t first = (size_t)tmu_cell_of(&walk->down, y) * across;
        tmu_enter_cells(walk, y, &cells);
        if (cells.any_far) {
            return false;
        }
        for (size_t c = 0; c < across; c++) {
            put_cell(words + (first + c) * SPIRV_WARP_CELL_WORDS, &cells.ramps[c]);
        }
    }
    return true;
}

bool gpu_warp_wait(struct gpu_warp *warp)
{
    return gpu_kernel_wait(warp->kernel);
}

struct gpu_kernel *gpu_warp_prepare(struct gpu_warp *warp, const struct tmu_mesh *mesh,
                                    enum tmu_address address, unsigned decay,
                                    struct gpu_order *order)
{
    const struct gpu_warp_size *size = &warp->size;
    struct tmu_walk walk;
    assert(mesh->columns == size->mesh_x && mesh->rows == size->mesh_y);
    assert(address == TMU_WRAP || address == TMU_CLAMP);
    begin_walk(warp, mesh, address, &walk);
    if (!put_cells(gpu_memory_words(warp->places) + warp->cells, &walk)) {
        return NULL;
    }
    uint32_t *numbers = gpu_memory_words(warp->numbers);
    numbers[SPIRV_WARP_CLAMPED] = address == TMU_CLAMP;
    numbers[SPIRV_WARP_KEEP] = (uint32_t)tmu_keep_of(decay);
    *order = (struct gpu_order){
        .columns = ((uint32_t)size->width - 1) / SPIRV_WARP_GROUP + 1,
        .rows = (uint32_t)size->height,
        .sent = {gpu_whole(warp->numbers, SPIRV_WARP_NUMBERS * sizeof(uint32_t)),
                 {warp->places, warp->cells * sizeof(uint32_t),
                  (warp->words - warp->cells) * sizeof(uint32_t)}},
        .sent_count = 2,
    };
    return warp->kernel;
}
