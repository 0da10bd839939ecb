#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "app/apart/apart.h"
#include "app/check/check.h"
#include "app/io/picture.h"

struct bytes {
    char data[4096];
    size_t size;
};

/* What the child would send, by way of a real pipe. */
static struct bytes sent(enum app_check_status status, const char *const *messages, size_t count)
{
    struct bytes bytes = {.size = 0};
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    for (size_t i = 0; i < count; i++) {
        app_check_send_message(ends[1], messages[i]);
    }
    const struct app_check_figures figures = {
        .load_ms = 2.5, .frame_ms = 0.25, .board = {.fps = 21.5, .bandwidth = 3}, .frozen = true};
    app_check_send_outcome(ends[1], status, &figures);
    (void)close(ends[1]);
    const ssize_t got = read(ends[0], bytes.data, sizeof bytes.data);
    assert_true(got > 0);
    bytes.size = (size_t)got;
    (void)close(ends[0]);
    return bytes;
}

static struct app_check_row row_of(const struct bytes *bytes, size_t size,
                                   enum app_supervise_how how, int code)
{
    /* A copy of just that size, so that a read beyond it is noticed. */
    char *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes->data, size);
    struct app_check_row row = {.path = "a.milk"};
    const struct app_supervise_end end = {how, code, copy, size};
    app_check_row_read(&row, &end, 7);
    free(copy);
    return row;
}

static const char *const two_messages[] = {"first", "a.milk:1:2: error: second; hint"};

static void whole_records(void **state)
{
    (void)state;
    for (int status = APP_CHECK_OK; status <= APP_CHECK_ERROR; status++) {
        const struct bytes bytes = sent((enum app_check_status)status, two_messages, 2);
        struct app_check_row row = row_of(&bytes, bytes.size, APP_SUPERVISE_EXITED, 0);
        assert_int_equal(row.status, status);
        assert_string_equal(row.path, "a.milk");
        assert_int_equal(row.message_count, 2);
        assert_string_equal(row.messages[0], two_messages[0]);
        assert_string_equal(row.messages[1], two_messages[1]);
        assert_true(row.figures.load_ms == 2.5 && row.figures.frame_ms == 0.25);
        assert_true(row.figures.board.fps == 21.5 && row.figures.board.bandwidth == 3);
        assert_false(row.figures.black);
        assert_true(row.figures.frozen);
        app_check_row_free(&row);
    }
}

static void ends_other_than_well(void **state)
{
    (void)state;
    static const struct {
        enum app_supervise_how how;
        int code;
        enum app_check_status status;
        const char *message;
    } cases[] = {
        {APP_SUPERVISE_EXITED, 3, APP_CHECK_CRASH, "ended with exit code 3"},
        {APP_SUPERVISE_SIGNALLED, SIGSEGV, APP_CHECK_CRASH, "ended by signal 11"},
        {APP_SUPERVISE_TIMED_OUT, SIGKILL, APP_CHECK_TIMEOUT, "stopped after 7 s"},
        {APP_SUPERVISE_NOT_STARTED, 11, APP_CHECK_ERROR, "no process could be started"},
    };
    const struct bytes bytes = sent(APP_CHECK_OK, two_messages, 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct app_check_row row = row_of(&bytes, bytes.size, cases[i].how, cases[i].code);
        assert_int_equal(row.status, cases[i].status);
        assert_int_equal(row.message_count, 2);
        assert_string_equal(row.messages[0], "first");
        assert_memory_equal(row.messages[1], cases[i].message, strlen(cases[i].message));
        assert_true(row.figures.load_ms == 0);
        app_check_row_free(&row);
    }
}

static void cut_anywhere(void **state)
{
    (void)state;
    const struct bytes bytes = sent(APP_CHECK_OK, two_messages, 2);
    for (size_t size = 0; size < bytes.size; size++) {
        struct app_check_row row = row_of(&bytes, size, APP_SUPERVISE_EXITED, 0);
        assert_int_equal(row.status, APP_CHECK_CRASH);
        assert_true(row.message_count >= 1);
        app_check_row_free(&row);
    }
}

