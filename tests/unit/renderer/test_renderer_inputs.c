/* The inputs that are froth's own: what presets read, and that variables of a preset with these
 * names stay the preset's. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drums.h"
#include "renderer/state.h"
#include "presets/presets.h"

enum { SIZE = 16, FPS = 60, BLOCK = DRUMS_RATE / FPS, SECONDS = 12 };

static const struct drums_pattern rock = {"rock", {"90009000", "00900090", "66666666"}};

struct stage {
    struct rend *rend;
    struct rend_patch *patch;
    float *sound;
    uint64_t frame;
    const uint8_t *dmx;
    const struct rend_held *held;
    size_t held_count;
    struct rend_tempo tempo;
};

static void open_named(struct stage *stage, const char *name, const char *text)
{
    const struct rend_config config = {
        .width = SIZE, .height = SIZE, .mesh_x = 2, .mesh_y = 2, .fps = FPS};
    struct preset preset;
    assert_int_equal(preset_read(&preset, name, text, strlen(text), NULL), 0);
    *stage = (struct stage){.patch = rend_patch_create(&preset, NULL, NULL),
                            .rend = rend_create(&config),
                            .sound = calloc(SECONDS * DRUMS_RATE, sizeof(float))};
    preset_free(&preset);
    assert_true(stage->patch != NULL && stage->rend != NULL && stage->sound != NULL);
    struct drums *drums = calloc(1, sizeof *drums);
    assert_non_null(drums);
    drums_init(drums, 1);
    drums_play(drums, &rock, 120, 0, 0, 0, stage->sound, SECONDS * DRUMS_RATE);
    free(drums);
    assert_int_equal(rend_load(stage->rend, stage->patch, 0, NULL), 0);
}

static void open_stage(struct stage *stage, const char *text)
{
    open_named(stage, "test.milk", text);
}

static void close_stage(struct stage *stage)
{
    rend_free(stage->rend);
    rend_patch_free(stage->patch);
    free(stage->sound);
}

static void step(struct stage *stage)
{
    uint32_t pixels[SIZE * SIZE];
    float samples[2 * BLOCK];
    for (size_t i = 0; i < BLOCK; i++) {
        samples[2 * i] = samples[2 * i + 1] = stage->sound[stage->frame * BLOCK + i];
    }
    stage->frame++;
    const struct rend_input input = {.frame = stage->frame,
                                     .time = (double)stage->frame / FPS,
                                     .fps = FPS,
                                     .audio = samples,
                                     .audio_frames = BLOCK,
                                     .dmx = stage->dmx,
                                     .held = stage->held,
                                     .held_count = stage->held_count,
                                     .tempo = stage->tempo};
    (void)rend_step(stage->rend, &input, pixels, SIZE);
}

static double q(const struct stage *stage, int number)
{
    return stage->rend->equations.frame.values[REND_VAR_Q + number - 1];
}

static void presets_read_the_beat(void **state)
{
    (void)state;
    struct stage stage;
    int beats = 0;
    open_stage(&stage, "[preset00]\n"
                       "per_frame_1=q1=beat_bpm;q2=beat_phase;q3=beat_now;n=n+beat_now;q4=n;\n"
                       "shapecode_0_enabled=1\n"
                       "shape_0_per_frame1=q5=beat_bpm;\n"
                       "per_pixel_1=q6=beat_phase;\n");
    while (stage.frame < SECONDS * FPS) {
        step(&stage);
        const struct rend_heard heard = rend_heard(stage.rend);
        beats += (int)heard.beats;
        assert_true(q(&stage, 1) == heard.bpm && q(&stage, 2) == heard.beat_phase);
        assert_true(q(&stage, 3) == (heard.beats > 0 ? 1 : 0) && q(&stage, 4) == beats);
        assert_true(stage.rend->equations.shape[0].values[REND_VAR_Q + 4] == heard.bpm);
        assert_true(stage.rend->equations.vertex.values[REND_VAR_Q + 5] == heard.beat_phase);
    }
    assert_true(fabs(q(&stage, 1) / 120 - 1) < 0.01);
    assert_true(beats > SECONDS && beats <= 2 * SECONDS);
    close_stage(&stage);
}

/* What is held is found by every program, and what the per-frame equations make of it is not. */
static void variables_are_held_from_outside(void **state)
{
    (void)state;
    static const struct rend_held held[] = {
        {"own", 5}, {"osc1", 0.5}, {"q3", 0.25}, {"zoom", 1.5}, {"nowhere", 1}};
    struct stage stage;
    open_stage(&stage, "[preset00]\n"
                       "per_frame_1=q1=own;own=1;q2=osc1;q3=9;zoom=1;\n"
                       "shapecode_0_enabled=1\n"
                       "shape_0_per_frame1=q5=osc1;\n"
                       "per_pixel_1=q6=osc1;q7=q3;\n");
    stage.held = held;
    stage.held_count = sizeof held / sizeof *held;
    const struct rend_section_equations *equations = &stage.rend->equations;
    for (int i = 0; i < 2; i++) {
        step(&stage);
        assert_true(q(&stage, 1) == 5 && q(&stage, 2) == 0.5 && q(&stage, 3) == 0.25);
        assert_true(equations->shape[0].values[REND_VAR_Q + 4] == 0.5);
        assert_true(equations->vertex.values[REND_VAR_Q + 5] == 0.5);
        assert_true(equations->vertex.values[REND_VAR_Q + 6] == 0.25);
        assert_true(equations->frame.values[stage.patch->stored_variable[PRESET_KEY_zoom]] == 1.5);
    }
    stage.held_count = 0;
    step(&stage);
    step(&stage);
    assert_true(q(&stage, 1) == 1 && q(&stage, 3) == 9);
    assert_true(equations->vertex.values[REND_VAR_Q + 6] == 9);
    close_stage(&stage);
}

