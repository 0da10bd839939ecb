#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "renderer/picture/transition.h"

enum { WIDTH = 97, HEIGHT = 61, CANARY = 0x5aa5c33c, EDGE = 16, LONGEST = 70 };

static uint16_t when[WIDTH * HEIGHT];

/* At the beginning nothing of the new picture is seen, at the end nothing of the old one, and no
 * pixel ever goes back. */
static void test_pixels_go_once(void **state)
{
    (void)state;
    for (int t = 0; t < REND_TRANSITIONS; t++) {
        for (uint64_t seed = 0; seed < 5; seed++) {
            const struct rend_way way =
                rend_way_make((enum rend_transition)t, WIDTH, HEIGHT, seed, when);
            uint32_t before[WIDTH] = {0};
            for (int step = 0; step <= 40; step++) {
                uint32_t old_row[WIDTH];
                uint32_t new_row[WIDTH];
                uint32_t out[WIDTH];
                const struct rend_weights weights = rend_way_weights(&way, step / 40.0);
                for (uint32_t x = 0; x < WIDTH; x++) {
                    old_row[x] = 0;
                    new_row[x] = 0xFFFFFF;
                }
                rend_cross_plain(out, old_row, new_row,
                                 way.when != NULL ? way.when + (size_t)30 * WIDTH : NULL, WIDTH,
                                 &weights);
                for (int x = 0; x < WIDTH; x++) {
                    assert_true(out[x] >= before[x]);
                    assert_true(step > 0 || out[x] == 0);
                    assert_true(step < 40 || out[x] == 0xFFFFFF);
                    before[x] = out[x];
                }
            }
        }
    }
}

/* In the middle of the way both pictures are there, and seeds differ where chance has a say. */
static void test_ways_are_ways(void **state)
{
    (void)state;
    static uint16_t other[WIDTH * HEIGHT];
    for (int t = 0; t < REND_TRANSITIONS; t++) {
        const enum rend_transition transition = (enum rend_transition)t;
        const size_t size = rend_way_size(transition, WIDTH, HEIGHT);
        assert_true(size == 0 || size == sizeof when);
        const struct rend_way way = rend_way_make(transition, WIDTH, HEIGHT, 1, when);
        (void)rend_way_make(transition, WIDTH, HEIGHT, 2, other);
        if (way.when == NULL) {
            continue;
        }
        size_t early = 0;
        for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
            early += when[i] > 32767 ? 1 : 0;
        }
        assert_in_range(early, WIDTH * HEIGHT / 20, WIDTH * HEIGHT * 19 / 20);
        assert_memory_not_equal(when, other, sizeof when);
        (void)rend_way_make(transition, WIDTH, HEIGHT, 1, other);
        assert_memory_equal(when, other, sizeof when);
    }
}

static uint32_t pixel(struct base_rng *rng)
{
    static const uint32_t extremes[] = {0, 0xFFFFFF, 0xFF0000, 0x00FF00, 0x0000FF, 0x010101};
    const uint32_t random = base_rng_next(rng);
    return random % 3 == 0 ? extremes[random / 3 % 6] : base_rng_next(rng) & 0xFFFFFF;
}

struct rows {
    uint32_t old_row[LONGEST];
    uint32_t new_row[LONGEST];
    uint16_t when[LONGEST];
    uint32_t out[LONGEST + 2 * EDGE];
};

static void fill(struct rows *rows, struct base_rng *rng)
{
    for (size_t i = 0; i < LONGEST; i++) {
        rows->old_row[i] = pixel(rng);
        rows->new_row[i] = pixel(rng);
        rows->when[i] = (uint16_t)(base_rng_next(rng) % 5 == 0 ? 65535 : base_rng_next(rng));
    }
    for (size_t i = 0; i < LONGEST + 2 * EDGE; i++) {
        rows->out[i] = CANARY;
    }
}

static void test_levels_agree(void **state)
{
    (void)state;
    static struct rows rows;
    struct base_rng rng;
    base_rng_seed(&rng, 7, 0);
    for (int turn = 0; turn < 4000; turn++) {
        fill(&rows, &rng);
        const struct rend_way way = {.transition = turn % 3 == 0 ? REND_TRANSITION_fade
                                                                 : REND_TRANSITION_light,
                                     .softness = (1 + base_rng_next(&rng) % 1000) / 1000.0};
        const struct rend_weights weights =
            rend_way_weights(&way, base_rng_next(&rng) % 1001 / 1000.0);
        const size_t count = base_rng_next(&rng) % (LONGEST + 1);
        const uint16_t *moments = turn % 2 == 0 ? rows.when : NULL;
        uint32_t expected[LONGEST];
        rend_cross_plain(expected, rows.old_row, rows.new_row, moments, count, &weights);
        for (int level = 0; level <= (int)base_cpu_best(); level++) {
            rend_cross_for((enum base_cpu_level)level)(rows.out + EDGE, rows.old_row, rows.new_row,
                                                       moments, count, &weights);
            assert_memory_equal(rows.out + EDGE, expected, count * sizeof *expected);
            assert_int_equal(rows.out[EDGE - 1], CANARY);
            assert_int_equal(rows.out[EDGE + count], CANARY);
        }
    }
}

static void test_weights_are_exact(void **state)
{
    (void)state;
    const struct rend_way fade = {.transition = REND_TRANSITION_fade, .softness = 1};
    const struct rend_weights half = rend_way_weights(&fade, 0.5);
    const uint32_t old_row[1] = {0x204060};
    const uint32_t new_row[1] = {0x406020};
    uint32_t out[1];
    rend_cross_plain(out, old_row, new_row, NULL, 1, &half);
    assert_int_equal(out[0], 0x305040);
}

/* The middle of an edge lies up to a quarter beside the mean of its ends, which are anywhere from 0
 * to 1: the squares of both are as (1/4)^2/3 to 1/6. */
static void test_clouds_are_smooth(void **state)
{
    (void)state;
    double beside = 0;
    double apart = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        (void)rend_way_make(REND_TRANSITION_plasma, WIDTH, HEIGHT, seed, when);
        const double left = when[0] / 65535.0;
        const double right = when[WIDTH - 1] / 65535.0;
        const double middle = when[WIDTH / 2] / 65535.0;
        beside += (middle - (left + right) / 2) * (middle - (left + right) / 2);
        apart += (right - left) * (right - left);
    }
    assert_true(beside / apart > 0.08 && beside / apart < 0.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pixels_go_once),    cmocka_unit_test(test_ways_are_ways),
        cmocka_unit_test(test_levels_agree),      cmocka_unit_test(test_weights_are_exact),
        cmocka_unit_test(test_clouds_are_smooth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
