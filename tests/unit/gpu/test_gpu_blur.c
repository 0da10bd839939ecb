/* Presets whose shaders read blurred pictures on the first device there is, which may be one of
 * software, beside the processor: all levels and settings, odd sizes, a state saved in between, and
 * a device that is lost before any of its runs. */
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

enum { FRAMES = 4, TEXT = 2000, BLURRED = 3 };

struct room {
    struct gpu *gpu;           /* NULL: there is none */
    struct rend_device device; /* the gpu's, but for what fails */
    int runs;                  /* that are left until it is lost; below 0: never */
};

/* What `load` gave and whose it is. */
struct mine {
    struct room *room;
    void *loaded;
};

static bool is_lost(struct room *room)
{
    return room->runs >= 0 && room->runs-- == 0;
}

static void *load(void *opened, const struct rend_device_stage *stage)
{
    const struct mine *canvas = opened;
    struct mine *mine = malloc(sizeof *mine);
    assert_non_null(mine);
    *mine = (struct mine){canvas->room, gpu_stages(canvas->room->gpu)->load(canvas->loaded, stage)};
    assert_non_null(mine->loaded);
    return mine;
}

static void *load_blur(void *opened, const struct rend_device_blur *blur)
{
    const struct mine *canvas = opened;
    struct mine *mine = malloc(sizeof *mine);
    assert_non_null(mine);
    *mine =
        (struct mine){canvas->room, gpu_stages(canvas->room->gpu)->load_blur(canvas->loaded, blur)};
    assert_non_null(mine->loaded);
    return mine;
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

static const uint32_t *run(void *loaded, const struct rend_device_run *run)
{
    const struct mine *mine = loaded;
    return is_lost(mine->room) ? NULL : gpu_stages(mine->room->gpu)->run(mine->loaded, run);
}

static bool blur(void *loaded, const struct rend_device_blurring *blurring)
{
    const struct mine *mine = loaded;
    return !is_lost(mine->room) && gpu_stages(mine->room->gpu)->blur(mine->loaded, blurring);
}

static void *open_canvas(void *user, const struct rend_device_canvas *canvas)
{
    struct room *room = user;
    struct mine *mine = malloc(sizeof *mine);
    assert_non_null(mine);
    const struct rend_device *device = gpu_stages(room->gpu);
    *mine = (struct mine){room, device->open(device->user, canvas)};
    assert_non_null(mine->loaded);
    return mine;
}

static void close_canvas(void *opened)
{
    struct mine *mine = opened;
    gpu_stages(mine->room->gpu)->close(mine->loaded);
    free(mine);
}

static uint32_t *picture(void *opened, enum rend_device_picture picture, size_t *texels)
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
    room->device = (struct rend_device){room,   open_canvas, close_canvas, picture,     load,
                                        unload, run,         load_blur,    unload_blur, blur};
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

static struct rend_patch *patch_of(const char *numbers, const char *warp, const char *comp)
{
    char text[TEXT];
    struct preset preset;
    const int length = snprintf(text, sizeof text,
                                "MILKDROP_PRESET_VERSION=201\nPSVERSION=2\n[preset00]\n%s\n"
                                "warp_1=`shader_body {\nwarp_2=`%s\nwarp_3=`}\n"
                                "comp_1=`shader_body {\ncomp_2=`%s\ncomp_3=`}\n",
                                numbers, warp, comp);
    assert_true(length > 0 && length < TEXT);
    assert_int_equal(preset_read(&preset, "blur", text, (size_t)length, NULL), 0);
    struct rend_patch *patch = rend_patch_create(&preset, NULL, NULL);
    preset_free(&preset);
    assert_non_null(patch);
    assert_int_equal(rend_patch_status(patch), REND_PATCH_OK);
    return patch;
}

struct show {
    struct rend *rend;
    uint32_t *pixels;
    int width;
    int height;
};

static struct show open_show(const struct rend_patch *patch, int width, int height,
                             const struct rend_device *device)
{
    const struct rend_config config = {
        .width = width, .height = height, .mesh_x = 16, .mesh_y = 12, .fps = 30, .device = device};
    const struct show show = {rend_create(&config),
                              calloc((size_t)width * (size_t)height, sizeof(uint32_t)), width,
                              height};
    assert_non_null(show.rend);
    assert_non_null(show.pixels);
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

static void compare(struct room *room, const struct rend_patch *patch, int width, int height,
                    bool saves)
{
    struct show ours = open_show(patch, width, height, NULL);
    struct show theirs = open_show(patch, width, height, &room->device);
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

static const char grain[] = "ret = tex2D(sampler_main, uv).xyz * 0.9 + "
                            "tex2D(sampler_noise_lq, uv * 3 + time).xyz * 0.3;";
static const char swirl[] = "ret = tex2D(sampler_main, uv + 0.01 * GetBlur2(uv).xy).xyz * 0.8 + "
                            "tex2D(sampler_noise_lq, uv * 3 + time).xyz * 0.4;";
static const char all[] = "ret = GetBlur1(uv) * float3(1, 0.5, 0.2) + GetBlur2(1 - uv) * 0.3 + "
                          "GetBlur3(uv.yx) * 0.4;";

static void test_levels(void **state)
{
    struct room *room = *state;
    static const char *const comps[BLURRED] = {"ret = GetBlur1(uv);", "ret = GetBlur2(uv);",
                                               "ret = GetBlur3(uv);"};
    static const char *const numbers[] = {
        "b1ed=0", "b1ed=0.7", "b1n=0.2\nb1x=0.7\nb2n=0.3\nb2x=0.6\nb3n=0.1\nb3x=0.9\nb1ed=0.25",
        "b1n=-3\nb1x=5\nb2n=0.5\nb2x=0.5\nb1ed=-2"};
    if (room->gpu == NULL) {
        skip();
    }
    for (size_t i = 0; i < BLURRED; i++) {
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            struct rend_patch *patch = patch_of(numbers[k], grain, comps[i]);
            compare(room, patch, 150, 90, false);
            rend_patch_free(patch);
        }
    }
}

static void test_sizes(void **state)
{
    static const int sizes[][2] = {{16, 16}, {33, 17}, {64, 48}, {301, 173}, {640, 360}};
    struct room *room = *state;
    if (room->gpu == NULL) {
        skip();
    }
    struct rend_patch *patch = patch_of("b1ed=0.25", swirl, all);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        compare(room, patch, sizes[i][0], sizes[i][1], false);
    }
    rend_patch_free(patch);
}

/* Motion vectors are drawn on the picture that is blurred. */
static void test_vectors(void **state)
{
    struct room *room = *state;
    if (room->gpu == NULL) {
        skip();
    }
    struct rend_patch *patch = patch_of("mv_a=1\nmv_x=20\nmv_y=15\nmv_l=2", swirl, all);
    compare(room, patch, 200, 120, false);
    rend_patch_free(patch);
}

static void test_saved_state(void **state)
{
    struct room *room = *state;
    if (room->gpu == NULL) {
        skip();
    }
    struct rend_patch *patch = patch_of("b1ed=0.25", swirl, all);
    compare(room, patch, 200, 120, true);
    rend_patch_free(patch);
}

static void test_lost_at_any_run(void **state)
{
    enum { RUNS = 3 * FRAMES }; /* warp, blur, composite */
    struct room *room = *state;
    if (room->gpu == NULL) {
        skip();
    }
    struct rend_patch *patch = patch_of("b1ed=0.25", swirl, all);
    for (int runs = 0; runs < RUNS; runs++) {
        room->runs = runs;
        compare(room, patch, 120, 80, false);
        assert_true(room->runs < 0);
    }
    room->runs = RUNS;
    compare(room, patch, 120, 80, false);
    assert_int_equal(room->runs, 0);
    room->runs = -1;
    rend_patch_free(patch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),          cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_vectors),         cmocka_unit_test(test_saved_state),
        cmocka_unit_test(test_lost_at_any_run),
    };
    return cmocka_run_group_tests(tests, open_room, close_room);
}
