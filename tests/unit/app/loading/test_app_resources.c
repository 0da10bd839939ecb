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
#include "app/io/picture.h"
#include "app/loading/loading.h"

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

static void make_folder(const char *name)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", root, name);
    assert_int_equal(mkdir(path, 0700), 0);
}

static int set_up(void **state)
{
    (void)state;
    static const char *const names[] = {"own/Moss.PNG",        "own/MOSS.jpg",       "own/moss.jpg",
                                        "own/stone.bmp",       "own/notes.txt",      "own/.hid.png",
                                        "own/PE_a.png",        "own/pe_b.jpg",       "p/beside.tga",
                                        "p/textures/deep.png", "textures/above.png", "p/moss.dib"};
    (void)snprintf(root, sizeof root, "/tmp/froth-resources-XXXXXX");
    assert_non_null(mkdtemp(root));
    make_folder("own");
    make_folder("p");
    make_folder("p/textures");
    make_folder("textures");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        write_file(names[i], "", 0);
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

/* What a preset in folder p finds, below the root; "" if it finds nothing. */
static const char *found_by(const char *file, uint64_t seed, bool own, const char *name)
{
    static char path[512];
    char folder[128];
    char preset[128];
    (void)snprintf(folder, sizeof folder, "%s/own", root);
    (void)snprintf(preset, sizeof preset, "%s/p/%s", root, file);
    const struct rend_picture_request request = {.name = name, .preset_path = preset, .seed = seed};
    struct app_textures textures = {own ? folder : root, NULL};
    if (!app_resources_find(&textures, &request, path, sizeof path)) {
        return "";
    }
    return path + strlen(root) + 1;
}

static const char *found(bool own, const char *name)
{
    return found_by("x.milk", 0, own, name);
}

static void names_are_found(void **state)
{
    (void)state;
    assert_string_equal(found(true, "moss"), "own/MOSS.jpg"); /* the first by its letters */
    assert_string_equal(found(true, "stone"), "own/stone.bmp");
    assert_string_equal(found(true, "beside"), "p/beside.tga");
    assert_string_equal(found(true, "deep"), "p/textures/deep.png");
    assert_string_equal(found(true, "above"), "p/../textures/above.png");
    assert_string_equal(found(false, "moss"), "p/moss.dib");
    assert_string_equal(found(true, "notes"), "");
    assert_string_equal(found(true, ""), "");
    assert_string_equal(found(true, "../own/moss"), "");
    assert_string_equal(found(true, "no_such_picture"), "");
}

/* Four inks, turned round behind Adobe's marker and as they are without: cyan beside a mixture with
 * some black, (1 - ink) * (1 - black) of each. */
static void inks_become_light(void **state)
{
    (void)state;
    static const char *const names[] = {"inks.jpg", "inks_as_they_are.jpg"};
    static const int expected[2][3] = {{0, 255, 255}, {43, 122, 161}};
    for (size_t i = 0; i < 2; i++) {
        char path[512];
        struct rend_picture picture = {0};
        (void)snprintf(path, sizeof path, TEST_SOURCE "/tests/fuzz/corpus/fuzz_app_picture/%s",
                       names[i]);
        assert_int_equal(app_picture_read(path, 0, REND_MEMORY, &picture, NULL, NULL), 0);
        assert_int_equal(picture.width, 16);
        for (int k = 0; k < 2; k++) {
            const uint32_t pixel = picture.pixels[8 * 16 + 4 + 8 * k];
            for (int part = 0; part < 3; part++) {
                const int value = (int)(pixel >> (16 - 8 * part) & 255);
                assert_in_range(value + 2, expected[k][part], expected[k][part] + 4);
            }
            assert_int_equal(pixel >> 24, 255);
        }
        free(picture.pixels);
    }
}

static void any_picture(void **state)
{
    (void)state;
    char first[64];
    (void)snprintf(first, sizeof first, "%s", found(true, "rand00"));
    assert_true(strlen(first) > strlen("own/"));
    assert_null(strstr(first, "notes"));
    assert_null(strstr(first, ".hid"));
    assert_string_equal(found(true, "rand00"), first);
    int different = 0;
    for (int i = 1; i < 16; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "rand%02d", i);
        different += strcmp(found(true, name), first) != 0;
    }
    assert_true(different > 3);
    for (int i = 0; i < 16; i++) {
        char name[24];
        (void)snprintf(name, sizeof name, "rand%02d_pe", i);
        const char *path = found(true, name);
        assert_true(strcmp(path, "own/PE_a.png") == 0 || strcmp(path, "own/pe_b.jpg") == 0);
    }
    assert_string_equal(found(true, "rand03_nothing"), "");
    assert_string_equal(found(true, "random"), "");
}

