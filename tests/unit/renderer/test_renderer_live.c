/* Values that change while a preset runs, and what the operator sees of its variables. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu.h"
#include "renderer/show.h"
#include "presets/presets.h"

/* Wide enough for thick waves. */
enum { WIDTH = 512, HEIGHT = 64, FPS = 30, SAMPLES = 1470, FRAMES = 4, SCENES = 2 };

/* All that the rows of keys.def draw, once without and once with shaders. */
#define SCENE                                                                                      \
    "MILKDROP_PRESET_VERSION=201\n[preset00]\nfVideoEchoAlpha=0.4\nfVideoEchoZoom=1.3\n"           \
    "fGammaAdj=1.2\nfShader=0.3\nfDecay=0.94\nzoom=0.97\nrot=0.03\nfZoomExponent=1.1\n"            \
    "ob_size=0.03\nob_r=0.6\nob_a=0.7\nib_size=0.03\nib_g=0.5\nib_a=0.8\nmv_a=0.9\nmv_l=2\n"       \
    "mv_r=0.3\nmv_g=0.4\nmv_b=0.5\nfWaveAlpha=0.9\nwave_r=0.2\nwave_g=0.5\nwave_b=0.4\n"           \
    "bModWaveAlphaByVolume=1\nfModWaveAlphaStart=-4\nfModWaveAlphaEnd=9\n"                         \
    "per_frame_init_1=n=5;\nper_frame_1=rot=rot+0.01*sin(n);n=n+1;q3=zoom;\n"                      \
    "per_pixel_1=zoom=zoom+0.05*rad;\nshapecode_0_enabled=1\nshapecode_0_sides=30\n"               \
    "shapecode_0_rad=0.25\nwavecode_0_enabled=1\nwave_0_per_point1=x=sample;y=0.7+value1*0.4;\n"
static const char *const scenes[SCENES] = {
    SCENE "PSVERSION_WARP=0\nPSVERSION_COMP=0\n",
    SCENE "PSVERSION_WARP=0\nPSVERSION_COMP=2\ncomp_1=`shader_body {\n"
          "comp_2=`ret = GetPixel(uv)+0.3*GetBlur1(uv)+0.3*GetBlur2(uv)+0.3*GetBlur3(uv);\n"
          "comp_3=`}\n",
};

struct stage {
    struct rend *rend;
    struct rend_patch *patch;
    uint64_t frame;
    uint32_t pixels[WIDTH * HEIGHT];
};

static struct rend_config config = {
    .width = WIDTH, .height = HEIGHT, .mesh_x = 16, .mesh_y = 12, .fps = FPS};

static size_t key_of(const char *name)
{
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        if (strcmp(preset_keys[i].key, name) == 0) {
            return i;
        }
    }
    fail_msg("no key %s", name);
    return 0;
}

static struct rend_patch *compile(const char *text)
{
    struct preset preset;
    assert_int_equal(preset_read(&preset, "test.milk", text, strlen(text), NULL), 0);
    struct rend_patch *patch = rend_patch_create(&preset, NULL, NULL);
    assert_non_null(patch);
    assert_int_equal(rend_patch_status(patch), REND_PATCH_OK);
    preset_free(&preset);
    return patch;
}

static void open_stage(struct stage *stage, const char *text)
{
    *stage = (struct stage){.rend = rend_create(&config), .patch = compile(text)};
    assert_non_null(stage->rend);
    assert_int_equal(rend_load(stage->rend, stage->patch, 0, NULL), 0);
}

static void close_stage(struct stage *stage)
{
    rend_free(stage->rend);
    rend_patch_free(stage->patch);
}

static struct rend_input input_of(uint64_t frame, float samples[2 * SAMPLES])
{
    for (int k = 0; k < 2 * SAMPLES; k++) {
        const double t = (double)frame * SAMPLES + k / 2.0;
        samples[k] = (float)(0.5 * sin(t * 0.03) + 0.3 * sin(t * 0.21 + k % 2));
    }
    return (struct rend_input){.frame = frame,
                               .time = (double)frame / FPS,
                               .fps = FPS,
                               .audio = samples,
                               .audio_frames = SAMPLES};
}

static void step(struct stage *stage, int frames)
{
    static float samples[2 * SAMPLES];
    for (int i = 0; i < frames; i++) {
        const struct rend_input input = input_of(++stage->frame, samples);
        (void)rend_step(stage->rend, &input, stage->pixels, WIDTH);
    }
}

static double other_value(const struct preset_key *key, double value)
{
    switch (key->type) {
    case PRESET_TYPE_IS_FLOAT:
        return (double)(float)(value * 0.5 + 0.13);
    case PRESET_TYPE_IS_INT:
        return value + 2;
    case PRESET_TYPE_IS_SWITCH:
        return 1 - value;
    }
    return 0;
}

