#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/apart/apart.h"
#include "board/twin/system.h"
#include "board/twin/units.h"
#include "app/lab/mapper/machines.h"
#include "app/board/estimate.h"
#include "presets/library/find.h"
#include "presets/presets.h"

enum { MESH_MAX = 200 };

static struct app_board_estimate twin_of_text(const char *text, const struct tmu_mesh *mesh)
{
    struct preset preset;
    struct app_board_estimate estimate;
    assert_int_equal(preset_read(&preset, "test.milk", text, strlen(text), NULL), 0);
    memset(&estimate, 0x55, sizeof estimate);
    app_board_estimate_make(&estimate, &preset, mesh);
    preset_free(&preset);
    return estimate;
}

static enum app_board_seen seen(const struct preset *preset)
{
    struct app_board_look *look = app_board_look_create(preset);
    assert_non_null(look);
    enum app_board_seen answer = APP_BOARD_UNSURE;
    for (int i = 0; i < 120; i++) {
        assert_true(answer != APP_BOARD_BLACK);
        answer = app_board_look_step(look);
    }
    assert_int_equal(app_board_look_step(look), answer);
    app_board_look_free(look);
    return answer;
}

static enum app_board_seen seen_of(const char *text)
{
    struct preset preset;
    assert_int_equal(preset_read(&preset, "test.milk", text, strlen(text), NULL), 0);
    const enum app_board_seen answer = seen(&preset);
    preset_free(&preset);
    return answer;
}

static void assert_sound(const struct app_board_estimate *estimate)
{
    assert_true(estimate->fits && estimate->whole == (estimate->why[0] == '\0'));
    assert_true(estimate->frame_words >= 0 && estimate->frame_words < estimate->words_max);
    assert_true(estimate->vertex_words > 0 && estimate->vertex_words < estimate->words_max);
    assert_true(estimate->registers > 0 && estimate->registers <= estimate->registers_max);
    assert_true(estimate->cycles_per_vertex >= estimate->vertex_words + 6);
    assert_true(estimate->cycles_per_frame >= 33 * 33 * estimate->cycles_per_vertex);
    assert_true(estimate->slots_filled > 0 && estimate->slots_filled <= 1);
    assert_true(estimate->hits >= 0 && estimate->hits <= 1);
    assert_true(estimate->bandwidth > 292e6 && estimate->bandwidth < 80e6 * 64);
    assert_true(estimate->occupancy > 0 && estimate->occupancy <= 1);
    assert_true(estimate->fps > 1 && estimate->fps < 200);
    const double rate = fmin(estimate->fps, 24);
    const double cycles[] = {estimate->cycles_per_frame, estimate->mapper_cycles,
                             estimate->processor_cycles};
    for (int i = 0; i < 3; i++) {
        assert_true(estimate->busy[i] > 0 && estimate->busy[i] <= 1);
        assert_true(fabs(estimate->busy[i] / rate * 80e6 / cycles[i] - 1) < 1e-9);
    }
}

static struct tmu_mesh zoomed(struct tmu_vertex *vertices, int columns, int rows, float times)
{
    for (int j = 0; j <= rows; j++) {
        for (int i = 0; i <= columns; i++) {
            const float x = (float)i / (float)columns;
            const float y = 1 - (float)j / (float)rows;
            vertices[j * (columns + 1) + i] = (struct tmu_vertex){x * times, y * times};
        }
    }
    return (struct tmu_mesh){vertices, columns, rows};
}

static void originals_fit(void **state)
{
    (void)state;
    static const char *const names[] = {"Ember Tunnel", "Tidal Glass", "Julia Voltage", "Corona"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[512];
        struct preset preset;
        struct app_board_estimate estimate;
        (void)snprintf(path, sizeof path, TEST_SOURCE "/presets/originals/froth - %s.milk",
                       names[i]);
        assert_int_equal(preset_read_file(&preset, path, NULL), 0);
        app_board_estimate_make(&estimate, &preset, NULL);
        preset_free(&preset);
        assert_sound(&estimate);
        assert_int_equal(estimate.words_max, 2048);
        assert_int_equal(estimate.registers_max, 128);
    }
}