static void garbage(void **state)
{
    (void)state;
    const struct bytes good = sent(APP_CHECK_OK, two_messages, 2);
    for (size_t at = 0; at < good.size; at++) {
        static const unsigned char values[] = {0x00, 0x7F, 0x80, 0xFF};
        for (size_t i = 0; i < sizeof values; i++) {
            struct bytes bytes = good;
            bytes.data[at] = (char)values[i];
            struct app_check_row row = row_of(&bytes, bytes.size, APP_SUPERVISE_EXITED, 0);
            assert_true(row.status < APP_CHECK_STATUS_COUNT);
            app_check_row_free(&row);
        }
    }
    struct bytes noise = {.size = sizeof noise.data};
    memset(noise.data, 0xFF, sizeof noise.data);
    struct app_check_row row = row_of(&noise, noise.size, APP_SUPERVISE_EXITED, 0);
    assert_int_equal(row.status, APP_CHECK_CRASH);
    app_check_row_free(&row);
}

enum { PIXELS = 10000 };

static void black_pictures(void **state)
{
    (void)state;
    static const struct {
        size_t lit;
        uint32_t colour;
        uint32_t ground;
        bool black;
    } cases[] = {
        {0, 0, 0x000000, true},          {9, 0x0000FF, 0x000000, true},
        {10, 0x000011, 0x000000, false}, {10, 0x101010, 0x000000, true},
        {0, 0, 0x010000, false},         {0, 0, 0x000100, false},
        {0, 0, 0x000001, false},         {PIXELS - 1, 0x010101, 0x000000, true},
    };
    uint32_t *pixels = malloc(PIXELS * sizeof *pixels);
    assert_non_null(pixels);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (size_t at = 0; at < PIXELS; at++) {
            pixels[at] = at < cases[i].lit ? cases[i].colour : cases[i].ground;
        }
        assert_int_equal(app_picture_is_black(pixels, PIXELS), cases[i].black);
    }
    free(pixels);
}

static void watching(void **state)
{
    (void)state;
    uint32_t dark[64] = {0};
    uint32_t grey[64];
    memset(grey, 0x40, sizeof grey);
    struct app_check_watch watch = {0};
    app_check_watch_picture(&watch, dark, 64);
    app_check_watch_picture(&watch, dark, 64);
    assert_true(watch.pictures == 2 && !watch.seen && !watch.changed);
    app_check_watch_picture(&watch, grey, 64);
    app_check_watch_picture(&watch, dark, 64);
    assert_true(watch.seen && watch.changed);
}

static void looking_longer(void **state)
{
    (void)state;
    const struct app_check_settings settings = {.frames = 30, .time_limit = 10};
    const struct app_check_watch decided = {.seen = true, .changed = true};
    const struct app_check_watch dark = {.changed = true};
    const struct app_check_watch still = {.seen = true};
    assert_true(app_check_goes_on(&decided, &settings, 30, 9));
    assert_false(app_check_goes_on(&decided, &settings, 31, 0));
    assert_true(app_check_goes_on(&dark, &settings, 400, 4.9));
    assert_true(app_check_goes_on(&still, &settings, 400, 4.9));
    assert_false(app_check_goes_on(&dark, &settings, 401, 0));
    assert_false(app_check_goes_on(&still, &settings, 31, 5.1));
}

static void expect_text(void (*print)(FILE *out), const char *expected)
{
    char *written = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&written, &size);
    assert_non_null(out);
    print(out);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(written, expected);
    free(written);
}

static char message_a[] = "x.milk:3:1: error: odd; do";
static char message_b[] = "bell \a and \"quotes\"";
static char *messages[] = {message_a, message_b};
static const struct app_check_row degraded = {
    .path = "x\xE9.milk",
    .status = APP_CHECK_DEGRADED,
    .figures = {.load_ms = 1.25, .frame_ms = 10.5, .black = true, .frozen = true},
    .messages = messages,
    .message_count = 2,
};
static const struct app_check_row fine = {.path = "y.milk"};

static void print_text(FILE *out)
{
    struct app_check_summary summary = {0};
    app_check_print_row(out, &degraded, false);
    app_check_print_row(out, &fine, false);
    app_check_summary_add(&summary, &degraded);
    app_check_summary_add(&summary, &fine);
    app_check_print_summary(out, &summary);
}

