/* Levels, alignment and spectra against the rules of spec/milk-rendering.md section 12. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/fmath.h"
#include "renderer/sound/analysis.h"

enum { BLOCK = 735, BLOCK_MAX = 2 * BLOCK };

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

/* One frame, of 30 or 60 a second, of a sine; the right side is a quarter turn ahead. */
static void hear(struct ear *ear, double hertz, double volume, double fps)
{
    float samples[2 * BLOCK_MAX];
    const size_t block = (size_t)(REND_AUDIO_RATE / fps);
    for (size_t i = 0; i < block; i++, ear->sample++) {
        const double turn = 6.283185307179586 * hertz * (double)ear->sample / 44100;
        samples[2 * i] = (float)(volume * sin(turn));
        samples[2 * i + 1] = (float)(volume * cos(turn));
    }
    rend_analysis_step(&ear->analysis, ear->spectrum, NULL, samples, block, ++ear->frame, fps);
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

/* The definition, sum by sum. */
static void test_spectrum_is_the_transform(void **state)
{
    struct ear *ear = *state;
    float waveform[REND_WAVEFORM];
    float magnitudes[REND_SPECTRUM];
    for (int i = 0; i < REND_WAVEFORM; i++) {
        waveform[i] = (float)((i * i * 31 + i * 7) % 255 - 127);
    }
    rend_spectrum_step(ear->spectrum, waveform, magnitudes, REND_SPECTRUM);
    for (int k = 0; k < REND_SPECTRUM; k++) {
        double re = 0;
        double im = 0;
        for (int i = 0; i < REND_WAVEFORM; i++) {
            const double window = 0.5 + 0.5 * sin(2 * BASE_PI * i / REND_WAVEFORM - BASE_PI / 2);
            const double angle = 2 * BASE_PI * k * i / 1024;
            re += waveform[i] * window * cos(angle);
            im -= waveform[i] * window * sin(angle);
        }
        const double equaliser = -0.02 * log((REND_SPECTRUM - k) / (double)REND_SPECTRUM);
        assert_true(fabs(magnitudes[k] - sqrt(re * re + im * im) * equaliser) < 0.001);
    }
}

static void test_bad_samples_are_silence(void **state)
{
    struct ear *ear = *state;
    const float samples[8] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, NAN, 0.5f, 2};
    rend_analysis_step(&ear->analysis, ear->spectrum, NULL, samples, 4, 1, 60);
    for (int i = 0; i < REND_WAVEFORM; i++) {
        assert_true(fabsf(ear->analysis.history[0][i]) <= 128);
        assert_true(fabsf(ear->analysis.history[1][i]) <= 128);
    }
    const struct rend_sound sound = rend_analysis_sound(&ear->analysis);
    assert_true(isfinite(sound.level[0]));
}

enum { SECONDS = 6, SOUND = SECONDS * REND_AUDIO_RATE };

/* Noise that a drum makes louder, 126 times a minute, over a tone: never the same twice. */
static void play(float *sound)
{
    uint32_t random = 1;
    for (size_t i = 0; i < SOUND; i++) {
        const double t = (double)i / REND_AUDIO_RATE;
        random = random * 1664525u + 1013904223u;
        const double noise = (double)(random >> 8) / 8388608.0 - 1;
        const double stroke = exp(-6 * fmod(t, 60 / 126.0));
        sound[2 * i] = sound[2 * i + 1] =
            (float)(0.2 * sin(2000 * t) + (0.1 + 0.5 * stroke) * noise);
    }
}

struct hearing {
    double mean[REND_BANDS];    /* of the smoothed levels, at the same moments of each rate */
    double measure[REND_BANDS]; /* what levels are relative to */
};

/* rate: frames a second, of which each `late` one comes with the sound of all since the last. */
static struct hearing listen(struct ear *ear, const float *sound, enum rend_levels levels,
                             double rate, unsigned late)
{
    struct hearing hearing = {{0}, {0}};
    static struct rend_analysis analysis;
    size_t at = 0;
    unsigned moments = 0;
    rend_analysis_init(&analysis, levels);
    for (uint64_t frame = 1; at < SOUND; frame++) {
        const double due = (double)frame * REND_AUDIO_RATE / rate;
        const size_t end = frame % late != 0 ? at : due < SOUND ? (size_t)(due + 0.5) : SOUND;
        rend_analysis_step(&analysis, ear->spectrum, NULL, sound + 2 * at, end - at, frame, rate);
        at = end;
        /* Each fifth of a second of the last two. */
        if (at >= (size_t)(SECONDS - 2) * REND_AUDIO_RATE && at % (REND_AUDIO_RATE / 5) < 2) {
            const struct rend_sound heard = rend_analysis_sound(&analysis);
            for (int band = 0; band < REND_BANDS; band++) {
                hearing.mean[band] += heard.level_att[band];
                hearing.measure[band] = analysis.long_average[band];
            }
            moments++;
        }
    }
    for (int band = 0; band < REND_BANDS; band++) {
        hearing.mean[band] /= moments;
    }
    return hearing;
}

/* Levels do not depend on how many frames a second ask for them, nor on whether they come late. */
static void test_any_frame_rate(void **state)
{
    static const struct {
        double rate;
        unsigned late;
    } cases[] = {{5, 1}, {10, 1}, {25, 1}, {120, 1}, {145, 1}, {60, 2}, {60, 3}, {60, 12}};
    static float sound[2 * SOUND];
    struct ear *ear = *state;
    play(sound);
    for (int levels = REND_LEVELS_FFT; levels <= REND_LEVELS_BOARD; levels++) {
        const struct hearing usual = listen(ear, sound, (enum rend_levels)levels, 60, 1);
        double worst_mean = 0;
        double worst_measure = 0;
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            const struct hearing hearing =
                listen(ear, sound, (enum rend_levels)levels, cases[i].rate, cases[i].late);
            for (int band = 0; band < REND_BANDS; band++) {
                worst_mean = fmax(worst_mean, fabs(hearing.mean[band] / usual.mean[band] - 1));
                worst_measure =
                    fmax(worst_measure, fabs(hearing.measure[band] / usual.measure[band] - 1));
            }
        }
        print_message("levels %d: smoothed ones off by %.1f %%, their measure by %.1f %%\n", levels,
                      100 * worst_mean, 100 * worst_measure);
        assert_true(worst_mean < 0.05 && worst_measure < 0.03);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_silence_is_one),
        cmocka_unit_test(test_first_frame),
        cmocka_unit_test(test_bands_hear_their_own),
        cmocka_unit_test(test_alignment_holds_still),
        cmocka_unit_test(test_spectrum_peak),

        cmocka_unit_test(test_spectrum_is_the_transform),
        cmocka_unit_test(test_bad_samples_are_silence),
        cmocka_unit_test(test_any_frame_rate),
    };
    return cmocka_run_group_tests(tests, open_ear, close_ear);
}