static void there_are_sixteen_random_pictures(void **state)
{
    (void)state;
    static const char *const others[] = {"rand16", "rand20",  "rand99", "rand16_pe", "rand1",
                                         "rand",   "rand001", "rand0_", "rand1a"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_string_equal(found(true, others[i]), "");
    }
    assert_true(found(true, "rand09")[0] != '\0');
    assert_true(found(true, "rand10")[0] != '\0');
    assert_true(found(true, "rand15_pe")[0] != '\0');
}

/* Slot, preset and seed each change which picture is any; together they always give the same. */
static void any_picture_depends_on_the_seed(void **state)
{
    (void)state;
    enum { SEEDS = 64 };
    for (int slot = 0; slot < 16; slot++) {
        char name[16];
        char first[64];
        int by_seed = 0;
        int by_preset = 0;
        (void)snprintf(name, sizeof name, "rand%02d", slot);
        (void)snprintf(first, sizeof first, "%s", found_by("x.milk", 0, true, name));
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            char again[64];
            (void)snprintf(again, sizeof again, "%s", found_by("x.milk", seed, true, name));
            assert_string_equal(found_by("x.milk", seed, true, name), again);
            by_seed += strcmp(again, first) != 0;
            by_preset += strcmp(found_by("y.milk", seed, true, name), again) != 0;
        }
        /* Of six pictures another one five times of six. */
        assert_true(by_seed > SEEDS / 2 && by_preset > SEEDS / 2);
    }
}

/* A name that is no slot does not care. */
static void other_names_do_not(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 9; seed++) {
        assert_string_equal(found_by("x.milk", seed, true, "moss"), "own/MOSS.jpg");
    }
}

/* Resources hand their seed on, whatever the request says. */
static uint64_t asked_seed;

static bool note_seed(void *user, const struct rend_picture_request *request, char *path,
                      size_t size)
{
    (void)user;
    (void)path;
    (void)size;
    asked_seed = request->seed;
    return false;
}

static void resources_hand_their_seed_on(void **state)
{
    (void)state;
    const struct rend_pictures pictures = {.find = note_seed, .seed = 4711};
    struct rend_resources *resources = rend_resources_create(&pictures);
    assert_non_null(resources);
    const struct rend_picture_request request = {.name = "rand03", .preset_path = "x.milk"};
    struct rend_resource *picture = NULL;
    bool whole = true;
    assert_int_equal(
        rend_resource_pictures(resources, &request, 1, REND_MEMORY, &picture, &whole, NULL), 0);
    assert_false(whole);
    assert_int_equal(asked_seed, 4711);
    rend_resource_release(picture);
    rend_resources_free(resources);
}

static int read_picture(const char *name, struct rend_picture *picture, struct base_diag_list *list)
{
    char path[512];
    const struct base_diag_sink sink = base_diag_list_sink(list);
    (void)snprintf(path, sizeof path, "%s/%s", root, name);
    return app_picture_read(path, 0, REND_MEMORY, picture, NULL, &sink);
}

/* 2 x 2, 24 bits, rows from the bottom: blue green / red white. */
static const uint8_t bitmap[] = {
    'B', 'M', 70, 0, 0,  0, 0, 0, 0,   0,   54,  0,   0, 0, 40,  0, 0, 0, 2,   0, 0, 0, 2, 0,
    0,   0,   1,  0, 24, 0, 0, 0, 0,   0,   16,  0,   0, 0, 0,   0, 0, 0, 0,   0, 0, 0, 0, 0,
    0,   0,   0,  0, 0,  0, 0, 0, 255, 255, 255, 255, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0,
};

