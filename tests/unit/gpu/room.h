/* Presets on the first device there is, which may be one of software, beside the processor; and a
 * device that is lost before any of its runs. */
#ifndef TESTS_UNIT_GPU_ROOM_H
#define TESTS_UNIT_GPU_ROOM_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu.h"
#include "presets/presets.h"
#include "renderer/patch.h"
#include "renderer/renderer.h"
#include "renderer/save.h"

/* Tests take one case of so many: of ten under sanitizers, which look at memory and not at
 * pictures; else of three, since a device of software is slow; with FROTH_TEST_ALL, as the long
 * tests have it, all. */
static inline int one_in(void)
{
#ifdef __SANITIZE_ADDRESS__
    return 10;
#else
    return getenv("FROTH_TEST_ALL") != NULL ? 1 : 3;
#endif
}

/* From one run that fails to the next: frames have six or seven runs, and it meets each kind. */
static inline int stride(void)
{
    const int every = one_in();
    return every == 1 ? 1 : every == 3 ? 5 : 11;
}

enum { FRAMES = 4, TEXT = 8000 };

struct room {
    struct gpu *gpu;           /* NULL: there is none */
    struct rend_device device; /* the gpu's, but for what fails */
    int runs;                  /* that are left until it is lost; below 0: never */
    bool lost;
    bool small;   /* the composite's shader is computed for squares of 2x2 pixels */
    int64_t cost; /* of a frame; 0: not limited */
    int mesh_x;   /* 0: 16x12 */
    int mesh_y;
    int moved; /* meshes by the device */
};

/* What `load` gave and whose it is. */
struct mine {
    struct room *room;
    void *loaded;
};

static bool is_lost(struct room *room)
{
    room->lost = room->lost || (room->runs >= 0 && room->runs-- == 0);
    return room->lost;
}

static struct mine *keep(struct room *room, void *loaded)
{
    struct mine *mine = malloc(sizeof *mine);
    assert_non_null(mine);
    assert_non_null(loaded);
    *mine = (struct mine){room, loaded};
    return mine;
}

static void *load(void *opened, const struct rend_device_stage *stage)
{
    const struct mine *canvas = opened;
    return keep(canvas->room, gpu_stages(canvas->room->gpu)->load(canvas->loaded, stage));
}

static void *load_blur(void *opened, const struct rend_device_blur *blur)
{
    const struct mine *canvas = opened;
    return keep(canvas->room, gpu_stages(canvas->room->gpu)->load_blur(canvas->loaded, blur));
}

static void unload(void *loaded)
{
    struct mine *mine = loaded;
    gpu_stages(mine->room->gpu)->unload(mine->loaded);
    free(mine);
}

static void unload_blur(void *loaded)
{
    struct mine *mine = loaded;
    gpu_stages(mine->room->gpu)->unload_blur(mine->loaded);
    free(mine);
}

static bool start(void *loaded, const struct rend_device_run *run)
{
    const struct mine *mine = loaded;
    return !is_lost(mine->room) && gpu_stages(mine->room->gpu)->start(mine->loaded, run);
}

static const uint32_t *finish(void *opened)
{
    const struct mine *mine = opened;
    return is_lost(mine->room) ? NULL : gpu_stages(mine->room->gpu)->finish(mine->loaded);
}

static struct rend_device_shown shown(void *opened)
{
    const struct mine *mine = opened;
    return gpu_stages(mine->room->gpu)->shown(mine->loaded);
}

static bool blur(void *loaded, const struct rend_device_blurring *blurring)
{
    const struct mine *mine = loaded;
    return !is_lost(mine->room) && gpu_stages(mine->room->gpu)->blur(mine->loaded, blurring);
}

static void *load_overlay(void *opened)
{
    const struct mine *canvas = opened;
    return keep(canvas->room, gpu_stages(canvas->room->gpu)->load_overlay(canvas->loaded));
}

static void unload_overlay(void *loaded)
{
    struct mine *mine = loaded;
    gpu_stages(mine->room->gpu)->unload_overlay(mine->loaded);
    free(mine);
}

static bool overlay(void *loaded, const struct rend_device_overlay *overlay)
{
    const struct mine *mine = loaded;
    return !is_lost(mine->room) && gpu_stages(mine->room->gpu)->overlay(mine->loaded, overlay);
}

static bool change(void *loaded, const struct rend_device_overlay *overlay)
{
    const struct mine *mine = loaded;
    return !is_lost(mine->room) && gpu_stages(mine->room->gpu)->change(mine->loaded, overlay);
}

