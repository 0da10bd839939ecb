#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/options/options.h"
#include "app/share/matroska.h"
#include "app/share/pictures.h"
#include "app/share/share.h"
#include "base/os/thread.h"

/* ---- targets by their names ---- */

static int check(const char *share, const char *stream, struct base_diag_list *list)
{
    struct app_options options;
    app_options_default(&options);
    *list = (struct base_diag_list){.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(list);
    if (share != NULL) {
        options.share = (struct app_list){{share}, 1};
    }
    if (stream != NULL) {
        options.stream = (struct app_list){{stream}, 1};
    }
    return app_share_check(&options, &sink);
}

static void names_are_known_or_told(void **state)
{
    static const struct {
        const char *share;
        const char *stream;
        int result;
        const char *hint; /* a part of it */
    } cases[] = {
        {NULL, NULL, APP_EXIT_DONE, NULL},
        {"v4l2:/dev/video0", NULL, APP_EXIT_DONE, NULL},
        {"v4l2:", NULL, APP_EXIT_USAGE, "/dev/video0"},
        {"pipewires", NULL, APP_EXIT_USAGE, "pipewire, or"},
        {"", NULL, APP_EXIT_USAGE, "pipewire, or"},
        {NULL, "srt://localhost:7000", APP_EXIT_DONE, NULL},
        {NULL, "rtmp://localhost/live/key", APP_EXIT_DONE, NULL},
        {NULL, "rtmps://localhost/live/key", APP_EXIT_DONE, NULL},
        {NULL, "srt://", APP_EXIT_USAGE, NULL},
        {NULL, "concat:a.mp4", APP_EXIT_DONE, NULL},
        {NULL, "https://localhost/a.mp4", APP_EXIT_USAGE, "rtmps://"},
        {NULL, "show.avi", APP_EXIT_USAGE, ".mkv"},
        {NULL, "show", APP_EXIT_USAGE, ".mkv"},
        {NULL, "folder.mp4/show", APP_EXIT_USAGE, ".mkv"},
        {NULL, "show.mp4", APP_EXIT_DONE, NULL},
        {NULL, "-.MKV", APP_EXIT_DONE, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct base_diag_list list;
        assert_int_equal(check(cases[i].share, cases[i].stream, &list), cases[i].result);
        assert_int_equal(list.count, cases[i].result != APP_EXIT_DONE);
        if (cases[i].hint != NULL) {
            assert_non_null(strstr(list.items[0].hint, cases[i].hint));
        }
    }
}

static void too_many_and_twice_are_told(void **state)
{
    struct base_diag_list list = {.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&list);
    struct app_options options;
    (void)state;
    app_options_default(&options);
    options.stream = (struct app_list){{"a.mp4", "b.mp4", "c.mp4"}, 3};
    options.share = (struct app_list){{"v4l2:/dev/video0"}, 1};
    assert_int_equal(app_share_check(&options, &sink), APP_EXIT_DONE);
    options.share = (struct app_list){{"v4l2:/dev/video0", "v4l2:/dev/video1"}, 2};
    assert_int_equal(app_share_check(&options, &sink), APP_EXIT_USAGE);
    options.stream = (struct app_list){{"a.mp4", "a.mp4"}, 2};
    assert_int_equal(app_share_check(&options, &sink), APP_EXIT_USAGE);
    assert_int_equal(list.count, 2);
}

/* ---- the painter's side ---- */

static void nothing_is_shared_without_a_target(void **state)
{
    struct app_options options;
    struct app_share *share = NULL;
    struct app_share_status status;
    const struct app_share_format format = {16, 16, {30, 1}};
    const uint32_t pixels[16 * 16] = {0};
    const float sound[2] = {0};
    (void)state;
    app_options_default(&options);
    assert_int_equal(app_share_open(&share, &options, &format, NULL), 0);
    assert_null(share);
    app_share_picture(share, pixels, 16, 0);
    app_share_sound(share, sound, 1);
    app_share_status(share, &status);
    assert_int_equal(status.targets, 0);
    app_share_close(share);
}

/* A target that is not there costs nothing, and is told once. */
static void a_missing_device_is_told_once(void **state)
{
    struct base_diag_list list = {.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&list);
    struct app_options options;
    struct app_share *share = NULL;
    struct app_share_status status;
    const struct app_share_format format = {16, 16, {30, 1}};
    const uint32_t pixels[16 * 16] = {0};
    (void)state;
    app_options_default(&options);
    options.share = (struct app_list){{"v4l2:/nowhere/video0", "v4l2:/dev/null"}, 2};
    assert_int_equal(app_share_open(&share, &options, &format, &sink), 0);
    assert_non_null(share);
    for (int i = 0; i < 300; i++) {
        app_share_picture(share, pixels, 16, i / 30.0);
        base_clock_sleep_until(base_clock_seconds() + 0.01); /* until a second try has come */
    }
    app_share_status(share, &status);
    app_share_close(share);
    assert_int_equal(status.targets, 2);
    assert_int_equal(status.taken, 0);
    assert_int_equal(status.given, 0);
    assert_int_equal(status.left_out, 0);
    assert_int_equal(list.count, 2);
    const bool first = list.items[0].severity == BASE_WARNING;
    assert_non_null(strstr(list.items[!first].what, "no such device"));
    assert_non_null(strstr(list.items[first].what, "no video device"));
}

/* ---- pictures ---- */

struct colour {
    uint32_t rgb;
    unsigned char yuv[3]; /* of BT.601, limited range */
};
static const struct colour colours[] = {
    {0x000000, {16, 128, 128}}, {0xFFFFFF, {235, 128, 128}}, {0xFF0000, {81, 90, 240}},
    {0x00FF00, {145, 54, 34}},  {0x0000FF, {41, 240, 110}},
};

static void is_near(unsigned value, unsigned wanted)
{
    assert_true(value + 2 >= wanted && wanted + 2 >= value);
}

static void check_colour(const struct colour *colour, enum app_pictures_format format)
{
    enum { WIDTH = 32, HEIGHT = 16, TALL = 48 };
    const struct app_pictures_layout layout = {format, WIDTH, TALL};
    struct app_pictures *pictures = app_pictures_open(WIDTH, HEIGHT, &layout);
    const size_t size = app_pictures_size(&layout);
    const size_t stride = app_pictures_stride(&layout);
    uint32_t from[WIDTH * HEIGHT];
    unsigned char *to = malloc(size);
    if (pictures == NULL) {
        skip(); /* built without libswscale */
    }
    assert_non_null(to);
    for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
        from[i] = colour->rgb;
    }
    memset(to, 77, size);
    app_pictures_convert(pictures, from, to);
    for (size_t y = 0; y < TALL; y++) {
        const bool inside = y >= HEIGHT && y < 2 * HEIGHT;
        const struct colour *wanted = inside ? colour : &colours[0];
        const unsigned char *row = to + y * stride;
        for (size_t x = 0; x < WIDTH; x++) {
            if (format == APP_PICTURES_BGRX) {
                for (int i = 0; i < 3; i++) {
                    is_near(row[4 * x + (size_t)i], wanted->rgb >> 8 * i & 255);
                }
            } else if (format == APP_PICTURES_YUY2) {
                is_near(row[2 * x], wanted->yuv[0]);
                is_near(row[2 * x + 1], wanted->yuv[1 + x % 2]);
            } else {
                const size_t half = y / 2 * (stride / 2) + x / 2;
                is_near(row[x], wanted->yuv[0]);
                is_near(to[stride * TALL + half], wanted->yuv[1]);
                is_near(to[stride * TALL * 5 / 4 + half], wanted->yuv[2]);
            }
        }
    }
    free(to);
    app_pictures_close(pictures);
}

/* Their shape stays, and their colours are those that players expect. */
static void pictures_come_in_any_size_and_format(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++) {
        check_colour(&colours[i], APP_PICTURES_BGRX);
        check_colour(&colours[i], APP_PICTURES_YUY2);
        check_colour(&colours[i], APP_PICTURES_I420);
    }
}

