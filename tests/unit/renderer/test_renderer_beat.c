/* Tempo, phase and beats on tracks made for it; loud passages. */
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
#include "renderer/sound/beat.h"

/* Under sanitizers, which look for other things, every seventh track. */
enum { THINNED = TURNS(1) == 1 ? 1 : 7 };
enum { LEARNING = 15, SECONDS = 18, SAMPLES = SECONDS * DRUMS_RATE };

static const struct drums_pattern patterns[] = {
    {"rock", {"90009000", "00900090", "66666666"}},
    {"four to the floor", {"90909090", "00900090", "06060606"}},
    {"with an offbeat kick", {"90090000", "00900090", "66666666"}},
};

struct studio {
    struct drums drums;
    float sound[SAMPLES];
};

static int open_studio(void **state)
{
    struct studio *studio = calloc(1, sizeof *studio);
    if (studio == NULL) {
        return -1;
    }
    drums_init(&studio->drums, 1);
    *state = studio;
    return 0;
}

static int close_studio(void **state)
{
    free(*state);
    return 0;
}

struct hearing {
    double worst_tempo; /* relative */
    double worst_beat;  /* seconds between a heard beat and the nearest true one */
    int beats;
};

/* Plays the sound to a fresh detector in blocks of a frame, and compares from LEARNING on. */
static struct hearing listen(const float *sound, double bpm, int block)
{
    struct hearing hearing = {0};
    struct rend_beat beat = {.samples = 0};
    float *stereo = calloc((size_t)block, 2 * sizeof *stereo);
    assert_non_null(stereo);
    for (int start = 0; start + block <= SAMPLES; start += block) {
        for (int i = 0; i < block; i++) {
            stereo[2 * i] = sound[start + i];
            stereo[2 * i + 1] = sound[start + i];
        }
        const unsigned hits = rend_beat_step(&beat, stereo, (size_t)block);
        const double now = (double)(start + block) / DRUMS_RATE;
        if (now > LEARNING) {
            const double beats = now * bpm / 60;
            const double off = fabs(beats - floor(beats + 0.5)) * 60 / bpm;
            hearing.worst_tempo = fmax(hearing.worst_tempo, fabs(rend_beat_bpm(&beat) / bpm - 1));
            hearing.worst_beat = hits > 0 ? fmax(hearing.worst_beat, off) : hearing.worst_beat;
            hearing.beats += (int)hits;
        }
    }
    free(stereo);
    return hearing;
}

/* 70 to 180 beats a minute, straight, swung and in triplets, clean and in noise. An octave too high
 * or too low is wrong. */
static void test_tempo_within_a_percent(void **state)
{
    static const double swings[] = {0, 0.2, 1 / 3.0};
    static const struct {
        double noise;
        double jitter;
    } noises[] = {{0, 0}, {0.05, 0}, {0.15, 0.004}, {0.3, 0.004}};
    static const int blocks[] = {735, 1837, 306};
    struct studio *studio = *state;
    size_t number = 0;
    double worst = 0;
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        for (size_t s = 0; s < sizeof swings / sizeof *swings; s++) {
            for (size_t n = 0; n < sizeof noises / sizeof *noises; n++) {
                for (double bpm = 70; bpm <= 180; bpm += 10, number++) {
                    if (number % THINNED != 0) {
                        continue;
                    }
                    drums_play(&studio->drums, &patterns[p], bpm, swings[s], noises[n].noise,
                               noises[n].jitter, studio->sound, SAMPLES);
                    const struct hearing hearing = listen(studio->sound, bpm, blocks[number % 3]);
                    worst = fmax(worst, hearing.worst_tempo);
                    if (hearing.worst_tempo > 0.01) {
                        fail_msg("%s, %.0f bpm, swing %.2f, noise %.2f: off by %.1f %%",
                                 patterns[p].name, bpm, swings[s], noises[n].noise,
                                 100 * hearing.worst_tempo);
                    }
                }
            }
        }
    }
    print_message("%zu tracks, tempo off by %.2f %% at most\n", number, 100 * worst);
}

/* Beats come when the drummer strikes, to within a frame and 20 ms, and each comes once. */
static void test_beats_fall_on_the_beat(void **state)
{
    static const int blocks[] = {306, 735, 1837};
    struct studio *studio = *state;
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
            for (double bpm = 72.5; bpm < 180; bpm += 35) {
                drums_play(&studio->drums, &patterns[p], bpm, 0.2, 0.05, 0, studio->sound, SAMPLES);
                const struct hearing hearing = listen(studio->sound, bpm, blocks[b]);
                const double frame = (double)blocks[b] / DRUMS_RATE;
                assert_true(hearing.worst_beat <= frame + 0.02);
                const double expected = (SECONDS - LEARNING) * bpm / 60;
                assert_true(fabs(hearing.beats - expected) <= 1.5);
            }
        }
    }
}

/* 126 beats per minute are 126 at 1 frame a second and at 1000, and in portions that come in bursts
 * as on a busy machine: the same samples lead to the same state, to the last bit, and to the same
 * number of beats. */