static void pictures_are_read(void **state)
{
    (void)state;
    static const uint32_t pixels[] = {0xFF0000FF, 0xFF00FF00, 0xFFFF0000, 0xFFFFFFFF};
    struct base_diag_list list = {0};
    struct rend_picture picture;
    write_file("own/four.bmp", bitmap, sizeof bitmap);
    assert_int_equal(read_picture("own/four.bmp", &picture, &list), 0);
    assert_int_equal(picture.width, 2);
    assert_int_equal(picture.height, 2);
    assert_memory_equal(picture.pixels, pixels, sizeof pixels);
    free(picture.pixels);
    assert_int_equal(list.count, 0);
}

/* Ends within a chunk that a reader may skip. */
static const uint8_t cut_png[] = {
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44,
    0x52, 0x00, 0x00, 0x00, 0x21, 0x00, 0x00, 0x00, 0x11, 0x10, 0x02, 0x00, 0x00, 0x00, 0x8C,
    0x6C, 0x8E, 0xD6, 0x00, 0x00, 0x00, 0x04, 0x67, 0x41, 0x4D, 0x41, 0x00, 0x00, 0xB1, 0x8F,
    0x0B, 0xFC, 0x61, 0x05, 0x00, 0x00, 0xD4, 0x20, 0x63, 0x48, 0x52, 0x4D, 0x00, 0x00, 0x7A,
    0x26, 0x00, 0x00, 0x80, 0x84, 0x00, 0x00, 0xFA, 0x00, 0x00, 0x00, 0x80, 0xE8, 0x00, 0x00,
    0x75, 0x30, 0x00, 0x00, 0xEA, 0x60, 0x00, 0x00, 0x3A, 0x98, 0x00, 0x00, 0x17, 0x70};

static void broken_pictures_are_refused(void **state)
{
    (void)state;
    struct base_diag_list list = {0};
    struct rend_picture picture;
    write_file("own/cut.bmp", bitmap, 30);
    write_file("own/junk.png", "\x89PNG\r\n\x1a\nnonsense", 16);
    write_file("own/cut.png", cut_png, sizeof cut_png);
    assert_int_equal(read_picture("own/cut.bmp", &picture, &list), -1);
    assert_int_equal(read_picture("own/cut.png", &picture, &list), -1);
    assert_int_equal(read_picture("own/junk.png", &picture, &list), -1);
    assert_int_equal(read_picture("own/moss.jpg", &picture, &list), -1);
    assert_int_equal(read_picture("own/none.png", &picture, &list), -1);
    assert_int_equal(read_picture("own", &picture, &list), -1);
    assert_int_equal(list.count, 6);
    assert_int_equal(list.by_severity[BASE_WARNING], 6);
}

/* A red and a green pixel, and a colour profile that is none, whose name steers a terminal: libpng
 * prints it. */