static uint32_t *room_of(void *loaded, int index)
{
    const struct mine *mine = loaded;
    return gpu_stages(mine->room->gpu)->room(mine->loaded, index);
}

static bool canvas(void *loaded)
{
    const struct mine *mine = loaded;
    return !is_lost(mine->room) && gpu_stages(mine->room->gpu)->canvas(mine->loaded);
}

static void *load_warp(void *opened, int mesh_x, int mesh_y)
{
    const struct mine *canvas = opened;
    return keep(canvas->room,
                gpu_stages(canvas->room->gpu)->load_warp(canvas->loaded, mesh_x, mesh_y));
}

static void unload_warp(void *loaded)
{
    struct mine *mine = loaded;
    gpu_stages(mine->room->gpu)->unload_warp(mine->loaded);
    free(mine);
}

static enum rend_device_answer warp(void *loaded, const struct rend_device_warp *warp)
{
    const struct mine *mine = loaded;
    return is_lost(mine->room) ? REND_DEVICE_LOST
                               : gpu_stages(mine->room->gpu)->warp(mine->loaded, warp);
}

static void *load_composite(void *opened)
{
    const struct mine *canvas = opened;
    return keep(canvas->room, gpu_stages(canvas->room->gpu)->load_composite(canvas->loaded));
}

static void unload_composite(void *loaded)
{
    struct mine *mine = loaded;
    gpu_stages(mine->room->gpu)->unload_composite(mine->loaded);
    free(mine);
}

static bool composite(void *loaded, const struct rend_device_composite *composite)
{
    const struct mine *mine = loaded;
    return !is_lost(mine->room) && gpu_stages(mine->room->gpu)->composite(mine->loaded, composite);
}

static void *load_cross(void *opened, const uint16_t *when)
{
    const struct mine *canvas = opened;
    return keep(canvas->room, gpu_stages(canvas->room->gpu)->load_cross(canvas->loaded, when));
}

static void unload_cross(void *loaded)
{
    struct mine *mine = loaded;
    gpu_stages(mine->room->gpu)->unload_cross(mine->loaded);
    free(mine);
}

static bool cross(void *loaded, void *leaving, const struct rend_device_crossing *crossing)
{
    const struct mine *mine = loaded;
    const struct mine *from = leaving;
    return !is_lost(mine->room) &&
           gpu_stages(mine->room->gpu)->cross(mine->loaded, from->loaded, crossing);
}

static void *load_vertices(void *opened, const struct rend_device_mesh *mesh)
{
    const struct mine *canvas = opened;
    void *loaded = gpu_stages(canvas->room->gpu)->load_vertices(canvas->loaded, mesh);
    return loaded != NULL ? keep(canvas->room, loaded) : NULL;
}

static void unload_vertices(void *loaded)
{
    struct mine *mine = loaded;
    gpu_stages(mine->room->gpu)->unload_vertices(mine->loaded);
    free(mine);
}

static bool move(void *loaded, const struct rend_device_moving *moving)
{
    const struct mine *mine = loaded;
    return !is_lost(mine->room) && gpu_stages(mine->room->gpu)->move(mine->loaded, moving);
}

static const float *moved(void *loaded)
{
    const struct mine *mine = loaded;
    mine->room->moved++;
    return is_lost(mine->room) ? NULL : gpu_stages(mine->room->gpu)->moved(mine->loaded);
}

static void *open_canvas(void *user, const struct rend_device_canvas *canvas)
{
    struct room *room = user;
    const struct rend_device *device = gpu_stages(room->gpu);
    return keep(room, device->open(device->user, canvas));
}

static void close_canvas(void *opened)
{
    struct mine *mine = opened;
    gpu_stages(mine->room->gpu)->close(mine->loaded);
    free(mine);
}

static uint32_t *picture(void *opened, enum rend_source picture, size_t *texels)
{
    const struct mine *mine = opened;
    return gpu_stages(mine->room->gpu)->picture(mine->loaded, picture, texels);
}

static int open_room(void **state)
{
    struct gpu_about about[GPU_DEVICES_MAX];
    struct room *room = calloc(1, sizeof *room);
    assert_non_null(room);
    room->gpu = gpu_list(about) > 0 ? gpu_create(about[0].key) : NULL;
    room->device = (struct rend_device){
        .user = room,
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
        .overlay = overlay,
        .change = change,
        .room = room_of,
        .canvas = canvas,
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
        .draws_plain = true,
        .lends_rooms = true,
    };
    room->runs = -1;
    *state = room;
    return 0;
}

