/* Filters in the time domain: against the board's arithmetic, and against the Fourier transform. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../turns.h"
#include "drums.h"
#include "renderer/sound/analysis.h"

enum { SECONDS = 30, SAMPLES = SECONDS * DRUMS_RATE };

static const enum rend_levels kinds[] = {REND_LEVELS_FIR, REND_LEVELS_BOARD};

static double ideal(double cutoff, int k, double rate)
{
    const double t = k - 63.5;
    return sin(2 * 3.14159265358979323846 * cutoff * t / rate) / (3.14159265358979323846 * t);
}

static void test_coefficients_of_the_board(void **state)
{
    (void)state;
    static struct rend_bands bands;
    rend_bands_init(&bands, REND_LEVELS_BOARD, 48000);
    for (int k = 0; k < REND_BANDS_TAPS; k++) {
        const double bass = ideal(150, k, 48000);
        const double mid = ideal(600, k, 48000);
        const double treb = ideal(2900, k, 48000);
        assert_int_equal(bands.coefficient[0][k], (int)trunc(32768 * bass));
        assert_int_equal(bands.coefficient[1][k], (int)trunc(32768 * (mid - bass)));
        assert_int_equal(bands.coefficient[2][k], (int)trunc(32768 * (treb - mid)));
    }
    assert_int_equal(bands.coefficient[0][63], 204);
    assert_int_equal(bands.coefficient[1][63], 614);
    assert_int_equal(bands.coefficient[2][64], 3116);
}

/* The board's sums, written down a second time: the history begins with zeros. */
static void test_energy_of_the_board(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    static struct rend_bands bands;
    static int32_t sample[COUNT];
    static float stereo[2 * COUNT];
    uint32_t random = 7;
    for (int i = 0; i < COUNT; i++) {
        int32_t side[2];
        for (int s = 0; s < 2; s++) {
            random = random * 1664525u + 1013904223u;
            side[s] = (int32_t)(random >> 16) - 32768;
            side[s] = side[s] == -32768 ? 0 : side[s];
            stereo[2 * i + s] = (float)side[s] / 32767.0f;
            side[s] = (int32_t)(stereo[2 * i + s] * 32767.0f);
        }
        sample[i] = (int32_t)floor((side[0] + side[1]) / 2.0);
    }
    rend_bands_init(&bands, REND_LEVELS_BOARD, 48000);
    rend_bands_step(&bands, REND_LEVELS_BOARD, stereo, COUNT);
    for (int band = 0; band < REND_BANDS; band++) {
        int64_t energy = 0;
        for (int at = 7; at < COUNT; at += 8) {
            int64_t r = 0;
            for (int k = 0; k <= at && k < REND_BANDS_TAPS; k++) {
                r += (int64_t)floor(bands.coefficient[band][k] * (double)sample[at - k] / 32768);
            }
            energy += r * r / 32768;
        }
        assert_int_equal(bands.energy[band], energy);
    }
}

static void play_tone(struct rend_bands *bands, enum rend_levels levels, double hertz,
                      double loudness[static REND_BANDS])
{
    float block[2 * 735];
    rend_bands_init(bands, levels, DRUMS_RATE);
    for (int i = 0; i < 735; i++) {
        block[2 * i] = block[2 * i + 1] =
            (float)(0.5 * sin(6.283185307179586 * hertz * i / DRUMS_RATE));
    }
    rend_bands_step(bands, levels, block, 735);
    rend_bands_levels(bands, levels, loudness);
}

static void test_bands_hear_their_own(void **state)
{
    (void)state;
    static const double hertz[2][REND_BANDS] = {{2500, 5500, 9000}, {60, 390, 1500}};
    static struct rend_bands bands;
    for (int kind = 0; kind < 2; kind++) {
        for (int band = 0; band < REND_BANDS; band++) {
            double loudness[REND_BANDS];
            play_tone(&bands, kinds[kind], hertz[kind][band], loudness);
            for (int other = 0; other < REND_BANDS; other++) {
                assert_true(other == band || loudness[band] > 2 * loudness[other]);
            }
        }
    }
}

struct studio {
    struct drums drums;
    struct rend_spectrum *spectrum;
    float sound[SAMPLES];
    double level[3][REND_BANDS][SECONDS * 145];
    double level_att[3][REND_BANDS][SECONDS * 145];
};

static int open_studio(void **state)
{
    struct studio *studio = calloc(1, sizeof *studio);
    if (studio == NULL) {
        return -1;
    }
    studio->spectrum = rend_spectrum_create();
    drums_init(&studio->drums, 1);
    *state = studio;
    return studio->spectrum == NULL ? -1 : 0;
}

static int close_studio(void **state)
{
    struct studio *studio = *state;
    rend_spectrum_free(studio->spectrum);
    free(studio);
    return 0;
}