static const uint8_t steering_png[] = {
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x7B, 0x40, 0xE8,
    0xDD, 0x00, 0x00, 0x00, 0xA5, 0x69, 0x43, 0x43, 0x50, 0x1B, 0x5B, 0x32, 0x4A, 0x9B, 0x33, 0x31,
    0x6D, 0x00, 0x00, 0x78, 0x9C, 0x01, 0x90, 0x00, 0x6F, 0xFF, 0x82, 0xB7, 0x0E, 0xEE, 0x7F, 0x1A,
    0x50, 0x39, 0xBE, 0xF0, 0x7E, 0xC2, 0x34, 0x7F, 0x06, 0x6E, 0xD0, 0x8F, 0x5D, 0xC7, 0x51, 0x24,
    0x47, 0xE3, 0x40, 0x43, 0x00, 0x02, 0x6B, 0x6E, 0x54, 0x55, 0x94, 0xA0, 0x65, 0x68, 0x5D, 0x64,
    0xC4, 0x98, 0x0B, 0xB8, 0xD4, 0x54, 0x4A, 0x87, 0x21, 0xA9, 0x9A, 0x01, 0xAD, 0x21, 0x9E, 0xB5,
    0x9C, 0xF6, 0xA1, 0x5E, 0xF6, 0xF1, 0x5A, 0x1D, 0x83, 0x0B, 0xB7, 0xCE, 0x09, 0xD6, 0xBB, 0xC0,
    0x04, 0xE7, 0x17, 0x5C, 0x64, 0x3C, 0x7D, 0xEC, 0xB0, 0xB5, 0x80, 0xEC, 0x37, 0xBC, 0x97, 0x12,
    0xDD, 0x2E, 0x6A, 0xAE, 0xB9, 0x4B, 0xAE, 0x8D, 0x2F, 0x9F, 0xA2, 0x9C, 0x5A, 0x28, 0x4C, 0x9E,
    0xF7, 0x52, 0x18, 0x29, 0xCF, 0x10, 0x79, 0xB0, 0x80, 0xE9, 0xD7, 0x4A, 0x1C, 0x10, 0xFC, 0xAB,
    0x6A, 0x42, 0x43, 0xD3, 0x36, 0x56, 0xDE, 0xBE, 0x4C, 0x1E, 0xD7, 0x96, 0x48, 0xE8, 0x56, 0xE8,
    0xF9, 0xA2, 0xF5, 0x8C, 0x95, 0xF0, 0xCE, 0x4B, 0x39, 0xC1, 0x6A, 0xC6, 0x47, 0xD2, 0x50, 0xDB,
    0x29, 0x36, 0x00, 0x00, 0x00, 0x0F, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0xF8, 0xCF, 0xC0,
    0xC0, 0xF0, 0x9F, 0x01, 0x00, 0x07, 0xFF, 0x01, 0xFF, 0x01, 0x7F, 0x89, 0xA7, 0x00, 0x00, 0x00,
    0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82};

/* What is printed on standard error while the picture is read. */
static void printed(const char *name, struct rend_picture *picture, int result, char *text,
                    size_t size)
{
    struct base_diag_list list = {0};
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const int before = dup(STDERR_FILENO);
    assert_int_equal(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);
    const int read_result = read_picture(name, picture, &list);
    (void)fprintf(stderr, "end");
    (void)fflush(stderr);
    (void)dup2(before, STDERR_FILENO);
    (void)close(before);
    (void)close(ends[1]);
    const ssize_t got = read(ends[0], text, size - 1);
    (void)close(ends[0]);
    assert_true(got > 0);
    text[got] = '\0';
    assert_int_equal(read_result, result);
}

static void libraries_print_nothing(void **state)
{
    (void)state;
    char text[400];
    struct rend_picture picture;
    write_file("own/steering.png", steering_png, sizeof steering_png);
    printed("own/steering.png", &picture, 0, text, sizeof text);
    assert_string_equal(text, "end");
    assert_int_equal(picture.pixels[0], 0xFFFF0000);
    assert_int_equal(picture.pixels[1], 0xFF00FF00);
    free(picture.pixels);
}

/* Each cut of a JPEG is told as such, and none is taken for a picture of another kind. */
static void cut_pictures_are_told(void **state)
{
    (void)state;
    static const char head[] = "\xFF\xD8\xFF\xE0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0"
                               "\xFF\xC0\0\x0B\x08\0\x08\0\x08\1\1\x11\0";
    for (size_t size = 3; size < sizeof head; size++) {
        struct base_diag_list list = {0};
        struct rend_picture picture;
        write_file("own/cut.jpg", head, size);
        assert_int_equal(read_picture("own/cut.jpg", &picture, &list), -1);
        assert_int_equal(list.count, 1);
        assert_string_equal(list.items[0].what,
                            "the picture cannot be used: it is damaged or cut off");
    }
    struct base_diag_list list = {0};
    struct rend_picture picture;
    write_file("own/words.jpg", "This is no picture at all.", 26);
    assert_int_equal(read_picture("own/words.jpg", &picture, &list), -1);
    assert_string_equal(list.items[0].what,
                        "the picture cannot be used: it is none that can be read");
}

static void place_of(const char *name, char path[512])
{
    (void)snprintf(path, 512, "%s/%s", root, name);
}

