#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/lab/mapper/machines.h"

enum { SIDE = 512, CELLS = APP_CACHE_CELLS, TURN = SIDE * 64 };

/* What a run asks for. */
struct asked {
    uint64_t pixels;
    uint64_t requests;
    uint32_t outside; /* pixels whose texel is not at (wanted_x, wanted_y) of their place */
    int step_x;
    int step_y;
    int reads_target;
};

static void asked_begin(void *user, const struct tmu_trace_run *run)
{
    struct asked *asked = user;
    asked->reads_target = run->reads_target;
}

static void asked_row(void *user, const struct tmu_trace_row *row)
{
    struct asked *asked = user;
    for (size_t i = 0; i < row->count; i++) {
        const struct tmu_fragment *fragment = &row->fragments[i];
        const int x = row->x + (int)i;
        const int right = fragment->fx != 0;
        const int below = fragment->fy != 0;
        asked->pixels++;
        asked->requests += (uint64_t)(1 + right) * (uint64_t)(1 + below);
        const int wanted_x = asked->step_x > 0 ? x : SIDE - x;
        const int wanted_y = asked->step_y > 0 ? row->y : SIDE - row->y;
        asked->outside += fragment->x != wanted_x || fragment->y != wanted_y;
    }
}

static void asked_end(void *user)
{
    (void)user;
}

static struct asked ask(const struct app_cache_run *run)
{
    struct asked asked = {.step_x = 1, .step_y = 1};
    const struct tmu_trace_sink sink = {&asked, asked_begin, asked_row, asked_end};
    board_mapper_trace(&run->registers, run->vertices, &sink);
    return asked;
}

static void sets_ask_for_what_the_thesis_counted(void **state)
{
    static const struct {
        const char *name;
        uint64_t requests;
    } sets[] = {{"copy", 262144}, {"zoomin", 921600}, {"zoomout", 589824}, {"rotozoom", 1030142}};
    struct app_cache_runs *runs = *state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        app_cache_runs_set(runs, sets[i].name);
        assert_int_equal(runs->count, 1);
        const struct asked asked = ask(&runs->runs[0]);
        assert_int_equal(asked.pixels, SIDE * SIDE);
        assert_int_equal(asked.requests, sets[i].requests);
        assert_int_equal(asked.reads_target, 0);
    }
}

/* The mesh of a picture at rest, moved. */
static struct rend_mapping mapping_at_rest(struct tmu_vertex *vertices, float du, float dv)
{
    for (int j = 0; j <= CELLS; j++) {
        for (int i = 0; i <= CELLS; i++) {
            vertices[j * (CELLS + 1) + i] =
                (struct tmu_vertex){(float)i / CELLS + du, 1 - (float)j / CELLS + dv};
        }
    }
    return (struct rend_mapping){.mesh = {vertices, CELLS, CELLS}, .wrap = true, .echo_zoom = 1};
}

static void a_frame_at_rest_copies_and_scales(void **state)
{
    struct app_cache_runs *runs = *state;
    struct tmu_vertex vertices[(CELLS + 1) * (CELLS + 1)];
    struct rend_mapping mapping = mapping_at_rest(vertices, 0, 0);
    app_cache_runs_frame(runs, &mapping, 1);
    assert_int_equal(runs->count, 2);
    const struct asked warp = ask(&runs->runs[0]);
    assert_int_equal(warp.pixels, SIDE * SIDE);
    assert_int_equal(warp.outside, 0);
    const struct asked scale = ask(&runs->runs[1]);
    assert_int_equal(scale.pixels, APP_CACHE_SCREEN_WIDTH * APP_CACHE_SCREEN_HEIGHT);
    assert_int_equal(scale.reads_target, 0);
    assert_int_equal(runs->runs[0].registers.dstfbuf, runs->runs[1].registers.texfbuf);
    assert_int_not_equal(runs->runs[0].registers.texfbuf, runs->runs[0].registers.dstfbuf);
}

static void the_mesh_is_turned_over(void **state)
{
    struct app_cache_runs *runs = *state;
    struct tmu_vertex vertices[(CELLS + 1) * (CELLS + 1)];
    struct rend_mapping mapping = mapping_at_rest(vertices, 0, 0);
    vertices[0] = (struct tmu_vertex){-0.25f, 2.5f};
    vertices[CELLS * (CELLS + 1) + CELLS] = (struct tmu_vertex){1e4f, -1e4f};
    mapping.wrap = false;
    app_cache_runs_frame(runs, &mapping, 2);
    const struct board_mapper_vertex *chip = runs->runs[0].vertices;
    assert_int_equal(chip[CELLS * BOARD_MAPPER_PITCH].x, -TURN / 4);
    assert_int_equal(chip[CELLS * BOARD_MAPPER_PITCH].y, TURN * 5 / 2);
    assert_int_equal(chip[CELLS].x, 10000 * TURN);
    assert_int_equal(chip[CELLS].y, -10000 * TURN);
    assert_int_equal(chip[BOARD_MAPPER_PITCH + 2].x, 2 * 1024);
    assert_int_equal(chip[BOARD_MAPPER_PITCH + 2].y, 1024);
    assert_int_equal(runs->runs[0].registers.texhmask, 0x3ffff);
}