/* Returns the number of frames. */
static size_t listen(struct studio *studio, int fps)
{
    const size_t block = (size_t)(DRUMS_RATE / fps);
    size_t frames = 0;
    static struct rend_analysis analysis[3];
    float *stereo = calloc(block, 2 * sizeof *stereo);
    assert_non_null(stereo);
    for (int kind = 0; kind < 3; kind++) {
        rend_analysis_init(&analysis[kind], (enum rend_levels)kind);
    }
    for (; (frames + 1) * block <= SAMPLES; frames++) {
        for (size_t i = 0; i < block; i++) {
            stereo[2 * i] = stereo[2 * i + 1] = studio->sound[frames * block + i];
        }
        for (int kind = 0; kind < 3; kind++) {
            rend_analysis_step(&analysis[kind], studio->spectrum, NULL, stereo, block, frames + 1,
                               fps);
            const struct rend_sound sound = rend_analysis_sound(&analysis[kind]);
            for (int band = 0; band < REND_BANDS; band++) {
                studio->level[kind][band][frames] = sound.level[band];
                studio->level_att[kind][band][frames] = sound.level_att[band];
            }
        }
    }
    free(stereo);
    return frames;
}

static double correlation(const double *a, const double *b, size_t first, size_t end)
{
    double sums[5] = {0};
    const double count = (double)(end - first);
    for (size_t i = first; i < end; i++) {
        sums[0] += a[i];
        sums[1] += b[i];
        sums[2] += a[i] * b[i];
        sums[3] += a[i] * a[i];
        sums[4] += b[i] * b[i];
    }
    const double both = sums[2] - sums[0] * sums[1] / count;
    return both /
           sqrt((sums[3] - sums[0] * sums[0] / count) * (sums[4] - sums[1] * sums[1] / count));
}

/* The sum over k of sin(k * angle) * fading^k / k: each sine follows from the two before. */
static double partials(int count, double angle, double fading)
{
    const double twice_cosine = 2 * cos(angle);
    double sine = sin(angle);
    double before = 0;
    double loudness = fading;
    double sum = 0;
    for (int k = 1; k <= count; k++) {
        const double next = twice_cosine * sine - before;
        sum += sine * loudness / k;
        before = sine;
        sine = next;
        loudness *= fading;
    }
    return sum;
}

/* A bass line and chords that change with the bar, each note struck and fading. */
static void add_notes(struct studio *studio, double bpm, double volume)
{
    static const double roots[] = {55, 43.65, 65.41, 49};
    static const double chord[] = {4, 4.8, 6};
    const double turn = 6.283185307179586;
    const double beat = 60 / bpm;
    for (size_t i = 0; i < SAMPLES; i++) {
        const double beats = (double)i / DRUMS_RATE / beat;
        const double root = roots[(int)(beats / 4) % 4];
        const double in_eighth = (2 * beats - floor(2 * beats)) * 0.5 * beat;
        const double in_bar = (beats / 4 - floor(beats / 4)) * 4 * beat;
        double sum = 0.5 * exp(-6 * in_eighth) * partials(8, turn * root * in_eighth, 1);
        const double fading = exp(-0.7 * in_bar);
        for (int note = 0; note < 3; note++) {
            sum += 0.15 * partials(12, turn * root * chord[note] * in_bar, fading);
        }
        studio->sound[i] += (float)(volume * sum);
    }
}

/* Filters with the transform's bands follow its levels on music-like sound. Where a band is all but
 * empty they cannot: the transform hears the bass there that leaks out of its window. */
static void test_filters_follow_the_transform(void **state)
{
    static const struct {
        struct drums_pattern pattern;
        double bpm, swing, noise, notes;
        int fps;
        int bands; /* that are not empty */
    } tracks[] = {
        {{"rock", {"90009000", "00900090", "66666666"}}, 110, 0, 0, 0.3, 60, 3},
        {{"floor", {"90909090", "00900090", "06060606"}}, 128, 0, 0, 0.5, 60, 3},
        {{"swing", {"90090000", "00900090", "83838383"}}, 92, 0.33, 0.02, 0.3, 60, 3},
        {{"film", {"90009000", "00900090", "66666666"}}, 120, 0.1, 0.01, 0.3, 24, 3},
        {{"fast", {"90009050", "00900090", "66366636"}}, 170, 0, 0.01, 0.3, 144, 3},
        {{"no drums", {"00000000", "00000000", "00000000"}}, 100, 0, 0.002, 0.6, 60, 1},
    };
    struct studio *studio = *state;
    double lowest = 1;
    for (size_t t = 0; t < sizeof tracks / sizeof *tracks; t += EACH(3)) {
        drums_play(&studio->drums, &tracks[t].pattern, tracks[t].bpm, tracks[t].swing,
                   tracks[t].noise, 0.002, studio->sound, SAMPLES);
        add_notes(studio, tracks[t].bpm, tracks[t].notes);
        const size_t frames = listen(studio, tracks[t].fps);
        for (int band = 0; band < tracks[t].bands; band++) {
            const double now =
                correlation(studio->level[0][band], studio->level[1][band], 60, frames);
            const double smooth =
                correlation(studio->level_att[0][band], studio->level_att[1][band], 60, frames);
            if (!(now > 0.95 && smooth > 0.95)) {
                fail_msg("%s, band %d: correlation %.4f, smoothed %.4f", tracks[t].pattern.name,
                         band, now, smooth);
            }
            lowest = fmin(lowest, fmin(now, smooth));
        }
    }
    print_message("lowest correlation %.4f\n", lowest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coefficients_of_the_board),
        cmocka_unit_test(test_energy_of_the_board),
        cmocka_unit_test(test_bands_hear_their_own),
        cmocka_unit_test(test_filters_follow_the_transform),
    };
    return cmocka_run_group_tests(tests, open_studio, close_studio);
}
