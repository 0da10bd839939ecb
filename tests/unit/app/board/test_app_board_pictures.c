#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/apart/apart.h"
#include "app/board/pictures.h"
#include "app/io/picture.h"
#include "base/os/file.h"
#include "board/picture/picture.h"
#include "presets/presets.h"
#include "renderer/standin/standin.h"

#define CORPUS TEST_SOURCE "/tests/fuzz/corpus/fuzz_board_picture/"

enum { FPS = 24, SIDE = REND_STANDIN_SIDE };

static char root[64];

static void write_file(const char *name, const void *data, size_t size)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* A picture of the corpus, all of it or its first bytes. */
static void copy_picture(const char *picture, const char *name, size_t most)
{
    char path[512];
    size_t size = 0;
    (void)snprintf(path, sizeof path, CORPUS "%s", picture);
    char *data = base_file_read(path, 1 << 20, &size, NULL);
    assert_non_null(data);
    write_file(name, data, size < most ? size : most);
    free(data);
}

static int set_up(void **state)
{
    (void)state;
    char path[512];
    (void)snprintf(root, sizeof root, "/tmp/froth-pictures-XXXXXX");
    assert_non_null(mkdtemp(root));
    static const char *const folders[] = {"p", "p/textures", "own"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", root, folders[i]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", root);
    return system(command);
}

/* A patch in folder p with its pictures. */
struct bench {
    struct board_host *host;
    struct board_loaded *loaded;
    struct base_diag_list messages;
};

static struct bench *load(const char *text)
{
    struct bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    const struct base_diag_sink sink = base_diag_list_sink(&bench->messages);
    struct preset preset;
    char path[128];
    char own[128];
    (void)snprintf(path, sizeof path, "%s/p/patch.fnp", root);
    (void)snprintf(own, sizeof own, "%s/own", root);
    const struct app_textures textures = {own, NULL};
    assert_int_equal(preset_read(&preset, path, text, strlen(text), &sink), 0);
    bench->host = board_host_create(BASE_CPU_PLAIN);
    bench->loaded = board_patch_create(NULL, &preset, FPS, 0, &sink);
    preset_free(&preset);
    assert_true(bench->host != NULL && bench->loaded != NULL);
    app_board_pictures_load(bench->host, bench->loaded, path, &textures, &sink);
    return bench;
}

static void end(struct bench *bench)
{
    board_patch_free(bench->loaded);
    board_host_free(bench->host);
    free(bench);
}

static const struct board_picture *picture_of(const struct bench *bench, size_t number)
{
    return &bench->loaded->patch.images[number];
}

static const uint8_t *bytes_of(const struct bench *bench, size_t number)
{
    return board_host_units(bench->host)->memory + picture_of(bench, number)->address;
}

static size_t size_of(const struct bench *bench, size_t number)
{
    const struct board_picture *picture = picture_of(bench, number);
    return 2 * (size_t)picture->width * picture->height;
}

static void assert_extent(const struct bench *bench, size_t number, int width, int height)
{
    assert_int_equal(picture_of(bench, number)->width, width);
    assert_int_equal(picture_of(bench, number)->height, height);
}

/* The largest difference of the channels, in their steps, from what libpng and libjpeg give. */
static int difference_from_others(const struct bench *bench, const char *path)
{
    struct rend_picture other = {0};
    int worst = 0;
    assert_int_equal(app_picture_read(path, 0, REND_MEMORY, &other, NULL, NULL), 0);
    assert_extent(bench, 0, other.width, other.height);
    const uint8_t *bytes = bytes_of(bench, 0);
    for (int i = 0; i < other.width * other.height; i++, bytes += 2) {
        static const struct {
            int at;
            int bits;
        } channels[] = {{11, 5}, {5, 6}, {0, 5}};
        const uint32_t pixel = (uint32_t)bytes[0] << 8 | bytes[1];
        const uint32_t alpha = other.pixels[i] >> 24;
        for (int k = 0; k < 3; k++) {
            const int steps = 1 << channels[k].bits;
            const int one = (int)(pixel >> channels[k].at) & (steps - 1);
            const uint32_t level = (other.pixels[i] >> (16 - 8 * k) & 255) * alpha / 255;
            const int apart = abs(one - (int)level * steps / 256);
            worst = apart > worst ? apart : worst;
        }
    }
    free(other.pixels);
    return worst;
}

static void other_decoders_give_the_same(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int steps;
    } pictures[] = {
        {"rgb.png", 0},   {"palette.png", 0},     {"gray.png", 0},       {"mono.png", 0},
        {"alpha.png", 0}, {"deep.png", 1},        {"interlaced.png", 0}, {"gray.jpg", 1},
        {"plain.jpg", 2}, {"progressive.jpg", 2}, {"sampled.jpg", 4},
    };
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        char text[128];
        char path[512];
        copy_picture(pictures[i].name, "p/a.bin", SIZE_MAX);
        (void)snprintf(text, sizeof text, "imagefile1=a.bin\nper_frame:");
        (void)snprintf(path, sizeof path, CORPUS "%s", pictures[i].name);
        struct bench *bench = load(text);
        assert_int_equal(bench->messages.count, 0);
        const int apart = difference_from_others(bench, path);
        if (apart > pictures[i].steps) {
            fail_msg("%s: %d steps apart", pictures[i].name, apart);
        }
        end(bench);
    }
}

