#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/tweaks.h"
#include "presets/file.h"
#include "presets/presets.h"

enum { WIDTH = 16, HEIGHT = 16, SAMPLES = 735 };

static const char text[] = "[preset00]\nfDecay=0.9\nzoom=1\nnWaveMode=7\nbInvert=0\n";

struct stage {
    struct rend_patch *patch;
    struct rend_show *show;
    struct rend_config config;
    struct engine_tweaks tweaks;
    uint64_t frame;
};

static void take(struct stage *stage)
{
    const struct rend_change change = {.seconds = 0};
    struct rend_cue *cue =
        rend_cue_create(&stage->config, stage->patch, &change, &(struct rend_moment){0}, NULL);
    assert_non_null(cue);
    rend_show_take(stage->show, cue);
}

static void step(struct stage *stage)
{
    static const float silence[2 * SAMPLES];
    static uint32_t pixels[WIDTH * HEIGHT];
    const struct rend_input input = {.frame = ++stage->frame,
                                     .time = (double)stage->frame / 60,
                                     .fps = 60,
                                     .audio = silence,
                                     .audio_frames = SAMPLES};
    (void)rend_show_step(stage->show, &input, pixels, WIDTH);
    for (struct rend_cue *cue = rend_show_retired(stage->show); cue != NULL;
         cue = rend_show_retired(stage->show)) {
        rend_cue_free(cue);
    }
}

static int open_stage(void **state)
{
    static struct stage stage;
    struct preset preset;
    memset(&stage, 0, sizeof stage);
    stage.config =
        (struct rend_config){.width = WIDTH, .height = HEIGHT, .mesh_x = 2, .mesh_y = 2, .fps = 60};
    stage.show = rend_show_create(&stage.config);
    if (stage.show == NULL || preset_read(&preset, "p.milk", text, sizeof text - 1, NULL) != 0) {
        return -1;
    }
    stage.patch = rend_patch_create(&preset, NULL, NULL);
    preset_free(&preset);
    take(&stage);
    step(&stage);
    *state = &stage;
    return 0;
}

static int close_stage(void **state)
{
    struct stage *stage = *state;
    rend_show_free(stage->show);
    rend_patch_free(stage->patch);
    return 0;
}

static double value(const struct stage *stage, const char *key)
{
    const struct preset_key *row = preset_key_find(base_span_of(key));
    assert_non_null(row);
    return rend_value(rend_show_front(stage->show), (size_t)(row - preset_keys));
}

static bool set(struct stage *stage, const char *words)
{
    return engine_tweaks_set(&stage->tweaks, stage->show, words);
}

static bool undo(struct stage *stage)
{
    return engine_tweaks_undo(&stage->tweaks, stage->show);
}

static bool redo(struct stage *stage)
{
    return engine_tweaks_redo(&stage->tweaks, stage->show);
}

static bool adjust(struct stage *stage, unsigned command, double steps)
{
    const struct engine_call call = {.command = command, .number = steps};
    return engine_tweaks_adjust(&stage->tweaks, stage->show, &call);
}

#define ASSERT_NEAR(a, b) assert_true(fabs((a) - (b)) < 1e-6)

static void keys_adjust_values_within_their_range(void **state)
{
    struct stage *stage = *state;
    assert_true(adjust(stage, ENGINE_COMMAND_ADJUST_DECAY, -2));
    ASSERT_NEAR(value(stage, "fDecay"), 0.88);
    assert_true(adjust(stage, ENGINE_COMMAND_ADJUST_DECAY, 1000));
    ASSERT_NEAR(value(stage, "fDecay"), 1);
    assert_true(adjust(stage, ENGINE_COMMAND_ADJUST_ZOOM, 1));
    ASSERT_NEAR(value(stage, "zoom"), 1.01);
    assert_true(adjust(stage, ENGINE_COMMAND_ADJUST_WAVE, 1));
    assert_true(value(stage, "nWaveMode") == 0);
    assert_false(adjust(stage, ENGINE_COMMAND_NEXT, 1));
    assert_false(adjust(stage, ENGINE_COMMAND_NONE, 1));
}

static void what_is_set_is_what_runs(void **state)
{
    struct stage *stage = *state;
    assert_true(set(stage, "fDecay 0.5"));
    step(stage);
    ASSERT_NEAR(value(stage, "fDecay"), 0.5);
    assert_true(set(stage, "bInvert 1"));
    assert_true(value(stage, "bInvert") == 1);
}