static void frames_take_turns_with_the_buffers(void **state)
{
    struct app_cache_runs *runs = *state;
    struct tmu_vertex vertices[(CELLS + 1) * (CELLS + 1)];
    const struct rend_mapping mapping = mapping_at_rest(vertices, 0, 0);
    int32_t from[7];
    int32_t screen[7];
    for (int frame = 1; frame < 7; frame++) {
        app_cache_runs_frame(runs, &mapping, (uint64_t)frame);
        from[frame] = runs->runs[0].registers.texfbuf;
        screen[frame] = runs->runs[1].registers.dstfbuf;
        assert_int_equal(screen[frame] % 32, 0);
        if (frame > 1) {
            assert_int_not_equal(from[frame], from[frame - 1]);
            assert_int_not_equal(screen[frame], screen[frame - 1]);
        }
    }
    assert_int_equal(screen[4], screen[1]);
}

static void the_echo_is_a_third_run(void **state)
{
    static const struct {
        float alpha;
        float zoom;
        int orient;
        size_t runs;
        int32_t alpha_register;
        struct board_mapper_vertex first; /* upper left corner */
        struct board_mapper_vertex last;
    } cases[] = {
        {0, 2, 0, 2, 0, {0, 0}, {0, 0}},
        {1.0f / 64, 2, 0, 2, 0, {0, 0}, {0, 0}},
        {0.5f, 2, 0, 3, 31, {8192, 8192}, {24576, 24576}},
        {0.5f, 2, 1, 3, 31, {24576, 8192}, {8192, 24576}},
        {0.5f, 2, 2, 3, 31, {8192, 24576}, {24576, 8192}},
        {0.5f, 1, 3, 3, 31, {32768, 32768}, {0, 0}},
        {7, 1, 0, 3, 63, {0, 0}, {32768, 32768}},
        {0.5f, 0, 0, 2, 0, {0, 0}, {0, 0}},
        {NAN, 2, 0, 2, 0, {0, 0}, {0, 0}},
        {0.5f, NAN, 0, 2, 0, {0, 0}, {0, 0}},
        {-1, 2, 0, 2, 0, {0, 0}, {0, 0}},
    };
    struct app_cache_runs *runs = *state;
    struct tmu_vertex vertices[(CELLS + 1) * (CELLS + 1)];
    struct rend_mapping mapping = mapping_at_rest(vertices, 0, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mapping.echo_alpha = cases[i].alpha;
        mapping.echo_zoom = cases[i].zoom;
        mapping.echo_orient = cases[i].orient;
        app_cache_runs_frame(runs, &mapping, 1);
        assert_int_equal(runs->count, cases[i].runs);
        if (runs->count == 3) {
            const struct app_cache_run *echo = &runs->runs[2];
            assert_int_equal(echo->registers.alpha, cases[i].alpha_register);
            assert_memory_equal(&echo->vertices[0], &cases[i].first, sizeof cases[i].first);
            assert_memory_equal(&echo->vertices[BOARD_MAPPER_PITCH + 1], &cases[i].last,
                                sizeof cases[i].last);
            assert_int_equal(ask(echo).reads_target, cases[i].alpha_register != 63);
        }
    }
}

static void a_preset_gives_the_same_runs_each_time(void **state)
{
    static const char path[] = TEST_DATA "/presets/plain.milk";
    struct app_cache_runs *runs = *state;
    struct app_cache_runs *again = malloc(sizeof *again);
    struct app_cache_preset *one = app_cache_preset_open(path, "demo", NULL, NULL);
    struct app_cache_preset *other = app_cache_preset_open(path, "demo", NULL, NULL);
    assert_non_null(again);
    assert_non_null(one);
    assert_non_null(other);
    memset(runs, 0, sizeof *runs);
    memset(again, 0, sizeof *again);
    for (int frame = 0; frame < 4; frame++) {
        app_cache_preset_next(one, runs);
        app_cache_preset_next(other, again);
        assert_true(runs->count >= 2);
        assert_memory_equal(runs, again, sizeof *runs);
    }
    app_cache_preset_close(one);
    app_cache_preset_close(other);
    free(again);

    struct base_diag_list diags = {.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&diags);
    assert_null(app_cache_preset_open(TEST_DATA "/presets/none.milk", "demo", NULL, &sink));
    assert_null(app_cache_preset_open(path, TEST_DATA "/none.wav", NULL, &sink));
    assert_int_equal(diags.by_severity[BASE_ERROR], 2);
}

static int set_up(void **state)
{
    *state = malloc(sizeof(struct app_cache_runs));
    return *state == NULL;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_ask_for_what_the_thesis_counted),
        cmocka_unit_test(a_frame_at_rest_copies_and_scales),
        cmocka_unit_test(the_mesh_is_turned_over),
        cmocka_unit_test(frames_take_turns_with_the_buffers),
        cmocka_unit_test(the_echo_is_a_third_run),
        cmocka_unit_test(a_preset_gives_the_same_runs_each_time),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