/* Wherever a preset assigns one of the names, all of them are its own, in every program. */
static void variables_of_a_preset_stay_its_own(void **state)
{
    (void)state;
    static const char *const assignments[] = {
        "per_frame_2=beat_phase=beat_phase+1;\n",
        "per_frame_init_1=BEAT_BPM=7;\n",
        "per_pixel_1=beat_now=beat_now+1;\n",
        "wavecode_0_enabled=1\nwave_0_per_frame1=beat_now=3;\n",
        "wavecode_1_enabled=1\nwave_1_per_point1=beat_now=3;\n",
        "wave_2_init1=beat_now=3;\n",
        "shapecode_3_enabled=1\nshape_3_per_frame1=beat_bpm=3;\n",
        "shape_3_init1=beat_bpm=3;\n",
        "per_frame_2=if(above(time,1000),assign(beat_now,1),0);\n",
    };
    for (size_t i = 0; i < sizeof assignments / sizeof *assignments; i++) {
        struct stage stage;
        char text[256];
        (void)snprintf(text, sizeof text,
                       "[preset00]\nper_frame_1=q1=beat_now;q2=beat_phase;q3=beat_bpm;\n%s",
                       assignments[i]);
        open_stage(&stage, text);
        assert_true(stage.patch->own == REND_FAMILY_BEAT);
        while (stage.frame < 8 * FPS) {
            step(&stage);
            assert_true(q(&stage, 1) == 0);
            assert_true(q(&stage, 2) == (i == 0 ? (double)stage.frame - 1 : 0));
            assert_true(q(&stage, 3) == (i == 1 ? 7 : 0));
        }
        assert_true(rend_heard(stage.rend).bpm > 0);
        close_stage(&stage);
    }
}