static const struct app_check_row refused = {
    .path = "z.milk",
    .status = APP_CHECK_REFUSED,
    .figures = {.load_ms = 3,
                .frame_ms = 7,
                .board = {.fps = 23.5, .pfpu_cycles = 5, .texel_hits = 0.5}},
    .messages = messages,
    .message_count = 1,
};

static void print_board(FILE *out)
{
    struct app_check_summary summary = {.board = true};
    app_check_print_heading(out, true);
    app_check_print_row(out, &refused, true);
    app_check_summary_add(&summary, &refused);
    app_check_print_summary(out, &summary);
    app_check_json_row(out, &refused, true, true);
    app_check_json_summary(out, &summary);
}

static void board_reports(void **state)
{
    (void)state;
    expect_text(print_board,
                "status         fps   load_ms  flags         preset\n"
                "refused      23.50      3.00  -             z.milk\n"
                "    x.milk:3:1: error: odd; do\n"
                "1 preset: 0 ok, 0 degraded, 1 refused, 0 error, 0 timeout, 0 crash; "
                "0 black, 0 frozen\n"
                "{\"preset\": \"z.milk\", \"status\": \"refused\", \"messages\": "
                "[\"x.milk:3:1: error: odd; do\"], \"load_ms\": 3.000, \"cpu_equations\": false, "
                "\"board_fps\": 23.500, "
                "\"pfpu_cycles\": 5.000, \"tmu_cycles\": 0.000, \"cpu_cycles\": 0.000, "
                "\"texel_hits_percent\": 50.000, \"occupancy_percent\": 0.000, "
                "\"bandwidth\": 0.000, "
                "\"black\": false, \"frozen\": false}\n"
                "{\"summary\": {\"presets\": 1, \"ok\": 0, \"degraded\": 0, \"refused\": 1, "
                "\"error\": 0, \"timeout\": 0, \"crash\": 0, \"black\": 0, \"frozen\": 0}}\n");
}

static void print_json(FILE *out)
{
    struct app_check_summary summary = {0};
    app_check_json_row(out, &degraded, false, true);
    app_check_json_row(out, &fine, false, true);
    app_check_summary_add(&summary, &degraded);
    app_check_summary_add(&summary, &fine);
    app_check_json_summary(out, &summary);
}

static void reports(void **state)
{
    (void)state;
    expect_text(print_text,
                "degraded     10.50      1.25  black,frozen  x\xE9.milk\n"
                "    x.milk:3:1: error: odd; do\n"
                "    bell ? and \"quotes\"\n"
                "ok            0.00      0.00  -             y.milk\n"
                "2 presets: 1 ok, 1 degraded, 0 error, 0 timeout, 0 crash; 1 black, 1 frozen\n");
    expect_text(
        print_json,
        "{\"preset\": \"x\xEF\xBF\xBD.milk\", \"status\": \"degraded\", \"messages\": "
        "[\"x.milk:3:1: error: odd; do\", \"bell \\u0007 and \\\"quotes\\\"\"], "
        "\"load_ms\": 1.250, \"frame_ms\": 10.500, \"black\": true, \"frozen\": true}\n"
        "{\"preset\": \"y.milk\", \"status\": \"ok\", \"messages\": [], \"load_ms\": 0.000, "
        "\"frame_ms\": 0.000, \"black\": false, \"frozen\": false}\n"
        "{\"summary\": {\"presets\": 2, \"ok\": 1, \"degraded\": 1, \"error\": 0, "
        "\"timeout\": 0, \"crash\": 0, \"black\": 1, \"frozen\": 1}}\n");
}

int main(void)
{
    (void)app_apart_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_records),  cmocka_unit_test(ends_other_than_well),
        cmocka_unit_test(cut_anywhere),   cmocka_unit_test(garbage),
        cmocka_unit_test(black_pictures), cmocka_unit_test(watching),
        cmocka_unit_test(looking_longer), cmocka_unit_test(reports),
        cmocka_unit_test(board_reports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
