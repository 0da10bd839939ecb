/* Levels, alignment and spectra against the rules of spec/milk-rendering.md section 12. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "renderer/sound/analysis.h"

enum { BLOCK = 735 };

struct ear {
    struct rend_analysis analysis;
    struct rend_spectrum *spectrum;
    uint64_t frame;
    uint64_t sample;
};

static int open_ear(void **state)
{
    static struct ear ear;
    ear = (struct ear){.spectrum = rend_spectrum_create()};
    *state = &ear;
    return ear.spectrum == NULL ? -1 : 0;
}

static int close_ear(void **state)
{
    rend_spectrum_free(((struct ear *)*state)->spectrum);
    return 0;
}

/* One frame of a sine; the right side is a quarter turn ahead. */
static void hear(struct ear *ear, double hertz, double volume, double fps)
{
    float samples[2 * BLOCK];
    for (size_t i = 0; i < BLOCK; i++, ear->sample++) {
        const double turn = 6.283185307179586 * hertz * (double)ear->sample / 44100;
        samples[2 * i] = (float)(volume * sin(turn));
        samples[2 * i + 1] = (float)(volume * cos(turn));
    }
    rend_analysis_step(&ear->analysis, ear->spectrum, samples, BLOCK, ++ear->frame, fps);
}

static void test_silence_is_one(void **state)
{
    struct ear *ear = *state;
    for (int i = 0; i < 60; i++) {
        hear(ear, 440, 0, 60);
    }
    const struct rend_sound sound = rend_analysis_sound(&ear->analysis);
    for (int band = 0; band < REND_BANDS; band++) {
        assert_float_equal(sound.level[band], 1, 0);
        assert_float_equal(sound.level_att[band], 1, 0);
    }
}

/* The spike of the first frame with sound: 19.49 and 10.77 at 60 fps, 10 and 8 at 30 fps. */
static void test_first_frame(void **state)
{
    static const double expected[2][3] = {{60, 19.487, 10.772}, {30, 10, 8}};
    struct ear *ear = *state;
    for (int i = 0; i < 2; i++) {
        memset(&ear->analysis, 0, sizeof ear->analysis);
        ear->frame = 0;
        hear(ear, 440, 0.5, expected[i][0]);
        const struct rend_sound sound = rend_analysis_sound(&ear->analysis);
        assert_float_equal(sound.level[0], expected[i][1], 0.001);
        assert_float_equal(sound.level_att[0], expected[i][2], 0.001);
    }
}

static void test_bands_hear_their_own(void **state)
{
    static const double hertz[REND_BANDS] = {1000, 5500, 9000};
    struct ear *ear = *state;
    for (int band = 0; band < REND_BANDS; band++) {
        memset(&ear->analysis, 0, sizeof ear->analysis);
        ear->frame = 0;
        hear(ear, hertz[band], 0.5, 60);
        const double *absolute = ear->analysis.absolute;
        for (int other = 0; other < REND_BANDS; other++) {
            assert_true(other == band || absolute[band] > 2 * absolute[other]);
        }
    }
}

/* A steady tone whose period fits the search range stands still once aligned. */
static void test_alignment_holds_still(void **state)
{
    struct ear *ear = *state;
    hear(ear, 917, 0.5, 60);
    float before[REND_WAVEFORM];
    double moved = 0;
    double raw = 0;
    for (int i = 0; i < 20; i++) {
        float last[REND_WAVEFORM];
        memcpy(last, ear->analysis.history[0], sizeof last);
        memcpy(before, ear->analysis.waveform[0], sizeof before);
        hear(ear, 917, 0.5, 60);
        for (int k = 100; k < 380; k++) {
            moved += fabs((double)(ear->analysis.waveform[0][k] - before[k]));
            raw += fabs((double)(ear->analysis.history[0][k] - last[k]));
        }
    }
    assert_true(raw > 1000);
    assert_true(moved < 0.25 * raw);
}

static void test_spectrum_peak(void **state)
{
    struct ear *ear = *state;
    memset(&ear->analysis, 0, sizeof ear->analysis);
    hear(ear, 44100.0 / 1024 * 100, 0.5, 60);
    rend_analysis_spectra(&ear->analysis, ear->spectrum);
    int peak = 0;
    for (int k = 1; k < REND_SPECTRUM; k++) {
        peak = ear->analysis.spectrum[0][k] > ear->analysis.spectrum[0][peak] ? k : peak;
    }
    assert_in_range(peak, 99, 101);
}

static void test_bad_samples_are_silence(void **state)
{
    struct ear *ear = *state;
    const float samples[8] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, NAN, 0.5f, 2};
    rend_analysis_step(&ear->analysis, ear->spectrum, samples, 4, 1, 60);
    for (int i = 0; i < REND_WAVEFORM; i++) {
        assert_true(fabsf(ear->analysis.history[0][i]) <= 128);
        assert_true(fabsf(ear->analysis.history[1][i]) <= 128);
    }
    const struct rend_sound sound = rend_analysis_sound(&ear->analysis);
    assert_true(isfinite(sound.level[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_silence_is_one),       cmocka_unit_test(test_first_frame),
        cmocka_unit_test(test_bands_hear_their_own), cmocka_unit_test(test_alignment_holds_still),
        cmocka_unit_test(test_spectrum_peak),        cmocka_unit_test(test_bad_samples_are_silence),
    };
    return cmocka_run_group_tests(tests, open_ear, close_ear);
}