/* The beat that is given takes the place of the one that is heard. */
static void presets_read_a_beat_that_is_given(void **state)
{
    (void)state;
    struct stage stage;
    open_stage(&stage, "[preset00]\n"
                       "per_frame_1=q1=bpm;q2=beat_phase;q3=beat_now;q4=bar_phase;q5=beat_bpm;\n"
                       "per_pixel_1=q6=bar_phase;\n");
    while (stage.frame < 8 * FPS) {
        step(&stage);
        const struct rend_heard heard = rend_heard(stage.rend);
        assert_true(q(&stage, 1) == heard.bpm && q(&stage, 4) == heard.bar_phase);
        /* Four beats to a bar. */
        assert_true(fabs(remainder(4 * heard.bar_phase - heard.beat_phase, 1)) < 1e-9);
    }
    assert_true(q(&stage, 4) > 0);
    stage.tempo = (struct rend_tempo){true, 90, 6.25, 1};
    step(&stage);
    assert_true(q(&stage, 1) == 90 && q(&stage, 2) == 0.25 && q(&stage, 3) == 1);
    assert_true(q(&stage, 4) == 2.25 / 4 && q(&stage, 5) == 90);
    assert_true(stage.rend->equations.vertex.values[REND_VAR_Q + 5] == 2.25 / 4);
    assert_true(fabs(rend_own_beat(stage.rend).bpm / 120 - 1) < 0.02);
    stage.tempo = (struct rend_tempo){.given = false};
    step(&stage);
    assert_true(fabs(q(&stage, 1) / 120 - 1) < 0.02);
    close_stage(&stage);
}

/* "bpm" is a name that presets have long had for variables of their own. */
static void the_names_of_the_bar_are_a_family(void **state)
{
    (void)state;
    struct stage stage;
    open_stage(&stage, "[preset00]\nper_frame_init_1=bpm=33;\n"
                       "per_frame_1=q1=bpm;q2=bar_phase;q3=beat_bpm;\n");
    stage.tempo = (struct rend_tempo){true, 90, 6.25, 1};
    step(&stage);
    assert_true(q(&stage, 1) == 33 && q(&stage, 2) == 0 && q(&stage, 3) == 90);
    struct rend_variable_view views[64];
    const size_t count = rend_variables(stage.rend, views, 64);
    size_t own = 0;
    for (size_t i = 0; i < count && i < 64; i++) {
        own += strcmp(views[i].name, "bpm") == 0 || strcmp(views[i].name, "bar_phase") == 0;
        assert_true(strcmp(views[i].name, "beat_bpm") != 0);
    }
    assert_true(own == 2);
    close_stage(&stage);
}

static double vertex_q(const struct stage *stage, int number)
{
    return stage->rend->equations.vertex.values[REND_VAR_Q + number - 1];
}

/* Each kind of program reads it, by numbers that are known and that are not; 0 without input and
 * outside the channels. */
static void presets_read_dmx(void **state)
{
    (void)state;
    struct stage stage;
    uint8_t dmx[REND_DMX_CHANNELS] = {51, 255};
    dmx[511] = 102;
    dmx[2047] = 204;
    open_stage(&stage,
               "[preset00]\n"
               "per_frame_1=n=1;q1=dmx_in(n);q2=dmx_in(2);q3=dmx_in(n*512);q4=dmx_in(2048);\n"
               "per_frame_2=q5=dmx_in(0)+dmx_in(2049)+dmx_in(-1)+dmx_in(0/0)+dmx_in(3);\n"
               "per_frame_3=q9=DMX_IN(1.4)+dmx_in(1.999999);\n"
               "per_pixel_1=q6=dmx_in(1)+dmx_in(1+below(x,2))+dmx_in(2+x*0);\n"
               "shapecode_0_enabled=1\n"
               "shape_0_per_frame1=q7=dmx_in(512);\n"
               "wavecode_0_enabled=1\nwavecode_0_samples=64\n"
               "wave_0_per_point1=q8=dmx_in(512*(1+sample*0));\n");
    step(&stage);
    assert_true(q(&stage, 1) == 0 && q(&stage, 2) == 0 && q(&stage, 4) == 0);
    assert_true(vertex_q(&stage, 6) == 0);
    stage.dmx = dmx;
    step(&stage);
    assert_true(q(&stage, 1) == 51 / 255.0 && q(&stage, 2) == 1);
    assert_true(q(&stage, 3) == 102 / 255.0 && q(&stage, 4) == 204 / 255.0);
    assert_true(q(&stage, 5) == 0);
    assert_true(q(&stage, 9) == 51 / 255.0 + 1);
    assert_true(fabs(vertex_q(&stage, 6) - (51 / 255.0 + 2)) < 1e-9);
    assert_true(stage.rend->equations.shape[0].values[REND_VAR_Q + 6] == 102 / 255.0);
    assert_true(stage.rend->equations.wave_point[0].values[REND_VAR_Q + 7] == 102 / 255.0);
    /* A new level is read in the next frame, and none once nobody sends. */
    dmx[0] = 0;
    step(&stage);
    assert_true(q(&stage, 1) == 0 && q(&stage, 2) == 1);
    stage.dmx = NULL;
    step(&stage);
    assert_true(q(&stage, 2) == 0);
    close_stage(&stage);
}

