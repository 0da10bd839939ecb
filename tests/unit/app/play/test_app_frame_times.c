#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "app/play/player.h"

static void assert_ms(double got, double expected)
{
    if (fabs(got - expected) > 1e-6) {
        fail_msg("%g ms, not %g", got, expected);
    }
}

static void percentiles_count_frames(void **state)
{
    (void)state;
    static struct app_frame_times times;
    assert_ms(app_frame_times_percentile(&times, 50), 0);
    for (int i = 1; i <= 1000; i++) {
        app_frame_times_add(&times, i * 1e-4 - 0.5e-4);
    }
    assert_ms(app_frame_times_percentile(&times, 50), 50);
    assert_ms(app_frame_times_percentile(&times, 99), 99);
    assert_ms(app_frame_times_percentile(&times, 100), 99.95);
    app_frame_times_add(&times, 5);
    assert_ms(app_frame_times_percentile(&times, 100), 5000);
    app_frame_times_add(&times, -1);
    assert_int_equal(times.count, 1002);
    assert_int_equal(app_frame_times_over(&times, 0), 1002);
    assert_int_equal(app_frame_times_over(&times, 33.3), 1000 - 333 + 1);
    assert_int_equal(app_frame_times_over(&times, 100), 1);
    assert_int_equal(app_frame_times_over(&times, 6000), 0);
}

static void late_frames_are_the_longest(void **state)
{
    (void)state;
    struct app_late_frames late = {.count = 0};
    enum { FRAMES = 20 };
    for (uint32_t i = 0; i < FRAMES; i++) {
        const struct app_late_frame frame = {.seconds = i * 7 % FRAMES, .preset = i};
        app_late_frames_add(&late, &frame);
        assert_int_equal(late.count, i < APP_LATE_FRAMES ? i + 1 : APP_LATE_FRAMES);
    }
    for (uint32_t i = 0; i < APP_LATE_FRAMES; i++) {
        assert_int_equal((int)late.frames[i].seconds, FRAMES - 1 - i);
        assert_int_equal(late.frames[i].preset * 7 % FRAMES, FRAMES - 1 - i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(percentiles_count_frames),
                                       cmocka_unit_test(late_frames_are_the_longest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
