#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/bench/bench.h"
#include "presets/presets.h"

static void sizes_become_cases(void **state)
{
    (void)state;
    struct app_bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    assert_int_equal(app_bench_add_sizes(bench, "16x17,640x480", 4, NULL), 0);
    assert_int_equal(app_bench_add_sizes(bench, "8192x8192", 1, NULL), 0);
    static const struct app_bench_case expected[] = {
        {16, 17, 1}, {16, 17, 4}, {640, 480, 1}, {640, 480, 4}, {8192, 8192, 1}};
    assert_int_equal(bench->case_count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(bench->cases[i].width, expected[i].width);
        assert_int_equal(bench->cases[i].height, expected[i].height);
        assert_int_equal(bench->cases[i].threads, expected[i].threads);
    }
    free(bench);
}

static void wrong_sizes_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",         "x",      "16",     "16x",     "x16",
                                        "16x16,",   ",16x16", "15x16",  "16x8193", "00016x16",
                                        "16x16x16", " 16x16", "16 x16", "16X16"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct app_bench *bench = calloc(1, sizeof *bench);
        struct base_diag_list messages = {0};
        const struct base_diag_sink sink = base_diag_list_sink(&messages);
        assert_non_null(bench);
        assert_int_equal(app_bench_add_sizes(bench, wrong[i], 2, &sink), -1);
        assert_int_equal(messages.by_severity[BASE_ERROR], 1);
        free(bench);
    }
}

static void there_is_an_end_of_sizes(void **state)
{
    (void)state;
    for (size_t threads = 1; threads <= 2; threads++) {
        struct app_bench *bench = calloc(1, sizeof *bench);
        assert_non_null(bench);
        for (int i = 0; i < APP_BENCH_SIZES_MAX; i++) {
            assert_int_equal(app_bench_add_sizes(bench, "16x16", threads, NULL), 0);
        }
        assert_int_equal(app_bench_add_sizes(bench, "16x16", threads, NULL), -1);
        assert_int_equal(bench->case_count, APP_BENCH_SIZES_MAX * threads);
        free(bench);
    }
}

/* A bench as it stands after measuring presets whose times are made up. */
struct made {
    struct app_bench bench;
    struct app_time values[APP_BENCH_SERIES_MAX * 8];
    const char *paths[8];
};

static struct made *make(size_t presets)
{
    static const char *const paths[] = {"a/one", "b/two", "three", "four", "five"};
    static const double cpu[] = {0.004, 0.001, 0.009, 0.002, 0.003};
    struct made *made = calloc(1, sizeof *made);
    assert_non_null(made);
    assert_int_equal(app_bench_add_sizes(&made->bench, "64x48,80x60", 2, NULL), 0);
    made->bench.frames = 7;
    made->bench.values = made->values;
    made->bench.paths = made->paths;
    made->bench.capacity = 8;
    made->bench.presets = presets;
    for (size_t k = 0; k < presets; k++) {
        made->paths[k] = paths[k];
        for (size_t i = 0; i < app_bench_series_count(&made->bench); i++) {
            made->values[i * 8 + k] =
                (struct app_time){cpu[k] * (double)(i + 1), 1 - cpu[k] * (double)(i + 1)};
        }
    }
    return made;
}

static void figures_are_median_and_worst(void **state)
{
    (void)state;
    struct made *made = make(5);
    const struct app_bench_figures first = app_bench_figures(&made->bench, 0);
    assert_true(first.median.cpu == 0.003 && first.worst.cpu == 0.009);
    assert_true(first.median.wall == 1 - 0.003 && first.worst.wall == 1 - 0.009);
    assert_string_equal(first.worst_path, "three");
    const struct app_bench_figures second = app_bench_figures(&made->bench, 1);
    assert_true(second.median.cpu == 0.003 * 2);
    free(made);
    made = make(1);
    assert_true(app_bench_figures(&made->bench, 0).median.cpu == 0.004);
    free(made);
}

static void series_have_names(void **state)
{
    (void)state;
    struct made *made = make(1);
    assert_int_equal(app_bench_series_count(&made->bench), 1 + 4 * APP_BENCH_ROWS);
    assert_string_equal(app_bench_series(&made->bench, 0).name, "load");
    assert_int_equal(app_bench_series(&made->bench, 0).of.threads, 0);
    const size_t last = 4 * APP_BENCH_ROWS;
    assert_string_equal(app_bench_series(&made->bench, last).name, "composite");
    assert_int_equal(app_bench_series(&made->bench, last).of.width, 80);
    assert_int_equal(app_bench_series(&made->bench, last).of.threads, 2);
    assert_string_equal(app_bench_series(&made->bench, 1).name, "frame");
    assert_false(app_bench_series(&made->bench, 1).inner);
    assert_true(app_bench_series(&made->bench, 2 + REND_STAGE_WAVES).inner);
    free(made);
}

static void slower_is_more_than_a_tenth(void **state)
{
    (void)state;
    assert_false(app_bench_slower(0.001, 0.001));
    assert_false(app_bench_slower(0.001, 0.00109));
    assert_true(app_bench_slower(0.001, 0.00111));
    assert_false(app_bench_slower(1e-6, 2e-6)); /* below what the clocks tell */
    assert_false(app_bench_slower(NAN, 0.001));
    assert_true(isnan(app_bench_ratio(NAN, 1)));
    assert_true(isnan(app_bench_ratio(0, 1)));
    assert_true(app_bench_ratio(0.5, 1) == 2);
}

/* Writes to a file of its own; the caller removes it. */
static void write_text(char path[static 32], const char *text, size_t size)
{
    (void)strcpy(path, "/tmp/froth_bench_XXXXXX");
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, text, size), size);
    assert_int_equal(close(descriptor), 0);
}