static void files_are_found(void **state)
{
    (void)state;
    copy_picture("rgb.png", "p/Sun.PNG", SIZE_MAX);
    copy_picture("gray.png", "own/sun.png", SIZE_MAX);
    copy_picture("gray.png", "own/only here.png", SIZE_MAX);
    copy_picture("palette.png", "p/textures/deep.png", SIZE_MAX);
    struct bench *bench =
        load("imagefile1=/ssd/images/sun.png\nimagefile2=C:\\pics\\ONLY HERE.png\n"
             "imagefile3=deep.png\nimagefile4=other/SUN.png\nimagefile6=sun.jpg\n");
    assert_extent(bench, 0, 23, 17);
    assert_extent(bench, 1, 23, 17);
    assert_extent(bench, 2, 23, 17);
    assert_extent(bench, 5, SIDE, SIDE);
    assert_int_equal(picture_of(bench, 4)->width, 0);
    assert_int_equal(picture_of(bench, 3)->address, picture_of(bench, 0)->address);
    assert_true(memcmp(bytes_of(bench, 0), bytes_of(bench, 1), size_of(bench, 0)) != 0);
    /* What is beside the patch comes first: coloured, not grey. */
    const uint8_t *bytes = bytes_of(bench, 0);
    assert_true(bytes[0] >> 3 != (bytes[1] & 31));
    assert_int_equal(bench->messages.count, 1);
    assert_non_null(strstr(bench->messages.items[0].what, "'sun.jpg': it is not there"));
    end(bench);
}

static void stand_ins_take_their_places(void **state)
{
    (void)state;
    static const struct {
        const char *picture; /* NULL: a text */
        size_t most;
        const char *what;
    } rows[] = {
        {"rgb.png", 500, "damaged or cut off"},
        {"plain.jpg", 300, "damaged or cut off"},
        {"progressive.jpg", 600, "damaged or cut off"},
        {"rgb.png", 0, "neither PNG nor JPEG"},
        {NULL, 0, "neither PNG nor JPEG"},
        {"wide.png", SIZE_MAX, "1024 pixels on a side"},
    };
    uint8_t *first = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].picture == NULL) {
            write_file("p/rose.png", "no picture", 10);
        } else {
            copy_picture(rows[i].picture, "p/rose.png", rows[i].most);
        }
        struct bench *bench = load("imagefile1=rose.png\nimagefile2=ROSE.PNG\nper_frame:");
        assert_extent(bench, 0, SIDE, SIDE);
        assert_int_equal(picture_of(bench, 1)->address, picture_of(bench, 0)->address);
        assert_int_equal(bench->messages.count, 1);
        assert_int_equal(bench->messages.items[0].severity, BASE_WARNING);
        if (strstr(bench->messages.items[0].what, rows[i].what) == NULL) {
            fail_msg("%zu: %s", i, bench->messages.items[0].what);
        }
        if (first == NULL) {
            first = malloc(size_of(bench, 0));
            assert_non_null(first);
            memcpy(first, bytes_of(bench, 0), size_of(bench, 0));
        }
        assert_memory_equal(first, bytes_of(bench, 0), size_of(bench, 0));
        end(bench);
    }
    free(first);
}

/* Of the character that the name promises: a rose is red on green, where a shader sees it too. */
static void stand_ins_are_those_of_shaders(void **state)
{
    (void)state;
    uint32_t pixels[SIDE * SIDE];
    struct bench *bench = load("imagefile1=x/My Rose.png\nper_frame:");
    rend_standin_paint(pixels, SIDE, "my rose");
    const uint8_t *bytes = bytes_of(bench, 0);
    double apart = 0;
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        apart += abs((bytes[2 * i] & 0xf8) - (int)(pixels[i] >> 16 & 255)) / (double)(SIDE * SIDE);
    }
    assert_in_range((int)apart, 0, 20);
    end(bench);
}

static void a_patch_has_so_much_room(void **state)
{
    (void)state;
    copy_picture("large.png", "p/a.png", SIZE_MAX);
    copy_picture("large.png", "p/b.png", SIZE_MAX);
    copy_picture("rgb.png", "p/c.png", SIZE_MAX);
    struct bench *bench = load("imagefiles = a.png, b.png, c.png, gone.png\nper_frame:");
    assert_extent(bench, 0, 1024, 1024);
    assert_extent(bench, 1, 1024, 1024);
    assert_int_equal(picture_of(bench, 2)->width, 0);
    assert_int_equal(picture_of(bench, 3)->width, 0);
    assert_int_equal(bench->messages.count, 2);
    assert_non_null(strstr(bench->messages.items[0].what, "2097152 pixels at most"));
    assert_non_null(strstr(bench->messages.items[1].what, "no room to show"));
    end(bench);
}

static void live_video_has_a_picture(void **state)
{
    (void)state;
    struct bench *bench = load("video_a=0.5\nper_frame:");
    assert_extent(bench, BOARD_VIDEO, SIDE, SIDE);
    assert_int_equal(bench->messages.count, 2);
    assert_non_null(strstr(bench->messages.items[1].what, "'video.png': it is not there"));
    /* Most of it is black, for it is added up. */
    size_t black = 0;
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        const uint8_t *pixel = bytes_of(bench, BOARD_VIDEO) + 2 * i;
        black += pixel[0] == 0 && pixel[1] == 0;
    }
    assert_in_range(black, SIDE * SIDE / 2, SIDE * SIDE * 9 / 10);
    end(bench);
    copy_picture("rgb.png", "p/Video.PNG", SIZE_MAX);
    bench = load("video_a=0.5\nper_frame:");
    assert_extent(bench, BOARD_VIDEO, 23, 17);
    assert_int_equal(bench->messages.count, 1);
    end(bench);
}

int main(void)
{
    (void)app_apart_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_decoders_give_the_same),
        cmocka_unit_test(files_are_found),
        cmocka_unit_test(stand_ins_take_their_places),
        cmocka_unit_test(stand_ins_are_those_of_shaders),
        cmocka_unit_test(a_patch_has_so_much_room),
        cmocka_unit_test(live_video_has_a_picture),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
