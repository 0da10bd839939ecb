/* A window's picture on the first device there is, which may be one of software, beside the plain
 * kernels: sizes odd and even, the picture as it is, larger and smaller, black beside it on either
 * side, with what lies over it and without, from the processor and from what another program left
 * on the device. And small pictures. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "gpu/screen.h"
#include "gpu/spirv/read.h"
#include "gpu/spirv/fixed/screen.h"
#include "tmu/kernels.h"

enum { WIDE = 1000, BESIDE = 3 };

struct room {
    struct gpu_device *device; /* NULL: there is none */
    struct gpu_screen *screen;
    struct base_rng rng;
};

static int open_room(void **state)
{
    struct gpu_about about[GPU_DEVICES_MAX];
    struct room *room = calloc(1, sizeof *room);
    assert_non_null(room);
    base_rng_seed(&room->rng, 7, 1);
    room->device = gpu_list(about) > 0 ? gpu_open(about[0].key) : NULL;
    if (room->device != NULL) {
        room->screen = gpu_screen_create(room->device, true);
        assert_non_null(room->screen);
    }
    *state = room;
    return 0;
}

static int close_room(void **state)
{
    struct room *room = *state;
    gpu_screen_free(room->screen);
    gpu_close(room->device);
    free(room);
    return 0;
}

/* Channels are at their ends as often as between; nobody may read what stands above them, nor
 * beside the picture. */
static struct gpu_screen_picture picture_of(struct room *room, int width, int height)
{
    const size_t pitch = (size_t)width + BESIDE;
    uint32_t *pixels = malloc(pitch * (size_t)height * sizeof *pixels);
    assert_non_null(pixels);
    for (size_t i = 0; i < pitch * (size_t)height; i++) {
        const uint32_t any = base_rng_next(&room->rng);
        const uint32_t ends = any >> 30 & 1 ? 0xFF00FF : 0x00FF00;
        pixels[i] = base_rng_next(&room->rng) % 2 == 0 ? (any & 0xFF000000) | ends : any;
    }
    return (struct gpu_screen_picture){
        .pixels = pixels, .pitch = pitch, .width = width, .height = height};
}

static void free_picture(struct gpu_screen_picture *picture)
{
    free((void *)(uintptr_t)picture->pixels);
    gpu_memory_free(picture->there);
}

/* ---- what is expected ---- */

/* Centres lie evenly between those of the first and the last texel, and beyond these stay. */
static uint32_t position(int pixel, int size, int texels)
{
    const double at = floor(((double)pixel + 0.5) * texels * TMU_TEXEL / size) - TMU_TEXEL / 2;
    return (uint32_t)fmin(fmax(at, 0), (double)(texels - 1) * TMU_TEXEL);
}

/* A picture scaled to a place, with the texels behind its right and lower edge that the kernels
 * read. */
static void scale(const struct gpu_screen_picture *picture, const struct gpu_place *place,
                  uint32_t *to, size_t pitch)
{
    const size_t stride = (size_t)picture->width + 1;
    uint32_t *texels = calloc(stride * (size_t)(picture->height + 1), sizeof *texels);
    uint32_t x[WIDE];
    uint32_t y[WIDE];
    assert_non_null(texels);
    for (int row = 0; row < picture->height; row++) {
        for (int column = 0; column < picture->width; column++) {
            texels[(size_t)row * stride + (size_t)column] =
                picture->pixels[(size_t)row * picture->pitch + (size_t)column] & 0xFFFFFF;
        }
    }
    const struct tmu_sampler sampler = {texels, (uint32_t)stride, (uint32_t)picture->width,
                                        (uint32_t)picture->height, tmu_keep_of(255)};
    for (int row = 0; row < place->height; row++) {
        for (int column = 0; column < place->width; column++) {
            x[column] = position(column, place->width, picture->width);
            y[column] = position(row, place->height, picture->height);
        }
        tmu_kernels_plain.sample(to + (size_t)(place->y + row) * pitch + place->x, x, y,
                                 (size_t)place->width, &sampler);
    }
    free(texels);
}

