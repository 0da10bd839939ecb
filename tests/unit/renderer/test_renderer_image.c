/* Pictures of the board's own patches in the renderer: where they are, and what they add. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os/thread.h"
#include "presets/presets.h"
#include "renderer/picture/resources.h"
#include "renderer/renderer.h"

/* As high as makes one of the picture's pixels one of the canvas. */
enum { WIDTH = 512, HEIGHT = 384, SAMPLES = 1470, FPS = 30, LONG = 64, SHORT = 32 };

/* Names that were asked for; "p0" is white, "p1" red and half transparent; others are not there. */
struct shelf {
    char asked[512];
};

static bool find(void *user, const struct rend_picture_request *request, char *path, size_t size)
{
    struct shelf *shelf = user;
    const size_t used = strlen(shelf->asked);
    (void)snprintf(shelf->asked + used, sizeof shelf->asked - used, "%s=%s ", request->name,
                   request->file);
    (void)snprintf(path, size, "%s", request->name);
    return request->name[0] == 'p';
}

static int measure(void *user, const char *path, struct rend_extent *extent,
                   const struct base_diag_sink *sink)
{
    (void)user;
    (void)path;
    (void)sink;
    *extent = (struct rend_extent){LONG, SHORT, 0};
    return 0;
}

static int load(void *user, const char *path, int halvings, size_t room,
                struct rend_picture *picture, const struct base_diag_sink *sink)
{
    (void)user;
    (void)room;
    (void)sink;
    assert_int_equal(halvings, 0);
    const size_t count = (size_t)LONG * SHORT;
    *picture = (struct rend_picture){malloc(count * sizeof(uint32_t)), LONG, SHORT};
    assert_non_null(picture->pixels);
    for (size_t i = 0; i < count; i++) {
        picture->pixels[i] = path[1] == '0' ? 0xFFFFFFFF : 0x80FF0000;
    }
    return 0;
}

struct bench {
    struct shelf shelf;
    struct rend_resources *resources;
    struct rend_patch *patch;
    struct rend *rend;
    struct base_pool *pool;
    uint32_t pixels[WIDTH * HEIGHT];
};

#define STILL "wave_a=0\nimagefile1=/x/P0.PNG\nimagefile2=p1.jpg\nimagefile3=gone.png\nper_frame:\n"

static struct bench *start(const char *text, size_t threads)
{
    struct bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    const struct rend_pictures pictures = {
        .user = &bench->shelf, .find = find, .measure = measure, .load = load};
    struct preset preset;
    assert_int_equal(preset_read(&preset, "a.fnp", text, strlen(text), NULL), 0);
    bench->resources = rend_resources_create(&pictures);
    bench->patch = rend_patch_create(&preset, bench->resources, NULL);
    preset_free(&preset);
    bench->pool = base_pool_create(threads);
    const struct rend_config config = {.width = WIDTH,
                                       .height = HEIGHT,
                                       .mesh_x = 16,
                                       .mesh_y = 12,
                                       .fps = FPS,
                                       .pool = bench->pool};
    bench->rend = rend_create(&config);
    assert_true(bench->patch != NULL && bench->rend != NULL);
    assert_int_equal(rend_load(bench->rend, bench->patch, 0, NULL), 0);
    return bench;
}

static void step(struct bench *bench, uint64_t frame)
{
    static const float silence[2 * SAMPLES];
    const struct rend_input input = {.frame = frame,
                                     .time = (double)frame / FPS,
                                     .fps = FPS,
                                     .audio = silence,
                                     .audio_frames = SAMPLES};
    assert_int_equal(rend_step(bench->rend, &input, bench->pixels, WIDTH), 0);
}

static uint32_t at(const struct bench *bench, int x, int y)
{
    return bench->pixels[y * WIDTH + x] & 0xFFFFFF;
}

static void end(struct bench *bench)
{
    rend_free(bench->rend);
    rend_patch_free(bench->patch);
    rend_resources_free(bench->resources);
    base_pool_destroy(bench->pool);
    free(bench);
}

static void pictures_stand_where_they_should(void **state)
{
    (void)state;
    struct bench *bench = start(STILL "image1_a=0.5 image1_x=0.25 image1_y=0.75 image1_zoom=2", 1);
    assert_string_equal(bench->shelf.asked, "p0=P0.PNG p1=p1.jpg gone=gone.png ");
    assert_int_equal(rend_patch_status(bench->patch), REND_PATCH_DEGRADED);
    step(bench, 1);
    /* 128 x 64 pixels around 128, 288. */
    static const struct {
        int x;
        int y;
        uint32_t pixel;
    } wanted[] = {
        {128, 288, 0x7F7F7F}, {64, 256, 0x7F7F7F}, {191, 319, 0x7F7F7F}, {63, 288, 0},
        {192, 288, 0},        {128, 255, 0},       {128, 320, 0},        {400, 100, 0},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        if (at(bench, wanted[i].x, wanted[i].y) != wanted[i].pixel) {
            fail_msg("%d, %d: %06x", wanted[i].x, wanted[i].y,
                     (unsigned)at(bench, wanted[i].x, wanted[i].y));
        }
    }
    /* They feed back, and add up to white. */
    step(bench, 2);
    assert_int_equal(at(bench, 128, 288), 0xFEFEFE);
    step(bench, 3);
    assert_int_equal(at(bench, 128, 288), 0xFFFFFF);
    end(bench);
}