/* The mesh decides what the cache meets, whatever its size; pictures that shrink cost more. */
static void meshes_are_mixed(void **state)
{
    (void)state;
    static struct tmu_vertex vertices[MESH_MAX * MESH_MAX];
    static const int sizes[][2] = {{1, 1}, {32, 32}, {48, 36}, {192, 144}, {7, 3}};
    const struct app_board_estimate rest = twin_of_text("zoom=1\n", NULL);
    const struct tmu_mesh far = zoomed(vertices, 48, 36, 3);
    const struct app_board_estimate shrunk = twin_of_text("zoom=1\n", &far);
    assert_sound(&rest);
    assert_sound(&shrunk);
    assert_true(shrunk.fps < rest.fps && shrunk.hits < rest.hits);
    assert_true(shrunk.bandwidth / shrunk.fps > rest.bandwidth / rest.fps);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct tmu_mesh mesh = zoomed(vertices, sizes[i][0], sizes[i][1], 1);
        const struct app_board_estimate estimate = twin_of_text("zoom=1\n", &mesh);
        assert_true(fabs(estimate.fps / rest.fps - 1) < 0.05);
        assert_true(fabs(estimate.hits - rest.hits) < 0.02);
    }
}

static void echo_and_drawing_cost(void **state)
{
    (void)state;
    const struct app_board_estimate plain = twin_of_text("fWaveAlpha=0\n", NULL);
    const struct app_board_estimate echo =
        twin_of_text("fWaveAlpha=0\nfVideoEchoAlpha=0.5\n", NULL);
    const struct app_board_estimate drawn =
        twin_of_text("nWaveMode=3\nbWaveThick=1\nob_a=1\nob_size=0.1\nmv_a=1\nmv_l=4\n", NULL);
    const struct app_board_estimate hidden =
        twin_of_text("nWaveMode=3\nfWaveAlpha=0\nob_size=0.1\n", NULL);
    assert_sound(&plain);
    assert_sound(&echo);
    assert_sound(&drawn);
    assert_true(echo.fps < 0.8 * plain.fps);
    assert_true(drawn.processor_cycles > 2 * plain.processor_cycles);
    assert_true(hidden.processor_cycles == plain.processor_cycles);
}

/* The model with every pixel of a frame, as `froth lab cache` has it, but at 80 MHz. */
static struct tmu_sim_report whole_frame(const struct tmu_mesh *mesh, float echo, double fps)
{
    struct app_cache_bench *bench = calloc(1, sizeof *bench);
    struct app_cache_runs *runs = calloc(1, sizeof *runs);
    const struct rend_mapping mapping = {
        .mesh = *mesh, .wrap = true, .echo_alpha = echo, .echo_zoom = 1.5f, .echo_orient = 1};
    assert_true(bench != NULL && runs != NULL);
    assert_true(app_cache_size_add(bench, APP_CACHE_OWN_SIZE));
    assert_int_equal(app_cache_machine_add(bench, "milkymist_one", true, NULL), 0);
    const double screen = bench->machines[0].background_bytes_per_second;
    assert_true(board_twin_tmu_arch(&bench->machines[0]));
    bench->machines[0].background_bytes_per_second = screen;
    assert_int_equal(app_cache_bench_start(bench, NULL), 0);
    app_cache_runs_frame(runs, &mapping, 0);
    app_cache_bench_feed(bench, runs, NULL);
    const struct tmu_sim_report report =
        tmu_sim_report(app_cache_model_of(bench, 0, 0)->sim, 1 / fps);
    app_cache_bench_free(bench);
    free(bench);
    free(runs);
    return report;
}

