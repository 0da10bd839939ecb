#include "gpu/gpu.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/blur.h"
#include "gpu/cross.h"
#include "gpu/mix.h"
#include "gpu/overlay.h"
#include "gpu/spirv/fixed/cross.h"
#include "gpu/spirv/program.h"
#include "gpu/vertex.h"
#include "gpu/warp.h"
#include "renderer/shader/ir/ir.h"

/* A group of a program covers a part of a row of tiles. */
_Static_assert(SHADER_TILE_COLUMNS % (2 * SPIRV_GROUP) == 0 && SHADER_TILE_ROWS % 2 == 0,
               "tiles are whole groups of quads");
_Static_assert(SHADER_TILE_COLUMNS % SPIRV_CROSS_GROUP == 0, "rows of results are whole groups");

struct gpu {
    struct gpu_device *device;
    bool leaves_doubles; /* to the processor */
    struct rend_device stages;
    atomic_uint_fast64_t ran;
    atomic_uint_fast64_t refused;
};

/* What the stages of a canvas have in common. */
struct canvas {
    struct gpu *gpu;
    struct gpu_memory *pictures; /* one behind the other */
    struct gpu_memory *results;
    struct gpu_memory *room[REND_DEVICE_ROOMS]; /* with an overlay: where it comes back */
    size_t first[REND_SOURCES];                 /* their first texels */
    size_t texels[REND_SOURCES];
    size_t pitch[REND_SOURCES];
    size_t pixels; /* of a result, at most */
    size_t columns;
    size_t rows;
    size_t vertices;
    int width; /* of the picture */
    int height;
    size_t listed;
    struct gpu_blur *blur; /* NULL: none */
    struct gpu_overlay *overlay;
    struct gpu_warp *warp;
    struct gpu_mix *mix;
    struct gpu_cross *cross;
    struct gpu_kernel *drawn; /* what was begun last in the results; NULL: nothing */
    bool comes;               /* those come back with it */
    bool owed;                /* it is a stage that is not counted yet */
    bool read_elsewhere;      /* results, by kernels that are not of the canvas */
    struct gpu_vertex *vertex;
};

/* A stage on the device. */
struct loaded {
    struct canvas *canvas;
    struct spirv_program *program;
    struct gpu_kernel *kernel;
    struct gpu_memory *memory[SPIRV_BUFFERS]; /* those that are its own */
    size_t numbers;                           /* bytes of the frame's numbers */
    bool composes;
};

/* ---- canvases ---- */

/* Of stages whose pictures stay it shows late whether they were drawn; a warp that does is counted
 * with the canvas. */
static void count_drawn(struct canvas *canvas)
{
    atomic_fetch_add(&canvas->gpu->ran, canvas->owed && !gpu_lost(canvas->gpu->device) ? 1 : 0);
    canvas->owed = false;
}

static void close_canvas(void *user)
{
    struct canvas *canvas = user;
    count_drawn(canvas);
    gpu_memory_free(canvas->pictures);
    gpu_memory_free(canvas->results);
    for (int i = 0; i < REND_DEVICE_ROOMS; i++) {
        gpu_memory_free(canvas->room[i]);
    }
    free(canvas);
}

static void *open_canvas(void *user, const struct rend_device_canvas *from)
{
    struct gpu *gpu = user;
    struct canvas *canvas = calloc(1, sizeof *canvas);
    if (canvas == NULL) {
        return NULL;
    }
    *canvas = (struct canvas){.gpu = gpu,
                              .pixels = from->columns * from->rows,
                              .columns = from->columns,
                              .rows = from->rows,
                              .width = from->width,
                              .height = from->height,
                              .listed = from->listed,
                              .vertices = from->vertices};
    size_t texels = 0;
    for (int i = 0; i < REND_SOURCES; i++) {
        canvas->first[i] = texels;
        canvas->texels[i] = spirv_texture_texels(from->pictures[i]);
        canvas->pitch[i] = from->pictures[i] != NULL ? from->pictures[i]->level[0].pitch : 0;
        texels += canvas->texels[i];
    }
    canvas->pictures = gpu_memory_create(gpu->device, (texels + 1) * sizeof(uint32_t));
    canvas->results = gpu_memory_create(gpu->device, canvas->pixels * sizeof(uint32_t));
    if (canvas->pictures == NULL || canvas->results == NULL) {
        atomic_fetch_add(&gpu->refused, from->stages);
        close_canvas(canvas);
        return NULL;
    }
    return canvas;
}

