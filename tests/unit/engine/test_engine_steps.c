#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/course.h"

static struct engine_steps make(double fps, double step_rate, bool blends)
{
    return engine_steps_of(step_rate, blends, engine_rate_of(fps));
}

static void frames_find_their_step(void **state)
{
    (void)state;
    static const struct {
        double fps;
        double step_rate;
        uint64_t frame;
        uint64_t step;
        unsigned weight; /* when blending */
    } cases[] = {
        {60, -1, 1, 1, 256},    {60, -1, 77, 77, 256}, {30, -1, 9, 9, 256},
        {29.97, -1, 5, 5, 256}, {24, -1, 1, 3, 128},   {24, -1, 2, 5, 256},
        {24, -1, 3, 8, 128},    {25, -1, 5, 12, 256},  {25, -1, 1, 3, 102},
        {144, -1, 1, 1, 107},   {144, -1, 12, 5, 256}, {120, 30, 1, 1, 64},
        {120, 30, 3, 1, 192},   {120, 30, 5, 2, 64},   {30, 60, 10, 20, 256},
        {60, 30, 10, 5, 256},   {1000, 10, 1, 1, 3},   {60, 30, 1000000001, 500000001, 128},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct engine_steps newest = make(cases[i].fps, cases[i].step_rate, false);
        const struct engine_steps blend = make(cases[i].fps, cases[i].step_rate, true);
        assert_int_equal(engine_steps_due(&newest, cases[i].frame), cases[i].step);
        assert_int_equal(engine_steps_weight(&newest, cases[i].frame), 256);
        assert_int_equal(engine_steps_weight(&blend, cases[i].frame), cases[i].weight);
    }
}

/* Whatever the rates, ten minutes have ten minutes' steps. */
static void steps_keep_time(void **state)
{
    (void)state;
    static const double rates[] = {1, 23.976, 24, 25, 48, 50, 59.94, 72, 90, 144, 240, 1000};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        const struct engine_steps steps = make(rates[i], 60, false);
        const uint64_t frames = engine_rate_frames(steps.frames, 600);
        const uint64_t last = engine_steps_due(&steps, frames);
        assert_in_range(last, 36000 - 1, 36000 + 60);
        assert_int_equal(engine_steps_due(&steps, 0), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_find_their_step),
        cmocka_unit_test(steps_keep_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