static int read_text(struct app_bench_before *before, const struct app_bench *bench,
                     const char *text, size_t size, struct base_diag_list *messages)
{
    char path[32];
    *messages = (struct base_diag_list){0};
    const struct base_diag_sink sink = base_diag_list_sink(messages);
    write_text(path, text, size);
    const int result = app_bench_read(before, bench, path, &sink);
    app_bench_warn(before, bench, path, &sink);
    assert_int_equal(unlink(path), 0);
    return result;
}

static void what_is_printed_can_be_read(void **state)
{
    (void)state;
    struct made *made = make(5);
    struct app_bench_before *before = calloc(1, sizeof *before);
    struct base_diag_list messages;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_true(before != NULL && out != NULL);
    app_bench_print_json(&made->bench, NULL, out);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(read_text(before, &made->bench, text, size, &messages), 0);
    assert_int_equal(messages.count, 0);
    for (size_t i = 0; i < app_bench_series_count(&made->bench); i++) {
        const struct app_bench_figures figures = app_bench_figures(&made->bench, i);
        assert_true(fabs(before->median[i] - figures.median.cpu) < 1e-9);
        assert_true(fabs(before->worst[i] - figures.worst.cpu) < 1e-9);
    }
    made->bench.presets = 4; /* others, and another number of frames */
    made->bench.frames = 8;
    assert_int_equal(read_text(before, &made->bench, text, size, &messages), 0);
    assert_int_equal(messages.by_severity[BASE_WARNING], 2);
    for (size_t cut = 0; cut < size; cut += 37) { /* cut anywhere: no harm */
        const int result = read_text(before, &made->bench, text, cut, &messages);
        assert_true(result == 0 || messages.by_severity[BASE_ERROR] > 0);
    }
    free(text);
    free(before);
    free(made);
}

static void odd_files_are_refused_or_give_no_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int result;
    } cases[] = {
        {"", -1},
        {"{}\n", -1},
        {"null\n", -1},
        {"{\"froth\":\"0\"}\n{\"stage\":\"none\"}\n", -1},
        {"{\"stage\":\"load\",\"median_us\":1}\n", -1},
        {"{\"froth\":\"0\"}\n{\"stage\":{\"a\":1}}\n", -1},
        {"{\"froth\":\"0\"}\n{\"stage\":\"load\",\"median_us\":-1,\"worst_us\":\"x\"}\n", 0},
        {"{\"froth\":[]}\n{\"stage\":\"load\",\"threads\":99999999999999999999}\n", 0},
        {"{\"froth\":\"0\",\"set\":[1],\"cpu\":{},\"frames\":{}}\n{\"stage\":\"load\"}\n", 0},
    };
    struct made *made = make(2);
    struct app_bench_before *before = calloc(1, sizeof *before);
    struct base_diag_list messages;
    assert_non_null(before);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(
            read_text(before, &made->bench, cases[i].text, strlen(cases[i].text), &messages),
            cases[i].result);
        assert_true(isnan(before->worst[0]));
    }
    free(before);
    free(made);
}

static void stages_lie_within_the_frame(void **state)
{
    (void)state;
    enum { SIDE = 64, FRAMES = 5 };
    static const char text[] = "[preset00]\nshapecode_0_enabled=1\nper_pixel_1=rot=rad;\n";
    static float sound[2 * 735];
    static uint32_t pixels[SIDE * SIDE];
    static struct app_stage_times times;
    struct preset preset;
    assert_int_equal(preset_read(&preset, "x.milk", text, sizeof text - 1, NULL), 0);
    struct rend_patch *patch = rend_patch_create(&preset, NULL, NULL);
    app_stage_times_begin(&times);
    struct rend *rend = rend_create(&(struct rend_config){.width = SIDE,
                                                          .height = SIDE,
                                                          .mesh_x = 8,
                                                          .mesh_y = 8,
                                                          .fps = 60,
                                                          .observer = &times.observer});
    assert_true(patch != NULL && rend != NULL);
    assert_int_equal(rend_load(rend, patch, 0, NULL), 0);
    for (unsigned i = 1; i <= FRAMES; i++) {
        const struct rend_input input = {
            .frame = i, .time = i / 60.0, .fps = 60, .audio = sound, .audio_frames = 735};
        (void)app_stage_times_step(&times, rend, &input, pixels, SIDE);
    }
    double sum = 0;
    for (int i = 0; i < REND_STAGES; i++) {
        const enum rend_stage stage = (enum rend_stage)i;
        sum += app_stage_within(stage) == stage ? times.stages[i].cpu : 0;
    }
    assert_int_equal(times.frames, FRAMES);
    assert_true(times.stages[REND_STAGE_SHAPES].cpu <= times.stages[REND_STAGE_OVERLAY].cpu + 1e-4);
    assert_true(sum > 0 && sum <= times.frame.cpu + 1e-4);
    app_stage_times_clear(&times);
    assert_true(times.frames == 0 && times.frame.cpu == 0 && times.stages[0].cpu == 0);
    rend_free(rend);
    rend_patch_free(patch);
    preset_free(&preset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_become_cases),
        cmocka_unit_test(wrong_sizes_are_refused),
        cmocka_unit_test(there_is_an_end_of_sizes),
        cmocka_unit_test(figures_are_median_and_worst),
        cmocka_unit_test(series_have_names),
        cmocka_unit_test(slower_is_more_than_a_tenth),
        cmocka_unit_test(what_is_printed_can_be_read),
        cmocka_unit_test(odd_files_are_refused_or_give_no_numbers),
        cmocka_unit_test(stages_lie_within_the_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