static uint32_t *picture(void *user, enum rend_source picture, size_t *texels)
{
    const struct canvas *canvas = user;
    /* A composite that stays may still read it; what is blurred is still read, also where the
     * processor's copy is on its way, and what is changed is written. */
    if (canvas->drawn != NULL) {
        (void)gpu_kernel_wait(canvas->drawn);
    }
    if (canvas->blur != NULL) {
        gpu_blur_wait(canvas->blur);
    }
    if (canvas->overlay != NULL) {
        gpu_overlay_settle(canvas->overlay);
    }
    *texels = canvas->texels[picture];
    return gpu_memory_words(canvas->pictures) + canvas->first[picture];
}

/* Bytes of the rows that are seen. */
static size_t picture_size(const struct canvas *canvas)
{
    return canvas->columns * (size_t)canvas->height * sizeof(uint32_t);
}

/* ---- stages ---- */

/* Before a kernel of the canvas goes: others may still read its results, and end before one that
 * is begun now. */
static void outlast_readers(const struct canvas *canvas, struct gpu_kernel *kernel)
{
    if (canvas->read_elsewhere && kernel != NULL &&
        !gpu_kernel_run(kernel, &(struct gpu_order){.columns = 0})) {
        gpu_settle(canvas->gpu->device);
    }
}

static void unload(void *user)
{
    struct loaded *loaded = user;
    outlast_readers(loaded->canvas, loaded->kernel);
    gpu_kernel_free(loaded->kernel);
    for (int i = 0; i < SPIRV_BUFFERS; i++) {
        gpu_memory_free(loaded->memory[i]);
    }
    spirv_program_free(loaded->program);
    free(loaded);
}

static size_t places_size(const struct canvas *canvas)
{
    return (canvas->columns * SPIRV_COLUMN_WORDS + canvas->rows * SPIRV_ROW_WORDS +
            2 * canvas->vertices) *
           sizeof(uint32_t);
}

static bool make_memory(struct loaded *loaded, size_t bindings, size_t texels)
{
    const struct canvas *canvas = loaded->canvas;
    loaded->numbers = spirv_program_numbers(loaded->program) * sizeof(uint32_t);
    const size_t sizes[SPIRV_BUFFERS] = {
        [SPIRV_BUFFER_NUMBERS] = loaded->numbers,
        [SPIRV_BUFFER_TEXTURES] = (bindings + 1) * SPIRV_TEXTURE_WORDS * sizeof(uint32_t),
        [SPIRV_BUFFER_TEXELS] = (texels + 1) * sizeof(uint32_t),
        [SPIRV_BUFFER_PLACES] = places_size(canvas),
        [SPIRV_BUFFER_INPUTS] = sizeof(uint32_t),
    };
    bool good = true;
    for (int i = 0; i < SPIRV_BUFFERS && good; i++) {
        if (sizes[i] > 0) {
            loaded->memory[i] = gpu_memory_create(canvas->gpu->device, sizes[i]);
            good = loaded->memory[i] != NULL;
        }
    }
    return good;
}

/* Where a stage finds its textures; gives how many texels those have that stay as they are. */
static size_t find_sources(const struct canvas *canvas, const struct rend_device_stage *stage,
                           size_t bindings, struct spirv_source *sources)
{
    size_t texels = 0;
    for (size_t i = 0; i < bindings; i++) {
        const enum rend_source moving = stage->picture[i];
        const bool fixed = moving == REND_SOURCE_FIXED;
        sources[i] = (struct spirv_source){
            .texture = stage->textures[i],
            .texels = fixed ? SPIRV_BUFFER_TEXELS : SPIRV_BUFFER_PICTURES,
            .first = (uint32_t)(fixed ? texels : canvas->first[moving]),
        };
        texels += fixed ? spirv_texture_texels(stage->textures[i]) : 0;
    }
    return texels;
}