static void two_are_drawn_by_number(void **state)
{
    (void)state;
    /* The second one is image2 by itself; what has no number is not drawn. */
    struct bench *bench = start(STILL "decay=0 image2_a=1 image1_a=1 image1_index=frame-2", 1);
    step(bench, 1);
    assert_int_equal(at(bench, WIDTH / 2, HEIGHT / 2), 0x7F0000);
    step(bench, 2);
    assert_int_equal(at(bench, WIDTH / 2, HEIGHT / 2), 0xFFFFFF);
    step(bench, 3);
    assert_int_equal(at(bench, WIDTH / 2, HEIGHT / 2), 0xFE0000);
    step(bench, 2 + PRESET_VIDEO);
    assert_int_equal(at(bench, WIDTH / 2, HEIGHT / 2), 0x7F0000);
    end(bench);
}

static void a_picture_stands_for_live_video(void **state)
{
    (void)state;
    struct bench *bench = start(STILL "decay=0 video_a=0.5*frame", 1);
    assert_non_null(strstr(bench->shelf.asked, "video=video.png "));
    step(bench, 0);
    assert_int_equal(at(bench, 100, 100), 0);
    /* It fills the canvas, tiles, and is gone past once in 512 / 60 seconds. */
    uint32_t first[HEIGHT][WIDTH];
    step(bench, 2);
    size_t lit = 0;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            first[y][x] = at(bench, x, y);
            lit += first[y][x] != 0;
        }
    }
    assert_in_range(lit, WIDTH * HEIGHT / 16, WIDTH * HEIGHT / 2);
    step(bench, 2 + 32);
    for (int y = 0; y < HEIGHT; y += 7) {
        for (int x = 0; x < WIDTH; x += 5) {
            const uint32_t before = first[y][(x + 64) % WIDTH];
            const uint32_t now = at(bench, x, y);
            for (int shift = 0; shift < 24; shift += 8) {
                const int apart = (int)(before >> shift & 255) - (int)(now >> shift & 255);
                /* But where the picture ends. */
                assert_true(abs(apart) <= 4 || (x + 64 + 4 * 2) % WIDTH < 4 * 4);
            }
        }
    }
    end(bench);
}

static void initial_values_and_controls(void **state)
{
    (void)state;
    /* Nobody moves a control here. */
    struct bench *bench = start("wave_a=0\nimagefile1=p0.png\nmidi \"x\" { f = fader(1) }\n"
                                "image1_x=0.25\nimage1_a=1 image1_a=range(f)\nper_frame:",
                                1);
    step(bench, 1);
    assert_int_equal(at(bench, 128, HEIGHT / 2), 0xFFFFFF);
    assert_int_equal(at(bench, WIDTH / 2, HEIGHT / 2), 0);
    end(bench);
}

static void any_value_is_harmless(void **state)
{
    (void)state;
    static const char *const values[] = {"0/0",        "invsqrt(0)", "-1",      "exp(1000)",
                                         "-exp(1000)", "100000",     "0.00001", "frame*0.37"};
    static const char *const names[] = {"a", "x", "y", "zoom", "index"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            char text[256];
            (void)snprintf(text, sizeof text,
                           STILL "image1_a=1 image2_a=0.7 image2_zoom=9\nimage1_%s=%s", names[k],
                           values[i]);
            struct bench *bench = start(text, 1);
            step(bench, 1);
            step(bench, 2);
            end(bench);
        }
    }
}

static void threads_change_nothing(void **state)
{
    (void)state;
    static const char text[] = STILL "image1_a=0.3 image1_zoom=5.3 image1_x=0.47 image2_a=0.4\n"
                                     "image2_index=2 image2_zoom=0.4 image2_y=0.2 zoom=1.05";
    struct bench *one = start(text, 1);
    struct bench *four = start(text, 4);
    for (uint64_t frame = 1; frame < 4; frame++) {
        step(one, frame);
        step(four, frame);
        assert_memory_equal(one->pixels, four->pixels, sizeof one->pixels);
    }
    end(one);
    end(four);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_stand_where_they_should),
        cmocka_unit_test(two_are_drawn_by_number),
        cmocka_unit_test(a_picture_stands_for_live_video),
        cmocka_unit_test(initial_values_and_controls),
        cmocka_unit_test(any_value_is_harmless),
        cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