static void pictures_of_the_same_size_stay_as_they_are(void **state)
{
    enum { WIDTH = 37, HEIGHT = 21 };
    const struct app_pictures_layout layout = {APP_PICTURES_BGRX, WIDTH, HEIGHT};
    struct app_pictures *pictures = app_pictures_open(WIDTH, HEIGHT, &layout);
    static uint32_t from[WIDTH * HEIGHT];
    static unsigned char to[4 * WIDTH * HEIGHT];
    (void)state;
    if (pictures == NULL) {
        skip();
    }
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        from[i] = i * 2654435761U & 0xFFFFFF;
    }
    app_pictures_convert(pictures, from, to);
    for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
        assert_int_equal(to[4 * i] | to[4 * i + 1] << 8 | to[4 * i + 2] << 16, from[i]);
    }
    app_pictures_close(pictures);
}

/* ---- the way to ffmpeg ---- */

/* Takes the head of an element off the front; its size is always eight bytes. */
static uint32_t take_head(const unsigned char **at, uint64_t *size)
{
    const int length = __builtin_clz((unsigned)**at << 24) + 1;
    uint32_t id = 0;
    for (int i = 0; i < length; i++) {
        id = id << 8 | *(*at)++;
    }
    assert_int_equal(**at, 1);
    *size = 0;
    for (int i = 0; i < 8; i++) {
        *size = *size << 8 | *(*at)++;
    }
    *size &= ((uint64_t)1 << 56) - 1;
    return id;
}

