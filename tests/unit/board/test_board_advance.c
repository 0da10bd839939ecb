/* Patches that give way by themselves: by time, on the beat, in order and at random; the beat that
 * the board hears, against drums of a known tempo; a gain that follows the sound. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../renderer/drums.h"
#include "board/operate/advance.h"
#include "board/operate/beat.h"
#include "board/operate/gain.h"

enum { PATCHES = 21 };

static void test_by_time_and_beats(void **state)
{
    (void)state;
    struct board_advance advance;
    const uint32_t start = UINT32_MAX - 2000; /* the clock may wrap */
    board_advance_begin(&advance);
    board_advance_shown(&advance, 4, 100, start);
    assert_false(board_advance_is_due(&advance, 0, 0, 1000000, start - 1));
    assert_false(board_advance_is_due(&advance, 5, 0, 1000, start + 4999));
    assert_true(board_advance_is_due(&advance, 5, 0, 1000, start + 5000));
    assert_false(board_advance_is_due(&advance, 0, 8, 107, start + 900000));
    assert_true(board_advance_is_due(&advance, 0, 8, 108, start));
    assert_true(board_advance_is_due(&advance, 5, 8, 108, start));
    assert_true(board_advance_is_due(&advance, 5, 8, 100, start + 5000));
    /* A patch that was chosen by hand has its whole time. */
    board_advance_shown(&advance, 5, 108, start + 4999);
    assert_false(board_advance_is_due(&advance, 5, 8, 108, start + 5000));
}

static void test_in_order(void **state)
{
    (void)state;
    struct board_advance advance;
    board_advance_begin(&advance);
    assert_int_equal(board_advance_choose(&advance, 0, PATCHES, false), 1);
    assert_int_equal(board_advance_choose(&advance, PATCHES - 1, PATCHES, false), 0);
    board_advance_refuse(&advance, 0);
    board_advance_refuse(&advance, 1);
    assert_int_equal(board_advance_choose(&advance, PATCHES - 1, PATCHES, false), 2);
    board_advance_forget(&advance, 3);
    assert_int_equal(board_advance_choose(&advance, PATCHES - 1, PATCHES, false), 0);
    /* Off the list, and alone. */
    assert_int_equal(board_advance_choose(&advance, -1, PATCHES, false), 0);
    assert_int_equal(board_advance_choose(&advance, 0, 1, false), -1);
    for (int32_t i = 0; i < PATCHES; i++) {
        board_advance_refuse(&advance, i);
    }
    assert_int_equal(board_advance_choose(&advance, 3, PATCHES, false), -1);
    assert_int_equal(board_advance_choose(&advance, 3, PATCHES, true), -1);
}

/* Each of them comes once before one comes again, never the one that is there, and another seed is
 * another order. */
static void test_at_random(void **state)
{
    (void)state;
    int32_t orders[2][10 * PATCHES];
    for (int run = 0; run < 2; run++) {
        struct board_advance advance;
        int32_t current = 0;
        board_advance_begin(&advance);
        board_advance_stir(&advance, (uint64_t)run);
        board_advance_refuse(&advance, 7);
        board_advance_shown(&advance, current, 0, 0);
        unsigned times[PATCHES] = {[0] = 1};
        for (int i = 0; i < 10 * PATCHES; i++) {
            const int32_t next = board_advance_choose(&advance, current, PATCHES, true);
            assert_in_range(next, 0, PATCHES - 1);
            assert_int_not_equal(next, current);
            assert_int_not_equal(next, 7);
            current = next;
            orders[run][i] = next;
            times[next]++;
            board_advance_shown(&advance, current, 0, 0);
            if (i == PATCHES - 3) {
                for (int k = 0; k < PATCHES; k++) {
                    assert_int_equal(times[k], k != 7);
                }
            }
        }
    }
    assert_memory_not_equal(orders[0], orders[1], sizeof orders[0]);
}

/* A count beyond what it remembers, as damaged cards may have. */
static void test_more_patches_than_it_remembers(void **state)
{
    (void)state;
    struct board_advance advance;
    board_advance_begin(&advance);
    board_advance_refuse(&advance, BOARD_ADVANCE_PATCHES);
    board_advance_shown(&advance, 5000, 0, 0);
    for (int i = 0; i < 5000; i++) {
        assert_in_range(board_advance_choose(&advance, 5000, 6000, true), 0, 5999);
    }
}

enum { SECONDS = 14, LEARNING = 4 };

