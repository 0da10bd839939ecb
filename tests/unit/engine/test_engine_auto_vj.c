#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "engine/course.h"

static const unsigned quiet = 0;
static const unsigned beat = 1;

static void the_time_decides(void **state)
{
    (void)state;
    for (int hard = 0; hard < 2; hard++) {
        struct engine_auto_vj vj;
        engine_auto_begin(&vj, 30, 0, 1);
        vj.hard = hard;
        assert_int_equal(engine_auto_step(&vj, 0, quiet, false), ENGINE_AUTO_STAY);
        assert_int_equal(engine_auto_step(&vj, 29.99, quiet, false), ENGINE_AUTO_STAY);
        assert_int_equal(engine_auto_step(&vj, 30, quiet, false),
                         hard ? ENGINE_AUTO_HARD : ENGINE_AUTO_SOFT);
    }
}

static void after_a_change_it_is_silent_until_shown(void **state)
{
    (void)state;
    struct engine_auto_vj vj;
    engine_auto_begin(&vj, 30, 0, 1);
    assert_int_equal(engine_auto_step(&vj, 31, quiet, false), ENGINE_AUTO_SOFT);
    for (double now = 31; now < 1e6; now += 1000) {
        assert_int_equal(engine_auto_step(&vj, now, quiet, false), ENGINE_AUTO_STAY);
    }
    engine_auto_shown(&vj, 1e6, -1);
    assert_int_equal(engine_auto_step(&vj, 1e6 + 29, quiet, false), ENGINE_AUTO_STAY);
    assert_int_equal(engine_auto_step(&vj, 1e6 + 30, quiet, false), ENGINE_AUTO_SOFT);
}

static void it_is_silent_to_music_too_until_shown(void **state)
{
    (void)state;
    struct engine_auto_vj vj;
    engine_auto_begin(&vj, 30, 0, 1);
    vj.beats = 2;
    assert_int_equal(engine_auto_step(&vj, 1, quiet, true), ENGINE_AUTO_HARD);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(engine_auto_step(&vj, 2, beat, i % 2 == 0), ENGINE_AUTO_STAY);
    }
    engine_auto_shown(&vj, 3, -1);
    assert_int_equal(engine_auto_step(&vj, 3, beat, false), ENGINE_AUTO_STAY);
    assert_int_equal(engine_auto_step(&vj, 3, beat, false), ENGINE_AUTO_HARD);
}

static void the_playlist_has_its_own_seconds(void **state)
{
    (void)state;
    struct engine_auto_vj vj;
    engine_auto_begin(&vj, 30, 20, 1);
    engine_auto_shown(&vj, 100, 7.5);
    assert_true(vj.due == 107.5);
    engine_auto_shown(&vj, 100, 0);
    assert_true(vj.due >= 110 && vj.due <= 150);
}

static void beats_are_counted_from_the_last_change(void **state)
{
    (void)state;
    struct engine_auto_vj vj;
    engine_auto_begin(&vj, 1000, 0, 1);
    vj.beats = 4;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 3; i++) {
            assert_int_equal(engine_auto_step(&vj, i, beat, false), ENGINE_AUTO_STAY);
            assert_int_equal(engine_auto_step(&vj, i, quiet, false), ENGINE_AUTO_STAY);
        }
        assert_int_equal(engine_auto_step(&vj, 3, beat, false), ENGINE_AUTO_HARD);
        engine_auto_shown(&vj, 0, -1);
    }
    vj.beats = 0;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(engine_auto_step(&vj, i, beat, false), ENGINE_AUTO_STAY);
    }
}

static void loud_music_cuts_at_once(void **state)
{
    (void)state;
    struct engine_auto_vj vj;
    engine_auto_begin(&vj, 30, 0, 1);
    assert_int_equal(engine_auto_step(&vj, 0.1, quiet, true), ENGINE_AUTO_HARD);
}

/* Seconds until the next of many changes. */
enum { CHANGES = 400 };
static void waits(double advance, double vary, uint64_t seed, double seconds[CHANGES])
{
    struct engine_auto_vj vj;
    engine_auto_begin(&vj, advance, vary, seed);
    for (int i = 0; i < CHANGES; i++) {
        engine_auto_shown(&vj, 1000.0 * i, -1);
        seconds[i] = vj.due - 1000.0 * i;
    }
}

static void times_vary_within_bounds(void **state)
{
    (void)state;
    static const struct {
        double advance;
        double vary;
        double counts;
    } cases[] = {{30, 0, 0}, {30, 10, 10}, {30, 27, 27}, {30, 1e9, 27}, {0.5, 3, 0.45}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double seconds[CHANGES];
        double least = INFINITY;
        double most = 0;
        waits(cases[i].advance, cases[i].vary, 3, seconds);
        for (int k = 0; k < CHANGES; k++) {
            least = fmin(least, seconds[k]);
            most = fmax(most, seconds[k]);
        }
        const double low = cases[i].advance - cases[i].counts;
        const double high = cases[i].advance + cases[i].counts;
        assert_true(least >= low - 1e-6 && most <= high + 1e-6);
        assert_true(least <= low + 0.1 * cases[i].counts + 1e-6);
        assert_true(most >= high - 0.1 * cases[i].counts - 1e-6);
    }
}

static void the_seed_decides_how_they_vary(void **state)
{
    (void)state;
    double one[CHANGES];
    double same[CHANGES];
    double other[CHANGES];
    waits(30, 10, 1, one);
    waits(30, 10, 1, same);
    waits(30, 10, 2, other);
    assert_memory_equal(one, same, sizeof one);
    assert_memory_not_equal(one, other, sizeof one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_time_decides),
        cmocka_unit_test(after_a_change_it_is_silent_until_shown),
        cmocka_unit_test(it_is_silent_to_music_too_until_shown),
        cmocka_unit_test(the_playlist_has_its_own_seconds),
        cmocka_unit_test(beats_are_counted_from_the_last_change),
        cmocka_unit_test(loud_music_cuts_at_once),
        cmocka_unit_test(times_vary_within_bounds),
        cmocka_unit_test(the_seed_decides_how_they_vary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