static uint32_t laid_over(uint32_t over, uint32_t under)
{
    uint32_t pixel = 0;
    for (int bits = 0; bits < 24; bits += 8) {
        const unsigned sum = (over >> bits & 255) * 236 + (under >> bits & 255) * 19;
        pixel |= (uint32_t)((sum + 127) / 255) << bits;
    }
    return pixel;
}

/* ---- pictures ---- */

struct trial {
    int window[2];
    int picture[2];
    struct gpu_place place;
    int over[2]; /* size of what lies over it; 0: nothing does */
};

static void lay(struct room *room, const struct gpu_screen_picture *over)
{
    const struct gpu_place upper = {0, 0, over->width, over->height / 2};
    const struct gpu_place left = {0, upper.height, over->width / 3, over->height - upper.height};
    const struct gpu_place right = {left.width, upper.height, over->width - left.width,
                                    left.height};
    const struct gpu_place *const parts[] = {&upper, &left, &right};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        assert_true(gpu_screen_lay(room->screen, over, parts[i]));
    }
}

static void expect(const struct room *room, const struct trial *trial, const uint32_t *expected)
{
    const size_t pixels = (size_t)trial->window[0] * (size_t)trial->window[1];
    assert_true(gpu_screen_wait(room->screen));
    const uint32_t *made = gpu_memory_words(gpu_screen_made(room->screen));
    for (size_t i = 0; i < pixels; i++) {
        if (made[i] != expected[i]) {
            print_message("%dx%d in %dx%d at %zu,%zu\n", trial->picture[0], trial->picture[1],
                          trial->window[0], trial->window[1], i % (size_t)trial->window[0],
                          i / (size_t)trial->window[0]);
        }
        assert_int_equal(made[i], expected[i]);
    }
}

/* The picture as the device has it after a program has moved it there. */
static void put_there(struct room *room, struct gpu_screen_picture *picture)
{
    const size_t size = picture->pitch * (size_t)picture->height * sizeof(uint32_t);
    size_t count = 0;
    uint32_t *words = spirv_small_words(gpu_controls(room->device), &count);
    struct gpu_memory *numbers =
        gpu_memory_create(room->device, SPIRV_SMALL_NUMBERS * sizeof(uint32_t));
    struct gpu_memory *source = gpu_memory_create(room->device, size);
    picture->there = gpu_memory_create(room->device, size);
    assert_true(words != NULL && numbers != NULL && source != NULL && picture->there != NULL);
    struct gpu_memory *const memory[SPIRV_BUFFERS] = {[SPIRV_BUFFER_NUMBERS] = numbers,
                                                      [SPIRV_BUFFER_PICTURES] = source,
                                                      [SPIRV_BUFFER_RESULTS] = picture->there};
    struct gpu_kernel *kernel = gpu_kernel_create(room->device, words, count, memory);
    assert_non_null(kernel);
    uint32_t *number = gpu_memory_words(numbers);
    number[SPIRV_SMALL_COLUMNS] = number[SPIRV_SMALL_PITCH] = (uint32_t)picture->pitch;
    number[SPIRV_SMALL_ROWS] = (uint32_t)picture->height;
    number[SPIRV_SMALL_STEP] = 1;
    memcpy(gpu_memory_words(source), picture->pixels, size);
    const struct gpu_order order = {
        .columns = ((uint32_t)picture->pitch - 1) / SPIRV_SCREEN_GROUP + 1,
        .rows = (uint32_t)picture->height,
        .sent = {gpu_whole(numbers, SPIRV_SMALL_NUMBERS * sizeof(uint32_t)),
                 gpu_whole(source, size)},
        .sent_count = 2,
    };
    assert_true(gpu_kernels_start(&kernel, &order, 1));
    gpu_kernel_free(kernel);
    gpu_memory_free(numbers);
    gpu_memory_free(source);
    free(words);
}