/* 5 x 3 pixels of 8 bits, grey: 16 times the sum of column and row, from 0. */
static const uint8_t plain_png[] = {
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x03, 0x08, 0x00, 0x00, 0x00, 0x00, 0x7E, 0x5D, 0x9A,
    0x24, 0x00, 0x00, 0x00, 0x14, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0x60, 0x10, 0x50, 0x30,
    0x70, 0x00, 0x13, 0x01, 0x0C, 0x20, 0x22, 0x01, 0x00, 0x13, 0xC2, 0x02, 0xD1, 0x08, 0xD5, 0x6D,
    0x1B, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
};
static const uint8_t laced_png[] = {
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44,
    0x52, 0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x03, 0x08, 0x00, 0x00, 0x00, 0x01, 0x09,
    0x5A, 0xAA, 0xB2, 0x00, 0x00, 0x00, 0x1E, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0x60,
    0x60, 0x70, 0x60, 0x50, 0x60, 0x50, 0x70, 0x48, 0x60, 0x10, 0x30, 0x60, 0x30, 0x08, 0x60,
    0x10, 0x50, 0x30, 0x70, 0x08, 0x00, 0x00, 0x19, 0xA6, 0x02, 0xD1, 0x66, 0x52, 0x82, 0x64,
    0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
};

/* Each pixel is the mean of the square that it covers, halves up; at the edges squares are cut. */
static void pictures_become_smaller(void **state)
{
    (void)state;
    static const uint32_t halved[] = {0xFF101010, 0xFF303030, 0xFF484848,
                                      0xFF282828, 0xFF484848, 0xFF606060};
    struct base_diag_list list = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&list);
    struct rend_picture picture;
    struct rend_extent extent;
    char path[512];
    write_file("own/plain.png", plain_png, sizeof plain_png);
    place_of("own/plain.png", path);
    assert_int_equal(app_picture_measure(path, &extent, NULL, &sink), 0);
    assert_true(extent.width == 5 && extent.height == 3 && extent.scratch == 0);
    assert_int_equal(app_picture_read(path, 1, REND_MEMORY, &picture, NULL, &sink), 0);
    assert_true(picture.width == 3 && picture.height == 2);
    assert_memory_equal(picture.pixels, halved, sizeof halved);
    free(picture.pixels);
    assert_int_equal(app_picture_read(path, REND_HALVINGS_MAX, REND_MEMORY, &picture, NULL, &sink),
                     0);
    assert_true(picture.width == 1 && picture.height == 1 && picture.pixels[0] == 0xFF303030);
    free(picture.pixels);
    write_file("own/four.bmp", bitmap, sizeof bitmap);
    place_of("own/four.bmp", path);
    assert_int_equal(app_picture_read(path, 1, REND_MEMORY, &picture, NULL, &sink), 0);
    assert_true(picture.width == 1 && picture.height == 1 && picture.pixels[0] == 0xFF808080);
    free(picture.pixels);
    assert_int_equal(list.count, 0);
}

/* The same pixels as without; reduced, those in the corners of the squares. */
static void interlaced_pictures_are_read(void **state)
{
    (void)state;
    static const uint32_t corners[] = {0xFF000000, 0xFF202020, 0xFF404040,
                                       0xFF202020, 0xFF404040, 0xFF606060};
    struct rend_picture plain;
    struct rend_picture laced;
    char path[512];
    write_file("own/plain.png", plain_png, sizeof plain_png);
    write_file("own/laced.png", laced_png, sizeof laced_png);
    place_of("own/plain.png", path);
    assert_int_equal(app_picture_read(path, 0, REND_MEMORY, &plain, NULL, NULL), 0);
    place_of("own/laced.png", path);
    assert_int_equal(app_picture_read(path, 0, REND_MEMORY, &laced, NULL, NULL), 0);
    assert_true(plain.width == 5 && plain.height == 3 && laced.width == 5 && laced.height == 3);
    assert_memory_equal(plain.pixels, laced.pixels, 15 * sizeof *plain.pixels);
    free(plain.pixels);
    free(laced.pixels);
    assert_int_equal(app_picture_read(path, 1, REND_MEMORY, &laced, NULL, NULL), 0);
    assert_memory_equal(laced.pixels, corners, sizeof corners);
    free(laced.pixels);
}