static void blocks_have_their_sizes_and_times(void **state)
{
    unsigned char bytes[APP_MATROSKA_HEAD];
    uint64_t size;
    (void)state;
    const size_t head = app_matroska_head(bytes, 8192, 8192, (struct engine_rate){60000, 1001});
    assert_true(head > 0 && head <= APP_MATROSKA_HEAD);
    const unsigned char *at = bytes;
    assert_int_equal(take_head(&at, &size), 0x1A45DFA3);
    at += size;
    assert_int_equal(take_head(&at, &size), 0x18538067);
    assert_true(size == ((uint64_t)1 << 56) - 1); /* it has no end */
    assert_int_equal(take_head(&at, &size), 0x1549A966);
    at += size;
    assert_int_equal(take_head(&at, &size), 0x1654AE6B);
    assert_ptr_equal(at + size, bytes + head);

    const uint64_t hours = (uint64_t)100 * 3600 * 1000 * 1000;
    const size_t block = app_matroska_block(bytes, APP_MATROSKA_PICTURE, hours, 1 << 28);
    assert_true(block <= APP_MATROSKA_BLOCK);
    at = bytes;
    assert_int_equal(take_head(&at, &size), 0x1F43B675);
    assert_int_equal(size, (size_t)(bytes + block - at) + (1 << 28));
    assert_int_equal(take_head(&at, &size), 0xE7);
    uint64_t time = 0;
    for (uint64_t i = 0; i < size; i++) {
        time = time << 8 | *at++;
    }
    assert_true(time == hours);
    assert_int_equal(take_head(&at, &size), 0xA3);
    assert_int_equal(size, 4 + (1 << 28));
    assert_int_equal(*at, 0x81);
    assert_ptr_equal(at + 4, bytes + block);
}

int main(void)
{
    char folder[] = "/tmp/test_app_share.XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_known_or_told),
        cmocka_unit_test(too_many_and_twice_are_told),
        cmocka_unit_test(nothing_is_shared_without_a_target),
        cmocka_unit_test(a_missing_device_is_told_once),
        cmocka_unit_test(pictures_come_in_any_size_and_format),
        cmocka_unit_test(pictures_of_the_same_size_stay_as_they_are),
        cmocka_unit_test(blocks_have_their_sizes_and_times),
    };
    const int result = cmocka_run_group_tests(tests, NULL, NULL);
    (void)chdir("/");
    (void)rmdir(folder);
    return result;
}
