#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "presets/presets.h"
#include "renderer/show.h"

enum { WIDTH = 80, HEIGHT = 60, FPS = 30, BLEND_FRAMES = 10, SAMPLES = 1470 };

/* The last one has shaders in both stages, which read blurred pictures. */
enum { PATCHES = 3 };
static const char *const names[PATCHES] = {"froth - Ember Tunnel", "froth - Tidal Glass",
                                           "froth - Corona"};

struct stage {
    struct rend_config config;
    struct rend_patch *patches[PATCHES];
    struct rend_show *show;
    uint32_t pixels[WIDTH * HEIGHT];
    uint64_t frame;
    size_t retired;
};

static struct rend_patch *load(const char *name)
{
    char path[512];
    struct preset preset;
    (void)snprintf(path, sizeof path, "%s/presets/originals/%s.milk", TEST_SOURCE, name);
    assert_int_equal(preset_read_file(&preset, path, NULL), 0);
    struct rend_patch *patch = rend_patch_create(&preset, NULL, NULL);
    assert_non_null(patch);
    preset_free(&preset);
    return patch;
}

static void open_stage(struct stage *stage, struct base_pool *pool, enum base_cpu_level cpu)
{
    memset(stage, 0, sizeof *stage);
    stage->config = (struct rend_config){.width = WIDTH,
                                         .height = HEIGHT,
                                         .mesh_x = 16,
                                         .mesh_y = 12,
                                         .fps = FPS,
                                         .cpu = cpu,
                                         .pool = pool};
    stage->show = rend_show_create(&stage->config);
    assert_non_null(stage->show);
    for (int i = 0; i < PATCHES; i++) {
        stage->patches[i] = load(names[i]);
    }
}

static void free_retired(struct stage *stage)
{
    struct rend_cue *cue = rend_show_retired(stage->show);
    for (; cue != NULL; cue = rend_show_retired(stage->show)) {
        rend_cue_free(cue);
        stage->retired++;
    }
}

static void close_stage(struct stage *stage)
{
    rend_show_end(stage->show);
    free_retired(stage);
    rend_show_free(stage->show);
    for (int i = 0; i < PATCHES; i++) {
        rend_patch_free(stage->patches[i]);
    }
}

static void cue(struct stage *stage, int patch, enum rend_transition transition, double seconds)
{
    const struct rend_change change = {
        .transition = transition, .seconds = seconds, .seed = 5, .user = stage->patches[patch]};
    const struct rend_moment moment = rend_show_moment(stage->show);
    struct rend_cue *cue =
        rend_cue_create(&stage->config, stage->patches[patch], &change, &moment, NULL);
    assert_non_null(cue);
    assert_ptr_equal(rend_cue_user(cue), stage->patches[patch]);
    rend_show_take(stage->show, cue);
}

static void pass(struct stage *stage, int frames, bool draws)
{
    static float samples[2 * SAMPLES];
    for (int i = 0; i < frames; i++) {
        stage->frame++;
        for (int k = 0; k < 2 * SAMPLES; k++) {
            const double t = (double)stage->frame * SAMPLES + k / 2.0;
            samples[k] = (float)(0.5 * sin(t * 0.03) + 0.3 * sin(t * 0.21));
        }
        const struct rend_input input = {.frame = stage->frame,
                                         .time = (double)stage->frame / FPS,
                                         .fps = FPS,
                                         .audio = samples,
                                         .audio_frames = SAMPLES};
        if (draws) {
            (void)rend_show_step(stage->show, &input, stage->pixels, WIDTH);
        } else {
            rend_show_hear(stage->show, &input);
        }
    }
    free_retired(stage);
}

static void step(struct stage *stage, int frames)
{
    pass(stage, frames, true);
}

/* Mean difference of two pictures, in all channels. */
static double difference(const uint32_t *a, const uint32_t *b)
{
    double sum = 0;
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
        for (int shift = 0; shift < 24; shift += 8) {
            sum += abs((int)(a[i] >> shift & 255) - (int)(b[i] >> shift & 255));
        }
    }
    return sum / (3.0 * WIDTH * HEIGHT);
}

static void nothing_is_black(void **state)
{
    (void)state;
    static struct stage stage;
    static const uint32_t black[WIDTH * HEIGHT];
    open_stage(&stage, NULL, BASE_CPU_PLAIN);
    memset(stage.pixels, 1, sizeof stage.pixels);
    step(&stage, 1);
    assert_memory_equal(stage.pixels, black, sizeof black);
    assert_null(rend_show_front(stage.show));
    close_stage(&stage);
}

/* A soft change goes from one picture to the other without a jump, takes its time, and retires the
 * old preset; a hard one does so at once. */
static void changes_end(void **state)
{
    (void)state;
    static struct stage stage;
    static uint32_t before[WIDTH * HEIGHT];
    for (int t = 0; t < REND_TRANSITIONS; t++) {
        open_stage(&stage, NULL, base_cpu_best());
        cue(&stage, 0, REND_TRANSITION_fade, 0);
        step(&stage, 30);
        assert_false(rend_show_changes(stage.show));
        cue(&stage, 1, (enum rend_transition)t, (double)BLEND_FRAMES / FPS);
        double jump = 0;
        for (int i = 0; i < BLEND_FRAMES; i++) {
            memcpy(before, stage.pixels, sizeof before);
            step(&stage, 1);
            const double moved = difference(before, stage.pixels);
            jump = moved > jump ? moved : jump;
            assert_int_equal(stage.retired, i == BLEND_FRAMES - 1 ? 1 : 0);
            assert_int_equal(rend_show_changes(stage.show), i < BLEND_FRAMES - 1);
        }
        assert_true(jump < 30);
        cue(&stage, 0, REND_TRANSITION_fade, 0);
        step(&stage, 1);
        assert_int_equal(stage.retired, 2);
        close_stage(&stage);
        assert_int_equal(stage.retired, 3);
    }
}

