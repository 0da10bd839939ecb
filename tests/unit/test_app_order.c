#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <string.h>

#include "app/play_order.h"

enum { COUNT = 20 };

static void listed_order_goes_round(void **state)
{
    (void)state;
    struct app_order order;
    assert_int_equal(app_order_init(&order, COUNT, 1), 0);
    static const struct {
        int steps;
        size_t current;
    } cases[] = {{0, 0}, {1, 1},         {-1, 0},        {-1, COUNT - 1},
                 {1, 0}, {COUNT * 3, 0}, {COUNT + 5, 5}, {-COUNT - 6, COUNT - 1},
                 {1, 0}, {INT_MAX, 7},   {-INT_MAX, 0},  {INT_MIN, 12}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        app_order_step(&order, cases[i].steps);
        assert_int_equal(app_order_current(&order), cases[i].current);
    }
    app_order_free(&order);
}

static void walk(struct app_order *order, size_t seen[COUNT])
{
    for (size_t i = 0; i < COUNT; i++) {
        app_order_step(order, 1);
        seen[i] = app_order_current(order);
    }
}

static void shuffle_shows_each_once_and_is_seeded(void **state)
{
    (void)state;
    size_t seen[3][COUNT];
    static const uint64_t seeds[3] = {7, 7, 8};
    for (size_t i = 0; i < 3; i++) {
        struct app_order order;
        assert_int_equal(app_order_init(&order, COUNT, seeds[i]), 0);
        app_order_step(&order, 4);
        app_order_shuffle(&order, true);
        assert_int_equal(app_order_current(&order), 4);
        walk(&order, seen[i]);
        uint32_t met = 0;
        for (size_t k = 0; k < COUNT; k++) {
            met |= UINT32_C(1) << seen[i][k];
        }
        assert_int_equal(met, (UINT32_C(1) << COUNT) - 1);
        assert_int_equal(seen[i][COUNT - 1], 4);
        app_order_step(&order, -1);
        assert_int_equal(app_order_current(&order), seen[i][COUNT - 2]);
        app_order_shuffle(&order, false);
        assert_int_equal(app_order_current(&order), seen[i][COUNT - 2]);
        app_order_step(&order, 1);
        assert_int_equal(app_order_current(&order), (seen[i][COUNT - 2] + 1) % COUNT);
        app_order_free(&order);
    }
    assert_memory_equal(seen[0], seen[1], sizeof seen[0]);
    assert_memory_not_equal(seen[0], seen[2], sizeof seen[0]);
}

static void one_preset_is_enough(void **state)
{
    (void)state;
    struct app_order order;
    assert_int_equal(app_order_init(&order, 1, 0), 0);
    app_order_shuffle(&order, true);
    app_order_step(&order, -3);
    assert_int_equal(app_order_current(&order), 0);
    app_order_free(&order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listed_order_goes_round),
        cmocka_unit_test(shuffle_shows_each_once_and_is_seeded),
        cmocka_unit_test(one_preset_is_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
