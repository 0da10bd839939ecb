#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/governor.h"

static const double budget = 1.0 / 60;

/* Frames of a machine on which the finest level takes so many budgets, half of it in each stage. */
static int level_after(struct engine_governor *governor, double load, int frames)
{
    for (int i = 0; i < frames; i++) {
        const int *divisor = engine_governor_divisors[governor->level];
        const double share = 0.5 / (divisor[0] * divisor[0]) + 0.5 / (divisor[1] * divisor[1]);
        (void)engine_governor_step(governor, load * budget * share, false);
    }
    return governor->level;
}

static void light_loads_stay_fine(void **state)
{
    (void)state;
    static struct engine_governor governor;
    engine_governor_begin(&governor, budget, 1);
    assert_int_equal(level_after(&governor, 0.8, 10000), 0);
}

static void heavy_loads_become_coarse(void **state)
{
    (void)state;
    static const struct {
        double load;
        int level;
    } cases[] = {{0.95, 1}, {1.3, 1}, {2.0, 2}, {3.0, 2}, {4.5, 3}, {7.0, 4}, {9.0, 5}, {90, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static struct engine_governor governor;
        engine_governor_begin(&governor, budget, 1);
        assert_int_equal(level_after(&governor, cases[i].load, 60), cases[i].level);
    }
}

static void turns_down_before_a_frame_is_late(void **state)
{
    (void)state;
    static struct engine_governor governor;
    engine_governor_begin(&governor, budget, 1);
    int frames = 0;
    while (!engine_governor_step(&governor, 0.9 * budget, false)) {
        frames++;
        assert_true(frames < 10);
    }
    assert_int_equal(governor.level, 1);
}

static void one_slow_frame_is_forgiven(void **state)
{
    (void)state;
    static struct engine_governor governor;
    engine_governor_begin(&governor, budget, 1);
    assert_false(engine_governor_step(&governor, 1.5 * budget, false));
    assert_false(engine_governor_step(&governor, 0.5 * budget, false));
    assert_int_equal(governor.level, 0);
    assert_true(engine_governor_step(&governor, 2.5 * budget, false));
}

static void comes_back_when_there_is_time(void **state)
{
    (void)state;
    static struct engine_governor governor;
    engine_governor_begin(&governor, budget, 1);
    assert_int_equal(level_after(&governor, 9.0, 60), 5);
    assert_int_equal(level_after(&governor, 0.5, 5 * 121), 0);
}

/* A load that the finer level does not hold is tried less and less often. */
static void does_not_swing(void **state)
{
    (void)state;
    static struct engine_governor governor;
    engine_governor_begin(&governor, budget, 1);
    int changes = 0;
    for (int i = 0; i < 60 * 60; i++) {
        const double seconds = governor.level == 0 ? 0.95 * budget : 0.3 * budget;
        changes += engine_governor_step(&governor, seconds, false) ? 1 : 0;
    }
    assert_true(changes <= 11);
}

/* A show on a machine on which each preset, at the finest level, takes so many budgets. */
struct playing {
    struct engine_governor governor;
    const double *loads;     /* of the presets 0.. */
    const double *estimates; /* of them, in budgets of another machine; NULL: none */
    int preset;
    int last; /* -1: none */
    int late;
    int coarsest; /* side of a computed pixel in any first picture */
};

static double seconds_of(const struct playing *playing, int preset)
{
    const int *divisor = engine_governor_divisors[playing->governor.level];
    const double share = 0.5 / (divisor[0] * divisor[0]) + 0.5 / (divisor[1] * divisor[1]);
    const bool shaded = playing->loads[preset] > 0;
    return budget * (shaded ? 0.05 + playing->loads[preset] * share : 0.1);
}

/* One more preset; the transition to it takes so many frames. */
static void play(struct playing *playing, int preset, int transition, int frames)
{
    struct engine_governor *governor = &playing->governor;
    playing->last = playing->preset;
    playing->preset = preset;
    engine_governor_change(governor, (uint32_t)preset, playing->loads[preset] > 0, transition > 0,
                           playing->estimates != NULL ? playing->estimates[preset] * budget : 0);
    for (int stage = 0; stage < REND_SHADER_STAGES; stage++) {
        const int side = engine_governor_divisors[governor->level][stage];
        playing->coarsest = side > playing->coarsest ? side : playing->coarsest;
    }
    for (int i = 0; i < frames; i++) {
        const bool both = i < transition;
        const double seconds =
            seconds_of(playing, preset) + (both ? seconds_of(playing, playing->last) : 0);
        playing->late += seconds > budget;
        (void)engine_governor_step(governor, seconds, both);
    }
}

static void known_presets_begin_where_they_were(void **state)
{
    (void)state;
    static const double loads[] = {9, 0.3, 4.5, 0, 2, 30};
    enum { PRESETS = sizeof loads / sizeof *loads, FRAMES = 600, TRANSITION = 90 };
    static struct playing playing;
    for (int soft = 0; soft < 2; soft++) {
        playing = (struct playing){.loads = loads};
        engine_governor_begin(&playing.governor, budget, 1);
        for (int preset = 0; preset < PRESETS; preset++) {
            play(&playing, preset, soft && preset > 0 ? TRANSITION : 0, FRAMES);
        }
        /* The preset 5 does not fit at any level alone. */
        playing.late = 0;
        for (int preset = 0; preset + 1 < PRESETS; preset++) {
            play(&playing, preset, soft && preset > 0 ? TRANSITION : 0, FRAMES);
            const int level = playing.governor.level;
            play(&playing, preset, 0, FRAMES);
            assert_int_equal(playing.governor.level, level);
        }
        assert_int_equal(playing.late, 0);
        assert_int_equal(playing.coarsest, REND_DIVISOR_MAX);
    }
}

/* On a slow machine a preset that was never drawn is not worse than the one before, so that it does
 * not stutter down through all levels; one that is better becomes fine soon. */
static void unknown_presets_begin_as_the_last_one(void **state)
{
    (void)state;
    static const double loads[] = {5, 5.5, 4, 0, 5, 0.2, 5};
    static struct playing playing;
    playing = (struct playing){.loads = loads};
    engine_governor_begin(&playing.governor, budget, 1);
    play(&playing, 0, 0, 600);
    assert_in_range(playing.late, 1, 3);
    playing.late = 0;
    for (int preset = 1; preset < 5; preset++) {
        play(&playing, preset, 60, 600);
    }
    assert_int_equal(playing.late, 0);
    play(&playing, 5, 60, 150);
    assert_int_equal(playing.governor.level, 0);
    assert_int_equal(playing.late, 0);
    play(&playing, 6, 0, 60);
    assert_in_range(playing.late, 1, 3);
}

/* What takes its time for other reasons than shaders is not made coarse. */
static void presets_without_shaders_stay_fine(void **state)
{
    (void)state;
    static struct engine_governor governor;
    engine_governor_begin(&governor, budget, 1);
    engine_governor_change(&governor, 1, false, false, 0);
    for (int i = 0; i < 200; i++) {
        assert_false(engine_governor_step(&governor, 3 * budget, false));
    }
    engine_governor_change(&governor, 2, true, false, 0);
    assert_int_equal(governor.level, 0);
}

/* On a machine that is four times slower than estimates are, and with estimates that are wrong by
 * up to a half: presets that were never drawn begin in time, but for the first, by which the
 * machine shows its pace. */
static void estimated_presets_begin_in_time(void **state)
{
    (void)state;
    static const double loads[] = {4, 1, 9, 2, 14, 1.5, 12, 3, 10, 6};
    static const double errors[] = {1, 1.5, 0.7, 1.2, 0.8, 0.7, 1.4, 0.9, 0.8, 1.3};
    enum { PRESETS = sizeof loads / sizeof *loads };
    static struct playing playing;
    double estimates[PRESETS];
    int late[2];
    for (int i = 0; i < PRESETS; i++) {
        estimates[i] = loads[i] / 4 * errors[i];
    }
    for (int with = 0; with < 2; with++) {
        playing = (struct playing){.loads = loads, .estimates = with ? estimates : NULL};
        engine_governor_begin(&playing.governor, budget, 1);
        play(&playing, 0, 0, 300);
        play(&playing, 1, 0, 300);
        playing.late = 0;
        for (int preset = 2; preset < PRESETS; preset++) {
            play(&playing, preset, 0, 300);
        }
        late[with] = playing.late;
    }
    print_message("late frames of %d presets: %d without estimates, %d with them\n", PRESETS - 2,
                  late[0], late[1]);
    assert_true(late[0] >= 4);
    assert_true(late[1] <= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(light_loads_stay_fine),
        cmocka_unit_test(heavy_loads_become_coarse),
        cmocka_unit_test(turns_down_before_a_frame_is_late),
        cmocka_unit_test(one_slow_frame_is_forgiven),
        cmocka_unit_test(comes_back_when_there_is_time),
        cmocka_unit_test(does_not_swing),
        cmocka_unit_test(known_presets_begin_where_they_were),
        cmocka_unit_test(unknown_presets_begin_as_the_last_one),
        cmocka_unit_test(estimated_presets_begin_in_time),
        cmocka_unit_test(presets_without_shaders_stay_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