static void hostile_texts_change_nothing(void **state)
{
    struct stage *stage = *state;
    char large[4000];
    static const char *const texts[] = {
        "",        " ",        "fDecay",        "fDecay ",       " 0.5",       "fDecay nan",
        "nokey 1", "fDecay x", "fDecay inf",    "fDecay -1e999", "fDecay 1 2", "fDecay 0.5x",
        "[pre] 1", "=1 1",     "per_frame_1 1", "\xFF\xFE 1",    "%s%n 1",     "fDecay\t0.5",
    };
    memset(large, 'f', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_false(set(stage, texts[i]));
    }
    assert_false(set(stage, large));
    large[10] = ' ';
    assert_false(set(stage, large));
    assert_int_equal(stage->tweaks.count, 0);
    ASSERT_NEAR(value(stage, "fDecay"), 0.9);
    assert_false(undo(stage) || redo(stage));
}

static void steps_are_taken_back_and_made_again(void **state)
{
    struct stage *stage = *state;
    assert_true(adjust(stage, ENGINE_COMMAND_ADJUST_DECAY, -1));
    assert_true(adjust(stage, ENGINE_COMMAND_ADJUST_DECAY, -1));
    assert_true(adjust(stage, ENGINE_COMMAND_ADJUST_ZOOM, 1));
    assert_true(undo(stage));
    ASSERT_NEAR(value(stage, "zoom"), 1);
    ASSERT_NEAR(value(stage, "fDecay"), 0.88);
    assert_true(undo(stage));
    ASSERT_NEAR(value(stage, "fDecay"), 0.89);
    assert_true(redo(stage) && redo(stage));
    assert_false(redo(stage));
    ASSERT_NEAR(value(stage, "fDecay"), 0.88);
    ASSERT_NEAR(value(stage, "zoom"), 1.01);
    assert_true(undo(stage) && undo(stage) && undo(stage));
    assert_false(undo(stage));
    ASSERT_NEAR(value(stage, "fDecay"), 0.9);
}

static void a_new_step_forgets_those_taken_back(void **state)
{
    struct stage *stage = *state;
    assert_true(adjust(stage, ENGINE_COMMAND_ADJUST_DECAY, -1));
    assert_true(undo(stage));
    assert_true(adjust(stage, ENGINE_COMMAND_ADJUST_ZOOM, 1));
    assert_false(redo(stage));
    assert_true(undo(stage));
    assert_false(undo(stage));
    ASSERT_NEAR(value(stage, "zoom"), 1);
}

static void a_dragged_slider_is_one_step(void **state)
{
    struct stage *stage = *state;
    char words[32];
    for (int i = 1; i <= 50; i++) {
        (void)snprintf(words, sizeof words, "fDecay %.3f", 0.9 - 0.01 * i);
        assert_true(set(stage, words));
    }
    assert_int_equal(stage->tweaks.count, 1);
    assert_true(set(stage, "zoom 2"));
    assert_true(set(stage, "fDecay 0.2"));
    assert_int_equal(stage->tweaks.count, 3);
    assert_true(undo(stage) && undo(stage));
    ASSERT_NEAR(value(stage, "fDecay"), 0.4);
    ASSERT_NEAR(value(stage, "zoom"), 1);
    assert_true(undo(stage));
    ASSERT_NEAR(value(stage, "fDecay"), 0.9);
    assert_true(redo(stage));
    ASSERT_NEAR(value(stage, "fDecay"), 0.4);
}

static void what_changes_nothing_is_no_step(void **state)
{
    struct stage *stage = *state;
    assert_true(set(stage, "nWaveMode 7"));
    assert_true(set(stage, "nWaveMode 7.2"));
    assert_int_equal(stage->tweaks.count, 0);
}

static void the_oldest_are_forgotten(void **state)
{
    struct stage *stage = *state;
    assert_true(set(stage, "zoom 2"));
    for (int i = 0; i < ENGINE_TWEAKS_DEPTH + 10; i++) {
        assert_true(adjust(stage, ENGINE_COMMAND_ADJUST_WAVE, 1));
    }
    int taken_back = 0;
    while (undo(stage)) {
        taken_back++;
    }
    assert_int_equal(taken_back, ENGINE_TWEAKS_DEPTH);
    ASSERT_NEAR(value(stage, "zoom"), 2);
    assert_true(value(stage, "nWaveMode") == (7 + 10) % 8);
}