static void compare(struct room *room, const struct trial *trial)
{
    const size_t pitch = (size_t)trial->window[0];
    const size_t pixels = pitch * (size_t)trial->window[1];
    const struct gpu_place window = {0, 0, trial->window[0], trial->window[1]};
    uint32_t *expected = calloc(pixels, sizeof *expected);
    uint32_t *over_it = calloc(pixels, sizeof *over_it);
    assert_true(expected != NULL && over_it != NULL);
    struct gpu_screen_picture picture = picture_of(room, trial->picture[0], trial->picture[1]);
    struct gpu_screen_order order = {.picture = picture, .place = trial->place};
    scale(&picture, &trial->place, expected, pitch);
    assert_true(gpu_screen_resize(room->screen, trial->window[0], trial->window[1]));
    if (trial->over[0] > 0) {
        struct gpu_screen_picture over = picture_of(room, trial->over[0], trial->over[1]);
        scale(&over, &window, over_it, pitch);
        lay(room, &over);
        order.covered = true;
        free_picture(&over);
    }
    for (size_t i = 0; i < pixels; i++) {
        expected[i] = UINT32_C(0xFF) << 24 |
                      (order.covered ? laid_over(over_it[i], expected[i]) : expected[i]);
    }
    assert_true(gpu_screen_draw(room->screen, &order));
    expect(room, trial, expected);
    /* Once more, with nothing that is sent but the numbers, from the device. */
    put_there(room, &picture);
    order.picture.there = picture.there;
    order.picture.pixels = NULL;
    assert_true(gpu_screen_draw(room->screen, &order));
    expect(room, trial, expected);
    free_picture(&picture);
    free(expected);
    free(over_it);
}

static void test_pictures(void **state)
{
    static const struct trial trials[] = {
        {{64, 48}, {64, 48}, {0, 0, 64, 48}, {0, 0}},
        {{301, 173}, {301, 173}, {0, 0, 301, 173}, {301, 173}},
        {{65, 33}, {31, 33}, {17, 0, 31, 33}, {65, 33}},
        {{64, 99}, {64, 36}, {0, 31, 64, 36}, {0, 0}},
        {{640, 400}, {320, 180}, {0, 20, 640, 360}, {0, 0}},
        {{641, 401}, {320, 180}, {0, 20, 641, 361}, {320, 200}},
        {{400, 640}, {1000, 500}, {0, 220, 400, 200}, {400, 640}},
        {{63, 47}, {640, 480}, {0, 0, 63, 47}, {1000, 900}},
        {{500, 100}, {20, 10}, {150, 0, 200, 100}, {500, 100}},
        {{1, 1}, {33, 17}, {0, 0, 1, 1}, {5, 5}},
        {{40, 30}, {1, 1}, {0, 0, 40, 30}, {1, 1}},
        {{1000, 3}, {4, 3}, {498, 0, 4, 3}, {1000, 3}},
    };
    struct room *room = *state;
    if (room->device == NULL) {
        skip();
    }
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        compare(room, &trials[i]);
    }
}

static void test_any_sizes(void **state)
{
    enum { ROUNDS = 40, MOST = 200 };
    struct room *room = *state;
    if (room->device == NULL) {
        skip();
    }
    for (int round = 0; round < ROUNDS; round++) {
        struct trial trial;
        for (int i = 0; i < 2; i++) {
            trial.window[i] = 1 + (int)(base_rng_next(&room->rng) % MOST);
            trial.picture[i] = 1 + (int)(base_rng_next(&room->rng) % MOST);
            trial.over[i] = round % 2 != 0 ? trial.window[i] : round % 4;
        }
        trial.place.width = 1 + (int)(base_rng_next(&room->rng) % (uint32_t)trial.window[0]);
        trial.place.height = 1 + (int)(base_rng_next(&room->rng) % (uint32_t)trial.window[1]);
        trial.place.x = (trial.window[0] - trial.place.width) / 2;
        trial.place.y = (trial.window[1] - trial.place.height) / 2;
        compare(room, &trial);
    }
}