static int close_room(void **state)
{
    struct room *room = *state;
    gpu_free(room->gpu);
    free(room);
    return 0;
}

/* Adds the text of a stage's shader, if there is one. */
static size_t write_stage(char *text, size_t length, const char *name, const char *body)
{
    return body == NULL ? length
                        : length + (size_t)snprintf(text + length, TEXT - length,
                                                    "%s_1=`shader_body {\n%s_2=`%s\n%s_3=`}\n",
                                                    name, name, body, name);
}

/* warp, comp: NULL without a shader. */
static struct rend_patch *patch_of(const char *numbers, const char *warp, const char *comp)
{
    char text[TEXT];
    struct preset preset;
    size_t length = (size_t)snprintf(text, sizeof text,
                                     "MILKDROP_PRESET_VERSION=201\nPSVERSION_WARP=%d\n"
                                     "PSVERSION_COMP=%d\n[preset00]\n%s\n",
                                     warp != NULL ? 2 : 0, comp != NULL ? 2 : 0, numbers);
    assert_true(length < TEXT);
    length = write_stage(text, length, "warp", warp);
    length = write_stage(text, length, "comp", comp);
    assert_true(length < TEXT);
    assert_int_equal(preset_read(&preset, "test", text, length, NULL), 0);
    struct rend_patch *patch = rend_patch_create(&preset, NULL, NULL);
    preset_free(&preset);
    assert_non_null(patch);
    assert_int_equal(rend_patch_status(patch), REND_PATCH_OK);
    assert_int_equal(patch->shader[SHADER_WARP].program != NULL, warp != NULL);
    assert_int_equal(patch->shader[SHADER_COMP].program != NULL, comp != NULL);
    return patch;
}

struct show {
    struct rend *rend;
    uint32_t *pixels;
    int width;
    int height;
};

static struct show open_show(const struct room *room, const struct rend_patch *patch, int width,
                             int height, const struct rend_device *device)
{
    const struct rend_config config = {.width = width,
                                       .height = height,
                                       .mesh_x = room->mesh_x > 0 ? room->mesh_x : 16,
                                       .mesh_y = room->mesh_x > 0 ? room->mesh_y : 12,
                                       .fps = 30,
                                       .device = device,
                                       .cost = room->cost};
    const struct show show = {rend_create(&config),
                              calloc((size_t)width * (size_t)height, sizeof(uint32_t)), width,
                              height};
    assert_non_null(show.rend);
    assert_non_null(show.pixels);
    rend_set_divisors(show.rend, (const int[]){1, room->small ? 2 : 1});
    assert_int_equal(rend_load(show.rend, patch, 0, NULL), 0);
    return show;
}

static void close_show(struct show *show)
{
    rend_free(show->rend);
    free(show->pixels);
}

static void step(struct show *show, unsigned frame)
{
    float sound[2 * 1470];
    for (unsigned i = 0; i < 2 * 1470; i++) {
        sound[i] = (float)((frame * 1470 + i) * 7919 % 2003) / 1001.5f - 1.0f;
    }
    const struct rend_input input = {
        .frame = frame, .time = frame / 30.0, .fps = 30, .audio = sound, .audio_frames = 1470};
    (void)rend_step(show->rend, &input, show->pixels, (size_t)show->width);
}

static void assert_same_state(const struct show *ours, const struct show *theirs)
{
    const size_t size = rend_save_size(ours->rend);
    uint8_t *a = malloc(size);
    uint8_t *b = malloc(size);
    assert_non_null(a);
    assert_non_null(b);
    assert_int_equal(rend_save(ours->rend, a, size), size);
    assert_int_equal(rend_save(theirs->rend, b, size), size);
    assert_memory_equal(a, b, size);
    free(a);
    free(b);
}

static inline void compare(struct room *room, const struct rend_patch *patch, int width, int height,
                           bool saves)
{
    struct show ours = open_show(room, patch, width, height, NULL);
    struct show theirs = open_show(room, patch, width, height, &room->device);
    room->lost = false;
    for (unsigned frame = 1; frame <= FRAMES; frame++) {
        step(&ours, frame);
        step(&theirs, frame);
        assert_memory_equal(ours.pixels, theirs.pixels,
                            (size_t)width * (size_t)height * sizeof *ours.pixels);
        if (saves) {
            assert_same_state(&ours, &theirs);
        }
    }
    close_show(&ours);
    close_show(&theirs);
}

#endif