static void put_textures(struct loaded *loaded, const struct spirv_source *sources, size_t bindings)
{
    uint32_t *words = gpu_memory_words(loaded->memory[SPIRV_BUFFER_TEXTURES]);
    uint32_t *texels = gpu_memory_words(loaded->memory[SPIRV_BUFFER_TEXELS]);
    for (size_t i = 0; i < bindings; i++, words += SPIRV_TEXTURE_WORDS) {
        spirv_source_words(words, &sources[i]);
        if (sources[i].texels == SPIRV_BUFFER_TEXELS) {
            spirv_source_texels(texels, &sources[i]);
        }
    }
}

/* A driver may make its code only when it runs first: in the thread that loads, not in a frame. Its
 * rows have no length, so that all that it writes lies in the first tile. What never changes goes
 * to the device with it. */
static bool run_once(struct loaded *loaded, size_t bindings, size_t texels)
{
    struct gpu_memory *textures = loaded->memory[SPIRV_BUFFER_TEXTURES];
    struct gpu_memory *fixed = loaded->memory[SPIRV_BUFFER_TEXELS];
    const struct gpu_order order = {
        .columns = 1,
        .rows = 1,
        .sent = {gpu_whole(loaded->memory[SPIRV_BUFFER_NUMBERS], loaded->numbers),
                 gpu_whole(textures, (bindings + 1) * SPIRV_TEXTURE_WORDS * sizeof(uint32_t)),
                 gpu_whole(fixed, (texels + 1) * sizeof(uint32_t)),
                 gpu_whole(loaded->memory[SPIRV_BUFFER_PLACES], places_size(loaded->canvas))},
        .sent_count = 4,
    };
    if (!gpu_kernel_run(loaded->kernel, &order)) {
        return false;
    }
    gpu_memory_seal(textures);
    gpu_memory_seal(fixed);
    return true;
}

static bool make(struct loaded *loaded, const struct rend_device_stage *stage)
{
    const struct canvas *canvas = loaded->canvas;
    struct gpu_device *device = canvas->gpu->device;
    const struct shader_binding *bindings;
    const size_t count = shader_bindings(stage->program, &bindings);
    struct spirv_source sources[SHADER_TEXTURES_MAX];
    const size_t texels = find_sources(canvas, stage, count, sources);
    /* Places are words of 32 bits in a program. */
    if (texels >= UINT32_MAX / sizeof(uint32_t)) {
        return false;
    }
    const struct spirv_purpose purpose = {
        .result = SPIRV_PIXELS,
        .places = true,
        .stage = stage->stage,
        .sources = sources,
        .controls = gpu_controls(device),
    };
    loaded->program = spirv_program_create(shader_list(stage->program), &purpose);
    if (loaded->program == NULL || !make_memory(loaded, count, texels)) {
        return false;
    }
    put_textures(loaded, sources, count);
    struct gpu_memory *memory[SPIRV_BUFFERS];
    memcpy(memory, loaded->memory, sizeof memory);
    memory[SPIRV_BUFFER_PICTURES] = canvas->pictures;
    memory[SPIRV_BUFFER_RESULTS] = canvas->results;
    size_t length = 0;
    const uint32_t *words = spirv_program_words(loaded->program, &length);
    loaded->kernel = gpu_kernel_create(device, words, length, memory);
    return loaded->kernel != NULL && run_once(loaded, count, texels);
}

static void *load(void *user, const struct rend_device_stage *stage)
{
    struct canvas *canvas = user;
    struct loaded *loaded = calloc(1, sizeof *loaded);
    if (loaded == NULL) {
        return NULL;
    }
    loaded->canvas = canvas;
    loaded->composes = stage->stage == SHADER_COMP;
    if (!make(loaded, stage)) {
        atomic_fetch_add(&canvas->gpu->refused, 1);
        unload(loaded);
        return NULL;
    }
    return loaded;
}