static void test_any_frame_rate(void **state)
{
    static const double rates[] = {1, 5, 12, 23.976, 60, 144, 1000, 0};
    struct studio *studio = *state;
    drums_play(&studio->drums, &patterns[0], 126, 0.1, 0.1, 0.002, studio->sound, SAMPLES);
    static float stereo[2 * SAMPLES];
    for (size_t i = 0; i < SAMPLES; i++) {
        stereo[2 * i] = stereo[2 * i + 1] = studio->sound[i];
    }
    struct rend_beat first = {.samples = 0};
    unsigned first_beats = 0;
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
        struct rend_beat beat = {.samples = 0};
        unsigned beats = 0;
        size_t at = 0;
        for (unsigned frame = 1; at < SAMPLES; frame++) {
            const double due = rates[r] > 0 ? frame * DRUMS_RATE / rates[r]
                                            : (double)(at + frame * 7919 % 20011 * (frame % 3));
            const size_t end = due < SAMPLES ? (size_t)due : SAMPLES;
            beats += rend_beat_step(&beat, stereo + 2 * at, end - at);
            at = end;
        }
        first = r == 0 ? beat : first;
        first_beats = r == 0 ? beats : first_beats;
        assert_true(fabs(rend_beat_bpm(&beat) / 126 - 1) < 0.005);
        assert_memory_equal(&beat, &first, sizeof beat);
        assert_int_equal(beats, first_beats);
    }
    print_message("%.2f beats per minute at any rate, %u beats\n", rend_beat_bpm(&first),
                  first_beats);
}

/* No tempo in silence, noise and a steady tone; what is not a number does no harm. */
static void test_no_tempo_where_there_is_none(void **state)
{
    struct studio *studio = *state;
    for (int kind = 0; kind < 4; kind++) {
        struct rend_beat beat = {.samples = 0};
        float block[2 * 735];
        int beats = 0;
        for (int frame = 0; frame < 1800; frame++) {
            for (int i = 0; i < 735; i++) {
                const double t = (frame * 735.0 + i) / DRUMS_RATE;
                const float values[4] = {0, (float)(0.3 * drums_noise(&studio->drums)),
                                         (float)(0.5 * sin(2764.6 * t)),
                                         i % 2 ? (float)NAN : (float)INFINITY};
                block[2 * i] = block[2 * i + 1] = values[kind];
            }
            beats += (int)rend_beat_step(&beat, block, 735);
            assert_in_range((uintmax_t)(1000 * rend_beat_phase(&beat)), 0, 999);
        }
        assert_true(beats == 0 || kind == 1);
        assert_true(rend_beat_bpm(&beat) == 0 || kind == 1);
    }
}

static void test_another_tempo_is_followed(void **state)
{
    struct studio *studio = *state;
    struct rend_beat beat = {.samples = 0};
    static const double tempos[] = {90, 132};
    for (size_t k = 0; k < 2; k++) {
        drums_play(&studio->drums, &patterns[0], tempos[k], 0, 0.02, 0, studio->sound, SAMPLES);
        for (size_t i = 0; i < SAMPLES; i++) {
            const float both[2] = {studio->sound[i], studio->sound[i]};
            (void)rend_beat_step(&beat, both, 1);
        }
        assert_true(fabs(rend_beat_bpm(&beat) / tempos[k] - 1) < 0.01);
    }
}

static void test_loud_passages_cut(void **state)
{
    (void)state;
    static const double usual[3] = {1, 1, 1};
    static const double spike[3] = {20, 20, 20};
    static const double loud[3] = {6, 5, 5};        /* above 3 * 5 */
    static const double less_loud[3] = {5, 5, 4.5}; /* not above */
    struct rend_loud state_of;
    rend_loud_start(&state_of, 1);
    for (int i = 0; i < 50; i++) {
        assert_false(rend_loud_step(&state_of, spike, 60));
    }
    assert_false(rend_loud_step(&state_of, less_loud, 60));
    rend_loud_start(&state_of, 1);
    for (int i = 0; i < 50; i++) {
        (void)rend_loud_step(&state_of, usual, 60);
    }
    assert_true(rend_loud_step(&state_of, loud, 60));
    assert_false(rend_loud_step(&state_of, loud, 60));
    /* After a minute three quarters of the way from 2 * threshold down to 2.5 are left behind. */
    const double before = state_of.threshold - 2.5;
    for (int i = 0; i < 3600; i++) {
        assert_false(rend_loud_step(&state_of, usual, 60));
    }
    assert_true(fabs(state_of.threshold - 2.5 - before / 4) < 1e-4);
    assert_true(rend_loud_step(&state_of, loud, 60));
}

static void test_sensitivity_and_bad_levels(void **state)
{
    (void)state;
    static const double middling[3] = {3, 3, 3};
    static const double bad[3] = {(double)NAN, 100, 100};
    struct rend_loud dull;
    struct rend_loud keen;
    rend_loud_start(&dull, 1);
    rend_loud_start(&keen, 2);
    for (int i = 0; i < 60; i++) {
        assert_false(rend_loud_step(&dull, bad, 30));
        assert_false(rend_loud_step(&keen, bad, 30));
    }
    assert_false(rend_loud_step(&dull, middling, 30));
    assert_true(rend_loud_step(&keen, middling, 30));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tempo_within_a_percent),
        cmocka_unit_test(test_beats_fall_on_the_beat),
        cmocka_unit_test(test_any_frame_rate),
        cmocka_unit_test(test_no_tempo_where_there_is_none),
        cmocka_unit_test(test_another_tempo_is_followed),
        cmocka_unit_test(test_loud_passages_cut),
        cmocka_unit_test(test_sensitivity_and_bad_levels),
    };
    return cmocka_run_group_tests(tests, open_studio, close_studio);
}