/* A show that stands still hears as one that moves, in the middle of a transition as well, and its
 * picture stays. */
static void hearing_needs_no_picture(void **state)
{
    (void)state;
    static struct stage stages[2];
    static uint32_t before[WIDTH * HEIGHT];
    for (int i = 0; i < 2; i++) {
        struct stage *stage = &stages[i];
        open_stage(stage, NULL, base_cpu_best());
        pass(stage, 1, false);
        stage->frame = 0;
        cue(stage, 0, REND_TRANSITION_fade, 0);
        step(stage, 30);
        cue(stage, 1, REND_TRANSITION_fade, 2);
        step(stage, 10);
        memcpy(before, stage->pixels, sizeof before);
        pass(stage, 50, i == 0);
        if (i > 0) {
            assert_memory_equal(stage->pixels, before, sizeof before);
            assert_null(rend_show_retired(stage->show));
        }
    }
    const struct rend_heard a = rend_heard(rend_show_front(stages[0].show));
    const struct rend_heard b = rend_heard(rend_show_front(stages[1].show));
    assert_memory_equal(a.level, b.level, sizeof a.level);
    assert_memory_equal(a.level_att, b.level_att, sizeof a.level_att);
    assert_true(a.level[0] != 1);
    close_stage(&stages[0]);
    close_stage(&stages[1]);
}

/* What comes in the middle of a change begins from the picture as it stands. */
static void changes_are_interrupted(void **state)
{
    (void)state;
    static struct stage stage;
    static uint32_t before[WIDTH * HEIGHT];
    open_stage(&stage, NULL, base_cpu_best());
    cue(&stage, 0, REND_TRANSITION_fade, 0);
    step(&stage, 30);
    cue(&stage, 1, REND_TRANSITION_wipe, 1);
    step(&stage, 15);
    memcpy(before, stage.pixels, sizeof before);
    cue(&stage, 0, REND_TRANSITION_fade, 1);
    step(&stage, 1);
    assert_true(difference(before, stage.pixels) < 15);
    assert_int_equal(stage.retired, 2);
    memcpy(before, stage.pixels, sizeof before);
    step(&stage, 1);
    assert_true(difference(before, stage.pixels) < 3);
    cue(&stage, 1, REND_TRANSITION_wipe, 1);
    cue(&stage, 1, REND_TRANSITION_wipe, 0);
    step(&stage, 1);
    assert_false(rend_show_changes(stage.show));
    assert_int_equal(stage.retired, 4);
    close_stage(&stage);
}

/* Same bytes for any number of threads and any level of the processor, with shaders and without. */
static void pictures_are_the_same_everywhere(void **state)
{
    (void)state;
    static struct stage stage;
    static const int divisors[REND_SHADER_STAGES] = {1, 3};
    static const int order[] = {1, 2, 0, 2};
    enum { CHANGES = sizeof order / sizeof *order };
    static uint32_t first[CHANGES][WIDTH * HEIGHT];
    for (size_t threads = 1; threads <= 3; threads++) {
        struct base_pool *pool = base_pool_create(threads);
        open_stage(&stage, pool, threads == 1 ? BASE_CPU_PLAIN : base_cpu_best());
        rend_show_set_divisors(stage.show, divisors);
        cue(&stage, 0, REND_TRANSITION_fade, 0);
        step(&stage, 10);
        for (int i = 0; i < CHANGES; i++) {
            /* The third one begins within the second. */
            cue(&stage, order[i], REND_TRANSITION_plasma, 0.5);
            step(&stage, i == 1 ? 7 : 20);
            if (threads == 1) {
                memcpy(first[i], stage.pixels, sizeof first[i]);
            }
            assert_memory_equal(first[i], stage.pixels, sizeof first[i]);
        }
        close_stage(&stage);
        base_pool_destroy(pool);
    }
}

static struct rend_patch *patch_of(const char *text)
{
    struct preset preset;
    assert_int_equal(preset_read(&preset, "test.milk", text, strlen(text), NULL), 0);
    struct rend_patch *patch = rend_patch_create(&preset, NULL, NULL);
    assert_non_null(patch);
    preset_free(&preset);
    return patch;
}

/* What comes first has MilkDrop's random numbers, what comes later does not begin with them again.
 */
static void chance_goes_on(void **state)
{
    (void)state;
    static struct stage stage;
    struct rend_variable_view found[3];
    open_stage(&stage, NULL, base_cpu_best());
    rend_patch_free(stage.patches[0]);
    stage.patches[0] = patch_of("per_frame_init_1=a=rand(1);\n");
    for (int i = 0; i < 3; i++) {
        cue(&stage, 0, REND_TRANSITION_fade, 0);
        step(&stage, 5);
        assert_true(rend_variables(rend_show_front(stage.show), &found[i], 1) > 0);
        assert_string_equal(found[i].name, "a");
    }
    assert_true(fabs(found[0].value - 978073627u / 4294967295.0) < 1e-12);
    assert_true(fabs(found[1].value - found[0].value) > 1e-3);
    assert_true(fabs(found[2].value - found[1].value) > 1e-3);
    close_stage(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_black),
        cmocka_unit_test(changes_end),
        cmocka_unit_test(changes_are_interrupted),
        cmocka_unit_test(hearing_needs_no_picture),
        cmocka_unit_test(pictures_are_the_same_everywhere),
        cmocka_unit_test(chance_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