static void put_places(uint32_t *words, const struct rend_device_run *run, size_t vertices)
{
    const struct rend_device_places *places = run->places;
    for (size_t x = 0; x < run->columns; x++, words += SPIRV_COLUMN_WORDS) {
        words[SPIRV_COLUMN_CELL] = (uint32_t)places->cell[x];
        words[SPIRV_COLUMN_WITHIN] = gpu_bits(places->within[x]);
        words[SPIRV_COLUMN_PLACE] = gpu_bits(places->column[x]);
    }
    for (size_t y = 0; y < run->rows; y++, words += SPIRV_ROW_WORDS) {
        words[SPIRV_ROW_VERTEX] = (uint32_t)places->cells[y] * (uint32_t)places->across;
        words[SPIRV_ROW_WITHIN] = gpu_bits(places->up[y]);
        words[SPIRV_ROW_PLACE] = gpu_bits(places->row[y]);
    }
    memcpy(words, places->vertices, 2 * vertices * sizeof *words);
}

static void put_numbers(struct loaded *loaded, const struct rend_device_run *run)
{
    uint32_t *numbers = gpu_memory_words(loaded->memory[SPIRV_BUFFER_NUMBERS]);
    const size_t rows = run->columns * SPIRV_COLUMN_WORDS;
    numbers[SPIRV_NUMBER_PITCH] = (uint32_t)run->columns;
    numbers[SPIRV_NUMBER_PLANE] = (uint32_t)(run->columns * run->rows);
    numbers[SPIRV_NUMBER_ROWS] = (uint32_t)rows;
    numbers[SPIRV_NUMBER_VERTICES] = (uint32_t)(rows + run->rows * SPIRV_ROW_WORDS);
    numbers[SPIRV_NUMBER_ACROSS] = (uint32_t)run->places->across;
    numbers[SPIRV_NUMBER_RIGHT] = gpu_bits(run->places->right);
    numbers[SPIRV_NUMBER_DOWN] = gpu_bits(run->places->down);
    numbers[SPIRV_NUMBER_RADIUS] = gpu_bits(run->places->radius);
    memcpy(numbers + SPIRV_NUMBER_HUE, run->places->hue, sizeof run->places->hue);
    spirv_program_fill(loaded->program, run->frame->uniforms, run->frame->textures, numbers);
}

/* Begins what draws in the canvas's results; `wanted` bytes of them come back. */
static bool begin_drawing(struct canvas *canvas, struct gpu_kernel *kernel, struct gpu_order *order,
                          size_t wanted)
{
    order->fetched = gpu_whole(canvas->results, wanted);
    canvas->drawn = kernel;
    canvas->comes = wanted > 0 || gpu_shares_memory(canvas->gpu->device);
    return gpu_kernels_start(&kernel, order, 1);
}

static bool start(void *user, const struct rend_device_run *run)
{
    struct loaded *loaded = user;
    struct canvas *canvas = loaded->canvas;
    const size_t pixels = run->columns * run->rows;
    if (run->columns > canvas->columns || run->rows > canvas->rows) {
        return false;
    }
    /* One whose picture nobody wanted may still run. */
    if (!gpu_kernel_wait(loaded->kernel)) {
        return false;
    }
    count_drawn(canvas);
    struct gpu_memory *places = loaded->memory[SPIRV_BUFFER_PLACES];
    put_places(gpu_memory_words(places), run, canvas->vertices);
    put_numbers(loaded, run);
    struct gpu_order order = {
        .columns = (uint32_t)(run->columns / 2 / SPIRV_GROUP),
        .rows = (uint32_t)(run->rows / 2),
        .sent = {gpu_whole(loaded->memory[SPIRV_BUFFER_NUMBERS], loaded->numbers),
                 gpu_whole(places, places_size(canvas))},
        .sent_count = 2,
    };
    for (int i = 0; i < REND_SOURCES; i++) {
        if (run->renewed[i]) {
            order.sent[order.sent_count++] =
                (struct gpu_part){canvas->pictures, canvas->first[i] * sizeof(uint32_t),
                                  canvas->texels[i] * sizeof(uint32_t)};
        }
    }
    canvas->owed = loaded->composes || !run->stays;
    return begin_drawing(canvas, loaded->kernel, &order,
                         run->stays ? 0 : pixels * sizeof(uint32_t));
}

