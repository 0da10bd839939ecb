#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "ui/window.h"

struct run {
    double fps;
    double refresh;  /* as the window says */
    double interval; /* in which presenting really holds the picture; 0: it returns at once */
    double work;     /* seconds to paint a frame */
    double seconds;
};

struct result {
    uint64_t painted;
    uint64_t last;    /* frame number */
    uint64_t largest; /* jump */
    double clock;
};

static struct result simulate(const struct run *run)
{
    struct ui_pace pace;
    struct result result = {.clock = 1000};
    ui_pace_start(&pace, run->fps, run->refresh, result.clock);
    while (result.clock < 1000 + run->seconds) {
        result.clock = fmax(result.clock, ui_pace_wake(&pace));
        const uint64_t frame = ui_pace_next(&pace, result.clock);
        assert_true(frame > result.last);
        const uint64_t jump = frame - result.last;
        result.largest = jump > result.largest ? jump : result.largest;
        result.last = frame;
        result.painted++;
        result.clock += run->work;
        if (run->interval > 0) {
            result.clock = ceil(result.clock / run->interval) * run->interval;
        }
    }
    return result;
}

static void player_time_follows_the_clock(void **state)
{
    (void)state;
    static const struct {
        struct run run;
        double speed;   /* of the player's time against the clock */
        double painted; /* frames per second */
        uint64_t largest;
    } cases[] = {
        {{60, 0, 0, 0.002, 60}, 1, 60, 1},                 /* clock only */
        {{60, 0, 0, 0.025, 60}, 1, 40, 2},                 /* too slow a machine */
        {{60, 60, 1 / 60.0, 0.002, 60}, 1, 60, 1},         /* display at 60 */
        {{60, 60, 1 / 59.94, 0.002, 60}, 0.999, 59.94, 1}, /* no frame is ever dropped */
        {{60, 60, 1 / 60.1, 0.002, 60}, 1.0017, 60.1, 1},
        {{60, 60, 1 / 60.0, 0.020, 60}, 1, 30, 2}, /* every second refresh */
        {{60, 60, 0, 0.002, 60}, 1, 60, 1},        /* the display does not hold */
        {{30, 60, 1 / 60.0, 0.002, 60}, 1, 30, 1}, /* every second refresh by the clock */
        {{60, 144, 1 / 144.0, 0.002, 60}, 1, 60, 2},
        {{0.5, 60, 1 / 60.0, 0.002, 60}, 1, 0.5, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct result result = simulate(&cases[i].run);
        const double seconds = result.clock - 1000;
        const double speed = (double)result.last / cases[i].run.fps / seconds;
        print_message("case %zu: speed %.4f, %.2f frames/s, jump %u\n", i, speed,
                      (double)result.painted / seconds, (unsigned)result.largest);
        assert_true(fabs(speed - cases[i].speed) < 0.002 + 2 / (seconds * cases[i].run.fps));
        assert_true(fabs((double)result.painted / seconds - cases[i].painted) <
                    0.01 * cases[i].painted + 2 / seconds);
        assert_true(result.largest <= cases[i].largest);
    }
}

static void a_stall_is_skipped(void **state)
{
    (void)state;
    struct ui_pace pace;
    ui_pace_start(&pace, 60, 0, 5);
    assert_int_equal(ui_pace_next(&pace, 5), 1);
    assert_int_equal(ui_pace_next(&pace, 5 + 1 / 60.0), 2);
    assert_int_equal(ui_pace_next(&pace, 5 + 10), 601);
    assert_int_equal(ui_pace_next(&pace, 5 + 10), 602);
    assert_int_equal(ui_pace_next(&pace, 4), 603);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(player_time_follows_the_clock),
        cmocka_unit_test(a_stall_is_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