/* Beats by the minute that the board counts. */
static double count_beats(struct drums *drums, const struct drums_pattern *pattern, double bpm,
                          double noise, uint32_t fps)
{
    static float sound[DRUMS_RATE * (SECONDS + 1)];
    static int16_t samples[2 * BOARD_SAMPLES];
    struct board_hearing heard = {.level = {0}};
    struct board_beat beat = {.frames = 0};
    const uint32_t block = BOARD_RATE / fps;
    unsigned beats = 0;
    drums_play(drums, pattern, bpm, 0, noise, 0, sound, sizeof sound / sizeof *sound);
    for (uint32_t frame = 0; frame < SECONDS * fps; frame++) {
        for (uint32_t i = 0; i < block; i++) {
            const size_t at = (size_t)((double)(frame * block + i) * DRUMS_RATE / BOARD_RATE);
            const double sample = fmax(-1, fmin(1, 0.6 * (double)sound[at]));
            samples[2 * i] = samples[2 * i + 1] = (int16_t)(32767 * sample);
        }
        board_hear(&heard, samples, block);
        beats += board_beat_hear(&beat, &heard, fps) && frame >= LEARNING * fps;
    }
    return beats * 60.0 / (SECONDS - LEARNING);
}

/* A foot on each beat is counted to one beat in ten seconds, at any tempo, in noise too; music
 * whose feet fall beside the beats has another count, but one that is steady. */
static void test_beats_of_drums(void **state)
{
    (void)state;
    static const struct drums_pattern floor = {"four", {"90909090", "00900090", "06060606"}};
    static const struct drums_pattern rock = {"rock", {"90009000", "00900090", "66666666"}};
    struct drums drums;
    drums_init(&drums, 1);
    for (double bpm = 70; bpm <= 180; bpm += 15) {
        for (uint32_t fps = BOARD_FPS_MIN; fps <= BOARD_FPS_MAX; fps += 6) {
            for (int noisy = 0; noisy < 2; noisy++) {
                const double beats = count_beats(&drums, &floor, bpm, noisy != 0 ? 0.3 : 0, fps);
                if (fabs(beats - bpm) > 6.5) {
                    fail_msg("%.0f bpm, noise %d, %u frames per second: %.0f", bpm, noisy, fps,
                             beats);
                }
            }
            if (bpm <= 140) {
                assert_true(fabs(count_beats(&drums, &rock, bpm, 0, fps) - bpm) <= 6.5);
            }
        }
    }
}

static void test_no_beats_in_silence_or_a_tone(void **state)
{
    (void)state;
    struct board_hearing heard = {.level = {0}};
    struct board_beat beat = {.frames = 0};
    int16_t samples[2 * 2000];
    unsigned beats = 0;
    for (int frame = 0; frame < 500; frame++) {
        for (int i = 0; i < 2000; i++) {
            const double tone = 9000 * sin(0.013 * (frame * 2000 + i));
            samples[2 * i] = samples[2 * i + 1] = (int16_t)(frame < 200 ? 0 : tone);
        }
        board_hear(&heard, samples, 2000);
        beats += board_beat_hear(&beat, &heard, 24) && (frame < 200 || frame > 210);
    }
    assert_int_equal(beats, 0);
}

/* From any loudness to one that fits, where it stays. */
static void test_gain_settles(void **state)
{
    (void)state;
    static const double loudness[] = {0.1, 0.3, 1, 2, 5, 12};
    for (size_t k = 0; k < sizeof loudness / sizeof *loudness; k++) {
        struct board_gain gain = {.looks = 0};
        int32_t steps = 8;
        unsigned changes = 0;
        double peak = 0;
        for (int frame = 0; frame < 30 * 120; frame++) {
            /* A beat every half second, between which it is quiet. */
            const double sample =
                8000 * loudness[k] * pow(10, 1.5 * steps / 20) / 4 * (frame % 15 == 0 ? 1 : 0.2);
            const uint32_t heard = (uint32_t)fmin(sample, 32767);
            const int32_t by = board_gain_step(&gain, heard, 30);
            const int32_t before = steps;
            steps = steps + by < 0 ? 0 : steps + by > 15 ? 15 : steps + by;
            changes += frame > 30 * 100 && steps != before;
            peak = frame % 15 == 0 ? sample : peak;
        }
        assert_int_equal(changes, 0);
        assert_true((peak >= 13000 || steps == 15) && (peak < 32767 || steps == 0));
    }
    struct board_gain gain = {.looks = 0};
    for (int frame = 0; frame < 3000; frame++) {
        assert_int_equal(board_gain_step(&gain, 100, 30), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_time_and_beats),
        cmocka_unit_test(test_in_order),
        cmocka_unit_test(test_at_random),
        cmocka_unit_test(test_more_patches_than_it_remembers),
        cmocka_unit_test(test_beats_of_drums),
        cmocka_unit_test(test_no_beats_in_silence_or_a_tone),
        cmocka_unit_test(test_gain_settles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