/* Fetches what stayed. */
static bool bring(struct canvas *canvas)
{
    const struct gpu_order order = {
        .fetched = gpu_whole(canvas->results, canvas->pixels * sizeof(uint32_t))};
    canvas->comes = gpu_kernel_run(canvas->drawn, &order);
    return canvas->comes;
}

static const uint32_t *finish(void *user)
{
    struct canvas *canvas = user;
    if (!gpu_kernel_wait(canvas->drawn) || (!canvas->comes && !bring(canvas))) {
        return NULL;
    }
    count_drawn(canvas);
    return gpu_memory_words(canvas->results);
}

static struct rend_device_shown shown(void *user)
{
    struct canvas *canvas = user;
    canvas->read_elsewhere = true;
    return (struct rend_device_shown){canvas->results, canvas->columns, canvas->width,
                                      canvas->height};
}

/* ---- blurring: a canvas has one ---- */

static struct gpu_pictures pictures_of(const struct canvas *canvas)
{
    return (struct gpu_pictures){canvas->pictures, canvas->first, canvas->texels, canvas->pitch};
}

/* What a canvas has one of is known by the canvas; what is not taken is counted. */
static struct canvas *or_refused(struct canvas *canvas, bool taken)
{
    atomic_fetch_add(&canvas->gpu->refused, taken ? 0 : 1);
    return taken ? canvas : NULL;
}

static void *load_blur(void *user, const struct rend_device_blur *blur)
{
    struct canvas *canvas = user;
    const struct gpu_pictures pictures = pictures_of(canvas);
    canvas->blur = gpu_blur_create(canvas->gpu->device, &pictures, blur);
    return or_refused(canvas, canvas->blur != NULL);
}

static void unload_blur(void *user)
{
    struct canvas *canvas = user;
    gpu_blur_free(canvas->blur);
    canvas->blur = NULL;
}

static bool blur(void *user, const struct rend_device_blurring *numbers)
{
    const struct canvas *canvas = user;
    return gpu_blur_start(canvas->blur, numbers);
}

/* ---- what is drawn on the warped picture: a canvas has one ---- */

static bool make_rooms(struct canvas *canvas)
{
    const size_t words = canvas->pitch[REND_SOURCE_MAIN] * ((size_t)canvas->height + 1);
    bool good = true;
    for (int i = 0; i < REND_DEVICE_ROOMS && good; i++) {
        canvas->room[i] = gpu_memory_create_here(canvas->gpu->device, words * sizeof(uint32_t));
        good = canvas->room[i] != NULL;
    }
    return good;
}

static void *load_overlay(void *user)
{
    struct canvas *canvas = user;
    const struct gpu_pictures pictures = pictures_of(canvas);
    const struct gpu_overlay_size size = {canvas->width, canvas->height, canvas->columns,
                                          canvas->listed};
    if (make_rooms(canvas)) {
        canvas->overlay =
            gpu_overlay_create(canvas->gpu->device, &pictures, canvas->results, &size);
    }
    return or_refused(canvas, canvas->overlay != NULL);
}

static uint32_t *room(void *user, int index)
{
    const struct canvas *canvas = user;
    return gpu_memory_words(canvas->room[index]);
}

static void unload_overlay(void *user)
{
    struct canvas *canvas = user;
    gpu_overlay_free(canvas->overlay);
    canvas->overlay = NULL;
}

static bool change(void *user, const struct rend_device_overlay *overlay)
{
    const struct canvas *canvas = user;
    return overlay->count <= canvas->listed &&
           gpu_overlay_change(canvas->overlay, overlay->words, overlay->count);
}