/* Rows that are left out change little. */
static void the_whole_model_agrees(void **state)
{
    (void)state;
    static struct tmu_vertex vertices[33 * 33];
    static const char *const texts[] = {"fWaveAlpha=0\n",
                                        "fWaveAlpha=0\nfVideoEchoAlpha=0.5\nfVideoEchoZoom=1.5\n"
                                        "nVideoEchoOrientation=1\n"};
    for (int i = 0; i < 6; i++) {
        const int echo = i % 2;
        const struct tmu_mesh mesh = zoomed(vertices, 32, 32, 0.7f + 0.4f * (float)(i / 2));
        const struct app_board_estimate estimate = twin_of_text(texts[echo], &mesh);
        const struct tmu_sim_report whole =
            whole_frame(&mesh, echo ? 0.5f : 0, fmin(estimate.fps, 24));
        assert_true(fabs(estimate.hits - whole.hit_rate) < 0.001);
        assert_true(fabs(estimate.bandwidth / (8 * whole.bandwidth) - 1) < 0.06);
        /* The processor's own lines, of which the model knows nothing. */
        const double own = 49000 * fmin(estimate.fps, 24) / BOARD_TWIN_CLOCK;
        assert_true(fabs((estimate.occupancy - own) / whole.occupancy - 1) < 0.02);
        const double runs = BOARD_TWIN_TMU_FLUSH * (2 + echo);
        assert_true(fabs((estimate.mapper_cycles - runs) / (double)whole.cycles - 1) < 0.02);
    }
}

/* A long program makes the coprocessor the slowest. */
static void long_programs_take_longer(void **state)
{
    (void)state;
    char text[4096] = "per_pixel_1=";
    for (int i = 0; i < 40; i++) {
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "a=sin(a+x*%d)*sqrt(y+%d);",
                       i + 1, i);
    }
    (void)snprintf(text + strlen(text), sizeof text - strlen(text), "zoom=zoom+a*0.01;\n");
    const struct app_board_estimate estimate = twin_of_text(text, NULL);
    assert_sound(&estimate);
    assert_true(fabs(estimate.cycles_per_frame * estimate.fps / 80e6 - 1) < 1e-9 &&
                estimate.vertex_words > 500);
    const struct app_board_estimate frame =
        twin_of_text("per_frame_1=zoom=1+sqrt(bass/sqrt(mid/time));\n", NULL);
    const struct app_board_estimate none = twin_of_text("zoom=1\n", NULL);
    assert_true(frame.frame_words > none.frame_words);
}

static void what_does_not_fit_says_why(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *why;
    } cases[] = {
        {"zoom=1\nper_pixel_1=zoom=;\n", "line 2"},
        {"per_frame_1=zoom=(1;\n", "line 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct app_board_estimate estimate = twin_of_text(cases[i].text, NULL);
        assert_false(estimate.fits);
        if (strstr(estimate.why, cases[i].why) == NULL) {
            fail_msg("'%s' does not name %s", estimate.why, cases[i].why);
        }
        assert_true(estimate.vertex_words == 0 && estimate.fps == 0 && estimate.words_max == 2048);
    }
}

/* What the panel says is what `froth check --target milkymist-one` says: fits or not, whole or not,
 * black or not. */
static void answers_are_those_of_check(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *why; /* NULL: whole */
        enum app_board_seen seen;
    } cases[] = {
        {"nWaveMode=2\nfWaveAlpha=1\nwave_r=1\n", NULL, APP_BOARD_LIT},
        {"nWaveMode=2\nfWaveAlpha=0\n", NULL, APP_BOARD_BLACK},
        {"nWaveMode=0\nfWaveAlpha=1\n", NULL, APP_BOARD_LIT},
        {"fWaveAlpha=0\nwavecode_0_enabled=1\nshapecode_0_enabled=1\n", NULL, APP_BOARD_LIT},
        {"fWaveAlpha=0\nshapecode_0_enabled=1\nshapecode_0_textured=1\nwavecode_0_enabled=1\n"
         "wavecode_0_bSpectrum=1\n",
         "textured custom shapes as upright squares", APP_BOARD_LIT},
        {"nWaveMode=2\nfWaveAlpha=1\nbInvert=1\n", "inverted", APP_BOARD_LIT},
        {"nWaveMode=2\nfWaveAlpha=1\nper_pixel_1=zoom=megabuf(x);\n", "lacks megabuf",
         APP_BOARD_LIT},
        {"nWaveMode=2\nfWaveAlpha=1\nper_pixel_1=zoom=zoom+rand(3)*x;\n", NULL, APP_BOARD_LIT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct app_board_estimate estimate = twin_of_text(cases[i].text, NULL);
        assert_true(estimate.fits);
        assert_int_equal(estimate.whole, cases[i].why == NULL);
        assert_int_equal(estimate.why[0] == '\0', cases[i].why == NULL);
        if (cases[i].why != NULL && strstr(estimate.why, cases[i].why) == NULL) {
            fail_msg("'%s' does not name %s", estimate.why, cases[i].why);
        }
        assert_int_equal(seen_of(cases[i].text), cases[i].seen);
    }
}

