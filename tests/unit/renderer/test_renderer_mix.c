/* The composite kernel: vectors against plain C, and plain C against the formulas of
 * spec/milk-rendering.md section 6. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "renderer/picture/rows.h"
#include "renderer/stages.h"

enum { COUNT = 261, CANARY = 8 };

static struct rend_mix random_mix(struct base_rng *rng)
{
    struct rend_mix mix = {.filters = base_rng_next(rng) % 16, .shaded = base_rng_next(rng) % 2};
    mix.weight[0] = (int32_t)(base_rng_next(rng) % (8 * REND_MIX_ONE + 1));
    mix.weight[1] =
        (int32_t)(base_rng_next(rng) % (uint32_t)(8 * REND_MIX_ONE + 1 - mix.weight[0]));
    for (int k = 0; k < 3; k++) {
        const int32_t end = (int32_t)(base_rng_next(rng) % REND_SHADE_ONE);
        mix.shade[k] = (int32_t)(base_rng_next(rng) % REND_SHADE_ONE);
        mix.shade_step[k] = (end - mix.shade[k]) / COUNT;
    }
    return mix;
}

static void test_levels_equal(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 21, 0);
    uint32_t picture[COUNT];
    uint32_t echo[COUNT];
    uint32_t expected[COUNT + CANARY];
    uint32_t got[COUNT + CANARY];
    for (int round = 0; round < 2000; round++) {
        const struct rend_mix mix = random_mix(&rng);
        for (size_t i = 0; i < COUNT; i++) {
            picture[i] = base_rng_next(&rng) & 0xFFFFFF;
            echo[i] = base_rng_next(&rng) & 0xFFFFFF;
        }
        memset(expected, 0x5A, sizeof expected);
        const size_t count = (size_t)round % (COUNT + 1);
        const uint32_t *second = round % 3 == 0 ? NULL : echo;
        rend_mix_plain(&mix, picture, second, expected, count);
        for (int level = BASE_CPU_FOUR; level <= (int)base_cpu_best(); level++) {
            memset(got, 0x5A, sizeof got);
            rend_mix_for((enum base_cpu_level)level)(&mix, picture, second, got, count);
            assert_memory_equal(expected, got, sizeof got);
        }
    }
}

static double filtered(double x, unsigned filters)
{
    x = filters & REND_FILTER_BRIGHTEN ? 1 - (1 - x) * (1 - x) : x;
    x = filters & REND_FILTER_DARKEN ? x * x : x;
    x = filters & REND_FILTER_SOLARIZE ? 2 * x * (1 - x) : x;
    return filters & REND_FILTER_INVERT ? 1 - x : x;
}

static void test_formulas(void **state)
{
    (void)state;
    static const double weights[][2] = {{1, 0}, {2.5, 0}, {0, 0}, {0.6, 0.4}, {1.5, 1.5}, {8, 0}};
    for (size_t w = 0; w < sizeof weights / sizeof *weights; w++) {
        for (unsigned filters = 0; filters < 16; filters++) {
            const struct rend_mix mix = {
                .weight = {(int32_t)(weights[w][0] * REND_MIX_ONE + 0.5),
                           (int32_t)(weights[w][1] * REND_MIX_ONE + 0.5)},
                .filters = filters,
            };
            for (uint32_t c = 0; c < 256; c += 5) {
                const uint32_t picture = c << 16 | c << 8 | c;
                const uint32_t echo = (255 - c) * 0x010101u;
                uint32_t out = 0;
                rend_mix_plain(&mix, &picture, &echo, &out, 1);
                const double sum =
                    fmin((c * weights[w][0] + (255 - c) * weights[w][1]) / 255.0, 1.0);
                const double expected = 255 * filtered(sum, filters);
                assert_float_equal((double)(out & 255), expected, 2.6);
                assert_int_equal(out >> 16, out & 255);
            }
        }
    }
}

/* Without filters the sum is right to an eighth before it is rounded, shaded or not. */
static void test_sums(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 22, 0);
    for (int round = 0; round < 100000; round++) {
        struct rend_mix mix = random_mix(&rng);
        mix.filters = 0;
        const uint32_t a = base_rng_next(&rng) % 256;
        const uint32_t b = base_rng_next(&rng) % 256;
        const double shade = mix.shaded ? mix.shade[1] / (double)REND_SHADE_ONE : 1;
        const double sum =
            shade * ((double)a * mix.weight[0] + (double)b * mix.weight[1]) / REND_MIX_ONE;
        const uint32_t picture = a << 8;
        const uint32_t echo = b << 8;
        uint32_t out = 0;
        rend_mix_plain(&mix, &picture, &echo, &out, 1);
        assert_true(fabs((double)(out >> 8) - fmin(sum, 255.0)) < 0.5 + 0.125 + 0.35 * mix.shaded);
    }
}

static void test_identity(void **state)
{
    (void)state;
    const struct rend_mix mix = {.weight = {REND_MIX_ONE, 0}};
    for (uint32_t value = 0; value < 256; value++) {
        const uint32_t picture = value << 16 | (255 - value) << 8 | value;
        uint32_t out = 0;
        rend_mix_plain(&mix, &picture, NULL, &out, 1);
        assert_int_equal(out, picture);
    }
}

/* Computed by hand for R2 1.5, R1 2.5 and R3 0.25: blue, green, red at half strength. */
static void test_corner_shades(void **state)
{
    (void)state;
    static const double expected[REND_CORNERS][REND_CHANNELS] = {
        {1.000000, 0.853178, 0.857045}, /* bottom left */
        {0.887603, 0.890417, 1.000000}, /* bottom right */
        {0.994143, 0.837264, 1.000000}, /* top left */
        {1.000000, 0.955460, 0.951130}, /* top right */
    };
    static const double phase[REND_CHANNELS] = {1.5, 2.5, 0.25};
    double corner[REND_CORNERS][REND_CHANNELS];
    rend_shade_corners(corner, 0.5, 100.0 / 60, phase);
    for (int i = 0; i < REND_CORNERS; i++) {
        for (int k = 0; k < REND_CHANNELS; k++) {
            assert_true(fabs(corner[i][k] - expected[i][k]) < 1e-5);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels_equal),  cmocka_unit_test(test_formulas),
        cmocka_unit_test(test_sums),          cmocka_unit_test(test_identity),
        cmocka_unit_test(test_corner_shades),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