/* A head, and what its file would have in memory while it is read. */
static void what_reading_takes(void **state)
{
    (void)state;
    static const struct {
        const char *head;
        size_t size;
        size_t least;
        size_t most;
    } files[] = {
        /* 4096 x 4096: all in one scan; three times the same size; one quartered twice. */
        {"\xFF\xD8\xFF\xC0\0\x11\x08\x10\0\x10\0\3\1\x22\0\2\x11\1\3\x11\1"
         "\xFF\xDA\0\x0C\3........\xFF\xD9",
         36, 0, 0},
        {"\xFF\xD8\xFF\xC2\0\x11\x08\x10\0\x10\0\3\1\x11\0\2\x11\1\3\x11\1"
         "\xFF\xDA\0\x0C\3........\xFF\xD9",
         36, 96 << 20, 100 << 20},
        {"\xFF\xD8\xFF\xC0\0\x11\x08\x10\0\x10\0\3\1\x22\0\2\x11\1\3\x11\1"
         "\xFF\xDA\0\x08\1........\xFF\xD9",
         36, 48 << 20, 50 << 20},
        {"\0\0\x0A\0\0\0\0\0\0\0\0\0\0\x10\0\x10\x18\0", 18, 48 << 20, 48 << 20},
        {"BM\0\0\0\0\0\0\0\0\0\0\0\0\x28\0\0\0\0\x10\0\0\0\x10\0\0\1\0\1\0", 30, 16 << 20,
         16 << 20},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[512];
        struct rend_extent extent;
        struct base_diag_list list = {0};
        const struct base_diag_sink sink = base_diag_list_sink(&list);
        struct rend_picture picture;
        write_file("own/head", files[i].head, files[i].size);
        place_of("own/head", path);
        assert_int_equal(app_picture_measure(path, &extent, NULL, &sink), 0);
        assert_true(extent.width == 4096 && extent.height == 4096);
        assert_in_range(extent.scratch, files[i].least, files[i].most);
        if (files[i].least > 0) {
            assert_int_equal(app_picture_read(path, 7, 1 << 20, &picture, NULL, &sink), -1);
            assert_non_null(strstr(list.items[0].what, "not enough memory"));
        }
    }
}

/* Heads of files that would unpack to gigabytes; nothing stands behind them. */
static void large_pictures_are_refused_by_their_heads(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *head;
        size_t size;
    } files[] = {
        {"own/huge.png",
         "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x20\x01\0\0\x20\0\x08\x02\0\0\0"
         "crc!\0\0\0\0IENDcrc!",
         45},
        {"own/huge.jpg", "\xFF\xD8\xFF\xFE\0\x04xy\xFF\xC2\0\x11\x08\xF0\0\0\x10\x03\0\0", 20},
        {"own/huge.bmp", "BM\0\0\0\0\0\0\0\0\0\0\0\0\x28\0\0\0\x10\0\0\0\0\0\xFF\xFF", 26},
        {"own/old.bmp", "BM\0\0\0\0\0\0\0\0\0\0\0\0\x0C\0\0\0\x10\0\x01\x20\x01\0\x18\0", 26},
        {"own/huge.tga", "\0\0\x0A\0\0\0\0\0\0\0\0\0\x01\x20\x10\0\x18\0", 18},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct base_diag_list list = {0};
        struct rend_picture picture;
        write_file(files[i].name, files[i].head, files[i].size);
        assert_int_equal(read_picture(files[i].name, &picture, &list), -1);
        assert_int_equal(list.count, 1);
        assert_non_null(strstr(list.items[0].what, "8192"));
    }
}

int main(void)
{
    (void)app_apart_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found),
        cmocka_unit_test(any_picture),
        cmocka_unit_test(there_are_sixteen_random_pictures),
        cmocka_unit_test(any_picture_depends_on_the_seed),
        cmocka_unit_test(other_names_do_not),
        cmocka_unit_test(resources_hand_their_seed_on),
        cmocka_unit_test(pictures_are_read),
        cmocka_unit_test(pictures_become_smaller),
        cmocka_unit_test(interlaced_pictures_are_read),
        cmocka_unit_test(what_reading_takes),
        cmocka_unit_test(broken_pictures_are_refused),
        cmocka_unit_test(libraries_print_nothing),
        cmocka_unit_test(cut_pictures_are_told),
        cmocka_unit_test(inks_become_light),
        cmocka_unit_test(large_pictures_are_refused_by_their_heads),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
