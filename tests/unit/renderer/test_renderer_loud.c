#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "renderer/sound/beat.h"

enum { FPS = 60, FIRST = 50 };

static const double usual[3] = {1, 1, 1};

/* The number of cuts in so many frames of one level. */
static int cuts(struct rend_loud *loud, double level, int frames)
{
    const double levels[3] = {level, level, level};
    int count = 0;
    for (int i = 0; i < frames; i++) {
        count += rend_loud_step(loud, levels, FPS) ? 1 : 0;
    }
    return count;
}

/* The threshold begins at twice 2.5, a cut doubles it. */
static void loud_passages_cut_once(void **state)
{
    (void)state;
    struct rend_loud loud;
    rend_loud_start(&loud, 1);
    assert_int_equal(cuts(&loud, 1, FIRST), 0);
    assert_int_equal(cuts(&loud, 4.5, 1), 0);
    assert_int_equal(cuts(&loud, 5.5, 10), 1);
    assert_int_equal(cuts(&loud, 5.5, 60), 0);
    assert_int_equal(cuts(&loud, 30, 2), 2);
}

/* After a minute three quarters of the distance are gone, at any rate of frames. */
static void the_threshold_falls_back(void **state)
{
    (void)state;
    static const int rates[] = {24, 60, 144};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        struct rend_loud loud;
        rend_loud_start(&loud, 1);
        const double distance = loud.threshold - loud.lowest;
        for (int frame = 0; frame < 60 * rates[i]; frame++) {
            assert_false(rend_loud_step(&loud, usual, rates[i]));
        }
        assert_true(fabs((loud.threshold - loud.lowest) / distance - 0.25) < 0.001);
    }
}

static void beginnings_and_nonsense_never_cut(void **state)
{
    (void)state;
    struct rend_loud loud;
    rend_loud_start(&loud, 1);
    assert_int_equal(cuts(&loud, 1000, FIRST - 1), 0);
    rend_loud_start(&loud, 1);
    assert_int_equal(cuts(&loud, 1, 2 * FIRST), 0);
    assert_int_equal(cuts(&loud, NAN, 10), 0);
    assert_int_equal(cuts(&loud, INFINITY, 10), 0);
    assert_true(isfinite(loud.threshold));
}

static void sensitivity_lowers_the_threshold(void **state)
{
    (void)state;
    struct rend_loud loud;
    rend_loud_start(&loud, 2);
    assert_int_equal(cuts(&loud, 1, FIRST), 0);
    assert_int_equal(cuts(&loud, 2.7, 1), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loud_passages_cut_once),
        cmocka_unit_test(the_threshold_falls_back),
        cmocka_unit_test(beginnings_and_nonsense_never_cut),
        cmocka_unit_test(sensitivity_lowers_the_threshold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