static void another_version_gets_them_again(void **state)
{
    struct stage *stage = *state;
    assert_true(set(stage, "fDecay 0.5"));
    assert_true(set(stage, "zoom 3"));
    assert_true(undo(stage));
    take(stage);
    step(stage);
    ASSERT_NEAR(value(stage, "fDecay"), 0.9);
    engine_tweaks_again(&stage->tweaks, stage->show);
    ASSERT_NEAR(value(stage, "fDecay"), 0.5);
    ASSERT_NEAR(value(stage, "zoom"), 1);
    assert_true(redo(stage));
    ASSERT_NEAR(value(stage, "zoom"), 3);
    engine_tweaks_forget(&stage->tweaks);
    assert_false(undo(stage) || redo(stage));
    ASSERT_NEAR(value(stage, "zoom"), 3);
}

/* The player takes a version over and makes them again before its first step. */
static void a_version_that_has_not_begun_gets_them_too(void **state)
{
    struct stage *stage = *state;
    assert_true(set(stage, "fDecay 0.5"));
    take(stage);
    engine_tweaks_again(&stage->tweaks, stage->show);
    step(stage);
    ASSERT_NEAR(value(stage, "fDecay"), 0.5);
}

static void changed(const struct stage *stage, bool *rows, size_t *count)
{
    *count = 0;
    engine_tweaks_changed(&stage->tweaks, rows);
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        *count += rows[i];
    }
}

static void it_is_known_which_keys_were_changed(void **state)
{
    struct stage *stage = *state;
    bool rows[PRESET_KEY_ROWS];
    size_t count;
    const size_t zoom = (size_t)(preset_key_find(base_span_of("zoom")) - preset_keys);
    const size_t wave = (size_t)(preset_key_find(base_span_of("nWaveMode")) - preset_keys);
    changed(stage, rows, &count);
    assert_int_equal(count, 0);
    assert_true(set(stage, "zoom 2"));
    changed(stage, rows, &count);
    assert_true(count == 1 && rows[zoom]);
    assert_true(undo(stage));
    changed(stage, rows, &count);
    assert_int_equal(count, 0);
    assert_true(redo(stage));
    for (int i = 0; i < ENGINE_TWEAKS_DEPTH + 1; i++) {
        assert_true(adjust(stage, ENGINE_COMMAND_ADJUST_WAVE, 1));
    }
    changed(stage, rows, &count);
    assert_true(count == 2 && rows[zoom] && rows[wave]);
    engine_tweaks_forget(&stage->tweaks);
    changed(stage, rows, &count);
    assert_int_equal(count, 0);
}

static void before_the_first_preset_nothing_can_be_changed(void **state)
{
    (void)state;
    const struct rend_config config = {
        .width = WIDTH, .height = HEIGHT, .mesh_x = 2, .mesh_y = 2, .fps = 60};
    struct rend_show *show = rend_show_create(&config);
    struct engine_tweaks tweaks = {.count = 0};
    assert_non_null(show);
    assert_false(engine_tweaks_set(&tweaks, show, "zoom 2"));
    assert_false(engine_tweaks_adjust(
        &tweaks, show, &(struct engine_call){.command = ENGINE_COMMAND_ADJUST_ZOOM, .number = 1}));
    assert_false(engine_tweaks_undo(&tweaks, show) || engine_tweaks_redo(&tweaks, show));
    engine_tweaks_again(&tweaks, show);
    rend_show_free(show);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, open_stage, close_stage)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(keys_adjust_values_within_their_range),
        TEST(what_is_set_is_what_runs),
        TEST(hostile_texts_change_nothing),
        TEST(steps_are_taken_back_and_made_again),
        TEST(a_new_step_forgets_those_taken_back),
        TEST(a_dragged_slider_is_one_step),
        TEST(what_changes_nothing_is_no_step),
        TEST(the_oldest_are_forgotten),
        TEST(another_version_gets_them_again),
        TEST(a_version_that_has_not_begun_gets_them_too),
        TEST(it_is_known_which_keys_were_changed),
        cmocka_unit_test(before_the_first_preset_nothing_can_be_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