/* The picture of a file with the value and of a rend with the value set. Returns whether it is
 * another than that of the file as it is, which is drawn already. */
static bool same_as_file(const char *scene, const struct stage *plain, size_t key)
{
    static struct stage file;
    static struct stage live;
    char text[2048];
    const double value = other_value(&preset_keys[key], rend_value(plain->rend, key));
    (void)snprintf(text, sizeof text, "%s=%.9g\n%s", preset_keys[key].key, value, scene);
    open_stage(&file, text);
    open_stage(&live, scene);
    assert_true(rend_set_value(live.rend, key, value));
    assert_true(rend_value(live.rend, key) == value && rend_value(file.rend, key) == value);
    step(&file, FRAMES);
    step(&live, FRAMES);
    if (memcmp(file.pixels, live.pixels, sizeof file.pixels) != 0) {
        fail_msg("%s: the picture is not the file's", preset_keys[key].key);
    }
    const bool seen = memcmp(live.pixels, plain->pixels, sizeof live.pixels) != 0;
    close_stage(&file);
    close_stage(&live);
    return seen;
}

static bool is_drawn(const char *key)
{
    static const char *const others[] = {"fRating", "bRedBlueStereo", "bMotionVectorsOn"};
    bool drawn = true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        drawn = drawn && strcmp(key, others[i]) != 0;
    }
    return drawn;
}

static void a_value_set_is_a_value_read(void **state)
{
    (void)state;
    static struct stage plain[SCENES];
    for (int s = 0; s < SCENES; s++) {
        open_stage(&plain[s], scenes[s]);
        step(&plain[s], FRAMES);
    }
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        if (preset_keys[i].group == PRESET_GROUP_PRESET) {
            bool seen = false;
            for (int s = 0; s < SCENES; s++) {
                seen = same_as_file(scenes[s], &plain[s], i) || seen;
            }
            if (seen != is_drawn(preset_keys[i].key)) {
                fail_msg("%s: %s", preset_keys[i].key, seen ? "is drawn" : "is not drawn");
            }
        }
    }
    for (int s = 0; s < SCENES; s++) {
        close_stage(&plain[s]);
    }
}

/* In the middle of a run the new value is found by the equations, whose variables go on. */
static void variables_go_on(void **state)
{
    (void)state;
    static struct stage stage;
    struct rend_variable_view view;
    open_stage(&stage, scenes[0]);
    step(&stage, 3);
    const size_t count = rend_variables(stage.rend, &view, 1);
    assert_true(count > 40);
    assert_string_equal(view.name, "n");
    assert_true(view.value == 8);
    assert_true(rend_set_value(stage.rend, key_of("zoom"), 1.25));
    step(&stage, 1);
    struct rend_variable_view views[200];
    assert_int_equal(rend_variables(stage.rend, views, 200), count);
    assert_true(views[0].value == 9);
    assert_string_equal(views[count - 30].name, "q3");
    assert_true(views[count - 30].value == 1.25);
    close_stage(&stage);
}

/* The patch is as it was: another rend, or the same one loaded again, finds the file's values. */
static void the_patch_stays(void **state)
{
    (void)state;
    static struct stage first;
    static struct stage second;
    const size_t key = key_of("fDecay");
    open_stage(&first, scenes[0]);
    assert_true(rend_set_value(first.rend, key, 0.5));
    open_stage(&second, scenes[0]);
    assert_int_equal(rend_load(second.rend, first.patch, 0, NULL), 0);
    assert_true(rend_value(second.rend, key) == (double)0.94f);
    assert_int_equal(rend_load(first.rend, first.patch, 0, NULL), 0);
    assert_true(rend_value(first.rend, key) == (double)0.94f);
    step(&first, FRAMES);
    step(&second, FRAMES);
    assert_memory_equal(first.pixels, second.pixels, sizeof first.pixels);
    close_stage(&second);
    close_stage(&first);
}

