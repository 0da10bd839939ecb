#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/play/governor.h"

static const double budget = 1.0 / 60;

/* Frames of a machine on which the finest level takes so many budgets, half of it in each stage. */
static int level_after(struct app_governor *governor, double load, int frames)
{
    for (int i = 0; i < frames; i++) {
        const int *divisor = app_governor_divisors[governor->level];
        const double share = 0.5 / (divisor[0] * divisor[0]) + 0.5 / (divisor[1] * divisor[1]);
        (void)app_governor_step(governor, load * budget * share);
    }
    return governor->level;
}

static void light_loads_stay_fine(void **state)
{
    (void)state;
    struct app_governor governor;
    app_governor_begin(&governor, budget);
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
        struct app_governor governor;
        app_governor_begin(&governor, budget);
        assert_int_equal(level_after(&governor, cases[i].load, 60), cases[i].level);
    }
}

static void turns_down_before_a_frame_is_late(void **state)
{
    (void)state;
    struct app_governor governor;
    app_governor_begin(&governor, budget);
    int frames = 0;
    while (!app_governor_step(&governor, 0.9 * budget)) {
        frames++;
        assert_true(frames < 10);
    }
    assert_int_equal(governor.level, 1);
}

static void one_slow_frame_is_forgiven(void **state)
{
    (void)state;
    struct app_governor governor;
    app_governor_begin(&governor, budget);
    assert_false(app_governor_step(&governor, 1.5 * budget));
    assert_false(app_governor_step(&governor, 0.5 * budget));
    assert_int_equal(governor.level, 0);
    assert_true(app_governor_step(&governor, 2.5 * budget));
}

static void comes_back_when_there_is_time(void **state)
{
    (void)state;
    struct app_governor governor;
    app_governor_begin(&governor, budget);
    assert_int_equal(level_after(&governor, 9.0, 60), 5);
    assert_int_equal(level_after(&governor, 0.5, 5 * 121), 0);
}

/* A load that the finer level does not hold is tried less and less often. */
static void does_not_swing(void **state)
{
    (void)state;
    struct app_governor governor;
    app_governor_begin(&governor, budget);
    int changes = 0;
    for (int i = 0; i < 60 * 60; i++) {
        const double seconds = governor.level == 0 ? 0.95 * budget : 0.3 * budget;
        changes += app_governor_step(&governor, seconds) ? 1 : 0;
    }
    assert_true(changes <= 11);
    app_governor_reset(&governor);
    assert_int_equal(governor.level, 0);
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