static bool overlay(void *user, const struct rend_device_overlay *overlay)
{
    const struct canvas *canvas = user;
    return overlay->count <= canvas->listed &&
           gpu_overlay_start(canvas->overlay, overlay, canvas->room[overlay->room]);
}

static bool wait_for_canvas(void *user)
{
    const struct canvas *canvas = user;
    const bool there = gpu_overlay_wait(canvas->overlay);
    /* The stage whose picture it was made of has run. */
    atomic_fetch_add(&canvas->gpu->ran, there ? 1 : 0);
    return there;
}

/* ---- stages without a shader: a canvas has one of each ---- */

static void *load_warp(void *user, int mesh_x, int mesh_y)
{
    struct canvas *canvas = user;
    const struct gpu_pictures pictures = pictures_of(canvas);
    const struct gpu_warp_size size = {canvas->width, canvas->height, canvas->columns, mesh_x,
                                       mesh_y};
    canvas->warp = gpu_warp_create(canvas->gpu->device, &pictures, canvas->results, &size);
    return or_refused(canvas, canvas->warp != NULL);
}

static void unload_warp(void *user)
{
    struct canvas *canvas = user;
    gpu_warp_free(canvas->warp);
    canvas->warp = NULL;
}

static void send_canvas(const struct canvas *canvas, struct gpu_order *order)
{
    order->sent[order->sent_count++] =
        (struct gpu_part){canvas->pictures, canvas->first[REND_SOURCE_MAIN] * sizeof(uint32_t),
                          canvas->texels[REND_SOURCE_MAIN] * sizeof(uint32_t)};
}

static enum rend_device_answer warp(void *user, const struct rend_device_warp *warp)
{
    struct canvas *canvas = user;
    struct gpu_order order;
    if (!gpu_warp_wait(canvas->warp)) {
        return REND_DEVICE_LOST;
    }
    count_drawn(canvas);
    struct gpu_kernel *kernel = gpu_warp_prepare(
        canvas->warp, warp->mesh, warp->wraps ? TMU_WRAP : TMU_CLAMP, warp->decay, &order);
    if (kernel == NULL) {
        return REND_DEVICE_REFUSED;
    }
    if (warp->renewed) {
        send_canvas(canvas, &order);
    }
    return begin_drawing(canvas, kernel, &order, 0) ? REND_DEVICE_BEGUN : REND_DEVICE_LOST;
}

static void *load_composite(void *user)
{
    struct canvas *canvas = user;
    const struct gpu_pictures pictures = pictures_of(canvas);
    const struct gpu_mix_size size = {canvas->width, canvas->height, canvas->columns};
    canvas->mix = gpu_mix_create(canvas->gpu->device, &pictures, canvas->results, &size);
    return or_refused(canvas, canvas->mix != NULL);
}

static void unload_composite(void *user)
{
    struct canvas *canvas = user;
    outlast_readers(canvas, gpu_mix_kernel(canvas->mix));
    gpu_mix_free(canvas->mix);
    canvas->mix = NULL;
}

static bool composite(void *user, const struct rend_device_composite *composite)
{
    struct canvas *canvas = user;
    const size_t wanted = composite->stays ? 0 : picture_size(canvas);
    struct gpu_order order;
    struct gpu_kernel *kernel = gpu_mix_kernel(canvas->mix);
    if (!gpu_kernel_wait(kernel)) {
        return false;
    }
    gpu_mix_prepare(canvas->mix, composite, &order);
    canvas->owed = true;
    return begin_drawing(canvas, kernel, &order, wanted);
}

/* ---- a transition to the canvas: it has one ---- */

static void *load_cross(void *user, const uint16_t *when)
{
    struct canvas *canvas = user;
    const struct gpu_cross_size size = {canvas->width, canvas->height, canvas->columns};
    canvas->cross = gpu_cross_create(canvas->gpu->device, canvas->results, &size, when);
    return canvas->cross != NULL ? canvas : NULL;
}