static void values_are_limited(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        double given;
        double kept;
    } rows[] = {
        {"zoom", INFINITY, (double)FLT_MAX},
        {"zoom", -1e300, -(double)FLT_MAX},
        {"zoom", 0.1, (double)0.1f},
        {"nWaveMode", 2.6, 3},
        {"nWaveMode", -2.6, -3},
        {"nWaveMode", 1e99, INT32_MAX},
        {"nWaveMode", -INFINITY, INT32_MIN},
        {"bTexWrap", 0.4, 0},
        {"bTexWrap", 0.6, 1},
        {"bTexWrap", -7, 1},
        {"bTexWrap", INFINITY, 1},
    };
    static struct stage stage;
    open_stage(&stage, scenes[0]);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t key = key_of(rows[i].key);
        assert_true(rend_set_value(stage.rend, key, rows[i].given));
        assert_true(rend_value(stage.rend, key) == rows[i].kept);
        step(&stage, 1);
        assert_false(rend_set_value(stage.rend, key, NAN));
        assert_true(rend_value(stage.rend, key) == rows[i].kept);
    }
    assert_false(rend_set_value(stage.rend, key_of("samples"), 3));
    assert_false(rend_set_value(stage.rend, key_of("tex_zoom"), 3));
    assert_false(rend_set_value(stage.rend, PRESET_KEY_ROWS, 3));
    assert_true(rend_value(stage.rend, key_of("samples")) == 0);
    assert_true(rend_value(stage.rend, SIZE_MAX) == 0);
    close_stage(&stage);
}

static void without_a_patch_there_is_nothing(void **state)
{
    (void)state;
    struct rend_variable_view view = {"none", 1};
    struct rend *rend = rend_create(&config);
    assert_false(rend_set_value(rend, key_of("zoom"), 3));
    assert_true(rend_value(rend, key_of("zoom")) == 0);
    assert_int_equal(rend_variables(rend, &view, 1), 0);
    assert_string_equal(view.name, "none");
    rend_free(rend);
}

static void variables_have_an_order(void **state)
{
    (void)state;
    static struct stage stage;
    struct rend_variable_view views[200];
    open_stage(&stage, "[preset00]\nzoom=1.5\n"
                       "per_frame_1=Mine=7;a_name_longer_than_twenty_three=1/3;beat_now=4;\n"
                       "per_frame_2=monitor=9;q32=mine*2;zoom=zoom+1;\n");
    step(&stage, 1);
    const size_t count = rend_variables(stage.rend, views, 200);
    static const struct rend_variable_view first[] = {
        {"mine", 7},     {"a_name_longer_than_twen", 1.0 / 3},
        {"beat_now", 4}, {"beat_phase", 0},
        {"beat_bpm", 0}, {"monitor", 9},
        {"gamma", 2},
    };
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        assert_string_equal(views[i].name, first[i].name);
        assert_true(views[i].value == first[i].value);
    }
    bool zoom = false;
    for (size_t i = 0; i < count; i++) {
        zoom = zoom || (strcmp(views[i].name, "zoom") == 0 && views[i].value == 2.5);
    }
    assert_true(zoom);
    assert_string_equal(views[count - 1].name, "q32");
    assert_true(views[count - 1].value == 14);
    assert_int_equal(rend_variables(stage.rend, NULL, 0), count);
    close_stage(&stage);
}

static struct rend_cue *cue_of(const struct rend_show *show, const struct rend_patch *patch,
                               double seconds)
{
    const struct rend_change change = {.seconds = seconds};
    const struct rend_moment moment = rend_show_moment(show);
    struct rend_cue *cue = rend_cue_create(&config, patch, &change, &moment, NULL);
    assert_non_null(cue);
    return cue;
}

static void show_step(struct rend_show *show, uint64_t frame)
{
    static float samples[2 * SAMPLES];
    static uint32_t pixels[WIDTH * HEIGHT];
    const struct rend_input input = input_of(frame, samples);
    (void)rend_show_step(show, &input, pixels, WIDTH);
}

/* During a transition what comes is changed, what leaves stays. */
static void a_show_changes_what_comes(void **state)
{
    (void)state;
    const size_t key = key_of("rot");
    struct rend_patch *old = compile("[preset00]\nrot=0.5\n");
    struct rend_patch *new = compile("[preset00]\nrot=0.25\n");
    struct rend_show *show = rend_show_create(&config);
    assert_false(rend_show_set_value(show, key, 1));
    rend_show_take(show, cue_of(show, old, 0));
    assert_false(rend_show_set_value(show, key, 1));
    show_step(show, 1);
    const struct rend *leaves = rend_show_front(show);
    rend_show_take(show, cue_of(show, new, 1));
    show_step(show, 2);
    assert_true(rend_show_changes(show));
    assert_true(rend_show_set_value(show, key, 0.75));
    assert_true(rend_value(rend_show_front(show), key) == 0.75);
    assert_true(rend_value(leaves, key) == 0.5);
    rend_show_end(show);
    rend_show_free(show);
    rend_patch_free(old);
    rend_patch_free(new);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_set_is_a_value_read),
        cmocka_unit_test(variables_go_on),
        cmocka_unit_test(the_patch_stays),
        cmocka_unit_test(values_are_limited),
        cmocka_unit_test(without_a_patch_there_is_nothing),
        cmocka_unit_test(variables_have_an_order),
        cmocka_unit_test(a_show_changes_what_comes),
    };
    config.cpu = base_cpu_best();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
