/* The span kernel: AVX2 against plain C, bit for bit, and nothing written behind the span. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/rng.h"
#include "renderer/span.h"

enum { COUNT = 67, CANARY = 9 };

static float random_between(struct base_rng *rng, float low, float high)
{
    return low + (high - low) * ((float)(base_rng_next(rng) >> 8) / 16777216.0f);
}

static void test_levels_equal(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 33, 0);
    for (int round = 0; round < 5000; round++) {
        struct rend_span span = {.keep = round % 2 == 0 ? 0.0f : 1.0f};
        for (int k = 0; k < REND_SPAN_VALUES; k++) {
            span.start[k] = random_between(&rng, -20, 275);
            span.step[k] = round % 5 == 0 ? 0 : random_between(&rng, -9, 9);
        }
        uint32_t texels[COUNT];
        uint32_t expected[COUNT + CANARY];
        uint32_t got[COUNT + CANARY];
        for (size_t i = 0; i < COUNT; i++) {
            texels[i] = base_rng_next(&rng) & 0xFFFFFF;
            expected[i] = base_rng_next(&rng) & 0xFFFFFF;
        }
        memset(expected + COUNT, 0x5A, CANARY * sizeof *expected);
        memcpy(got, expected, sizeof got);
        const size_t count = (size_t)round % (COUNT + 1);
        const uint32_t *source = round % 3 == 0 ? texels : NULL;
        rend_span_plain(&span, source, expected, count);
        rend_span_for(base_cpu_best())(&span, source, got, count);
        assert_memory_equal(expected, got, sizeof got);
    }
}

static void test_opaque_and_additive(void **state)
{
    (void)state;
    struct rend_span span = {.start = {51, 127, 255, 255}};
    uint32_t pixel = 0x00123456;
    rend_span_plain(&span, NULL, &pixel, 1);
    assert_int_equal(pixel, 0x00FF7F33);
    span.keep = 1;
    rend_span_plain(&span, NULL, &pixel, 1);
    assert_int_equal(pixel, 0x00FFFE66);
    const uint32_t texel = 0x00FF0080;
    span.keep = 0;
    rend_span_plain(&span, &texel, &pixel, 1);
    assert_int_equal(pixel, 0x00FF001A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels_equal),
        cmocka_unit_test(test_opaque_and_additive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