static void unload_cross(void *user)
{
    struct canvas *canvas = user;
    gpu_cross_free(canvas->cross);
    canvas->cross = NULL;
}

static bool cross(void *user, void *leaves, const struct rend_device_crossing *crossing)
{
    struct canvas *canvas = user;
    struct canvas *leaving = leaves;
    struct gpu_order order;
    assert(leaving->columns == canvas->columns && leaving->height == canvas->height);
    leaving->read_elsewhere = true;
    struct gpu_kernel *kernel =
        gpu_cross_prepare(canvas->cross, leaving->results, crossing, &order);
    return kernel != NULL &&
           begin_drawing(canvas, kernel, &order, crossing->stays ? 0 : picture_size(canvas));
}

/* ---- vertices: a canvas has one set ---- */

static void *load_vertices(void *user, const struct rend_device_mesh *mesh)
{
    struct canvas *canvas = user;
    canvas->vertex =
        canvas->gpu->leaves_doubles ? NULL : gpu_vertex_create(canvas->gpu->device, mesh);
    return canvas->vertex != NULL ? canvas : NULL;
}

static void unload_vertices(void *user)
{
    struct canvas *canvas = user;
    gpu_vertex_free(canvas->vertex);
    canvas->vertex = NULL;
}

static bool move(void *user, const struct rend_device_moving *moving)
{
    const struct canvas *canvas = user;
    return gpu_vertex_start(canvas->vertex, moving);
}

static const float *moved(void *user)
{
    const struct canvas *canvas = user;
    const float *vertices = gpu_vertex_wait(canvas->vertex);
    atomic_fetch_add(&canvas->gpu->ran, vertices != NULL ? 1 : 0);
    return vertices;
}

struct gpu *gpu_create(const char *key)
{
    return gpu_create_on(gpu_open(key));
}

struct gpu *gpu_create_on(struct gpu_device *device)
{
    struct gpu *gpu = device != NULL ? calloc(1, sizeof *gpu) : NULL;
    if (gpu == NULL) {
        gpu_close(device);
        return NULL;
    }
    gpu->device = device;
    gpu->stages = (struct rend_device){
        .user = gpu,
        .draws_plain = gpu_shares_memory(gpu->device),
        .lends_rooms = gpu_is_cached(gpu->device),
        .open = open_canvas,
        .close = close_canvas,
        .picture = picture,
        .load = load,
        .unload = unload,
        .start = start,
        .finish = finish,
        .shown = shown,
        .load_blur = load_blur,
        .unload_blur = unload_blur,
        .blur = blur,
        .load_overlay = load_overlay,
        .unload_overlay = unload_overlay,
        .change = change,
        .overlay = overlay,
        .room = room,
        .canvas = wait_for_canvas,
        .load_warp = load_warp,
        .unload_warp = unload_warp,
        .warp = warp,
        .load_composite = load_composite,
        .unload_composite = unload_composite,
        .composite = composite,
        .load_cross = load_cross,
        .unload_cross = unload_cross,
        .cross = cross,
        .load_vertices = load_vertices,
        .unload_vertices = unload_vertices,
        .move = move,
        .moved = moved,
    };
    return gpu;
}

void gpu_free(struct gpu *gpu)
{
    if (gpu != NULL) {
        gpu_close(gpu->device);
        free(gpu);
    }
}

struct gpu_device *gpu_device_of(const struct gpu *gpu)
{
    return gpu->device;
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

bool gpu_doubles(const struct gpu *gpu)
{
    return gpu_controls(gpu->device).doubles && !gpu->leaves_doubles;
}

void gpu_leave_doubles(struct gpu *gpu)
{
    gpu->leaves_doubles = true;
}

void gpu_draw_plain(struct gpu *gpu, bool draws)
{
    gpu->stages.draws_plain = draws;
}

struct gpu_account gpu_account(const struct gpu *gpu)
{
    return (struct gpu_account){atomic_load(&gpu->ran), atomic_load(&gpu->refused),
                                gpu_most_memory(gpu->device), gpu_lost(gpu->device),
                                gpu_hangs(gpu->device)};
}