/* The inputs of the board's own patches. One that assigns such a name has its own. */
static void patches_of_the_board_read_dmx(void **state)
{
    (void)state;
    struct stage stage;
    uint8_t dmx[REND_DMX_CHANNELS] = {51, 0, 0, 0, 0, 0, 0, 255};
    const char *text = "per_frame:\nq1=idmx1;\nq2=idmx8;\nidmx2=0.5;\nq3=idmx2;\n"
                       "per_vertex:\nq4=idmx1;\n";
    open_named(&stage, "test.fnp", text);
    step(&stage);
    assert_true(q(&stage, 1) == 0 && q(&stage, 2) == 0 && q(&stage, 3) == 0.5);
    stage.dmx = dmx;
    step(&stage);
    assert_true(q(&stage, 1) == 51 / 255.0 && q(&stage, 2) == 1 && q(&stage, 3) == 0.5);
    const struct pfpu_scope *scope = stage.patch->vertex.scope;
    double seen = 0;
    for (size_t i = 0; i < pfpu_scope_size(scope); i++) {
        if (strcmp(pfpu_scope_name(scope, i), "idmx1") == 0) {
            seen = stage.rend->equations.vertex.values[i];
        }
    }
    assert_true(seen == 51 / 255.0);
    close_stage(&stage);
}

/* What they put out, as the board rounds it; a preset of MilkDrop puts out nothing. */
static void patches_of_the_board_put_dmx_out(void **state)
{
    (void)state;
    struct stage stage;
    uint8_t levels[REND_DMX_OUTPUTS];
    static const uint8_t expected[] = {127, 0, 255, 0, 0, 0, 0, 2};
    static const uint8_t nothing[REND_DMX_OUTPUTS] = {0};
    const char *text = "per_frame:\ndmx1=0.5;\ndmx2=-1;\ndmx3=7;\ndmx8=0.01;\n";
    open_named(&stage, "test.fnp", text);
    step(&stage);
    rend_dmx(stage.rend, levels);
    assert_memory_equal(levels, expected, sizeof levels);
    close_stage(&stage);
    open_stage(&stage, "[preset00]\nper_frame_1=dmx1=1;\n");
    step(&stage);
    rend_dmx(stage.rend, levels);
    assert_memory_equal(levels, nothing, sizeof levels);
    close_stage(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_read_the_beat),
        cmocka_unit_test(variables_are_held_from_outside),
        cmocka_unit_test(variables_of_a_preset_stay_its_own),
        cmocka_unit_test(presets_read_a_beat_that_is_given),
        cmocka_unit_test(the_names_of_the_bar_are_a_family),
        cmocka_unit_test(presets_read_dmx),
        cmocka_unit_test(patches_of_the_board_read_dmx),
        cmocka_unit_test(patches_of_the_board_put_dmx_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
