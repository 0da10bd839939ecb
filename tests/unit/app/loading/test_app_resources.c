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

#include "app/io/picture.h"
#include "app/loading/resources.h"

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

/* What is found, below the root; "" if nothing is. */
static const char *found(bool own, const char *name)
{
    static char path[512];
    char folder[128];
    char preset[128];
    (void)snprintf(folder, sizeof folder, "%s/own", root);
    (void)snprintf(preset, sizeof preset, "%s/p/x.milk", root);
    const struct rend_picture_request request = {name, preset};
    if (!app_resources_find(own ? folder : root, &request, path, sizeof path)) {
        return "";
    }
    return path + strlen(root) + 1;
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

static int read_picture(const char *name, struct rend_picture *picture, struct base_diag_list *list)
{
    char path[512];
    const struct base_diag_sink sink = base_diag_list_sink(list);
    (void)snprintf(path, sizeof path, "%s/%s", root, name);
    return app_picture_read(path, picture, &sink);
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found),
        cmocka_unit_test(any_picture),
        cmocka_unit_test(there_are_sixteen_random_pictures),
        cmocka_unit_test(pictures_are_read),
        cmocka_unit_test(broken_pictures_are_refused),
        cmocka_unit_test(large_pictures_are_refused_by_their_heads),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