/* A picture in a window of its own size is what it was, to the last bit. */
static void test_as_it_is(void **state)
{
    struct room *room = *state;
    if (room->device == NULL) {
        skip();
    }
    struct gpu_screen_picture picture = picture_of(room, 256, 256);
    uint32_t *pixels = (uint32_t *)(uintptr_t)picture.pixels;
    for (uint32_t i = 0; i < 256 * 256; i++) {
        pixels[i / 256 * picture.pitch + i % 256] = i % 256 << 16 | i / 256 << 8 | (i * 7 & 255);
    }
    const struct gpu_screen_order order = {.picture = picture, .place = {0, 0, 256, 256}};
    assert_true(gpu_screen_resize(room->screen, 256, 256));
    assert_true(gpu_screen_draw(room->screen, &order));
    assert_true(gpu_screen_wait(room->screen));
    const uint32_t *made = gpu_memory_words(gpu_screen_made(room->screen));
    for (uint32_t i = 0; i < 256 * 256; i++) {
        assert_int_equal(made[i] & 0xFFFFFF, pixels[i / 256 * picture.pitch + i % 256]);
    }
    free_picture(&picture);
}

/* Only what is laid changes; another size begins anew. */
static void test_parts(void **state)
{
    struct room *room = *state;
    if (room->device == NULL) {
        skip();
    }
    struct gpu_screen_picture picture = picture_of(room, 100, 60);
    struct gpu_screen_picture over = picture_of(room, 100, 60);
    struct gpu_screen_picture other = picture_of(room, 100, 60);
    const struct gpu_screen_order order = {
        .picture = picture, .place = {0, 0, 100, 60}, .covered = true};
    const struct gpu_place part = {13, 17, 30, 20};
    assert_true(gpu_screen_resize(room->screen, 100, 60));
    lay(room, &over);
    assert_true(gpu_screen_draw(room->screen, &order));
    assert_true(gpu_screen_lay(room->screen, &other, &part));
    assert_true(gpu_screen_draw(room->screen, &order));
    assert_true(gpu_screen_wait(room->screen));
    const uint32_t *made = gpu_memory_words(gpu_screen_made(room->screen));
    for (int y = 0; y < 60; y++) {
        for (int x = 0; x < 100; x++) {
            const size_t at = (size_t)y * picture.pitch + (size_t)x;
            const bool inside = x >= 13 && x < 43 && y >= 17 && y < 37;
            const uint32_t seen = inside ? other.pixels[at] : over.pixels[at];
            assert_int_equal(made[y * 100 + x] & 0xFFFFFF, laid_over(seen, picture.pixels[at]));
        }
    }
    free_picture(&picture);
    free_picture(&over);
    free_picture(&other);
}

static void test_small(void **state)
{
    static const int sizes[][2] = {{640, 360}, {321, 77}, {1000, 30}, {7, 5}, {3, 2}};
    struct room *room = *state;
    if (room->device == NULL) {
        skip();
    }
    assert_true(gpu_screen_resize(room->screen, 64, 48));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int step = 1; step <= 7; step++) {
            struct gpu_screen_picture picture = picture_of(room, sizes[i][0], sizes[i][1]);
            struct gpu_screen_order order = {
                .picture = picture, .place = {0, 0, 64, 48}, .step = step};
            int width = 0;
            int height = 0;
            if (step % 2 == 0) {
                put_there(room, &picture);
                order.picture.there = picture.there;
                order.picture.pixels = NULL;
            }
            assert_true(gpu_screen_draw(room->screen, &order));
            assert_true(gpu_screen_wait(room->screen));
            const uint32_t *small = gpu_screen_small(room->screen, &width, &height);
            if (picture.width >= step && picture.height >= step) {
                assert_non_null(small);
                assert_int_equal(width, picture.width / step);
                assert_int_equal(height, picture.height / step);
                for (int y = 0; y < height; y++) {
                    for (int x = 0; x < width; x++) {
                        const size_t row = (size_t)(y * step + step / 2);
                        assert_int_equal(
                            small[y * width + x],
                            picture.pixels[row * picture.pitch + (size_t)(x * step + step / 2)]);
                    }
                }
            }
            free_picture(&picture);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pictures), cmocka_unit_test(test_any_sizes),
        cmocka_unit_test(test_as_it_is), cmocka_unit_test(test_parts),
        cmocka_unit_test(test_small),
    };
    return cmocka_run_group_tests(tests, open_room, close_room);
}