static void aurora_engine_is_black(void **state)
{
    (void)state;
    struct preset preset;
    struct app_board_estimate estimate;
    assert_int_equal(preset_read_file(&preset,
                                      TEST_SOURCE "/presets/originals/froth - Aurora Engine.milk",
                                      NULL),
                     0);
    app_board_estimate_make(&estimate, &preset, NULL);
    assert_true(estimate.fits && !estimate.whole);
    assert_non_null(strstr(estimate.why, "warp shader"));
    assert_non_null(strstr(estimate.why, "composite shader"));
    assert_int_equal(seen(&preset), APP_BOARD_BLACK);
    preset_free(&preset);
}

/* As long as a block can be. */
static void endless_programs_are_left_out(void **state)
{
    (void)state;
    static char text[200000];
    static const char *const pieces[] = {"rot=sin(rot)/x;", "zoom=zoom^x+y;", "a=a*x+y;rot=rot+a;"};
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        size_t used = 0;
        for (int i = 1; used < 60000; i++) {
            used += (size_t)snprintf(text + used, sizeof text - used, "per_pixel_%d=%s\n", i,
                                     pieces[k]);
        }
        const struct app_board_estimate estimate = twin_of_text(text, NULL);
        assert_true(!estimate.whole && estimate.why[0] != '\0');
    }
}

static void meshes_of_any_values(void **state)
{
    (void)state;
    static const float values[] = {NAN, INFINITY, -INFINITY, 1e38f, -1e38f, 1e4f, -3.7f, 0};
    struct tmu_vertex vertices[4 * 4];
    const size_t count = sizeof values / sizeof *values;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < 16; k++) {
            vertices[k] = (struct tmu_vertex){values[(i + k) % count], values[(i + 3 * k) % count]};
        }
        const struct tmu_mesh mesh = {vertices, 3, 3};
        const struct app_board_estimate estimate =
            twin_of_text("fVideoEchoAlpha=1e30\nfVideoEchoZoom=-1e-30\nnVideoEchoOrientation=-7\n"
                         "ob_size=1e38\nob_a=1\nib_size=-1e38\nib_a=2\nmv_a=1\nmv_l=1e38\n"
                         "nMotionVectorsX=1e38\nnWaveMode=4\nfWaveAlpha=1e38\n",
                         &mesh);
        assert_sound(&estimate);
    }
}

/* Of a patch whose picture is found beside it: as the twin has it, within a tenth. */
static double mapper_cycles_of(const char *alpha)
{
    static const char path[] = TEST_SOURCE "/tests/fuzz/corpus/fuzz_board_picture/a.fnp";
    struct preset preset;
    struct app_board_estimate estimate;
    char text[160];
    (void)snprintf(text, sizeof text,
                   "imagefile1=large.png\nper_frame: image1_a=%s image1_zoom=0.5", alpha);
    assert_int_equal(preset_read(&preset, path, text, strlen(text), NULL), 0);
    app_board_estimate_make(&estimate, &preset, NULL);
    preset_free(&preset);
    assert_true(estimate.fits && estimate.whole);
    return estimate.mapper_cycles;
}

static void pictures_of_patches_cost(void **state)
{
    (void)state;
    const double more = mapper_cycles_of("0.3") - mapper_cycles_of("0");
    assert_in_range((int)more, 682000, 834000);
}

int main(void)
{
    (void)app_apart_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(originals_fit),
        cmocka_unit_test(meshes_are_mixed),
        cmocka_unit_test(echo_and_drawing_cost),
        cmocka_unit_test(the_whole_model_agrees),
        cmocka_unit_test(long_programs_take_longer),
        cmocka_unit_test(what_does_not_fit_says_why),
        cmocka_unit_test(endless_programs_are_left_out),
        cmocka_unit_test(meshes_of_any_values),
        cmocka_unit_test(answers_are_those_of_check),
        cmocka_unit_test(aurora_engine_is_black),
        cmocka_unit_test(pictures_of_patches_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
